import FunnelDocument
import LocalTime
import PrintedText

/// What is known of the sets of each day, in a file (`--state`): for whom sets are moved away after they were made.
///
/// The file is only ever replaced whole. Where it cannot be understood that is an error, never a fresh start: that
/// would export everything anew. While this lives no other run can open the same file (`FILE.lock`).
struct ExportState: ~Copyable {
  private let file: ReplacedFile
  /// Held as long as this lives.
  private let lock: ExclusiveLock
  /// What is in the file.
  private(set) var remembered: RememberedSets

  /// Opens the file for writing; where there is none, nothing is known yet.
  ///
  /// - Parameters:
  ///   - waits: whether to wait while another run holds it; `whenWaiting` is called once before.
  init(path: String, waits: Bool, whenWaiting: () -> Void = {}) throws(ExportError) {
    let file = try ReplacedFile(path: path, what: "the state")
    let lock = try ExclusiveLock(
      "\(file.name).lock", in: file.directory, waits: waits, whenWaiting: whenWaiting,
      busy: ExportError(
        .busy,
        "another run is using the state \(DisplayText.escaped(path)); try again when it has ended, or wait with --wait")
    )
    // Only now: while this run waited, the other has written.
    remembered = try RememberedSets(in: file)
    self.file = file
    self.lock = lock
  }

  /// Remembers a day's set, durably.
  ///
  /// - Parameter scope: that of the run; of all apps, the newest list of them is kept.
  mutating func save(_ record: SetRecord, of day: CivilDate, _ scope: SetScope) throws(ExportError) {
    try remembered.requireSameScope(scope)
    var changed = remembered.content ?? ExportStateContent(scope: scope)
    changed.scope = scope
    changed.records[day] = record
    try file.replace(with: changed.text, aside: ".\(file.name).new")
    remembered.content = changed
  }
}

/// What a state's file says of the sets.
struct RememberedSets: Sendable {
  /// Room for centuries, at about 1 KiB a day; larger files are not ours.
  private static let largestBytes = 256 << 20

  /// Of the file.
  let path: String
  /// Nil: there is no file.
  fileprivate(set) var content: ExportStateContent?

  /// Looks at a file: nothing is made or locked.
  init(lookingAt path: String) throws(ExportError) {
    try self.init(in: ReplacedFile(path: path, what: "the state"))
  }

  fileprivate init(in file: borrowing ReplacedFile) throws(ExportError) {
    path = file.path
    guard let bytes = try file.read(limit: Self.largestBytes) else { return }
    do {
      content = try ExportStateContent(text: bytes)
    } catch {
      throw .file(
        file.path,
        "is not a state of exports that this version knows (\(DisplayText.escaped(error.fault))); name another file, "
          + "or remove it to export every day anew")
    }
  }

  /// By day.
  var records: [CivilDate: SetRecord] { content?.records ?? [:] }

  /// Throws where they are of another zone or of other apps (`.usage`, with both named).
  func requireSameScope(_ scope: SetScope) throws(ExportError) {
    try content?.scope.requireSame(
      scope, place: "the sets that \(path) remembers", remedy: "with another --state file")
  }
}

/// The content of a state's file.
struct ExportStateContent: Equatable, Sendable {
  /// The version of the form.
  static let version = "pagefall-export-state/1"

  var scope: SetScope
  var records: [CivilDate: SetRecord] = [:]

  init(scope: SetScope) {
    self.scope = scope
  }

  /// JSON, the days in their order, with a newline at its end.
  var text: String {
    let sets = records.sorted { $0.key < $1.key }.map { JSONMember($0.key.text, $0.value.json) }
    let json = JSONValue.object([
      JSONMember("version", .string(Self.version)), JSONMember("timezone", .string(scope.timeZone)),
      JSONMember("apps", .array(scope.apps.map { .string($0) })), JSONMember("all_apps", .bool(scope.isAllApps)),
      JSONMember("sets", .object(sets)),
    ])
    return json.text(layout: .readable) + "\n"
  }

  init(text: some Sequence<UInt8>) throws(FunnelDocumentError) {
    let root = JSONObjectReader(value: try JSONValue(text: text))
    guard root.value["version"] == .string(Self.version) else {
      throw root.fault("version", "\"\(Self.version)\"")
    }
    scope = try SetScope(root)
    let sets = try root.child("sets")
    for member in sets.value.objectValue ?? [] {
      guard let day = CivilDate(text: member.key) else { throw sets.fault(member.key, "a day such as 2026-11-29") }
      records[day] = try SetRecord(JSONObjectReader(value: member.value, path: "sets.\(member.key)."))
    }
  }
}
