-- Categories of interactive notifications and their buttons, as phones register them: reports name buttons by them. An import
-- brings all categories that an app has; what they were before stays.

CREATE TABLE pagefall.notification_categories (
  app_id integer NOT NULL,
  category_id text NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_to timestamptz,
  PRIMARY KEY (app_id, category_id, valid_from),
  CHECK (valid_to > valid_from)
);
CREATE UNIQUE INDEX notification_categories_now ON pagefall.notification_categories (app_id, category_id)
  WHERE valid_to IS NULL;
COMMENT ON TABLE pagefall.notification_categories IS
  'The categories of interactive notifications of each app, a row a version; set by pagefall category import.';
COMMENT ON COLUMN pagefall.notification_categories.app_id IS 'Whose category it is: see pagefall.apps.';
COMMENT ON COLUMN pagefall.notification_categories.category_id IS 'As phones know it: the decimal digits of a number.';
COMMENT ON COLUMN pagefall.notification_categories.valid_from IS 'When the import came that first had this version.';
COMMENT ON COLUMN pagefall.notification_categories.valid_to IS
  'When the import came that had another version, or the category no more. Null: this is the version of now.';
COMMENT ON INDEX pagefall.notification_categories_now IS 'A category has one version now, or none.';

CREATE TABLE pagefall.notification_buttons (
  app_id integer NOT NULL,
  category_id text NOT NULL,
  valid_from timestamptz NOT NULL,
  place smallint NOT NULL,
  button_id text NOT NULL,
  label text NOT NULL,
  is_destructive boolean NOT NULL,
  opens_app boolean NOT NULL,
  PRIMARY KEY (app_id, category_id, valid_from, place)
);
COMMENT ON TABLE pagefall.notification_buttons IS
  'The buttons of each version in pagefall.notification_categories; a version without any has no rows here.';
COMMENT ON COLUMN pagefall.notification_buttons.app_id IS 'With the next two columns: which version it belongs to.';
COMMENT ON COLUMN pagefall.notification_buttons.place IS 'Its place among the buttons of the category, from 0.';
COMMENT ON COLUMN pagefall.notification_buttons.button_id IS 'Its id within the category, as responses carry it.';
COMMENT ON COLUMN pagefall.notification_buttons.label IS 'What it says.';
COMMENT ON COLUMN pagefall.notification_buttons.is_destructive IS 'Whether the system shows it as destructive.';
COMMENT ON COLUMN pagefall.notification_buttons.opens_app IS 'Whether it opens the app; else the response is handled in the background.';

-- Rights: for roles to come, and for those that were granted before.
CREATE OR REPLACE FUNCTION pagefall.grant_ingest(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA pagefall TO %I', role);
  EXECUTE format('GRANT SELECT ON pagefall.migrations, pagefall.settings, pagefall.months, pagefall.write_keys TO %I', role);
  EXECUTE format(
    'GRANT SELECT, INSERT ON pagefall.stored_events, pagefall.unreadable_records, pagefall.notification_buttons TO %I', role);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE ON pagefall.apps, pagefall.sessions, pagefall.story_pages, pagefall.device_drops,
       pagefall.event_fates, pagefall.rejected_removed, pagefall.changes, pagefall.notification_categories TO %I', role);
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
       pagefall.notification_categories, pagefall.notification_buttons, pagefall.judged_sessions, public.events,
       public.story_sessions, public.pagefall_events_v1, public.pagefall_sessions_v1, public.pagefall_funnel_daily_v1
       TO %I', role);
  EXECUTE format('GRANT EXECUTE ON FUNCTION pagefall.packed_history(uuid) TO %I', role);
END $$;

-- Who could name pages before names buttons; who could read the names reads these.
DO $$
DECLARE
  granted record;
BEGIN
  FOR granted IN
    SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END AS role,
      bool_or(a.privilege_type = 'SELECT') AS may_read, bool_or(a.privilege_type = 'INSERT') AS may_write
    FROM pg_class c CROSS JOIN aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'pagefall.story_pages'::regclass AND a.grantee <> c.relowner
      AND (a.privilege_type = 'SELECT' OR a.privilege_type = 'INSERT')
    GROUP BY 1
  LOOP
    IF granted.may_read THEN
      EXECUTE format(
        'GRANT SELECT ON pagefall.notification_categories, pagefall.notification_buttons TO %s', granted.role);
    END IF;
    IF granted.may_write THEN
      EXECUTE format('GRANT INSERT, UPDATE ON pagefall.notification_categories TO %s', granted.role);
      EXECUTE format('GRANT INSERT ON pagefall.notification_buttons TO %s', granted.role);
    END IF;
  END LOOP;
END $$;
