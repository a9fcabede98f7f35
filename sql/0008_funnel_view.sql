-- The funnel as a view whose columns are promised (docs/views.md), and the rights on it and on the views of sessions.

-- generate_series, but the planner is told that there is seldom more than one page. It would think of a thousand, and
-- compile the whole view for a handful of lines. (What is STRICT is not inlined, so what is said of rows stays.)
CREATE FUNCTION pagefall.page_range(first integer, last integer) RETURNS SETOF integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 2 AS $$
  SELECT generate_series(first, last)
$$;
COMMENT ON FUNCTION pagefall.page_range IS 'The page indexes from the first to the last; none where the last is less.';

-- The funnel by UTC day, app, story and page (metrics §1 and §2). Each session is judged by itself, from its own events;
-- what it counts for comes out as lines, and lines are counted. So a condition on day, app or story_id is one on
-- sessions, and the events of other sessions are not read.
CREATE VIEW public.pagefall_funnel_daily_v1 AS
WITH
-- A session counts in the day of its corrected start. One that is no presentation does not count.
presentations AS (
  SELECT (s.started_at AT TIME ZONE 'UTC')::date AS day, s.*
  FROM pagefall.judged_sessions s
  WHERE s.is_presentation
),
-- What a session counts for: a line of its own (page -1), a line a page that it showed or tapped, a line an impression.
lines AS (
  SELECT
    p.day, p.app_id, p.app, p.story_id, p.is_story_session, p.is_fallback, p.is_finished, p.has_reached_last,
    p.is_tapped, p.page_count, line.*
  FROM presentations p
  CROSS JOIN LATERAL (
    WITH
    -- A stay is an impression and all that follows it up to the next one. Between two events no number is missing where
    -- as many are missing before the one as before the other.
    numbered AS (
      SELECT
        e.seq, e.type, e.at, e.page_index, e.duration,
        count(*) FILTER (WHERE e.type = 2) OVER in_order AS stay,
        e.seq::bigint + 1 - row_number() OVER in_order AS missing_before
      FROM pagefall.stored_events e
      WHERE e.session_id = p.session_id
      WINDOW in_order AS (ORDER BY e.seq ROWS UNBOUNDED PRECEDING)
    ),
    -- Each stay, with its first finish or dismiss, which ends the dwell.
    stays AS (
      SELECT
        n.stay,
        min(n.page_index) FILTER (WHERE n.type = 2) AS page,
        min(n.at) FILTER (WHERE n.type = 2) AS shown_at,
        min(n.duration) FILTER (WHERE n.type = 2) AS duration,
        min(n.missing_before) AS missing_before,
        max(n.missing_before) AS missing_at_last,
        min(n.missing_before) FILTER (WHERE n.type IN (4, 6)) AS missing_at_end,
        (array_agg(n.at ORDER BY n.seq) FILTER (WHERE n.type IN (4, 6)))[1] AS end_at,
        coalesce(bool_or(n.type = 4), false) AS holds_finish,
        coalesce(bool_or(n.type = 3), false) AS holds_tap
      FROM numbered n
      WHERE n.stay > 0
      GROUP BY n.stay
    ),
    -- Each stay with the impression that comes next.
    followed AS (
      SELECT
        s.*,
        lead(s.page) OVER in_order AS next_page,
        lead(s.missing_before) OVER in_order AS missing_at_next,
        lead(s.shown_at) OVER in_order AS next_shown_at
      FROM stays s
      WINDOW in_order AS (ORDER BY s.stay)
    ),
    -- Every impression leaves exactly once: the first rule that applies.
    impressions AS (
      SELECT
        f.page,
        CASE
          WHEN f.missing_before <> coalesce(f.missing_at_next, f.missing_at_last) THEN 'unknown'
          WHEN f.missing_at_next IS NULL AND f.holds_finish THEN 'finished'
          WHEN f.missing_at_next IS NULL AND f.holds_tap THEN 'tapped_out'
          WHEN f.missing_at_next IS NULL THEN 'exited'
          WHEN f.next_page = f.page + 1 THEN 'next'
          WHEN f.next_page = f.page - 1 OR (f.page = 0 AND f.next_page = 0 AND NOT f.holds_finish) THEN 'back'
          WHEN f.next_page = 0 AND (f.holds_finish OR f.page = p.page_count - 1) THEN 'looped'
          ELSE 'unknown'
        END AS departure,
        -- Known where no number is missing before its end and the device's clock was not set back.
        CASE
          WHEN f.missing_before <> coalesce(f.missing_at_end, f.missing_at_next) THEN NULL
          WHEN coalesce(f.end_at, f.next_shown_at) < f.shown_at THEN NULL
          ELSE round(extract(epoch FROM coalesce(f.end_at, f.next_shown_at) - f.shown_at) * 1000000)::bigint
        END AS dwell_us,
        -- When the timer would have turned the page, less its tolerance; to the microsecond, as times are stored.
        -- (A sender may say any number: beyond 30,000 years it is as good as for ever, and its microseconds would overflow.)
        CASE
          WHEN abs(coalesce(f.duration, p.page_durations[f.page + 1])) < 1e12
            THEN floor(coalesce(f.duration, p.page_durations[f.page + 1]) * 1000000 + 0.5) - 250000
          ELSE sign(coalesce(f.duration, p.page_durations[f.page + 1])) * double precision 'Infinity'
        END AS timer_us
      FROM followed f
    ),
    -- Each page that the session showed or tapped.
    visits AS (
      SELECT
        n.page_index AS page,
        min(n.seq) FILTER (WHERE n.type = 2) AS first_shown,
        count(*) FILTER (WHERE n.type = 3) AS taps
      FROM numbered n
      WHERE n.type IN (2, 3)
      GROUP BY n.page_index
    ),
    -- Whether all pages before it were shown, and it for the first time after all of them.
    ordered AS (
      SELECT
        v.*,
        count(v.first_shown) OVER upward - 1 = v.page AND v.first_shown = max(v.first_shown) OVER upward AS is_in_order
      FROM visits v
      WINDOW upward AS (ORDER BY v.page ROWS UNBOUNDED PRECEDING)
    )
    SELECT
      -1 AS page, NULL::text AS departure, NULL::bigint AS dwell_us, NULL::double precision AS timer_us,
      NULL::boolean AS is_reached, NULL::boolean AS is_strict, NULL::boolean AS is_completed, NULL::bigint AS taps
    UNION ALL
    SELECT i.page, i.departure, i.dwell_us, i.timer_us, NULL, NULL, NULL, NULL FROM impressions i
    UNION ALL
    SELECT
      o.page, NULL, NULL, NULL,
      o.first_shown IS NOT NULL,
      bool_and(o.is_in_order) OVER (ORDER BY o.page ROWS UNBOUNDED PRECEDING),
      EXISTS (SELECT FROM impressions i WHERE i.page = o.page AND i.departure IN ('next', 'looped', 'finished')),
      o.taps
    FROM ordered o
  ) line
),
-- Lines of a story counted by page; the sessions' own lines, as those of page -1, give what is counted of the whole story.
counted AS (
  SELECT
    l.day, l.app_id, l.app, l.story_id, l.page,
    count(*) AS presentations,
    count(*) FILTER (WHERE l.is_fallback) AS fallbacks,
    count(*) FILTER (WHERE l.is_story_session) AS sessions,
    count(*) FILTER (WHERE l.is_finished) AS finished_sessions,
    count(*) FILTER (WHERE l.has_reached_last) AS reached_last_sessions,
    count(*) FILTER (WHERE l.is_tapped) AS sessions_with_tap,
    max(l.page_count) AS page_count,
    count(l.departure) AS impressions,
    count(*) FILTER (WHERE l.is_reached) AS reached_sessions,
    count(*) FILTER (WHERE l.is_strict) AS strict_reached_sessions,
    count(*) FILTER (WHERE l.is_completed) AS completed_sessions,
    coalesce(sum(l.taps), 0)::bigint AS taps,
    count(*) FILTER (WHERE l.is_reached AND l.taps > 0) AS tapped_sessions,
    count(*) FILTER (WHERE l.departure = 'next') AS departures_next,
    count(*) FILTER (WHERE l.departure = 'next' AND l.timer_us IS NOT NULL) AS departures_next_timed,
    count(*) FILTER (WHERE l.departure = 'next' AND l.dwell_us >= l.timer_us) AS departures_next_auto,
    count(*) FILTER (WHERE l.departure = 'back') AS departures_back,
    count(*) FILTER (WHERE l.departure = 'looped') AS departures_looped,
    count(*) FILTER (WHERE l.departure = 'finished') AS departures_finished,
    count(*) FILTER (WHERE l.departure = 'tapped_out') AS departures_tapped_out,
    count(*) FILTER (WHERE l.departure = 'exited') AS departures_exited,
    count(*) FILTER (WHERE l.departure = 'unknown') AS departures_unknown,
    count(l.dwell_us) AS dwells,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY l.dwell_us) / 1000.0::double precision AS dwell_median_ms,
    percentile_disc(0.9) WITHIN GROUP (ORDER BY l.dwell_us) / 1000.0::double precision AS dwell_p90_ms
  FROM lines l
  GROUP BY l.day, l.app_id, l.app, l.story_id, l.page
),
-- The story's own line stands before its pages; each line reaches up to the next one, the last up to the page count.
spread AS (
  SELECT
    c.*,
    first_value(c.presentations) OVER upward AS story_presentations,
    first_value(c.fallbacks) OVER upward AS story_fallbacks,
    first_value(c.sessions) OVER upward AS story_sessions,
    first_value(c.finished_sessions) OVER upward AS story_finished_sessions,
    first_value(c.reached_last_sessions) OVER upward AS story_reached_last_sessions,
    first_value(c.sessions_with_tap) OVER upward AS story_sessions_with_tap,
    coalesce(lead(c.page) OVER upward, greatest(c.page + 1, first_value(c.page_count) OVER upward)) AS next_page
  FROM counted c
  WINDOW upward AS (PARTITION BY c.day, c.app_id, c.app, c.story_id ORDER BY c.page)
),
-- A line a page, without holes: of the pages that a line reaches over, all but its own have nothing to count.
pages AS (
  SELECT
    s.*,
    page_index,
    (page_index = s.page)::integer AS own
  FROM spread s
  CROSS JOIN LATERAL pagefall.page_range(greatest(s.page, 0), s.next_page - 1) AS page_index
)
SELECT
  p.day,
  p.app,
  p.story_id,
  p.page_index,
  d.title,
  p.story_presentations AS presentations,
  p.story_fallbacks AS fallbacks,
  p.story_sessions AS sessions,
  p.story_finished_sessions AS finished_sessions,
  p.story_reached_last_sessions AS reached_last_sessions,
  p.story_sessions_with_tap AS sessions_with_tap,
  p.own * p.impressions AS impressions,
  p.own * p.reached_sessions AS reached_sessions,
  lag(p.own * p.reached_sessions) OVER upward AS previous_reached_sessions,
  p.own * p.strict_reached_sessions AS strict_reached_sessions,
  lag(p.own * p.strict_reached_sessions) OVER upward AS previous_strict_reached_sessions,
  p.own * (p.impressions - p.reached_sessions) AS replays,
  p.own * p.completed_sessions AS completed_sessions,
  p.own * p.taps AS taps,
  p.own * p.tapped_sessions AS tapped_sessions,
  p.own * p.departures_next AS departures_next,
  CASE WHEN p.own * p.departures_next_timed > 0 THEN p.departures_next_auto END AS departures_next_auto,
  CASE WHEN p.own * p.departures_next_timed > 0 THEN p.departures_next_timed - p.departures_next_auto
    END AS departures_next_tap,
  p.own * p.departures_back AS departures_back,
  p.own * p.departures_looped AS departures_looped,
  p.own * p.departures_finished AS departures_finished,
  p.own * p.departures_tapped_out AS departures_tapped_out,
  p.own * p.departures_exited AS departures_exited,
  p.own * p.departures_unknown AS departures_unknown,
  p.own * p.dwells AS dwells,
  CASE WHEN p.own = 1 THEN p.dwell_median_ms END AS dwell_median_ms,
  CASE WHEN p.own = 1 THEN p.dwell_p90_ms END AS dwell_p90_ms
FROM pages p
LEFT JOIN pagefall.story_pages d
  ON d.app_id = p.app_id AND d.story_id = coalesce(p.story_id, '') AND d.page_index = p.page_index
WINDOW upward AS (PARTITION BY p.day, p.app_id, p.app, p.story_id ORDER BY p.page_index);

COMMENT ON VIEW public.pagefall_funnel_daily_v1 IS
  'A line a UTC day, app, story and page, from page 0 to the largest that is known of, without holes: counts, from which days add up to months. Definitions funnel/1. A story that only fell back on a day has no page and so no line. Columns are only ever appended.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.day IS 'The UTC day that the sessions'' corrected starts lie in.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.app IS 'The app that sent them.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.story_id IS 'The story; null for sessions that said none.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.page_index IS 'The played index, from 0.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.title IS 'The page''s newest title; null where none came. For display.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.presentations IS
  'Of the story on that day, the same in each of its lines: sessions with at least one story event.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.fallbacks IS
  'Of the story on that day, the same in each of its lines: presentations that fell back.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.sessions IS
  'Of the story on that day, the same in each of its lines: presentations with a start, page_shown, action_tap or finish.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.finished_sessions IS
  'Of the story on that day, the same in each of its lines: sessions with a finish.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.reached_last_sessions IS
  'Of the story on that day, the same in each of its lines: sessions that showed the last page.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.sessions_with_tap IS
  'Of the story on that day, the same in each of its lines: sessions with an action_tap.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.impressions IS 'How often the page was shown.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.reached_sessions IS
  'Sessions that showed the page. Reach rate: divided by sessions.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.previous_reached_sessions IS
  'Sessions that showed the page before; null on page 0. Step rate: reached_sessions divided by this. Does not add up over days: a day on which nobody could reach this page has no line.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.strict_reached_sessions IS
  'Sessions that showed all pages from 0 to this one for the first time in this order.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.previous_strict_reached_sessions IS
  'The same of the page before; null on page 0.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.replays IS 'impressions less reached_sessions.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.completed_sessions IS
  'Sessions that left the page at least once by next, looped or finished.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.taps IS 'Taps on the page''s button.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.tapped_sessions IS
  'Sessions that showed the page and tapped on it. Tap-through rate: divided by reached_sessions.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.departures_next IS 'Impressions that left for the following page.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.departures_next_auto IS
  'Of departures_next those that the page''s timer made; null where no duration is known.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.departures_next_tap IS
  'Of departures_next those that the viewer made; null where no duration is known.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.departures_back IS
  'Impressions that left for the page before, or from page 0 to itself.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.departures_looped IS 'Impressions that left for page 0 from the end.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.departures_finished IS 'Impressions on which the story finished and stayed.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.departures_tapped_out IS
  'Impressions on which the button was tapped, and nothing followed.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.departures_exited IS 'Impressions on which the viewer left.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.departures_unknown IS
  'Impressions whose departure a lost event hides, or that no player makes. All departures add up to impressions.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.dwells IS 'Impressions whose length is known.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.dwell_median_ms IS
  'Their median by nearest rank, in milliseconds; null without any. Does not add up over days.';
COMMENT ON COLUMN public.pagefall_funnel_daily_v1.dwell_p90_ms IS
  'Their 90th percentile by nearest rank, in milliseconds; null without any. Does not add up over days.';

CREATE OR REPLACE FUNCTION pagefall.grant_report(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA pagefall TO %I', role);
  EXECUTE format(
    'GRANT SELECT ON pagefall.migrations, pagefall.settings, pagefall.months, pagefall.apps, pagefall.stored_events,
       pagefall.sessions, pagefall.story_pages, pagefall.device_drops, pagefall.rejected, pagefall.rejected_removed,
       pagefall.event_fates, pagefall.changes, pagefall.spools, pagefall.judged_sessions, public.events,
       public.story_sessions, public.pagefall_events_v1, public.pagefall_sessions_v1, public.pagefall_funnel_daily_v1
       TO %I', role);
END $$;

-- Who could read the sessions before these views were there can read them, too.
DO $$
DECLARE
  reader text;
BEGIN
  FOR reader IN
    SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END
    FROM pg_class c CROSS JOIN aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'public.story_sessions'::regclass AND a.grantee <> c.relowner AND a.privilege_type = 'SELECT'
  LOOP
    EXECUTE format(
      'GRANT SELECT ON pagefall.judged_sessions, public.pagefall_events_v1, public.pagefall_sessions_v1,
         public.pagefall_funnel_daily_v1 TO %s', reader);
  END LOOP;
END $$;
