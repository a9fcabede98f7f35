import FunnelDocument
import TestSupport
import Testing

/// The views for people with SQL (docs/views.md): what is promised of their columns, who may read them, and what they cost.
@Suite struct ViewTests {
  private static let context = """
    message_hash text, message_id text, campaign_id text, device_id text, user_id text, app_version text, \
    os_version text, device_model text, locale text, sdk_version text, environment text, properties jsonb
    """

  /// The promise. A column is only ever appended: who changes this list otherwise breaks somebody's dashboard.
  private static let columns = [
    "pagefall_events_v1": """
    app text, story_id text, session_id uuid, seq integer, type text, at timestamp with time zone, \
    page_index integer, page_count integer, duration_seconds double precision, page_durations double precision[], \
    source text, action text, reason text, content_code text, error text, category_id text, button_id text, \
    started_at timestamp with time zone, arrived_at timestamp with time zone, clock_offset_us bigint, \
    suspect_clock boolean, \(context)
    """,
    "pagefall_sessions_v1": """
    app text, story_id text, session_id uuid, started_at timestamp with time zone, \
    arrived_at timestamp with time zone, clock_offset_us bigint, suspect_clock boolean, \(context), events bigint, \
    expected_events bigint, missing_events bigint, is_presentation boolean, is_story_session boolean, \
    is_fallback boolean, is_finished boolean, has_reached_last boolean, is_tapped boolean, has_start boolean, \
    page_count integer, impressions bigint, pages_reached integer, taps bigint
    """,
    "pagefall_funnel_daily_v1": """
    day date, app text, story_id text, page_index integer, title text, presentations bigint, fallbacks bigint, \
    sessions bigint, finished_sessions bigint, reached_last_sessions bigint, sessions_with_tap bigint, \
    impressions bigint, reached_sessions bigint, previous_reached_sessions bigint, strict_reached_sessions bigint, \
    previous_strict_reached_sessions bigint, replays bigint, completed_sessions bigint, taps bigint, \
    tapped_sessions bigint, departures_next bigint, departures_next_auto bigint, departures_next_tap bigint, \
    departures_back bigint, departures_looped bigint, departures_finished bigint, departures_tapped_out bigint, \
    departures_exited bigint, departures_unknown bigint, dwells bigint, dwell_median_ms double precision, \
    dwell_p90_ms double precision
    """,
  ]

  @Test(arguments: columns.keys.sorted()) func `names, types and order of the columns are the promised ones`(
    view: String
  ) throws {
    let database = try TestDatabase.unchanged()
    let columns = try database.psql(
      """
      SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
      FROM pg_attribute WHERE attrelid = 'public.\(view)'::regclass AND attnum > 0
      """)
    #expect(columns == Self.columns[view])
  }

  @Test(arguments: columns.keys.sorted()) func `the view and every column have a comment`(view: String) throws {
    let database = try TestDatabase.unchanged()
    let silent = try database.psql(
      """
      SELECT attname FROM pg_attribute
      WHERE attrelid = 'public.\(view)'::regclass AND attnum > 0 AND col_description(attrelid, attnum) IS NULL
      UNION ALL SELECT 'the view' WHERE obj_description('public.\(view)'::regclass) IS NULL
      """)
    #expect(silent == "")
  }

  @Test func `grant_report alone lets a role read all three, and nobody else reads one`() throws {
    let world = try CountedWorld.all.get()[1]
    let role = "\(world.database.name)_analyst"
    _ = try world.database.psql("CREATE ROLE \(role)")
    defer { _ = try? world.database.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
    for view in Self.columns.keys {
      let question = "SET ROLE \(role); SELECT count(*) > 0 FROM \(view)"
      #expect(throws: TestSupportError.self) { try world.database.psql(question) }
    }
    _ = try world.database.psql("SELECT pagefall.grant_report('\(role)')")
    for view in Self.columns.keys {
      // Every column, not only the rows.
      let question = "SET ROLE \(role); SELECT count(v) > 0 FROM (SELECT * FROM \(view)) v"
      #expect(try world.database.psql(question) == "t", "\(view)")
    }
  }

  // MARK: What is read

  @Test func `who asks the sessions view for no fact reads no event`() throws {
    let world = try CountedWorld.all.get()[2]
    let asksNothing = "SELECT app, story_id, device_id, started_at, properties FROM pagefall_sessions_v1"
    #expect(try !world.database.psql("EXPLAIN \(asksNothing)").contains("stored_events"))
    #expect(try !world.database.psql("EXPLAIN SELECT count(*) FROM pagefall_sessions_v1").contains("stored_events"))
    let asks = "SELECT app, is_finished FROM pagefall_sessions_v1"
    #expect(try world.database.psql("EXPLAIN \(asks)").contains("stored_events"))
  }

  @Test(arguments: [
    "day = '2026-11-05'", "day >= '2026-11-10'", "app = 'odd'", "story_id = 'odd'", "story_id IS NULL",
    "day = '2026-11-05' AND app = 'odd' AND story_id = 'odd'", "app = 'nobody'",
  ])
  func `a condition on the funnel view keeps all other sessions' events unread`(condition: String) throws {
    let world = try CountedWorld.all.get()[3]
    let inScope = try world.database.psql(
      """
      SELECT count(*) FROM
        (SELECT *, (started_at AT TIME ZONE 'UTC')::date AS day FROM pagefall_events_v1) e WHERE \(condition)
      """)
    let plan = try JSONValue(
      text: try world.value(
        "EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM pagefall_funnel_daily_v1 WHERE \(condition)"))
    let read = try Self.eventsRead(#require(plan.arrayValue?.first?["Plan"]))
    // Once for what each session counts for, once for its pages.
    #expect(read <= 2 * (try #require(Double(inScope))), "\(condition)")
    #expect((read > 0) == (inScope != "0"), "\(condition)")
    #expect(try world.database.psql("SELECT count(*) FROM pagefall_events_v1") != inScope, "\(condition)")
  }

  /// How many rows of the events' tables a plan's nodes gave, at the least: a plan has each node's average, rounded.
  private static func eventsRead(_ node: JSONValue) -> Double {
    let isScan = node["Relation Name"]?.stringValue?.hasPrefix("stored_events") ?? false
    let own = max(0, (node["Actual Rows"]?.doubleValue ?? 0) - 0.5) * (node["Actual Loops"]?.doubleValue ?? 0)
    return (node["Plans"]?.arrayValue ?? []).map(eventsRead).reduce(isScan ? own : 0, +)
  }
}
