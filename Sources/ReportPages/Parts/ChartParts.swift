/// Charts of many pages: drawn in parts that fit a sheet of paper, those beyond the first few folded away: three
/// are in sight.
enum ChartParts {
  /// The drawings of all rows.
  ///
  /// - Parameters:
  ///   - rowsOfPart: rows of one drawing.
  ///   - draw: draws some of the rows; the number of the part, from 0, makes ids unique.
  static func html(
    _ runs: [Range<Int>], rowsOfPart: Int = 8, draw: (_ part: Int, _ runs: ArraySlice<Range<Int>>) -> HTML
  ) -> HTML {
    let rowsInSight = 3 * rowsOfPart
    var inSight: [HTML] = []
    var folded: [HTML] = []
    // One page more is not worth folding.
    let limit = runs.count <= rowsInSight + rowsOfPart / 2 ? runs.count : rowsInSight
    for (part, begin) in stride(from: 0, to: runs.count, by: rowsOfPart).enumerated() {
      let drawing = draw(part, runs[begin..<min(begin + rowsOfPart, runs.count)])
      if begin < limit { inSight.append(drawing) } else { folded.append(drawing) }
    }
    guard let first = folded.isEmpty ? nil : runs[limit].lowerBound, let last = runs.last else {
      return .several(inSight)
    }
    return .several(
      inSight + [
        HTML("details") {
          HTML("summary") { "Pages \(first) to \(last.upperBound - 1)" }
          HTML.several(folded)
        }
      ])
  }
}
