import Foundation
import Simulation
import StoryPlayback

/// The project's folder.
let projectFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// 2026-11-30T00:00:00Z, in microseconds since 1970.
let endOfNovember: Int64 = 1_795_996_800_000_000

/// The documented example message.
func exampleStory(storyID: String? = nil) throws -> SimulatedStory {
  let file = projectFolder.appendingPathComponent("Examples/seed-message.json")
  return try SimulatedStory(message: Data(contentsOf: file), fileName: file.path, storyID: storyID)
}

/// A world of the example message with so many sessions.
func exampleWorld(sessions: Int, seed: UInt64 = 1) throws -> WorldConfiguration {
  var configuration = WorldConfiguration(stories: [try exampleStory()], endingMicroseconds: endOfNovember)
  configuration.sessionCount = sessions
  configuration.seed = seed
  return configuration
}

/// The batches of a world, one line each, and the summary.
func run(_ configuration: WorldConfiguration) throws -> (lines: [[UInt8]], summary: SimulationSummary) {
  var lines: [[UInt8]] = []
  let summary = try Simulator(configuration).run { batch in lines.append(batch.bytes) }
  return (lines, summary)
}

/// A story of pages with these durations in seconds.
func story(_ durations: [Double], id: String = "s", weight: Double = 1) throws -> SimulatedStory {
  let list = durations.map { #"{"image":"a:b","duration":\#($0),"link":"a:b","button_title":"Go","title":"T"}"# }
  let block = #"{"pages":[\#(list.joined(separator: ","))]}"#
  return try SimulatedStory(message: Data(block.utf8), fileName: "x.json", storyID: id, weight: weight)
}

/// The file that docs/simulator.md shows and that begins so.
func documentedFile(startingWith start: String) throws -> String {
  let page = projectFolder.appendingPathComponent("docs/simulator.md")
  let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```json\n").dropFirst()
  let files = blocks.compactMap { $0.components(separatedBy: "```").first }
  guard let file = files.first(where: { $0.hasPrefix(start) }) else { throw CocoaError(.fileReadCorruptFile) }
  return file
}
