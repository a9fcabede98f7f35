-- What people read: session ids as they were sent, names instead of numbers.

CREATE FUNCTION pagefall.sent_session_id(stored uuid) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN stored < '10000000-0000-0000-0000-000000000000' THEN stored
    ELSE (substr(stored::text, 2, 7) || substr(stored::text, 10, 4) || substr(stored::text, 15, 1)
      || substr(stored::text, 1, 1) || substr(stored::text, 16))::uuid END
$$;
COMMENT ON FUNCTION pagefall.sent_session_id IS 'The id as it was sent, from the form in which it is stored.';

CREATE FUNCTION pagefall.stored_session_id(sent uuid) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN substr(sent::text, 15, 1) = '7'
      AND sent >= '016f5e66-e800-0000-0000-000000000000' AND sent < '03bb2cc3-d800-0000-0000-000000000000' THEN sent
    ELSE (substr(sent::text, 15, 1) || substr(sent::text, 1, 8) || substr(sent::text, 10, 4)
      || substr(sent::text, 16))::uuid END
$$;
COMMENT ON FUNCTION pagefall.stored_session_id IS
  'The form in which an id is stored: to find a session by its key in pagefall.stored_events and pagefall.sessions.';

CREATE FUNCTION pagefall.event_type_name(type smallint) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (ARRAY['start', 'page_shown', 'action_tap', 'finish', 'fallback', 'dismiss', 'rich_media_deferred',
    'rich_media_presented', 'rich_media_closed', 'rich_media_failed', 'notification_response'])[type]
$$;
COMMENT ON FUNCTION pagefall.event_type_name IS 'The name of an event''s type, as it is sent.';

-- The app, the story and the time of receipt are looked up for each row, and only where a query asks for them: counting
-- and grouping events costs what it costs on the table. Large questions about them join pagefall.sessions.
CREATE VIEW public.events AS
SELECT
  pagefall.sent_session_id(e.session_id) AS session_id,
  e.seq,
  pagefall.event_type_name(e.type) AS type,
  e.at,
  e.page_index,
  e.page_count,
  e.duration,
  e.page_durations,
  e.reason,
  e.content_code,
  (ARRAY['push', 'in_app'])[e.source + 1] AS source,
  e.error,
  (ARRAY['button', 'default', 'dismiss'])[e.action + 1] AS action,
  e.category_id,
  e.button_id,
  (SELECT a.name FROM pagefall.sessions s JOIN pagefall.apps a USING (app_id) WHERE s.session_id = e.session_id) AS app,
  (SELECT s.story_id FROM pagefall.sessions s WHERE s.session_id = e.session_id) AS story_id,
  (SELECT s.arrived_at FROM pagefall.sessions s WHERE s.session_id = e.session_id) AS session_arrived_at
FROM pagefall.stored_events e;
COMMENT ON VIEW public.events IS 'Every event that is stored, each once; session ids as they were sent.';
COMMENT ON COLUMN public.events.at IS 'By the device''s clock, not corrected.';
COMMENT ON COLUMN public.events.session_arrived_at IS 'When the session''s first event was received.';

CREATE VIEW public.story_sessions AS
SELECT
  pagefall.sent_session_id(s.session_id) AS session_id,
  a.name AS app,
  s.started_at,
  s.arrived_at,
  s.clock_offset_us * interval '1 microsecond' AS clock_offset,
  (s.flags & 1) = 1 AS suspect_clock,
  s.story_id,
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
FROM pagefall.sessions s JOIN pagefall.apps a USING (app_id);
COMMENT ON VIEW public.story_sessions IS 'Every session with what is known about it; ids as they were sent.';
