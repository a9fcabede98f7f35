/// A JSON object and its place in the document, so that an error can name it.
package struct JSONObjectReader {
  /// The object.
  package let value: JSONValue
  /// What stands before a key's name in errors: empty, or such as `pages[1].`.
  package let path: String

  /// Begins to read an object; `path` as the property.
  package init(value: JSONValue, path: String = "") {
    self.value = value
    self.path = path
  }

  /// The error for a value that is not as it has to be.
  ///
  /// - Parameter expected: what it has to be, such as `an integer`.
  package func fault(_ key: String, _ expected: String) -> FunnelDocumentError {
    .unexpectedValue(path: path + key, expected: expected)
  }

  /// An integer that must be there.
  package func count(_ key: String) throws(FunnelDocumentError) -> Int {
    guard let count = value[key]?.integerValue else { throw fault(key, "an integer") }
    return count
  }

  /// An integer; nil where the key is absent or null.
  package func optionalCount(_ key: String) throws(FunnelDocumentError) -> Int? {
    value[key]?.isNull ?? true ? nil : try count(key)
  }

  /// A number; nil where the key is absent or null.
  package func optionalNumber(_ key: String) throws(FunnelDocumentError) -> Double? {
    guard let found = value[key], !found.isNull else { return nil }
    guard let number = found.doubleValue else { throw fault(key, "a number or null") }
    return number
  }

  /// A boolean that must be there.
  package func flag(_ key: String) throws(FunnelDocumentError) -> Bool {
    guard case .bool(let flag) = value[key] else { throw fault(key, "true or false") }
    return flag
  }

  /// A text that must be there.
  package func text(_ key: String) throws(FunnelDocumentError) -> String {
    guard let text = value[key]?.stringValue else { throw fault(key, "a text") }
    return text
  }

  /// A text; nil where the key is absent or null.
  package func optionalText(_ key: String) throws(FunnelDocumentError) -> String? {
    value[key]?.isNull ?? true ? nil : try text(key)
  }

  /// An array that must be there, of nothing but texts.
  package func texts(_ key: String) throws(FunnelDocumentError) -> [String] {
    guard let elements = value[key]?.arrayValue else { throw fault(key, "an array of texts") }
    let texts = elements.compactMap(\.stringValue)
    guard texts.count == elements.count else { throw fault(key, "an array of texts") }
    return texts
  }

  /// An object that must be there; its own faults name it in front.
  package func child(_ key: String) throws(FunnelDocumentError) -> JSONObjectReader {
    guard let found = value[key], found.objectValue != nil else { throw fault(key, "an object") }
    return JSONObjectReader(value: found, path: path + key + ".")
  }

  /// An array that must be there. That an element is no object shows by the first key that is asked of it.
  package func children(_ key: String) throws(FunnelDocumentError) -> [JSONObjectReader] {
    guard let elements = value[key]?.arrayValue else { throw fault(key, "an array of objects") }
    return elements.enumerated().map { JSONObjectReader(value: $1, path: path + "\(key)[\($0)].") }
  }
}
