import EventScanner
import Testing

/// Names for raw values: Swift does not know the names of C's cases when it prints them.
private let fieldWords = [
  "type", "sessionID", "seq", "at", "pageIndex", "pageCount", "reason", "contentCode", "source", "error", "action",
  "categoryID", "buttonID", "context", "page", "pages", "pagesElement", "storyID", "messageHash", "messageID",
  "campaignID", "deviceID", "userID", "appVersion", "osVersion", "deviceModel", "locale", "sdkVersion", "environment",
  "properties", "propertyName", "propertyValue", "imageURL", "title", "subtitle", "link", "buttonTitle", "key",
  "duration", "payloadIndex", "sentAt", "receivedAt", "droppedEventsTotal", "events",
]
private let kindWords = ["string", "integer", "number", "true", "false", "null", "object", "array"]

@Suite struct `Extraction` {
  private let scanner: TestScanner
  init() throws { scanner = try TestScanner() }

  /// The values of the only event, as words: `field:kind:contents`.
  private func values(_ text: String) throws -> [String] {
    try scanner.scan(Array(text.utf8)) { result in
      #expect(result.status == .wellFormed)
      try #require(result.event_count == 1)
      let event = result.events[0]
      return (0..<Int(event.value_count)).map { words(result.values[Int(event.first_value) + $0]) }
    }
  }

  private func words(_ value: ScannedValue) -> String {
    let contents = String(
      decoding: UnsafeBufferPointer(start: value.bytes, count: Int(value.length)), as: UTF8.self)
    let flags = (value.has_nul ? " nul" : "") + (value.has_lone_surrogate ? " lone" : "")
    return "\(fieldWords[Int(value.field.rawValue)]):\(kindWords[Int(value.kind.rawValue)]):\(contents)\(flags)"
  }

  @Test func `lists an event's fields, and those of its parts behind their mark`() throws {
    let context = #"{"story_id":"a\tb","x":[1],"properties":{"p":1,"q":null,"r":[2]}}"#
    let page = #"{"title":"T","duration":5.5,"other":{}}"#
    let event =
      #"{"type":"start","seq":-12,"at":1.5,"reason":true,"error":null,"unknown":{"a":[1]},"context":\#(context),"#
      + #""page":\#(page),"pages":[{"key":"k"},null,7],"source":{},"action":[1, 2]}"#
    #expect(
      try values(event) == [
        "type:string:start", "seq:integer:-12", "at:number:1.5", "reason:true:true", "context:object:\(context)",
        "storyID:string:a\tb", #"properties:object:{"p":1,"q":null,"r":[2]}"#, "propertyName:string:p",
        "propertyValue:integer:1", "propertyName:string:r", "propertyValue:array:[2]", "page:object:\(page)",
        "title:string:T", "duration:number:5.5", #"pages:array:[{"key":"k"},null,7]"#,
        #"pagesElement:object:{"key":"k"}"#, "key:string:k", "pagesElement:null:null", "pagesElement:integer:7",
        "source:object:{}", "action:array:[1, 2]",
      ])
  }

  @Test func `finds names that are written with escapes`() throws {
    #expect(try values(#"{"\u0074ype":"x","se\u0071":1,"\u0063ontext":{"locale":"d\u0065"}}"#).count == 4)
    #expect(try values(#"{"type\u0000":"x","typ":1,"types":2,"Type":3,"":4,"t":5}"#) == [])
  }

  @Test func `unescapes every kind of escape and marks what a text may not hold`() throws {
    #expect(
      try values(#"{"reason":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\uD83D\uDE00"}"#)
        == ["reason:string:\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{20AC}\u{1F600}"])
    #expect(try values(#"{"reason":"a\u0000b"}"#) == ["reason:string:a\u{0}b nul"])
    #expect(try values(#"{"reason":"a\ud800"}"#) == ["reason:string:a\u{FFFD} lone"])
    #expect(try values(#"{"reason":"\ude00\ud83d"}"#) == ["reason:string:\u{FFFD}\u{FFFD} lone"])
    #expect(try values(#"{"reason":"\ud83d\ud83d\ude00"}"#) == ["reason:string:\u{FFFD}\u{1F600} lone"])
    #expect(try values(#"{"reason":"\ud83dx"}"#) == ["reason:string:\u{FFFD}x lone"])
    #expect(try values(#"{"reason":"a\\u0000b"}"#) == [#"reason:string:a\u0000b"#])
  }

  @Test(
    arguments: [
      (#"{"seq":1,"seq":1}"#, "seq"), (#"{"seq":1,"se\u0071":2}"#, "seq"), (#"{"seq":null,"seq":2}"#, "seq"),
      (#"{"context":{"locale":"a","locale":"a"}}"#, "locale"), (#"{"context":{},"context":{}}"#, "context"),
      (#"{"page":{"title":"a","title":"b"}}"#, "title"), (#"{"pages":[{},{"key":"a","key":"b"}]}"#, "key"),
      (#"{"context":{"properties":{"a":1,"b":2,"\u0061":3}}}"#, "a"), (#"{"context":{"properties":{"":1,"":2}}}"#, ""),
      (#"{"context":{"properties":{"a":null,"a":null}}}"#, "a"),
      (#"{"a":1,"a":2}"#, nil), (#"{"context":{"a":1,"a":2}}"#, nil), (#"{"surprise":{"seq":1,"seq":2}}"#, nil),
      (#"{"pages":[{"key":"a"},{"key":"a"}],"page":{"key":"a"}}"#, nil), (#"{"events":1,"events":2,"x":"y"}"#, nil),
    ] as [(String, String?)])
  func `finds names that stand twice`(event: String, name: String?) throws {
    try scanner.scan(Array(#"{"events":[\#(event)]}"#.utf8)) { result in
      try #require(result.event_count == 1)
      let found = result.events[0].duplicate_name.map {
        String(
          decoding: UnsafeBufferPointer(start: $0, count: Int(result.events[0].duplicate_length)), as: UTF8.self)
      }
      #expect(found == name)
    }
  }

  @Test func `finds a name that stands twice among very many`() throws {
    for count in [32, 33, 1000, 50_000] {
      let names = (0..<count).map { #""name\#($0)":\#($0)"# }
      func duplicates(_ names: [String]) throws -> Bool {
        let text = #"{"context":{"properties":{\#(names.joined(separator: ","))}}}"#
        return try scanner.scan(Array(text.utf8)) { result in
          try #require(result.event_count == 1)
          return result.events[0].duplicate_name != nil
        }
      }
      #expect(try !duplicates(names))
      #expect(try duplicates(names + [#""name\#(count / 2)":0"#]))
    }
  }

  @Test(arguments: [
    ("{}", 1), (#"{"a":1}"#, 1), (#"{"a":[]}"#, 2), (#"{"a":{"b":[[]]}}"#, 4), (#"{"context":{}}"#, 2),
    (#"{"context":{"properties":{}}}"#, 3), (#"{"context":{"properties":{"a":[{}]}}}"#, 5),
    (#"{"page":{"link":[]}}"#, 3),
    (#"{"pages":[{}]}"#, 3), (#"{"pages":[[[]]]}"#, 4), (#"{"context":[[]]}"#, 3), (#"{"context":{"x":[[]]}}"#, 4),
    ("7", 0), ("[[]]", 2),
  ])
  func `counts an event's nesting from 1`(event: String, depth: UInt32) throws {
    try scanner.scan(Array("[\(event)]".utf8)) { result in
      try #require(result.event_count == 1)
      #expect(result.events[0].depth == depth)
    }
  }

  @Test func `gives each element as it is written, without the whitespace around it`() throws {
    let elements = [#"{ "a" : 1 }"#, "7", #""x \" y""#, "[1, {} ]", "null", "-0.5e1", "true", "{}", #""""#]
    let text = " [ " + elements.joined(separator: " ,\n ") + " ] "
    scanner.scan(Array(text.utf8)) { result in
      #expect(result.shape == .array)
      let found = (0..<Int(result.event_count)).map {
        String(
          decoding: UnsafeBufferPointer(start: result.events[$0].bytes, count: Int(result.events[$0].length)),
          as: UTF8.self)
      }
      #expect(found == elements)
      #expect(
        (0..<Int(result.event_count)).map { result.events[$0].kind } == [
          .object, .integer, .string, .array, .null, .number, .true, .object, .string,
        ])
    }
  }

  @Test(arguments: [
    (#"{"events":[]}"#, ScannedShape.batch), (#"{"events":[{}],"type":"start"}"#, .batch),
    (#"{"type":"start","events":[{}]}"#, .batch), (#"{"ev\u0065nts":[{}]}"#, .batch), (#"{"events":{}}"#, .badBatch),
    (#"{"events":7}"#, .badBatch), (#"{"type":"x","events":"[]"}"#, .badBatch),
    (#"{"events":[],"events":[]}"#, .badBatch),
    (#"{"events":null}"#, .event), (#"{"events":null,"events":[]}"#, .batch), (#"{"context":{},"sent_at":1}"#, .event),
    (#"{"context":{},"events":[{}]}"#, .batch), ("{}", .event), ("[]", .array), ("7", .event), (#""x""#, .event),
    (#"{"context":{"events":[]}}"#, .event), (#"{"sent_at":{"events":[]},"type":"x"}"#, .event),
  ])
  func `tells a batch from an event`(text: String, shape: ScannedShape) throws {
    scanner.scan(Array(text.utf8)) { result in
      #expect(result.status == .wellFormed)
      #expect(result.shape == shape)
    }
  }

  @Test func `lists a batch's own fields wherever they stand`() throws {
    let text =
      #"{"sent_at":"a","events":[{"seq":1},{"context":{"locale":"x"}}],"context":{"story_id":"s","story_id":"t"},"#
      + #""dropped_events_total":3,"received_at":4,"sent_at":5,"unknown":6}"#
    try scanner.scan(Array(text.utf8)) { result in
      #expect(result.shape == .batch && result.event_count == 2 && result.event_total == 2)
      let words = (0..<Int(result.batch_value_count)).map { self.words(result.batch_values[$0]) }
      #expect(
        words == [
          "sentAt:string:a", #"context:object:{"story_id":"s","story_id":"t"}"#, "storyID:string:s",
          "droppedEventsTotal:integer:3", "receivedAt:integer:4", "sentAt:integer:5",
        ])
      let name = try #require(result.batch_duplicate_name)
      #expect(
        String(
          decoding: UnsafeBufferPointer(start: name, count: Int(result.batch_duplicate_length)), as: UTF8.self)
          == "story_id")
    }
  }

  @Test func `counts the events beyond its limit without listing them`() throws {
    scanner.scan(Array("[{},{},{},{}]".utf8), limit: 2) { result in
      #expect(result.event_count == 2 && result.event_total == 4)
    }
    scanner.scan(Array("[{},{},{},01]".utf8), limit: 2) { #expect($0.status == .malformed) }
  }

  @Test(arguments: [
    (#""events""#, Int32(ScannedField.events.rawValue)), (#""\u0065vents""#, Int32(ScannedField.events.rawValue)),
    (#""context""#, Int32(ScannedField.context.rawValue)), (#""type""#, -1), (#""""#, -1), (#""\q""#, -1),
  ])
  func `knows the names of a batch's fields`(key: String, field: Int32) {
    let bytes = Array(key.utf8)
    #expect(event_scanner_batch_field(bytes, bytes.count) == field)
  }
}
