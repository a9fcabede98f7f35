import Foundation
import StoryEvents
import Synchronization
import TestSupport
import Testing

@testable import StoryClient

@Suite struct ResetStressTests {
  @Test func `four record while a fifth forgets all again and again: nobody waits, and nothing is left`() throws {
    let directory = try TemporaryDirectory()
    var configuration = StoryClientConfiguration(
      collector: try #require(URL(string: "http://127.0.0.1:9")), writeKey: "pfw_nobody")
    configuration.queueDirectory = URL(fileURLWithPath: directory.path)
    let clients = (0..<5).map { [configuration] _ in StoryClient(configuration) }
    let end = Date().addingTimeInterval(1)
    let stories = Atomic<Int>(0)
    let writers = DispatchGroup()
    for client in clients[..<4] {
      writers.enter()
      Thread {
        while Date() < end {
          let story = client.beginStory(userInfo: [:])
          for page in 0..<5 { story.didShow(pageIndex: page) }
          stories.wrappingAdd(1, ordering: .relaxed)
        }
        writers.leave()
      }.start()
    }
    while Date() < end {
      clients[4].reset()
      clients[4].setConsent(false)
      clients[4].setConsent(true)
      usleep(3_000)
    }
    #expect(writers.wait(timeout: .now() + 60) == .success)
    #expect(stories.load(ordering: .relaxed) > 100)
    clients[4].reset()
    #expect(clients[4].queue.waitingEvents == 0)
    let story = clients[0].beginStory(userInfo: [:])
    for page in 0..<5 { story.didShow(pageIndex: page) }
    #expect(clients[4].queue.waitingEvents == 5)
  }
}
