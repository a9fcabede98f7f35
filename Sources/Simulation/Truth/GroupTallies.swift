/// Running counts by name, in the order in which the names came.
struct GroupTallies<Tally: Sendable>: Sendable {
  /// The names.
  private(set) var names: [String] = []
  /// What was counted of each, in the order of `names`.
  private(set) var tallies: [Tally] = []
  private let empty: Tally
  /// By the bytes of a name: texts are told apart as in the database.
  private var places: [[UInt8]: Int] = [:]

  /// Without any; each begins with this.
  init(_ empty: Tally) {
    self.empty = empty
  }

  /// Counts something under a name; a new one is added.
  mutating func update(_ name: String, _ count: (inout Tally) -> Void) {
    let bytes = Array(name.utf8)
    let place: Int
    if let known = places[bytes] {
      place = known
    } else {
      place = names.count
      places[bytes] = place
      names.append(name)
      tallies.append(empty)
    }
    count(&tallies[place])
  }
}
