import StoryPlayback
import Testing

@Suite struct ViewerTests {
  @Test func `the generator gives the published numbers of SplitMix64`() {
    var generator = SplitMix64(seed: 1_234_567)
    let published: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
      16_408_922_859_458_223_821,
    ]
    #expect((0..<5).map { _ in generator.next() } == published)
  }

  @Test func `draws stay within their bounds`() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<10_000 {
      #expect((0..<1).contains(generator.unit()))
      #expect((0..<7).contains(generator.index(below: 7)))
      #expect((500_000...2_000_000).contains(generator.microseconds(0.5, 2)))
    }
    #expect(generator.index(below: 0) == 0)
    #expect(generator.microseconds(-5, -1) == 0)
  }

  @Test func `choices follow their weights, and without weight there is none`() {
    var generator = SplitMix64(seed: 4)
    var counts = [0, 0, 0]
    let choices = [Weighted(0, weight: 3), Weighted(1, weight: 0), Weighted(2, weight: 1)]
    for _ in 0..<40_000 { counts[generator.choose(choices) ?? 1] += 1 }
    #expect(counts[1] == 0)
    #expect(abs(counts[0] - 30_000) < 500)
    #expect(generator.choose([Weighted(0, weight: -1)]) == nil)
    #expect(generator.choose([Weighted<Int>]()) == nil)
  }

  @Test func `streams of one seed differ, and are the same again`() {
    let first = (0..<100 as Range<UInt64>).map { stream in
      var generator = SplitMix64(seed: 9, stream: stream)
      return generator.next()
    }
    #expect(Set(first).count == 100)
    var again = SplitMix64(seed: 9, stream: 42)
    #expect(again.next() == first[42])
  }

  private func performances(_ mix: ViewerMix, loops: Bool = false, count: Int) throws -> [StoryPerformance] {
    let story = StoryOutcome.story(try pages(5, 4, 3))
    let options = StoryPlayer.Options(loopsAfterLastPage: loops, longPressToPauseEnabled: true)
    return mix.profiles.flatMap { profile in
      (0..<count).map { number in
        var generator = SplitMix64(seed: 5, stream: UInt64(number))
        let viewer = Viewer(profile: profile, brokenLinkProbability: 0.01, options: options)
        return viewer.watch(story, at: 1_000, generator: &generator)
      }
    }
  }

  @Test func `the same seed watches in the same way`() throws {
    #expect(try performances(.standard, count: 50) == performances(.standard, count: 50))
  }

  @Test func `viewers do all that viewers do`() throws {
    let told = try performances(.standard, count: 400)
    let callbacks = told.map { $0.callbacks.map(\.callback) }
    #expect(callbacks.contains { $0.last == .didFinish })
    #expect(callbacks.contains { $0.contains(.didTapAction(page: 0)) })
    #expect(callbacks.contains { $0 == [.didStart(pageCount: 3), .didShow(page: 0)] })
    #expect(callbacks.contains { $0.suffix(2) == [.didShow(page: 1), .didShow(page: 0)] })
    #expect(callbacks.contains { $0.firstIndex(of: .didFinish) != $0.lastIndex(of: .didFinish) })
  }

  @Test func `moments never go back, and closing comes last`() throws {
    for performance in try performances(.standard, loops: true, count: 200) {
      let moments = performance.callbacks.map(\.atMicroseconds)
      #expect(moments == moments.sorted())
      #expect(moments.first == 1_000)
      #expect(performance.closedAtMicroseconds >= moments.last ?? 0)
    }
  }

  @Test func `a viewer who never leaves a looping story leaves in the end`() throws {
    let mix = ViewerMix(profiles: [
      ViewerProfile(
        name: "for ever", share: 1, wait: 1, skip: 0, back: 0, button: 0, leave: 0, hold: 0, returnAfterButton: 0,
        backAfterFinish: 0, decideSeconds: 1...2)
    ])
    let told = try #require(try performances(mix, loops: true, count: 1).first)
    #expect(told.callbacks.count < 2 * Viewer.mostDecisions + 2)
  }

  @Test func `fast tappers tap fast`() throws {
    let told = try performances(.fastTappers, count: 200)
    let lengths = told.map { $0.closedAtMicroseconds - 1_000 }.sorted()
    #expect(lengths[100] < 10_000_000)
  }

  @Test func `a looping story of tiny pages ends, however long somebody holds`() throws {
    let story = StoryOutcome.story(try pages(1e-9, 0.000_001))
    let options = StoryPlayer.Options(loopsAfterLastPage: true, longPressToPauseEnabled: true)
    for profile in ViewerMix.standard.profiles {
      var generator = SplitMix64(seed: 6)
      let viewer = Viewer(profile: profile, brokenLinkProbability: 0, options: options)
      #expect(viewer.watch(story, at: 0, generator: &generator).callbacks.count <= Viewer.mostCallbacks + 5)
    }
  }
}
