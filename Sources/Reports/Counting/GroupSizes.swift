/// How many presentations each value of a field has, for many more values than a report can show: a first reading that
/// finds the largest, so that a second one needs tallies of them alone.
struct GroupSizes {
  /// The most values. Each takes about 50 bytes.
  static let mostValues = 5_000_000

  private var sizes: [TextHash: UInt32] = [:]

  /// Counts a presentation.
  ///
  /// - Throws: `.usage` where there are too many values.
  mutating func count(_ value: TextHash, of field: SessionField?) throws(ReportError) {
    sizes[value, default: 0] &+= 1
    guard sizes.count <= Self.mostValues else { throw GroupPlaces.tooMany(field, most: Self.mostValues, hint: "") }
  }

  /// The largest groups, and how many there are beside. Of equally large ones at the edge always the same are taken.
  func largest(_ most: Int) -> LargestGroups {
    guard sizes.count > most else { return LargestGroups(values: Set(sizes.keys), otherCount: 0) }
    var largest: [(value: TextHash, size: UInt32)] = []
    func cut() {
      largest.sort { $0.size != $1.size ? $0.size > $1.size : $0.value.precedes($1.value) }
      largest.removeLast(max(0, largest.count - most))
    }
    // Those that are not among the largest so far are let go from time to time.
    for (value, size) in sizes {
      largest.append((value, size))
      if largest.count >= 2 * most + 1_000 { cut() }
    }
    cut()
    return LargestGroups(values: Set(largest.map(\.value)), otherCount: sizes.count - most)
  }
}

/// The groups that a report shows, where there are more than it can count.
struct LargestGroups {
  /// Their values.
  let values: Set<TextHash>
  /// How many others there are.
  let otherCount: Int
}
