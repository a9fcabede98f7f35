import TestSupport
import Testing

/// Rejected events of sessions that are erased.
@Suite struct RejectedErasureTests {
  /// A device's session 1 and another's session 2, and rejected events that pass the rules now.
  private func rows() throws -> RejectedRows {
    let rows = try RejectedRows()
    func event(_ session: Int, _ seq: Int, device: String) -> [UInt8] {
      Array(EventText.pageShown(session: session, seq: seq, page: ",\"context\":{\"device_id\":\"\(device)\"}").utf8)
    }
    try rows.reject(event(1, 0, device: "D0C5…"))
    try rows.reject(event(2, 0, device: "other"))
    #expect(try rows.run("replay", "--all").exitCode == 0)
    #expect(try rows.events() == "01|0 02|0")
    let later = EventText.pageShown(session: 1, seq: 1)
    let idInCapitals = EventText.sessionID(1).uppercased()
    try rows.reject(Array(later.utf8))
    try rows.reject(Array(later.replacing(EventText.sessionID(1), with: idInCapitals).utf8) + [0x20])
    try rows.reject(Array("{\"events\":[\(later)]}".utf8) + [0x0A], code: "unreadable", field: nil)
    try rows.reject(Array(EventText.sessionID(1).utf8) + [0, 0xFF, 0x5C], code: "invalid_json", field: nil)
    try rows.reject(event(3, 0, device: "D0C5…"))
    try rows.reject(event(2, 1, device: "other"))
    return rows
  }

  @Test func `a replay brings an erased session back where its rejected events are left`() throws {
    let rows = try rows()
    _ = try rows.database.psql("SELECT pagefall.erase_sessions(ARRAY['\(EventText.sessionID(1))']::uuid[])")
    _ = try rows.run("replay", "--all")
    #expect(try rows.events() == "01|1 02|0 02|1 03|0")
  }

  @Test func `nothing of a device comes back after what docs storage_md says, and others keep theirs`() throws {
    let rows = try rows()
    let blocks = try ReadmeBlock.all(of: "docs/storage.md").filter { $0.text.contains("DELETE FROM pagefall.rejected") }
    #expect(blocks.count == 1)
    _ = try rows.database.psql(try #require(blocks.first).text)
    #expect(try rows.handles().count == 1)
    #expect(try rows.run("replay", "--all").exitCode == 0)
    #expect(try rows.events() == "02|0 02|1")
  }
}
