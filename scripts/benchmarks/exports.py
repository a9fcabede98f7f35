"""A day of 10 M events exported, against psql \\copy of the same columns of the same rows, and the export's memory."""

import datetime
import os
import shutil
import subprocess
import time

from benchmarks.common import median, say, stored_events
from harness.command import BINARY, Workbench

# A quick look needs fewer: the table's figures are those of the default.
EVENTS = int(os.environ.get("PAGEFALL_BENCH_EXPORT_EVENTS", 10_000_000))
SESSIONS_A_FILE = 100_000
ROUNDS = 3
# A server's usual setting; the private cluster's own is small. It is psql's plan that needs it, not the export's.
SETTINGS = "SET work_mem = '64MB'"


def measure():
    day = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=1)
    with Workbench() as bench:
        fill(bench, day)
        bench.sql("VACUUM ANALYZE")
        ratios, memory = [], []
        for number in range(ROUNDS):
            copy = seconds(lambda: copy_columns(bench, day))
            (export, resident) = run_export(bench, day, "--what", "events", "--compress", "none")
            ratios.append(copy / export)
            memory.append(resident)
            say(f"round {number + 1}: \\copy {copy:.1f} s, export {export:.1f} s and {resident:.0f} MiB, "
                f"ratio {ratios[-1]:.2f}")
        (export, resident) = run_export(bench, day)
        memory.append(resident)
        say(f"all four files, gzip: {export:.1f} s and {resident:.0f} MiB")
        return {"export_vs_copy": median(ratios), "export_resident_mib": max(memory)}


def fill(bench, day):
    """All events of one day in UTC."""
    stored, seed = 0, 1
    while stored < EVENTS:
        path = bench.path("events.ndjson")
        bench.run("simulate", "--sessions", str(SESSIONS_A_FILE), "--over", "23h", "--ending", f"{day}T23:30:00Z",
                  "--seed", str(seed), "--batch", "100", "--out", path)
        bench.run("ingest", path)
        stored = stored_events(bench)
        seed += 1
    os.unlink(path)
    say(f"{stored:,} events of {day}")


def copy_columns(bench, day):
    """What somebody would do without an export."""
    columns = ", ".join(expression(name) for name in event_columns(bench))
    file = bench.path("copied.csv")
    statement = (f"SELECT {columns} FROM public.pagefall_events_v1"
                 f" WHERE started_at >= '{day}T00:00:00Z' AND started_at < '{day}T24:00:00Z'")
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", bench.connection, "-c", SETTINGS,
                    "-c", f"\\copy ({statement}) TO '{file}' (FORMAT csv, HEADER)"], check=True)
    os.unlink(file)


def event_columns(bench):
    """The view's columns, and the local days that an export has beside the times."""
    names = bench.sql("SELECT attname FROM pg_attribute WHERE attrelid = 'public.pagefall_events_v1'::regclass"
                      " AND attnum > 0 ORDER BY attnum").split("\n")
    days = {"at": "at_day", "started_at": "started_day", "arrived_at": "arrived_day"}
    return [column for name in names for column in ([name, days[name]] if name in days else [name])]


def expression(name):
    time_of = {"at_day": "at", "started_day": "started_at", "arrived_day": "arrived_at"}
    return f"({time_of[name]} AT TIME ZONE 'UTC')::date AS {name}" if name in time_of else name


def run_export(bench, day, *arguments):
    """Seconds, and the highest resident memory in MiB, of one export into a new directory."""
    directory = bench.path("export")
    begin = time.monotonic()
    process = subprocess.Popen([BINARY, "export", "--data-dir", bench.directory, "--day", str(day), "--out", directory,
                                *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    elapsed = time.monotonic() - begin
    if process.returncode != 0:
        raise SystemExit(f"the export failed with {process.returncode}")
    shutil.rmtree(directory)
    return elapsed, usage.ru_maxrss / 1024


def seconds(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin
