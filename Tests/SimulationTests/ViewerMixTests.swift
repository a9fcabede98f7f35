import Foundation
import FunnelDocument
import Simulation
import StoryPlayback
import Testing

@Suite struct ViewerMixTests {
  /// The mix that docs/simulator.md shows.
  private func documented() throws -> String { try documentedFile(startingWith: "{\n  \"profiles\"") }

  @Test func `the documented mix is the standard one, and gives its bytes`() throws {
    let mix = try ViewerMix(json: documented().utf8)
    #expect(mix == .standard)
    var configuration = try exampleWorld(sessions: 100)
    let standard = try run(configuration).lines
    configuration.viewerMix = mix
    #expect(try run(configuration).lines == standard)
  }

  @Test(arguments: [ViewerMix.standard, .fastTappers]) func `a mix that is written is read back`(mix: ViewerMix) throws
  {
    #expect(try ViewerMix(json: mix.json.text().utf8) == mix)
  }

  @Test(arguments: [
    ("\"wait\": 0.15", "\"wait\": -1", "profiles[1].wait must be a number from 0 to 1000000"),
    ("\"wait\": 0.15", "\"wait\": \"1\"", "profiles[1].wait must be a number from 0 to 1000000"),
    ("\"wait\": 0.15", "\"wait\": true", "profiles[1].wait must be a number from 0 to 1000000"),
    ("\"wait\": 0.15", "\"wait\": null", "profiles[1].wait must be a number from 0 to 1000000"),
    ("\"wait\": 0.15, ", "", "profiles[1].wait must be given"),
    ("\"wait\": 0.15", "\"wait\": 1, \"wait\": 2", "profiles[1].wait must be given once"),
    (
      "\"wait\": 0.15", "\"wait\": 1, \"wiat\": 2", "profiles[1].wiat must be left out; the keys are name, share, wait,"
    ),
    ("\"hold\": 0.25", "\"hold\": 1.01", "profiles[2].hold must be a number from 0 to 1"),
    ("[0.2, 2.0]", "[2, 0.2]", "profiles[3].decide_seconds must be the shortest and the longest time, two numbers"),
    ("[0.2, 2.0]", "[0.2]", "profiles[3].decide_seconds must be"),
    ("[0.2, 2.0]", "[0.2, 1, \"2\"]", "profiles[3].decide_seconds must be"),
    ("[0.2, 2.0]", "[0, 86401]", "profiles[3].decide_seconds must be"),
    ("\"glancing\"", "7", "profiles[3].name must be a text"),
    ("\"broken_link\": 0.01", "\"broken_link\": 2", "the viewer mix: broken_link must be a number from 0 to 1"),
    ("{\n  \"profiles\"", "7 {\n  \"profiles\"", "the viewer mix is not JSON"),
  ]) func `what is wrong is named with its place`(part: String, spoiled: String, message: String) throws {
    let text = try documented()
    let place = try #require(text.range(of: part))
    do {
      _ = try ViewerMix(json: text.replacingCharacters(in: place, with: spoiled).utf8)
      Issue.record("was accepted")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  @Test(arguments: [
    ("[]", "must be an object with profiles, broken_link"),
    (#"{"profiles":[],"broken_link":0}"#, "profiles must be an array of 1 to 100 objects"),
    (#"{"profiles":{},"broken_link":0}"#, "profiles must be an array of 1 to 100 objects"),
    (#"{"profiles":[null],"broken_link":0}"#, "profiles[0] must be an object with name, share"),
  ]) func `a mix without viewers is refused`(text: String, message: String) {
    do {
      _ = try ViewerMix(json: text.utf8)
      Issue.record("was accepted")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  @Test func `viewers who never do anything, and kinds that nobody is of, are refused`() throws {
    var mix = ViewerMix.fastTappers
    mix.profiles[0].share = 0
    #expect(throws: SimulationError.self) { try ViewerMix(json: mix.json.text().utf8) }
    mix = .fastTappers
    for field in [\ViewerProfile.wait, \.skip, \.back, \.button, \.leave] { mix.profiles[0][keyPath: field] = 0 }
    #expect(throws: SimulationError.self) { try ViewerMix(json: mix.json.text().utf8) }
  }

  @Test func `fast tappers take their share from all kinds alike`() throws {
    let mix = ViewerMix.standard.with(fastTapperShare: 0.2)
    #expect(mix.profiles.count == 5)
    #expect(abs(mix.profiles.reduce(0) { $0 + $1.share } - 1) < 1e-9)
    #expect(abs(mix.profiles[0].share / mix.profiles[1].share - 1.5) < 1e-9)
    #expect(mix.profiles[4].share == 0.2 && mix.profiles[4].name == "tapping")
    #expect(ViewerMix.standard.with(fastTapperShare: 0) == .standard)
  }

  @Test func `a world of fast tappers is tapped through in fractions of a second`() throws {
    var configuration = try exampleWorld(sessions: 300)
    configuration.fastTapperShare = 1
    let page = try run(configuration).summary.truth.total.pages[0]
    #expect(try #require(page.dwell.ninetiethPercentileMilliseconds) < 500)
    #expect(try #require(page.departures.nextTap) > 9 * (page.departures.nextAuto ?? 0))
  }
}
