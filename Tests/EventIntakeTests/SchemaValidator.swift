import Foundation

/// As much of JSON Schema 2020-12 as event.schema.json uses; a keyword that it does not know is an error.
final class SchemaValidator {
  struct UnknownKeyword: Error { var name: String }

  private let root: [String: Any]
  private var expressions: [String: NSRegularExpression] = [:]

  init(_ schema: Data) throws {
    root = try JSONSerialization.jsonObject(with: schema) as? [String: Any] ?? [:]
  }

  /// Whether the schema takes a JSON text.
  func takes(_ text: String) throws -> Bool {
    try takes(JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed), root)
  }

  private func takes(_ value: Any, _ schema: [String: Any]) throws -> Bool {
    for (keyword, argument) in schema {
      let holds =
        switch keyword {
        case "$schema", "$id", "title", "description", "$defs", "then": true
        case "$ref": try takes(value, definition(argument as? String ?? ""))
        case "type": types(argument).contains { isOf(value, $0) }
        case "enum": (argument as? [Any] ?? []).contains { isSame($0, value) }
        case "const": isSame(argument, value)
        case "required": value as? [String: Any] == nil || has(value, argument as? [String] ?? [])
        case "properties": try members(value, argument as? [String: [String: Any]] ?? [:])
        case "additionalProperties":
          try (value as? [String: Any] ?? [:]).values.allSatisfy { try takes($0, argument as? [String: Any] ?? [:]) }
        case "propertyNames":
          try (value as? [String: Any] ?? [:]).keys.allSatisfy { try takes($0, argument as? [String: Any] ?? [:]) }
        case "items": try (value as? [Any] ?? []).allSatisfy { try takes($0, argument as? [String: Any] ?? [:]) }
        case "maxItems": (value as? [Any] ?? []).count <= number(argument)
        case "allOf": try (argument as? [[String: Any]] ?? []).allSatisfy { try takes(value, $0) }
        case "anyOf": try (argument as? [[String: Any]] ?? []).contains { try takes(value, $0) }
        case "if": try condition(value, argument as? [String: Any] ?? [:], schema)
        case "minimum": isOf(value, "number") ? decimal(value) >= decimal(argument) : true
        case "maximum": isOf(value, "number") ? decimal(value) <= decimal(argument) : true
        case "maxLength": (value as? String).map { $0.unicodeScalars.count <= number(argument) } ?? true
        case "pattern": try matches(value, argument as? String ?? "")
        case _: throw UnknownKeyword(name: keyword)
        }
      if !holds { return false }
    }
    return true
  }

  private func definition(_ reference: String) -> [String: Any] {
    let name = reference.replacing("#/$defs/", with: "")
    return (root["$defs"] as? [String: [String: Any]])?[name] ?? [:]
  }

  private func condition(_ value: Any, _ condition: [String: Any], _ schema: [String: Any]) throws -> Bool {
    try !takes(value, condition) || takes(value, schema["then"] as? [String: Any] ?? [:])
  }

  private func members(_ value: Any, _ schemas: [String: [String: Any]]) throws -> Bool {
    guard let object = value as? [String: Any] else { return true }
    for (name, schema) in schemas {
      if let member = object[name], try !takes(member, schema) { return false }
    }
    return true
  }

  private func has(_ value: Any, _ names: [String]) -> Bool {
    names.allSatisfy { (value as? [String: Any])?[$0] != nil }
  }

  private func types(_ argument: Any) -> [String] { argument as? [String] ?? [argument as? String ?? ""] }

  private func isOf(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "null": return value is NSNull
    case "object": return value is [String: Any]
    case "array": return value is [Any]
    case "string": return value is String
    case "boolean": return isBoolean(value)
    case "number": return value is NSNumber && !isBoolean(value)
    case "integer":
      guard value is NSNumber, !isBoolean(value) else { return false }
      return decimal(value) == decimal(value).rounded()
    case _: return false
    }
  }

  private func isBoolean(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return false }
    return isBoxedBoolean(number)
  }

  private func isSame(_ left: Any, _ right: Any) -> Bool {
    if left is NSNull || right is NSNull { return left is NSNull && right is NSNull }
    return (left as? String) == (right as? String) && left is String
  }

  private func number(_ argument: Any) -> Int { (argument as? NSNumber)?.intValue ?? 0 }

  private func decimal(_ value: Any) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }

  private func matches(_ value: Any, _ pattern: String) throws -> Bool {
    guard let text = value as? String else { return true }
    // `$` would also match before a line feed at the end.
    let expression =
      try expressions[pattern] ?? NSRegularExpression(pattern: pattern.replacing("$", with: "\\z"))
    expressions[pattern] = expression
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}

/// Whether a number came from `true` or `false`: Foundation boxes both alike.
private func isBoxedBoolean(_ number: NSNumber) -> Bool {
  String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
}
