import Foundation
import TestSupport
import Testing

extension ExportDocsTests {
  @Test func `cron runs the line that is given for it, and mails only trouble`() throws {
    let line = try #require(blocks.first { $0.language == "crontab" }).text
    let fields = line.split(separator: " ", maxSplits: 5)
    #expect(fields.prefix(5) == ["17", "3", "*", "*", "*"])
    // Cron takes a percent sign for the end of the command.
    #expect(!line.contains("%") && !line.contains("\n"))
    let command = try place.substituted(String(try #require(fields.last)))
    let bare = ["-i", "HOME=\(place.path)", "PATH=/usr/bin:/bin", "LOGNAME=pagefall", "SHELL=/bin/sh"]
    func run(_ command: String) throws -> PagefallProcess.Result {
      try PagefallProcess.run(bare + ["/bin/sh", "-c", command], directory: "/", binary: "/usr/bin/env")
    }

    for _ in 0..<2 {
      let run = try run(command)
      #expect(run.exitCode == 0 && run.standardOutput == "" && run.standardError == "", "\(run.standardError)")
    }
    let log = try String(contentsOfFile: "\(place.path)/export.log", encoding: .utf8).split(separator: "\n")
    #expect(log.count == 2)
    #expect(log.first?.contains("12 events of 3 sessions") == true && log.last?.hasPrefix("nothing to write") == true)
    #expect(FileManager.default.fileExists(atPath: "\(place.path)/exports/day=\(place.yesterday)/manifest.json"))

    let failed = try run(command.replacingOccurrences(of: "host=", with: "host=/nowhere"))
    #expect(failed.exitCode == 3 && failed.standardOutput == "")
    #expect(failed.standardError.split(separator: "\n").count == 1, "\(failed.standardError)")
  }

  @Test func `systemd runs the command of its unit`() throws {
    let service = try #require(blocks.first { $0.text.contains("[Service]") }).text.components(separatedBy: "\n")
    let start = try #require(service.first { $0.hasPrefix("ExecStart=") }).dropFirst("ExecStart=".count)
    let variable = try #require(service.first { $0.hasPrefix("Environment=") }).dropFirst("Environment=".count)
    // Quotes and specifiers would need systemd's own reading.
    #expect(!start.contains { "\"'%$\\".contains($0) })
    let words = try place.substituted(String(start)).split(separator: " ").map(String.init)
    let environment = try place.substituted(variable.trimmingCharacters(in: ["\""]))
    let run = try PagefallProcess.run(
      ["-i", environment] + words, directory: "/", timeout: .seconds(60), binary: "/usr/bin/env")
    #expect(run.exitCode == 0 && run.standardError == "", "\(run.standardError)")
    #expect(run.standardOutput.contains("12 events of 3 sessions"))

    // What its alert asks for is there.
    let alert = try #require(blocks.first { $0.language == "promql" }).text
    let metric = try #require(alert.split(separator: " ").first { $0.hasPrefix("pagefall_") })
    let metrics = try String(contentsOfFile: "\(place.path)/pagefall.prom", encoding: .utf8)
    #expect(metrics.contains("\n\(metric){"))
  }

  /// Where systemd's tools are not installed there is nothing to ask.
  private static let analyzer = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: analyzer != nil)) func `systemd takes the units`() throws {
    let analyzer = try #require(Self.analyzer)
    let units = blocks.filter { $0.language == "ini" }
    let paths = try zip(units, ["service", "timer"]).map { unit, kind in
      let path = "\(place.path)/pagefall-export.\(kind)"
      try Data((try place.substituted(unit.text) + "\n").utf8).write(to: URL(fileURLWithPath: path))
      return path
    }
    let verified = try PagefallProcess.run(["verify", "--man=no"] + paths, binary: analyzer)
    // Other units of the machine may be at fault, too.
    let said = verified.standardError.split(separator: "\n").filter { $0.contains("pagefall-export") }
    #expect(said == [], "\(verified.standardError)")
    let times = units.flatMap { $0.text.components(separatedBy: "\n") }.filter { $0.hasPrefix("OnCalendar=") }
    let time = try #require(times.first).dropFirst("OnCalendar=".count)
    let calendar = try PagefallProcess.run(["calendar", String(time)], binary: analyzer)
    #expect(times.count == 1 && calendar.exitCode == 0, "\(calendar.standardError)")
  }
}
