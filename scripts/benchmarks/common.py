"""What several parts need: simulated bodies, the baseline `\\copy`, medians, and lines on how a round went."""

import statistics
import subprocess
import sys
import time

from harness.collector import Collector, wait_until
from harness.sender import prepare, send_all

BATCH = 100


def say(text):
    print("   " + text, file=sys.stderr, flush=True)


def median(values):
    return statistics.median(values)


def simulated_bodies(bench, sessions, seed):
    """Batches of 100 events, as bytes, and how many events they hold."""
    path = bench.path(f"events-{seed}.ndjson")
    bench.run("simulate", "--sessions", str(sessions), "--over", "7d", "--seed", str(seed), "--batch", str(BATCH),
              "--out", path)
    with open(path, "rb") as file:
        bodies = file.read().splitlines()
    return bodies, sum(body.count(b'"seq":') for body in bodies)


def new_key(bench):
    return bench.run("key", "create", "--app", "bench").split()[-1]


def stored_events(bench):
    return int(bench.sql("SELECT count(*) FROM pagefall.stored_events"))


def fill_spool(bench, spool, bodies, key):
    """Sends everything to a collector that does not load, so that the spool holds it all."""
    with Collector(bench, "--spool", spool, "--no-load") as collector:
        counts = send_all(prepare(bodies, collector.port, key), collector.port)
    if set(counts) != {202}:
        raise SystemExit(f"the collector answered {counts}")


class Baseline:
    """`psql \\copy` of the event rows, then of the session rows, binary, as they stand in the tables now."""

    def __init__(self, bench):
        self.bench = bench
        self.files = {table: bench.path(f"{table}.copy") for table in ("stored_events", "sessions")}
        for table, file in self.files.items():
            self._copy(f"\\copy (SELECT * FROM pagefall.{table}) TO '{file}' (FORMAT binary)")

    def seconds(self):
        """Into emptied tables, once."""
        self.bench.empty_tables()
        begin = time.monotonic()
        for table, file in self.files.items():
            self._copy(f"\\copy pagefall.{table} FROM '{file}' (FORMAT binary)")
        return time.monotonic() - begin

    def _copy(self, command):
        subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.bench.connection, "-c", command],
                       check=True)


def drain_seconds(bench, spool, events):
    """How long a collector takes from its start on a full spool until every event is stored."""
    bench.empty_tables()
    begin = time.monotonic()
    with Collector(bench, "--spool", spool) as collector:
        wait_until(lambda: collector.stored() >= events, 300, "the spool to be drained")
        return time.monotonic() - begin
