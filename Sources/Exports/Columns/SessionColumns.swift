/// The columns of the sessions file: a line a session, whatever it counts for.
enum SessionColumns {
  /// What the session counts for (metrics §1 and §4).
  static let counts = [
    ExportColumn("events", .integer, "Its events."),
    ExportColumn("expected_events", .integer, "The events that it must have had: the highest seq, plus one."),
    ExportColumn("missing_events", .integer, "The seq values absent below the highest."),
    ExportColumn(
      "is_presentation", .boolean,
      "Whether it has a story event: start, page_shown, action_tap, finish, fallback or dismiss."),
    ExportColumn(
      "is_story_session", .boolean, "Whether it has a start, page_shown, action_tap or finish: a session of the funnel."
    ),
    ExportColumn("is_fallback", .boolean, "Whether it has a fallback."),
    ExportColumn("is_finished", .boolean, "Whether it has a finish."),
    ExportColumn(
      "has_reached_last", .boolean, "Whether it showed page page_count - 1; false where page_count is null."),
    ExportColumn("is_tapped", .boolean, "Whether it has an action_tap."),
    ExportColumn("has_start", .boolean, "Whether it has a start."),
    ExportColumn("page_count", .integer, "The page count of its first start; null where it has none."),
    ExportColumn("impressions", .integer, "Its page_shown events."),
    ExportColumn("pages_reached", .integer, "The distinct pages it showed."),
    ExportColumn("taps", .integer, "Its action_tap events."),
  ]

  static let all = ContextColumns.identity + ContextColumns.context + counts
}
