/// Horizontal bars of block characters.
enum Bar {
  /// A bar of a share of a width, in eighths of a column; anything above nothing shows.
  static func text(_ share: Double, width: Int) -> String {
    let eighths = Int((min(1, max(0, share)) * Double(width * 8)).rounded())
    let drawn = share > 0 ? max(1, eighths) : 0
    let partial = drawn % 8
    return String(repeating: "█", count: drawn / 8) + (partial > 0 ? String(parts[partial - 1]) : "")
  }

  /// A small picture of a funnel, a column a value.
  static func miniature(_ shares: [Double]) -> String {
    String(
      shares.map { share in
        share <= 0 ? " " : heights[min(7, max(0, Int((share * 8).rounded(.up)) - 1))]
      })
  }

  private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  private static let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
