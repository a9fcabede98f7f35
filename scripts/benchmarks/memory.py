"""The collector's highest resident memory: over 5 M events, and with the database away for 60 s under load."""

import time

from benchmarks.common import new_key, say, simulated_bodies
from harness.collector import Collector, wait_until
from harness.command import Workbench
from harness.sender import prepare, send_all

EVENTS = 5_000_000
SESSIONS_A_ROUND = 150_000
AWAY_SECONDS = 60


def measure():
    with Workbench() as bench:
        key = new_key(bench)
        with Collector(bench, "--spool", bench.path("spool")) as collector:
            sent, seed = 0, 100
            while sent < EVENTS:
                sent += send_round(bench, collector, key, seed)
                seed += 1
            wait_until(lambda: collector.stored() >= sent, 300, "every event to be stored")
            steady = collector.highest_resident_mebibytes()
            say(f"{sent:,} events: {steady:.1f} MiB")

            bench.run("database", "stop")
            away = time.monotonic()
            while time.monotonic() < away + AWAY_SECONDS:
                sent += send_round(bench, collector, key, seed)
                seed += 1
            bench.run("database", "start")
            wait_until(lambda: collector.stored() >= sent, 300, "every event to be stored after the outage")
            outage = collector.highest_resident_mebibytes()
            say(f"database away for {AWAY_SECONDS} s, {sent:,} events in all: {outage:.1f} MiB")
        return {"resident_mib": max(steady, outage)}


def send_round(bench, collector, key, seed):
    bodies, events = simulated_bodies(bench, SESSIONS_A_ROUND, seed)
    counts = send_all(prepare(bodies, collector.port, key), collector.port)
    if set(counts) != {202}:
        raise SystemExit(f"the collector answered {counts}")
    return events
