/// What keeps memory bounded whatever senders do; lower in tests.
struct DayLimits: Sendable {
  /// Events of a session from this seq on are not packed into one value; see `DayQuery`.
  var packedEvents = DayQuery.mostPackedEvents
  /// Stories that are told apart: a sender who makes up names must not exhaust memory. Those beyond are counted together, by
  /// app, as `(other)`.
  var stories = 20_000
}
