import Foundation
import Simulation
import StoryPlayback
import Testing

/// Rich media as a file (docs/simulator.md).
@Suite struct RichMediaDescriptionTests {
  @Test func `the example is read whole`() throws {
    let world = try exampleRichMedia(sessions: 1)
    #expect(world.style == .modal)
    #expect(world.contents.map(\.content.code) == ["r-5A3C9-71E0B", "r-D81F2-40C6A", "6B2E7-93FD4", "0C94A-E5718"])
    #expect(world.contents.map(\.content.source) == [.push, .push, .inApp, .inApp])
    #expect(world.contents.map(\.weight) == [3, 2, 2, 1])
    #expect(
      world.contents[0].content.window
        == ModalWindow(
          position: .bottomSheet, presentAnimation: .fromBottom, dismissAnimation: .down, haptics: .light,
          swipeDirections: [.down], cornerRadius: 16))
    #expect(world.contents.map(\.content.window.autoCloseSeconds) == [nil, nil, 8, 4.5])
    #expect(world.contents[1].failureShare == 0.05)
    #expect(world.contents[1].openSeconds == 2...40)
    #expect(world.contents[3].loadSeconds == 0.1...0.8)
  }

  @Test func `the documented file is one, with every key`() throws {
    let world = try RichMediaWorld(json: documentedFile(startingWith: "{\n  \"style\"").utf8)
    #expect(world.contents.count == 1)
    #expect(world.contents[0].failureShare == 0.05)
    #expect(world.contents[0].content.window.autoCloseSeconds == 8)
  }

  @Test func `what is left out, or null, has the defaults`() throws {
    let text = #"{"contents":[{"code":"a","source":null,"window":{"haptics":null}},{"code":"b","window":null}]}"#
    let world = try RichMediaWorld(json: text.utf8)
    #expect(
      world == RichMediaWorld(contents: ["a", "b"].map { SimulatedRichMedia(content: RichMediaContent(code: $0)) }))
    for (word, style) in [("full_screen", ModalPlayer.Style.fullScreen), ("animated_full_screen", .animatedFullScreen)]
    {
      let text = #"{"style":"\#(word)","contents":[{"code":"a"}]}"#
      #expect(try RichMediaWorld(json: text.utf8).style == style)
    }
  }

  @Test(arguments: [
    ("[", "the description of rich media is not JSON"),
    ("7", "the description of rich media: it must be an object with contents, style"),
    ("{}", "contents must be given"), (#"{"contents":[]}"#, "contents must be an array of 1 to 1000 objects"),
    (#"{"contents":[7]}"#, "contents[0] must be an object with code, source, weight"),
    (#"{"contents":[{}]}"#, "contents[0].code must be given"),
    (#"{"contents":[{"code":7}]}"#, "contents[0].code must be a text"),
    (#"{"contents":[{"code":""}]}"#, "contents[0].code must be one that events can carry"),
    (#"{"contents":[{"code":"a"},{"code":"b","code":"c"}]}"#, "contents[1].code must be given once"),
    (#"{"contents":[{"code":"a","colour":1}]}"#, "contents[0].colour must be left out; the keys are code, source"),
    (#"{"contents":[{"code":"a","source":"mail"}]}"#, "contents[0].source must be one of push, in_app"),
    (#"{"contents":[{"code":"a","weight":-1}]}"#, "contents[0].weight must be a number from 0 to 1000000"),
    (#"{"contents":[{"code":"a","failure":1.5}]}"#, "contents[0].failure must be a number from 0 to 1"),
    (#"{"contents":[{"code":"a","open_seconds":[5,1]}]}"#, "contents[0].open_seconds must be the shortest and the"),
    (#"{"contents":[{"code":"a","load_seconds":9}]}"#, "contents[0].load_seconds must be the shortest and the"),
    (#"{"contents":[{"code":"a","window":[]}]}"#, "contents[0].window must be an object with position"),
    (#"{"contents":[{"code":"a","window":{"x":1}}]}"#, "contents[0].window.x must be left out"),
    (
      #"{"contents":[{"code":"a","window":{"position":"left"}}]}"#,
      "contents[0].window.position must be one of top, center, bottom, bottom_sheet, full_screen"
    ),
    (
      #"{"contents":[{"code":"a","window":{"swipe_directions":["down","down"]}}]}"#,
      "contents[0].window.swipe_directions must be an array of down, up, left, right, each at most once"
    ),
    (
      #"{"contents":[{"code":"a","window":{"swipe_directions":"down"}}]}"#,
      "contents[0].window.swipe_directions must be an array"
    ),
    (
      #"{"contents":[{"code":"a","window":{"auto_close_seconds":0}}]}"#,
      "contents[0].window.auto_close_seconds must be above 0, or left out"
    ),
    (
      #"{"contents":[{"code":"a","window":{"auto_close_seconds":"8"}}]}"#,
      "contents[0].window.auto_close_seconds must be a number from 0 to 86400"
    ),
    (#"{"style":"sheet","contents":[{"code":"a"}]}"#, "style must be one of modal, full_screen, animated_full_screen"),
  ]) func `what is wrong is named with its place`(text: String, message: String) {
    do {
      _ = try RichMediaWorld(json: text.utf8)
      Issue.record("was accepted")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
      #expect(!"\(error)".contains("\n"))
    }
  }
}
