/// Puts the lines of a report in the order that was asked for (`--sort`), the same way in all reports.
enum LineOrder {
  /// Reads the value of `--sort`: a column, with `-` in front the other way round.
  ///
  /// - Parameter lines: what has these columns, such as `stories`.
  /// - Throws: `.usage` with the columns that there are.
  static func read<Column: RawRepresentable<String> & CaseIterable>(
    _ argument: String, of lines: String
  ) throws(ReportError) -> (column: Column, isReversed: Bool) {
    let name = argument.hasPrefix("-") ? String(argument.dropFirst()) : argument
    guard let column = Column(rawValue: name) else {
      throw .usage(
        "there is no column \(QuotedText.of(name)) of \(lines); there is "
          + Column.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return (column, argument.hasPrefix("-"))
  }

  /// The lines in order: from the largest number to the smallest, names from A. A number that is not there stands last, whichever
  /// way round.
  ///
  /// - Parameters:
  ///   - name: of a line; the same for all where they are ordered by a number.
  ///   - number: of a line; the same for all where they are ordered by a name.
  ///   - precedes: the order of lines that are equal in both.
  static func sorted<Line>(
    _ lines: [Line], isReversed: Bool, name: (Line) -> String, number: (Line) -> Double?,
    precedes: (Line, Line) -> Bool
  ) -> [Line] {
    // Worked out once a line, not once a comparison.
    let keyed = lines.map { (line: $0, number: number($0), name: name($0)) }
    return keyed.sorted { left, right in
      if !left.name.isSameBytes(as: right.name) { return left.name.precedes(right.name) != isReversed }
      if left.number != right.number {
        guard let number = left.number, let other = right.number else { return left.number != nil }
        return (number > other) != isReversed
      }
      return precedes(left.line, right.line)
    }.map(\.line)
  }
}
