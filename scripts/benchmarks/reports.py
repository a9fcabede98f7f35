"""Reports over 10 M events in 2 M sessions of eight stories and 60 days, against plain aggregates of the same events."""

import os
import re
import subprocess

from benchmarks.common import median, say
from benchmarks.funnel import timed
from harness.command import BINARY, Workbench

SESSIONS = 2_000_000
DAYS = 60
ROUNDS = 5
CHUNKS = 10
STORY = "story-3"
AGGREGATE = "SELECT count(*) FROM (SELECT e.session_id, max(e.page_index), count(*) FROM {events} GROUP BY 1) s"
EVERYTHING = AGGREGATE.format(events="pagefall.stored_events e")
OF_STORY = AGGREGATE.format(
    events=f"pagefall.stored_events e JOIN pagefall.sessions s USING (session_id) WHERE s.story_id = '{STORY}'")
OWN_TABLE = AGGREGATE.format(events="own_story e")

# Two to eight events a session, five in the mean: a start, the pages in their order with a departure now and then back,
# and as the last one a finish, a tap or where the viewer left. In time order, all stories mixed, as they would come.
SHOWN = """
CREATE TEMPORARY TABLE shown ON COMMIT DROP AS
SELECT n, start, h, 2 + h % 7 AS events,
  (lpad(to_hex(floor(extract(epoch FROM start) * 1000)::bigint), 12, '0') || '7' || substr(m, 1, 3) || 'a' || substr(m, 4, 15))::uuid
    AS session_id
FROM (
  SELECT n, md5(n::text) AS m, ('x' || substr(md5(n::text), 20, 7))::bit(28)::integer AS h,
    date_trunc('day', now()) - interval '{days} days' + n * (interval '{days} days' / {sessions}) AS start
  FROM generate_series({first}, {last}) n) v;
INSERT INTO pagefall.stored_events (session_id, seq, type, at, page_index, page_count, duration)
SELECT session_id, seq, type, start + seq * interval '2.1 seconds' + h % 1000 * interval '1 millisecond',
  CASE WHEN type = 2 THEN seq - 1 - CASE WHEN seq = 4 AND h % 11 = 0 THEN 2 ELSE 0 END WHEN type = 3 THEN seq - 2 END,
  CASE WHEN type = 1 THEN 6 END,
  CASE WHEN type = 2 THEN 5 END
FROM (
  SELECT *, CASE
      WHEN seq = 0 THEN 1
      WHEN seq = events - 1 AND events = 8 THEN 4
      WHEN seq = events - 1 AND events > 2 AND h % 5 = 0 THEN 3
      ELSE 2
    END AS type
  FROM shown CROSS JOIN LATERAL generate_series(0, events - 1) seq) e
ORDER BY n, seq;
INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, story_id, device_id,
  app_version, os_version, device_model, locale, environment, history)
SELECT session_id, 1, start, start + interval '20 seconds', 0, 0, 'story-' || n % 8, md5((h % 400000)::text),
  (ARRAY['4.0.0', '4.0.1', '4.1.0', '4.2.0', '4.2.1', '4.3.0'])[1 + h / 7 % 6], '18.' || h / 42 % 5,
  (ARRAY['iPhone14,5', 'iPhone15,2', 'iPhone16,1', 'iPhone17,3'])[1 + h / 210 % 4],
  (ARRAY['de', 'en', 'fr', 'es'])[1 + h / 840 % 4], 'production', pagefall.packed_history(session_id)
FROM shown ORDER BY n;
"""


def measure(sessions=None, plans=False):
    sessions = sessions or SESSIONS
    with Workbench() as bench:
        fill(bench, sessions)
        day_only = one_day_database(bench)
        if plans:
            show_plans(bench)
        questions = {
            "story": lambda: report(bench, "funnel", "--story", STORY),
            "story_aggregate": lambda: bench.sql(OF_STORY),
            "own_aggregate": lambda: bench.sql(OWN_TABLE),
            "by_app_version": lambda: report(bench, "funnel", "--by", "app_version"),
            "aggregate": lambda: bench.sql(EVERYTHING),
            "day": lambda: report(bench, "funnel", "--story", STORY, *one_day()),
            "day_alone": lambda: report(bench, "funnel", "--story", STORY, *one_day(), database=day_only),
        }
        if has_command("stories"):
            questions["stories"] = lambda: report(bench, "stories")
        seconds = {name: [] for name in questions}
        for number in range(ROUNDS + 1):
            for name, question in questions.items():
                seconds[name].append(timed(question))
            said = ", ".join(f"{name} {values[-1]:.2f} s" for name, values in seconds.items())
            say(f"round {number}: {said}" if number else f"to warm up: {said}")
        seconds = {name: values[1:] for name, values in seconds.items()}

        def ratio(one, other):
            return median([a / b for a, b in zip(seconds[one], seconds[other])])

        figures = {
            "funnel_story_vs_aggregate": ratio("story", "story_aggregate"),
            "funnel_story_vs_own_table": ratio("story", "own_aggregate"),
            "by_app_version_vs_aggregate": ratio("by_app_version", "aggregate"),
            "one_day_growth": ratio("day", "day_alone"),
        }
        if "stories" in seconds:
            figures["stories_vs_aggregate"] = ratio("stories", "aggregate")
        return figures


def fill(bench, sessions):
    """Rows as a loader would have stored them: in the order of time, histories packed."""
    bench.sql("INSERT INTO pagefall.apps (name, data_through) VALUES ('bench', now());"
              "SELECT pagefall.make_month((now() - make_interval(days => d))::date) FROM generate_series(0, 90, 30) d")

    def chunks():
        for chunk in range(CHUNKS):
            bench.sql("BEGIN; SET LOCAL jit = off; ANALYZE pagefall.stored_events;" + SHOWN.format(
                days=DAYS, sessions=sessions, first=sessions * chunk // CHUNKS, last=sessions * (chunk + 1) // CHUNKS - 1)
                + "COMMIT;")
        bench.sql(f"CREATE TABLE own_story AS SELECT e.* FROM pagefall.stored_events e JOIN pagefall.sessions s"
                  f" USING (session_id) WHERE s.story_id = '{STORY}' ORDER BY e.session_id, e.seq;"
                  " ALTER TABLE own_story ADD PRIMARY KEY (session_id, seq); VACUUM ANALYZE; CHECKPOINT;")

    took = timed(chunks)
    say(bench.sql("SELECT 'made ' || count(*) || ' events in ' || (SELECT count(*) FROM pagefall.sessions)"
                  " || ' sessions' FROM pagefall.stored_events") + f" in {took:.0f} s")


def one_day():
    """A day in the middle, as options of a report."""
    return ("--from", f"{DAYS // 2}d", "--to", f"{DAYS // 2 - 1}d")


def one_day_database(bench):
    """Another database on the same server, with nothing but that day of that story; as a connection string."""
    bench.sql("CREATE DATABASE one_day")
    connection = re.sub(r"dbname=\S+", "dbname=one_day", bench.connection)
    bench.run("database", "migrate", "--database", connection)
    psql(connection, "INSERT INTO pagefall.apps (name, data_through) VALUES ('bench', now());"
                     "SELECT pagefall.make_month((now() - make_interval(days => d))::date) FROM generate_series(0, 90, 30) d")
    chosen = ("SELECT {} FROM pagefall.sessions s {} WHERE s.story_id = '" + STORY + "' AND s.started_at >="
              f" date_trunc('day', now()) - interval '{DAYS // 2} days' AND s.started_at <"
              f" date_trunc('day', now()) - interval '{DAYS // 2 - 1} days' ORDER BY s.session_id")
    for table, columns, join in (("stored_events", "e.*", "JOIN pagefall.stored_events e USING (session_id)"),
                                 ("sessions", "s.*", "")):
        file = bench.path(f"{table}.copy")
        psql(bench.connection, f"\\copy ({chosen.format(columns, join)}) TO '{file}' (FORMAT binary)")
        psql(connection, f"\\copy pagefall.{table} FROM '{file}' (FORMAT binary)")
        os.unlink(file)
    psql(connection, "VACUUM ANALYZE")
    return connection


def report(bench, *arguments, database=None):
    subprocess.run([BINARY, "report", *arguments, "--format", "json", "--data-dir", bench.directory,
                    *(("--database", database) if database else ())], check=True, stdout=subprocess.DEVNULL)


def has_command(name):
    return subprocess.run([BINARY, "report", name, "--help"], capture_output=True).returncode == 0


def show_plans(bench):
    """What the server does for each report, by its own account: every statement with its plan, on standard error."""
    logged = (bench.connection + " options='-c session_preload_libraries=auto_explain"
              " -c auto_explain.log_min_duration=0 -c auto_explain.log_analyze=on -c auto_explain.log_timing=off"
              " -c auto_explain.log_buffers=on'")
    log = bench.path("postgres.log")
    log = log if os.path.exists(log) else newest_log(bench.directory)
    for arguments in (("funnel", "--story", STORY), ("funnel", "--story", STORY, *one_day()),
                      ("funnel", "--by", "app_version"), ("stories",)):
        if not has_command(arguments[0]):
            continue
        before = os.path.getsize(log)
        report(bench, *arguments, database=logged)
        with open(log) as file:
            file.seek(before)
            say(f"plans of: report {' '.join(arguments)}\n{file.read()}")


def newest_log(directory):
    logs = [os.path.join(path, name) for path, _, names in os.walk(directory) for name in names if name.endswith("log")]
    return max(logs, key=os.path.getmtime)


def psql(connection, statement):
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", connection], input=statement, text=True, check=True,
                   stdout=subprocess.DEVNULL)
