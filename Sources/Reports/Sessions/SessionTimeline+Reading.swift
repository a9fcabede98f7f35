import LocalTime
import Postgres
import PrintedText
import SessionMetrics
import StoryEvents

extension SessionTimeline {
  /// Reads one session, in one read-only snapshot; blocks until it is done.
  ///
  /// - Throws: `.usage` where no session of this id is stored, or the beginning of an id means several; `.database`.
  public static func read(
    _ reference: SessionReference, timeZone: ReportTimeZone, on connection: inout PostgresConnection
  ) throws(ReportError) -> SessionTimeline {
    try ReportSnapshot.read(&connection) { connection in
      guard let id = try reference.find(&connection),
        let timeline = try SessionTimeline(storedID: id, timeZone: timeZone, &connection)
      else { throw try unknown(reference, &connection) }
      return timeline
    }
  }

  /// Says what may have become of a session that is not stored.
  private static func unknown(
    _ reference: SessionReference, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> ReportError {
    let look = try RejectedLook(forUnknown: reference.text, &connection)
    var sentence = "no session '\(reference.text)' is stored"
    if let event = look.events.first {
      let field = event.field.map { " \(DisplayText.escaped($0))" } ?? ""
      sentence += ", but \(FigureText.count(look.found, "rejected event")) of the last day "
      sentence += look.found == 1 ? "names it" : "name it"
      sentence += ": \(DisplayText.escaped(event.code))\(field), pagefall rejected show \(event.handle)"
    } else {
      sentence +=
        ": it may not have arrived yet (pagefall tail --follow --session shows when it does), or be removed; "
        + "no rejected event of the last day names it"
    }
    return .usage(sentence)
  }

  private init?(
    storedID: PostgresUUID, timeZone: ReportTimeZone, _ connection: inout PostgresConnection
  ) throws {
    let apps = try AppDirectory(&connection)
    let titles = try Self.titles(storedID, &connection)
    let details = try Self.details(storedID, &connection)
    let fields = ContextField.allCases.filter { $0 != .properties }
    let columns =
      SessionLine.columns + [.clockOffset, .properties, .property(AutoCloseTimer.property)]
      + fields.map { .context($0) }
    var stream = try SessionStream(ReportScope(), appIDs: nil, columns: columns, narrowing: .one(storedID))
    var read: SessionTimeline?
    try stream.read(&connection) { session, history, row in
      let events = TimelineEvents(copy session, history.events, titles: titles)
      let steps = SessionSteps(copy session)
      var rest = CopyRowReader(bytes: row.columns)
      for _ in SessionLine.columns { _ = try rest.field() }
      let offset = try rest.int64()
      let properties = try rest.text()
      let timer = AutoCloseTimer.seconds(try rest.text())
      var context: [NamedText] = []
      for field in fields {
        if let text = try rest.text() { context.append(NamedText(name: field.name, text: text)) }
      }
      let listed = events.list(most: Self.mostEvents, details: details)
      read = SessionTimeline(
        line: try SessionLine(session, history, row, apps), clockOffsetMicroseconds: offset, context: context,
        properties: properties, events: listed, unlistedEvents: history.events.count - listed.count,
        gaps: events.gaps, steps: steps.all, pages: steps.pages(titles: titles), rejected: RejectedLook(),
        remarks: SurfaceEvents(history.events).sentences(timer: timer) + Self.remarks(session), timeZone: timeZone)
    }
    guard var timeline = read else { return nil }
    if let appID = apps.names.first(where: { $0.value.isSameBytes(as: timeline.line.app) })?.key {
      timeline.rejected = try RejectedLook(
        forSession: timeline.line.id, appID: appID, arrivedAtMicroseconds: timeline.line.arrivedAtMicroseconds,
        &connection)
    }
    self = timeline
  }

  private static func remarks(_ session: borrowing JudgedSession) -> [String] {
    var remarks: [String] = []
    if !session.isPresentation {
      remarks.append("It is no presentation of a story, so no number of a funnel counts it.")
    } else if !session.isStorySession {
      remarks.append("It counts as a presentation only, and in no number of sessions or pages.")
    } else if !session.hasStart {
      remarks.append("It counts among the sessions without a start.")
    }
    if session.isStorySession, session.missingEvents > 0 {
      remarks.append("Events that never arrived may be why a step does not count.")
    }
    return remarks
  }

  private static func titles(
    _ storedID: PostgresUUID, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [Int: String] {
    let result = try connection.execute(
      "SELECT app_id, story_id FROM pagefall.sessions WHERE session_id = $1", [.uuid(storedID)])
    guard result.rowCount == 1 else { return [:] }
    return try StoryDirectory.titles(
      ofStories: [(place: 0, appID: try result[0, 0], story: try result[0, 1])], &connection)[0] ?? [:]
  }

  /// The fields that the judge does not ask for, by `seq`.
  private static func details(
    _ storedID: PostgresUUID, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [Int: [NamedText]] {
    let result = try connection.execute(
      """
      SELECT seq, duration, source, action, reason, content_code, error, category_id, button_id
      FROM pagefall.stored_events WHERE session_id = $1
        AND coalesce(duration::text, source::text, action::text, reason, content_code, error, category_id, button_id) IS NOT NULL
      ORDER BY seq LIMIT \(mostEvents)
      """, [.uuid(storedID)])
    var details: [Int: [NamedText]] = [:]
    for row in 0..<result.rowCount {
      var texts: [NamedText] = []
      if let seconds: Double = try result[row, 1] { texts.append(NamedText(name: "duration", text: "\(seconds)")) }
      if let number: Int16 = try result[row, 2],
        let source = RichMediaSource(rawValue: UInt8(truncatingIfNeeded: number))
      {
        texts.append(NamedText(name: "source", text: source.name))
      }
      if let number: Int16 = try result[row, 3],
        let action = ResponseAction(rawValue: UInt8(truncatingIfNeeded: number))
      {
        texts.append(NamedText(name: "action", text: action.name))
      }
      for (column, name) in ["reason", "content_code", "error", "category_id", "button_id"].enumerated() {
        if let text: String = try result[row, 4 + column] { texts.append(NamedText(name: name, text: text)) }
      }
      let seq: Int32 = try result[row, 0]
      details[Int(seq)] = texts
    }
    return details
  }
}
