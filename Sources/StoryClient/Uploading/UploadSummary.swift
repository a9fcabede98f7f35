/// What uploads did since the last summary was handed out, up to the moment when the queue was empty, or a pause began.
public struct UploadSummary: Sendable, Equatable {
  /// Events that the collector took, repeats included.
  public var accepted = 0
  /// Events that the collector refused as wrong; it keeps them for inspection. During development, `messages` says why.
  public var rejected = 0
  /// Events that were given up: no collector would ever take them.
  public var dropped = 0
  /// Requests that got an answer.
  public var answers = 0
  /// Bytes of all requests' bodies, as sent.
  public var sentBytes = 0
  /// The first reasons for which events were refused or given up, at most `mostMessages`, one line each.
  public var messages: [String] = []
  /// Why there is no more to do now.
  public var ending = Ending.queueEmpty
  /// The last thing that went wrong, in one line; nil where nothing did.
  public var trouble: String?

  /// How many reasons are kept.
  public static let mostMessages = 10

  /// Why an upload came to its end.
  public enum Ending: Sendable, Equatable {
    /// Everything is sent, or nothing can be read now (a locked device).
    case queueEmpty
    /// The rest is tried again by itself, as long as the process lives; else at the next start.
    case waiting(seconds: Double)
    /// The rest is kept until the next start: first something has to change.
    case stopped(UploadStop)
  }

  /// A summary of nothing.
  public init() {}

  /// Counts an answer and what became of its events.
  mutating func note(_ status: Int, _ verdict: UploadVerdict, _ fate: UploadPlan.Fate, eventCount: Int) {
    answers += 1
    switch fate {
    case .keep, .remove: break
    case .drop: dropped += eventCount
    }
    switch verdict {
    case .forget(let accepted, let rejected, let reasons):
      self.accepted += accepted
      self.rejected += rejected
      add(messages: reasons)
    case .drop(let reason): add(messages: [reason])
    case .halve where fate == .drop: add(messages: ["\(status): an event alone is too large to pass"])
    case .halve: break
    case .retry: trouble = "the answer was \(status)"
    case .stop(let stop): trouble = stop.description
    }
  }

  private mutating func add(messages new: [String]) {
    messages += new.prefix(max(0, Self.mostMessages - messages.count))
  }
}

/// Why nothing is sent before the next start.
public enum UploadStop: Error, Sendable, Equatable, CustomStringConvertible {
  /// The collector does not know the key (401), or the key may not send events (403).
  case keyRefused(status: Int)
  /// The address leads elsewhere (3xx).
  case redirected(status: Int)
  /// The address is none of `http` or `https` with a host.
  case unusableAddress
  /// The key has characters that no key has.
  case unusableKey

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .keyRefused(401): "the collector refuses the write key (401): give one of this collector (pagefall key create)"
    case .keyRefused(let status): "the collector refuses the write key (\(status)): give one that may send events"
    case .redirected(let status): "the collector's address leads elsewhere (\(status)): give the one that it leads to"
    case .unusableAddress: "the collector's address is unusable: give one such as https://events.example.com"
    case .unusableKey: "the write key is unusable: give it as the collector printed it, pfw_ and what follows"
    }
  }
}
