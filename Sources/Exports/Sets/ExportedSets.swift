import LocalTime
import PrintedText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The sets in a directory, to look at: nothing is made, locked or removed, and no set can be begun.
final class ExportedSets: Sendable {
  /// Where they lie.
  let directory: OpenDirectory

  init(in directory: consuming OpenDirectory) { self.directory = directory }

  /// Opens a directory to look at it.
  ///
  /// - Returns: nil where there is none.
  static func looking(at given: String) throws(ExportError) -> ExportedSets? {
    guard let directory = try existing(trimmed(given)) else { return nil }
    return ExportedSets(in: directory)
  }

  /// As it was given, without slashes at its end.
  var path: String { directory.path }

  /// The days that have sets, in their order.
  func days() throws(ExportError) -> [CivilDate] {
    var days: [CivilDate] = []
    for name in try directory.names() {
      guard case .set(let day) = SetNames.meaning(of: name) else { continue }
      if try directory.status(of: name)?.kind == .directory { days.append(day) }
    }
    return days
  }

  /// The manifest of a day's set; nil where there is no set, or none that can be understood: then `note` is given a
  /// sentence.
  func manifest(of day: CivilDate, note: (String) -> Void = { _ in }) throws(ExportError) -> SetManifest? {
    guard try hasSet(of: day) else { return nil }
    let set = try OpenDirectory(SetNames.set(of: day), in: directory)
    return try SetManifest.read(of: day, in: set, note: note)
  }

  /// Throws where the sets here are of another zone or of other apps (`.usage`, with both named): the days of two zones
  /// cannot lie in one directory. The newest set that can be understood speaks for all.
  func requireSameScope(_ scope: SetScope) throws(ExportError) {
    for day in try days().reversed() {
      guard let manifest = try manifest(of: day) else { continue }
      try manifest.scope.requireSame(scope, place: "the sets in \(path)", remedy: "into another directory")
      return
    }
  }

  /// What stands where a day's set belongs: a directory, nothing, or what cannot be replaced by a set.
  func hasSet(of day: CivilDate) throws(ExportError) -> Bool {
    let name = SetNames.set(of: day)
    switch try directory.status(of: name)?.kind {
    case .none: return false
    case .directory: return true
    case .link: throw .file(directory.pathOf(name), "is a link, and a set is a directory; remove the link")
    case .file, .other: throw .file(directory.pathOf(name), "is not a directory, as a set is; move it away")
    }
  }
}

extension ExportedSets {
  /// A directory's path as it was given, without slashes at its end.
  static func trimmed(_ given: String) throws(ExportError) -> String {
    var path = Substring(given)
    while path.utf8.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw ExportError(.usage, "the directory for the sets needs a name, such as ./exports")
    }
    return String(path)
  }

  /// The directory; nil where there is none.
  static func existing(_ path: String) throws(ExportError) -> OpenDirectory? {
    do {
      return try OpenDirectory(path: path)
    } catch .missing {
      var status = stat()
      if lstat(path, &status) == 0 {
        throw .file(path, "is a link that leads nowhere; make its target or name another directory")
      }
      return nil
    } catch .notDirectory {
      throw .file(path, "is not a directory; name one for the sets")
    } catch {
      throw error.error(path, "cannot be opened")
    }
  }
}
