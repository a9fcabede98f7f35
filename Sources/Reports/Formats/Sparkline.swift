/// A number a day as a small picture, a column a day, or one for several days where there are too many.
struct Sparkline {
  /// How many days a column stands for.
  let daysPerColumn: Int
  /// How wide the picture is.
  let columns: Int
  private let dayCount: Int

  /// A picture of so many days in at most so many columns.
  init(days: Int, atMost columns: Int) {
    dayCount = days
    daysPerColumn = max(1, (days + max(1, columns) - 1) / max(1, columns))
    self.columns = (days + daysPerColumn - 1) / daysPerColumn
  }

  /// The picture, as high as its own highest column. The last column may have fewer days: columns are means.
  func text(_ counts: [Int]) -> String {
    let means = stride(from: 0, to: dayCount, by: daysPerColumn).map { start -> Double in
      let run = counts[start..<min(start + daysPerColumn, dayCount)]
      return Double(run.reduce(0, +)) / Double(run.count)
    }
    guard let highest = means.max(), highest > 0 else { return String(repeating: " ", count: columns) }
    return Bar.miniature(means.map { $0 / highest })
  }
}
