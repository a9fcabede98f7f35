import StoryEvents
import Testing

private let session = #""session_id":"01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f""#
private let at = #""at":"2026-11-29T10:00:00Z""#
private let longText = String(repeating: "x", count: 1024)

/// An event, and what becomes of it: nil, it is accepted; else `code` or `code field`.
private struct Case: CustomTestStringConvertible {
  var event: String
  var verdict: String?
  init(_ event: String, _ verdict: String?) {
    self.event = event
    self.verdict = verdict
  }
  var testDescription: String { event.count > 100 ? "\(event.prefix(97))…" : event }
}

private func verdict(_ event: String) -> String? {
  let summary = judge("[\(event)]").summary
  guard let fault = summary?.errors.first else { return summary?.accepted == 1 ? nil : "nothing" }
  return [fault.code.name, fault.field].compactMap { $0 }.joined(separator: " ")
}

private func check(_ cases: [Case]) {
  for test in cases { #expect(verdict(test.event) == test.verdict, "\(test.testDescription)") }
}

@Suite struct `Each event is accepted or rejected for` {
  @Test func `what it is as a whole`() {
    check([
      Case("7", "not_an_object"), Case("null", "not_an_object"), Case(#""{}""#, "not_an_object"),
      Case("[]", "not_an_object"), Case("[{}]", "not_an_object"), Case("true", "not_an_object"),
      Case(#""\#(String(repeating: "x", count: 40_000))""#, "not_an_object"), Case("{}", "missing_field type"),
    ])
  }

  @Test func `its size`() {
    let empty = event("finish", #""x":"""#)
    func padded(_ bytes: Int) -> String {
      event("finish", #""x":"\#(String(repeating: "y", count: bytes - empty.utf8.count))""#)
    }
    check([
      Case(padded(32_768), nil), Case(padded(32_769), "event_too_large"),
      Case(padded(32_769).replacing("finish", with: "nonsense"), "event_too_large"),
    ])
  }

  @Test func `its nesting`() {
    func nested(_ depth: Int) -> String {
      let inside = depth - 1
      return event(
        "finish", #""x":"# + String(repeating: "[", count: inside) + String(repeating: "]", count: inside))
    }
    func nestedObjects(_ depth: Int) -> String {
      let inside = depth - 2
      return event(
        "finish",
        #""context":{"x":"# + String(repeating: #"{"a":"#, count: inside) + "1" + String(repeating: "}", count: inside)
          + "}")
    }
    check([
      Case(nested(16), nil), Case(nested(17), "nested_too_deeply"), Case(nested(10_000), "nested_too_deeply"),
      Case(nestedObjects(16), nil), Case(nestedObjects(17), "nested_too_deeply"),
    ])
  }

  @Test func `names that stand twice`() {
    check([
      Case(event("finish", #""seq":2"#), "duplicate_field seq"),
      Case(event("finish", #""se\u0071":2"#), "duplicate_field seq"),
      Case(event("finish", #""type":null"#), "duplicate_field type"),
      Case(event("finish", #""context":{},"context":{}"#), "duplicate_field context"),
      Case(event("finish", #""context":{"locale":"a","locale":"a"}"#), "duplicate_field locale"),
      Case(event("finish", #""page":{"title":"a","titl\u0065":"a"}"#), "duplicate_field title"),
      Case(event("finish", #""pages":[{"title":"a","title":"a"}]"#), "duplicate_field title"),
      Case(event("finish", #""context":{"properties":{"plan":1,"plan":2}}"#), "duplicate_field plan"),
      Case(event("finish", #""surprise":1,"surprise":2"#), nil),
      Case(event("finish", #""surprise":{"seq":1,"seq":2}"#), nil),
      Case(event("finish", #""pages":[{"title":"a"},{"title":"a"}]"#), nil),
      // First in the order of codes.
      Case(#"{"seq":1,"seq":1}"#, "duplicate_field seq"),
    ])
  }

  @Test func `fields that are missing, in their order`() {
    check([
      Case(#"{"x":1}"#, "missing_field type"), Case(#"{"type":null}"#, "missing_field type"),
      Case(#"{"type":"finish"}"#, "missing_field session_id"),
      Case(#"{\#(session),"seq":1,\#(at)}"#, "missing_field type"),
      Case(#"{"type":"finish",\#(session)}"#, "missing_field seq"),
      Case(#"{"type":"finish",\#(session),"seq":1}"#, "missing_field at"),
      Case(#"{"type":"finish","seq":1,\#(at)}"#, "missing_field session_id"),
      Case(#"{"type":"nonsense","seq":1,\#(at)}"#, "missing_field session_id"),
      Case(#"{"type":7,\#(session),"seq":"x"}"#, "missing_field at"),
      Case(event("start"), "missing_field page_count"),
      Case(event("start", #""page_count":null"#), "missing_field page_count"),
      Case(event("page_shown"), "missing_field page_index"), Case(event("action_tap"), "missing_field page_index"),
      Case(event("rich_media_deferred"), "missing_field content_code"),
      Case(event("rich_media_presented"), "missing_field content_code"),
      Case(event("rich_media_closed"), "missing_field content_code"),
      Case(event("rich_media_failed", #""error":"e""#), "missing_field content_code"),
      Case(event("notification_response"), "missing_field action"),
      Case(event("notification_response", #""action":"button""#), "missing_field category_id"),
      Case(event("notification_response", #""action":"button","category_id":"1""#), "missing_field button_id"),
      Case(event("notification_response", #""action":"button","button_id":"1""#), "missing_field category_id"),
      // Missing comes before what is wrong with another field.
      Case(event("page_shown", #""context":7"#), "missing_field page_index"),
    ])
  }

  @Test func `its type`() {
    for type in EventType.allCases {
      let fields =
        #""page_index":0,"page_count":1,"content_code":"r-1","action":"button","category_id":"1","button_id":"2""#
      check([Case(event(type.name, fields), nil)])
    }
    check([
      Case(event("", #""type":7"#), "unknown_type type"), Case(event("", #""type":{}"#), "unknown_type type"),
      Case(event("page_show"), "unknown_type type"), Case(event("Finish"), "unknown_type type"),
      Case(event("finish "), "unknown_type type"), Case(event("finis\\u0068"), nil),
      Case(event("finish\\u0000"), "unknown_type type"),
      Case(event("", #""type":"""#), "unknown_type type"), Case(event(longText + "x"), "unknown_type type"),
    ])
  }

  @Test(arguments: [
    ("01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f", true), ("01A226BF-4900-7CC1-9D2E-5A1B2C3D4E5F", true),
    ("9d2e5a1b-2c3d-1e5f-8a9b-0c1d2e3f4a5b", true), ("9d2e5a1b-2c3d-8e5f-ba9b-0c1d2e3f4a5b", true),
    ("9d2e5a1b-2c3d-0e5f-8a9b-0c1d2e3f4a5b", false), ("9d2e5a1b-2c3d-9e5f-8a9b-0c1d2e3f4a5b", false),
    ("9d2e5a1b-2c3d-4e5f-7a9b-0c1d2e3f4a5b", false), ("9d2e5a1b-2c3d-4e5f-ca9b-0c1d2e3f4a5b", false),
    ("00000000-0000-0000-0000-000000000000", false), ("ffffffff-ffff-ffff-ffff-ffffffffffff", false),
    ("01a226bf49007cc19d2e5a1b2c3d4e5f", false), ("{01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f}", false),
    ("01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5", false), ("01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5ff", false),
    ("01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5g", false), ("", false), (" 1a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f", false),
  ])
  func `its session id`(id: String, isAccepted: Bool) {
    let text = event("finish", common: #""session_id":"\#(id)","seq":0,\#(at)"#)
    #expect(verdict(text) == (isAccepted ? nil : "invalid_session_id session_id"))
  }

  @Test func `a session id that is no text`() {
    for value in ["7", "true", "{}", "[]"] {
      check([Case(event("finish", common: #""session_id":\#(value),"seq":0,\#(at)"#), "invalid_session_id session_id")])
    }
  }

  @Test(arguments: [
    ("0", true), ("2147483647", true), ("-0", true), ("2147483648", false), ("-1", false), ("1.0", false),
    ("1e0", false),
    ("\"1\"", false), ("true", false), ("[1]", false), ("99999999999999999999999999", false),
    ("18446744073709551616", false), ("9223372036854775808", false), ("-9223372036854775809", false),
  ])
  func `its seq`(seq: String, isAccepted: Bool) {
    let text = event("finish", common: #"\#(session),"seq":\#(seq),\#(at)"#)
    #expect(verdict(text) == (isAccepted ? nil : "invalid_seq seq"))
  }

  @Test(arguments: [
    ("0", true), ("999", true), ("1000", false), ("-1", false), ("0.0", false), ("\"0\"", false), ("1e2", false),
    ("4294967296", false),
  ])
  func `its page index`(index: String, isAccepted: Bool) {
    for type in ["page_shown", "finish"] {
      let text = event(type, #""page_index":\#(index)"#)
      #expect(verdict(text) == (isAccepted ? nil : "invalid_page_index page_index"))
    }
  }

  @Test(arguments: [
    ("1", true), ("1000", true), ("1001", false), ("0", false), ("-5", false), ("2.5", false), ("\"2\"", false),
    ("65537", false),
  ])
  func `its page count`(count: String, isAccepted: Bool) {
    for type in ["start", "finish"] {
      let text = event(type, #""page_count":\#(count)"#)
      #expect(verdict(text) == (isAccepted ? nil : "invalid_page_count page_count"))
    }
  }

  @Test func `texts that cannot be stored`() {
    for field in ["reason", "content_code", "error", "category_id", "button_id"] {
      check([
        Case(event("finish", #""\#(field)":"a\u0000""#), "invalid_text \(field)"),
        Case(event("finish", #""\#(field)":"\ud800""#), "invalid_text \(field)"),
        Case(event("finish", #""\#(field)":"\udc00\ud800""#), "invalid_text \(field)"),
        Case(event("finish", #""\#(field)":"\ud83d\ude00\\u0000""#), nil),
        Case(event("finish", #""\#(field)":"\#(longText)""#), nil),
        Case(event("finish", #""\#(field)":"\#(longText)x""#), "text_too_long \(field)"),
        Case(event("finish", #""\#(field)":"\#(longText.dropFirst(1))é""#), "text_too_long \(field)"),
        Case(event("finish", #""\#(field)":"\#(longText.dropFirst(2))é""#), nil),
        Case(event("finish", #""\#(field)":"""#), nil), Case(event("finish", #""\#(field)":null"#), nil),
        Case(event("finish", #""\#(field)":7"#), "invalid_field \(field)"),
        Case(event("finish", #""\#(field)":["a"]"#), "invalid_field \(field)"),
      ])
    }
    // In a field that is ignored they cost nothing.
    check([Case(event("finish", #""surprise":"\u0000\ud800""#), nil)])
  }

  @Test func `its source and action`() {
    check([
      Case(event("rich_media_closed", #""content_code":"r-1","source":"push""#), nil),
      Case(event("rich_media_closed", #""content_code":"r-1","source":"in_app""#), nil),
      Case(event("rich_media_closed", #""content_code":"r-1","source":"inapp""#), "invalid_field source"),
      Case(event("rich_media_closed", #""content_code":"r-1","source":0"#), "invalid_field source"),
      Case(event("rich_media_closed", #""content_code":"r-1","source":"\u0000""#), "invalid_text source"),
      Case(event("notification_response", #""action":"default""#), nil),
      Case(event("notification_response", #""action":"dismiss""#), nil),
      Case(event("notification_response", #""action":"open""#), "invalid_field action"),
      Case(event("notification_response", #""action":1"#), "invalid_field action"),
      Case(event("notification_response", #""action":null"#), "missing_field action"),
      Case(event("fallback", #""reason":"bad_page_list""#), nil),
      Case(event("fallback", #""reason":"our own words""#), nil),
    ])
  }

  @Test func `its context`() {
    func context(_ fields: String) -> String { event("finish", #""context":\#(fields)"#) }
    check([
      Case(context("null"), nil), Case(context("{}"), nil), Case(context("7"), "invalid_field context"),
      Case(context("[]"), "invalid_field context"), Case(context(#""x""#), "invalid_field context"),
      Case(context(#"{"story_id":"\#(longText.prefix(200))"}"#), nil),
      Case(context(#"{"story_id":"\#(longText.prefix(201))"}"#), "text_too_long story_id"),
    ])
    for field in ContextField.allCases where field != .properties {
      check([
        Case(context(#"{"\#(field.name)":null}"#), nil), Case(context(#"{"\#(field.name)":""}"#), nil),
        Case(context(#"{"\#(field.name)":"\u0000"}"#), "invalid_text \(field.name)"),
        Case(context(#"{"\#(field.name)":"\ud9ab"}"#), "invalid_text \(field.name)"),
        Case(context(#"{"\#(field.name)":"\#(longText)x"}"#), "text_too_long \(field.name)"),
        Case(context(#"{"\#(field.name)":true}"#), "invalid_field \(field.name)"),
        Case(context(#"{"\#(field.name)":{}}"#), "invalid_field \(field.name)"),
      ])
      guard field != .storyID else { continue }
      check([Case(context(#"{"\#(field.name)":"\#(longText)"}"#), nil)])
      let takesNumbers = field == .messageID || field == .campaignID
      for number in ["0", "18446744073709551615"] {
        check([Case(context(#"{"\#(field.name)":\#(number)}"#), takesNumbers ? nil : "invalid_field \(field.name)")])
      }
      for number in [
        "-1", "-0", "1.0", "1e3", "18446744073709551616", "100000000000000000000", "184467440737095516150",
      ] {
        check([Case(context(#"{"\#(field.name)":\#(number)}"#), "invalid_field \(field.name)")])
      }
    }
  }

  @Test func `its properties`() {
    func properties(_ value: String) -> String { event("finish", #""context":{"properties":\#(value)}"#) }
    func entries(_ count: Int) -> String {
      "{" + (0..<count).map { #""p\#($0)":\#($0)"# }.joined(separator: ",") + "}"
    }
    check([
      Case(properties("{}"), nil), Case(properties("null"), nil), Case(properties("[]"), "invalid_field properties"),
      Case(properties(#""x""#), "invalid_field properties"), Case(properties(entries(32)), nil),
      Case(properties(entries(33)), "too_many_properties properties"),
      Case(properties(entries(33).replacing(":7,", with: ":null,")), nil),
      Case(properties(#"{"a":1,"b":"x","c":true,"d":false,"e":null,"f":-1.5e10}"#), nil),
      Case(properties(#"{"a":{}}"#), "invalid_field a"), Case(properties(#"{"a":[1]}"#), "invalid_field a"),
      Case(properties(#"{"\#(longText.prefix(60))":1}"#), nil),
      Case(properties(#"{"\#(longText.prefix(61))":1}"#), "text_too_long properties"),
      Case(properties(#"{"a":"\#(longText.prefix(256))"}"#), nil),
      Case(properties(#"{"a":"\#(longText.prefix(257))"}"#), "text_too_long a"),
      Case(properties(#"{"a":1\#(String(repeating: "0", count: 255))}"#), nil),
      Case(properties(#"{"a":1\#(String(repeating: "0", count: 256))}"#), "text_too_long a"),
      Case(properties(#"{"a":"\u0000"}"#), "invalid_text a"), Case(properties(#"{"a":"\udddd"}"#), "invalid_text a"),
      Case(properties(#"{"a\u0000":1}"#), "invalid_text properties"),
      Case(properties(#"{"\ud800":1}"#), "invalid_text \u{FFFD}"),
      Case(properties(#"{"":1}"#), nil), Case(properties(#"{"a":1e400}"#), nil),
      Case(properties(#"{"a":1e401}"#), "invalid_field a"),
      Case(properties(#"{"a":1E-400}"#), nil), Case(properties(#"{"a":1e-99999999999999999999}"#), "invalid_field a"),
      // Too many comes before a wrong type, too long before too many.
      Case(properties(entries(33).replacing(":7,", with: ":[],")), "too_many_properties properties"),
      Case(properties(entries(33).replacing(":7,", with: #":"\#(longText)","#)), "text_too_long p7"),
    ])
  }

  @Test func `its page details`() {
    for place in [#""page":"#, #""pages":[{},"#] {
      let end = place.hasSuffix(",") ? "]" : ""
      func page(_ fields: String) -> String { event("finish", place + fields + end) }
      check([
        Case(page("{}"), nil), Case(page("null"), nil), Case(page(#"{"surprise":[]}"#), nil),
        Case(page("7"), place.contains("pages") ? "invalid_field pages" : "invalid_field page"),
        Case(page(#"{"duration":5}"#), nil), Case(page(#"{"duration":0.001}"#), nil),
        Case(page(#"{"duration":-1}"#), nil),
        Case(page(#"{"duration":1e308}"#), nil), Case(page(#"{"duration":1e309}"#), "invalid_field duration"),
        Case(page(#"{"duration":"5"}"#), "invalid_field duration"),
        Case(page(#"{"duration":true}"#), "invalid_field duration"),
        Case(page(#"{"payload_index":0}"#), nil), Case(page(#"{"payload_index":2147483647}"#), nil),
        Case(page(#"{"payload_index":2147483648}"#), "invalid_field payload_index"),
        Case(page(#"{"payload_index":-1}"#), "invalid_field payload_index"),
        Case(page(#"{"payload_index":1.0}"#), "invalid_field payload_index"),
      ])
      for field in ["image_url", "title", "subtitle", "link", "button_title", "key"] {
        check([
          Case(page(#"{"\#(field)":"\#(longText)"}"#), nil), Case(page(#"{"\#(field)":null}"#), nil),
          Case(page(#"{"\#(field)":"\#(longText)x"}"#), "text_too_long \(field)"),
          Case(page(#"{"\#(field)":"\u0000"}"#), "invalid_text \(field)"),
          Case(page(#"{"\#(field)":{}}"#), "invalid_field \(field)"),
        ])
      }
    }
    check([
      Case(event("start", #""page_count":1,"pages":{}"#), "invalid_field pages"),
      Case(event("start", #""page_count":1,"pages":[[]]"#), "invalid_field pages"),
      Case(event("start", #""page_count":1,"pages":[]"#), nil),
      Case(
        event("start", #""page_count":1000,"pages":[\#(Array(repeating: "{}", count: 1000).joined(separator: ","))]"#),
        nil),
      Case(
        event("start", #""page_count":1000,"pages":[\#(Array(repeating: "{}", count: 1001).joined(separator: ","))]"#),
        "invalid_field pages"),
    ])
  }

  @Test func `one reason only, the first in the order of the codes`() {
    // Everything is wrong with it; each line removes what was told.
    let wrong =
      #""session_id":"x","seq":-1,"at":"x","page_index":-1,"page_count":0,"reason":"\u0000","error":"\#(longText)x","source":1"#
    check([
      Case(#"{"type":"x",\#(wrong)}"#, "unknown_type type"),
      Case(#"{"type":"start",\#(wrong)}"#, "invalid_session_id session_id"),
      Case(#"{"type":"start",\#(wrong.replacing(#""session_id":"x""#, with: session))}"#, "invalid_seq seq"),
      Case(
        event("start", common: session + #","seq":1,"at":"x","page_index":-1,"page_count":0,"reason":"\u0000""#),
        "invalid_timestamp at"),
      Case(event("start", #""page_count":0,"page_index":-1"#), "invalid_page_index page_index"),
      Case(event("start", #""reason":"\u0000","page_count":0"#), "invalid_page_count page_count"),
      Case(event("finish", #""error":"\#(longText)x","source":1,"reason":"\u0000""#), "invalid_text reason"),
      Case(event("finish", #""source":1,"error":"\#(longText)x""#), "text_too_long error"),
    ])
  }
}
