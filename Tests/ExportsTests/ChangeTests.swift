import LocalTime
import Testing

@testable import Exports

@Suite struct `A change since a set` {
  private static let some = ChangeCount(sessions: 2, events: 3)

  private func change(
    _ position: ChangePosition, since old: ChangePosition = ChangePosition(), databaseID: String = "d1",
    definitions: String = "funnel/1", _ options: ExportOptions = ExportOptions()
  ) -> [RevisionCause] {
    let set = SetRecord(
      revision: 1, definitions: "funnel/1", options: ExportOptions(), databaseID: "d1", position: old)
    return SetChange(since: set, to: position, databaseID: databaseID, definitions: definitions, options).causes
  }

  @Test(arguments: [
    (ChangeReason.stored, RevisionReason.lateEvents), (.replayed, .replayedRejections),
    (.contextFilled, .contextFilledIn), (.erased, .erased), (.retained, .retained),
  ])
  func `has the reason of its kind, and the difference`(kind: ChangeReason, reason: RevisionReason) {
    let old = ChangePosition([kind: ChangeCount(sessions: 5, events: 7)])
    var new = old
    new.add(Self.some, for: kind)
    #expect(change(new, since: old) == [.init(reason: reason, count: Self.some)])
    #expect(change(old, since: old) == [])
    #expect(change(new) == [.init(reason: reason, count: ChangeCount(sessions: 7, events: 10))])
  }

  @Test func `of events alone, or of sessions alone, is one`() {
    let old = ChangePosition([.stored: ChangeCount(sessions: 5, events: 7)])
    for more in [ChangeCount(sessions: 0, events: 1), ChangeCount(sessions: 1, events: 0)] {
      var new = old
      new.add(more, for: .stored)
      #expect(change(new, since: old) == [.init(reason: .lateEvents, count: more)])
    }
  }

  @Test func `of several kinds has all, in one order`() {
    let new = ChangePosition(Dictionary(uniqueKeysWithValues: ChangeReason.allCases.map { ($0, Self.some) }))
    let options = ExportOptions(compression: .none)
    #expect(
      change(new, definitions: "funnel/2", options).map(\.reason) == [
        .lateEvents, .replayedRejections, .contextFilledIn, .erased, .retained, .definitions, .options,
      ])
  }

  @Test func `of definitions or options has no counts`() {
    #expect(change(ChangePosition(), definitions: "funnel/2") == [.init(reason: .definitions, count: ChangeCount())])
    let options = [
      ExportOptions(contents: [.events]), ExportOptions(format: .ndjson), ExportOptions(compression: .zstd),
      ExportOptions(isCSVSafe: true),
    ]
    for options in options {
      #expect(change(ChangePosition(), options) == [.init(reason: .options, count: ChangeCount())])
    }
  }

  @Test func `to another database says nothing of how much, whatever its counts`() {
    let old = ChangePosition([.stored: Self.some])
    for new in [old, ChangePosition(), ChangePosition([.stored: ChangeCount(sessions: 100, events: 100)])] {
      #expect(change(new, since: old, databaseID: "d2") == [.init(reason: .otherDatabase, count: ChangeCount())])
    }
  }

  @Test func `by as much as before, but by other events, is one to another database`() {
    let old = ChangePosition([.stored: Self.some], mark: 1)
    #expect(change(old, since: old) == [])
    let new = ChangePosition([.stored: Self.some], mark: 2)
    #expect(change(new, since: old) == [.init(reason: .otherDatabase, count: ChangeCount())])
    let more = ChangePosition([.stored: Self.some + Self.some], mark: 3)
    #expect(change(more, since: old) == [.init(reason: .lateEvents, count: Self.some)])
  }

  @Test(arguments: ChangeReason.allCases)
  func `to counts that have gone back is one to another database`(kind: ChangeReason) {
    let old = ChangePosition([kind: ChangeCount(sessions: 2, events: 3)])
    for back in [
      ChangePosition(), ChangePosition([kind: ChangeCount(sessions: 2, events: 2)]),
      // One went back, another went on.
      ChangePosition([kind: ChangeCount(sessions: 1, events: 30)]),
    ] {
      #expect(change(back, since: old) == [.init(reason: .otherDatabase, count: ChangeCount())])
    }
  }
}

@Suite struct `A position of the account` {
  @Test func `is what came less what was removed`() {
    let position = ChangePosition([
      .stored: ChangeCount(sessions: 10, events: 100), .replayed: ChangeCount(sessions: 1, events: 5),
      .contextFilled: ChangeCount(sessions: 4, events: 0), .erased: ChangeCount(sessions: 2, events: 20),
      .retained: ChangeCount(sessions: 3, events: 30),
    ])
    #expect(position.stored == ChangeCount(sessions: 6, events: 55))
  }

  @Test func `is the same whether a reason has zeros or is absent`() {
    #expect(ChangePosition([.stored: ChangeCount()]) == ChangePosition())
    var position = ChangePosition()
    position.add(ChangeCount(), for: .erased)
    #expect(position == ChangePosition())
  }
}
