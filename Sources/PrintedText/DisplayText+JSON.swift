extension DisplayText {
  /// JSON in which what a terminal could obey is written as `\u009b`: to programs it means the same.
  ///
  /// - Parameter json: well-formed. Outside of texts JSON has nothing but ASCII, so whatever is escaped stands in a text.
  package static func escapedJSON(_ json: String) -> String {
    // Those of ASCII are escaped in any JSON, but for the last.
    guard json.unicodeScalars.contains(where: { $0.value >= 0x7F && mustBeEscaped($0) }) else { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      if scalar.value < 0x7F || !mustBeEscaped(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result
  }
}
