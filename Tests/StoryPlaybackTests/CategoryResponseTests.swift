import Foundation
import StoryPlayback
import Testing

/// What phones make of the categories that `registerDevice` answers with (playback §3).
@Suite struct CategoryResponseTests {
  @Test func `the example reads as a phone reads it`() throws {
    let response = try CategoryResponse(bytes: fixture("register-device-response.json"))
    let rate = NotificationButton(id: "0", label: "Rate", isDestructive: true, opensApp: true)
    let later = NotificationButton(id: "1", label: "Later")
    #expect(response.categories == [NotificationCategory(id: "65", buttons: [rate, later])])
    #expect(response.skipped.isEmpty)
  }

  @Test(
    arguments: [
      ("65", "65"), ("0", "0"), ("-7", "-7"), ("-0", "0"), ("65.0", "65"), ("6.5e1", "65"), ("1.5", "1.5"),
      ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", "9223372036854775808"),
      ("18446744073709551615", "18446744073709551615"), ("18446744073709551616", "18446744073709551616"),
      ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
    ] as [(String, String)])
  func `a number becomes the decimal id that it is`(number: String, id: String) throws {
    let response = try read("[{\"categoryId\":\(number),\"buttons\":[{\"id\":\(number),\"label\":\"A\"}]}]")
    #expect(response.categories.map(\.id) == [id])
    #expect(response.categories.first?.buttons.map(\.id) == [id])
    #expect(response.skipped.isEmpty)
  }

  @Test(
    arguments: [
      (#"{"categoryId":"65","buttons":[]}"#, CategorySkipReason.categoryIDNotANumber),
      (#"{"categoryId":true}"#, .categoryIDNotANumber), (#"{"categoryId":false}"#, .categoryIDNotANumber),
      (#"{"categoryId":[65]}"#, .categoryIDNotANumber), (#"{"categoryId":{}}"#, .categoryIDNotANumber),
      (#"{"categoryId":null}"#, .categoryWithoutID), (#"{"buttons":[{"label":"A"}]}"#, .categoryWithoutID),
      (#"{"categoryId":100000000000000000000000000000000000000}"#, .categoryIDTooLarge),
      (#"{"categoryId":1e200}"#, .categoryIDTooLarge), (#"{"categoryId":-1e60}"#, .categoryIDTooLarge),
      ("7", .categoryNotAnObject), ("null", .categoryNotAnObject), (#"{"categoryId":1}"#, .repeatedCategory),
    ] as [(String, CategorySkipReason)])
  func `a category that a phone cannot register is skipped, and the others stay`(
    json: String, reason: CategorySkipReason
  ) throws {
    let response = try read("[{\"categoryId\":1},\(json),{\"categoryId\":2}]")
    #expect(response.categories.map(\.id) == ["1", "2"])
    #expect(response.skipped == [SkippedCategoryPart(place: "iosCategories[1]", reason: reason)])
  }

  @Test(
    arguments: [
      (#"{"label":"B"}"#, "2"), (#"{"id":null,"label":"B"}"#, "2"), (#"{"id":7,"label":"B"}"#, "7"),
      (#"{"id":"seven","label":"B"}"#, "seven"), (#"{"id":"","label":"B"}"#, ""), (#"{"id":0,"label":"B"}"#, "0"),
    ] as [(String, String)])
  func `a button's id is its number, its text, or its place from 1`(json: String, id: String) throws {
    #expect(try buttons(#"{"id":"a","label":"A"},\#(json)"#).map(\.id) == ["a", id])
  }

  @Test(
    arguments: [
      ("1", true), ("0", false), ("-1", true), ("2", true), ("0.5", true), ("true", true), ("false", false),
      ("null", false), ("\"1\"", true), ("\"0\"", false), ("\"\"", false), ("\"true\"", true), ("\"Yes\"", true),
      ("\"no\"", false), ("\" 01\"", true), ("\"+0\"", false), ("\"-3\"", true), ("\"on\"", false), ("[1]", false),
      ("{}", false),
    ] as [(String, Bool)])
  func `the type is read as the boolean that the SDK reads`(json: String, isDestructive: Bool) throws {
    #expect(try buttons(#"{"label":"A","type":\#(json)}"#).first?.isDestructive == isDestructive)
  }

  @Test(
    arguments: [
      ("1", true), ("1.0", true), ("0", false), ("2", false), ("-1", false), ("\"1\"", true), ("\"0\"", false),
      ("\"yes\"", false), ("true", true), ("false", false), ("null", false), ("[1]", false),
    ] as [(String, Bool)])
  func `a button opens the app where startApplication is 1`(json: String, opensApp: Bool) throws {
    #expect(try buttons(#"{"label":"A","startApplication":\#(json)}"#).first?.opensApp == opensApp)
  }

  @Test(
    arguments: [
      (#"{"id":1}"#, CategorySkipReason.unusableLabel(others: 1)), (#"{"label":""}"#, .unusableLabel(others: 1)),
      (#"{"label":null}"#, .unusableLabel(others: 1)), (#"{"label":5}"#, .unusableLabel(others: 1)),
      ("\"B\"", .buttonNotAnObject(others: 1)), ("null", .buttonNotAnObject(others: 1)),
    ] as [(String, CategorySkipReason)])
  func `the list ends at a button without a usable label`(json: String, reason: CategorySkipReason) throws {
    let response = try read(#"[{"categoryId":1,"buttons":[{"label":"A"},\#(json),{"label":"C"}]}]"#)
    #expect(response.categories.first?.buttons.map(\.label) == ["A"])
    #expect(
      response.skipped == [SkippedCategoryPart(place: "iosCategories[0].buttons[1]", categoryID: "1", reason: reason)])
  }

  @Test(
    arguments: [
      (#"{"id":"a","label":"B"}"#, CategorySkipReason.repeatedButton), (#"{"id":true,"label":"B"}"#, .buttonIDUnusable),
      (#"{"id":[],"label":"B"}"#, .buttonIDUnusable), (#"{"id":1e200,"label":"B"}"#, .buttonIDUnusable),
      (#"{"id":"b","label":"B\u0000"}"#, .unstorableText), (#"{"id":"\u0000","label":"B"}"#, .unstorableText),
      ("{\"id\":\"b\",\"label\":\"" + String(repeating: "é", count: 513) + "\"}", .textTooLong),
      ("{\"id\":\"" + String(repeating: "9", count: 1_025) + "\",\"label\":\"B\"}", .textTooLong),
    ] as [(String, CategorySkipReason)])
  func `a button that no response could name is skipped, and the others stay`(
    json: String, reason: CategorySkipReason
  ) throws {
    let response = try read(#"[{"categoryId":1,"buttons":[{"id":"a","label":"A"},\#(json),{"label":"C"}]}]"#)
    #expect(response.categories.first?.buttons.map(\.id) == ["a", "3"])
    #expect(response.skipped.map(\.reason) == [reason])
  }

  @Test func `composed and decomposed letters are different ids`() throws {
    let ids = try buttons(#"{"id":"\u00e9","label":"A"},{"id":"e\u0301","label":"B"}"#).map { Array($0.id.utf8) }
    #expect(ids == [Array("\u{E9}".utf8), Array("e\u{301}".utf8)])
  }

  @Test(arguments: ["7", "\"A\"", "{}", "true"]) func `buttons that are no array are none`(json: String) throws {
    let response = try read(#"[{"categoryId":1,"buttons":\#(json)}]"#)
    #expect(response.categories == [NotificationCategory(id: "1", buttons: [])])
    #expect(response.skipped.map(\.reason) == [.buttonsNotAnArray])
  }

  @Test(
    arguments: [
      ("", "not JSON"), ("{", "not JSON"), ("[]", "not a JSON object"), ("5", "not a JSON object"),
      ("{}", "no array response.iosCategories"), (#"{"response":null}"#, "no array response.iosCategories"),
      (#"{"response":{}}"#, "no array"), (#"{"response":{"iosCategories":null}}"#, "no array"),
      (#"{"response":{"iosCategories":{}}}"#, "no array"), (#"{"iosCategories":[]}"#, "no array"),
      (String(repeating: "[", count: 100_000), "not JSON"), ("{\"response\":\"\\ud800\"}", "no array"),
    ] as [(String, String)])
  func `what is no answer of registerDevice says so in one line`(text: String, message: String) {
    let error = #expect(throws: CategoryResponseError.self) { try CategoryResponse(bytes: Array(text.utf8)) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("\n") == false)
  }

  @Test func `an answer beyond all measure is refused whole`() throws {
    let many = (0...CategoryResponse.mostCategories).map { "{\"categoryId\":\($0)}" }.joined(separator: ",")
    #expect(throws: CategoryResponseError.tooManyCategories(1_001)) { try read("[\(many)]") }
    let buttons = (0...CategoryResponse.mostButtons).map { _ in "{\"label\":\"A\"}" }.joined(separator: ",")
    #expect(throws: CategoryResponseError.tooManyButtons(place: "iosCategories[0]", count: 101)) {
      try read("[{\"categoryId\":1,\"buttons\":[\(buttons)]}]")
    }
  }

  @Test func `an empty list is an answer`() throws {
    #expect(try read("[]") == CategoryResponse(categories: []))
  }

  private func read(_ categories: String) throws -> CategoryResponse {
    try CategoryResponse(bytes: Array("{\"status_code\":200,\"response\":{\"iosCategories\":\(categories)}}".utf8))
  }

  private func buttons(_ json: String) throws -> [NotificationButton] {
    try #require(try read(#"[{"categoryId":1,"buttons":[\#(json)]}]"#).categories.first).buttons
  }
}
