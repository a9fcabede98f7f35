/// Numbers as SVG has them.
enum SVGNumber {
  /// `12.35`: at most two decimals.
  static func text(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
    let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
    return (hundredths < 0 ? "-" : "") + "\(whole)\(decimals)"
  }

  /// A share of a width: `12.35%`, within 0 and 100 %.
  static func percent(_ share: Double) -> String { text(min(1, max(0, share)) * 100) + "%" }
}
