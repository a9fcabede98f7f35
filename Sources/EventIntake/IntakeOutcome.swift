import StoryEvents

/// What a body came to; it decides the answer's status (contract §2).
public enum IntakeOutcome: Sendable {
  /// 202 where at least one event was accepted, else 422. `Intake.records` holds everything that must become durable.
  case judged(IntakeSummary)
  /// 400: not readable as a whole, or no event in it. `Intake.records` holds the body, as `unreadable`.
  case unreadable(IntakeProblem)
  /// 413: nothing is stored, and `Intake.records` is empty.
  case overLimit(LimitExceeded)
}

/// What came of a body's events.
public struct IntakeSummary: Equatable, Sendable {
  /// Events that passed every rule, repeats included.
  public var accepted: Int
  /// Events that did not, unreadable lines included.
  public var rejected: Int
  /// One for each rejected event, in the order of the body.
  public var errors: [EventFault]
  /// What was taken but looks wrong.
  public var warnings: [IntakeWarning]

  /// Names all four.
  public init(accepted: Int, rejected: Int, errors: [EventFault], warnings: [IntakeWarning]) {
    self.accepted = accepted
    self.rejected = rejected
    self.errors = errors
    self.warnings = warnings
  }
}

/// Why an event was rejected, as the sender is told.
public struct EventFault: Equatable, Sendable {
  /// The event's place in the whole request from 0, unreadable lines counted; in a file of lines, its line from 1.
  public var index: Int
  /// Which rule it broke (contract §2).
  public var code: RejectionCode
  /// The bare name of the field at fault.
  public var field: String?
  /// What was found and what is expected: one line, no control characters, a few hundred bytes at most.
  public var message: String

  /// Names all four.
  public init(index: Int, code: RejectionCode, field: String?, message: String) {
    self.index = index
    self.code = code
    self.field = field
    self.message = message
  }
}

/// What a sender is told about events that were taken.
public struct IntakeWarning: Equatable, Sendable {
  /// What looks wrong (contract §2).
  public var code: WarningCode
  /// How often: events, for `no_sequence` sessions, for `clock_offset` batches.
  public var count: Int
  /// One line.
  public var message: String

  /// Names all three.
  public init(code: WarningCode, count: Int, message: String) {
    self.code = code
    self.count = count
    self.message = message
  }
}

/// Why a body could not be read as a whole.
public struct IntakeProblem: Equatable, Sendable {
  /// One line that says what was found, where, and what is expected.
  public var message: String

  /// Takes the line.
  public init(message: String) { self.message = message }
}

/// A limit of the contract that a body exceeded.
public struct LimitExceeded: Equatable, Sendable {
  /// What is limited, as the contract's table names it.
  public var name: String
  /// How many are allowed.
  public var limit: Int

  /// Names both.
  public init(name: String, limit: Int) {
    self.name = name
    self.limit = limit
  }

  /// One line.
  public var message: String { "over the limit of \(limit) \(name)" }
}
