// Exports: the sessions of one local day as files, and the directory that such sets lie in.
//
//   Columns/    what stands in each file: name, type, unit and meaning of every column
//   Reading/    one row a session of the day out of PostgreSQL, its events packed in one value
//   Writing/    rows as CSV or NDJSON, compressed and hashed on their way into a file
//   Sets/       the directory: one run at a time, sets built aside and exchanged whole, manifests, the state
//   Files/      system calls on files and directories that are open, with their failures in words
//   Changes/    what changed of a day since its last set, as the database kept account of it
//   Planning/   which days are due, and why
//
// The way of a day: `Exporter` opens one snapshot, reads how much has changed of the day, streams its sessions through the
// judge of SessionMetrics into the files of a set built aside, and has the directory exchange it for the old one.

/// What a set can hold: one file each.
package enum ExportContent: String, CaseIterable, Sendable {
  /// A line an event, with its session's context.
  case events
  /// A line a session, with what it counts for.
  case sessions
  /// A line a story and page: numerators and denominators of a funnel.
  case funnel
  /// A line a story.
  case stories
}

/// How rows are written.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// RFC 4180, with a header.
  case csv
  /// A JSON object a line.
  case ndjson
}

/// How files are compressed.
package enum ExportCompression: String, CaseIterable, Sendable {
  case gzip
  case zstd
  case none

  /// What a file's name ends with.
  var fileExtension: String {
    switch self {
    case .gzip: ".gz"
    case .zstd: ".zst"
    case .none: ""
    }
  }
}

/// What the files of a set are like; sets of one directory are made alike.
package struct ExportOptions: Equatable, Sendable {
  /// The files, in the order of `ExportContent`.
  package var contents: [ExportContent]
  /// How rows are written.
  package var format: ExportFormat
  /// How files are compressed.
  package var compression: ExportCompression
  /// Whether a quote is put before cells that a spreadsheet would run.
  package var isCSVSafe: Bool

  /// Everything, as CSV, by gzip, with cells as they are, unless said otherwise.
  package init(
    contents: [ExportContent] = ExportContent.allCases, format: ExportFormat = .csv,
    compression: ExportCompression = .gzip, isCSVSafe: Bool = false
  ) {
    self.contents = contents
    self.format = format
    self.compression = compression
    self.isCSVSafe = isCSVSafe
  }

  /// The name of a file, such as `events.csv.gz`.
  func fileName(of content: ExportContent) -> String {
    "\(content.rawValue).\(format.rawValue)\(compression.fileExtension)"
  }
}
