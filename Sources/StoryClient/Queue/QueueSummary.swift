/// How the queue stands.
public struct QueueSummary: Sendable, Equatable {
  /// Events that have not been answered yet.
  public var waitingEvents: Int
  /// Events that this installation has given up so far, over all its processes: damaged ones, too.
  public var droppedEvents: Int
  /// Entries that were found damaged in the queue's files so far.
  public var damagedEntries: Int

  /// States the three numbers.
  public init(waitingEvents: Int, droppedEvents: Int, damagedEntries: Int) {
    self.waitingEvents = waitingEvents
    self.droppedEvents = droppedEvents
    self.damagedEntries = damagedEntries
  }
}
