import PrintedText

/// Whose days and whose sessions the sets of one place hold: all alike, so that days can be added up.
struct SetScope: Equatable, Sendable {
  /// The zone of the days, by its name.
  let timeZone: String
  /// Names of apps, sorted.
  let apps: [String]
  /// Whether these are all apps that there were; then others may come.
  let isAllApps: Bool

  init(timeZone: String, apps: [String], isAllApps: Bool) {
    self.timeZone = timeZone
    self.apps = apps.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self.isAllApps = isAllApps
  }

  /// Throws (`.usage`) where the other differs in zone or apps.
  ///
  /// - Parameters:
  ///   - place: whose scope this is, such as `the sets in ./exports`.
  ///   - remedy: where the other's sets may go, such as `into another directory`.
  func requireSame(_ other: SetScope, place: String, remedy: String) throws(ExportError) {
    if timeZone != other.timeZone {
      throw .scope(place, timeZone, other.timeZone, remedy)
    }
    if isAllApps != other.isAllApps
      || !isAllApps && !apps.elementsEqual(other.apps, by: { $0.utf8.elementsEqual($1.utf8) })
    {
      throw .scope(place, appsText, other.appsText, remedy)
    }
  }

  /// `all apps`, `the app shop`, `the apps news and shop`; of many the first three.
  private var appsText: String {
    if isAllApps { return "all apps" }
    if apps.count == 1 { return "the app \(apps[0])" }
    if apps.isEmpty { return "no app" }
    if apps.count <= 4 { return "the apps \(apps.dropLast().joined(separator: ", ")) and \(apps[apps.count - 1])" }
    return "the apps \(apps.prefix(3).joined(separator: ", ")) and \(apps.count - 3) more"
  }
}

extension ExportError {
  fileprivate static func scope(_ place: String, _ found: String, _ wanted: String, _ remedy: String) -> ExportError {
    ExportError(.usage, DisplayText.escaped("\(place) are of \(found); export \(wanted) \(remedy)"))
  }
}
