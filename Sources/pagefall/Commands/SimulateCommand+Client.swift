import Simulation

/// `--client`: through the library that apps use.
extension SimulateCommand {
  static let client = Option(
    "client", help: "send through the library that apps use: StoryClient, with its queue on disk")
  static let clientQueue = Option(
    "client-queue", takes: "DIR", help: "with --client: keep the queue in DIR; what a run leaves, the next one sends")

  /// What the library does by itself, or what would have to happen between it and the collector.
  private static let excluded = [output, batch, duplicates, reorder, loss, late, clockSkew, retries]

  static func runClient(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    for option in excluded where invocation.value(option) != nil {
      throw .usage(
        "--\(option.name) and --client exclude each other: with --client the app's library does the sending by itself")
    }
    try checkTruthFiles(invocation)
    guard let base = invocation.value(url) else { throw .usage("say where --client sends to: --url BASE") }
    var client = ClientConfiguration(baseURL: base, key: invocation.value(key))
    client.queueDirectory = invocation.value(clientQueue)
    client.eventsPerSecond = try eventsPerSecond(invocation)
    let configuration = try configuration(invocation)
    let summary: SimulationSummary
    do {
      summary = try Simulator(configuration).run(client: client)
    } catch {
      throw commandError(error)
    }
    try writeTruths(summary, invocation)
    Console.note(line(on: summary) + clientLine(on: summary))
    let lost = summary.delivery.map { $0.rejected + $0.dropped } ?? 0
    return lost > 0 ? .dataFault : .success
  }

  /// What is said beside the line of every simulation.
  private static func clientLine(on summary: SimulationSummary) -> String {
    let eachBytes = summary.events == 0 ? 0 : Int((Double(summary.bytes) / Double(summary.events)).rounded())
    return "\n  \(summary.bytes) bytes sent, \(eachBytes) an event; \(summary.delivery?.dropped ?? 0) dropped"
  }
}
