import EventStore
import Foundation
import FunnelDocument
import Postgres
import Reports
import StoryEvents
import TestSupport

/// A session with answers to notifications among its events.
struct AnsweredSession {
  /// One answer.
  struct Answer: Equatable {
    var action: ResponseAction
    var categoryID: String?
    var buttonID: String?
  }

  var session: WorldSession
  /// By `seq`.
  var answers: [Int: Answer]

  /// The answer that counts; nil for a session without one.
  var first: Answer? { answers.min { $0.key < $1.key }?.value }

  init(_ answers: [Answer], _ change: (inout WorldSession) -> Void = { _ in }) {
    session = WorldSession(Array(repeating: "answer", count: answers.count).joined(separator: " "), story: nil)
    change(&session)
    self.answers = Dictionary(uniqueKeysWithValues: answers.enumerated().map { ($0.offset, $0.element) })
  }

  /// Anything that may come: sessions of stories, with answers in them or not, with events lost.
  static func draw(_ random: inout SeededGenerator) -> AnsweredSession {
    var answered = AnsweredSession([])
    answered.session = RandomSession.draw(story: nil, &random)
    let likelihoods: [Double] = [0, 0.3, 1]
    let likelihood = likelihoods.randomElement(using: &random) ?? 0
    for place in answered.session.events.indices where Double.random(in: 0..<1, using: &random) < likelihood {
      let seq = answered.session.events[place].seq
      answered.session.events[place] = WorldEvent(
        seq: seq, type: .notificationResponse, milliseconds: answered.session.events[place].milliseconds)
      let action = ResponseAction.allCases.randomElement(using: &random) ?? .dismiss
      let category = ["65", "66", "67", "caf\u{E9}", "cafe\u{301}", "", "(none)"].randomElement(using: &random) ?? ""
      var answer = Answer(action: action, categoryID: category)
      switch action {
      case .button: answer.buttonID = ["0", "1", "2", "yes", "", "(other)"].randomElement(using: &random) ?? ""
      case .default, .dismiss: if Bool.random(using: &random) { answer.categoryID = nil }
      }
      answered.answers[seq] = answer
    }
    return answered
  }
}

extension StoredWorld {
  /// A world of answers; the first that is stored in it.
  convenience init(answered sessions: [AnsweredSession]) throws {
    try self.init()
    try store(sessions.map(\.session))
    var rows: [String] = []
    func text(_ value: String?) throws -> String { try value.map(SQLText.literal) ?? "NULL" }
    for (place, answered) in sessions.enumerated() {
      // The ids that a world gives, from 1.
      let number = UInt64(place + 1)
      let id = SessionID(millisecondsSince1970: 1_795_946_400_000 + number, randomHigh: 0, randomLow: number)
      for (seq, answer) in answered.answers {
        rows.append(
          "('\(id)'::uuid, \(seq), \(answer.action.rawValue), \(try text(answer.categoryID)), \(try text(answer.buttonID)))"
        )
      }
    }
    guard !rows.isEmpty else { return }
    try execute(
      """
      UPDATE pagefall.stored_events e SET action = v.action, category_id = v.category_id, button_id = v.button_id
      FROM (VALUES \(rows.joined(separator: ",\n"))) v(session_id, seq, action, category_id, button_id)
      WHERE e.session_id = v.session_id AND e.seq = v.seq
      """)
  }

  /// The report of a scope, seen from 2026-11-30T03:00:00Z.
  func buttons(
    _ scope: ReportScope = ReportScope(), order: ButtonsOrder = ButtonsOrder(), limit: Int? = nil
  ) throws -> Buttons {
    var connection = try connect()
    return try ButtonsReporter.run(
      scope, order: order, limit: limit, on: &connection, nowMicroseconds: reportTimeMicroseconds)
  }

  /// Brings in categories.
  @discardableResult
  func importCategories(_ categories: [CategoryDefinition], app: String = "shop", at microseconds: Int64 = 1) throws
    -> [CategoryChange]
  {
    var connection = try connect()
    let appID = try AppStore.findOrCreate(app, &connection)
    return try CategoryStore.replace(with: categories, ofApp: appID, nowMicroseconds: microseconds, &connection)
  }
}

/// The report once more, by the definitions of docs/buttons.md and without a thought for speed.
struct NaiveButtons {
  let sessions: [AnsweredSession]

  init(_ sessions: [AnsweredSession]) { self.sessions = sessions.filter { $0.first != nil } }

  /// Of all, or of those in a category of an app. Categories are told apart by their bytes.
  func counts(where isWanted: (AnsweredSession) -> Bool = { _ in true }) -> ResponseCounts {
    var counts = ResponseCounts()
    for session in sessions where isWanted(session) {
      counts.responses += 1
      counts.buttonResponses += session.first?.action == .button ? 1 : 0
      counts.opens += session.first?.action == .default ? 1 : 0
      counts.dismissals += session.first?.action == .dismiss ? 1 : 0
      let expected = (session.session.events.map(\.seq).max() ?? -1) + 1
      counts.expectedEvents += expected
      counts.missingEvents += expected - session.session.events.count
    }
    return counts
  }

  static func key(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

  /// The apps and categories that were answered.
  var categories: Set<[[UInt8]?]> {
    Set(sessions.map { [Self.key($0.session.app), Self.key($0.first?.categoryID)] })
  }

  func counts(ofCategory category: [[UInt8]?]) -> ResponseCounts {
    counts { [Self.key($0.session.app), Self.key($0.first?.categoryID)] == category }
  }

  /// The responses by each button of a category.
  func buttons(ofCategory category: [[UInt8]?]) -> [[UInt8]: Int] {
    var buttons: [[UInt8]: Int] = [:]
    for session in sessions where [Self.key(session.session.app), Self.key(session.first?.categoryID)] == category {
      guard let answer = session.first, answer.action == .button else { continue }
      buttons[Array((answer.buttonID ?? "").utf8), default: 0] += 1
    }
    return buttons
  }
}
