/// Counts sessions by name, for a bounded number of names: what comes beyond is counted together.
struct NameCounter<Name: Hashable & Sendable>: Sendable {
  private var places: [Name: Int] = [:]
  private(set) var counts: [Int] = []
  private var names: [Name] = []
  let capacity: Int
  /// Sessions of names beyond the capacity.
  private(set) var otherCount = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The place under which a name is counted; nil where there are too many names.
  mutating func place(of name: Name) -> Int? {
    if let place = places[name] { return place }
    guard names.count < capacity else { return nil }
    places[name] = names.count
    names.append(name)
    counts.append(0)
    return names.count - 1
  }

  /// Counts sessions.
  mutating func count(_ sessions: Int = 1, at place: Int?) {
    if let place { counts[place] += sessions } else { otherCount += sessions }
  }

  /// The names that have sessions, those with most first; equal ones in the order that `precedes` says.
  func sorted(by precedes: (Name, Name) -> Bool) -> [(name: Name, sessions: Int)] {
    zip(names, counts).map { ($0, $1) }.filter { $0.1 > 0 }
      .sorted { $0.1 != $1.1 ? $0.1 > $1.1 : precedes($0.0, $1.0) }
  }
}
