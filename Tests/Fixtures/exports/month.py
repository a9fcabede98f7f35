#!/usr/bin/env python3
"""Adds up the funnel and stories files of an app's days and lists every difference from the report over all of them.

Usage: month.py SETS REPORT [SETS REPORT ...]

SETS is a directory of sets, CSV by gzip. REPORT is what `pagefall report funnel --format json --by story_id` prints of the same
days and app. What does not add up (quantiles, rates) is left out. Python's standard library only.

Exit codes: 0 no difference, 1 differences, a line each on standard output, 2 wrong use.
"""

import csv
import glob
import gzip
import json
import sys

# A column, and where a report has the same.
STORY = {"presentations": "presentations", "fallbacks": "fallbacks", "sessions": "sessions",
         "finished_sessions": "finished_sessions", "reached_last_sessions": "reached_last_sessions",
         "sessions_with_tap": "tapped_sessions"}
COMPLETENESS = ["expected_events", "missing_events", "sessions_without_start", "orphan_taps", "negative_dwells",
                "suspect_clock_sessions"]
PAGE = {"impressions": "impressions", "reached_sessions": "sessions", "strict_reached_sessions": "strict_sessions",
        "replays": "replays", "completed_sessions": "completed_sessions", "taps": "taps", "tapped_sessions": "tapped_sessions"}
DEPARTURES = ["next", "next_auto", "next_tap", "back", "looped", "finished", "tapped_out", "exited", "unknown"]


def lines(sets, content):
    for path in sorted(glob.glob(f"{sets}/day=*/{content}.csv.gz")):
        day = path.split("/day=")[1].split("/")[0]
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for line in csv.DictReader(file, strict=True):
                assert line["started_day"] == day, f"{path} has {line['started_day']}"
                yield line


def add(sums, key, text):
    """Nothing is NULL, which adds nothing; the sum of nothing is NULL."""
    value = None if text == "" else int(text)
    sums[key] = value if sums.get(key) is None else sums[key] + (value or 0)


def counted(sets):
    """By story: sums of the story, and by page."""
    stories, pages, last = {}, {}, {}
    for line in lines(sets, "stories"):
        sums = stories.setdefault(line["story_id"], {})
        for column in [*STORY, *COMPLETENESS]:
            add(sums, column, line[column])
    for line in lines(sets, "funnel"):
        sums = pages.setdefault(line["story_id"], {}).setdefault(int(line["page_index"]), {})
        for column in [*PAGE, *(f"departures_{name}" for name in DEPARTURES), "dwells"]:
            add(sums, column, line[column])
        # Over days these do not add up: a day on which nothing implies the page has no line of it. The page before has.
        key, index = (line["started_day"], line["story_id"]), int(line["page_index"])
        for column in ("reached_sessions", "strict_reached_sessions"):
            before = last.get(key, {"page_index": "-1", column: ""})
            assert int(before["page_index"]) == index - 1, f"{key}: page {index} does not follow the one before"
            assert line[f"previous_{column}"] == before[column], f"{key}: page {index}, previous_{column}"
        last[key] = line
    return stories, pages


def reported(group):
    story = {column: group[key] for column, key in STORY.items()}
    story.update({name: group["completeness"][name] for name in COMPLETENESS})
    pages = {}
    for page in group["pages"]:
        pages[page["index"]] = {
            **{column: page[key] for column, key in PAGE.items()},
            **{f"departures_{name}": page["departures"][name] for name in DEPARTURES},
            "dwells": page["dwell_ms"]["count"]}
    return story, pages


def groups_of(report):
    with open(report, encoding="utf-8") as file:
        return {group["group"]: group for group in json.load(file)["groups"] if group["presentations"]}


def compare(sets, report):
    stories, pages = counted(sets)
    for name, group in groups_of(report).items():
        story_id = "" if name == "(none)" else name
        story, story_pages = reported(group)
        yield from differing(f"{report}: {name!r}", stories.pop(story_id, {}), story)
        found = pages.pop(story_id, {})
        for index in story_pages.keys() | found.keys():
            yield from differing(f"{report}: {name!r} page {index}", found.get(index, {}), story_pages.get(index, {}))
    for name in [*stories, *pages]:
        yield f"{report}: has no group {name!r}"


def differing(what, found, wanted):
    for key in wanted.keys() | found.keys():
        if found.get(key) != wanted.get(key):
            yield f"{what}, {key}: {found.get(key)} in the files, {wanted.get(key)} in the report"


def main():
    operands = sys.argv[1:]
    if not operands or len(operands) % 2:
        print("usage: month.py SETS REPORT [SETS REPORT ...]", file=sys.stderr)
        sys.exit(2)
    # A drawn world of few sessions may have none in these days; all of them may not.
    found = not any(groups_of(report) for report in operands[1::2])
    if found:
        print("nothing is in any of the reports")
    for sets, report in zip(operands[::2], operands[1::2]):
        for line in compare(sets, report):
            found = True
            print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
