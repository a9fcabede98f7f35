import LocalTime

extension CommonOptions {
  /// Of the commands that count by days.
  static let timeZone = Option(
    "tz", takes: "ZONE", help: "whose days, such as Europe/Berlin (default UTC)", configurable: true)
}

extension Invocation {
  /// The zone of `--tz`; UTC where nobody gave one.
  func timeZone() throws(CommandError) -> ReportTimeZone {
    guard let name = value(CommonOptions.timeZone) else { return .utc }
    do { return try ReportTimeZone(named: name) } catch { throw .usage(error.description) }
  }

  /// A day as people write it, in a zone.
  func day(_ text: String, in zone: ReportTimeZone) throws(CommandError) -> CivilDate {
    do {
      return try CivilDate(expression: text, in: zone, nowMicroseconds: environment.nowMicroseconds())
    } catch {
      throw .usage(error.description)
    }
  }
}
