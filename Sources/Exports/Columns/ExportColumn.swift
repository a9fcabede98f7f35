/// A column of an exported file, as its manifest describes it. Columns are only ever appended, never renamed or moved.
struct ExportColumn: Equatable, Sendable {
  /// What the values are; how they are written is the same in CSV and NDJSON, but for the quotes.
  enum ValueType: String, Sendable {
    /// Text of a sender, or a name of ours.
    case text
    /// A UUID in its 36-character form, lower case.
    case uuid
    /// A whole number.
    case integer
    /// A number that may have a fraction.
    case number
    /// `true` or `false`.
    case boolean
    /// RFC 3339 in UTC with six digits of a second: `2026-11-29T10:00:00.000000Z`.
    case timestamp
    /// A local day of the set's zone: `2026-11-29`.
    case date
    /// JSON: in CSV as text, in NDJSON as the value itself.
    case json
  }

  var name: String
  var type: ValueType
  /// Such as `seconds`; nil for what has none.
  var unit: String?
  /// One sentence for people.
  var meaning: String

  init(_ name: String, _ type: ValueType, unit: String? = nil, _ meaning: String) {
    self.name = name
    self.type = type
    self.unit = unit
    self.meaning = meaning
  }
}
