import Foundation

/// Where a run writes.
package struct ExportPlaces: Sendable {
  /// The directory of the sets; made where it is missing, but not by a dry run.
  package var directory: String
  /// The file that remembers what was written; nil: the manifests in the directory do.
  package var state: String?
  /// The file for node_exporter; nil: none.
  package var metricsFile: String?

  /// Makes places; see the properties.
  package init(directory: String, state: String? = nil, metricsFile: String? = nil) {
    self.directory = directory
    self.state = state
    self.metricsFile = metricsFile
  }
}

extension ExportPlaces {
  /// Throws where one of the files would take the place of the other, or of what an export keeps in its directory.
  func check() throws(ExportError) {
    let sets = Self.resolved(directory)
    var taken: [String: String] = [:]
    for (option, file) in [("--state", state), ("--metrics-file", metricsFile)] {
      guard let file else { continue }
      let url = URL(fileURLWithPath: file)
      let folder = Self.resolved(url.deletingLastPathComponent().path)
      let name = url.lastPathComponent
      // In the directory itself a file of any other name is in nobody's way.
      let isInTheWay = folder == sets && (name.hasPrefix(".") || name.hasPrefix("day="))
      if isInTheWay || folder.hasPrefix(sets + "/") {
        throw ExportError(
          .usage, "\(option) \(file) is where the sets of \(directory) have their own files; name another")
      }
      if let other = taken.updateValue(option, forKey: "\(folder)/\(name)") {
        throw ExportError(.usage, "\(other) and \(option) name the same file, \(file); give each its own")
      }
    }
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }
}
