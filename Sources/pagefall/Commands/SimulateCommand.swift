import ExampleMessage
import Foundation
import Simulation
import StoryPlayback

/// `pagefall simulate`: plays a message to invented viewers and writes or sends what their phones would send.
enum SimulateCommand {
  static let message = Option(
    "message", takes: "FILE", help: "the message to play (default: the example message); repeat for several stories",
    repeatable: true)
  static let sessions = Option("sessions", takes: "N", help: "how many stories are shown (default 2000)")
  static let over = Option("over", takes: "SPAN", help: "spread over this long, such as 7d or 12h (default 7d)")
  static let ending = Option("ending", takes: "TIME", help: "and ending then: a date or RFC 3339 (default now)")
  static let seed = Option("seed", takes: "N", help: "the same seed gives the same bytes (default 1)")
  static let story = Option(
    "story", takes: "ID",
    help: "the story_id (default: the message's own, else its file name); with several messages once for each",
    repeatable: true)
  static let weight = Option(
    "weight", takes: "N", help: "how often a message is shown, once for each --message (default 1)", repeatable: true)
  static let batch = Option(
    "batch", takes: "N", help: "pack N events into a batch (default: a batch a session, as a phone does)")
  static let looping = Option("looping", help: "stories start again after their last page")
  static let fallbacks = Option("fallbacks", takes: "SHARE", help: "share that falls back, 0 to 1 (default 0.03)")
  static let fastTappers = Option(
    "fast-tappers", takes: "SHARE", help: "share of viewers who tap through in fractions of a second (default 0)")
  static let viewerMix = Option(
    "viewer-mix", takes: "FILE", help: "who watches: kinds of viewers as JSON (docs/simulator.md)")
  static let appVersion = Option(
    "app-version", takes: "V[=WEIGHT]", help: "an app_version that devices have, such as 4.2.0=3; repeatable",
    repeatable: true)
  static let environment = Option(
    "environment", takes: "E[=WEIGHT]", help: "an environment that devices have; repeatable (default simulator)",
    repeatable: true)
  static let property = Option(
    "property", takes: "NAME=V[=WEIGHT]", help: "a property that devices have, such as plan=pro=3; repeatable",
    repeatable: true)
  static let duplicates = Option(
    "duplicates", takes: "SHARE", help: "share of events that are delivered twice, in the same or a later batch")
  static let reorder = Option(
    "reorder", takes: "SHARE", help: "share of events that come out of order, in their batch or in a later one")
  static let loss = Option(
    "loss", takes: "SHARE",
    help: "share of events that never arrive: single ones, or a session's start, end, or all of it")
  static let late = Option(
    "late", takes: "SHARE[:SPAN]", help: "share of batches that come later, by an hour up to SPAN (default 3d)")
  static let clockSkew = Option(
    "clock-skew", takes: "SHARE[:SPAN]",
    help: "share of devices whose clock is off, by a minute up to SPAN (default 1095d)"
  )
  static let retries = Option(
    "retries", takes: "SHARE", help: "share of batches that are sent again after a lost answer")
  static let output = Option("out", takes: "FILE", help: "write NDJSON to FILE, or to - for standard output")
  static let url = Option("url", takes: "BASE", help: "send to a collector, such as http://127.0.0.1:8787")
  static let key = Option("key", takes: "KEY", help: "the write key to send with", configurable: true)
  static let rate = Option("rate", takes: "N/s", help: "send at most N events a second")
  static let command = Command(
    "simulate", summary: "Play a message to simulated viewers; write or send events",
    options: [
      message, story, weight, sessions, over, ending, seed, batch, looping, fallbacks, fastTappers, viewerMix,
      richMedia, richMediaSessions, categories, responses, appVersion, environment, property, duplicates, reorder, loss,
      late, clockSkew, retries, output, url, key, rate, client, clientQueue, truth, truthRichMedia,
      truthButtons, truthBy, CommonOptions.timeZone,
    ],
    discussion: """
      Every viewer waits, skips, goes back, holds, taps the button or leaves, by stated
      probabilities, on a player that does what the SDK's does. The events carry
      `environment: simulator`. Give --out or --url. What goes wrong on the way (--duplicates
      to --retries) is drawn from the seed, too, and --truth counts what is delivered. With
      --rich-media and --categories there are two more surfaces, which change no story.
      With --client the library that apps use records, queues and sends what happens.
      """,
    examples: [
      "pagefall simulate --seed 7 --out events.ndjson --truth truth.json",
      "pagefall simulate --url http://127.0.0.1:8787 --key pfw_… --rate 200/s",
      "pagefall simulate --client --url http://127.0.0.1:8787 --key pfw_…",
      "pagefall simulate --loss 0.02 --late 0.1:5d --out - --truth truth.json",
      "pagefall simulate --rich-media Examples/rich-media.json --out events.ndjson",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    if try invocation.flag(client) { return try runClient(invocation) }
    if invocation.value(clientQueue) != nil {
      throw .usage("--client-queue is where --client keeps its queue; give both")
    }
    let output = try destination(invocation)
    try checkTruthFiles(invocation)
    let configuration = try configuration(invocation)
    let summary: SimulationSummary
    do {
      summary = try Simulator(configuration).run(output: output)
    } catch {
      throw commandError(error)
    }
    try writeTruths(summary, invocation)
    Console.note(line(on: summary))
    return (summary.delivery?.rejected ?? 0) > 0 ? .dataFault : .success
  }

  private static func destination(_ invocation: Invocation) throws(CommandError) -> SimulationOutput {
    switch (invocation.value(output), invocation.value(url)) {
    case (nil, nil): throw .usage("say where the events go: --out FILE (or -), or --url BASE")
    case (.some, .some): throw .usage("--out and --url exclude each other")
    case ("-", nil): return .standardOutput
    case (.some(let path), nil): return .file(path: path)
    case (nil, .some(let base)):
      var sender = SenderConfiguration(baseURL: base, key: invocation.value(key))
      sender.eventsPerSecond = try eventsPerSecond(invocation)
      return .http(sender)
    }
  }

  static func eventsPerSecond(_ invocation: Invocation) throws(CommandError) -> Double? {
    try invocation.value(rate, as: "a number of events a second, such as 200/s") { text in
      ValueParser.integer(text.hasSuffix("/s") ? String(text.dropLast(2)) : text, in: 1...10_000_000).map(Double.init)
    }
  }

  /// Examples/seed-message.json, as it was compiled in.
  static func exampleMessage() -> [UInt8] {
    Array(UnsafeBufferPointer(start: pagefall_example_message(), count: pagefall_example_message_bytes))
  }

  static func commandError(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case SimulationError.closedPipe: .closedPipe
    case SimulationError.invalidConfiguration, SimulationError.unreadableMessage: .usage("\(error)")
    default: .environment("\(error)")
    }
  }

  static func line(on summary: SimulationSummary) -> String {
    var line = "\(summary.sessions) sessions, "
    if summary.richMediaSessions > 0 { line += "\(summary.richMediaSessions) rich media, " }
    if summary.responses > 0 { line += "\(summary.responses) responses, " }
    line += "\(summary.events) events in \(summary.batches) batches"
    if summary.lostEvents > 0 { line += "; \(summary.lostEvents) lost before they were sent" }
    let repeats = summary.events - summary.distinctEvents
    if repeats > 0 { line += "; \(repeats) delivered again" }
    if let delivery = summary.delivery {
      line += String(
        format: "; %d accepted, %d rejected, %d repeats, %.1f s", delivery.accepted, delivery.rejected,
        delivery.retries, delivery.seconds)
      for error in delivery.firstErrors.prefix(3) { line += "\n  \(error)" }
    }
    return line
  }
}
