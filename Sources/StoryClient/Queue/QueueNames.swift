import Foundation
import StoryEvents

/// Whether a session's file is still written.
enum FileState: String, CaseIterable, Sendable {
  /// Its writer appends to it.
  case open
  /// Its writer has ended it, or has been silent for a day.
  case closed
  /// Somebody is removing it: as `closed`.
  case removing
}

/// A session's file as it is found in the directory.
struct QueueFile: Equatable, Sendable {
  /// Its name without its state.
  var name: String
  var state: FileState

  /// The session's start, in microseconds since 1970, by the clock of then.
  var startedAtMicroseconds: Int64 {
    (SessionID(String(name.prefix(36)))?.timeMilliseconds ?? 0) * 1_000
  }
}

/// The names in the directory; `Queue.swift` lists them.
enum QueueNames {
  static let generation = "generation"
  static let identifier = "identifier"
  static let dropped = "dropped"
  static let damaged = "damaged"
  static let lease = "lease"
  static let bounds = "bounds"
  static let consentGiven = "consent.given"
  static let consentRefused = "consent.refused"
  /// Ends the names of files that are written beside before they get their name.
  static let temporary = ".new"
  /// Ends the name of a file's progress.
  static let sent = ".sent"

  /// Parts have six digits, so that names sort in the order of sessions and parts.
  static func file(_ session: SessionID, part: Int) -> String {
    var digits: [UInt8] = []
    digits.append(Int64(part), digits: 6)
    return "\(session)-" + String(decoding: digits, as: UTF8.self)
  }

  /// The session's file that has this name; nil for every other.
  static func parse(_ name: String) -> QueueFile? {
    guard let dot = name.lastIndex(of: "."), let state = FileState(rawValue: String(name[name.index(after: dot)...]))
    else { return nil }
    let stem = name[..<dot]
    guard stem.utf8.count == 43, stem.dropFirst(36).first == "-", SessionID(String(stem.prefix(36))) != nil,
      stem.suffix(6).utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { return nil }
    return QueueFile(name: String(stem), state: state)
  }
}
