import StoryEvents

/// The engine's limits. What a tester must shrink is a variable; what follows from the library is a constant.
struct HTTPLimits: Sendable {
  /// Connections that are served; further ones get 503 and are closed.
  var maximumConnections = 1024
  /// From a request's first byte until its head and body must be complete (contract §2, 408).
  var requestMilliseconds = Int64(ContractLimits.requestSeconds) * 1000
  /// A connection without a request is closed after this.
  var idleMilliseconds: Int64 = 75_000
  /// From an answer's being ready until it must be sent.
  var answerMilliseconds: Int64 = 30_000
  /// How long requests in flight may take when the collector stops.
  var drainMilliseconds: Int64 = 4_000
  /// How often deadlines are looked at.
  var sweepMilliseconds: Int64 = 500

  /// Room between our limit of connections and the library's. Beyond its own it stops accepting, and clients hang
  /// without an answer; in this room they are told.
  static let spareConnections = 64
  /// Memory of the library for one connection: its head (431 beyond), and the piece in which a body is read.
  static let connectionMemoryBytes = 16 * 1024
  /// By how much the library enlarges its buffer while it reads.
  static let connectionMemoryIncrementBytes = 4 * 1024
  /// How much of a refused body is read on and thrown away, so that the answer can be given (no answer can be queued
  /// while a body arrives) and reaches the sender (closing with bytes unread resets the connection). A longer declared
  /// body is answered at once and cut off, an undeclared one is cut off without an answer (contract §2, 413).
  static let discardBytes: Int64 = 16 * 1024 * 1024
}
