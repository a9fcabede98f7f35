"""Runs the crash test of exports; exit code 1 where a set is not whole, or an event is missing or in two of them."""

import argparse
import csv
import gzip
import hashlib
import io
import json
import os
import random
import subprocess
import sys
import threading
import time

from crashes.load import Load
from harness.collector import Collector, wait_until
from harness.command import BINARY, Workbench, build

# After so many kills an export runs to its end: the load makes the day grow, and how long one takes.
KILLS_A_ROUND = 5
# Of today, before the load begins: an export then takes a good part of a second, and 50 kills with their checks some minutes.
SESSIONS_AT_FIRST = 20_000
# Two clients that pause: each export finds other events, and the day does not grow so much that every check takes long.
CLIENTS = 2
PAUSE_SECONDS = 0.05
# The reader hardly pauses: it can meet an exchange only in the milliseconds in which it reads files.
READER_PAUSE_SECONDS = 0.05


def main():
    parser = argparse.ArgumentParser(prog="scripts/export-crash-test")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(f"seed {options.seed}", file=sys.stderr, flush=True)
    generator = random.Random(options.seed)

    build()
    with Workbench() as bench:
        key = bench.run("key", "create", "--app", "crash").split()[-1]
        fill(bench)
        directory = bench.path("sets")
        took = whole_export(bench, directory)
        killed, revisions = 0, set()
        with (Collector(bench) as collector, Load(collector.port, key, options.seed, CLIENTS, PAUSE_SECONDS) as load,
              Reader(directory) as reader):
            for number in range(options.kills):
                if number > 0 and number % KILLS_A_ROUND == 0:
                    took = whole_export(bench, directory)
                killed += kill_export(bench, directory, generator.uniform(0, took * 1.1))
                revisions.add(check_all(directory))
            load.stop()
            # All of the load went through this collector, and it counts an event once however often it was sent.
            wait_until(lambda: collector.stored() >= len(load.acknowledged), 60, "every acknowledged event to be stored")
            whole_export(bench, directory)
            check_all(directory)
            events = check_nothing_missing(bench, directory, load)
            check_leftovers(directory)
        reader.check()
    if killed == 0 < options.kills:
        raise SystemExit("FAILED: no export was killed at work; this machine needs more than SESSIONS_AT_FIRST")
    print(f"passed: {options.kills} kills, {killed} of them at work; {len(revisions)} revisions; {reader.reads:,} whole "
          f"readings meanwhile, {reader.repeats} begun again; {events:,} events exported once; seed {options.seed}")


def fill(bench):
    """Enough of today that an export takes a while: the sessions of one second that has just been."""
    path = bench.path("events.ndjson")
    bench.run("simulate", "--sessions", str(SESSIONS_AT_FIRST), "--over", "1s", "--batch", "100", "--out", path)
    bench.run("ingest", path, "--app", "crash")


def start_export(bench, directory):
    # Yesterday too: the test may run over midnight. No --wait: a lock that a killed run left behind would show.
    return subprocess.Popen([BINARY, "export", "--data-dir", bench.directory, "--from", "yesterday", "--to", "today",
                             "--out", directory], stdout=subprocess.DEVNULL)


def whole_export(bench, directory):
    """Runs one to its end; how long it took."""
    begin = time.monotonic()
    if (code := start_export(bench, directory).wait()) != 0:
        raise SystemExit(f"FAILED: an export ended with {code}")
    return time.monotonic() - begin


def kill_export(bench, directory, seconds):
    """Starts one and kills it after so long; whether it was still at work."""
    process = start_export(bench, directory)
    time.sleep(seconds)
    process.kill()
    code = process.wait()
    if code > 0:
        raise SystemExit(f"FAILED: an export ended with {code}")
    return code < 0


def check_all(directory):
    """Every set is whole; returns the newest day's revision."""
    days = sorted(name for name in os.listdir(directory) if name.startswith("day="))
    return [check_set(read_set(os.path.join(directory, day))) for day in days][-1]


class Replaced(Exception):
    """The set was exchanged while it was read: its files go at once, so a reader begins again (docs/exports.md)."""


def read_set(path):
    """All of a set, through one handle of its directory, so that an exchange meanwhile makes no mixture.

    A file that is missing is no fault where another set stands there by now; the handle keeps the old one's inode from
    being given to it.
    """
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        files = {"manifest.json": read(handle, "manifest.json")}
        for file in json.loads(files["manifest.json"])["files"]:
            files[file["name"]] = read(handle, file["name"])
        return path, files
    except FileNotFoundError:
        if os.fstat(handle).st_ino != os.stat(path).st_ino:
            raise Replaced() from None
        raise
    finally:
        os.close(handle)


def check_set(found):
    """What was read is what its manifest says; returns its revision."""
    path, files = found
    manifest = json.loads(files["manifest.json"])
    for file in manifest["files"]:
        data = files[file["name"]]
        if len(data) != file["bytes"] or hashlib.sha256(data).hexdigest() != file["sha256"]:
            raise SystemExit(f"FAILED: {path}/{file['name']} is not what its manifest says")
        rows = sum(1 for _ in csv.reader(io.StringIO(gzip.decompress(data).decode(), newline=""))) - 1
        expected = {"events": manifest["events"], "sessions": manifest["sessions"]}.get(file["content"], file["rows"])
        if rows != file["rows"] or rows != expected:
            raise SystemExit(f"FAILED: {path}/{file['name']} has {rows} rows, its manifest says {file['rows']}")
    return manifest["revision"]


def read(handle, name):
    with open(os.open(name, os.O_RDONLY, dir_fd=handle), "rb") as file:
        return file.read()


def check_nothing_missing(bench, directory, load):
    """The events of all sets are those of the database, each once, and every acknowledged one is among them."""
    exported = []
    for day in sorted(os.listdir(directory)):
        if day.startswith("day="):
            with gzip.open(os.path.join(directory, day, "events.csv.gz"), "rt", newline="") as file:
                exported += [(row["session_id"], int(row["seq"])) for row in csv.DictReader(file)]
    stored = {(session, int(seq)) for session, seq in
              (line.split("|") for line in bench.sql("SELECT session_id, seq FROM events").split("\n"))}
    found = set(exported)
    if len(found) != len(exported) or found != stored or not found.issuperset(load.acknowledged):
        raise SystemExit(f"FAILED: {len(exported)} exported, {len(found)} distinct, {len(stored)} stored, "
                         f"{len(set(load.acknowledged) - found)} acknowledged and not exported")
    return len(exported)


def check_leftovers(directory):
    """After a run that came to its end there are sets, and the lock that is never removed."""
    allowed = ("day=", ".pagefall-export.lock")
    if left := [name for name in os.listdir(directory) if not name.startswith(allowed)]:
        raise SystemExit(f"FAILED: left behind: {left}")


class Reader:
    """Reads sets while they are exchanged: never may one be absent, partial or a mixture."""

    def __init__(self, directory):
        self.directory = directory
        self.reads = 0
        self.repeats = 0
        self.failure = None
        self.running = True
        self.thread = threading.Thread(target=self._read)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.running = False
        self.thread.join()

    def check(self):
        if self.failure:
            raise SystemExit(f"FAILED while reading: {self.failure!r}")
        if self.reads == 0:
            raise SystemExit("FAILED: nothing could be read meanwhile")

    def _read(self):
        while self.running and not self.failure:
            try:
                check_all(self.directory)
                self.reads += 1
            except Replaced:
                self.repeats += 1
            except (Exception, SystemExit) as failure:
                self.failure = failure
            time.sleep(READER_PAUSE_SECONDS)


main()
