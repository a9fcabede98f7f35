import Testing

@testable import StoryClient

struct UploadBackoffTests {
  @Test func `pauses double from half a second to five minutes and no further`() {
    for (randomness, factor) in [(0.0, 1.0), (1.0, 1.5)] {
      var backoff = UploadBackoff()
      let pauses = (0..<40).map { _ in backoff.fail(askedSeconds: nil, randomness: randomness).seconds }
      #expect(pauses.prefix(9) == [0.5, 1, 2, 4, 8, 16, 32, 64, 128].map { $0 * factor }[...])
      #expect(pauses.dropFirst(9).allSatisfy { $0 == 200 * factor })
    }
  }

  @Test func `an answer lets it begin anew`() {
    var backoff = UploadBackoff()
    for _ in 0..<5 { _ = backoff.fail(askedSeconds: nil, randomness: 0) }
    backoff.succeed()
    #expect(backoff.fail(askedSeconds: nil, randomness: 0).seconds == 0.5)
  }

  @Test(arguments: [
    (0.0, 0.0, 0.5), (10, 0, 10), (10, 1, 11), (3_600, 1, 3_600), (1e300, 0.5, 3_600), (.infinity, 0.5, 3_600),
  ])
  func `what is asked for is kept within bounds`(_ asked: Double, _ randomness: Double, _ seconds: Double) {
    var backoff = UploadBackoff()
    #expect(backoff.fail(askedSeconds: asked, randomness: randomness).seconds == seconds)
  }

  @Test(arguments: [0.0, 1]) func `whoever asks for no pause gets our own all the same`(_ asked: Double) {
    var backoff = UploadBackoff()
    let pauses = (0..<12).map { _ in backoff.fail(askedSeconds: asked, randomness: 0) }
    #expect(pauses.dropFirst(2).map(\.seconds) == [2, 4, 8, 16, 32, 64, 128, 200, 200, 200])
    #expect(pauses.dropFirst(2).allSatisfy { !$0.isAsked })
    let long = backoff.fail(askedSeconds: 500, randomness: 0)
    #expect(long.seconds == 500 && long.isAsked)
  }
}
