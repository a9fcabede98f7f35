/// A place in a JSON document (RFC 6901).
struct JSONPointer: Equatable, Sendable {
  /// As it is written: empty for the whole document.
  private(set) var text = ""

  /// The place of a key's value. `~` and `/` in the key are escaped (RFC 6901 §3).
  func appending(_ key: String) -> JSONPointer {
    // Over scalars: a mark may combine with the slash into one character, which a search for "/" would miss.
    var result = self
    result.text += "/"
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": result.text += "~0"
      case "/": result.text += "~1"
      case _: result.text.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The place of an array's element.
  func appending(_ index: Int) -> JSONPointer {
    var result = self
    result.text += "/\(index)"
    return result
  }
}

/// A place in a message, which may lie in custom data that is a string of JSON: no pointer leads into that.
struct MessagePlace: Equatable, Sendable {
  /// The place in the file; of the string, where the place lies in one.
  var pointer: JSONPointer
  /// The place in the string's JSON.
  var inner: JSONPointer?

  func appending(_ key: String) -> MessagePlace {
    if let inner { return MessagePlace(pointer: pointer, inner: inner.appending(key)) }
    return MessagePlace(pointer: pointer.appending(key))
  }

  func appending(_ index: Int) -> MessagePlace {
    if let inner { return MessagePlace(pointer: pointer, inner: inner.appending(index)) }
    return MessagePlace(pointer: pointer.appending(index))
  }

  /// The message, with the place within the string where there is one.
  func explain(_ message: String) -> String {
    guard let inner else { return message }
    return "\(message) (In the string's JSON: \(inner.text.isEmpty ? "the whole" : inner.text))"
  }
}
