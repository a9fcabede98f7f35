import FunnelDocument
import StoryEvents
import StoryPlayback

/// Counts what a report of buttons must show once the world's categories are imported, by the definitions of
/// docs/buttons.md in plain Swift. It shares nothing with the reports.
struct ResponseTruth: Sendable {
  private var total = Lines()
  private var groups = GroupTallies(Lines())
  private var naming: GroupNaming
  private var suspectClockSessions = 0
  private let categories: [NotificationCategory]

  private struct Lines: Sendable {
    var all = ResponseCounts()
    /// By `category_id`; nothing stands for none, which no category is called.
    var byCategory = GroupTallies(Category())
  }

  private struct Category: Sendable {
    var counts = ResponseCounts()
    var byButton = GroupTallies(0)
  }

  init(_ world: ResponseWorld, _ configuration: WorldConfiguration) {
    naming = GroupNaming(configuration)
    categories = world.categories
  }

  /// Counts a session from the events that are delivered of it: its first answer is what counts.
  mutating func count(_ session: SimulatedSession) {
    let events = SessionEvents(session.events)
    guard let first = events.events.first(where: { $0.type == .notificationResponse }), let action = first.action else {
      return
    }
    if session.hasSuspectClock { suspectClockSessions += 1 }
    func count(_ lines: inout Lines) {
      lines.all.count(action, of: events)
      lines.byCategory.update(first.categoryID ?? "") { category in
        category.counts.count(action, of: events)
        if action == .button { category.byButton.update(first.buttonID ?? "") { $0 += 1 } }
      }
    }
    count(&total)
    if naming.isExplicit { groups.update(naming.name(of: session), count) }
  }

  /// The report; with groups where the configuration asks for some.
  func report(_ configuration: WorldConfiguration, dataThrough: String?) -> ButtonsReport {
    let named = zip(groups.names, groups.tallies).map { name, tally in
      ButtonsGroup(name: name, counts: tally.all, categories: lines(tally, app: configuration.appName))
    }
    return ButtonsReport(
      generatedAt: TimestampWriter.text(configuration.endingMicroseconds), dataThrough: dataThrough,
      scope: configuration.surfaceScope, total: total.all, categories: lines(total, app: configuration.appName),
      groups: naming.isExplicit ? naming.ordered(named, name: \.name) { $0.counts.responses } : nil,
      losses: SurfaceLosses(suspectClockSessions: suspectClockSessions))
  }

  private func lines(_ lines: Lines, app: String) -> [CategoryLine] {
    zip(lines.byCategory.names, lines.byCategory.tallies).map { id, tally in
      let category = id.isEmpty ? nil : categories.first { $0.id == id }
      return CategoryLine(
        app: app, categoryID: id.isEmpty ? nil : id, isKnown: category != nil, counts: tally.counts,
        buttons: buttons(category, tally.byButton))
    }.sorted(by: CategoryLine.precedes)
  }

  /// All buttons of the category in their order, also those that nobody pressed.
  private func buttons(_ category: NotificationCategory?, _ pressed: GroupTallies<Int>) -> [ButtonLine] {
    let counts = zip(pressed.names, pressed.tallies)
    return (category?.buttons ?? []).map { button in
      ButtonLine(
        buttonID: button.id, label: button.label, isDestructive: button.isDestructive, opensApp: button.opensApp,
        isCurrent: true, responses: counts.first { $0.0.utf8.elementsEqual(button.id.utf8) }?.1 ?? 0)
    }
  }
}

extension ResponseCounts {
  fileprivate mutating func count(_ action: ResponseAction, of session: SessionEvents) {
    responses += 1
    switch action {
    case .button: buttonResponses += 1
    case .default: opens += 1
    case .dismiss: dismissals += 1
    }
    expectedEvents += session.expectedCount
    missingEvents += session.missingCount
  }
}
