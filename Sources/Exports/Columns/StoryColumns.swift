/// The columns of the stories file: a line for each day, app and story that was presented.
enum StoryColumns {
  static let day = ExportColumn("started_day", .date, "The local day that the sessions started on, in the set's zone.")

  /// Which story.
  static let identity = [
    ExportColumn("app", .text, "The app."),
    ExportColumn("story_id", .text, "The story, as the sender names it; null for sessions that named none."),
  ]

  /// What is counted of a story on a day (metrics §1).
  static let sums = [
    ExportColumn("presentations", .integer, "Sessions with a story event."),
    ExportColumn("fallbacks", .integer, "Presentations with a fallback."),
    ExportColumn("sessions", .integer, "Presentations with a start, page_shown, action_tap or finish."),
    ExportColumn("finished_sessions", .integer, "Sessions with a finish."),
    ExportColumn("reached_last_sessions", .integer, "Sessions that showed their last page."),
    ExportColumn("sessions_with_tap", .integer, "Sessions with an action_tap."),
  ]

  /// Beside the sums: devices, and how far the counts can be trusted (metrics §4).
  private static let further = [
    ExportColumn("pages", .integer, "How many pages its events imply."),
    ExportColumn("presentations_with_device", .integer, "Presentations that say their device."),
    ExportColumn("expected_events", .integer, "Of its sessions: the highest seq plus one, summed."),
    ExportColumn("missing_events", .integer, "Of its sessions: the seq values absent below the highest, summed."),
    ExportColumn("sessions_without_start", .integer, "Sessions without a start."),
    ExportColumn("orphan_taps", .integer, "Taps on a page that was never shown in their session."),
    ExportColumn("negative_dwells", .integer, "Impressions whose end lies before their beginning."),
    ExportColumn("suspect_clock_sessions", .integer, "Sessions whose clock cannot be right."),
    ExportColumn("first_started_at", .timestamp, "The start of its first presentation."),
    ExportColumn("last_started_at", .timestamp, "The start of its last presentation."),
  ]

  static let all = [day] + identity + sums + further
}
