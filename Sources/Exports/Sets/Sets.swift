// Sets: the directory that sets lie in, and what remembers them.
//
//   DIR/day=2026-11-29/               a set: `manifest.json` (SetManifest) and the files it lists
//   DIR/.building-2026-11-29/         a set while it is written (NewSet)
//   DIR/.replaced-2026-11-29/         a set on its way in, and from the exchange on the old one on its way out
//   DIR/.pagefall-export.lock         held by the one run that may write (ExclusiveLock); never removed
//
// What holds, whenever a run is killed: `day=…` is one complete set, the older or the newer one. It comes into being by
// one rename, and is changed by one exchange of two names; everything in it was synced before. The hidden names are
// what a killed run leaves behind, and the next run that opens the directory removes them; nothing else is ever
// removed.
//
// Files of other people. In a set's directory the names that an export gives (`events.csv.gz`, `manifest.json`, …:
// every content, format and compression) are the export's own; an older set's files of these names go when the set is
// replaced. Everything else there is somebody's own and is carried over into the new set, right after the exchange.
//
//   ExportDirectory   opening for a run, leftovers; NewSet is a set that is being written
//   ExportedSets      the sets that are there, to look at
//   SetManifest       what a set's manifest says; SetRecord is what the next run has to know of it
//   ExportState       the same memory in a file, for sets that are moved away
//   MetricsFile       what a monitor wants to know of a run

import LocalTime

/// The names within an export's directory.
enum SetNames {
  static let manifest: EntryName = "manifest.json"
  /// The directory itself.
  static let current: EntryName = "."
  static let lock: EntryName = ".pagefall-export.lock"

  private static let setPrefix = "day="
  private static let buildingPrefix = ".building-"
  private static let replacedPrefix = ".replaced-"

  static func set(of day: CivilDate) -> EntryName { "\(setPrefix)\(day.text)" }
  static func building(_ day: CivilDate) -> EntryName { "\(buildingPrefix)\(day.text)" }
  static func replaced(_ day: CivilDate) -> EntryName { "\(replacedPrefix)\(day.text)" }

  /// What a name in the directory stands for; nil: nothing of ours.
  static func meaning(of name: EntryName) -> Meaning? {
    if let day = day(in: name, after: setPrefix) { return .set(day) }
    if let day = day(in: name, after: buildingPrefix) { return .building(day) }
    if let day = day(in: name, after: replacedPrefix) { return .replaced(day) }
    return nil
  }

  /// What stands under a name of ours.
  enum Meaning: Equatable {
    case set(CivilDate)
    case building(CivilDate)
    case replaced(CivilDate)
  }

  /// Whether an export gives this name to a file in a set's directory.
  static func isOfSet(_ name: EntryName) -> Bool { ofSets.contains(name) }

  private static let ofSets: Set<EntryName> = {
    var names: Set<EntryName> = [manifest]
    for format in ExportFormat.allCases {
      for compression in ExportCompression.allCases {
        let options = ExportOptions(format: format, compression: compression)
        for content in ExportContent.allCases { names.insert(EntryName(options.fileName(of: content))) }
      }
    }
    return names
  }()

  private static func day(in name: EntryName, after prefix: String) -> CivilDate? {
    let text = name.description
    guard text.utf8.starts(with: prefix.utf8) else { return nil }
    return CivilDate(text: String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
  }
}
