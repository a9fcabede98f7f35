-- What pages looked like before: reports name pages by their newest details, and say where those changed over time.

CREATE TABLE pagefall.story_page_changes (
  app_id integer NOT NULL,
  story_id text NOT NULL,
  page_index smallint NOT NULL,
  changed_at timestamptz NOT NULL,
  changed_hour timestamptz NOT NULL,
  title text,
  subtitle text,
  link text,
  image_url text,
  button_title text,
  PRIMARY KEY (app_id, story_id, page_index, changed_hour)
);
COMMENT ON TABLE pagefall.story_page_changes IS
  'What a page of pagefall.story_pages was before it changed: the first change of an hour, and the newest five of a page.';
COMMENT ON COLUMN pagefall.story_page_changes.story_id IS 'Empty: events without a story_id.';
COMMENT ON COLUMN pagefall.story_page_changes.changed_at IS 'When the details came that replaced these.';
COMMENT ON COLUMN pagefall.story_page_changes.changed_hour IS 'The hour (UTC) of changed_at: two versions that take turns cost a row an hour.';

-- With the rights of the owner, so that who may change a page need not be allowed more.
CREATE FUNCTION pagefall.keep_page_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO pagefall.story_page_changes
    (app_id, story_id, page_index, changed_at, changed_hour, title, subtitle, link, image_url, button_title)
  VALUES (OLD.app_id, OLD.story_id, OLD.page_index, NEW.updated_at,
    date_trunc('hour', NEW.updated_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC',
    OLD.title, OLD.subtitle, OLD.link, OLD.image_url, OLD.button_title)
  ON CONFLICT (app_id, story_id, page_index, changed_hour) DO NOTHING;
  IF FOUND THEN
    DELETE FROM pagefall.story_page_changes c
    WHERE c.app_id = OLD.app_id AND c.story_id = OLD.story_id AND c.page_index = OLD.page_index
      AND c.changed_hour <= (
        SELECT o.changed_hour FROM pagefall.story_page_changes o
        WHERE o.app_id = OLD.app_id AND o.story_id = OLD.story_id AND o.page_index = OLD.page_index
        ORDER BY o.changed_hour DESC OFFSET 5 LIMIT 1);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pagefall.keep_page_change() FROM PUBLIC;
COMMENT ON FUNCTION pagefall.keep_page_change IS 'Keeps what a page was, where something that people see of it changes.';

-- A value that comes where there was none is no change.
CREATE TRIGGER keep_page_change AFTER UPDATE ON pagefall.story_pages
  FOR EACH ROW WHEN (
    (OLD.title IS NOT NULL AND OLD.title IS DISTINCT FROM NEW.title)
    OR (OLD.subtitle IS NOT NULL AND OLD.subtitle IS DISTINCT FROM NEW.subtitle)
    OR (OLD.link IS NOT NULL AND OLD.link IS DISTINCT FROM NEW.link)
    OR (OLD.image_url IS NOT NULL AND OLD.image_url IS DISTINCT FROM NEW.image_url)
    OR (OLD.button_title IS NOT NULL AND OLD.button_title IS DISTINCT FROM NEW.button_title))
  EXECUTE FUNCTION pagefall.keep_page_change();

CREATE OR REPLACE FUNCTION pagefall.grant_report(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA pagefall TO %I', role);
  EXECUTE format(
    'GRANT SELECT ON pagefall.migrations, pagefall.settings, pagefall.months, pagefall.apps, pagefall.stored_events,
       pagefall.sessions, pagefall.story_pages, pagefall.story_page_changes, pagefall.device_drops, pagefall.rejected,
       pagefall.rejected_removed, pagefall.event_fates, pagefall.changes, pagefall.spools, pagefall.judged_sessions,
       public.events, public.story_sessions, public.pagefall_events_v1, public.pagefall_sessions_v1,
       public.pagefall_funnel_daily_v1 TO %I', role);
  EXECUTE format('GRANT EXECUTE ON FUNCTION pagefall.packed_history(uuid) TO %I', role);
END $$;

-- Who could read pages can read what they were.
DO $$
DECLARE
  reader text;
BEGIN
  FOR reader IN
    SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END
    FROM pg_class c CROSS JOIN aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'pagefall.story_pages'::regclass AND a.grantee <> c.relowner AND a.privilege_type = 'SELECT'
  LOOP
    EXECUTE format('GRANT SELECT ON pagefall.story_page_changes TO %s', reader);
  END LOOP;
END $$;
