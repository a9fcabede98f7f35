/// Parcels under way, as a heap in the order of their arrival; of equal arrivals, the one that was sent first.
///
/// Bounded: of more than `capacity` the next one arrives at once, ahead of others, but with its own times.
struct DelayedParcels {
  /// How many parcels are under way at most.
  static let capacity = 10_000

  private var heap: [Entry] = []
  private var inserted = 0

  private struct Entry {
    var parcel: Parcel
    var number: Int

    func precedes(_ other: Entry) -> Bool {
      let moments = (parcel.session.receivedAtMicroseconds, other.parcel.session.receivedAtMicroseconds)
      return moments.0 != moments.1 ? moments.0 < moments.1 : number < other.number
    }
  }

  mutating func insert(_ parcel: Parcel) {
    heap.append(Entry(parcel: parcel, number: inserted))
    inserted += 1
    var place = heap.count - 1
    while place > 0, heap[place].precedes(heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes out the parcel that arrives next, if it does before a moment.
  mutating func next(arrivingBefore moment: Int64) -> Parcel? {
    guard let first = heap.first, first.parcel.session.receivedAtMicroseconds < moment else { return nil }
    return removeFirst()
  }

  /// Takes out the parcel that arrives next where there are too many.
  mutating func nextBeyondCapacity() -> Parcel? { heap.count > Self.capacity ? removeFirst() : nil }

  private mutating func removeFirst() -> Parcel? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last.parcel }
    heap[0] = last
    var place = 0
    while true {
      let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
      guard let least = children.min(by: { heap[$0].precedes(heap[$1]) }), heap[least].precedes(heap[place]) else {
        return first.parcel
      }
      heap.swapAt(place, least)
      place = least
    }
  }
}
