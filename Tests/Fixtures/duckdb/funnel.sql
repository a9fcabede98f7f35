-- The numbers of metrics §1, §2 and §4, from exported events files alone: a JSON object an app and story, in the shape of
-- metrics §5. (What devices say they dropped, and rejected events, are in no session.) For DuckDB:
--
--   SET VARIABLE events = 'exports/day=*/events.csv.gz';
--   .read funnel.sql
--
-- Sentence by sentence as docs/metrics.md has it, by joins and without a thought for speed: what other ways of counting
-- have to agree with.

WITH
event AS MATERIALIZED (
  SELECT
    app, story_id, session_id, CAST(seq AS BIGINT) AS seq, type, epoch_us(CAST(rtrim("at", 'Z') AS TIMESTAMP)) AS at_us,
    CAST(page_index AS BIGINT) AS page_index, CAST(page_count AS BIGINT) AS page_count,
    CAST(duration_seconds AS DOUBLE) AS duration_seconds,
    CAST(CAST(page_durations AS JSON) AS DOUBLE[]) AS page_durations,
    CAST(suspect_clock AS BOOLEAN) AS suspect_clock
  FROM read_csv(getvariable('events'), header = true, auto_detect = false, delim = ',', quote = '"', escape = '"',
    allow_quoted_nulls = false, columns = {
      'app': 'VARCHAR', 'story_id': 'VARCHAR', 'session_id': 'VARCHAR', 'seq': 'VARCHAR', 'type': 'VARCHAR',
      'at': 'VARCHAR', 'at_day': 'VARCHAR', 'page_index': 'VARCHAR', 'page_count': 'VARCHAR',
      'duration_seconds': 'VARCHAR', 'page_durations': 'VARCHAR', 'source': 'VARCHAR', 'action': 'VARCHAR',
      'reason': 'VARCHAR', 'content_code': 'VARCHAR', 'error': 'VARCHAR', 'category_id': 'VARCHAR',
      'button_id': 'VARCHAR', 'started_at': 'VARCHAR', 'started_day': 'VARCHAR', 'arrived_at': 'VARCHAR',
      'arrived_day': 'VARCHAR', 'clock_offset_us': 'VARCHAR', 'suspect_clock': 'VARCHAR', 'message_hash': 'VARCHAR',
      'message_id': 'VARCHAR', 'campaign_id': 'VARCHAR', 'device_id': 'VARCHAR', 'user_id': 'VARCHAR',
      'app_version': 'VARCHAR', 'os_version': 'VARCHAR', 'device_model': 'VARCHAR', 'locale': 'VARCHAR',
      'sdk_version': 'VARCHAR', 'environment': 'VARCHAR', 'properties': 'VARCHAR'})
),

-- Sessions (metrics §1).
presentation AS MATERIALIZED (
  SELECT
    app, story_id, session_id, any_value(suspect_clock) AS suspect_clock,
    coalesce(bool_or(type IN ('start', 'page_shown', 'action_tap', 'finish')), false) AS is_session,
    bool_or(type = 'fallback') AS is_fallback,
    bool_or(type = 'finish') AS is_finished,
    bool_or(type = 'action_tap') AS is_tapped,
    bool_or(type = 'start') AS has_start,
    first(page_count ORDER BY seq) FILTER (type = 'start') AS page_count,
    first(page_durations ORDER BY seq) FILTER (type = 'start') AS page_durations,
    count(*) AS events,
    max(seq) AS last_seq
  FROM event
  GROUP BY app, story_id, session_id
  HAVING bool_or(type IN ('start', 'page_shown', 'action_tap', 'finish', 'fallback', 'dismiss'))
),
story AS (
  SELECT
    p.app, p.story_id,
    count(*) AS presentations,
    count(*) FILTER (is_fallback) AS fallbacks,
    count(*) FILTER (is_session) AS sessions,
    count(*) FILTER (is_finished) AS finished_sessions,
    count(*) FILTER (EXISTS (
      SELECT 1 FROM event e
      WHERE e.session_id = p.session_id AND e.type = 'page_shown' AND e.page_index = p.page_count - 1
    )) AS reached_last_sessions,
    count(*) FILTER (is_tapped) AS tapped_sessions,
    max(p.page_count) AS page_count
  FROM presentation p
  GROUP BY p.app, p.story_id
),

-- Impressions (metrics §2): the next one, the events of the stay before it, and what ends the dwell.
shown AS MATERIALIZED (
  SELECT
    p.app, p.story_id, p.page_count, p.page_durations, p.last_seq, e.session_id, e.seq, e.at_us, e.page_index,
    e.duration_seconds,
    lead(e.seq) OVER by_seq AS next_seq,
    lead(e.page_index) OVER by_seq AS next_page
  FROM event e JOIN presentation p USING (session_id)
  WHERE e.type = 'page_shown'
  WINDOW by_seq AS (PARTITION BY e.session_id ORDER BY e.seq)
),
stay AS (
  SELECT
    s.session_id, s.seq,
    count(*) FILTER (e.type = 'finish') > 0 AS has_finish,
    count(*) FILTER (e.type = 'action_tap') > 0 AS has_tap,
    -- The events after the impression up to the next one or the session's last: as many as their numbers say?
    count(e.seq) < coalesce(s.next_seq - 1, s.last_seq) - s.seq AS has_gap
  FROM shown s
  LEFT JOIN event e ON e.session_id = s.session_id AND e.seq > s.seq AND e.seq < coalesce(s.next_seq, s.last_seq + 1)
  GROUP BY s.session_id, s.seq, s.next_seq, s.last_seq
),
dwell_end AS (
  SELECT s.session_id, s.seq, min(e.seq) AS end_seq, arg_min(e.at_us, e.seq) AS end_us
  FROM shown s
  JOIN event e ON e.session_id = s.session_id AND e.seq > s.seq AND e.type IN ('page_shown', 'finish', 'dismiss')
  GROUP BY s.session_id, s.seq
),
-- Negative where the device's clock was set back; null where there is no end, or a number is missing before it.
dwell AS (
  SELECT
    s.session_id, s.seq,
    CASE WHEN count(e.seq) = d.end_seq - s.seq THEN d.end_us - s.at_us END AS length_us
  FROM shown s
  JOIN dwell_end d USING (session_id, seq)
  JOIN event e ON e.session_id = s.session_id AND e.seq > s.seq AND e.seq <= d.end_seq
  GROUP BY s.session_id, s.seq, s.at_us, d.end_seq, d.end_us
),
impression AS MATERIALIZED (
  SELECT
    s.app, s.story_id, s.session_id, s.page_index, d.length_us,
    CASE
      WHEN t.has_gap THEN 'unknown'
      WHEN s.next_seq IS NULL THEN CASE WHEN t.has_finish THEN 'finished' WHEN t.has_tap THEN 'tapped_out' ELSE 'exited' END
      WHEN s.next_page = s.page_index + 1 THEN 'next'
      WHEN s.next_page = s.page_index - 1 THEN 'back'
      WHEN s.page_index = 0 AND s.next_page = 0 AND NOT t.has_finish THEN 'back'
      WHEN s.next_page = 0 AND t.has_finish THEN 'looped'
      WHEN s.next_page = 0 AND s.page_index = s.page_count - 1 THEN 'looped'
      ELSE 'unknown'
    END AS departure,
    coalesce(s.duration_seconds, s.page_durations[s.page_index + 1]) AS duration_seconds
  FROM shown s JOIN stay t USING (session_id, seq) LEFT JOIN dwell d USING (session_id, seq)
),
impressions AS (
  SELECT
    app, story_id, page_index,
    count(*) AS impressions,
    count(DISTINCT session_id) AS sessions,
    count(DISTINCT session_id) FILTER (departure IN ('next', 'looped', 'finished')) AS completed_sessions,
    count(*) FILTER (departure = 'next') AS "next",
    count(*) FILTER (departure = 'next' AND duration_seconds IS NOT NULL) AS next_timed,
    count(*) FILTER (
      departure = 'next' AND length_us >= 0 AND length_us >= round(duration_seconds * 1000000) - 250000) AS next_auto,
    count(*) FILTER (departure = 'back') AS back,
    count(*) FILTER (departure = 'looped') AS looped,
    count(*) FILTER (departure = 'finished') AS finished,
    count(*) FILTER (departure = 'tapped_out') AS tapped_out,
    count(*) FILTER (departure = 'exited') AS exited,
    count(*) FILTER (departure = 'unknown') AS unknown,
    count(*) FILTER (length_us < 0) AS negative_dwells,
    list(length_us ORDER BY length_us) FILTER (length_us >= 0) AS dwells
  FROM impression
  GROUP BY app, story_id, page_index
),

-- The first showings of pages 0 to i exist and stand in this order.
first_shown AS MATERIALIZED (
  SELECT app, story_id, session_id, page_index, min(seq) AS seq FROM shown GROUP BY ALL
),
strict_sessions AS (
  SELECT f.app, f.story_id, f.page_index, count(*) AS strict_sessions
  FROM first_shown f
  WHERE f.page_index = (
      SELECT count(*) FROM first_shown b WHERE b.session_id = f.session_id AND b.page_index < f.page_index)
    AND NOT EXISTS (
      SELECT 1 FROM first_shown b JOIN first_shown c USING (session_id)
      WHERE b.session_id = f.session_id AND b.page_index < c.page_index AND c.page_index <= f.page_index AND b.seq > c.seq)
  GROUP BY ALL
),
taps AS (
  SELECT
    p.app, p.story_id, e.page_index,
    count(*) AS taps,
    count(DISTINCT e.session_id) FILTER (f.session_id IS NOT NULL) AS tapped_sessions,
    count(*) FILTER (f.session_id IS NULL) AS orphan_taps
  FROM event e
  JOIN presentation p USING (session_id)
  LEFT JOIN first_shown f ON f.session_id = e.session_id AND f.page_index = e.page_index
  WHERE e.type = 'action_tap'
  GROUP BY p.app, p.story_id, e.page_index
),

-- Pages from 0 to the largest that is shown, tapped or implied, without holes.
page AS (
  SELECT s.app, s.story_id, unnest(range(greatest(
    s.page_count,
    (SELECT max(i.page_index) + 1 FROM impressions i WHERE i.app = s.app AND i.story_id IS NOT DISTINCT FROM s.story_id),
    (SELECT max(t.page_index) + 1 FROM taps t WHERE t.app = s.app AND t.story_id IS NOT DISTINCT FROM s.story_id)
  ))) AS index
  FROM story s
),
pages AS (
  SELECT
    p.app, p.story_id,
    list({
      'index': p.index,
      'impressions': coalesce(i.impressions, 0),
      'sessions': coalesce(i.sessions, 0),
      'strict_sessions': coalesce(o.strict_sessions, 0),
      'replays': coalesce(i.impressions - i.sessions, 0),
      'completed_sessions': coalesce(i.completed_sessions, 0),
      'taps': coalesce(t.taps, 0),
      'tapped_sessions': coalesce(t.tapped_sessions, 0),
      'departures': {
        'next': coalesce(i."next", 0),
        'next_auto': CASE WHEN i.next_timed > 0 THEN i.next_auto END,
        'next_tap': CASE WHEN i.next_timed > 0 THEN i.next_timed - i.next_auto END,
        'back': coalesce(i.back, 0),
        'looped': coalesce(i.looped, 0),
        'finished': coalesce(i.finished, 0),
        'tapped_out': coalesce(i.tapped_out, 0),
        'exited': coalesce(i.exited, 0),
        'unknown': coalesce(i.unknown, 0)
      },
      'dwell_ms': {
        'count': coalesce(len(i.dwells), 0),
        'median': i.dwells[(len(i.dwells) + 1) // 2] / 1000,
        'p90': i.dwells[(9 * len(i.dwells) + 9) // 10] / 1000
      }
    } ORDER BY p.index) AS pages,
    CAST(coalesce(sum(t.orphan_taps), 0) AS BIGINT) AS orphan_taps,
    CAST(coalesce(sum(i.negative_dwells), 0) AS BIGINT) AS negative_dwells
  FROM page p
  LEFT JOIN impressions i
    ON i.app = p.app AND i.story_id IS NOT DISTINCT FROM p.story_id AND i.page_index = p.index
  LEFT JOIN strict_sessions o
    ON o.app = p.app AND o.story_id IS NOT DISTINCT FROM p.story_id AND o.page_index = p.index
  LEFT JOIN taps t ON t.app = p.app AND t.story_id IS NOT DISTINCT FROM p.story_id AND t.page_index = p.index
  GROUP BY p.app, p.story_id
),

-- Completeness (metrics §4).
completeness AS (
  SELECT
    app, story_id,
    CAST(sum(last_seq + 1) AS BIGINT) AS expected_events,
    CAST(sum(last_seq + 1 - events) AS BIGINT) AS missing_events,
    count(*) FILTER (NOT has_start) AS sessions_without_start,
    count(*) FILTER (suspect_clock) AS suspect_clock_sessions
  FROM presentation
  WHERE is_session
  GROUP BY app, story_id
)
SELECT to_json({
  'app': s.app,
  'story_id': s.story_id,
  'presentations': s.presentations,
  'fallbacks': s.fallbacks,
  'sessions': s.sessions,
  'finished_sessions': s.finished_sessions,
  'reached_last_sessions': s.reached_last_sessions,
  'tapped_sessions': s.tapped_sessions,
  'pages': coalesce(p.pages, []),
  'completeness': {
    'expected_events': coalesce(c.expected_events, 0),
    'missing_events': coalesce(c.missing_events, 0),
    'sessions_without_start': coalesce(c.sessions_without_start, 0),
    'orphan_taps': coalesce(p.orphan_taps, 0),
    'negative_dwells': coalesce(p.negative_dwells, 0),
    'suspect_clock_sessions': coalesce(c.suspect_clock_sessions, 0)
  }
}) AS funnel
FROM story s
LEFT JOIN pages p ON p.app = s.app AND p.story_id IS NOT DISTINCT FROM s.story_id
LEFT JOIN completeness c ON c.app = s.app AND c.story_id IS NOT DISTINCT FROM s.story_id
ORDER BY s.app, s.story_id NULLS LAST;
