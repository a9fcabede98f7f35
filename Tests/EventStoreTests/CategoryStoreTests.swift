import EventStore
import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite struct `Categories of notifications` {
  private static func category(_ id: String, _ labels: String...) -> CategoryDefinition {
    CategoryDefinition(
      id: id,
      buttons: labels.enumerated().map { place, label in
        ButtonDefinition(id: "\(place)", label: label, isDestructive: place == 1, opensApp: place == 0)
      })
  }

  /// A database with an app, and its connection.
  private func withApp(_ body: (inout PostgresConnection, _ appID: Int32, TestDatabase) throws -> Void) throws {
    let database = try makeDatabase()
    var connection = try connect(database)
    let appID = try AppStore.findOrCreate("shop", &connection)
    try body(&connection, appID, database)
  }

  @Test func `come back as they were given, with what an import did to each`() throws {
    try withApp { connection, app, _ in
      let first = [Self.category("66", "Yes", "No"), Self.category("65"), Self.category("caf\u{E9}", "A")]
      let changes = try CategoryStore.replace(with: first, ofApp: app, nowMicroseconds: 1_000, &connection)
      #expect(changes.map(\.kind) == [.new, .new, .new])
      let listed = try CategoryStore.list(ofApp: app, &connection)
      #expect(listed.map(\.definition) == [first[1], first[0], first[2]])
      #expect(
        listed.map(\.fromMicroseconds) == [1_000, 1_000, 1_000] && listed.allSatisfy { $0.toMicroseconds == nil })
    }
  }

  @Test func `that are the same again cost no row`() throws {
    try withApp { connection, app, database in
      let categories = [Self.category("65", "Yes", "No"), Self.category("66")]
      try CategoryStore.replace(with: categories, ofApp: app, nowMicroseconds: 1_000, &connection)
      let rows = "SELECT string_agg(c.xmin::text || c.ctid::text, ',') FROM pagefall.notification_categories c"
      let before = try database.psql(rows)
      let again = try CategoryStore.replace(with: categories, ofApp: app, nowMicroseconds: 2_000, &connection)
      #expect(again.map(\.kind) == [.unchanged, .unchanged])
      #expect(try database.psql(rows) == before)
    }
  }

  /// What an import has in the place of `65: Yes, No`, and whether that is another version.
  static let differences: [(CategoryDefinition, Bool)] = [
    (category("65", "Yes", "No"), false), (category("65", "Yes", "no"), true), (category("65", "Yes"), true),
    (category("65", "No", "Yes"), true), (category("65", "Yes", "No", "Later"), true), (category("65"), true),
    (category("65", "Yes", "N\u{6F}"), false),
    (
      CategoryDefinition(
        id: "65",
        buttons: [
          ButtonDefinition(id: "0", label: "Yes", isDestructive: true, opensApp: true),
          ButtonDefinition(id: "1", label: "No", isDestructive: true, opensApp: false),
        ]), true
    ),
    (
      CategoryDefinition(
        id: "65",
        buttons: [
          ButtonDefinition(id: "zero", label: "Yes", isDestructive: false, opensApp: true),
          ButtonDefinition(id: "1", label: "No", isDestructive: true, opensApp: false),
        ]), true
    ),
  ]

  @Test(arguments: differences.indices) func `get a version where something differs`(_ index: Int) throws {
    let (definition, differs) = Self.differences[index]
    try withApp { connection, app, _ in
      let before = Self.category("65", "Yes", "No")
      try CategoryStore.replace(with: [before], ofApp: app, nowMicroseconds: 1_000, &connection)
      let changes = try CategoryStore.replace(with: [definition], ofApp: app, nowMicroseconds: 2_000, &connection)
      #expect(changes.map(\.kind) == [differs ? .changed(from: before) : .unchanged])
      let history = try CategoryStore.list(ofApp: app, withHistory: true, &connection)
      #expect(history.map(\.definition) == (differs ? [definition, before] : [before]))
      #expect(history.map(\.toMicroseconds) == (differs ? [nil, 2_000] : [nil]))
    }
  }

  @Test func `composed and decomposed letters are different texts`() throws {
    try withApp { connection, app, _ in
      try CategoryStore.replace(
        with: [Self.category("65", "caf\u{E9}")], ofApp: app, nowMicroseconds: 1_000, &connection)
      let changes = try CategoryStore.replace(
        with: [Self.category("65", "cafe\u{301}")], ofApp: app, nowMicroseconds: 2_000, &connection)
      #expect(changes.count == 1 && changes[0].kind != .unchanged)
    }
  }

  @Test func `that an import does not have end, and may come back`() throws {
    try withApp { connection, app, _ in
      let category = Self.category("65", "Yes")
      func replace(_ categories: [CategoryDefinition], at moment: Int64) throws -> [CategoryChange.Kind] {
        try CategoryStore.replace(with: categories, ofApp: app, nowMicroseconds: moment, &connection).map(\.kind)
      }
      #expect(try replace([category, Self.category("66")], at: 1_000) == [.new, .new])
      #expect(try replace([Self.category("66")], at: 2_000) == [.unchanged, .ended])
      #expect(try CategoryStore.list(ofApp: app, &connection).map(\.definition.id) == ["66"])
      #expect(try replace([Self.category("66")], at: 3_000) == [.unchanged])
      #expect(try replace([category, Self.category("66")], at: 4_000) == [.back, .unchanged])
      let history = try CategoryStore.list(ofApp: app, withHistory: true, &connection)
        .filter { $0.definition.id == "65" }
      #expect(history.map(\.fromMicroseconds) == [4_000, 1_000] && history.map(\.toMicroseconds) == [nil, 2_000])
      #expect(try replace([], at: 5_000) == [.ended, .ended])
      #expect(try CategoryStore.list(ofApp: app, &connection).isEmpty)
    }
  }

  @Test func `a clock that was set back makes no gap and no overlap`() throws {
    try withApp { connection, app, database in
      for (moment, labels) in [(5_000, ["A"]), (3_000, ["B"]), (3_000, ["C"]), (3_000, []), (2_000, ["A"])]
        as [(
          Int64, [String]
        )]
      {
        let categories = labels.map { Self.category("65", $0) }
        try CategoryStore.replace(with: categories, ofApp: app, nowMicroseconds: moment, &connection)
      }
      let history = try CategoryStore.list(ofApp: app, withHistory: true, &connection)
      #expect(history.map { $0.definition.buttons.map(\.label) } == [["A"], ["C"], ["B"], ["A"]])
      #expect(history.map(\.fromMicroseconds) == [5_003, 5_002, 5_001, 5_000])
      #expect(history.map(\.toMicroseconds) == [nil, 5_003, 5_002, 5_001])
      #expect(try database.psql("SELECT count(*) FROM pagefall.notification_categories WHERE valid_to IS NULL") == "1")
    }
  }

  @Test func `of one app are no matter of another`() throws {
    try withApp { connection, app, _ in
      let other = try AppStore.findOrCreate("news", &connection)
      try CategoryStore.replace(with: [Self.category("65", "A")], ofApp: app, nowMicroseconds: 1_000, &connection)
      try CategoryStore.replace(with: [Self.category("65", "B")], ofApp: other, nowMicroseconds: 2_000, &connection)
      try CategoryStore.replace(with: [], ofApp: other, nowMicroseconds: 3_000, &connection)
      #expect(try CategoryStore.list(ofApp: app, withHistory: true, &connection).map(\.toMicroseconds) == [nil])
    }
  }

  @Test func `imports at once wait for each other, and one of them is the last`() throws {
    let database = try makeDatabase()
    var connection = try connect(database)
    let app = try AppStore.findOrCreate("shop", &connection)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      do {
        var connection = try connect(database)
        for round in 0..<5 {
          let categories = [Self.category("65", "\(number)"), Self.category("\(number + round)", "x")]
          try CategoryStore.replace(
            with: Array(categories.prefix(round == 4 ? 1 : 2)), ofApp: app, nowMicroseconds: Int64(1_000 + number),
            &connection)
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    // Of each category the versions follow each other, and at most the last is open.
    let history = try CategoryStore.list(ofApp: app, withHistory: true, &connection)
    for (newer, older) in zip(history, history.dropFirst()) where newer.definition.id == older.definition.id {
      #expect((older.toMicroseconds ?? .max) <= newer.fromMicroseconds)
    }
    let now = try CategoryStore.list(ofApp: app, &connection)
    #expect(now.first { $0.definition.id == "65" }?.definition.buttons.count == 1)
    #expect(now.count <= 2)
  }

  @Test func `roles of ingest may import, roles of report may read, also where they were granted before`() throws {
    let database = try TestDatabase()
    let roles = ["\(database.name)_in", "\(database.name)_out"]
    // As it was before there were categories.
    let script = Migrator.printSQL()
    let parts = script.components(separatedBy: "\n-- 0013_categories\n")
    try #require(parts.count == 2)
    var owner = try connect(database)
    try owner.executeScript(parts[0])
    try owner.executeScript(
      """
      CREATE ROLE \(roles[0]); CREATE ROLE \(roles[1]);
      SELECT pagefall.grant_ingest('\(roles[0])'), pagefall.grant_report('\(roles[1])');
      INSERT INTO pagefall.apps (name) VALUES ('shop')
      """)
    defer { _ = try? database.psql("DROP OWNED BY \(roles[0]), \(roles[1]); DROP ROLE \(roles[0]), \(roles[1])") }
    try owner.executeScript(parts[1])
    var ingest = try connect(database, overrides: ["options": "-c role=\(roles[0])"])
    let appID = try #require(try AppStore.find("shop", &ingest))
    for (moment, label) in [(1_000, "A"), (2_000, "B")] as [(Int64, String)] {
      try CategoryStore.replace(
        with: [Self.category("65", label)], ofApp: appID, nowMicroseconds: moment, &ingest)
    }
    var report = try connect(database, overrides: ["options": "-c role=\(roles[1])"])
    #expect(try CategoryStore.list(ofApp: appID, withHistory: true, &report).count == 2)
    #expect(throws: EventStoreError.self) {
      try CategoryStore.replace(with: [], ofApp: appID, nowMicroseconds: 3_000, &report)
    }
    for statement in [
      "DELETE FROM pagefall.notification_categories", "UPDATE pagefall.notification_buttons SET label = 'x'",
      "DELETE FROM pagefall.notification_buttons",
    ] {
      #expect(throws: PostgresError.self) { try ingest.executeScript(statement) }
    }
  }

  @Test func `every table and column says what it is`() throws {
    let database = try makeDatabase()
    let silent = try database.psql(
      """
      SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'pagefall'::regnamespace
        AND c.relname IN ('notification_categories', 'notification_buttons') AND obj_description(c.oid, 'pg_class') IS NULL
      """)
    #expect(silent == "")
  }
}
