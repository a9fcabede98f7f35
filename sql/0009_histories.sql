-- The events of a session packed into one value of its row, so that a report reads a value a session instead of its event
-- rows. In every committed state a history is exact or null; null says nothing, and readers look into the events then:
-- coalesce(s.history, pagefall.packed_history(s.session_id)).
--
-- Who sets a history: a loader, when it stores a new session, from what it stores of it; and housekeeping
-- (pagefall.pack_histories), when a session has been quiet. Who makes it null: whoever changes the events of a session,
-- in the same transaction. A loader remembers of which sessions the history is null, so that a stream of events costs no
-- UPDATE each; settings.packing tells it that housekeeping has set some meanwhile.

-- Nobody makes months, removes or stores meanwhile.
SELECT pg_advisory_xact_lock(1885824620, 3);
SELECT pg_advisory_xact_lock(1885824620, 2);

-- What takes long in a large database comes first, while reports can still read.
CREATE TABLE pagefall.loose_sessions (session_id uuid PRIMARY KEY);
COMMENT ON TABLE pagefall.loose_sessions IS
  'Sessions that were deleted while their events stayed; 00000000-0000-0000-0000-000000000000: all were.';
COMMENT ON COLUMN pagefall.loose_sessions.session_id IS 'Stored form; pagefall.sent_session_id undoes it.';
-- Events that have no session now.
INSERT INTO pagefall.loose_sessions (session_id)
SELECT DISTINCT e.session_id FROM pagefall.stored_events e
WHERE NOT EXISTS (SELECT FROM pagefall.sessions s WHERE s.session_id = e.session_id);

-- The sessions of a time, and of a story in it, in the place of an index of the time alone: rows mostly come in this order, so
-- it costs a loader no more than that one. (With the story in front it would cost as much as all else of a session.)
CREATE INDEX sessions_started_at_story_id ON pagefall.sessions (started_at, story_id);

ALTER TABLE pagefall.sessions ADD COLUMN history bytea;
COMMENT ON COLUMN pagefall.sessions.history IS
  'All stored events of the session, as pagefall.packed_history packs them, in any order; null: not packed, ask pagefall.packed_history.';
COMMENT ON COLUMN pagefall.sessions.flags IS
  '1: the clock was not believable, so the session counts at its arrival. 2: has too many events to be packed, or none.';

ALTER TABLE pagefall.settings ADD COLUMN packing bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN pagefall.settings.packing IS
  'Raised whenever histories of stored sessions are set, so that no loader trusts what it remembers of those that were null.';
ALTER TABLE pagefall.settings ADD COLUMN has_loose_events boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN pagefall.settings.has_loose_events IS
  'Whether pagefall.loose_sessions has a row: a session that comes again may have more events than come with it, so no loader packs.';
UPDATE pagefall.settings SET has_loose_events = EXISTS (SELECT FROM pagefall.loose_sessions);

-- Eight bytes of number, eight of time, eight of duration an event, highest byte first. Durations of pages follow once,
-- under type 31, which no event has: those of the session's first event that has some (the first start's, if it has).
CREATE FUNCTION pagefall.packed_history(session uuid) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p.events || CASE
    WHEN p.durations IS NULL THEN ''::bytea
    ELSE int8send(
        (p.durations[array_lower(p.durations, 1)]::bigint << 15) | (31::bigint << 10) | (cardinality(p.durations) - 1)::bigint)
      || (SELECT string_agg(float8send(coalesce(d.seconds, 'NaN')), '' ORDER BY d.place)
          FROM unnest(p.durations) WITH ORDINALITY AS d(seconds, place) WHERE d.place > 1)
    END
  FROM (
    SELECT
      string_agg(
        int8send(
          (e.seq::bigint << 15) | (e.type::bigint << 10)
            | coalesce(CASE e.type WHEN 1 THEN e.page_count ELSE e.page_index END, 0)::bigint)
        || timestamptz_send(e.at) || float8send(coalesce(e.duration, 'NaN')), ''::bytea) AS events,
      -- Arrays compare by their first element, so this is the first, with its seq in front.
      min(e.seq::double precision || e.page_durations) FILTER (WHERE cardinality(e.page_durations) > 0) AS durations
    FROM pagefall.stored_events e WHERE e.session_id = packed_history.session
  ) p
$$;
COMMENT ON FUNCTION pagefall.packed_history IS
  'All stored events of a session (id in its stored form) in one value; null where it has none. 24 bytes an event: bigint (seq << 15) | (type << 10) | number, of a start its page count, of others their page index, 0 without; bigint microseconds since 2000; float8 duration, NaN for none. Then, if an event has page durations: bigint (seq << 15) | (31 << 10) | their number; a float8 each.';

-- What is left to pack; histories that are set at once never enter it.
CREATE INDEX sessions_unpacked ON pagefall.sessions (arrived_at) WHERE history IS NULL AND (flags & 2) = 0;
DROP INDEX pagefall.sessions_started_at;

-- The lock is taken alone, before any event is read: what the statements after it see is all that loaders stored, and until
-- the commit nobody stores. In another isolation they would see what was there before the lock. Loaders wait, so no part begins
-- after a tenth of a second, and parts are small enough for sessions of 4,096 events; what to pack is chosen before.
CREATE FUNCTION pagefall.pack_histories(most integer, quiet interval) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' SET jit = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  ids uuid[];
  part uuid[];
  looked integer := 0;
  enough timestamptz;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'pagefall.pack_histories needs the isolation level READ COMMITTED' USING ERRCODE = '25001';
  END IF;
  ids := ARRAY(
    SELECT s.session_id FROM pagefall.sessions s
    WHERE s.history IS NULL AND (s.flags & 2) = 0 AND s.arrived_at < now() - quiet
    ORDER BY s.arrived_at DESC LIMIT most);
  IF cardinality(ids) = 0 THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock(1885824620, 2);
  enough := clock_timestamp() + interval '0.1 seconds';
  UPDATE pagefall.settings SET packing = packing + 1;
  WHILE looked < cardinality(ids) AND (looked = 0 OR clock_timestamp() < enough) LOOP
    part := ids[looked + 1:looked + 50];
    -- Counted first, so that no more is ever read of a session than could be packed.
    UPDATE pagefall.sessions s SET history = p.history, flags = CASE WHEN p.history IS NULL THEN s.flags | 2 ELSE s.flags END
    FROM (
      SELECT i.id, CASE
          WHEN (SELECT count(*) FROM (SELECT FROM pagefall.stored_events e WHERE e.session_id = i.id LIMIT 4097) few) <= 4096
            THEN pagefall.packed_history(i.id)
        END AS history
      FROM unnest(part) AS i(id) OFFSET 0
    ) p
    WHERE s.session_id = p.id AND s.history IS NULL;
    looked := looked + cardinality(part);
  END LOOP;
  DELETE FROM pagefall.loose_sessions l
  WHERE l.session_id = ANY (ids[1:looked])
    AND EXISTS (SELECT FROM pagefall.sessions s WHERE s.session_id = l.session_id);
  IF FOUND THEN
    UPDATE pagefall.settings SET has_loose_events = EXISTS (SELECT FROM pagefall.loose_sessions);
  END IF;
  RETURN looked;
END $$;
REVOKE ALL ON FUNCTION pagefall.pack_histories(integer, interval) FROM PUBLIC;
COMMENT ON FUNCTION pagefall.pack_histories IS
  'Packs the newest of the sessions that arrived so long ago and are not packed, at most so many and for a tenth of a second; returns how many it looked at. One with more than 4,096 events is passed over for good.';

-- Events that are deleted or changed by hand. Triggers on the parents, as those of 0006: whoever names a partition has to
-- set the histories of its sessions to null himself.
CREATE OR REPLACE FUNCTION pagefall.account_erased_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO pagefall.changes AS c (app_id, quarter, changed_hour, reason, sessions, events)
  SELECT s.app_id, pagefall.change_quarter(s.started_at), pagefall.change_hour(), 'erased', 0, sum(r.events)
  FROM (SELECT session_id, count(*) AS events FROM removed GROUP BY session_id) r
  JOIN pagefall.sessions s ON s.session_id = r.session_id
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (app_id, quarter, changed_hour, reason) DO UPDATE
    SET events = c.events + EXCLUDED.events, mark = c.mark + EXCLUDED.mark;
  UPDATE pagefall.sessions s SET history = NULL
  FROM (SELECT DISTINCT session_id FROM removed) r
  WHERE s.session_id = r.session_id AND s.history IS NOT NULL;
  IF EXISTS (SELECT FROM pagefall.loose_sessions) THEN
    DELETE FROM pagefall.loose_sessions l
    USING (SELECT DISTINCT session_id FROM removed) r
    WHERE l.session_id = r.session_id
      AND NOT EXISTS (SELECT FROM pagefall.stored_events e WHERE e.session_id = l.session_id);
    IF NOT EXISTS (SELECT FROM pagefall.stored_events) THEN
      DELETE FROM pagefall.loose_sessions;
    END IF;
    UPDATE pagefall.settings SET has_loose_events = EXISTS (SELECT FROM pagefall.loose_sessions);
  END IF;
  PERFORM set_config('pagefall.deleting', '', true);
  RETURN NULL;
END $$;

CREATE FUNCTION pagefall.forget_changed_histories() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE pagefall.sessions s SET history = NULL
  FROM (SELECT session_id FROM before UNION SELECT session_id FROM after) r
  WHERE s.session_id = r.session_id AND s.history IS NOT NULL;
  INSERT INTO pagefall.loose_sessions (session_id)
  SELECT r.session_id FROM (SELECT session_id FROM after EXCEPT SELECT session_id FROM before) r
  WHERE NOT EXISTS (SELECT FROM pagefall.sessions s WHERE s.session_id = r.session_id)
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    UPDATE pagefall.settings SET has_loose_events = true;
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pagefall.forget_changed_histories() FROM PUBLIC;
CREATE TRIGGER forget_changed_histories AFTER UPDATE ON pagefall.stored_events
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.forget_changed_histories();
-- Takes the storing lock alone, and makes loaders forget which events they know.
CREATE TRIGGER raise_epoch_of_update BEFORE UPDATE ON pagefall.stored_events
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.raise_epoch();

CREATE OR REPLACE FUNCTION pagefall.account_erased_sessions() RETURNS trigger
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
  INSERT INTO pagefall.loose_sessions (session_id)
  SELECT o.session_id FROM removed o
  WHERE EXISTS (SELECT FROM pagefall.stored_events e WHERE e.session_id = o.session_id)
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    UPDATE pagefall.settings SET has_loose_events = true;
  END IF;
  PERFORM set_config('pagefall.deleting', '', true);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION pagefall.account_truncation() RETURNS trigger
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
  IF TG_TABLE_NAME = 'stored_events' THEN
    UPDATE pagefall.sessions SET history = NULL WHERE history IS NOT NULL;
    DELETE FROM pagefall.loose_sessions;
    UPDATE pagefall.settings SET has_loose_events = false;
  ELSIF EXISTS (SELECT FROM pagefall.stored_events) THEN
    INSERT INTO pagefall.loose_sessions (session_id) VALUES ('00000000-0000-0000-0000-000000000000')
      ON CONFLICT DO NOTHING;
    UPDATE pagefall.settings SET has_loose_events = true;
  END IF;
  RETURN NULL;
END $$;

-- A month goes with its loose events.
CREATE FUNCTION pagefall.forget_dropped_loose_sessions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1885824620, 2);
  DELETE FROM pagefall.loose_sessions l
  WHERE NOT CASE l.session_id
    WHEN '00000000-0000-0000-0000-000000000000' THEN EXISTS (SELECT FROM pagefall.stored_events)
    ELSE EXISTS (SELECT FROM pagefall.stored_events e WHERE e.session_id = l.session_id) END;
  IF FOUND THEN
    UPDATE pagefall.settings SET has_loose_events = EXISTS (SELECT FROM pagefall.loose_sessions);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pagefall.forget_dropped_loose_sessions() FROM PUBLIC;
CREATE TRIGGER forget_dropped_loose_sessions AFTER UPDATE OF dropped_at ON pagefall.months
  FOR EACH ROW WHEN (OLD.dropped_at IS NULL AND NEW.dropped_at IS NOT NULL)
  EXECUTE FUNCTION pagefall.forget_dropped_loose_sessions();

-- Whoever removes or changes events has waited for the loaders, and must see what they stored: in another isolation it would
-- stay behind, without a session, or be dropped with its month. All of them come by here, after they have the lock.
CREATE FUNCTION pagefall.require_read_committed() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'remove and change pagefall''s events in a transaction of the isolation level READ COMMITTED'
      USING ERRCODE = '25001';
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pagefall.require_read_committed() FROM PUBLIC;
CREATE TRIGGER require_read_committed BEFORE UPDATE OF epoch ON pagefall.settings
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.require_read_committed();

-- A program of before would store events of sessions whose history it does not know of.
CREATE OR REPLACE FUNCTION pagefall.require_account() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('pagefall.keeps_account', true) IS DISTINCT FROM 'changes, histories' THEN
    RAISE EXCEPTION 'this program does not keep pagefall.changes and the histories of pagefall.sessions: update pagefall'
      USING ERRCODE = '55000';
  END IF;
  RETURN NULL;
END $$;

-- Rights: for roles to come, and for those that were granted before.
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
  EXECUTE format(
    'GRANT EXECUTE ON FUNCTION pagefall.make_months(), pagefall.pack_histories(integer, interval), pagefall.packed_history(uuid)
       TO %I', role);
END $$;

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
  EXECUTE format('GRANT EXECUTE ON FUNCTION pagefall.packed_history(uuid) TO %I', role);
END $$;

DO $$
DECLARE
  granted text;
BEGIN
  FOR granted IN
    SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END
    FROM pg_class c CROSS JOIN aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'pagefall.sessions'::regclass AND a.grantee <> c.relowner AND a.privilege_type = 'SELECT'
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION pagefall.packed_history(uuid) TO %s', granted);
  END LOOP;
  -- Who may make months keeps house.
  FOR granted IN
    SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END
    FROM pg_proc p CROSS JOIN aclexplode(p.proacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE p.oid = 'pagefall.make_months()'::regprocedure AND a.grantee <> p.proowner AND a.privilege_type = 'EXECUTE'
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION pagefall.pack_histories(integer, interval) TO %s', granted);
  END LOOP;
END $$;
