import EventStore
import Foundation
import MessageLint
import StoryPlayback

/// `pagefall lint`: what a phone would do with a message, before it is sent.
enum LintCommand {
  static let precache = Option(
    "precache", help: "the app's service extension fetches images ahead: mutable-content is needed")
  static let infoPlist = Option(
    "info-plist", takes: "FILE", help: "look at the Info.plist of the app's content extension too, XML or binary")
  static let aspectRatio = Option(
    "aspect-ratio", takes: "RATIO", help: "the app's storyAspectRatio, height by width (default 1.5)")
  static let app = Option(
    "app", takes: "NAME", help: "look at ios_category too: against the categories imported for this app")
  static let categories = Option(
    "categories", takes: "FILE", help: "the same against a registerDevice response, without a database")
  static let format = Option("format", takes: "FORMAT", help: "text or json (default text)")

  static let command = Command(
    "lint", summary: "Say what a phone would do with a message, before it is sent", operands: "FILE…|-",
    options: [precache, infoPlist, aspectRatio, app, categories, format],
    discussion: """
      Takes createMessage requests (every notification is looked at), payloads as they arrive,
      and bare pw_stories blocks; - is standard input. Prints the pages as they would play, or
      why the story falls back, and findings with a code, a severity and a JSON pointer. Exits
      1 if a finding is an error, 3 if a file cannot be read.
      """,
    examples: [
      "pagefall lint Examples/seed-message.json",
      "pagefall lint --info-plist StoryExtension/Info.plist message.json",
      "pagefall lint --categories Examples/register-device-response.json message.json",
    ], run: run)

  private enum Format: String { case text, json }

  /// An `Info.plist` is a few kilobytes.
  private static let mostPropertyListBytes = 1 << 20

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let paths = invocation.operands
    if paths.isEmpty { throw .usage("say what to look at: lint FILE… (or - for standard input)") }
    let inputs = paths + [invocation.value(categories), invocation.value(infoPlist)].compactMap { $0 }
    if inputs.count(where: { $0 == "-" }) > 1 { throw .usage("standard input can be read once; give - once") }
    let format = try invocation.value(format, as: "text or json") { Format(rawValue: $0) } ?? .text
    let ratio =
      try invocation.value(aspectRatio, as: "height by width, a number from 0.1 to 10") { text in
        Double(text).flatMap { (0.1...10).contains($0) ? $0 : nil }
      } ?? 1.5
    let contentExtension = try readExtension(invocation)
    let lint = MessageLint(
      options: LintOptions(
        wantsPrecache: try invocation.flag(precache), contentExtension: contentExtension,
        categories: try readCategories(invocation)))

    var report = LintReport(files: [])
    var hasUnreadableFile = false
    for path in paths {
      do throws(CommandError) {
        report.files.append(lint.lint(try MessageFile.read(path), name: path))
      } catch {
        // A file that cannot be read does not keep the others out.
        Console.note("pagefall: \(error.message)")
        hasUnreadableFile = true
      }
    }
    if let contentExtension, let path = invocation.value(infoPlist) {
      report.infoPlist = contentExtension.lint(name: path, aspectRatio: ratio)
    }
    switch format {
    case .text where report.files.isEmpty && report.infoPlist == nil: break
    case .text:
      try Console.print(report.text(columns: Console.style(toTerminal: true, invocation.environment).columns))
    case .json: try Console.print(report.json)
    }
    if hasUnreadableFile { return .environment }
    return report.count(.error) > 0 ? .dataFault : .success
  }

  private static func readCategories(_ invocation: Invocation) throws(CommandError) -> KnownCategories? {
    switch (invocation.value(app), invocation.value(categories)) {
    case (nil, nil): return nil
    case (.some, .some): throw .usage("--app and --categories both say which categories there are; give one")
    case (nil, let path?):
      let response = try CategoryFile.read(path)
      for part in response.skipped { Console.note("pagefall: \(quoted(path)): \(part.place) \(part.reason)") }
      return KnownCategories(categories: response.categories, origin: "the categories of \(quoted(path))")
    case (let name?, nil):
      let versions = try CategoryListCommand.versions(
        ofApp: try CategoryListCommand.appName(invocation, app), withHistory: true, invocation)
      if versions.isEmpty {
        throw .usage(
          "no categories were imported for \(quoted(name)); bring them with pagefall category import FILE --app NAME")
      }
      let current = versions.filter { $0.toMicroseconds == nil }.map(\.definition)
      return KnownCategories(
        categories: current.map(NotificationCategory.init), endedIDs: versions.map(\.definition.id),
        origin: "the categories imported for \(quoted(name))")
    }
  }

  private static func readExtension(_ invocation: Invocation) throws(CommandError) -> ContentExtension? {
    guard let path = invocation.value(infoPlist) else {
      if invocation.value(aspectRatio) != nil {
        throw .usage("--aspect-ratio is compared with --info-plist; give both")
      }
      return nil
    }
    let bytes = try MessageFile.read(path, atMost: mostPropertyListBytes)
    do {
      return try ContentExtension(propertyList: Data(bytes))
    } catch {
      throw .environment(
        "\(quoted(path)) is no property list; give the Info.plist of the notification content extension")
    }
  }
}

extension NotificationCategory {
  /// A category as the database has it.
  fileprivate init(_ definition: CategoryDefinition) {
    self.init(
      id: definition.id,
      buttons: definition.buttons.map {
        NotificationButton(id: $0.id, label: $0.label, isDestructive: $0.isDestructive, opensApp: $0.opensApp)
      })
  }
}
