"""A funnel over 2.4 M events, against a plain count of the sessions in them, on the same server with its settings."""

import subprocess
import time

from benchmarks.common import median, say, stored_events
from harness.command import BINARY, Workbench

EVENTS = 2_400_000
ROUNDS = 5
AGGREGATE = "SELECT count(*) FROM (SELECT session_id, count(*) FROM pagefall.stored_events GROUP BY 1) s"


def measure():
    with Workbench() as bench:
        stored = fill(bench, over="7d")
        ratios = []
        for number in range(ROUNDS):
            aggregate = timed(lambda: bench.sql(AGGREGATE))
            report = timed(lambda: subprocess.run(
                [BINARY, "report", "funnel", "--data-dir", bench.directory], check=True, stdout=subprocess.DEVNULL))
            ratios.append(report / aggregate)
            say(f"round {number + 1}: {stored:,} events, funnel {report:.2f} s, aggregate {aggregate:.2f} s, "
                f"ratio {ratios[-1]:.1f}")
        return {"funnel_vs_aggregate": median(ratios)}


def fill(bench, over):
    """Stores 2.4 M simulated events, spread over a time such as 7d; returns how many there are."""
    stored, seed = 0, 1
    while stored < EVENTS:
        path = bench.path("events.ndjson")
        bench.run("simulate", "--sessions", "100000", "--over", over, "--seed", str(seed), "--batch", "100",
                  "--out", path)
        bench.run("ingest", path)
        stored = stored_events(bench)
        seed += 1
    bench.sql("VACUUM ANALYZE")
    return stored


def timed(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin
