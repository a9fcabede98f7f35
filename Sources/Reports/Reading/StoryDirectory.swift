import Postgres

/// What the database knows about stories beside their sessions.
package enum StoryDirectory {
  /// The titles of the pages of several stories, by the place that is given for each, and by page.
  ///
  /// - Parameter stories: nil for the sessions of an app without a story.
  package static func titles(
    ofStories stories: [(place: Int, appID: Int32, story: String?)], _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [Int: [Int: String]] {
    let result = try connection.execute(
      """
      SELECT v.place, p.page_index, p.title
      FROM unnest($1::int4[], $2::int4[], $3::text[]) AS v(place, app_id, story_id)
      JOIN pagefall.story_pages p USING (app_id, story_id) WHERE p.title IS NOT NULL
      """,
      [
        .int32Array(stories.map { Int32($0.place) }), .int32Array(stories.map(\.appID)),
        .textArray(stories.map { $0.story ?? "" }),
      ])
    var titles: [Int: [Int: String]] = [:]
    for row in 0..<result.rowCount {
      let place: Int32 = try result[row, 0]
      let page: Int16 = try result[row, 1]
      titles[Int(place), default: [:]][Int(page)] = try result[row, 2] as String
    }
    return titles
  }

  /// Throws where no session of the apps has ever named this story: an empty report would hide a slip of the pen.
  static func requireStory(
    _ story: String, appIDs: [Int32]?, _ connection: inout PostgresConnection
  ) throws {
    let apps: PostgresValue = appIDs.map { .int32Array($0) } ?? .null
    let known = try connection.execute(
      """
      SELECT EXISTS (
        SELECT FROM pagefall.sessions WHERE story_id = $1 AND ($2::integer[] IS NULL OR app_id = ANY ($2)))
      """, [.text(story), apps])
    if try known[0, 0] { return }
    let stories = try connection.execute(
      """
      SELECT story_id FROM pagefall.sessions
      WHERE story_id IS NOT NULL AND ($1::integer[] IS NULL OR app_id = ANY ($1))
      GROUP BY story_id ORDER BY count(*) DESC, story_id LIMIT 100
      """, [apps])
    var names: [String] = []
    for row in 0..<stories.rowCount { names.append(try stories[row, 0]) }
    throw ReportError.usage(
      "there is no story \(QuotedText.of(story)); "
        + NameList.sentence(names, none: "no session has named a story yet"))
  }
}
