import Foundation
import PrintedText

/// A zone of the IANA time zone database, under the name that was asked for.
public struct ReportTimeZone: Sendable, Equatable {
  /// The name as it is printed.
  public let name: String
  /// The zone.
  public let timeZone: TimeZone

  /// Coordinated Universal Time.
  public static let utc = ReportTimeZone(name: "UTC", timeZone: .gmt)

  private init(name: String, timeZone: TimeZone) {
    self.name = name
    self.timeZone = timeZone
  }

  /// Finds a zone by its name.
  ///
  /// - Throws: `LocalTimeError` with names that look alike, or some that there are.
  public init(named name: String) throws(LocalTimeError) {
    if ["UTC", "Etc/UTC", "Z"].contains(name) {
      self = .utc
      return
    }
    let known = TimeZone.knownTimeZoneIdentifiers
    // Foundation takes "GMT+2" and abbreviations whose offset depends on who reads them; only names of places are sure.
    guard known.contains(name) || name.contains("/"), let zone = TimeZone(identifier: name) else {
      throw LocalTimeError(
        "there is no time zone '\(DisplayText.escaped(name))'; names are those of the IANA database, such as "
          + Self.suggestions(for: name, among: known).joined(separator: ", "))
    }
    self.init(name: name, timeZone: zone)
  }

  /// Seconds that local time is ahead of UTC at an instant.
  package func offsetSeconds(atSecondsSince1970 seconds: Int64) -> Int64 {
    Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
  }

  /// Names that hold a part of what was asked for; else well-known ones.
  private static func suggestions(for name: String, among known: [String]) -> [String] {
    let parts = name.lowercased().split { !$0.isLetter }.filter { $0.count >= 3 }.reversed()
    for part in parts {
      let alike = known.filter { $0.lowercased().contains(part) }
      if !alike.isEmpty, alike.count <= 40 { return Array(alike.prefix(8)) }
    }
    return ["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"]
  }
}
