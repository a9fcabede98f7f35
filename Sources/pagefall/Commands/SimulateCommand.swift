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
  static let story = Option("story", takes: "ID", help: "the story_id (default: the message's own, else its file name)")
  static let batch = Option(
    "batch", takes: "N", help: "pack N events into a batch (default: a batch a session, as a phone does)")
  static let looping = Option("looping", help: "stories start again after their last page")
  static let fallbacks = Option("fallbacks", takes: "SHARE", help: "share that falls back, 0 to 1 (default 0.03)")
  static let output = Option("out", takes: "FILE", help: "write NDJSON to FILE, or to - for standard output")
  static let url = Option("url", takes: "BASE", help: "send to a collector, such as http://127.0.0.1:8787")
  static let key = Option("key", takes: "KEY", help: "the write key to send with", configurable: true)
  static let rate = Option("rate", takes: "N/s", help: "send at most N events a second")
  static let truth = Option("truth", takes: "FILE", help: "write the funnel that a report must show")

  static let command = Command(
    "simulate", summary: "Play a message to simulated viewers; write or send events",
    options: [
      message, sessions, over, ending, seed, story, batch, looping, fallbacks, output, url, key, rate, truth,
    ],
    discussion: """
      Every viewer waits, skips, goes back, holds, taps the button or leaves, by stated
      probabilities, on a player that does what the SDK's does. The events carry
      `environment: simulator`. Give --out or --url.
      """,
    examples: [
      "pagefall simulate --sessions 500 --seed 7 --out events.ndjson --truth truth.json",
      "pagefall simulate --url http://127.0.0.1:8787 --key pfw_… --rate 200/s",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let output = try destination(invocation)
    let configuration = try configuration(invocation)
    let summary: SimulationSummary
    do {
      summary = try Simulator(configuration).run(output: output)
    } catch {
      throw commandError(error)
    }
    if let path = invocation.value(truth) {
      try OutputFile.write(summary.truth.json.text() + "\n", to: path)
    }
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
      sender.eventsPerSecond = try invocation.value(rate, as: "a number of events a second, such as 200/s") { text in
        ValueParser.integer(text.hasSuffix("/s") ? String(text.dropLast(2)) : text, in: 1...10_000_000).map(Double.init)
      }
      return .http(sender)
    }
  }

  private static func configuration(_ invocation: Invocation) throws(CommandError) -> WorldConfiguration {
    let ending = try invocation.value(ending, as: "a date or an RFC 3339 time") { InstantText.microseconds($0) }
    var world = WorldConfiguration(
      stories: try stories(invocation), endingMicroseconds: ending ?? invocation.environment.nowMicroseconds())
    if let count = try invocation.value(
      sessions, as: "a number from 1 to 100000000", { ValueParser.integer($0, in: 1...100_000_000) })
    {
      world.sessionCount = count
    }
    if let span = try invocation.value(over, as: "a span such as 7d or 12h", ValueParser.duration) {
      world.spanMicroseconds = span.components.seconds * 1_000_000 + span.components.attoseconds / 1_000_000_000_000
    }
    if let seed = try invocation.value(seed, as: "a whole number", { UInt64($0) }) { world.seed = seed }
    let counts = WorldConfiguration.Batching.packedEventCounts
    if let count = try invocation.value(
      batch, as: "a number from \(counts.lowerBound) to \(counts.upperBound)", { ValueParser.integer($0, in: counts) })
    {
      world.batching = .packed(eventCount: count)
    }
    world.playerOptions.loopsAfterLastPage = try invocation.flag(looping)
    let isShare = { (text: String) -> Double? in
      guard let share = Double(text), (0...1).contains(share) else { return nil }
      return share
    }
    if let share = try invocation.value(fallbacks, as: "a share from 0 to 1", isShare) { world.fallbackShare = share }
    return world
  }

  private static func stories(_ invocation: Invocation) throws(CommandError) -> [SimulatedStory] {
    let paths = invocation.list(message)
    var stories: [SimulatedStory] = []
    do {
      for path in paths {
        guard let bytes = FileManager.default.contents(atPath: path) else {
          throw CommandError.environment("cannot read the message file \(quoted(path))")
        }
        let name = (path as NSString).lastPathComponent
        stories.append(try SimulatedStory(message: bytes, fileName: name, storyID: invocation.value(story)))
      }
      if paths.isEmpty {
        let name = "seed-message.json"
        stories = [try SimulatedStory(message: exampleMessage(), fileName: name, storyID: invocation.value(story))]
      }
    } catch {
      throw commandError(error)
    }
    return stories
  }

  /// Examples/seed-message.json, as it was compiled in.
  private static func exampleMessage() -> [UInt8] {
    Array(UnsafeBufferPointer(start: pagefall_example_message(), count: pagefall_example_message_bytes))
  }

  private static func commandError(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case SimulationError.closedPipe: .closedPipe
    case SimulationError.invalidConfiguration, SimulationError.unreadableMessage: .usage("\(error)")
    default: .environment("\(error)")
    }
  }

  private static func line(on summary: SimulationSummary) -> String {
    var line = "\(summary.sessions) sessions, \(summary.events) events in \(summary.batches) batches"
    if let delivery = summary.delivery {
      line += String(
        format: "; %d accepted, %d rejected, %d repeats, %.1f s", delivery.accepted, delivery.rejected,
        delivery.retries, delivery.seconds)
      for error in delivery.firstErrors.prefix(3) { line += "\n  \(error)" }
    }
    return line
  }
}
