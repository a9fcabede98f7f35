"""Sender, collector and PostgreSQL on the same cores: batches of 100 over HTTP until the last event is visible."""

import time

from benchmarks.common import Baseline, median, new_key, say, simulated_bodies, stored_events
from harness.collector import Collector, process_cpu_seconds, wait_until
from harness.command import Workbench
from harness.sender import prepare, send_all

SESSIONS = 200_000
ROUNDS = 5


def measure():
    with Workbench() as bench:
        bodies, events = simulated_bodies(bench, SESSIONS, seed=2)
        key = new_key(bench)
        ratios, shares = [], []
        baseline = None
        for number in range(ROUNDS):
            bench.empty_tables()
            with Collector(bench, "--spool", bench.path(f"spool-{number}")) as collector:
                requests = prepare(bodies, collector.port, key)
                backend = loader_backend(bench)
                before = collector.cpu_seconds(), process_cpu_seconds(backend)
                begin = time.monotonic()
                counts = send_all(requests, collector.port)
                sent = time.monotonic() - begin
                wait_until(lambda: collector.stored() >= events, 300, "every event to be stored")
                seconds = time.monotonic() - begin
                used = collector.cpu_seconds() - before[0], process_cpu_seconds(backend) - before[1]
            if set(counts) != {202} or stored_events(bench) != events:
                raise SystemExit(f"answers {counts}, {stored_events(bench)} of {events} events stored")
            baseline = baseline or Baseline(bench)
            copied = baseline.seconds()
            ratios.append(copied / seconds)
            shares.append(used[0] / used[1])
            say(f"round {number + 1}: {events} events, answered {events / sent:,.0f}/s, visible "
                f"{events / seconds:,.0f}/s, \\copy {events / copied:,.0f}/s, ratio {ratios[-1]:.2f}; CPU a million "
                f"events: collector {used[0] / events * 1e6:.2f} s, backend {used[1] / events * 1e6:.2f} s")
        return {"whole_way_vs_copy": median(ratios), "cpu_collector_vs_backend": median(shares)}


def loader_backend(bench):
    """The process id of the PostgreSQL backend that serves the loader."""
    query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'pagefall loader'"
    wait_until(lambda: bench.sql(query), 10, "the loader to connect")
    return int(bench.sql(query).splitlines()[0])
