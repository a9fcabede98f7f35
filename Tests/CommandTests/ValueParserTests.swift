import Testing

@testable import pagefall

@Suite struct ValueParserTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("2m", .seconds(120)), ("7d", .seconds(604_800)),
    ("1w", .seconds(604_800)), ("0s", .zero),
  ])
  func `a span is a number and a unit`(text: String, span: Duration) {
    #expect(ValueParser.duration(text) == span)
  }

  @Test(arguments: ["", "7", "d", "-1d", "1.5h", "7 d", "99999999999999999w"])
  func `anything else is no span`(text: String) {
    #expect(ValueParser.duration(text) == nil)
  }

  @Test(arguments: [("8GiB", 8_589_934_592), ("1KiB", 1024), ("77", 77)])
  func `a size is bytes or a binary unit`(text: String, bytes: Int) {
    #expect(ValueParser.bytes(text) == bytes)
  }

  @Test(arguments: ["", "0", "-1", "8GB", "GiB", "9999999999TiB"])
  func `anything else is no size`(text: String) {
    #expect(ValueParser.bytes(text) == nil)
  }
}
