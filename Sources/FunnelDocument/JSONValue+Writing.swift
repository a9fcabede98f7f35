/// How JSON text is laid out. The content is the same.
public enum JSONLayout: Sendable {
  /// No white space at all: one line.
  case compact
  /// Two spaces a level; an array or object of scalars alone stands on one line where it fits 100 columns.
  case readable
}

extension JSONValue {
  /// The value as JSON text, without a newline at its end.
  ///
  /// The same value always gives the same bytes: numbers are the shortest text that reads back as the same number, and
  /// only what RFC 8259 requires is escaped.
  public func text(layout: JSONLayout = .readable) -> String {
    var writer = JSONWriter(layout: layout)
    writer.write(self, depth: 0)
    return writer.output
  }
}

/// Appends JSON text.
private struct JSONWriter {
  let layout: JSONLayout
  var output = ""

  /// Widest line on which a container is kept together.
  private static let widestLine = 100

  init(layout: JSONLayout) {
    self.layout = layout
  }

  mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .integer(let value): output += String(value)
    case .number(let value): output += value.isFinite ? value.description : "null"
    case .string(let text): write(text: text)
    case .array(let elements):
      writeContainer("[", "]", elements.count, depth: depth, isFlat: elements.allSatisfy(\.isScalar)) {
        writer, index in writer.write(elements[index], depth: depth + 1)
      }
    case .object(let members):
      writeContainer("{", "}", members.count, depth: depth, isFlat: members.allSatisfy(\.value.isScalar)) {
        writer, index in
        writer.write(text: members[index].key)
        writer.output += writer.layout == .compact ? ":" : ": "
        writer.write(members[index].value, depth: depth + 1)
      }
    }
  }

  private mutating func writeContainer(
    _ opening: String, _ closing: String, _ count: Int, depth: Int, isFlat: Bool,
    writeElement: (inout JSONWriter, Int) -> Void
  ) {
    if layout == .compact || count == 0 {
      writeElements(opening, closing, count, between: ",", writeElement)
      return
    }
    if isFlat {
      var line = JSONWriter(layout: layout)
      let padding = opening == "{" ? " " : ""
      line.writeElements(opening + padding, padding + closing, count, between: ", ", writeElement)
      if line.output.utf8.count + 2 * depth <= Self.widestLine {
        output += line.output
        return
      }
    }
    let inner = "\n" + String(repeating: "  ", count: depth + 1)
    let outer = "\n" + String(repeating: "  ", count: depth)
    writeElements(opening + inner, outer + closing, count, between: "," + inner, writeElement)
  }

  private mutating func writeElements(
    _ opening: String, _ closing: String, _ count: Int, between separator: String,
    _ writeElement: (inout JSONWriter, Int) -> Void
  ) {
    output += opening
    for index in 0..<count {
      if index > 0 { output += separator }
      writeElement(&self, index)
    }
    output += closing
  }

  private mutating func write(text: String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}

extension JSONValue {
  /// Neither an array nor an object with anything in it.
  fileprivate var isScalar: Bool {
    switch self {
    case .null, .bool, .integer, .number, .string: true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    }
  }
}
