/// Counts by day, in a bounded window that ends with the latest day: what lies before is let go.
struct DayCounter {
  /// The most days that are kept. Far more than a report shows.
  static let mostDays: Int64 = 1_500

  /// The day of `counts[0]`, in days since 1970.
  private var firstDay: Int64 = 0
  private var counts: [UInt32] = []

  /// Counts once.
  ///
  /// - Parameter day: in days since 1970.
  mutating func count(_ day: Int64) {
    if counts.isEmpty { firstDay = day }
    var place = day - firstDay
    if place < 0 {
      guard Int64(counts.count) - place <= Self.mostDays else { return }
      // With room for some more: sessions may come from the latest to the earliest.
      let room = min(max(-place, Int64(counts.count)), Self.mostDays - Int64(counts.count))
      counts.insert(contentsOf: repeatElement(0, count: Int(room)), at: 0)
      firstDay -= room
      place += room
    } else if place >= Int64(counts.count) {
      let gone = place - (Self.mostDays - 1)
      if gone > 0 {
        counts.removeFirst(Int(min(gone, Int64(counts.count))))
        firstDay += gone
        place -= gone
      }
      counts.append(contentsOf: repeatElement(0, count: Int(place) + 1 - counts.count))
    }
    counts[Int(place)] += 1
  }

  /// The first and the last day with a count, within the window; nil without any.
  var days: ClosedRange<Int64>? {
    guard let first = counts.firstIndex(where: { $0 > 0 }), let last = counts.lastIndex(where: { $0 > 0 }) else {
      return nil
    }
    return (firstDay + Int64(first))...(firstDay + Int64(last))
  }

  /// The counts of days, each of them.
  func counts(of days: ClosedRange<Int64>) -> [Int] {
    days.map { day in
      let place = day - firstDay
      return place >= 0 && place < Int64(counts.count) ? Int(counts[Int(place)]) : 0
    }
  }
}
