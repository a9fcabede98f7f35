/// What the world does to events between the phone and the collector. By default nothing: a batch a session, once, in order.
///
/// The truth counts what is delivered, so it holds under all of them (docs/simulator.md).
public struct NetworkConditions: Equatable, Sendable {
  /// The share of events that are delivered a second time, byte for byte: half of them in the same batch, half in a later
  /// one. 0…1, default 0.
  public var duplicateShare = 0.0
  /// The share of events that are delivered out of order: half of them stand elsewhere in their batch, half come in a batch
  /// of their own, up to ten minutes later. 0…1, default 0.
  public var reorderShare = 0.0
  /// The share of events that are lost before they are delivered. In a quarter of the sessions each event is lost by
  /// itself; in the others it is the start, the end, or all of the session. 0…1, default 0.
  public var lossShare = 0.0
  /// The share of batches that arrive later, by a time from an hour to `lateSpanMicroseconds`. 0…1, default 0.
  public var lateShare = 0.0
  /// How late a batch may be, in microseconds. Default 3 days.
  public var lateSpanMicroseconds: Int64 = 3 * 86_400_000_000
  /// The share of devices whose clock is wrong, by a time from a minute to `clockSkewSpanMicroseconds`, half of them ahead
  /// and half behind. 0…1, default 0.
  public var wrongClockShare = 0.0
  /// How wrong a clock may be, in microseconds. Default 3 years of 365 days.
  public var clockSkewSpanMicroseconds: Int64 = 1_095 * 86_400_000_000
  /// The share of batches that are sent again although they arrived, since the answer was lost. 0…1, default 0.
  public var retryShare = 0.0

  /// Conditions in which nothing happens.
  public init() {}

  /// The longest span that a batch can be late or a clock wrong: 100 years of 365 days, in microseconds.
  public static let longestSpanMicroseconds: Int64 = 36_500 * 86_400_000_000

  /// Whether any session is touched before it is put into batches.
  var changeParcels: Bool {
    [duplicateShare, reorderShare, lossShare, lateShare, wrongClockShare].contains { $0 > 0 }
  }

  /// A sentence on the first setting that makes no sense; nil where all do.
  var fault: String? {
    let shares = [
      ("duplicates", duplicateShare), ("events out of order", reorderShare), ("lost events", lossShare),
      ("late batches", lateShare), ("wrong clocks", wrongClockShare), ("retries", retryShare),
    ]
    if let (name, _) = shares.first(where: { !(0...1).contains($0.1) }) {
      return "the share of \(name) must be within 0 and 1"
    }
    let spans = [("batches are late", lateSpanMicroseconds), ("clocks are wrong", clockSkewSpanMicroseconds)]
    if let (name, _) = spans.first(where: { !(1...Self.longestSpanMicroseconds).contains($0.1) }) {
      return "the span by which \(name) must be longer than nothing and at most 36500 days"
    }
    return nil
  }
}
