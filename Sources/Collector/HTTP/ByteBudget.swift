import Synchronization

/// The bytes that all requests in flight may hold together: bodies, and what workers make of them.
///
/// Real memory, not promises: a declared length counts only as far as its bytes have come.
final class ByteBudget: Sendable {
  /// How much may be held, in bytes.
  let limitBytes: Int
  private let used = Atomic<Int>(0)

  init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// Takes bytes; false, and none taken, where that would be over the limit.
  func reserve(_ bytes: Int) -> Bool {
    let after = used.add(bytes, ordering: .relaxed).newValue
    if after > limitBytes {
      used.subtract(bytes, ordering: .relaxed)
      return false
    }
    return true
  }

  /// Counts bytes that are there already, over the limit or not: a judged body cannot be unjudged, but as long as it is
  /// held others must wait.
  func count(_ bytes: Int) { used.add(bytes, ordering: .relaxed) }

  /// Gives bytes back.
  func release(_ bytes: Int) { used.subtract(bytes, ordering: .relaxed) }

  /// How much is held now, in bytes.
  var usedBytes: Int { used.load(ordering: .relaxed) }
}
