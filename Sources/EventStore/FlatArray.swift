/// A growing array of plain values with one owner: no reference counting, no copy on write, no check but for growth.
///
/// Indices are trusted: its users are the inner loops of the batch, which only use indices that they got from it.
struct FlatArray<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private(set) var capacity: Int

  init(capacity: Int) {
    self.capacity = max(capacity, 16)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  @inline(__always)
  subscript(_ index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count &+= 1
  }

  /// Forgets all beyond `count`; the memory stays, down to `maximumCapacity`.
  mutating func truncate(to count: Int = 0, maximumCapacity: Int = .max) {
    self.count = count
    if capacity > maximumCapacity && count == 0 {
      base.deallocate()
      capacity = maximumCapacity
      base = .allocate(capacity: capacity)
    }
  }

  /// Makes room for so many elements; those that were there are lost where it had less.
  mutating func reserve(_ needed: Int) {
    if needed <= capacity { return }
    base.deallocate()
    capacity = max(needed, capacity * 2)
    base = .allocate(capacity: capacity)
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
