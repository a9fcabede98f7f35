import Postgres

/// What a page looks like, by somebody who knows: the message itself, where events bring details piece by piece.
public struct RegisteredPage: Sendable, Equatable {
  /// The played index, 0 … 999.
  public var index: Int
  /// The overlaid title; nil, as of all texts, where the page has none.
  public var title: String?
  /// The overlaid subtitle.
  public var subtitle: String?
  /// What the button opens.
  public var link: String?
  /// Where the image is.
  public var imageURL: String?
  /// The button's title.
  public var buttonTitle: String?
  /// Seconds on screen.
  public var durationSeconds: Double
  /// Its place in the payload, before unusable pages were dropped.
  public var payloadIndex: Int

  /// Makes a page.
  public init(
    index: Int, title: String? = nil, subtitle: String? = nil, link: String? = nil, imageURL: String? = nil,
    buttonTitle: String? = nil, durationSeconds: Double, payloadIndex: Int
  ) {
    self.index = index
    self.title = title
    self.subtitle = subtitle
    self.link = link
    self.imageURL = imageURL
    self.buttonTitle = buttonTitle
    self.durationSeconds = durationSeconds
    self.payloadIndex = payloadIndex
  }
}

/// The pages of stories, for display.
public enum StoryPageStore {
  /// Sets what the pages of a story look like from now on, until events bring newer details. Pages that are not given stay.
  ///
  /// - Parameters:
  ///   - story: empty for sessions without a story.
  ///   - nowMicroseconds: when, in microseconds since 1970.
  /// - Returns: how many pages are new or look different now.
  /// - Throws: `.database`.
  public static func register(
    _ pages: [RegisteredPage], ofStory story: String, appID: Int32, nowMicroseconds: Int64,
    _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> Int {
    try connection.run(
      statement,
      [
        .int32(appID), .text(story), .int16Array(pages.map { Int16(truncatingIfNeeded: $0.index) }),
        .textArray(pages.map(\.title)), .textArray(pages.map(\.subtitle)), .textArray(pages.map(\.link)),
        .textArray(pages.map(\.imageURL)), .textArray(pages.map(\.buttonTitle)),
        .doubleArray(pages.map(\.durationSeconds)),
        .int32Array(pages.map { Int32(truncatingIfNeeded: $0.payloadIndex) }),
        .timestamp(PostgresTimestamp(microsecondsSince1970: nowMicroseconds)),
      ]
    ).affectedRows
  }

  private static let statement: String = {
    let fields = ["title", "subtitle", "link", "image_url", "button_title", "duration", "payload_index"]
    let names = fields.joined(separator: ", ")
    let present = fields.map { "p.\($0)" }.joined(separator: ", ")
    let given = fields.map { "EXCLUDED.\($0)" }.joined(separator: ", ")
    return """
      INSERT INTO pagefall.story_pages AS p (app_id, story_id, page_index, \(names), updated_at)
      SELECT $1, $2, v.*, $11
      FROM unnest($3::int2[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::float8[], $10::int4[]) AS v
      ORDER BY 3
      ON CONFLICT (app_id, story_id, page_index) DO UPDATE
        SET (\(names), updated_at) = (\(given), EXCLUDED.updated_at)
        WHERE (\(present)) IS DISTINCT FROM (\(given))
      """
  }()
}
