import Testing

@testable import MessageLint

/// Findings of one page, each at its place.
@Suite struct PageFindingTests {
  private static let place = "/request/notifications/0/data/pw_stories/pages/0"
  private static let image = #""image":"https://e.example/1.jpg""#

  /// Members of a page, and what is found below it.
  static let cases: [(members: String, findings: [(LintCode, String)])] = [
    (#""title":"x""#, [(.noUsablePage, "//"), (.missingImage, "")]),
    (#""image":null"#, [(.noUsablePage, "//"), (.missingImage, "/image")]),
    (#""image":7"#, [(.noUsablePage, "//"), (.imageNotText, "/image")]),
    (#""image":"ht tp://x""#, [(.noUsablePage, "//"), (.imageNotURL, "/image")]),
    (#""image":"e.example/1.jpg""#, [(.noUsablePage, "//"), (.imageWithoutScheme, "/image")]),
    (#""image":"HTTPS://e.example/1.jpg""#, []),
    (#""image":"http://e.example/1.jpg""#, [(.imageNotHTTPS, "/image")]),
    (#""image":"ftp://e.example/1.jpg""#, [(.imageUnusualScheme, "/image")]),
    (#""image":"https://e.example/a b.jpg""#, [(.imageNeedsEncoding, "/image")]),
    (image + #","duration":"7""#, [(.durationNotANumber, "/duration")]),
    (image + #","duration":[7]"#, [(.durationNotANumber, "/duration")]),
    (image + #","duration":null"#, []), (image + #","duration":30"#, []), (image + #","duration":0.001"#, []),
    (image + #","duration":5"#, []),
    (image + #","duration":true"#, [(.durationIsBoolean, "/duration")]),
    (image + #","duration":false"#, [(.durationIsBoolean, "/duration")]),
    (image + #","duration":0"#, [(.durationNotPositive, "/duration")]),
    (image + #","duration":-3.5"#, [(.durationNotPositive, "/duration")]),
    (image + #","duration":30.01"#, [(.durationTooLong, "/duration")]),
    (image + #","duration":123456789012345678901234567890"#, [(.durationTooLong, "/duration")]),
    (image + #","link":"a:b","button_title":"Go""#, []),
    (image + #","link":"a:b""#, [(.linkWithoutButtonTitle, "/link")]),
    (image + #","link":"a:b","button_title":null"#, [(.linkWithoutButtonTitle, "/link")]),
    (image + #","link":"a:b","button_title":"""#, [(.linkWithoutButtonTitle, "/link"), (.textEmpty, "/button_title")]),
    (image + #","link":"a:b","button_title":7"#, [(.textNotText, "/button_title")]),
    (image + #","button_title":"Go""#, [(.buttonTitleWithoutLink, "/button_title")]),
    (image + #","button_title":"Go","link":"""#, [(.buttonTitleWithoutLink, "/button_title")]),
    (image + #","button_title":"Go","link":"page1""#, [(.linkWithoutScheme, "/link")]),
    (image + #","link":"page1""#, [(.linkWithoutScheme, "/link")]),
    (image + #","button_title":"Go","link":7"#, [(.linkNotText, "/link")]),
    (image + #","button_title":"Go","link":"https://[::1""#, [(.linkNotURL, "/link")]),
    (image + #","button_title":"Go","link":"a:b c""#, [(.linkNeedsEncoding, "/link")]),
    (image + #","title":"""#, [(.textEmpty, "/title")]), (image + #","title":" \n""#, [(.textBlank, "/title")]),
    (image + #","subtitle":{}"#, [(.textNotText, "/subtitle")]),
    (image + #","title":"a\u0000b""#, [(.textLeftOutOfEvents, "/title")]),
    (image + #","title":"\#(String(repeating: "ä", count: 513))""#, [(.textLeftOutOfEvents, "/title")]),
    (image + #","title":"\#(String(repeating: "ä", count: 512))""#, []),
    (image + #","title":"a","title":"b""#, [(.duplicateKey, "/title")]),
    (image + #","buttonTitle":"Go""#, [(.keyLooksMistyped, "/buttonTitle")]),
    (image + #","btn_title":"Go""#, [(.keyLooksMistyped, "/btn_title")]),
    (image + #","Title":"Go""#, [(.keyLooksMistyped, "/Title")]),
    (image + #","tilte":"Go""#, [(.keyLooksMistyped, "/tilte")]),
    (image + #","tilte":"Go","title":"Go""#, []), (image + #","a/b~c":1,"key":"mine","titled_by":"me""#, []),
    (#""img":"https://e.example/1.jpg""#, [(.noUsablePage, "//"), (.missingImage, ""), (.keyLooksMistyped, "/img")]),
  ]

  @Test(arguments: cases.indices) func `what is odd in a page is found at its place`(index: Int) {
    let (members, expected) = Self.cases[index]
    let findings = lint(GoodMessage.request(pages: "{\(members)}")).notifications[0].findings
    let wanted = expected.map { code, suffix in
      CodeAndPlace(code, suffix == "//" ? String(Self.place.dropLast(2)) : Self.place + suffix)
    }
    #expect(findings.map { CodeAndPlace($0) } == wanted, "\(members.prefix(100))")
    for finding in findings { #expect(finding.message.hasSuffix(".") && !finding.message.contains("\n")) }
  }

  @Test func `a page with a link that cannot be used is told once, with what becomes of the button`() {
    let findings = lint(GoodMessage.request(pages: "{\(Self.image),\"link\":\"x\",\"button_title\":\"Go\"}"))
      .notifications[0].findings
    #expect(findings.count == 1)
    #expect(findings[0].message.contains("the button will not show"))
  }

  @Test func `the places of pages are those of the payload, also after dropped ones`() {
    let file = lint(GoodMessage.request(pages: #"{},{\#(Self.image),"duration":99}"#))
    #expect(
      file.notifications[0].findings.map(\.pointer) == [
        "/request/notifications/0/data/pw_stories/pages/0", "/request/notifications/0/data/pw_stories/pages/1/duration",
      ])
    #expect(file.notifications[0].pages.map(\.payloadIndex) == [1])
  }

  @Test func `in a string of JSON the pointer names the string, and the message the place in it`() {
    let data =
      #""{\"pw_stories\":{\"story_id\":\"s\",\"pages\":[{\"image\":\"a:b\",\"duration\":0,\"x\":1,\"x\":2}]}}""#
    let file = lint(#"{"aps":{"category":"PW_STORIES","mutable-content":1},"u":\#(data)}"#)
    let findings = file.notifications[0].findings
    #expect(
      findings.map { CodeAndPlace($0) } == [
        CodeAndPlace(.imageUnusualScheme, "/u"), CodeAndPlace(.durationNotPositive, "/u"),
        CodeAndPlace(.duplicateKey, "/u"),
      ])
    #expect(findings[1].message.hasSuffix("(In the string's JSON: /pw_stories/pages/0/duration)"))
    #expect(findings[2].message.hasSuffix("(In the string's JSON: /pw_stories/pages/0/x)"))
  }
}
