import Foundation
import Simulation
import TestSupport

/// A small world with drawn stories, viewers, devices and mishaps, and the way by which its events reach the database.
struct RandomWorld: Sendable {
  /// How the events come in.
  enum Way: Int, CaseIterable {
    case file, fileTwice, filePieces, sender, twiceOverHTTP, halvesToTwoCollectors, allToTwoCollectors, fileThenHTTP
    case client

    /// Whether the first arrival is over HTTP, where times are real.
    var isOverHTTP: Bool {
      switch self {
      case .file, .fileTwice, .filePieces, .fileThenHTTP: false
      case .sender, .twiceOverHTTP, .halvesToTwoCollectors, .allToTwoCollectors, .client: true
      }
    }
  }

  let number: Int
  let way: Way
  let configuration: WorldConfiguration
  /// The zone whose days and hours are compared.
  let zone: TimeZone
  /// What breakdown is compared beside story and day.
  let field: TruthGrouping
  /// Its name for `--by`.
  let fieldName: String
  /// What it has beside stories.
  let surfaces: RandomSurfaces
  /// How many lines of a file go into one request or piece.
  let linesAtOnce: Int

  /// The app that holds it.
  var app: String { configuration.appName }

  /// What a failing test prints: enough to run this world alone.
  var name: String {
    "world \(number) (\(way)): PAGEFALL_WORLDS_SEED=\(SeededGenerator.worldsSeed) PAGEFALL_WORLD=\(number) "
      + "swift test --filter IntegrationTests.RandomWorldTests"
  }

  /// Times may differ by how long a request took where a wrong clock is corrected by it.
  var hasExactTimes: Bool { !way.isOverHTTP || configuration.network.wrongClockShare == 0 }

  /// Titles are the report's where all of a truth's sessions are of one story, and every start may have arrived.
  var hasSureTitles: Bool { configuration.stories.count == 1 && configuration.network.lossShare == 0 }

  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia",
    "Pacific/Kiritimati", "Australia/Lord_Howe", "Asia/Beirut", "America/Santiago",
  ]

  /// Draws a world.
  init(number: Int) throws {
    var generator = SeededGenerator(seed: SeededGenerator.worldsSeed, stream: UInt64(10_000 + number))
    self.number = number
    way = Way.allCases[number % Way.allCases.count]
    let zone = Self.zones.randomElement(using: &generator).flatMap { TimeZone(identifier: $0) } ?? .gmt
    self.zone = zone.identifier == "GMT" ? .gmt : zone
    let names = ["app_version", "app_version", "os_version", "locale", "environment", "property:plan", "sdk_version"]
    fieldName = names.randomElement(using: &generator) ?? names[0]
    field = TruthGrouping(argument: fieldName, timeZone: .gmt) ?? .story
    linesAtOnce = Int.random(in: 1...40, using: &generator)
    let ending =
      way.isOverHTTP
      ? Int64(Date().timeIntervalSince1970) * 1_000_000 : Int64.random(in: Self.endings, using: &generator)
    var world = try Self.configuration(ending: ending, &generator)
    surfaces = try RandomSurfaces(&generator)
    world.appName = "world-\(number)"
    world.richMedia = surfaces.richMedia
    world.responses = surfaces.responses
    if way == .client {
      // The library sends by itself, and always names a story.
      world.network = NetworkConditions()
      world.batching = .session
      world.stories[0].storyID = world.stories[0].storyID ?? "story-0"
    }
    configuration = world
  }

  /// The years 2020 to 2026, in microseconds since 1970.
  private static let endings: ClosedRange<Int64> = 1_577_836_800_000_000...1_795_996_800_000_000

  private static func configuration(
    ending: Int64, _ generator: inout SeededGenerator
  ) throws -> WorldConfiguration {
    let isLooping = Double.random(in: 0..<1, using: &generator) < 0.3
    var world = WorldConfiguration(
      stories: try stories(isLooping: isLooping, &generator), endingMicroseconds: ending)
    world.seed = generator.next()
    world.sessionCount = Int.random(in: 15...65, using: &generator)
    world.spanMicroseconds = Int64.random(in: 1...60, using: &generator) * 43_200_000_000
    world.playerOptions.loopsAfterLastPage = isLooping
    world.fallbackShare = Double.random(in: 0...0.3, using: &generator)
    world.dismissObservedShare = Double.random(in: 0...1, using: &generator)
    if Bool.random(using: &generator) {
      world.batching = .packed(eventCount: Int.random(in: 1...300, using: &generator))
    }
    func sometimes<Value>(_ value: Value, _ otherwise: Value) -> Value {
      Double.random(in: 0..<1, using: &generator) < 0.35 ? value : otherwise
    }
    func share() -> Double { sometimes(Double.random(in: 0...0.5, using: &generator), 0) }
    world.fastTapperShare = share()
    if sometimes(true, false) { world.viewerMix = try .init(json: viewerMix(&generator).utf8) }
    world.environments = sometimes([.init("production", weight: 3), .init("test")], [])
    world.properties = sometimes(
      [.init(name: "plan", values: [.init("free", weight: 2), .init("pro"), .init("ünï\"\\")])], [])
    world.network.duplicateShare = share()
    world.network.reorderShare = share()
    world.network.lossShare = share()
    world.network.lateShare = share()
    world.network.lateSpanMicroseconds = Int64.random(in: 1...500, using: &generator) * 86_400_000_000
    world.network.wrongClockShare = share()
    world.network.clockSkewSpanMicroseconds = Int64.random(in: 1...10_000, using: &generator) * 86_400_000_000
    world.network.retryShare = share()
    return world
  }

  /// One to three; among them one page, no page at all (the phone falls back), and stories without an id.
  private static func stories(isLooping: Bool, _ generator: inout SeededGenerator) throws -> [SimulatedStory] {
    // Tiny pages that loop would make most of the events of all worlds.
    let durations = ["0.25", "1", "4.5", "30", "null"] + (isLooping ? [] : ["0.001"])
    return try (0..<Int.random(in: 1...3, using: &generator)).map { number in
      let pageCount = [0, 1, 1, 2, 3, 4, 6].randomElement(using: &generator) ?? 1
      let pages = (0..<pageCount).map { page in
        let duration = durations.randomElement(using: &generator) ?? "5"
        let button = Bool.random(using: &generator) ? ",\"link\":\"app://\(page)\",\"button_title\":\"Go\"" : ""
        return
          "{\"image\":\"https://example.com/\(page).jpg\",\"duration\":\(duration),\"title\":\"P\(page)\"\(button)}"
      }
      let message = "{\"pages\":[\(pages.joined(separator: ","))]}"
      var story = try SimulatedStory(
        message: message.utf8, fileName: "story-\(number).json", weight: Double.random(in: 0.2...2, using: &generator))
      if number == 0, Double.random(in: 0..<1, using: &generator) < 0.1 { story.storyID = nil }
      return story
    }
  }

  /// A mix as a file.
  private static func viewerMix(_ generator: inout SeededGenerator) -> String {
    func draw(_ from: Double = 0, _ to: Double = 1) -> Double { Double.random(in: from...to, using: &generator) }
    let profiles = (0..<Int.random(in: 1...3, using: &generator)).map { number in
      let weights = ["skip", "back", "button", "hold", "return_after_button", "back_after_finish"]
        .map { "\"\($0)\":\(draw())," }.joined()
      let shortest = draw()
      return "{\"name\":\"drawn \(number)\",\"share\":\(draw(0.01)),\"wait\":\(draw(0.01)),\(weights)"
        + "\"leave\":\(draw(0, 0.5)),\"decide_seconds\":[\(shortest),\(draw(shortest, 6))]}"
    }
    return "{\"profiles\":[\(profiles.joined(separator: ","))],\"broken_link\":\(draw(0, 0.3))}"
  }
}
