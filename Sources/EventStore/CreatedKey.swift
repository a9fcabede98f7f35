/// A key that was just made: the only time that its text is known.
public struct CreatedKey: Sendable {
  /// Its number.
  public let id: Int32
  /// `pfw_…`, as it is sent; kept nowhere.
  public let plaintext: String
}
