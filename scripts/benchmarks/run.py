"""Runs the benchmarks and prints the table: what, measured, bar, met or not."""

import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from benchmarks import drain, exports, funnel, memory, reports, single_event, views, whole_way  # noqa: E402
from harness.command import build  # noqa: E402

PARTS = {"drain": drain, "whole-way": whole_way, "single-event": single_event, "memory": memory, "funnel": funnel,
         "reports": reports, "exports": exports, "views": views}

# What is measured, in the words of docs/benchmarks.md; its bar; whether the figure must be at least or at most that.
ROWS = [
    ("drain_vs_copy", "draining a full spool ÷ psql \\copy of the same rows", 0.7, "at least"),
    ("whole_way_vs_copy", "batches of 100 over HTTP until visible ÷ the same \\copy", 0.4, "at least"),
    ("single_event_vs_nginx", "durable single-event requests ÷ nginx answering a constant", 0.35, "at least"),
    ("cpu_collector_vs_backend", "CPU of the collector ÷ CPU of the PostgreSQL backend, an event", 0.6, "at most"),
    ("resident_mib", "highest resident memory of the collector, MiB", 96, "at most"),
    ("export_vs_copy", "speed of an uncompressed export of 10 M events ÷ psql \\copy of its columns", 0.7, "at least"),
    ("export_resident_mib", "highest resident memory of an export of 10 M events, MiB", 64, "at most"),
    ("funnel_vs_aggregate", "funnel over 2.4 M events ÷ a count of sessions over them", 10, "at most"),
    ("funnel_story_vs_aggregate", "funnel of a story in 10 M events ÷ an aggregate of its events", 3, "at most"),
    ("funnel_story_vs_own_table", "the same ÷ that aggregate over a table of its events alone", 3, "at most"),
    ("stories_vs_aggregate", "stories of 10 M events ÷ an aggregate of them", 6, "at most"),
    ("by_app_version_vs_aggregate", "funnel of everything by app version ÷ the same aggregate", 6, "at most"),
    ("one_day_growth", "a day of a story ÷ the same with nothing else stored", 1.5, "at most"),
    ("view_sessions_vs_aggregate", "sessions view, no fact asked for ÷ a count over 2.4 M events", 3, "at most"),
    ("view_facts_vs_aggregate", "sessions view, all facts ÷ the same count", 20, "at most"),
    ("view_day_vs_aggregate", "funnel view, one day of 40 ÷ the same count", 5, "at most"),
    ("view_funnel_vs_aggregate", "funnel view, everything ÷ the same count", 100, "at most"),
]


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; default all")
    parser.add_argument("--json", metavar="FILE", help="also write the figures as one flat object")
    parser.add_argument("--sessions", type=int, metavar="N", help="reports: so many sessions instead of 2,000,000")
    parser.add_argument("--plans", action="store_true", help="reports: also print what the server does for each")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"unknown part {part!r}; there is: {', '.join(PARTS)}")

    build()
    figures = {}
    for name, part in PARTS.items():
        if not options.parts or name in options.parts:
            print(f"== {name}", file=sys.stderr, flush=True)
            figures.update(part.measure(options.sessions, options.plans) if part is reports else part.measure())
    print(f"{'what':<64} {'figure':>9}  {'bar':<13} met")
    for key, what, bar, sense in ROWS:
        if key in figures:
            figure = figures[key]
            met = figure >= bar if sense == "at least" else figure <= bar
            print(f"{what:<64} {figure:>9.3g}  {sense} {bar:<4} {'yes' if met else 'NO'}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(figures, file, indent=2)
            file.write("\n")


main()
