-- Rights for separate roles, granted by the owner: SELECT pagefall.grant_ingest('collector'), pagefall.grant_report('analyst').

CREATE FUNCTION pagefall.grant_ingest(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA pagefall TO %I', role);
  EXECUTE format('GRANT SELECT ON pagefall.migrations, pagefall.settings, pagefall.months, pagefall.write_keys TO %I', role);
  EXECUTE format('GRANT SELECT, INSERT ON pagefall.stored_events, pagefall.unreadable_records TO %I', role);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE ON pagefall.apps, pagefall.sessions, pagefall.story_pages, pagefall.device_drops,
       pagefall.event_fates, pagefall.rejected_removed TO %I', role);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON pagefall.spools, pagefall.rejected TO %I', role);
  EXECUTE format('GRANT EXECUTE ON FUNCTION pagefall.make_months() TO %I', role);
END $$;
REVOKE ALL ON FUNCTION pagefall.grant_ingest(name) FROM PUBLIC;
COMMENT ON FUNCTION pagefall.grant_ingest IS
  'Lets a role load events: it may add events and sessions and make months, and can neither change nor remove an event.';

CREATE FUNCTION pagefall.grant_report(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA pagefall TO %I', role);
  EXECUTE format(
    'GRANT SELECT ON pagefall.migrations, pagefall.settings, pagefall.months, pagefall.apps, pagefall.stored_events,
       pagefall.sessions, pagefall.story_pages, pagefall.device_drops, pagefall.rejected, pagefall.rejected_removed,
       pagefall.event_fates, pagefall.spools, public.events, public.story_sessions TO %I', role);
END $$;
REVOKE ALL ON FUNCTION pagefall.grant_report(name) FROM PUBLIC;
COMMENT ON FUNCTION pagefall.grant_report IS 'Lets a role read everything but the write keys.';
