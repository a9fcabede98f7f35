/// How large things may be (contract §1, "Limits"); bytes are UTF-8 bytes.
public enum ContractLimits {
  /// A request's body as it is sent: 2 MiB.
  public static let bodyBytes = 2 * 1024 * 1024
  /// A request's body after decompression: 16 MiB.
  public static let decompressedBodyBytes = 16 * 1024 * 1024
  /// Events in one request, unreadable lines included.
  public static let eventsPerRequest = 10_000
  /// One event as it is written in the body: 32 KiB.
  public static let eventBytes = 32 * 1024
  /// Nesting of objects and arrays, the event itself being 1.
  public static let nesting = 16
  /// A page's played index.
  public static let pageIndex = 0...999
  /// A story's page count.
  public static let pageCount = 1...1000
  /// `seq`, and `dropped_events_total`.
  public static let sequence = 0...Int64(Int32.max)
  /// `story_id`.
  public static let storyIDBytes = 200
  /// Every text field without a limit of its own.
  public static let textBytes = 1024
  /// Entries of `properties`.
  public static let properties = 32
  /// The name of a property.
  public static let propertyNameBytes = 60
  /// The value of a property.
  public static let propertyValueBytes = 256
  /// From a request's first byte until its head and body must be complete (contract §2, 408).
  public static let requestSeconds = 30
}
