"""Runs the crash test; exit code 1 where an acknowledged event is missing or an event is stored twice."""

import argparse
import os
import random
import signal
import socket
import subprocess
import time

from crashes.load import Load
from harness.collector import Collector, wait_until
from harness.command import Workbench, build


def main():
    parser = argparse.ArgumentParser(prog="scripts/crash-test")
    parser.add_argument("--collector-kills", type=int, default=50)
    parser.add_argument("--database-kills", type=int, default=10)
    parser.add_argument("--away", type=int, default=60, help="seconds without PostgreSQL")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    generator = random.Random(options.seed)

    build()
    with Workbench() as bench:
        key = bench.run("key", "create", "--app", "crash").split()[-1]
        port = free_port()
        check = Check(bench)
        collector = Collector(bench, port=port)
        try:
            with Load(port, key, options.seed) as load:
                for number in range(options.collector_kills):
                    time.sleep(generator.uniform(0.05, 2.0))
                    collector.kill()
                    collector = Collector(bench, port=port)
                    check.acknowledged_are_stored(load, f"collector kill {number + 1}")
                for number in range(options.database_kills):
                    time.sleep(generator.uniform(0.05, 2.0))
                    kill_database(bench)
                    time.sleep(generator.uniform(0.0, 1.0))
                    bench.run("database", "start")
                    check.acknowledged_are_stored(load, f"database kill {number + 1}")
                database_away(bench, load, options.away)
                check.acknowledged_are_stored(load, f"{options.away} s without the database")
                load.stop()
                check.acknowledged_are_stored(load, "the end")
                check.nothing_else_and_nothing_twice(load)
        finally:
            collector.stop()
    print(f"passed: {len(load.acknowledged):,} events acknowledged and stored once, "
          f"{load.repeats:,} batches repeated, refused {load.refused}")


class Check:
    """Compares the list of acknowledged events with the tables."""

    def __init__(self, bench):
        self.bench = bench
        self.checked = 0
        bench.sql("CREATE TABLE IF NOT EXISTS public.acknowledged (session_id uuid, seq integer)")

    def acknowledged_are_stored(self, load, moment):
        """Waits until everything acknowledged by now is stored."""
        limit = load.snapshot()
        with load.lock:
            rows = load.acknowledged[self.checked:limit]
        lines = "".join(f"{session}\t{seq}\n" for session, seq in rows)
        wait_until(lambda: self._try("SELECT 1") == "1", 30, "the database")
        subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.bench.connection, "-c",
                        "COPY public.acknowledged FROM STDIN"], input=lines, text=True, check=True)
        missing = ("SELECT count(*) FROM public.acknowledged a WHERE NOT EXISTS"
                   " (SELECT FROM pagefall.stored_events e"
                   "  WHERE e.session_id = pagefall.stored_session_id(a.session_id) AND e.seq = a.seq)")
        wait_until(lambda: self._try(missing) == "0", 60, f"the acknowledged events after {moment}", interval=0.2)
        self.bench.sql("TRUNCATE public.acknowledged")
        self.checked = limit
        print(f"{moment}: {limit:,} acknowledged, all stored", flush=True)

    def nothing_else_and_nothing_twice(self, load):
        """With every client done, what is stored is what was acknowledged, each once."""
        stored, distinct = self.bench.sql(
            "SELECT count(*), count(DISTINCT (session_id, seq)) FROM events").split("|")
        expected = len(load.acknowledged)
        if int(stored) != expected or int(distinct) != expected:
            raise SystemExit(f"FAILED: {expected} acknowledged, {stored} stored, {distinct} distinct")

    def _try(self, statement):
        try:
            return self.bench.sql(statement)
        except RuntimeError:
            return None


def kill_database(bench):
    pid = int(bench.sql("SELECT pg_read_file('postmaster.pid')").splitlines()[0])
    os.kill(pid, signal.SIGKILL)


def database_away(bench, load, seconds):
    """Stops PostgreSQL under load: every answer must stay 202."""
    refused = dict(load.refused)
    before = load.snapshot()
    bench.run("database", "stop")
    time.sleep(seconds)
    if load.refused != refused:
        raise SystemExit(f"FAILED: refused while the database was away: {load.refused}")
    print(f"{load.snapshot() - before:,} events acknowledged while the database was away", flush=True)
    bench.run("database", "start")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


main()
