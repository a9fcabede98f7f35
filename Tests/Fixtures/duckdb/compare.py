#!/usr/bin/env python3
"""Counts events files by funnel.sql and lists every difference from what a report says.

Usage: compare.py EVENTS REPORT [EVENTS REPORT ...]

EVENTS is an exported events file (CSV, compressed or not) or a pattern of several. REPORT is what
`pagefall report funnel --format json --by story_id` prints: of the same sessions, and of one app, or of several of which no
two have a story in common. Needs the package duckdb (scripts/python-packages).

Exit codes: 0 no difference, 1 differences, a line each on standard output, 2 wrong use.
"""

import json
import os
import sys

import duckdb

# A report may take dwell quantiles from a histogram, which is within 1 % (metrics.md).
QUANTILES = ("dwell_ms.median", "dwell_ms.p90")


def count(connection, events):
    connection.execute("SET VARIABLE events = ?", [events])
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "funnel.sql"), encoding="utf-8") as file:
        return [json.loads(row[0]) for row in connection.execute(file.read()).fetchall()]


def differences(path, counted, reported):
    """In every key that is counted; a report has more, such as rates and titles."""
    if isinstance(counted, dict) and isinstance(reported, dict):
        for key, value in counted.items():
            yield from differences(f"{path}.{key}", value, reported.get(key, "nothing"))
    elif isinstance(counted, list) and isinstance(reported, list) and len(counted) == len(reported):
        for place, pair in enumerate(zip(counted, reported)):
            yield from differences(f"{path}[{place}]", *pair)
    elif counted != reported and not is_near(path, counted, reported):
        yield f"{path}: counted {json.dumps(counted)}, reported {json.dumps(reported)}"


def is_near(path, counted, reported):
    return path.endswith(QUANTILES) and None not in (counted, reported) and abs(counted - reported) <= 0.01 * abs(counted)


def compare(connection, events, report):
    with open(report, encoding="utf-8") as file:
        groups = {group["group"]: group for group in json.load(file)["groups"]}
    for story in count(connection, events):
        name = story.pop("story_id")
        del story["app"]
        group = groups.pop("(none)" if name is None else name, None)
        if group is None:
            yield f"{report}: no group {json.dumps(name)}"
        else:
            yield from differences(f"{report}: {json.dumps(name)}", story, group)
    for name in groups:
        yield f"{report}: the group {json.dumps(name)} is in no event"


def main():
    operands = sys.argv[1:]
    if not operands or len(operands) % 2:
        print("usage: compare.py EVENTS REPORT [EVENTS REPORT ...]", file=sys.stderr)
        sys.exit(2)
    connection = duckdb.connect()
    found = False
    for events, report in zip(operands[::2], operands[1::2]):
        for line in compare(connection, events, report):
            found = True
            print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
