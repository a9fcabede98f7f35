import EventIntake
import Foundation
import StoryEvents
import Testing

@Suite struct `The contract's documents` {
  static func document(_ name: String) throws -> Data {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try Data(contentsOf: root.appendingPathComponent("docs").appendingPathComponent(name))
  }

  private static let longText = String(repeating: "x", count: 1024)
  private static let session = #""session_id":"01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f""#

  /// Events of which a schema can say whether they pass.
  static let events: [String] =
    EventType.allCases.flatMap { type in
      [
        event(type.name), event(type.name, #""page_index":0"#),
        event(type.name, #""page_index":999,"page_count":1000"#),
        event(type.name, #""content_code":"r-1""#), event(type.name, #""content_code":null"#),
        event(type.name, #""action":"button""#), event(type.name, #""action":"default""#),
        event(type.name, #""action":"button","category_id":"1","button_id":"2""#),
        event(type.name, #""page_index":null,"page_count":null,"content_code":"","action":null"#),
        event(type.name, #""page_index":1000,"page_count":1"#), event(type.name, #""page_index":-1,"page_count":1"#),
        event(type.name, #""page_index":0,"page_count":0"#), event(type.name, #""page_index":0,"page_count":1001"#),
      ]
    } + [
      "7", "[]", "null", #""x""#, "{}", event("nonsense"), event("", #""type":7"#), event("", #""type":null"#),
      #"{"type":"finish","seq":1,"at":1}"#, #"{"type":"finish",\#(session),"at":1}"#,
      #"{"type":"finish",\#(session),"seq":1}"#,
      event("finish", #""surprise":{"deep":[1,2,3]}"#),
    ]
    + [
      "01A226BF-4900-7CC1-9D2E-5A1B2C3D4E5F", "9d2e5a1b-2c3d-8e5f-ba9b-0c1d2e3f4a5b",
      "9d2e5a1b-2c3d-0e5f-8a9b-0c1d2e3f4a5b",
      "9d2e5a1b-2c3d-9e5f-8a9b-0c1d2e3f4a5b", "9d2e5a1b-2c3d-4e5f-ca9b-0c1d2e3f4a5b",
      "01a226bf49007cc19d2e5a1b2c3d4e5f", "abc", "",
    ].map { event("finish", common: #""session_id":"\#($0)","seq":0,"at":0"#) }
    + ["0", "2147483647", "2147483648", "-1", "1.5", "\"1\"", "true", "null", "[]"].map {
      event("finish", common: #"\#(session),"seq":\#($0),"at":0"#)
    }
    + [
      "0", "-1", "253402300799999", "253402300800000", "-62135596800000", "-62135596800001", "1.5", "true", "null",
      "{}",
      #""2026-11-29T10:00:00Z""#, #""2026-11-29t10:00:00.123456789+23:59""#, #""2026-11-29T10:00:00""#,
      #""2026-11-29T10:00:60Z""#,
      #""2026-11-29T24:00:00Z""#, #""2026-13-29T10:00:00Z""#, #""2026-11-00T10:00:00Z""#, #""2026-11-29T10:00:00.Z""#,
      #""2026-11-29T10:00:00.1234567890Z""#, #""2026-11-29T10:00:00+0100""#, #""2026-11-29 10:00:00Z""#, #""""#,
    ].map { event("finish", common: #"\#(session),"seq":0,"at":\#($0)"#) }
    + ["reason", "content_code", "error", "category_id", "button_id"].flatMap { field in
      ["null", #""""#, #""\#(longText)""#, #""\#(longText)x""#, #""a\u0000b""#, #""a\\u0000b""#, "7", "{}", "true"].map
      {
        event("finish", #""\#(field)":\#($0)"#)
      }
    }
    + ["source", "action"].flatMap { field in
      [#""push""#, #""in_app""#, #""button""#, #""default""#, #""dismiss""#, #""x""#, "null", "0"].map {
        event("finish", #""\#(field)":\#($0)"#)
      }
    }
    + ContextField.allCases.flatMap { field in
      [
        "null", #""""#, #""\#(longText.prefix(200))""#, #""\#(longText.prefix(201))""#, #""\#(longText)x""#,
        #""\u0000""#, "0", "7",
        "-1", "1.5", "true", "{}", "[]", #"{"a":1,"b":"x","c":true,"d":null,"e":1.5}"#, #"{"a":{}}"#, #"{"a":[]}"#,
        #"{"\#(longText.prefix(60))":"\#(longText.prefix(256))"}"#, #"{"\#(longText.prefix(61))":1}"#,
        #"{"a":"\#(longText.prefix(257))"}"#, #"{"a":"\u0000"}"#, #"{"\u0000":1}"#,
      ].map { event("finish", #""context":{"\#(field.name)":\#($0)}"#) }
    }
    + ["null", "7", "[]", #""x""#].flatMap {
      [event("finish", #""context":\#($0)"#), event("finish", #""page":\#($0)"#)]
    }
    + ["null", "7", "{}", "[]", "[null]", "[{}]", "[7]", "[[]]", #"[{"title":7}]"#].map {
      event("finish", #""pages":\#($0)"#)
    }
    + ["image_url", "title", "subtitle", "link", "button_title", "key", "duration", "payload_index"].flatMap { field in
      ["null", "5", "-5", "0.5", #""x""#, #""\#(longText)x""#, #""\u0000""#, "true", "{}", "2147483648"].map {
        event("finish", #""page":{"\#(field)":\#($0)}"#)
      }
    }

  @Test func `say of each event what the judge says`() throws {
    let schema = try SchemaValidator(Self.document("contract/event.schema.json"))
    var intake = Intake()
    var accepted = 0
    for event in Self.events {
      let isAccepted = judge(Array("[\(event)]".utf8), with: &intake).summary?.accepted == 1
      if isAccepted { accepted += 1 }
      #expect(try schema.takes(event) == isAccepted, "\(event.prefix(200))")
    }
    // Both kinds must occur, or nothing was tested.
    #expect(accepted > 150 && Self.events.count - accepted > 300)
  }

  @Test func `say of the shared cases what these say`() throws {
    let schema = try SchemaValidator(Self.document("contract/event.schema.json"))
    // That a day does not exist is what no schema can say.
    for test in try `The shared event cases`.cases() where test.name != "30th of February" {
      #expect(try schema.takes(String(decoding: test.event, as: UTF8.self)) == (test.code == nil), "\(test.name)")
    }
  }

  @Test func `name every code, type, field and limit`() throws {
    let prose = String(decoding: try Self.document("contract.md"), as: UTF8.self)
    let openAPI = String(decoding: try Self.document("contract/openapi.yaml"), as: UTF8.self)
    let schema = String(decoding: try Self.document("contract/event.schema.json"), as: UTF8.self)
    for code in RejectionCode.allCases where code.rawValue <= RejectionCode.invalidField.rawValue {
      #expect(prose.contains("`\(code.name)`") && openAPI.contains("- \(code.name)\n"), "\(code.name)")
    }
    for code in WarningCode.allCases { #expect(prose.contains("`\(code.name)`") && openAPI.contains(code.name)) }
    for fate in EventFate.allCases where fate != .stored && fate != .refusedByDatabase {
      #expect(prose.contains("`\(fate.rawValue)`"))
    }
    for type in EventType.allCases { #expect(prose.contains("`\(type.name)`") && schema.contains("\"\(type.name)\"")) }
    for field in ContextField.allCases {
      #expect(prose.contains("`\(field.name)`") && schema.contains("\"\(field.name)\""))
    }
    #expect(prose.contains("| 10,000 |") && openAPI.contains("maxItems: \(ContractLimits.eventsPerRequest)"))
    #expect(ContractLimits.bodyBytes == 2 << 20 && ContractLimits.decompressedBodyBytes == 16 << 20)
    #expect(prose.contains("2 MiB / 16 MiB") && prose.contains("| 32 KiB |") && ContractLimits.eventBytes == 32 << 10)
    #expect(prose.contains("| \(ContractLimits.storyIDBytes) bytes |") && prose.contains("| 1,024 bytes |"))
    #expect(
      prose.contains("\(ContractLimits.propertyNameBytes) / \(ContractLimits.propertyValueBytes) bytes"))
  }
}
