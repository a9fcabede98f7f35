/// A page that looked different before: its numbers of the time until then are those of what it was.
public struct PageChange: Sendable, Equatable {
  /// The played index.
  public var index: Int
  /// When what replaced it came, as RFC 3339 in the report's zone.
  public var changedAt: String
  /// What people see that changed, in a fixed order.
  public var fields: [FieldChange]

  /// One thing that changed.
  public struct FieldChange: Sendable, Equatable {
    /// `title`, `subtitle`, `link`, `image_url` or `button_title`.
    public var name: String
    /// What it was.
    public var before: String
    /// What it became; nil for nothing.
    public var after: String?
  }
}
