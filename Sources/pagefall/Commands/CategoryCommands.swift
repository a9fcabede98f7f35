import EventStore
import Postgres
import StoryPlayback

/// `pagefall category import`: tells reports and lint what the buttons of notifications are.
enum CategoryImportCommand {
  static let app = Option("app", takes: "NAME", help: "the app whose categories they are")

  static let command = Command(
    "category", "import", summary: "Name notification buttons from a registerDevice response",
    operands: "FILE|-", options: [app],
    discussion: """
      Reads the categories as a phone reads them and keeps them with their history: the file
      has all of the app, so a category that is not in it has ended. Prints a line for what
      is new, changed, gone or skipped. Importing the same again changes nothing.
      """,
    examples: ["pagefall category import Examples/register-device-response.json --app shop"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard invocation.operands.count == 1 else {
      throw .usage("name one file: category import FILE --app NAME (or - for standard input)")
    }
    let path = invocation.operands[0]
    let app = try CategoryListCommand.appName(invocation, app)
    let response = try CategoryFile.read(path)
    if response.categories.isEmpty, let first = response.skipped.first {
      // Taking it for an empty list would end every category.
      throw .dataFault(
        "no category of \(quoted(path)) can be used, so nothing was changed: \(first.place) \(first.reason)")
    }
    let access = try DatabaseAccess.open(invocation, for: .writing)
    var connection = try access.connect()
    let changes: [CategoryChange]
    do {
      if try AppStore.find(app, &connection) == nil {
        let names = try RejectedStore.appNames(&connection)
        if !names.isEmpty {
          Console.note("pagefall: there was no app \(quoted(app)) before; there is \(CategoryListCommand.known(names))")
        }
      }
      let appID = try AppStore.findOrCreate(app, &connection)
      changes = try CategoryStore.replace(
        with: response.categories.map(CategoryDefinition.init), ofApp: appID,
        nowMicroseconds: invocation.environment.nowMicroseconds(), &connection)
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    let lines = CategoryText.lines(changes, skipped: response.skipped, app: app)
    try Console.print(lines.map { $0 + "\n" }.joined())
    return .success
  }
}

/// `pagefall category list`: what is known of the buttons of an app's notifications.
enum CategoryListCommand {
  static let app = Option("app", takes: "NAME", help: "the app whose categories they are")
  static let history = Option(
    "history", help: "also what they were before, the newest first, and those that have ended")
  static let format = Option("format", takes: "FORMAT", help: "table, json or csv (default table)")

  static let command = Command(
    "category", "list", summary: "List the notification categories of an app",
    options: [app, history, format],
    examples: ["pagefall category list --app shop", "pagefall category list --app shop --history --format json"],
    run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let app = try appName(invocation, app)
    let hasHistory = try invocation.flag(history)
    let format = try invocation.value(format, as: "table, json or csv") { CategoryFormat(rawValue: $0) } ?? .table
    let versions = try versions(ofApp: app, withHistory: hasHistory, invocation)
    let table = CategoryTable(app: app, versions: versions, hasHistory: hasHistory)
    if versions.isEmpty {
      Console.note(
        "pagefall: \(quoted(app)) has no categories; bring them with `pagefall category import FILE --app NAME`")
    }
    switch format {
    case .table: try Console.print(table.text)
    case .json: try Console.print(table.json)
    case .csv: try Console.print(table.csv)
    }
    return .success
  }

  /// The app that was named; there has to be one.
  static func appName(_ invocation: Invocation, _ option: Option) throws(CommandError) -> String {
    guard let app = invocation.value(option) else { throw .usage("say whose categories they are: --app NAME") }
    guard AppStore.isName(app) else { throw .usage("\(EventStoreError.invalidAppName)") }
    return app
  }

  /// The first of these apps, for a message.
  static func known(_ names: [String]) -> String {
    names.prefix(12).map { quoted($0) }.joined(separator: ", ")
  }

  /// What the database knows of an app's categories.
  static func versions(
    ofApp app: String, withHistory: Bool, _ invocation: Invocation
  ) throws(CommandError) -> [CategoryVersion] {
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    do {
      guard let appID = try AppStore.find(app, &connection) else {
        let names = try RejectedStore.appNames(&connection)
        throw CommandError.usage(
          "there is no app \(quoted(app)); " + (names.isEmpty ? "there is none yet" : "there is \(known(names))"))
      }
      return try CategoryStore.list(ofApp: appID, withHistory: withHistory, &connection)
    } catch {
      throw DatabaseFailure.commandError(error)
    }
  }
}

extension CategoryDefinition {
  /// A category as it was read.
  fileprivate init(_ category: NotificationCategory) {
    self.init(
      id: category.id,
      buttons: category.buttons.map {
        ButtonDefinition(id: $0.id, label: $0.label, isDestructive: $0.isDestructive, opensApp: $0.opensApp)
      })
  }
}
