-- The tables of Pagefall, for PostgreSQL 13 and later. Needs CREATE on the database and on schema public; no superuser.
-- Session ids stand here in their stored form: a version 7 id of the years 2020-2099 as it was sent, every other id with
-- its version digit moved to the front. pagefall.sent_session_id undoes it; the view public.events shows ids as sent.
-- (The table is not called events: for a role named pagefall, "$user" in the search path would put it before the view.)
-- Advisory locks have two numbers here: 1885824620, the letters "pgfl" as a number, so that they are nobody else's; and
-- 1 migrating, 2 storing (shared; alone for whoever removes events), 3 making or dropping months.

CREATE TABLE pagefall.settings (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  epoch bigint NOT NULL DEFAULT 0,
  retention_line timestamptz
);
INSERT INTO pagefall.settings DEFAULT VALUES;
COMMENT ON TABLE pagefall.settings IS 'One row: what every loader reads again with each batch.';
COMMENT ON COLUMN pagefall.settings.epoch IS
  'Raised whenever stored events or sessions are removed, so that no loader trusts what it remembers of them.';
COMMENT ON COLUMN pagefall.settings.retention_line IS
  'Events of sessions that start before this are not stored any more (fate expired). Set by pagefall.set_retention_line.';

CREATE TABLE pagefall.apps (
  app_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name <> ''),
  created_at timestamptz NOT NULL DEFAULT now(),
  data_through timestamptz
);
COMMENT ON TABLE pagefall.apps IS 'The apps that send events; made by operators (with a write key, or by ingesting a file).';
COMMENT ON COLUMN pagefall.apps.data_through IS 'The newest arrival among the events stored for this app.';

CREATE TABLE pagefall.write_keys (
  key_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key_hash bytea NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
  prefix text NOT NULL,
  app_id integer NOT NULL REFERENCES pagefall.apps (app_id),
  access_right text NOT NULL CHECK (access_right IN ('ingest', 'read')),
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
COMMENT ON TABLE pagefall.write_keys IS 'Who may send or read; the key itself is kept nowhere.';
COMMENT ON COLUMN pagefall.write_keys.key_hash IS 'SHA-256 of the whole key as it is sent.';
COMMENT ON COLUMN pagefall.write_keys.prefix IS 'The first characters of the key, to tell keys apart.';
COMMENT ON COLUMN pagefall.write_keys.revoked_at IS 'Null: the key is valid.';

CREATE TABLE pagefall.stored_events (
  session_id uuid NOT NULL,
  seq integer NOT NULL,
  type smallint NOT NULL,
  at timestamptz NOT NULL,
  page_index smallint,
  page_count smallint,
  duration double precision,
  source smallint,
  action smallint,
  page_durations double precision[],
  reason text,
  content_code text,
  error text,
  category_id text,
  button_id text,
  PRIMARY KEY (session_id, seq)
) PARTITION BY RANGE (session_id);
COMMENT ON TABLE pagefall.stored_events IS 'Every event once, in the order that reports read: by session, then by number.';
COMMENT ON COLUMN pagefall.stored_events.session_id IS 'Stored form; pagefall.sent_session_id undoes it.';
COMMENT ON COLUMN pagefall.stored_events.seq IS 'The number that the sender gave the event within its session.';
COMMENT ON COLUMN pagefall.stored_events.type IS
  '1 start, 2 page_shown, 3 action_tap, 4 finish, 5 fallback, 6 dismiss, 7 rich_media_deferred, 8 rich_media_presented, 9 rich_media_closed, 10 rich_media_failed, 11 notification_response.';
COMMENT ON COLUMN pagefall.stored_events.at IS 'When it happened by the device''s own clock, not corrected.';
COMMENT ON COLUMN pagefall.stored_events.page_index IS 'The played index: after unusable pages were dropped.';
COMMENT ON COLUMN pagefall.stored_events.page_count IS 'Of a start: how many pages the story has.';
COMMENT ON COLUMN pagefall.stored_events.duration IS 'Seconds on screen that the page was to have, where the event said so.';
COMMENT ON COLUMN pagefall.stored_events.source IS '0 push, 1 in_app.';
COMMENT ON COLUMN pagefall.stored_events.action IS '0 button, 1 default (a plain open), 2 dismiss.';
COMMENT ON COLUMN pagefall.stored_events.page_durations IS 'Of a start with pages: the duration of each page, null where unknown.';
COMMENT ON COLUMN pagefall.stored_events.reason IS 'Of a fallback: why.';
COMMENT ON COLUMN pagefall.stored_events.content_code IS 'Of rich media: which.';
COMMENT ON COLUMN pagefall.stored_events.error IS 'Of a failed rich media: what failed.';
COMMENT ON COLUMN pagefall.stored_events.category_id IS 'Of a response by a button: the notification''s category.';
COMMENT ON COLUMN pagefall.stored_events.button_id IS 'Of a response by a button: which button.';

CREATE TABLE pagefall.sessions (
  session_id uuid NOT NULL,
  app_id integer NOT NULL,
  started_at timestamptz NOT NULL,
  arrived_at timestamptz NOT NULL,
  clock_offset_us bigint NOT NULL,
  flags smallint NOT NULL,
  story_id text,
  message_hash text,
  message_id text,
  campaign_id text,
  device_id text,
  user_id text,
  app_version text,
  os_version text,
  device_model text,
  locale text,
  sdk_version text,
  environment text,
  properties jsonb,
  PRIMARY KEY (session_id)
) PARTITION BY RANGE (session_id);
COMMENT ON TABLE pagefall.sessions IS
  'One row a session. What its first committed event fixed never changes; a context field keeps its first value.';
COMMENT ON COLUMN pagefall.sessions.session_id IS 'Stored form; pagefall.sent_session_id undoes it.';
COMMENT ON COLUMN pagefall.sessions.app_id IS 'Whose session it is: see pagefall.apps.';
COMMENT ON COLUMN pagefall.sessions.started_at IS 'The corrected start: decides the day that the session counts in.';
COMMENT ON COLUMN pagefall.sessions.arrived_at IS 'When its first event was received.';
COMMENT ON COLUMN pagefall.sessions.clock_offset_us IS 'Microseconds added to the device''s clock to get started_at.';
COMMENT ON COLUMN pagefall.sessions.flags IS '1: the clock was not believable, so the session counts at its arrival.';

-- Ids that carry no time of 2020-2099 begin with 1-8: they have a partition of their own, so that the default holds
-- nothing but version 7 ids of months that have no partition, and making a month never reads a large default.
CREATE TABLE pagefall.stored_events_other PARTITION OF pagefall.stored_events
  FOR VALUES FROM ('10000000-0000-0000-0000-000000000000') TO (MAXVALUE);
CREATE TABLE pagefall.stored_events_default PARTITION OF pagefall.stored_events DEFAULT;
CREATE TABLE pagefall.sessions_other PARTITION OF pagefall.sessions
  FOR VALUES FROM ('10000000-0000-0000-0000-000000000000') TO (MAXVALUE);
CREATE TABLE pagefall.sessions_default PARTITION OF pagefall.sessions DEFAULT;
COMMENT ON TABLE pagefall.stored_events_other IS 'Events of sessions whose id carries no time of 2020-2099.';
COMMENT ON TABLE pagefall.stored_events_default IS 'Events of version 7 sessions of months that have no partition.';
COMMENT ON TABLE pagefall.sessions_other IS 'Sessions whose id carries no time of 2020-2099.';
COMMENT ON TABLE pagefall.sessions_default IS 'Version 7 sessions of months that have no partition.';

CREATE TABLE pagefall.story_pages (
  app_id integer NOT NULL,
  story_id text NOT NULL,
  page_index smallint NOT NULL,
  title text,
  subtitle text,
  link text,
  image_url text,
  button_title text,
  key text,
  duration double precision,
  payload_index integer,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (app_id, story_id, page_index)
);
COMMENT ON TABLE pagefall.story_pages IS
  'What pages look like, for display: field by field the newest value; at most 50,000 pages an app.';
COMMENT ON COLUMN pagefall.story_pages.story_id IS 'Empty: events without a story_id.';

CREATE TABLE pagefall.device_drops (
  app_id integer NOT NULL,
  device_id text NOT NULL,
  dropped_events_total integer NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (app_id, device_id)
);
COMMENT ON TABLE pagefall.device_drops IS 'How many events each device says it had to give up: the highest total it reported.';
COMMENT ON COLUMN pagefall.device_drops.device_id IS 'Empty: batches without a device_id.';

CREATE TABLE pagefall.rejected (
  app_id integer NOT NULL,
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  code text NOT NULL,
  field text,
  message text NOT NULL,
  place bigint,
  body bytea NOT NULL,
  sent_at timestamptz,
  first_received_at timestamptz NOT NULL,
  last_received_at timestamptz NOT NULL,
  count bigint NOT NULL DEFAULT 1,
  kept_since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (app_id, sha256)
);
CREATE INDEX rejected_kept_since ON pagefall.rejected (kept_since);
CREATE INDEX rejected_first_received_at ON pagefall.rejected (first_received_at);
COMMENT ON TABLE pagefall.rejected IS
  'Events that were refused, byte for byte, each once. The oldest beyond 1,000,000 rows or 90 days are removed and counted.';
COMMENT ON COLUMN pagefall.rejected.sha256 IS 'Of the body: with the app it says which repeats are the same.';
COMMENT ON COLUMN pagefall.rejected.code IS 'Why; of the first time it came.';
COMMENT ON COLUMN pagefall.rejected.place IS 'Where it stood when it first came: index in its request, or line in its file.';
COMMENT ON COLUMN pagefall.rejected.sent_at IS 'The request''s sent_at when it first came; needed to replay it.';
COMMENT ON COLUMN pagefall.rejected.count IS 'How often it came.';
COMMENT ON COLUMN pagefall.rejected.kept_since IS 'When it was stored here: its age is counted from then.';

CREATE TABLE pagefall.rejected_removed (
  app_id integer NOT NULL,
  code text NOT NULL,
  reason text NOT NULL CHECK (reason IN ('age', 'number')),
  rows bigint NOT NULL,
  PRIMARY KEY (app_id, code, reason)
);
COMMENT ON TABLE pagefall.rejected_removed IS 'How many rows of pagefall.rejected were removed to keep it bounded.';

CREATE TABLE pagefall.unreadable_records (
  sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
  source text NOT NULL,
  place text NOT NULL,
  message text NOT NULL,
  body bytea NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE pagefall.unreadable_records IS
  'Spool records that this version cannot read, byte for byte, set aside so that the others are loaded.';

CREATE TABLE pagefall.spools (
  spool_id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('spool', 'file')),
  segment bigint NOT NULL,
  "offset" bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE pagefall.spools IS
  'How far each spool is loaded; changed in the transaction that stores the events, by compare-and-set.';
COMMENT ON COLUMN pagefall.spools.kind IS 'spool: of a collector; file: one run of ingest, its batches counted in "offset".';

CREATE TABLE pagefall.event_fates (
  source text NOT NULL,
  app_id integer NOT NULL,
  received_day date NOT NULL,
  fate text NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (source, app_id, received_day, fate)
);
COMMENT ON TABLE pagefall.event_fates IS
  'What became of the accepted events: the fates of a source add up to what was accepted and loaded.';
COMMENT ON COLUMN pagefall.event_fates.source IS 'The spool''s id, or file.';
COMMENT ON COLUMN pagefall.event_fates.received_day IS 'In UTC; of files the day of loading.';
COMMENT ON COLUMN pagefall.event_fates.fate IS
  'stored, duplicate, conflicting_duplicate, foreign_session, expired or refused_by_database.';

-- Whoever removes events or sessions waits for the loaders that are at work, and tells them all to forget what they
-- remember. (Loaders hold the shared form of this lock for the length of each transaction.)
CREATE FUNCTION pagefall.raise_epoch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1885824620, 2);
  UPDATE pagefall.settings SET epoch = epoch + 1;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pagefall.raise_epoch() FROM PUBLIC;
CREATE TRIGGER raise_epoch BEFORE DELETE OR TRUNCATE ON pagefall.stored_events
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.raise_epoch();
CREATE TRIGGER raise_epoch BEFORE DELETE OR TRUNCATE ON pagefall.sessions
  FOR EACH STATEMENT EXECUTE FUNCTION pagefall.raise_epoch();
