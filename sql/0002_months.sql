-- One partition a month (UTC) of events and of sessions.

CREATE TABLE pagefall.months (
  month date PRIMARY KEY CHECK (month = date_trunc('month', month::timestamp)::date),
  made_at timestamptz NOT NULL DEFAULT now(),
  dropped_at timestamptz
);
COMMENT ON TABLE pagefall.months IS 'The months that have partitions: pagefall.stored_events_YYYY_MM and pagefall.sessions_YYYY_MM.';

CREATE FUNCTION pagefall.month_bound(month date) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM month::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
COMMENT ON FUNCTION pagefall.month_bound IS 'The smallest session id of a month.';

CREATE FUNCTION pagefall.make_month(wanted date) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  first_day date := date_trunc('month', wanted::timestamp)::date;
  low uuid := pagefall.month_bound(first_day);
  high uuid := pagefall.month_bound((first_day + interval '1 month')::date);
  suffix text := to_char(first_day, 'YYYY_MM');
  parent text;
BEGIN
  IF first_day < '2020-01-01' OR first_day >= '2100-01-01' THEN
    RAISE EXCEPTION 'months are those of 2020 to 2099, not %', wanted USING ERRCODE = '22023';
  END IF;
  PERFORM pg_advisory_xact_lock(1885824620, 3);
  IF EXISTS (SELECT FROM pagefall.months m WHERE m.month = first_day AND m.dropped_at IS NULL) THEN
    RETURN false;
  END IF;
  -- Nothing may enter the defaults between the move and the attachment. The loader's order: sessions, then events.
  LOCK TABLE pagefall.sessions_default IN ACCESS EXCLUSIVE MODE;
  LOCK TABLE pagefall.stored_events_default IN ACCESS EXCLUSIVE MODE;
  FOREACH parent IN ARRAY ARRAY['sessions', 'stored_events'] LOOP
    EXECUTE format('CREATE TABLE pagefall.%I (LIKE pagefall.%I INCLUDING ALL)', parent || '_' || suffix, parent);
    EXECUTE format(
      'WITH moved AS (DELETE FROM pagefall.%I WHERE session_id >= $1 AND session_id < $2 RETURNING *)
       INSERT INTO pagefall.%I SELECT * FROM moved', parent || '_default', parent || '_' || suffix)
      USING low, high;
    EXECUTE format('ALTER TABLE pagefall.%I ATTACH PARTITION pagefall.%I FOR VALUES FROM (%L) TO (%L)',
      parent, parent || '_' || suffix, low, high);
  END LOOP;
  INSERT INTO pagefall.months (month) VALUES (first_day)
    ON CONFLICT (month) DO UPDATE SET made_at = now(), dropped_at = NULL;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION pagefall.make_month(date) FROM PUBLIC;
COMMENT ON FUNCTION pagefall.make_month IS
  'Makes a month''s partitions and moves its rows out of the defaults; false where it is there. For the owner, who may so give old data a month.';

-- What a loader may call: no argument, so nothing that a device sends can decide how many partitions there are.
CREATE FUNCTION pagefall.make_months() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  this_month date := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
  first_month date;
  made integer := 0;
BEGIN
  -- Two back at first, two ahead; later only what is newer than the newest, so that a dropped month stays dropped.
  first_month := GREATEST(
    (this_month - interval '2 months')::date,
    (SELECT (max(m.month) + interval '1 month')::date FROM pagefall.months m WHERE m.month <= this_month));
  FOR step IN 0..4 LOOP
    EXIT WHEN first_month + make_interval(months => step) > this_month + interval '2 months';
    IF pagefall.make_month((first_month + make_interval(months => step))::date) THEN
      made := made + 1;
    END IF;
  END LOOP;
  RETURN made;
END $$;
REVOKE ALL ON FUNCTION pagefall.make_months() FROM PUBLIC;
COMMENT ON FUNCTION pagefall.make_months IS 'Makes the months that are missing, up to two ahead; returns how many it made.';

SELECT pagefall.make_months();
