import FunnelDocument

/// An object of a file that people write by hand, and its place, so that an error can name it.
struct DescriptionReader {
  let value: JSONValue
  private let subject: String
  private let path: String

  /// Takes an object.
  ///
  /// - Parameters:
  ///   - value: the object.
  ///   - subject: what the file is, for errors, such as `the viewer mix`.
  ///   - path: the object's place with a full stop behind it; nothing for the whole file.
  ///   - keys: the keys that must be there.
  ///   - optional: the keys that may be. No others, so that a slip of the pen is not a silent default.
  /// - Throws: `invalidConfiguration` with the key that is wrong.
  init(
    _ value: JSONValue, of subject: String, path: String = "", keys: [String], optional: [String] = []
  ) throws(SimulationError) {
    self.value = value
    self.subject = subject
    self.path = path
    let known = keys + optional
    guard let members = value.objectValue else {
      let place = path.isEmpty ? "it" : String(path.dropLast())
      throw .invalidConfiguration("\(subject): \(place) must be an object with \(known.joined(separator: ", "))")
    }
    if let unknown = members.first(where: { !known.contains($0.key) }) {
      // Cut: the file may hold a megabyte in its place.
      let key = String(String.UnicodeScalarView(unknown.key.unicodeScalars.prefix(60)))
      throw fault(key, "left out; the keys are \(known.joined(separator: ", "))")
    }
    for key in known {
      let count = members.count { $0.key == key }
      if count == 0, keys.contains(key) { throw fault(key, "given") }
      if count > 1 { throw fault(key, "given once") }
    }
  }

  /// Takes the object of a whole file.
  ///
  /// - Throws: `invalidConfiguration`, also where the bytes are not JSON.
  init(
    file: some Sequence<UInt8>, of subject: String, keys: [String], optional: [String] = []
  ) throws(SimulationError) {
    let value: JSONValue
    do {
      value = try JSONValue(text: file)
    } catch .notJSON(let offset, let expected) {
      throw .invalidConfiguration("\(subject) is not JSON: expected \(expected) at byte \(offset)")
    } catch {
      throw .invalidConfiguration("\(subject): \(error)")
    }
    try self.init(value, of: subject, keys: keys, optional: optional)
  }

  func fault(_ key: String, _ expected: String) -> SimulationError {
    .invalidConfiguration("\(subject): \(path)\(key) must be \(expected)")
  }

  /// Whether an optional key is there and not null.
  func has(_ key: String) -> Bool { value[key].map { $0 != .null } ?? false }

  func number(_ key: String, in range: ClosedRange<Double>) throws(SimulationError) -> Double {
    guard let number = value[key]?.doubleValue, range.contains(number) else {
      let bounds = [range.lowerBound, range.upperBound].map { String(Int($0)) }
      throw fault(key, "a number from \(bounds[0]) to \(bounds[1])")
    }
    return number
  }

  /// The elements of an array of objects.
  func objects(
    _ key: String, counts: ClosedRange<Int>, keys: [String], optional: [String] = []
  ) throws(SimulationError) -> [DescriptionReader] {
    guard let elements = value[key]?.arrayValue, counts.contains(elements.count) else {
      throw fault(key, "an array of \(counts.lowerBound) to \(counts.upperBound) objects")
    }
    var readers: [DescriptionReader] = []
    for (place, element) in elements.enumerated() {
      readers.append(
        try DescriptionReader(
          element, of: subject, path: "\(path)\(key)[\(place)].", keys: keys, optional: optional))
    }
    return readers
  }

  /// An object under an optional key; nil where there is none.
  func object(_ key: String, optional: [String]) throws(SimulationError) -> DescriptionReader? {
    guard has(key), let object = value[key] else { return nil }
    return try DescriptionReader(object, of: subject, path: "\(path)\(key).", keys: [], optional: optional)
  }

  /// The shortest and the longest of a time in seconds.
  func seconds(_ key: String, upTo longest: Double) throws(SimulationError) -> ClosedRange<Double> {
    let elements = value[key]?.arrayValue ?? []
    let seconds = elements.compactMap(\.doubleValue)
    guard elements.count == 2, seconds.count == 2, 0 <= seconds[0], seconds[0] <= seconds[1], seconds[1] <= longest
    else {
      throw fault(key, "the shortest and the longest time, two numbers from 0 to \(Int(longest))")
    }
    return seconds[0]...seconds[1]
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, _ type: Word.Type
  ) throws(SimulationError) -> Word where Word.RawValue == String {
    guard let word = value[key]?.stringValue.flatMap(Word.init) else {
      throw fault(key, "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }
}
