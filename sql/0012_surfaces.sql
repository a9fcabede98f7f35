-- Reports of rich media and of notification responses read few sessions among very many: this finds them.
--
-- Making it reads every event once, and nobody stores meanwhile; reports can. A month that is made later, and what is moved
-- into it, gets it as all indexes of the parent.

-- Nobody makes months, removes or stores meanwhile.
SELECT pg_advisory_xact_lock(1885824620, 3);
SELECT pg_advisory_xact_lock(1885824620, 2);

CREATE INDEX stored_events_surfaces ON pagefall.stored_events (session_id, type) WHERE type >= 7;
COMMENT ON INDEX pagefall.stored_events_surfaces IS
  'Events of rich media (7 to 10) and notification responses (11): a small part of all events.';
