/// `exampleManifest()` as its file holds it.
let goldenManifest = """
  {
    "manifest": "pagefall-export/1",
    "day": "2026-11-29",
    "timezone": "Europe/Berlin",
    "from": "2026-11-29T00:00:00+01:00",
    "to": "2026-11-30T00:00:00+01:00",
    "apps": ["news", "shop"],
    "all_apps": true,
    "definitions": "funnel/1",
    "revision": 2,
    "generated_at": "2026-11-30T03:00:00Z",
    "data_through": "2026-11-30T02:59:58.113Z",
    "generator": "pagefall 0.1.0",
    "options": {
      "what": ["events", "sessions", "funnel", "stories"],
      "format": "csv",
      "compression": "gzip",
      "csv_safe": false
    },
    "sessions": 12,
    "events": 70,
    "completeness": {
      "expected_events": 71,
      "missing_events": 1,
      "sessions_without_start": 0,
      "orphan_taps": 0,
      "negative_dwells": 0,
      "suspect_clock_sessions": 0,
      "dropped_by_devices": 0,
      "rejected_events": { "invalid_text": 2 }
    },
    "files": [
      {
        "name": "events.csv.gz",
        "content": "events",
        "rows": 70,
        "bytes": 1234,
        "uncompressed_bytes": 9876,
        "sha256": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f",
        "columns": [
          { "name": "app", "type": "text", "unit": null, "meaning": "The app's name." },
          {
            "name": "duration_seconds",
            "type": "number",
            "unit": "seconds",
            "meaning": "How long the page is shown."
          }
        ]
      }
    ],
    "changes": {
      "since_revision": 1,
      "reasons": [
        { "reason": "late_events", "sessions": 1, "events": 3 },
        { "reason": "definitions", "sessions": 0, "events": 0 }
      ]
    },
    "position": {
      "database": "7b9d1c7e-5d0c-4f0e-8a53-0d5b2f6f3c11",
      "mark": 123456789012,
      "counts": {
        "stored": { "sessions": 13, "events": 72 },
        "erased": { "sessions": 1, "events": 2 }
      }
    }
  }

  """
