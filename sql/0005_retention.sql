-- Keeping events for a time only. The line goes by a session's corrected start, not by its id.

CREATE FUNCTION pagefall.set_retention_line(line timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1885824620, 2);
  UPDATE pagefall.settings SET retention_line = line, epoch = epoch + 1;
END $$;
REVOKE ALL ON FUNCTION pagefall.set_retention_line(timestamptz) FROM PUBLIC;
COMMENT ON FUNCTION pagefall.set_retention_line IS
  'From now on events of sessions that start before the line count as expired; null ends that. Removes nothing by itself.';

CREATE TABLE pagefall.retention_removed (
  removed_at timestamptz NOT NULL DEFAULT now(),
  partition text NOT NULL,
  sessions bigint NOT NULL,
  events bigint NOT NULL
);
COMMENT ON TABLE pagefall.retention_removed IS 'What pagefall.apply_retention removed.';

CREATE FUNCTION pagefall.apply_retention() RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  line timestamptz;
  dropped date;
  suffix text;
  session_rows bigint;
  event_rows bigint;
  kept_sessions bigint;
  kept_events bigint;
  removed bigint := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(1885824620, 3);
  PERFORM pg_advisory_xact_lock(1885824620, 2);
  UPDATE pagefall.settings SET epoch = epoch + 1 RETURNING retention_line INTO line;
  IF line IS NULL THEN
    RETURN 0;
  END IF;
  -- Whole months before the line: what starts after the line all the same (a wrong clock) moves to the defaults.
  FOR dropped IN
    SELECT m.month FROM pagefall.months m
    WHERE m.dropped_at IS NULL AND (m.month + interval '1 month') AT TIME ZONE 'UTC' <= line ORDER BY m.month
  LOOP
    suffix := to_char(dropped, 'YYYY_MM');
    EXECUTE format('ALTER TABLE pagefall.sessions DETACH PARTITION pagefall.%I', 'sessions_' || suffix);
    EXECUTE format('ALTER TABLE pagefall.stored_events DETACH PARTITION pagefall.%I', 'stored_events_' || suffix);
    EXECUTE format('SELECT count(*) FROM pagefall.%I', 'sessions_' || suffix) INTO session_rows;
    EXECUTE format('SELECT count(*) FROM pagefall.%I', 'stored_events_' || suffix) INTO event_rows;
    EXECUTE format(
      'INSERT INTO pagefall.stored_events_default SELECT e.* FROM pagefall.%I e
         WHERE EXISTS (SELECT FROM pagefall.%I s WHERE s.session_id = e.session_id AND s.started_at >= $1)',
      'stored_events_' || suffix, 'sessions_' || suffix) USING line;
    GET DIAGNOSTICS kept_events = ROW_COUNT;
    EXECUTE format('INSERT INTO pagefall.sessions_default SELECT s.* FROM pagefall.%I s WHERE s.started_at >= $1',
      'sessions_' || suffix) USING line;
    GET DIAGNOSTICS kept_sessions = ROW_COUNT;
    EXECUTE format('DROP TABLE pagefall.%I, pagefall.%I', 'stored_events_' || suffix, 'sessions_' || suffix);
    UPDATE pagefall.months m SET dropped_at = now() WHERE m.month = dropped;
    INSERT INTO pagefall.retention_removed (partition, sessions, events)
      VALUES (suffix, session_rows - kept_sessions, event_rows - kept_events);
    removed := removed + event_rows - kept_events;
  END LOOP;
  -- All other partitions, the month that the line lies in among them: row by row.
  FOR suffix IN
    SELECT substr(c.relname, 10) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'pagefall.sessions'::regclass ORDER BY c.relname
  LOOP
    EXECUTE format(
      'DELETE FROM pagefall.%I e USING pagefall.%I s WHERE s.session_id = e.session_id AND s.started_at < $1',
      'stored_events_' || suffix, 'sessions_' || suffix) USING line;
    GET DIAGNOSTICS event_rows = ROW_COUNT;
    EXECUTE format('DELETE FROM pagefall.%I WHERE started_at < $1', 'sessions_' || suffix) USING line;
    GET DIAGNOSTICS session_rows = ROW_COUNT;
    IF session_rows > 0 THEN
      INSERT INTO pagefall.retention_removed (partition, sessions, events) VALUES (suffix, session_rows, event_rows);
    END IF;
    removed := removed + event_rows;
  END LOOP;
  RETURN removed;
END $$;
REVOKE ALL ON FUNCTION pagefall.apply_retention() FROM PUBLIC;
COMMENT ON FUNCTION pagefall.apply_retention IS
  'Removes what starts before the retention line, drops the months that lie before it whole; returns the events removed.';
