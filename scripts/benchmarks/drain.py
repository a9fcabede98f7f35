"""Draining a full spool into PostgreSQL, against `psql \\copy` of the same rows. Start-up counts for both."""

from benchmarks.common import Baseline, drain_seconds, fill_spool, median, new_key, say, simulated_bodies, stored_events
from harness.command import Workbench

SESSIONS = 200_000
ROUNDS = 5


def measure():
    with Workbench() as bench:
        bodies, events = simulated_bodies(bench, SESSIONS, seed=1)
        key = new_key(bench)
        ratios = []
        baseline = None
        for number in range(ROUNDS):
            spool = bench.path(f"spool-{number}")
            fill_spool(bench, spool, bodies, key)
            drained = drain_seconds(bench, spool, events)
            if stored_events(bench) != events:
                raise SystemExit(f"{stored_events(bench)} of {events} events are stored")
            baseline = baseline or Baseline(bench)
            copied = baseline.seconds()
            ratios.append(copied / drained)
            say(f"round {number + 1}: {events} events, drain {events / drained:,.0f}/s, "
                f"\\copy {events / copied:,.0f}/s, ratio {ratios[-1]:.2f}")
        return {"drain_vs_copy": median(ratios)}
