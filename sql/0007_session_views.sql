-- What people with psql, Metabase, Grafana or dbt read: views whose columns are promised (docs/views.md). Columns are only
-- ever appended; what cannot be appended becomes a view of the next version. The definitions are those of docs/metrics.md.

CREATE VIEW public.pagefall_events_v1 AS
SELECT
  a.name AS app,
  s.story_id,
  pagefall.sent_session_id(e.session_id) AS session_id,
  e.seq,
  pagefall.event_type_name(e.type) AS type,
  e.at,
  e.page_index::integer AS page_index,
  e.page_count::integer AS page_count,
  e.duration AS duration_seconds,
  e.page_durations,
  (ARRAY['push', 'in_app'])[e.source + 1] AS source,
  (ARRAY['button', 'default', 'dismiss'])[e.action + 1] AS action,
  e.reason,
  e.content_code,
  e.error,
  e.category_id,
  e.button_id,
  s.started_at,
  s.arrived_at,
  s.clock_offset_us,
  (s.flags & 1) = 1 AS suspect_clock,
  s.message_hash,
  s.message_id,
  s.campaign_id,
  s.device_id,
  s.user_id,
  s.app_version,
  s.os_version,
  s.device_model,
  s.locale,
  s.sdk_version,
  s.environment,
  s.properties
FROM pagefall.stored_events e
JOIN pagefall.sessions s USING (session_id)
JOIN pagefall.apps a USING (app_id);

-- Every session with what it counts for (metrics §1 and §4). Its id is the stored one, so that its events are found by
-- their key. The facts are looked up session by session: a question about few sessions reads few events, and one that
-- asks for no fact reads none (the planner drops a left join that can neither add nor remove a row).
CREATE VIEW pagefall.judged_sessions AS
SELECT
  s.session_id,
  s.app_id,
  a.name AS app,
  s.story_id,
  s.started_at,
  s.arrived_at,
  s.clock_offset_us,
  s.flags,
  s.message_hash,
  s.message_id,
  s.campaign_id,
  s.device_id,
  s.user_id,
  s.app_version,
  s.os_version,
  s.device_model,
  s.locale,
  s.sdk_version,
  s.environment,
  s.properties,
  f.events,
  f.expected_events,
  f.story_events > 0 OR f.fallbacks > 0 OR f.dismisses > 0 AS is_presentation,
  f.story_events > 0 AS is_story_session,
  f.fallbacks > 0 AS is_fallback,
  f.finishes > 0 AS is_finished,
  coalesce(f.first_start[2] - 1 = ANY (f.pages_shown), false) AS has_reached_last,
  f.taps > 0 AS is_tapped,
  f.starts > 0 AS has_start,
  f.first_start[2]::integer AS page_count,
  f.first_start[3:] AS page_durations,
  f.impressions,
  coalesce(cardinality(f.pages_shown), 0) AS pages_reached,
  f.taps
FROM pagefall.sessions s
JOIN pagefall.apps a USING (app_id)
LEFT JOIN LATERAL (
  SELECT
    count(*) AS events,
    coalesce(max(e.seq) + 1::bigint, 0) AS expected_events,
    count(*) FILTER (WHERE e.type IN (1, 2, 3, 4)) AS story_events,
    count(*) FILTER (WHERE e.type = 1) AS starts,
    count(*) FILTER (WHERE e.type = 2) AS impressions,
    count(*) FILTER (WHERE e.type = 3) AS taps,
    count(*) FILTER (WHERE e.type = 4) AS finishes,
    count(*) FILTER (WHERE e.type = 5) AS fallbacks,
    count(*) FILTER (WHERE e.type = 6) AS dismisses,
    -- Its number, its page count, and the durations of its pages. Arrays compare by their first element.
    min(ARRAY[e.seq, e.page_count]::double precision[] || e.page_durations) FILTER (WHERE e.type = 1) AS first_start,
    array_agg(DISTINCT e.page_index) FILTER (WHERE e.type = 2) AS pages_shown
  FROM pagefall.stored_events e
  WHERE e.session_id = s.session_id
) f ON true;

CREATE VIEW public.pagefall_sessions_v1 AS
SELECT
  s.app,
  s.story_id,
  pagefall.sent_session_id(s.session_id) AS session_id,
  s.started_at,
  s.arrived_at,
  s.clock_offset_us,
  (s.flags & 1) = 1 AS suspect_clock,
  s.message_hash,
  s.message_id,
  s.campaign_id,
  s.device_id,
  s.user_id,
  s.app_version,
  s.os_version,
  s.device_model,
  s.locale,
  s.sdk_version,
  s.environment,
  s.properties,
  s.events,
  s.expected_events,
  s.expected_events - s.events AS missing_events,
  s.is_presentation,
  s.is_story_session,
  s.is_fallback,
  s.is_finished,
  s.has_reached_last,
  s.is_tapped,
  s.has_start,
  s.page_count,
  s.impressions,
  s.pages_reached,
  s.taps
FROM pagefall.judged_sessions s;

COMMENT ON VIEW public.pagefall_events_v1 IS
  'A line an event, each event once, with the context of its session. Columns are only ever appended. Times are UTC instants.';
COMMENT ON COLUMN public.pagefall_events_v1.app IS 'The app that sent it.';
COMMENT ON COLUMN public.pagefall_events_v1.story_id IS 'The session''s story; null where none was said.';
COMMENT ON COLUMN public.pagefall_events_v1.session_id IS 'The session: one showing of one story on one device. As it was sent.';
COMMENT ON COLUMN public.pagefall_events_v1.seq IS
  'The event''s number within its session, from 0, given by the sender. Order within a session is this, never time.';
COMMENT ON COLUMN public.pagefall_events_v1.type IS
  'What happened: start, page_shown, action_tap, finish, fallback, dismiss, rich_media_deferred, rich_media_presented, rich_media_closed, rich_media_failed or notification_response.';
COMMENT ON COLUMN public.pagefall_events_v1.at IS 'When, by the device''s own clock, not corrected; for differences within a session.';
COMMENT ON COLUMN public.pagefall_events_v1.page_index IS
  'Of page_shown and action_tap: the played index, from 0, after unusable pages were dropped.';
COMMENT ON COLUMN public.pagefall_events_v1.page_count IS 'Of start: how many pages the story has.';
COMMENT ON COLUMN public.pagefall_events_v1.duration_seconds IS
  'Of page_shown: seconds that the page is to stay, where the event said so.';
COMMENT ON COLUMN public.pagefall_events_v1.page_durations IS
  'Of start: seconds that each page is to stay, the first element for page 0; null elements are unknown.';
COMMENT ON COLUMN public.pagefall_events_v1.source IS 'Of rich media: push or in_app.';
COMMENT ON COLUMN public.pagefall_events_v1.action IS 'Of notification_response: button, default (a plain open) or dismiss.';
COMMENT ON COLUMN public.pagefall_events_v1.reason IS 'Of fallback: why, in the sender''s words.';
COMMENT ON COLUMN public.pagefall_events_v1.content_code IS 'Of rich media: which one.';
COMMENT ON COLUMN public.pagefall_events_v1.error IS 'Of rich_media_failed: what failed.';
COMMENT ON COLUMN public.pagefall_events_v1.category_id IS 'Of a response by a button: the notification''s category.';
COMMENT ON COLUMN public.pagefall_events_v1.button_id IS 'Of a response by a button: which button.';

COMMENT ON VIEW public.pagefall_sessions_v1 IS
  'A line a session with what it counts for, also those that are no presentation. Columns are only ever appended. Times are UTC instants.';
COMMENT ON COLUMN public.pagefall_sessions_v1.app IS 'The app that sent it.';
COMMENT ON COLUMN public.pagefall_sessions_v1.story_id IS 'The story; null where none was said.';
COMMENT ON COLUMN public.pagefall_sessions_v1.session_id IS 'One showing of one story on one device. As it was sent.';
COMMENT ON COLUMN public.pagefall_sessions_v1.events IS 'How many events of it are stored.';
COMMENT ON COLUMN public.pagefall_sessions_v1.expected_events IS 'Its highest seq + 1.';
COMMENT ON COLUMN public.pagefall_sessions_v1.missing_events IS 'How many numbers are absent below its highest seq.';
COMMENT ON COLUMN public.pagefall_sessions_v1.is_presentation IS
  'At least one start, page_shown, action_tap, finish, fallback or dismiss.';
COMMENT ON COLUMN public.pagefall_sessions_v1.is_story_session IS
  'At least one start, page_shown, action_tap or finish: what reports call a session.';
COMMENT ON COLUMN public.pagefall_sessions_v1.is_fallback IS 'At least one fallback.';
COMMENT ON COLUMN public.pagefall_sessions_v1.is_finished IS 'At least one finish.';
COMMENT ON COLUMN public.pagefall_sessions_v1.has_reached_last IS
  'Showed the last page by its page_count; false where that is unknown.';
COMMENT ON COLUMN public.pagefall_sessions_v1.is_tapped IS 'At least one action_tap.';
COMMENT ON COLUMN public.pagefall_sessions_v1.has_start IS 'At least one start.';
COMMENT ON COLUMN public.pagefall_sessions_v1.page_count IS 'How many pages its first start says; null where it has no start.';
COMMENT ON COLUMN public.pagefall_sessions_v1.impressions IS 'Its page_shown events.';
COMMENT ON COLUMN public.pagefall_sessions_v1.pages_reached IS 'How many different pages it showed.';
COMMENT ON COLUMN public.pagefall_sessions_v1.taps IS 'Its action_tap events.';

-- What events and sessions have in common.
DO $$
DECLARE
  shared record;
BEGIN
  FOR shared IN
    SELECT * FROM (VALUES
      ('started_at', 'The session''s start, corrected: decides the day that the session counts in, with all its events.'),
      ('arrived_at', 'When the session''s first event was received.'),
      ('clock_offset_us', 'Microseconds that were added to the device''s clock to get started_at.'),
      ('suspect_clock', 'The device''s clock was not believable, so the session counts at its arrival.'),
      ('message_hash', 'The push message''s hash.'),
      ('message_id', 'The message''s id: text, because it may be an unsigned 64-bit number.'),
      ('campaign_id', 'The campaign''s id: text, because it may be an unsigned 64-bit number.'),
      ('device_id', 'The device, as the sender names it.'),
      ('user_id', 'The user, as the sender names them.'),
      ('app_version', 'The app''s version.'),
      ('os_version', 'The operating system''s version.'),
      ('device_model', 'The device''s model.'),
      ('locale', 'The device''s language and region.'),
      ('sdk_version', 'The version of the SDK that showed the story.'),
      ('environment', 'Such as production or simulator.'),
      ('properties', 'The sender''s own values by name: an object of texts, numbers and booleans.')
    ) AS t (name, meaning)
  LOOP
    EXECUTE format('COMMENT ON COLUMN public.pagefall_events_v1.%I IS %L', shared.name, shared.meaning);
    EXECUTE format('COMMENT ON COLUMN public.pagefall_sessions_v1.%I IS %L', shared.name, shared.meaning);
  END LOOP;
END $$;

COMMENT ON VIEW pagefall.judged_sessions IS
  'Every session, by its stored id, with what it counts for: what the views of schema public stand on. May change.';
