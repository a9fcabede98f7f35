import Foundation
import Testing

/// The repository's folder.
let projectFolder = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// The blocks of docs/ios.md in a language.
func blocks(_ language: String) throws -> [String] {
  let page = try String(contentsOf: projectFolder.appendingPathComponent("docs/ios.md"), encoding: .utf8)
  var blocks: [String] = []
  var open: (isWanted: Bool, lines: [String])?
  for line in page.components(separatedBy: "\n") {
    if let block = open, line == "```" {
      if block.isWanted { blocks.append(block.lines.joined(separator: "\n")) }
      open = nil
    } else if open != nil {
      open?.lines.append(line)
    } else if line.hasPrefix("```") {
      open = (line == "```\(language)", [])
    }
  }
  return blocks
}

@Suite struct DocumentTests {
  @Test func `the Swift code of the page is the code of the files`() throws {
    let examples = projectFolder.appendingPathComponent("Examples")
    let files = try FileManager.default.subpathsOfDirectory(atPath: examples.path).filter { $0.hasSuffix(".swift") }
    let texts = try files.map { try String(contentsOf: examples.appendingPathComponent($0), encoding: .utf8) }
    #expect(files.count == 6)
    let blocks = try blocks("swift")
    #expect(blocks.count == 4)
    for block in blocks { #expect(texts.contains { $0.contains(block) }, "\(block)") }
  }

  @Test func `the property lists of the page are property lists`() throws {
    let blocks = try blocks("xml")
    #expect(blocks.count == 2)
    for block in blocks {
      let list = try propertyList(Data("<plist version=\"1.0\"><dict>\(block)</dict></plist>".utf8))
      #expect(list["NSAppTransportSecurity"] is [String: Any])
    }
  }

  @Test(arguments: [
    ("NotificationContentExtension/Info.plist", ["NSExtension", "NSAppTransportSecurity"]),
    ("App/PrivacyInfo.xcprivacy", ["NSPrivacyAccessedAPITypes", "NSPrivacyCollectedDataTypes"]),
  ])
  func `the property lists to copy are property lists`(file: String, keys: [String]) throws {
    let list = try propertyList(Data(contentsOf: projectFolder.appendingPathComponent("Examples/\(file)")))
    for key in keys { #expect(list[key] != nil, "\(key)") }
  }

  private func propertyList(_ data: Data) throws -> [String: Any] {
    try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }
}
