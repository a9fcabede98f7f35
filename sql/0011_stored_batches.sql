-- What was stored lately, batch by batch: for `pagefall tail`, which shows events as they are stored. The events themselves
-- have no order of storing.
--
-- A loader adds a row in the transaction that stores the batch, with the keys of its first events. A reader finds what is new
-- by the number of the transaction: all that its snapshot sees and its last one did not. Batches become visible in another
-- order than that of their numbers, and a number may be missing for good (its transaction was rolled back); the snapshots know.

CREATE TABLE pagefall.stored_batches (
  batch_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event_apps integer[] NOT NULL,
  event_sessions uuid[] NOT NULL,
  event_seqs integer[] NOT NULL,
  event_fates smallint[] NOT NULL,
  rejected_apps integer[] NOT NULL,
  rejected_hashes bytea[] NOT NULL,
  total_apps integer[] NOT NULL,
  total_fates smallint[] NOT NULL,
  total_events bigint[] NOT NULL
);
CREATE INDEX stored_batches_transaction_id ON pagefall.stored_batches (transaction_id);
COMMENT ON TABLE pagefall.stored_batches IS
  'What was stored within the last hour, batch by batch, for pagefall tail; housekeeping removes what is older, and all but the newest 5,000.';
COMMENT ON COLUMN pagefall.stored_batches.transaction_id IS 'The transaction that stored the batch.';
COMMENT ON COLUMN pagefall.stored_batches.stored_at IS 'Just before that was committed.';
COMMENT ON COLUMN pagefall.stored_batches.event_apps IS
  'Of the batch''s first events, at most 200 and of each app its share: the app that sent it. The next three columns go with it.';
COMMENT ON COLUMN pagefall.stored_batches.event_sessions IS 'Stored form; pagefall.sent_session_id undoes it.';
COMMENT ON COLUMN pagefall.stored_batches.event_seqs IS 'The number of the event within its session.';
COMMENT ON COLUMN pagefall.stored_batches.event_fates IS
  '0 stored, 1 duplicate, 2 conflicting_duplicate, 3 foreign_session, 4 expired, 5 refused_by_database.';
COMMENT ON COLUMN pagefall.stored_batches.rejected_apps IS
  'Of the events that were refused on arrival, the first 50: the app. With rejected_hashes it is the key of pagefall.rejected.';
COMMENT ON COLUMN pagefall.stored_batches.rejected_hashes IS 'SHA-256 of the body.';
COMMENT ON COLUMN pagefall.stored_batches.total_apps IS
  'How many events the batch has in all, by app and fate: the app. The next two columns go with it.';
COMMENT ON COLUMN pagefall.stored_batches.total_fates IS 'As event_fates, and 6 rejected.';
COMMENT ON COLUMN pagefall.stored_batches.total_events IS 'How many.';

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
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON pagefall.stored_batches TO %I', role);
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
       pagefall.sessions, pagefall.story_pages, pagefall.story_page_changes, pagefall.device_drops, pagefall.rejected,
       pagefall.rejected_removed, pagefall.event_fates, pagefall.changes, pagefall.spools, pagefall.stored_batches,
       pagefall.judged_sessions, public.events, public.story_sessions, public.pagefall_events_v1,
       public.pagefall_sessions_v1, public.pagefall_funnel_daily_v1 TO %I', role);
  EXECUTE format('GRANT EXECUTE ON FUNCTION pagefall.packed_history(uuid) TO %I', role);
END $$;

-- Who could store events before stores batches; who could read what was rejected reads them.
DO $$
DECLARE
  granted record;
BEGIN
  FOR granted IN
    SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END AS role,
      bool_or(c.relname = 'spools' AND a.privilege_type = 'DELETE') AS may_store
    FROM pg_class c CROSS JOIN aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.oid IN ('pagefall.spools'::regclass, 'pagefall.rejected'::regclass) AND a.grantee <> c.relowner
      AND (a.privilege_type = 'SELECT' OR a.privilege_type = 'DELETE')
    GROUP BY 1
  LOOP
    EXECUTE format(
      'GRANT SELECT%s ON pagefall.stored_batches TO %s', CASE WHEN granted.may_store THEN ', INSERT, DELETE' ELSE '' END,
      granted.role);
  END LOOP;
END $$;
