#!/usr/bin/env python3
"""Sends hostile values through `pagefall ingest` and `pagefall export`, and reads them back by other people's programs.

Usage: round_trip.py PAGEFALL CONNINFO DIRECTORY

PAGEFALL is the command, CONNINFO an empty database with the schema, DIRECTORY one to work in. Every value must come back equal
from CSV and NDJSON, by gzip, zstd and as it is, read by Python's own modules, by pandas and by DuckDB. Needs the packages of
scripts/python-packages.

Prints a line for each way that was read. Exit codes: 0 all values are equal, 1 differences, a line each on standard error.
"""

import csv
import datetime
import gzip
import json
import subprocess
import sys

import duckdb
import pandas
import zstandard

DAY = "2026-11-29"
MOMENT = f"{DAY}T10:00:00.123456Z"

TEXTS = [
    "",
    " ",
    "plain",
    'quo"te', '"', '""', '"quoted"',
    "com,ma", ",", ";",
    "line\nfeed", "carriage\rreturn", "both\r\nof them", "\n", "\r", "\r\n", "\n\n", "ends with CR\r", "\"\r\n\"",
    "tab\tinside", "\tin front", "trailing space ", " leading space",
    "=1+1", "+49 30 1234", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0", "'quoted already",
    "שלום עולם", "\u202eoverride", "مرحبا, \"عالم\"",
    "👩‍👩‍👧‍👦", "🏳️‍🌈 🇩🇪 👍🏽", "e\u0301 é", "\ufeffmark", "\u2028", "a\u2029b", "\u0085", "\u00a0", "\u200b",
    "\u0001\u001f\u007f", "\v\f", "\U0010ffff",
    "\\N", "\\", "\\n", "\\\"", "back\\slash,", "NULL", "null", "NA", "N/A", "NaN", "nan", "None", "#N/A", "-inf", "true", "false",
    "0", "007", "1e5", "1.0", "18446744073709551615", "-9223372036854775809", "0x10", "1_000",
    "2026-11-29", "2026-11-29T10:00:00Z", "10:00:00", "{}", "[1,2]", "{\"a\": \"b\"}", "# comment", "%s %d", "$1", "a" * 199,
]

# Nothing of a sender's is there that is not asked for.
SENT = ["message_hash", "message_id", "campaign_id", "device_id", "user_id", "app_version", "os_version", "device_model",
        "locale", "sdk_version", "environment"]


def session_id(number):
    return f"01a226bf-4900-7cc1-9d2e-{number:012x}"


def events_of(number, text):
    """The fields of a session's events that are not its context; None is what is not sent."""
    return [
        {"type": "start", "page_count": 2},
        {"type": "page_shown", "page_index": 0},
        {"type": "fallback", "reason": text},
        {"type": "rich_media_failed", "content_code": text or "r", "error": text, "source": "in_app"},
        {"type": "notification_response", "action": "button", "category_id": text or "c", "button_id": text or "b"},
    ]


def sessions():
    """Each with its context, and the properties that come with it."""
    for text in TEXTS:
        context = {"story_id": text, **{name: text for name in SENT}}
        yield text, context, {
            "text": text, "integer": 9007199254740993, "largest": 18446744073709551615, "below": -9223372036854775808,
            "number": 0.1, "small": 1e-7, "yes": True, "no": False, "a \"name\",\u2028": "value"}
    # Nothing at all beside the empty texts, and a number where a text may be.
    yield None, {}, None
    yield None, {"campaign_id": 18446744073709551615, "message_id": 0}, {}


def write_events(path):
    """Writes the input; returns what every reader must find, by session and seq."""
    expected = {}
    with open(path, "w", encoding="utf-8") as file:
        for number, (text, context, properties) in enumerate(sessions()):
            sent = dict(context) if properties is None else {**context, "properties": properties}
            events = []
            for seq, event in enumerate(events_of(number, text)):
                key = (session_id(number), seq)
                events.append({"session_id": key[0], "seq": seq, "at": MOMENT,
                               **{name: value for name, value in event.items() if value is not None}})
                columns = {name: None for name in
                           ["story_id", *SENT, "reason", "content_code", "error", "source", "action", "category_id", "button_id",
                            "page_index", "page_count"]}
                columns.update(event)
                columns.update({name: str(value) if isinstance(value, int) else value for name, value in context.items()})
                expected[key] = {**columns, "app": "shop", "at": MOMENT, "started_day": DAY, "properties": properties}
            file.write(json.dumps({"context": sent, "events": events}) + "\n")
    return expected


# --- Readers: each yields a dictionary a line, of texts as they stand in the file, or of values.

OPENERS = {"gzip": lambda path: gzip.open(path, "rt", encoding="utf-8", newline=""),
           "zstd": lambda path: zstandard.open(path, "rt", encoding="utf-8", newline=""),
           "none": lambda path: open(path, encoding="utf-8", newline="")}
ENDINGS = {"gzip": ".gz", "zstd": ".zst", "none": ""}


def python_csv(directory, compression):
    with OPENERS[compression](f"{directory}/day={DAY}/events.csv{ENDINGS[compression]}") as file:
        yield from csv.DictReader(file, strict=True)


def pandas_csv(directory, compression):
    frame = pandas.read_csv(f"{directory}/day={DAY}/events.csv{ENDINGS[compression]}", dtype=str, keep_default_na=False)
    return frame.to_dict("records")


def duckdb_csv(directory, compression):
    return rows(duckdb.sql(
        f"SELECT * FROM read_csv('{directory}/day=*/events.csv{ENDINGS[compression]}', hive_partitioning = true,"
        " header = true, delim = ',', quote = '\"', escape = '\"', all_varchar = true, allow_quoted_nulls = false)"))


def python_ndjson(directory, compression):
    with OPENERS[compression](f"{directory}/day={DAY}/events.ndjson{ENDINGS[compression]}") as file:
        # Not splitlines(), which takes U+2028 for the end of a line.
        for line in file.read().split("\n")[:-1]:
            yield json.loads(line)


def pandas_ndjson(directory, compression):
    frame = pandas.read_json(f"{directory}/day={DAY}/events.ndjson{ENDINGS[compression]}", lines=True, dtype=False,
                             convert_dates=False, precise_float=True)
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def duckdb_ndjson(directory, compression):
    found = rows(duckdb.sql(
        f"SELECT * FROM read_json('{directory}/day=*/events.ndjson{ENDINGS[compression]}', hive_partitioning = true,"
        " format = 'newline_delimited', maximum_depth = 1)"))
    # With this depth every value is JSON.
    return [{name: json.loads(value) if isinstance(value, str) and name != "day" else value for name, value in row.items()}
            for row in found]


def rows(relation):
    names = relation.columns
    return [dict(zip(names, row)) for row in relation.fetchall()]


# How a reader gives NULL, and whether it can be told from an empty text.
READERS = {
    "csv": [("python", python_csv, ""), ("pandas", pandas_csv, ""), ("duckdb", duckdb_csv, None)],
    "ndjson": [("python", python_ndjson, None), ("pandas", pandas_ndjson, None), ("duckdb", duckdb_ndjson, None)],
}


def differences(found, expected, null, is_text):
    seen = set()
    for row in found:
        key = (row["session_id"], int(row["seq"]))
        if key in seen or key not in expected:
            yield f"{key}: {'twice' if key in seen else 'unknown'}"
            continue
        seen.add(key)
        for name, wanted in expected[key].items():
            value = row[name]
            if name == "properties" and is_text and value != null:
                value = json.loads(value)
            if isinstance(wanted, int) and not isinstance(value, str):
                value = int(value)
            if is_text and isinstance(wanted, int):
                wanted = str(wanted)
            if value != (null if wanted is None else wanted):
                yield f"{key} {name}: {value!r} instead of {wanted!r}"
        if "day" in row and str(row["day"]) != DAY:
            yield f"{key} day: {row['day']!r}"
    for key in expected.keys() - seen:
        yield f"{key}: missing"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    pagefall, database, directory = sys.argv[1:]
    events = f"{directory}/events.ndjson"
    expected = write_events(events)
    run(pagefall, "ingest", events, "--app", "shop", "--database", database)
    failed = False
    for form, readers in READERS.items():
        for compression in ENDINGS:
            sets = f"{directory}/{form}-{compression}"
            run(pagefall, "export", "--day", DAY, "--out", sets, "--format", form, "--compress", compression,
                "--database", database)
            for name, reader, null in readers:
                found = list(reader(sets, compression))
                faults = list(differences(found, expected, null, form == "csv"))
                for fault in faults[:20]:
                    print(f"{name}, {form}, {compression}: {fault}", file=sys.stderr)
                failed = failed or bool(faults)
                print(f"{name}, {form}, {compression}: {len(found)} events")
    sys.exit(1 if failed else 0)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed with {done.returncode}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
