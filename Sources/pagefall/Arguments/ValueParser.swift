/// Reads the kinds of values that options take; nil for anything else.
enum ValueParser {
  /// A whole number in the range, digits only.
  static func integer(_ text: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = Int(text), range.contains(value) else { return nil }
    return value
  }

  /// `64MiB`, `8GiB`, `512KiB`, or plain bytes.
  static func bytes(_ text: String) -> Int? {
    let units: [(suffix: String, factor: Int)] = [
      ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ]
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let count = Int(text.dropLast(3)), count > 0 else { return nil }
      let (product, overflow) = count.multipliedReportingOverflow(by: unit.factor)
      return overflow ? nil : product
    }
    guard let count = Int(text), count > 0 else { return nil }
    return count
  }

  /// `500ms`, `30s`, `15m`, `24h`, `7d`, `2w`.
  static func duration(_ text: String) -> Duration? {
    let units: [(suffix: String, milliseconds: Int64)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
    ]
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let count = Int64(text.dropLast(unit.suffix.count)), count >= 0 else { continue }
      let (product, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
      return overflow ? nil : .milliseconds(product)
    }
    return nil
  }
}
