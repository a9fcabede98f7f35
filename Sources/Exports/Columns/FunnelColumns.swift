/// The columns of the funnel file: a line for each day, app, story and page (metrics §2). Each rate of a funnel is one of them
/// over another. Over days all counts add up, but for the quantiles, and for those of the page before: a day on which nothing
/// implies a page has no line of it.
enum FunnelColumns {
  /// What is counted of a page.
  private static let page = [
    ExportColumn("impressions", .integer, "The page's page_shown events."),
    ExportColumn("reached_sessions", .integer, "Sessions that showed the page: over sessions, the reach rate."),
    ExportColumn(
      "previous_reached_sessions", .integer,
      "Sessions that showed the page before: below reached_sessions, the step rate; null on page 0. Over several days, add up "
        + "reached_sessions of the page before."),
    ExportColumn(
      "strict_reached_sessions", .integer,
      "Sessions in which the first showings of all pages up to it stand in their order."),
    ExportColumn("previous_strict_reached_sessions", .integer, "The same of the page before; null on page 0."),
    ExportColumn("replays", .integer, "Impressions beyond a session's first: impressions - reached_sessions."),
    ExportColumn(
      "completed_sessions", .integer,
      "Sessions with a departure next, looped or finished: over reached_sessions, the page completion rate."),
    ExportColumn("taps", .integer, "The page's action_tap events."),
    ExportColumn(
      "tapped_sessions", .integer,
      "Sessions that reached it and tapped on it: over reached_sessions, the tap-through rate."),
  ]

  /// How impressions ended, and how long they lasted.
  private static let endings = [
    ExportColumn("departures_next", .integer, "Impressions that were left for the following page."),
    ExportColumn(
      "departures_next_auto", .integer, "Of those, made by the page's timer; null where no duration is known."),
    ExportColumn("departures_next_tap", .integer, "Of those, made by the viewer; null where no duration is known."),
    ExportColumn("departures_back", .integer, "Left for the page before, or page 0 shown again."),
    ExportColumn("departures_looped", .integer, "Left for page 0 from the end."),
    ExportColumn("departures_finished", .integer, "The story finished there."),
    ExportColumn("departures_tapped_out", .integer, "The button was tapped, and nothing followed."),
    ExportColumn("departures_exited", .integer, "The viewer left: over reached_sessions, the exit rate."),
    ExportColumn(
      "departures_unknown", .integer,
      "A lost event hides it. All departures but next_auto and next_tap add up to impressions."),
    ExportColumn("dwells", .integer, "Impressions whose length is known."),
    ExportColumn("dwell_median_ms", .number, unit: "milliseconds", "The median of their lengths; null without any."),
    ExportColumn("dwell_p90_ms", .number, unit: "milliseconds", "Their 90th percentile; null without any."),
  ]

  static let all =
    [StoryColumns.day] + StoryColumns.identity
    + [
      ExportColumn("page_index", .integer, "The played index of the page, from 0 without holes."),
      ExportColumn("title", .text, "The newest title of the page; null where none is known."),
    ] + StoryColumns.sums.map(ofStory) + page + endings

  /// The story's sums stand in each of its lines.
  private static func ofStory(_ column: ExportColumn) -> ExportColumn {
    var column = column
    column.meaning += " Of the story on that day: the same in each of its lines."
    return column
  }
}
