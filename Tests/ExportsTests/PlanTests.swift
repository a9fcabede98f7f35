import LocalTime
import Testing

@testable import Exports

/// The 10th of the month, a minute after midnight in UTC.
private let now: Int64 = noon(10) - 43_140_000_000
private let database = "d1"

/// A day of November 2026.
private func day(_ number: Int) -> CivilDate { CivilDate(dayNumber: 20_757 + Int64(number)) }

private func noon(_ number: Int) -> Int64 { day(number).dayNumber * 86_400_000_000 + 43_200_000_000 }

private func stored(_ sessions: Int64, _ events: Int64) -> ChangePosition {
  ChangePosition([.stored: ChangeCount(sessions: sessions, events: events)])
}

private func set(
  _ position: ChangePosition = ChangePosition(), revision: Int = 1, definitions: String = "funnel/1",
  options: ExportOptions = ExportOptions(), databaseID: String = database
) -> SetRecord {
  SetRecord(
    revision: revision, definitions: definitions, options: options, databaseID: databaseID, position: position)
}

private func request(
  _ days: ExportRequest.Days = .changed, zone: ReportTimeZone = .utc, keepsRetained: Bool = false,
  now: Int64 = now
) -> ExportRequest {
  ExportRequest(
    days: days, zone: zone, apps: [], options: ExportOptions(), keepsRetained: keepsRetained, clock: { now },
    generator: "test")
}

private func plan(
  _ request: ExportRequest = request(), stored positions: [CivilDate: ChangePosition] = [:],
  sets: [CivilDate: SetRecord] = [:]
) -> ExportPlan {
  ExportPlan(
    request, ChangeAccount(databaseID: database, positions: positions), sets: sets, definitions: "funnel/1")
}

extension ExportPlan {
  /// The days of November that are due.
  fileprivate var numbers: [Int] { due.map { Int($0.day.date.dayNumber - 20_757) } }
}

@Suite struct `The days that are due` {
  @Test func `of a range are all that have no set, also where nothing happened, oldest first`() {
    let made = plan(
      request(.range(day(3), day(6))), stored: [day(2): stored(1, 1), day(5): stored(2, 3), day(7): stored(1, 1)])
    #expect(made.numbers == [3, 4, 5, 6])
    #expect(made.due.map(\.stored.events) == [0, 0, 3, 0])
    #expect(made.due.allSatisfy { $0.set == nil && $0.change == nil })
    #expect(made.unchangedCount == 0)
  }

  @Test func `of a range leave out what has not changed, an empty day among it`() {
    let made = plan(
      request(.range(day(3), day(6))), stored: [day(3): stored(1, 1), day(5): stored(2, 3)],
      sets: [day(3): set(stored(1, 1)), day(4): set(), day(5): set(stored(2, 2), revision: 7), day(8): set()])
    #expect(made.numbers == [5, 6])
    #expect(made.unchangedCount == 2)
    #expect(made.due[0].set?.revision == 7)
    #expect(made.due[0].change?.causes == [.init(reason: .lateEvents, count: ChangeCount(sessions: 0, events: 1))])
  }

  @Test func `of a range may hold today, but of what changed never today or later`() {
    #expect(plan(request(.range(day(10), day(10)))).numbers == [10])
    #expect(
      plan(stored: [day(9): stored(1, 1), day(10): stored(1, 1), day(11): stored(1, 1)]).numbers == [9])
    // A set of today, made by hand, is no set of a day that is over; and it is not made anew.
    #expect(plan(stored: [day(10): stored(2, 2)], sets: [day(10): set(stored(1, 1))]).numbers == [9])
  }

  @Test func `of a first run are those with anything, and yesterday`() {
    #expect(plan().numbers == [9])
    #expect(plan(stored: [day(-400): stored(1, 1), day(4): stored(1, 1)]).numbers == [-400, 4, 9])
  }

  @Test func `after missed nights are all since the newest set, also empty ones`() {
    let made = plan(stored: [day(3): stored(1, 1), day(7): stored(1, 1)], sets: [day(3): set(stored(1, 1))])
    #expect(made.numbers == [4, 5, 6, 7, 8, 9])
    #expect(made.unchangedCount == 1)
  }

  @Test func `after many missed years are no more than a run may write`() {
    let made = plan(sets: [day(-10_000): set()])
    #expect(made.due.count == Int(ExportRequest.mostDays))
    #expect(made.numbers.last == 9)
  }

  @Test func `are late days too, and a day whose last event was erased`() {
    var emptied = stored(1, 1)
    emptied.add(ChangeCount(sessions: 1, events: 1), for: .erased)
    let made = plan(
      stored: [day(2): emptied, day(5): stored(1, 2)],
      sets: [day(2): set(stored(1, 1)), day(5): set(stored(1, 1)), day(9): set()])
    #expect(made.numbers == [2, 5])
    #expect(made.due.map(\.stored.events) == [0, 2])
  }

  @Test func `are none before the calendar's first`() {
    let first = CivilDate(dayNumber: -719_162)
    #expect(first.text == "0001-01-01")
    let made = plan(stored: [first: stored(1, 1), CivilDate(dayNumber: -719_163): stored(1, 1)])
    #expect(made.due.map(\.day.text) == ["0001-01-01", "2026-11-09"])
  }

  @Test func `are by the zone's clock`() throws {
    // A minute after midnight in UTC it is the evening before in New York, and the morning in Auckland.
    let newYork = try ReportTimeZone(named: "America/New_York")
    let auckland = try ReportTimeZone(named: "Pacific/Auckland")
    #expect(plan(request(zone: newYork)).numbers == [8])
    #expect(plan(request(zone: auckland)).numbers == [9])
    #expect(plan(request(zone: auckland, now: noon(10))).numbers == [10])
    #expect(request(zone: newYork).today == day(9))
  }
}

@Suite struct `Days that lost events to the retention line` {
  private var retained: ChangePosition {
    var position = stored(5, 9)
    position.add(ChangeCount(sessions: 2, events: 4), for: .retained)
    return position
  }

  @Test func `are due as any other, unless they are to be kept`() {
    let sets = [day(5): set(stored(5, 9)), day(9): set()]
    #expect(plan(stored: [day(5): retained], sets: sets).numbers == [5])
    let kept = plan(request(keepsRetained: true), stored: [day(5): retained], sets: sets)
    #expect(kept.numbers == [])
    #expect((kept.keptCount, kept.unchangedCount) == (1, 1))
  }

  @Test func `are kept whatever else changed, also later`() {
    var later = retained
    later.add(ChangeCount(sessions: 1, events: 1), for: .stored)
    for known in [stored(5, 9), retained] {
      let kept = plan(
        request(keepsRetained: true), stored: [day(5): later], sets: [day(5): set(known), day(9): set()])
      #expect(kept.numbers == [])
      #expect(kept.keptCount == 1)
    }
  }

  @Test func `have no set to keep where there is none`() {
    #expect(plan(request(keepsRetained: true), stored: [day(5): retained]).numbers == [5, 9])
  }

  @Test func `are no news where the set knows of them`() {
    let made = plan(
      request(keepsRetained: true), stored: [day(5): retained], sets: [day(5): set(retained), day(9): set()])
    #expect((made.keptCount, made.unchangedCount) == (0, 2))
  }
}

@Suite struct `A request` {
  @Test func `cannot be for days that have not begun in its zone`() throws {
    #expect(throws: Never.self) { try request(.range(day(1), day(10))).check() }
    let early = #expect(throws: ExportError.self) { try request(.range(day(1), day(11))).check() }
    #expect(early?.kind == .usage)
    #expect(early?.description == "2026-11-11 has not begun in UTC, where it is 2026-11-10")
    let newYork = try ReportTimeZone(named: "America/New_York")
    #expect(throws: ExportError.self) { try request(.range(day(10), day(10)), zone: newYork).check() }
  }

  @Test func `cannot run backwards, nor for more days than sets are sensible`() {
    let backwards = #expect(throws: ExportError.self) { try request(.range(day(3), day(2))).check() }
    #expect(backwards?.description == "--to (2026-11-02) lies before --from (2026-11-03); exchange them")
    let most = Int(ExportRequest.mostDays)
    #expect(throws: Never.self) { try request(.range(day(10 - most + 1), day(10))).check() }
    let long = #expect(throws: ExportError.self) { try request(.range(day(10 - most), day(10))).check() }
    #expect(long?.description.contains("are 3701 days; a run writes at most 3700") == true)
  }
}
