import Simulation

/// From the options to rich media and responses.
extension SimulateCommand {
  static let richMedia = Option(
    "rich-media", takes: "FILE", help: "rich media that apps show, described as JSON (docs/simulator.md); repeatable",
    repeatable: true)
  static let richMediaSessions = Option(
    "rich-media-sessions", takes: "N", help: "how many rich media are asked for (default 500)")
  static let categories = Option(
    "categories", takes: "FILE", help: "interactive notifications: a registerDevice response with their categories")
  static let responses = Option("responses", takes: "N", help: "how many of them are answered (default 500)")

  static func setSurfaces(
    of world: inout WorldConfiguration, _ invocation: Invocation
  ) throws(CommandError) {
    world.richMedia = try richMediaWorld(invocation)
    let mediaCount = try count(richMediaSessions, with: richMedia, invocation)
    if let mediaCount { world.richMedia?.sessionCount = mediaCount }
    world.responses = try responseWorld(invocation)
    let responseCount = try count(responses, with: categories, invocation)
    if let responseCount { world.responses?.sessionCount = responseCount }
  }

  /// The contents of all files, in their order.
  private static func richMediaWorld(_ invocation: Invocation) throws(CommandError) -> RichMediaWorld? {
    var whole: RichMediaWorld?
    for path in invocation.list(richMedia) {
      let bytes = try MessageFile.readAll(path)
      let part: RichMediaWorld
      do {
        part = try RichMediaWorld(json: bytes)
      } catch {
        throw .usage("\(path): \(error)")
      }
      guard whole.map({ $0.style == part.style }) ?? true else {
        throw .usage("\(path) has another style than the file before it; an app shows all rich media in one style")
      }
      if whole == nil { whole = part } else { whole?.contents += part.contents }
    }
    return whole
  }

  private static func responseWorld(_ invocation: Invocation) throws(CommandError) -> ResponseWorld? {
    guard let path = invocation.value(categories) else { return nil }
    let bytes = try MessageFile.readAll(path)
    do {
      return try ResponseWorld(registerDeviceResponse: bytes)
    } catch {
      throw .usage("\(path): \(error)")
    }
  }

  private static func count(
    _ option: Option, with file: Option, _ invocation: Invocation
  ) throws(CommandError) -> Int? {
    let count = try invocation.value(option, as: "a number from 1 to 100000000") {
      ValueParser.integer($0, in: 1...100_000_000)
    }
    if count != nil, invocation.list(file).isEmpty {
      throw .usage("--\(option.name) needs --\(file.name) FILE")
    }
    return count
  }
}
