import Foundation
import TestSupport
import Testing

@testable import Exports

@Suite struct `Files that other programs read` {
  /// A line a hostile text, in several columns.
  private static func world() throws -> WritingWorld {
    try WritingWorld(
      hostileTexts.enumerated().map { number, text in
        var session = StoredSession()
        session.story = text
        session.clockOffsetMicroseconds = Int64(number)
        session.context = ["user_id": text, "campaign_id": "18446744073709551615", "properties": #"{"a": "x,\"y\""}"#]
        session.events = [StoredRow(seq: 0, type: .pageShown, columns: ["page_index": "0", "duration": "0.1"])]
        return session
      })
  }

  /// What must be read, by the number of the session.
  private func expected() throws -> String {
    let data = try JSONSerialization.data(withJSONObject: hostileTexts)
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `Python's csv and json read back equal`() throws {
    let script = """
      import csv, gzip, json, sys
      path, format, texts = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
      opened = gzip.open if path.endswith(".gz") else open
      with opened(path, "rt", encoding="utf-8", newline="") as file:
          if format == "csv":
              rows = list(csv.DictReader(file, strict=True))
          else:
              rows = [json.loads(line) for line in file.read().split("\\n")[:-1]]
      assert len(rows) == len(texts), len(rows)
      for row in rows:
          text = texts[int(row["clock_offset_us"])]
          assert row["story_id"] == text and row["user_id"] == text, (text, row["story_id"])
          assert row["campaign_id"] == "18446744073709551615" and float(row["duration_seconds"]) == 0.1
          properties = row["properties"] if format == "ndjson" else json.loads(row["properties"])
          assert properties == {"a": 'x,"y"'}, properties
          assert row["os_version"] in (None, "") and len(row) == 36
      """
    let world = try Self.world()
    for format in ExportFormat.allCases {
      for compression in [ExportCompression.none, .gzip] {
        let day = try world.write(ExportOptions(format: format, compression: compression))
        _ = try Program.run("python3", ["-c", script, try day.path(.events), format.rawValue, try expected()])
      }
    }
  }
}
