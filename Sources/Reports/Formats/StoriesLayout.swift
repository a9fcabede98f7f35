import FunnelDocument
import PrintedText

/// Which columns of a table of stories fit, and how wide they are.
struct StoriesLayout {
  /// The columns between the name and the picture, in their order.
  enum Column: CaseIterable {
    case presentations, fallback, sessions, finished, finishedInterval, lastPage, lastPageInterval, tapped,
      tappedInterval
    case devices, deviceShare, pages, firstSeen, lastSeen

    var title: String {
      switch self {
      case .presentations: "presented"
      case .fallback: "fell back"
      case .sessions: "sessions"
      case .finished: "finished"
      case .lastPage: "last page"
      case .tapped: "tapped"
      case .finishedInterval, .lastPageInterval, .tappedInterval: "95%"
      case .devices: "devices"
      case .deviceShare: "known"
      case .pages: "pages"
      case .firstSeen: "first seen"
      case .lastSeen: "last seen"
      }
    }

    var width: Int {
      switch self {
      case .firstSeen, .lastSeen: 12
      case .presentations, .sessions, .finishedInterval, .lastPageInterval, .tappedInterval: 11
      case .fallback, .lastPage, .devices: 10
      case .finished: 9
      case .tapped, .deviceShare: 8
      case .pages: 7
      }
    }
  }

  let nameWidth: Int
  let shown: [Column]
  let sparkline: Sparkline?

  /// What is added as long as there is room, the most wanted first.
  private static let optional: [[Column]] = [
    [.fallback], [], [.lastSeen], [.pages], [.presentations], [.finishedInterval, .lastPageInterval, .tappedInterval],
    [.firstSeen],
  ]
  private static let narrowestPicture = 7

  init(_ report: StoriesReport, columns: Int, widestName: Int) {
    var shown: Set<Column> = [.sessions, .finished, .lastPage, .tapped]
    if report.total.devices != nil { shown.formUnion([.devices, .deviceShare]) }
    func width() -> Int { shown.reduce(0) { $0 + $1.width } }
    let leastName = min(max(widestName, 5), 18)
    let dayCount = report.days.count
    var pictureWidth = 0
    for wanted in Self.optional {
      let free = columns - width() - leastName - pictureWidth
      if wanted.isEmpty {
        // The picture.
        let least = 2 + min(dayCount, Self.narrowestPicture)
        guard dayCount > 1, free >= least else { break }
        pictureWidth = least
      } else {
        guard free >= wanted.reduce(0, { $0 + $1.width }) else { break }
        shown.formUnion(wanted)
      }
    }
    let free = columns - width() - pictureWidth
    nameWidth = min(max(widestName, 5), free)
    sparkline = pictureWidth > 0 ? Sparkline(days: dayCount, atMost: pictureWidth - 2 + free - nameWidth) : nil
    self.shown = Column.allCases.filter { shown.contains($0) }
  }

  /// The names of the columns.
  var header: String {
    DisplayWidth.pad("story", to: nameWidth)
      + shown.map { DisplayWidth.pad($0.title, to: $0.width, isRightAligned: true) }.joined()
  }
}
