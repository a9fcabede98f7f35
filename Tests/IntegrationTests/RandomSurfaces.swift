import FunnelDocument
import Simulation
import TestSupport

/// The rich media and the interactive notifications of a random world, in most of the worlds.
struct RandomSurfaces: Sendable {
  /// Nil where the world has none.
  let richMedia: RichMediaWorld?
  /// Nil where the world has none.
  let responses: ResponseWorld?
  /// The categories as a file.
  let categories: String
  /// Whether they are imported: else the report knows no label.
  let areImported: Bool

  /// Draws some.
  init(_ generator: inout SeededGenerator) throws {
    func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
    categories = Self.categories(&generator)
    areImported = happens(0.7)
    if happens(0.5) {
      var world = try RichMediaWorld(json: Self.richMedia(&generator).utf8)
      world.sessionCount = Int.random(in: 1...50, using: &generator)
      world.mostPerVisit = Int.random(in: 1...6, using: &generator)
      richMedia = world
    } else {
      richMedia = nil
    }
    if happens(0.5) {
      var world = try ResponseWorld(registerDeviceResponse: categories.utf8)
      world.sessionCount = Int.random(in: 1...40, using: &generator)
      world.buttonWeight = Double.random(in: 0...9, using: &generator)
      world.uncategorisedShare = Double.random(in: 0...0.5, using: &generator)
      responses = world
    } else {
      responses = nil
    }
  }

  /// A description as a file; two contents may have one code.
  private static func richMedia(_ generator: inout SeededGenerator) -> String {
    let style = ["modal", "modal", "full_screen", "animated_full_screen"].randomElement(using: &generator) ?? "modal"
    let contents = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      let code = ["r-1A", "r-2B", "3C", "\u{fc}\\\"\\\\"].randomElement(using: &generator) ?? "r-1A"
      let source = ["\"push\"", "\"in_app\"", "null"].randomElement(using: &generator) ?? "null"
      let failure = Double.random(in: 0...0.5, using: &generator)
      let timer = ["null", "0.25", "2.5", "8", "60"].randomElement(using: &generator) ?? "null"
      let longest = Double.random(in: 0.1...30, using: &generator)
      return """
        {"code":"\(code)","source":\(source),"failure":\(failure),"open_seconds":[0,\(longest)],
         "window":{"auto_close_seconds":\(timer),"swipe_directions":["down","up"]}}
        """
    }
    return "{\"style\":\"\(style)\",\"contents\":[\(contents.joined(separator: ","))]}"
  }

  /// A `registerDevice` response: one to three categories, of none to four buttons.
  private static func categories(_ generator: inout SeededGenerator) -> String {
    let categories = (0..<Int.random(in: 1...3, using: &generator)).map { number in
      let buttons = (0..<Int.random(in: 0...4, using: &generator)).map { place in
        let id = Bool.random(using: &generator) ? "\(place)" : "\"b\(place)\""
        let flags = "\"type\":\"\(place % 2)\",\"startApplication\":\(Int.random(in: 0...1, using: &generator))"
        return "{\"id\":\(id),\"label\":\"L\(place) \u{fc}\",\(flags)}"
      }
      return "{\"categoryId\":\(60 + number),\"buttons\":[\(buttons.joined(separator: ","))]}"
    }
    return "{\"response\":{\"iosCategories\":[\(categories.joined(separator: ","))]}}"
  }
}

/// What the reports of a world's other surfaces must show, with groups.
struct RandomSurfaceTruth: Sendable {
  let richMedia: RichMediaReport?
  let buttons: ButtonsReport?

  init(_ summary: SimulationSummary, _ world: RandomWorld) {
    richMedia = summary.richMediaTruth
    buttons = world.surfaces.areImported ? summary.buttonsTruth : summary.buttonsTruth?.withoutImport
  }
}

extension ButtonsReport {
  /// What it shows where nobody has imported the categories: ids alone, and what nobody pressed is unknown.
  fileprivate var withoutImport: ButtonsReport {
    func unknown(_ lines: [CategoryLine]) -> [CategoryLine] {
      lines.map { line in
        let buttons = line.buttons.filter { $0.responses > 0 }
          .map { ButtonLine(buttonID: $0.buttonID, responses: $0.responses) }
        return CategoryLine(
          app: line.app, categoryID: line.categoryID, counts: line.counts,
          buttons: buttons.sorted(by: ButtonLine.precedes))
      }
    }
    var report = self
    report.categories = unknown(categories)
    report.groups = groups?.map { group in
      var group = group
      group.categories = unknown(group.categories)
      return group
    }
    return report
  }
}
