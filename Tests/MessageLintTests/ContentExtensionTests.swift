import Foundation
import Testing

@testable import MessageLint

/// The `Info.plist` of the content extension.
@Suite struct ContentExtensionTests {
  private static let good: [String: any Sendable] = [
    "UNNotificationExtensionCategory": "PW_STORIES", "UNNotificationExtensionUserInteractionEnabled": true,
    "UNNotificationExtensionDefaultContentHidden": true, "UNNotificationExtensionInitialContentSizeRatio": 1.5,
  ]

  private func plist(
    _ changes: [String: any Sendable] = [:], without removed: [String] = [], isNested: Bool = true,
    point: String = "com.apple.usernotifications.content-extension",
    format: PropertyListSerialization.PropertyListFormat = .xml
  ) throws -> ContentExtension {
    var attributes = Self.good.merging(changes) { $1 }
    for key in removed { attributes[key] = nil }
    let nested: [String: Any] = [
      "NSExtension": ["NSExtensionPointIdentifier": point, "NSExtensionAttributes": attributes] as [String: Any]
    ]
    let root: [String: Any] = isNested ? nested : attributes
    return try ContentExtension(
      propertyList: PropertyListSerialization.data(fromPropertyList: root, format: format, options: 0))
  }

  private func codes(_ found: ContentExtension, aspectRatio: Double = 1.5) -> [CodeAndPlace] {
    found.lint(name: "Info.plist", aspectRatio: aspectRatio).findings.map { CodeAndPlace($0) }
  }

  @Test(arguments: [true, false], [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `a good file has no findings, in XML and in binary, whole or the attributes alone`(
    isNested: Bool, format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let found = try plist(isNested: isNested, format: format)
    #expect(codes(found) == [])
    #expect(found.categories == ["PW_STORIES"])
  }

  private static let place = "/NSExtension/NSExtensionAttributes"

  /// A binary property list of these objects, the first at the top; references to objects have two bytes.
  private static func binary(_ objects: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    func long(_ value: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    return Data(bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 2] + long(objects.count) + long(0) + long(table))
  }

  @Test func `a small file that would fill the memory is no property list`() {
    func array(of object: Int, times: UInt8) -> [UInt8] {
      [0xA0 + times] + (0..<times).flatMap { _ in [UInt8(object >> 8), UInt8(object & 0xFF)] }
    }
    let text: [UInt8] = [0x51, 0x61]
    let dictionary: [UInt8] = [0xD1, 0, 1, 0, 2]
    let files = [
      Self.binary([dictionary, text] + (2..<14).map { array(of: $0 + 1, times: 10) } + [text]),
      Self.binary([dictionary, text] + (2..<300).map { array(of: $0 + 1, times: 1) } + [text]),
      Self.binary([dictionary, text, array(of: 0, times: 1)]), Self.binary([dictionary, text, array(of: 9, times: 1)]),
      Self.binary([dictionary, text, [0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]),
      Self.binary([dictionary, text, [0xAF]]), Self.binary([]), Data("bplist00".utf8),
    ]
    for file in files {
      #expect(throws: ContentExtension.ReadingError.notAPropertyList) { try ContentExtension(propertyList: file) }
    }
    let good = Self.binary([dictionary, text, array(of: 3, times: 10), array(of: 4, times: 10), text])
    #expect(throws: Never.self) { try ContentExtension(propertyList: good) }
  }

  @Test func `a ratio that is no finite number is none`() throws {
    for ratio in [Double.nan, .infinity, -.infinity] {
      #expect(
        try codes(plist(["UNNotificationExtensionInitialContentSizeRatio": ratio])) == [
          CodeAndPlace(.extensionRatioMissing, Self.place)
        ])
    }
  }

  @Test func `each key that is absent is told`() throws {
    #expect(
      try codes(plist(without: ["UNNotificationExtensionCategory"])) == [
        CodeAndPlace(.extensionCategoryMissing, Self.place)
      ])
    #expect(
      try codes(plist(without: Array(Self.good.keys))) == [
        CodeAndPlace(.extensionCategoryMissing, Self.place), CodeAndPlace(.extensionInteractionDisabled, Self.place),
        CodeAndPlace(.extensionDefaultContentShown, Self.place), CodeAndPlace(.extensionRatioMissing, Self.place),
      ])
  }

  @Test func `each key that says something else is told`() throws {
    let touches = try plist(["UNNotificationExtensionUserInteractionEnabled": false])
    #expect(codes(touches).map(\.code) == [.extensionInteractionDisabled])
    let hidden = try plist(["UNNotificationExtensionDefaultContentHidden": "yes"])
    #expect(codes(hidden).map(\.code) == [.extensionDefaultContentShown])
    let ratio = "\(Self.place)/UNNotificationExtensionInitialContentSizeRatio"
    #expect(try codes(plist(), aspectRatio: 1.6) == [CodeAndPlace(.extensionRatioDiffers, ratio)])
    #expect(try codes(plist(["UNNotificationExtensionInitialContentSizeRatio": 1.504])) == [])
    #expect(try codes(plist(point: "com.apple.usernotifications.service")).map(\.code) == [.extensionPointDiffers])
  }

  @Test func `a file without an extension is told to be the wrong one`() throws {
    let root = ["CFBundleIdentifier": "com.example.app"]
    let found = try ContentExtension(
      propertyList: PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0))
    #expect(codes(found) == [CodeAndPlace(.extensionMissing, "")])
  }

  @Test(arguments: ["", "7 {", "<plist>", "<plist version=\"1.0\"><array/></plist>", "bplist00"])
  func `what is no property list, or no dictionary, is refused`(text: String) {
    #expect(throws: ContentExtension.ReadingError.notAPropertyList) {
      try ContentExtension(propertyList: Data(text.utf8))
    }
  }

  @Test(arguments: [
    ("PW_STORIES", []), ("PW_OTHER", [LintCode.extensionCategoryDiffers]), ("pw_stories", [.extensionCategoryDiffers]),
  ]) func `a message's category has to be one of the extension's`(category: String, expected: [LintCode]) throws {
    for value: any Sendable in [category, ["X", category]] as [any Sendable] {
      let options = LintOptions(contentExtension: try plist(["UNNotificationExtensionCategory": value]))
      let findings = lint(GoodMessage.request(pages: GoodMessage.page), options: options).notifications[0].findings
      #expect(findings.map(\.code) == expected)
      if !expected.isEmpty {
        #expect(findings.map(\.pointer) == ["/request/notifications/0/ios_category_custom"])
      }
    }
  }
}
