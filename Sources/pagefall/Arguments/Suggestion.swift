/// Finds what somebody probably meant.
enum Suggestion {
  /// The known word nearest to the written one, where it is near enough to be a slip of the finger.
  static func nearest(to written: String, in known: [String]) -> String? {
    let ranked = known.map { (word: $0, distance: distance(written, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(written.count < 5 ? 1 : 2, written.count / 3) ? best.word : nil
  }

  /// The Levenshtein distance: how many letters to put in, leave out or exchange. Time is the product of the lengths.
  private static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (line, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in second.indices {
        let exchanged = diagonal + (letter == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(exchanged, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[second.count]
  }
}
