@_exported import PushwooshCore

/// The SDK's entry, as far as the examples use it.
public enum Pushwoosh {
  /// Settings.
  public static var configure: PushwooshConfig.Type { PushwooshConfig.self }
}
