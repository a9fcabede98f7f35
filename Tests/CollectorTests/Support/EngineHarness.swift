import StoryEvents
import Synchronization

@testable import Collector

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The HTTP engine with endpoints that only show what it does, on a free port.
final class EngineHarness {
  let port: UInt16
  let mailbox: HTTPMailbox
  let budget: ByteBudget
  let commits: CountingCommitter.Counts
  private let thread: NamedThread

  init(_ limits: HTTPLimits = HTTPLimits(), budgetBytes: Int = 32 * 1024 * 1024, commitsFail: Bool = false) throws {
    let mailbox = try HTTPMailbox()
    let budget = ByteBudget(limitBytes: budgetBytes)
    let counts = CountingCommitter.Counts()
    let box = PortBox()
    thread = try NamedThread("http") {
      guard let answers = try? AnswerShelf(),
        let socket = try? ListeningSocket(.init(host: "127.0.0.1", port: 0), loopbackOnly: true)
      else { return }
      let server = HTTPServer(
        limits: limits,
        endpoints: [
          EchoEndpoint(answers), CommitEndpoint(answers), WorkerEndpoint(answers, mailbox),
          LookupEndpoint(answers, mailbox), HelloEndpoint(answers),
        ],
        committer: CountingCommitter(counts, fails: commitsFail), budget: budget, mailbox: mailbox,
        metrics: HTTPMetrics(), answers: answers, now: { WallClock.microseconds })
      let port = socket.address.port
      try? server.listen(on: socket, kind: .main)
      box.set(port)
      server.run()
    }
    port = box.wait()
    self.mailbox = mailbox
    self.budget = budget
    commits = counts
  }

  deinit { stop() }

  func stop() {
    mailbox.stop()
    thread.join()
  }

  func connect() -> RawClient { RawClient(port: port) }
}

/// Hands the port from the server's thread to the test's.
final class PortBox: Sendable {
  private let port = Atomic<UInt16>(0)
  func set(_ value: UInt16) { port.store(value, ordering: .releasing) }
  func wait() -> UInt16 {
    while port.load(ordering: .acquiring) == 0 { usleep(1000) }
    return port.load(ordering: .acquiring)
  }
}

/// Answers with the number of the body's bytes.
final class EchoEndpoint: HTTPEndpoint {
  let path: StaticString = "/echo"
  let method = HTTPEndpointMethod.post
  let answers: AnswerShelf
  init(_ answers: AnswerShelf) { self.answers = answers }
  func decideHead(_ request: HTTPRequestPointer) -> HTTPHeadDecision { .readBody(limitBytes: ContractLimits.bodyBytes) }
  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision {
    .answer(answers.text(status: 200, contentType: "text/plain", "\(body.count)"))
  }
}

/// Answers after a commit.
final class CommitEndpoint: HTTPEndpoint {
  let path: StaticString = "/commit"
  let method = HTTPEndpointMethod.post
  let answers: AnswerShelf
  init(_ answers: AnswerShelf) { self.answers = answers }
  func decideHead(_ request: HTTPRequestPointer) -> HTTPHeadDecision { .readBody(limitBytes: ContractLimits.bodyBytes) }
  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision {
    answers.writer.removeAll()
    answers.writer.raw(#"{"bytes":"#)
    answers.writer.integer(body.count)
    answers.writer.raw("}")
    return .commit(answers.json(status: 202))
  }
}

/// Has its bodies counted by another thread, then answers after a commit.
final class WorkerEndpoint: HTTPEndpoint {
  let path: StaticString = "/worker"
  let method = HTTPEndpointMethod.post
  let answers: AnswerShelf
  let mailbox: HTTPMailbox
  init(_ answers: AnswerShelf, _ mailbox: HTTPMailbox) {
    self.answers = answers
    self.mailbox = mailbox
  }
  func decideHead(_ request: HTTPRequestPointer) -> HTTPHeadDecision { .readBody(limitBytes: ContractLimits.bodyBytes) }
  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision { .elsewhere }
  func handOver(_ request: HTTPRequestPointer) {
    let suspended = SuspendedRequest(pointer: request)
    let mailbox = mailbox
    _ = try? NamedThread("test-worker") {
      let bytes = suspended.pointer.pointee.bodyBytes
      mailbox.post { server in
        server.finish(
          suspended.pointer, .commit(server.answers.text(status: 202, contentType: "text/plain", "\(bytes)")))
      }
    }
  }
}

/// Asks another thread about each head; `Authorization: no` is refused.
final class LookupEndpoint: HTTPEndpoint {
  let path: StaticString = "/lookup"
  let method = HTTPEndpointMethod.post
  let answers: AnswerShelf
  let mailbox: HTTPMailbox
  init(_ answers: AnswerShelf, _ mailbox: HTTPMailbox) {
    self.answers = answers
    self.mailbox = mailbox
  }
  func decideHead(_ request: HTTPRequestPointer) -> HTTPHeadDecision {
    let suspended = SuspendedRequest(pointer: request)
    let isRefused = request.pointee.head.authorization?.equals("no") ?? false
    mailbox.post { server in
      server.decideHead(
        suspended.pointer,
        isRefused ? .refuse(server.answers.problem(.unknownKey)) : .readBody(limitBytes: ContractLimits.bodyBytes))
    }
    return .wait
  }
  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision {
    .answer(answers.text(status: 200, contentType: "text/plain", "\(body.count)"))
  }
}

/// Greets.
final class HelloEndpoint: HTTPEndpoint {
  let path: StaticString = "/hello"
  let method = HTTPEndpointMethod.get
  let answers: AnswerShelf
  init(_ answers: AnswerShelf) { self.answers = answers }
  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision {
    .answer(answers.text(status: 200, contentType: "text/plain", "hello"))
  }
}

/// Counts commits and what they commit.
final class CountingCommitter: GroupCommitter {
  final class Counts: Sendable {
    let commits = Atomic<Int>(0)
    let requests = Atomic<Int>(0)
    let largest = Atomic<Int>(0)
  }
  private let counts: Counts
  private let fails: Bool
  init(_ counts: Counts, fails: Bool) {
    self.counts = counts
    self.fails = fails
  }
  func commit(requests: Int) -> Bool {
    counts.commits.add(1, ordering: .relaxed)
    counts.requests.add(requests, ordering: .relaxed)
    counts.largest.max(requests, ordering: .relaxed)
    return !fails
  }
}
