-- An account of what changed: how many sessions and events of each app and quarter of an hour were added, filled in or
-- removed, written in the transaction that does it. Whoever keeps copies of days (exports) compares the sums with those
-- that the copy was made at: no time stamp and no transaction id has to be trusted. Quarters, because the days of every
-- time zone begin on one.
--
-- For every app and quarter: stored + replayed - erased - retained = what is there, of sessions and of events.

-- Nobody makes months, removes or stores while the account is opened.
SELECT pg_advisory_xact_lock(1885824620, 3);
SELECT pg_advisory_xact_lock(1885824620, 2);

ALTER TABLE pagefall.settings ADD COLUMN database_id uuid NOT NULL DEFAULT gen_random_uuid();
COMMENT ON COLUMN pagefall.settings.database_id IS
  'Tells databases apart whose accounts of changes must not be compared. A restored backup keeps it.';

CREATE TABLE pagefall.changes (
  app_id integer NOT NULL,
  quarter timestamptz NOT NULL,
  changed_hour timestamptz NOT NULL,
  reason text NOT NULL CHECK (reason IN ('stored', 'replayed', 'context_filled', 'erased', 'retained')),
  sessions bigint NOT NULL,
  events bigint NOT NULL,
  mark bigint NOT NULL DEFAULT floor(random() * 1099511627776)::bigint,
  PRIMARY KEY (app_id, quarter, changed_hour, reason)
);
COMMENT ON TABLE pagefall.changes IS
  'What changed of the stored events, by when their sessions started; the counters only grow.';
COMMENT ON COLUMN pagefall.changes.app_id IS 'Whose sessions they are: see pagefall.apps.';
COMMENT ON COLUMN pagefall.changes.quarter IS
  'The beginning of the quarter of an hour that the corrected starts (sessions.started_at) lie in.';
COMMENT ON COLUMN pagefall.changes.changed_hour IS
  'The hour (UTC) of the transaction that changed them. Of what was stored before there was this account: of the session''s arrival.';
COMMENT ON COLUMN pagefall.changes.reason IS
  'stored; replayed: stored by a replay of rejected events; context_filled: a context field got its value after the session was stored; erased: deleted; retained: removed by the retention line.';
COMMENT ON COLUMN pagefall.changes.sessions IS
  'stored, replayed: sessions that are new. context_filled: sessions that got a value. erased, retained: sessions removed.';
COMMENT ON COLUMN pagefall.changes.events IS
  'stored, replayed: events stored. context_filled: 0. erased, retained: events removed.';
COMMENT ON COLUMN pagefall.changes.mark IS
  'A random number, to which each change adds another: where a backup was restored and as much has changed since, it differs.';

-- By way of timestamp, whose parts are whole numbers: seconds since 1970 are a double in PostgreSQL 13 and round far off.
CREATE FUNCTION pagefall.change_quarter(moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (date_trunc('hour', moment AT TIME ZONE 'UTC')
    + floor(extract(minute FROM moment AT TIME ZONE 'UTC')::double precision / 15) * interval '15 minutes')
    AT TIME ZONE 'UTC'
$$;
COMMENT ON FUNCTION pagefall.change_quarter IS 'The beginning of the quarter of an hour that this moment lies in.';

CREATE FUNCTION pagefall.change_hour() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT date_trunc('hour', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
$$;
COMMENT ON FUNCTION pagefall.change_hour IS 'The hour (UTC) that this transaction''s changes are accounted in.';

-- What is there already.
INSERT INTO pagefall.changes (app_id, quarter, changed_hour, reason, sessions, events)
SELECT s.app_id, pagefall.change_quarter(s.started_at),
  date_trunc('hour', s.arrived_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', 'stored', count(*), COALESCE(sum(e.events), 0)
FROM pagefall.sessions s
LEFT JOIN (SELECT session_id, count(*) AS events FROM pagefall.stored_events GROUP BY session_id) e USING (session_id)
GROUP BY 1, 2, 3;

CREATE INDEX sessions_started_at ON pagefall.sessions (started_at);

-- A program of before this account would go on storing without it, as long as its connection lasts. It is stopped where
-- every batch passes (somebody who mends a position by hand leaves updated_at alone), with an error that says nothing of
-- a row, so that it waits and its spool keeps everything.
CREATE FUNCTION pagefall.require_account() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('pagefall.keeps_account', true) IS DISTINCT FROM 'changes' THEN
    RAISE EXCEPTION 'this program keeps no account of changes in pagefall.changes: update pagefall'
      USING ERRCODE = '55000';
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pagefall.require_account() FROM PUBLIC;
CREATE TRIGGER require_account BEFORE UPDATE OF updated_at ON pagefall.spools
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.require_account();

-- What is deleted. An event is found in its session's quarter; so events come first, or else are accounted for when
-- their session goes. One statement that deletes both (in a WITH) would show each trigger only the end of it: refused.
CREATE OR REPLACE FUNCTION pagefall.raise_epoch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1885824620, 2);
  UPDATE pagefall.settings SET epoch = epoch + 1;
  IF TG_OP = 'DELETE' THEN
    IF current_setting('pagefall.deleting', true) <> '' THEN
      RAISE EXCEPTION 'delete events and sessions in two statements, or call pagefall.erase_sessions'
        USING ERRCODE = '0A000';
    END IF;
    PERFORM set_config('pagefall.deleting', TG_TABLE_NAME, true);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION pagefall.account_erased_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO pagefall.changes AS c (app_id, quarter, changed_hour, reason, sessions, events)
  SELECT s.app_id, pagefall.change_quarter(s.started_at), pagefall.change_hour(), 'erased', 0, sum(r.events)
  FROM (SELECT session_id, count(*) AS events FROM removed GROUP BY session_id) r
  JOIN pagefall.sessions s ON s.session_id = r.session_id
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (app_id, quarter, changed_hour, reason) DO UPDATE
    SET events = c.events + EXCLUDED.events, mark = c.mark + EXCLUDED.mark;
  PERFORM set_config('pagefall.deleting', '', true);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pagefall.account_erased_events() FROM PUBLIC;
CREATE TRIGGER account_erased AFTER DELETE ON pagefall.stored_events REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.account_erased_events();

CREATE FUNCTION pagefall.account_erased_sessions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO pagefall.changes AS c (app_id, quarter, changed_hour, reason, sessions, events)
  SELECT r.app_id, pagefall.change_quarter(r.started_at), pagefall.change_hour(), 'erased', sum(r.sessions), sum(r.events)
  FROM (
    SELECT app_id, started_at, 1 AS sessions, 0 AS events FROM removed
    UNION ALL
    SELECT o.app_id, o.started_at, 0, 1
    FROM removed o JOIN pagefall.stored_events e ON e.session_id = o.session_id
  ) r
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (app_id, quarter, changed_hour, reason) DO UPDATE
    SET sessions = c.sessions + EXCLUDED.sessions, events = c.events + EXCLUDED.events, mark = c.mark + EXCLUDED.mark;
  PERFORM set_config('pagefall.deleting', '', true);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pagefall.account_erased_sessions() FROM PUBLIC;
CREATE TRIGGER account_erased AFTER DELETE ON pagefall.sessions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.account_erased_sessions();

-- TRUNCATE shows no rows; but what was there is what the account says. Without sessions, no event belongs to any.
CREATE FUNCTION pagefall.account_truncation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO pagefall.changes AS c (app_id, quarter, changed_hour, reason, sessions, events)
  SELECT b.app_id, b.quarter, pagefall.change_hour(), 'erased',
    CASE TG_TABLE_NAME WHEN 'sessions' THEN GREATEST(b.sessions, 0) ELSE 0 END, GREATEST(b.events, 0)
  FROM (
    SELECT app_id, quarter,
      sum(CASE WHEN reason IN ('stored', 'replayed') THEN sessions
        WHEN reason IN ('erased', 'retained') THEN -sessions ELSE 0 END) AS sessions,
      sum(CASE WHEN reason IN ('stored', 'replayed') THEN events
        WHEN reason IN ('erased', 'retained') THEN -events ELSE 0 END) AS events
    FROM pagefall.changes GROUP BY app_id, quarter
  ) b
  WHERE b.events > 0 OR (TG_TABLE_NAME = 'sessions' AND b.sessions > 0)
  ORDER BY 1, 2
  ON CONFLICT (app_id, quarter, changed_hour, reason) DO UPDATE
    SET sessions = c.sessions + EXCLUDED.sessions, events = c.events + EXCLUDED.events, mark = c.mark + EXCLUDED.mark;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pagefall.account_truncation() FROM PUBLIC;
CREATE TRIGGER account_truncation AFTER TRUNCATE ON pagefall.stored_events
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.account_truncation();
CREATE TRIGGER account_truncation AFTER TRUNCATE ON pagefall.sessions
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.account_truncation();

-- The lock comes first, so that what is being stored at this moment is seen, and removed, too.
CREATE FUNCTION pagefall.erase_sessions(sent_ids uuid[]) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  stored_ids uuid[] := ARRAY(SELECT pagefall.stored_session_id(i.id) FROM unnest(sent_ids) AS i(id) WHERE i.id IS NOT NULL);
  erased bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(1885824620, 2);
  DELETE FROM pagefall.stored_events e WHERE e.session_id = ANY (stored_ids);
  DELETE FROM pagefall.sessions s WHERE s.session_id = ANY (stored_ids);
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END $$;
REVOKE ALL ON FUNCTION pagefall.erase_sessions(uuid[]) FROM PUBLIC;
COMMENT ON FUNCTION pagefall.erase_sessions IS
  'Removes these sessions, ids as they were sent, and their events; returns how many sessions there were.';

CREATE OR REPLACE FUNCTION pagefall.apply_retention() RETURNS bigint
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
  -- Of one month's tables, whose triggers do not fire where they are named themselves. Loaders wait, so that what is
  -- counted is what is removed.
  account constant text :=
    'INSERT INTO pagefall.changes AS c (app_id, quarter, changed_hour, reason, sessions, events)
     SELECT r.app_id, pagefall.change_quarter(r.started_at), pagefall.change_hour(), ''retained'', sum(r.sessions), sum(r.events)
     FROM (
       SELECT s.app_id, s.started_at, 1 AS sessions, 0 AS events FROM pagefall.%1$I s WHERE s.started_at < $1
       UNION ALL
       SELECT s.app_id, s.started_at, 0, 1
       FROM pagefall.%1$I s JOIN pagefall.%2$I e ON e.session_id = s.session_id WHERE s.started_at < $1
     ) r
     GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (app_id, quarter, changed_hour, reason) DO UPDATE
       SET sessions = c.sessions + EXCLUDED.sessions, events = c.events + EXCLUDED.events, mark = c.mark + EXCLUDED.mark';
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
    EXECUTE format(account, 'sessions_' || suffix, 'stored_events_' || suffix) USING line;
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
    EXECUTE format(account, 'sessions_' || suffix, 'stored_events_' || suffix) USING line;
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

-- Rights: for roles to come, and for those that were granted before. Whoever keeps or reads the account of fates does so
-- with this one.
CREATE OR REPLACE FUNCTION pagefall.grant_ingest(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA pagefall TO %I', role);
  EXECUTE format('GRANT SELECT ON pagefall.migrations, pagefall.settings, pagefall.months, pagefall.write_keys TO %I', role);
  EXECUTE format('GRANT SELECT, INSERT ON pagefall.stored_events, pagefall.unreadable_records TO %I', role);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE ON pagefall.apps, pagefall.sessions, pagefall.story_pages, pagefall.device_drops,
       pagefall.event_fates, pagefall.rejected_removed, pagefall.changes TO %I', role);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON pagefall.spools, pagefall.rejected TO %I', role);
  EXECUTE format('GRANT EXECUTE ON FUNCTION pagefall.make_months() TO %I', role);
END $$;

CREATE OR REPLACE FUNCTION pagefall.grant_report(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA pagefall TO %I', role);
  EXECUTE format(
    'GRANT SELECT ON pagefall.migrations, pagefall.settings, pagefall.months, pagefall.apps, pagefall.stored_events,
       pagefall.sessions, pagefall.story_pages, pagefall.device_drops, pagefall.rejected, pagefall.rejected_removed,
       pagefall.event_fates, pagefall.changes, pagefall.spools, public.events, public.story_sessions TO %I', role);
END $$;

DO $$
DECLARE
  granted record;
BEGIN
  FOR granted IN
    SELECT a.privilege_type, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END AS role
    FROM pg_class c CROSS JOIN aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'pagefall.event_fates'::regclass AND a.grantee <> c.relowner
      AND a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE')
  LOOP
    EXECUTE format('GRANT %s ON pagefall.changes TO %s', granted.privilege_type, granted.role);
  END LOOP;
END $$;

COMMENT ON COLUMN pagefall.event_fates.source IS 'The spool''s id, or file, or replay.';
COMMENT ON COLUMN pagefall.spools.kind IS
  'spool: of a collector; file: one run of ingest or of a replay, its batches counted in "offset".';
