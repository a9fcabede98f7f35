import StoryPlayback

/// What was found in all files of a run.
package struct LintReport: Equatable, Sendable {
  /// The files, in the order in which they were given.
  package var files: [LintedFile]
  /// The extension's file and what was found in it, where one was given.
  package var infoPlist: LintedInfoPlist?

  /// Makes a report.
  package init(files: [LintedFile], infoPlist: LintedInfoPlist? = nil) {
    self.files = files
    self.infoPlist = infoPlist
  }

  /// All findings.
  package var findings: [LintFinding] {
    files.flatMap { file in file.findings + file.notifications.flatMap(\.findings) } + (infoPlist?.findings ?? [])
  }

  /// How many findings have a severity.
  package func count(_ severity: LintSeverity) -> Int { findings.count { $0.severity == severity } }
}

/// One file.
package struct LintedFile: Equatable, Sendable {
  /// As it was given; `-` for standard input.
  package var name: String
  /// What the file is; nil where it is no message.
  package var form: MessageForm?
  /// Its notifications; one for a payload or a bare block.
  package var notifications: [LintedNotification]
  /// What belongs to no notification.
  package var findings: [LintFinding]

  /// How many findings, those of notifications included, have a severity.
  package func count(_ severity: LintSeverity) -> Int {
    LintReport(files: [self]).count(severity)
  }
}

/// One notification, and what a phone does with it.
package struct LintedNotification: Equatable, Sendable {
  /// Its place in `notifications`, from 0; 0 for a payload or a bare block.
  package var index: Int
  /// The pages that play, or the fallback.
  package var outcome: StoryOutcome
  /// `story_id` of the block.
  package var storyID: String?
  /// The payload as it arrives, as JSON without white space, in bytes. See `ArrivedPayload`.
  package var payloadBytes: Int
  /// The category of buttons that it names, where the app's are known.
  package var category: NotificationCategory?
  /// What was found, the gravest first, in the order of the message within a severity.
  package var findings: [LintFinding]

  /// The pages that play; none for a fallback.
  package var pages: [StoryPage] {
    switch outcome {
    case .story(let pages): pages
    case .fallback: []
    }
  }

  /// How long the story plays where nobody touches it, in seconds; nil for a fallback.
  package var playSeconds: Double? {
    switch outcome {
    case .story(let pages): Double(pages.reduce(0) { $0 + $1.durationMicroseconds }) / 1_000_000
    case .fallback: nil
    }
  }
}

/// The extension's property list.
package struct LintedInfoPlist: Equatable, Sendable {
  /// As it was given.
  package var name: String
  /// What was found in it.
  package var findings: [LintFinding]

  /// Makes the record of a file.
  package init(name: String, findings: [LintFinding]) {
    self.name = name
    self.findings = findings
  }
}
