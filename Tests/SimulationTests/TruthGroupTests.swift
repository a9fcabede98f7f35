import Foundation
import FunnelDocument
import StoryEvents
import StoryPlayback
import Testing

@testable import Simulation

/// The groups of a truth, and the devices that give them something to be made of.
@Suite struct TruthGroupTests {
  private func groups(
    _ grouping: TruthGrouping?, sessions: Int = 300, _ set: (inout WorldConfiguration) throws -> Void = { _ in }
  ) throws -> [FunnelGroup] {
    var configuration = try exampleWorld(sessions: sessions)
    configuration.truthGrouping = grouping
    try set(&configuration)
    let truth = try run(configuration).summary.truth
    let groups = try #require(truth.groups)
    #expect(groups.reduce(0) { $0 + $1.counts.presentations } == truth.total.presentations)
    #expect(groups.reduce(0) { $0 + $1.counts.completeness.expectedEvents } == truth.total.completeness.expectedEvents)
    return groups
  }

  @Test func `groups are by size, as a report shows them`() throws {
    let groups = try groups(.context(.appVersion))
    #expect(groups.map(\.name) == ["4.2.0", "4.1.3", "4.0.0"])
    #expect(groups[0].counts.pages.map(\.title) == ["Welcome", "Stay in the loop"])
  }

  @Test func `groups of one size stand by the bytes of their names, as in a report`() throws {
    var configuration = try exampleWorld(sessions: 1)
    configuration.truthGrouping = .property("city")
    // To Swift, the first and the last are the same text.
    let names = ["\u{e9}", "z", "f", "e\u{301}"]
    let ordered = GroupNaming(configuration).ordered(names, name: { $0 }, size: { _ in 1 })
    #expect(ordered.map { Array($0.utf8) } == ["e\u{301}", "f", "z", "\u{e9}"].map { Array($0.utf8) })
  }

  @Test func `devices differ by weight, and what nobody says is none`() throws {
    let set = { (configuration: inout WorldConfiguration) in
      configuration.environments = [Weighted("production", weight: 9), Weighted("test"), Weighted("never", weight: 0)]
      configuration.properties = [PropertyChoice(name: "plan", values: [Weighted("a"), Weighted("b", weight: 3)])]
    }
    #expect(try groups(.context(.environment), set).map(\.name) == ["production", "test"])
    #expect(try groups(.property("plan"), set).map(\.name) == ["b", "a"])
    #expect(try groups(.property("Plan"), set).map(\.name) == ["(none)"])
    #expect(try groups(.context(.environment)).map(\.name) == ["simulator"])
  }

  @Test func `what devices say stands in their batches`() throws {
    var configuration = try exampleWorld(sessions: 60)
    configuration.environments = [Weighted("production"), Weighted("test")]
    configuration.properties = [PropertyChoice(name: "p\"1", values: [Weighted("v")])]
    for batching in [WorldConfiguration.Batching.session, .packed(eventCount: 20)] {
      configuration.batching = batching
      let batches = try run(configuration).lines.map { try JSONValue(text: $0) }
      let contexts = batches.flatMap { batch in
        batching == .session
          ? [batch["context"]].compactMap { $0 }
          : batch["events"]?.arrayValue?.filter { $0["seq"] == .integer(0) }.compactMap { $0["context"] } ?? []
      }
      #expect(contexts.count == 60)
      #expect(Set(contexts.map { $0["environment"]?.stringValue }) == ["production", "test"])
      #expect(contexts.allSatisfy { $0["properties"] == .object([JSONMember("p\"1", .string("v"))]) })
    }
  }

  /// Else a collector would reject every event, and the truth would count them.
  @Test func `what a collector would refuse of devices makes no world`() throws {
    let long = String(repeating: "x", count: ContractLimits.textBytes + 1)
    let faults: [(inout WorldConfiguration) -> Void] = [
      { $0.environment = long }, { $0.environment = "a\0" }, { $0.environments = [Weighted("a"), Weighted(long)] },
      { $0.appVersions = [Weighted(long)] }, { $0.locales = [Weighted("de", weight: 0)] },
      { $0.properties = [PropertyChoice(name: "", values: [Weighted("v")])] },
    ]
    for fault in faults {
      var configuration = try exampleWorld(sessions: 1)
      fault(&configuration)
      #expect(throws: SimulationError.self) { try World(configuration) }
    }
  }

  @Test func `without further choices the world's sessions are what they were`() throws {
    var configuration = try exampleWorld(sessions: 50)
    let events = try World(configuration).session(7).events
    configuration.environments = [Weighted("a"), Weighted("b")]
    configuration.properties = [PropertyChoice(name: "p", values: [Weighted("v")])]
    #expect(try World(configuration).session(7).events == events)
  }

  @Test func `stories of one id are one group, and those that nobody saw have one`() throws {
    let groups = try groups(nil, sessions: 60) { configuration in
      configuration.stories = [
        try story([1, 2], id: "a"), try story([1], id: "b", weight: 0), try story([3], id: "a"),
      ]
    }
    #expect(groups.map(\.name) == ["a", "b"])
    #expect(groups.map(\.counts.presentations) == [60, 0])
  }

  @Test(
    arguments: [
      ("UTC", 1_291_161_599, "2010-11-30"), ("UTC", 1_291_161_600, "2010-12-01"),
      // The clocks of Newfoundland went from 00:01 back to 23:01 of the day before: the day had begun.
      ("America/St_Johns", 1_289_096_999, "2010-11-06"), ("America/St_Johns", 1_289_097_000, "2010-11-07"),
      ("America/St_Johns", 1_289_097_120, "2010-11-07"), ("America/St_Johns", 1_289_100_660, "2010-11-07"),
      // Samoa skipped the 30th.
      ("Pacific/Apia", 1_325_239_199, "2011-12-29"), ("Pacific/Apia", 1_325_239_200, "2011-12-31"),
      // Beirut's midnight came an hour later: the clocks went from there back to 23:00.
      ("Asia/Beirut", 1_635_627_600, "2021-10-30"), ("Asia/Beirut", 1_635_631_200, "2021-10-31"),
    ] as [(String, Int64, String)]) func `a local day begins at the first instant of its date`(
      zone: String, seconds: Int64, day: String
    ) throws
  {
    let zone = try #require(TimeZone(identifier: zone))
    #expect(DayNaming(zone).name(atMicroseconds: seconds * 1_000_000) == day)
  }

  @Test(arguments: [("UTC", "00"), ("Asia/Kathmandu", "05"), ("America/New_York", "19"), ("Pacific/Apia", "13")])
  func `an hour is what the local clock shows`(zone: String, hour: String) throws {
    #expect(DayNaming(try #require(TimeZone(identifier: zone))).hour(atMicroseconds: endOfNovember) == hour)
  }

  @Test func `a session counts at its corrected start, and at its arrival where its clock is suspect`() throws {
    var session = try World(exampleWorld(sessions: 1)).session(0)
    let start = try #require(session.id.timeMilliseconds) * 1_000
    #expect(session.countedAtMicroseconds == start)
    session.receivedAtMicroseconds = session.sentAtMicroseconds + 299_000_000
    #expect(session.countedAtMicroseconds == start)
    session.receivedAtMicroseconds = session.sentAtMicroseconds + 86_400_000_000
    #expect(session.countedAtMicroseconds == start + 86_400_000_000)
    session.receivedAtMicroseconds += 500 * 86_400_000_000
    session.sentAtMicroseconds = session.receivedAtMicroseconds
    #expect(session.hasSuspectClock && session.countedAtMicroseconds == session.receivedAtMicroseconds)
  }

  @Test(arguments: TruthGrouping.names) func `every name that help lists can be asked for`(name: String) {
    let argument = name.replacingOccurrences(of: "NAME", with: "plan")
    #expect(TruthGrouping(argument: argument, timeZone: .gmt) != nil)
    #expect(
      TruthGrouping(argument: argument + "x", timeZone: .gmt) == (name.hasSuffix("NAME") ? .property("planx") : nil))
  }

  @Test(arguments: ["", "property:", "week", "Story_id"]) func `other names are none`(name: String) {
    #expect(TruthGrouping(argument: name, timeZone: .gmt) == nil)
  }

  @Test func `context that a collector would reject is refused`() throws {
    let long = String(repeating: "x", count: 1_025)
    let spoilings: [(String, (inout WorldConfiguration) -> Void)] = [
      ("app version", { $0.appVersions = [Weighted(long)] }), ("app version", { $0.appVersions[0].value = "a\0" }),
      ("environment", { $0.environments = [Weighted("a", weight: 0)] }),
      ("property's name", { $0.properties = [PropertyChoice(name: "", values: [Weighted("v")])] }),
      ("property p", { $0.properties = [PropertyChoice(name: "p", values: [])] }),
      ("property p", { $0.properties = [PropertyChoice(name: "p", values: [Weighted(long)])] }),
      (
        "its own name",
        { $0.properties = Array(repeating: PropertyChoice(name: "p", values: [Weighted("v")]), count: 2) }
      ),
      (
        "at most 32",
        { $0.properties = (0..<33).map { PropertyChoice(name: "p\($0)", values: [Weighted("v")]) } }
      ),
    ]
    for (word, spoil) in spoilings {
      var configuration = try exampleWorld(sessions: 1)
      spoil(&configuration)
      do {
        _ = try World(configuration)
        Issue.record("\(word) was accepted")
      } catch {
        #expect("\(error)".contains(word))
      }
    }
  }
}
