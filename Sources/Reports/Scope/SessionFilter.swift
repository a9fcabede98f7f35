import StoryEvents

/// What `--where` says, and the sides of a comparison: `FIELD=VALUE` or `FIELD!=VALUE`, several with a comma between.
///
/// A value may be a list: `locale=en_US|de_DE`. A comma begins a new condition only where a field and its `=` follow, so that
/// `device_model=iPhone17,1` is what it looks like. `\` takes the character after it as it is.
public struct SessionFilter: Sendable, Equatable {
  /// The conditions, all of which must hold, in the order given.
  public var conditions: [SessionCondition] = []
  /// What `from=` says, as it was written; only in a side of a comparison.
  public var from: String?
  /// What `to=` says, as it was written; only in a side of a comparison.
  public var to: String?

  /// No condition.
  public init() {}

  /// Reads a filter.
  ///
  /// - Parameter hasRange: whether `from=` and `to=` may stand in it.
  /// - Throws: `.usage` for what is no condition, with the fields that there are.
  public init(argument: String, hasRange: Bool = false) throws(ReportError) {
    var rest = argument.unicodeScalars[...]
    repeat {
      try read(&rest, hasRange: hasRange, in: argument)
    } while !rest.isEmpty
  }

  private mutating func read(
    _ rest: inout Substring.UnicodeScalarView, hasRange: Bool, in argument: String
  ) throws(ReportError) {
    while rest.first == " " { rest.removeFirst() }
    guard let (name, isNegated) = Self.readName(&rest) else {
      throw .usage(
        "\(QuotedText.of(argument)) is no condition; write FIELD=VALUE, FIELD!=VALUE or FIELD=VALUE|VALUE")
    }
    let values = Self.readValues(&rest, hasRange: hasRange)
    if hasRange, name == "from" || name == "to" {
      guard !isNegated, values.count == 1, (name == "from" ? from : to) == nil else {
        throw .usage("\(name)= takes one time, once, in \(QuotedText.of(argument))")
      }
      if name == "from" { from = values[0] } else { to = values[0] }
    } else if name == "from" || name == "to" {
      throw .usage("\(name)= is no condition; write --\(name) TIME")
    } else {
      conditions.append(try SessionCondition(SessionField(argument: name), isNegated: isNegated, values: values))
    }
  }

  /// The name up to `=` or `!=`, which are taken, too; nil where there is none.
  ///
  /// - Parameter most: how many scalars it may have.
  private static func readName(
    _ rest: inout Substring.UnicodeScalarView, most: Int = .max
  ) -> (name: String, isNegated: Bool)? {
    var name = String.UnicodeScalarView()
    var ahead = rest
    var isPlain = false
    var length = 0
    while length < most, let scalar = ahead.popFirst() {
      length += 1
      if scalar == "\\", let next = ahead.popFirst() {
        name.append(next)
        isPlain = false
      } else if scalar == "=" {
        // An escaped ! belongs to the name.
        let isNegated = isPlain && name.last == "!"
        if isNegated { name.removeLast() }
        guard !name.isEmpty else { return nil }
        rest = ahead
        return (String(name), isNegated)
      } else {
        name.append(scalar)
        isPlain = true
      }
    }
    return nil
  }

  /// The longest name that is looked for behind a comma: that of a property (contract §1). A megabyte of commas must not be read
  /// to its end for each of them.
  private static let longestName = SessionField.propertyPrefix.utf8.count + ContractLimits.propertyNameBytes + 2

  /// The values up to the end, or to a comma that begins a condition, which is taken, too.
  private static func readValues(_ rest: inout Substring.UnicodeScalarView, hasRange: Bool) -> [String] {
    var values = [String.UnicodeScalarView()]
    while let scalar = rest.popFirst() {
      if scalar == "\\", let next = rest.popFirst() {
        values[values.count - 1].append(next)
      } else if scalar == "|" {
        values.append(String.UnicodeScalarView())
      } else if scalar == ",", beginsCondition(rest, hasRange: hasRange) {
        break
      } else {
        values[values.count - 1].append(scalar)
      }
    }
    return values.map(String.init)
  }

  private static func beginsCondition(_ rest: Substring.UnicodeScalarView, hasRange: Bool) -> Bool {
    var ahead = rest
    while ahead.first == " " { ahead.removeFirst() }
    guard let name = readName(&ahead, most: longestName)?.name else { return false }
    return SessionField(name: name) != nil || (hasRange && (name == "from" || name == "to"))
  }

  /// A value as it can stand in a filter: before a comma there is a `\` where a field might follow, which begins with a letter.
  static func escapedValue(_ value: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = escaped(value, "|").unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let next = scalar == "," ? rest.first { $0 != " " } : nil
      if next?.properties.isAlphabetic == true { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }

  /// A text with `\` before itself and before each of some marks.
  static func escaped(_ text: String, _ marks: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\\" || marks.unicodeScalars.contains(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
