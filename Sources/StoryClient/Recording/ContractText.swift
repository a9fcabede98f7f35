import StoryEvents

/// Makes texts fit for the contract (contract §1, "Limits").
enum ContractText {
  /// The text without U+0000, cut between two characters of Unicode so that it has at most so many bytes of UTF-8; nil where nothing
  /// is left.
  static func fit(_ text: String, mostBytes: Int = ContractLimits.textBytes) -> String? {
    var text = text
    let isFit = text.withUTF8 { bytes in bytes.count <= mostBytes && !bytes.contains(0) }
    if isFit { return text.isEmpty ? nil : text }
    var kept = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars where scalar.value != 0 {
      bytes += UTF8.width(scalar)
      if bytes > mostBytes { break }
      kept.append(scalar)
    }
    return kept.isEmpty ? nil : String(kept)
  }
}

extension [UInt8] {
  /// Appends `,"name":"text"`, the text made fit; nothing where there is none.
  mutating func append(
    member name: StaticString, _ text: String?, mostBytes: Int = ContractLimits.textBytes
  ) {
    guard let text, let fit = ContractText.fit(text, mostBytes: mostBytes) else { return }
    append(memberName: name)
    append(jsonText: fit)
  }

  /// Appends `,"name":`.
  mutating func append(memberName name: StaticString) {
    append(UInt8(ascii: ","))
    append(UInt8(ascii: "\""))
    name.withUTF8Buffer { append(contentsOf: $0) }
    append(UInt8(ascii: "\""))
    append(UInt8(ascii: ":"))
  }

  /// Appends a finite number as JSON: whole ones without a fraction.
  mutating func append(jsonNumber number: Double) {
    if let whole = Int(exactly: number), whole.magnitude < 1 << 53 {
      append(decimal: whole)
    } else {
      append(contentsOf: number.description.utf8)
    }
  }

  /// Takes the comma in front of an object's first member away, which stands at this place, if there is one.
  mutating func removeComma(at place: Int) {
    if place < count, self[place] == UInt8(ascii: ",") { remove(at: place) }
  }
}
