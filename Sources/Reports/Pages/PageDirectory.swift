import LocalTime
import Postgres

/// What the pages of a story look like: their newest details, and what they were before (docs/storage.md).
struct PageDirectory {
  /// What a page is called and where it leads.
  struct Page {
    var title: String?
    var link: String?
  }

  /// By page index.
  let pages: [Int: Page]
  /// The changes within the range, the oldest first.
  let changes: [PageChange]

  /// For reports of several stories, whose pages are not the same pages.
  static let nothing = PageDirectory(pages: [:], changes: [])

  private init(pages: [Int: Page], changes: [PageChange]) {
    self.pages = pages
    self.changes = changes
  }

  /// Reads the pages of a story, over the apps of the scope.
  ///
  /// - Parameters:
  ///   - story: nil for the sessions without a story.
  ///   - appIDs: nil for all.
  init(
    ofStory story: String?, appIDs: [Int32]?, _ scope: ReportScope, _ connection: inout PostgresConnection
  ) throws(PostgresError) {
    let parameters: [PostgresValue] = [.text(story ?? ""), appIDs.map { .int32Array($0) } ?? .null]
    let newest = try connection.execute(
      """
      SELECT page_index,
        (array_agg(title ORDER BY updated_at DESC, app_id) FILTER (WHERE title IS NOT NULL))[1],
        (array_agg(link ORDER BY updated_at DESC, app_id) FILTER (WHERE link IS NOT NULL))[1]
      FROM pagefall.story_pages WHERE story_id = $1 AND ($2::integer[] IS NULL OR app_id = ANY ($2))
      GROUP BY page_index
      """, parameters)
    var pages: [Int: Page] = [:]
    for row in 0..<newest.rowCount {
      pages[Int(try newest[row, 0] as Int16)] = Page(title: try newest[row, 1], link: try newest[row, 2])
    }
    self.pages = pages
    changes = try Self.readChanges(parameters, scope, &connection)
  }

  /// What a page was stands in the row of its change; what it became in that of the next one, or is what it is now.
  private static func readChanges(
    _ parameters: [PostgresValue], _ scope: ReportScope, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [PageChange] {
    let fields = ["title", "subtitle", "link", "image_url", "button_title"]
    let columns = fields.map { "v.\($0), lead(v.\($0)) OVER in_order" }.joined(separator: ", ")
    let names = fields.joined(separator: ", ")
    let condition = "story_id = $1 AND ($2::integer[] IS NULL OR app_id = ANY ($2))"
    let result = try connection.execute(
      """
      SELECT * FROM (
        SELECT v.page_index, v.changed_at, \(columns)
        FROM (
          SELECT app_id, page_index, changed_at, \(names) FROM pagefall.story_page_changes WHERE \(condition)
          UNION ALL
          SELECT app_id, page_index, 'infinity', \(names) FROM pagefall.story_pages WHERE \(condition)
        ) v
        WINDOW in_order AS (PARTITION BY v.app_id, v.page_index ORDER BY v.changed_at)
      ) c
      WHERE changed_at < 'infinity'
        AND changed_at >= \(scope.range.fromMicroseconds.map(SessionQuery.instant) ?? "'-infinity'")
        AND changed_at < \(scope.range.toMicroseconds.map(SessionQuery.instant) ?? "'infinity'")
      ORDER BY changed_at, page_index
      """, parameters)
    var changes: [PageChange] = []
    for row in 0..<result.rowCount {
      var changed: [PageChange.FieldChange] = []
      for (place, name) in fields.enumerated() {
        let before: String? = try result[row, 2 + 2 * place]
        let after: String? = try result[row, 3 + 2 * place]
        if let before, after.map({ !before.isSameBytes(as: $0) }) ?? true {
          changed.append(PageChange.FieldChange(name: name, before: before, after: after))
        }
      }
      guard !changed.isEmpty else { continue }
      let changedAt: PostgresTimestamp = try result[row, 1]
      changes.append(
        PageChange(
          index: Int(try result[row, 0] as Int16),
          changedAt: TimestampText.rfc3339(changedAt.microsecondsSince1970, in: scope.timeZone), fields: changed))
    }
    return changes
  }
}
