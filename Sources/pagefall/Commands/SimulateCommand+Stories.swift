import Foundation
import Simulation

/// From the options to the stories.
extension SimulateCommand {
  static func stories(_ invocation: Invocation) throws(CommandError) -> [SimulatedStory] {
    let paths = invocation.list(message)
    let count = max(1, paths.count)
    let identifiers = invocation.list(story)
    if identifiers.count > 1 { try requireOneEach(identifiers.count, story, count) }
    let weights = invocation.list(weight)
    if !weights.isEmpty { try requireOneEach(weights.count, weight, count) }
    var stories: [SimulatedStory] = []
    for place in 0..<count {
      let (bytes, name) =
        paths.isEmpty ? (exampleMessage(), "seed-message.json") : try readMessage(paths[place])
      let identifier = identifiers.count > 1 ? identifiers[place] : identifiers.first
      do {
        stories.append(try SimulatedStory(message: bytes, fileName: name, storyID: identifier))
      } catch {
        throw commandError(error)
      }
      if case .fallback(let reason) = stories[place].outcome {
        Console.note("pagefall: \(quoted(name)) falls back on every phone (\(reason.rawValue)); pagefall lint says why")
      }
      guard !weights.isEmpty else { continue }
      guard let weight = weight(weights[place]) else {
        throw .usage("--weight is \(quoted(weights[place])); expected a number from 0 to 1000000")
      }
      stories[place].weight = weight
    }
    return stories
  }

  private static func requireOneEach(_ given: Int, _ option: Option, _ messages: Int) throws(CommandError) {
    guard given != messages else { return }
    let times = "\(given) \(given == 1 ? "time" : "times") for \(messages) \(messages == 1 ? "message" : "messages")"
    throw .usage("--\(option.name) is given \(times); give it once for each, in order")
  }

  private static func readMessage(_ path: String) throws(CommandError) -> (bytes: [UInt8], name: String) {
    (try MessageFile.readAll(path), (path as NSString).lastPathComponent)
  }
}
