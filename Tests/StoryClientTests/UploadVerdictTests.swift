import Testing

@testable import StoryClient

struct UploadVerdictTests {
  private static func judge(_ answer: UploadAnswer, of eventCount: Int = 10) -> UploadVerdict {
    UploadVerdict(answer, eventCount: eventCount, wallMicroseconds: 784_111_777_000_000)
  }

  @Test func `accepted and rejected events are forgotten, and the reasons kept`() {
    #expect(Self.judge(.accepted(10)) == .forget(accepted: 10, rejected: 0, messages: []))
    #expect(
      Self.judge(.accepted(9, rejected: 1))
        == .forget(accepted: 9, rejected: 1, messages: ["missing_field: no at"]))
    #expect(
      Self.judge(.accepted(0, rejected: 2), of: 2)
        == .forget(accepted: 0, rejected: 2, messages: ["missing_field: no at", "missing_field: no at"]))
  }

  @Test(arguments: [200, 201, 204, 206, 102, 500, 502, 503, 504, 511, 599, 408, 429])
  func `what says nothing about the events means the same again`(_ status: Int) {
    for answer in [UploadAnswer.page(status), .problem(status), UploadAnswer(status: status)] {
      #expect(Self.judge(answer) == .retry(askedSeconds: nil))
    }
  }

  @Test(arguments: [202, 422, 400, 404, 405, 411, 415, 418, 451])
  func `a page of somebody else never costs an event`(_ status: Int) {
    #expect(Self.judge(.page(status)) == .retry(askedSeconds: nil))
    #expect(Self.judge(UploadAnswer(status: status)) == .retry(askedSeconds: nil))
    // A portal may speak JSON too.
    let foreign = UploadAnswer(status: status, body: Array(#"{"ok":true,"status":\#(status)}"#.utf8))
    #expect(Self.judge(foreign) == .retry(askedSeconds: nil))
  }

  @Test(arguments: [400, 404, 405, 415, 431])
  func `an error of Pagefall's own drops`(_ status: Int) {
    #expect(Self.judge(.problem(status)) == .drop(message: "\(status) a_code: words"))
  }

  @Test func `a problem of another status is not the answer's own`() {
    var answer = UploadAnswer.problem(500)
    answer.status = 400
    #expect(Self.judge(answer) == .retry(askedSeconds: nil))
  }

  @Test(arguments: [301, 302, 303, 304, 307, 308]) func `a redirect stops`(_ status: Int) {
    #expect(Self.judge(.page(status)) == .stop(.redirected(status: status)))
  }

  @Test(arguments: [401, 403]) func `a refused key stops`(_ status: Int) {
    #expect(Self.judge(.problem(status)) == .stop(.keyRefused(status: status)))
    #expect(Self.judge(.page(status)) == .stop(.keyRefused(status: status)))
  }

  @Test func `what is too large is halved, whoever says so`() {
    #expect(Self.judge(.problem(413)) == .halve)
    #expect(Self.judge(.page(413)) == .halve)
  }

  @Test(arguments: [
    "", "{", "{}", "[]", "null", "7", #"{"accepted":10}"#, #"{"accepted":"10","rejected":0}"#,
    #"{"accepted":-1,"rejected":11}"#, #"{"accepted":9223372036854775807,"rejected":1}"#,
    #"{"accepted":10.5,"rejected":0}"#, #"{"accepted":10,"rejected":0,"errors":["#,
  ])
  func `a broken body of a 202 means the same again`(_ body: String) {
    #expect(Self.judge(UploadAnswer(status: 202, body: Array(body.utf8))) == .retry(askedSeconds: nil))
  }

  @Test func `an answer about other events is asked again in smaller requests`() {
    #expect(Self.judge(.accepted(9)) == .halve)
    #expect(Self.judge(.accepted(11)) == .halve)
    #expect(Self.judge(.accepted(2), of: 1) == .retry(askedSeconds: nil))
  }

  @Test func `hostile bodies do no harm`() {
    for body in [
      String(repeating: "[", count: 100_000), #"{"accepted":1,"rejected":0,"errors":[1,{"code":7},{}]}"#,
      #"{"accepted":1,"rejected":0,"errors":"x"}"#,
    ] {
      let verdict = Self.judge(UploadAnswer(status: 202, body: Array(body.utf8)), of: 1)
      if case .drop = verdict { Issue.record("\(body.prefix(40))") }
    }
  }

  @Test(
    arguments: [
      ("7", 7.0), (" 7 ", 7), ("0", 0), ("-1", nil), ("", nil), ("1.5", nil), ("soon", nil),
      ("99999999999", 99_999_999_999),
      ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
      ("Sunday, 06-Nov-94 08:49:47 GMT", nil), ("Sun, 06 Nov 1994 08:49:47 UTC", nil), ("Sun, 06 Nov 1994", nil),
      ("Sun, 99 Nov 1994 08:49:47 GMT", nil),
    ] as [(String, Double?)])
  func `Retry-After is a number or a date`(_ text: String, _ seconds: Double?) {
    var answer = UploadAnswer.page(503)
    answer.retryAfter = text
    // Without a date of the answer's the phone's clock counts: it stands at 08:49:37.
    #expect(Self.judge(answer) == .retry(askedSeconds: seconds))
  }

  @Test func `the date of an answer is told by its own clock`() {
    let answer = UploadAnswer(
      status: 503, retryAfter: "Sun, 29 Nov 2026 10:01:00 GMT", date: "Sun, 29 Nov 2026 10:00:30 GMT")
    #expect(Self.judge(answer) == .retry(askedSeconds: 30))
  }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Mon, 30 Nov 2026 12:00:00 GMT", 1_796_040_000),
      ("Thu, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ] as [(String, Int64)])
  func `dates are counted in the Gregorian calendar`(_ text: String, _ seconds: Int64) {
    #expect(HTTPDate.seconds(text) == seconds)
  }
}
