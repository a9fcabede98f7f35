/// The columns of the events file: a line an event.
enum EventColumns {
  /// The event itself.
  static let event = [
    ExportColumn(
      "seq", .integer, "The event's number within its session, from 0; with session_id it is the event's key."),
    ExportColumn(
      "type", .text,
      "What happened: start, page_shown, action_tap, finish, fallback, dismiss, rich_media_deferred, rich_media_presented, "
        + "rich_media_closed, rich_media_failed or notification_response."),
    ExportColumn("at", .timestamp, "When it happened by the device's own clock, not corrected."),
    ExportColumn("at_day", .date, "The local day of at, in the set's zone."),
    ExportColumn("page_index", .integer, "The played index of the page, from 0."),
    ExportColumn("page_count", .integer, "Of a start: how many pages the story has."),
    ExportColumn(
      "duration_seconds", .number, unit: "seconds", "How long the page was to stay on screen, where the event said so."),
    ExportColumn(
      "page_durations", .json, unit: "seconds",
      "Of a start with pages: an array of the duration of each page, null where it is unknown."),
    ExportColumn("source", .text, "Where a rich media came from: push or in_app."),
    ExportColumn("action", .text, "How a notification was answered: button, default (a plain open) or dismiss."),
    ExportColumn("reason", .text, "Of a fallback: why."),
    ExportColumn("content_code", .text, "Which rich media."),
    ExportColumn("error", .text, "Of a failed rich media: what failed."),
    ExportColumn("category_id", .text, "Of a response by a button: the notification's category."),
    ExportColumn("button_id", .text, "Of a response by a button: which button."),
  ]

  static let all = ContextColumns.identity + event + ContextColumns.context
}
