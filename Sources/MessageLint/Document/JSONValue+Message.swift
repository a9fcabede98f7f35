import Foundation
import FunnelDocument

extension JSONValue {
  /// The value as Foundation reads it from JSON, which is what phones and `StoryPayload` get.
  var foundation: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .number(let value): NSNumber(value: value)
    case .string(let text): text
    case .array(let elements): elements.map(\.foundation)
    case .object(let members):
      [String: Any](members.map { ($0.key, $0.value.foundation) }, uniquingKeysWith: { $1 })
    }
  }

  /// What kind of value it is, in words for a message.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value without a key that stands twice, wherever that may be: Foundation takes the last, and so must we.
  ///
  /// - Parameter found: gets the place of such keys, the first 200 of them.
  func deduplicated(found: inout [JSONPointer]) -> JSONValue {
    var deduplicator = Deduplicator()
    let value = deduplicator.value(of: self)
    found += deduplicator.found
    return value
  }
}

/// Walks a value. The way is kept as steps and written only where it is told: keys may be megabytes long.
private struct Deduplicator {
  var found: [JSONPointer] = []
  private var steps: [Step] = []
  private var toldCount = 0

  private enum Step {
    case key(String)
    case index(Int)
  }

  private static let mostFound = 200
  private static let longestPointerBytes = 1000

  mutating func value(of value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool, .integer, .number, .string: return value
    case .array(let elements):
      var result: [JSONValue] = []
      result.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        steps.append(.index(index))
        result.append(self.value(of: element))
        steps.removeLast()
      }
      return .array(result)
    case .object(let members): return object(members)
    }
  }

  private mutating func object(_ members: [JSONMember]) -> JSONValue {
    var places: [String: Int] = [:]
    var result: [JSONMember] = []
    result.reserveCapacity(members.count)
    for member in members {
      steps.append(.key(member.key))
      let value = value(of: member.value)
      if let earlier = places[member.key] {
        tell()
        result[earlier].value = value
      } else {
        places[member.key] = result.count
        result.append(JSONMember(member.key, value))
      }
      steps.removeLast()
    }
    return .object(result)
  }

  /// Notes where we are, or the nearest place above whose pointer is not too long to be told.
  private mutating func tell() {
    toldCount += 1
    guard toldCount <= Self.mostFound else { return }
    var pointer = JSONPointer()
    steps: for step in steps {
      switch step {
      case .key(let key) where key.utf8.count > Self.longestPointerBytes - pointer.text.utf8.count: break steps
      case .key(let key): pointer = pointer.appending(key)
      case .index(let index): pointer = pointer.appending(index)
      }
    }
    if found.last != pointer { found.append(pointer) }
  }
}
