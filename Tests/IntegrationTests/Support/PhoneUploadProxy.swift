import Foundation
import Synchronization
import TestSupport

/// Stands between phones and a collector and misbehaves as networks do.
final class PhoneUploadProxy: Sendable {
  /// What it does with a request.
  enum Act: CaseIterable, Sendable {
    case pass
    /// Closed before the request is through.
    case cutBeforeRequest
    /// The collector gets half of it.
    case cutWithinRequest
    /// The collector has it all, and its answer is lost.
    case cutBeforeAnswer
    /// Half of the answer comes through.
    case cutWithinAnswer
    /// Nothing for longer than the phone waits, and then nothing.
    case stall
    /// The same after the collector has it.
    case stallBeforeAnswer
    /// The collector gets it twice at once.
    case repeatNow
    /// The collector gets it again when others have come meanwhile.
    case repeatLater
    /// 503 with `Retry-After`.
    case unavailable
    /// 429 with a date.
    case tooMany
    /// 413, where more than one event is in it.
    case tooLarge
    /// 200 with a page to log in.
    case portal
    /// A 400 or a 404 of somebody else, in turn.
    case foreignError

    /// Whether a request that meets it takes a second.
    var isSlow: Bool { self == .stall || self == .stallBeforeAnswer }
  }

  private struct State {
    var upstreamPort: Int?
    var script: [Act]
    var random: SeededGenerator?
    var rounds = 0
    var done: [Act: Int] = [:]
    var running = 0
  }

  /// Where phones send to.
  let port: Int
  private let listener: Int32
  /// Guards what is drawn and counted.
  private let state: Mutex<State>

  /// - Parameters:
  ///   - upstreamPort: the collector's; nil: nobody is there.
  ///   - script: the first acts.
  ///   - seed: draws the later ones in rounds: every act (the slow ones in every fourth round), and as many that pass; nil: all pass.
  init(to upstreamPort: Int?, script: [Act] = [], seed: UInt64? = nil) throws {
    state = Mutex(State(upstreamPort: upstreamPort, script: script, random: seed.map { SeededGenerator(seed: $0) }))
    (listener, port) = try PlainSocket.listen()
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else {
          // Closed here and not in `stop`: this thread may be about to accept from the number, which another test's socket would
          // have by then.
          close(listener)
          return
        }
        state.withLock { $0.running += 1 }
        Thread.detachNewThread { [self] in
          serve(client)
          close(client)
          state.withLock { $0.running -= 1 }
        }
      }
    }
  }

  /// How often each act was done.
  var done: [Act: Int] { state.withLock { $0.done } }

  /// Where the collector is from now on.
  func setUpstream(_ port: Int) { state.withLock { $0.upstreamPort = port } }

  /// Takes no more, and waits for what is under way.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    _ = eventually { state.withLock { $0.running == 0 } }
  }

  private func draw() -> Act {
    state.withLock { state in
      if state.script.isEmpty, var random = state.random {
        let acts = Act.allCases.filter { state.rounds.isMultiple(of: 4) || !$0.isSlow }
        state.rounds += 1
        state.script = (acts + [Act](repeating: .pass, count: acts.count)).shuffled(using: &random)
        state.random = random
      }
      let act = state.script.isEmpty ? .pass : state.script.removeFirst()
      state.done[act, default: 0] += 1
      return act
    }
  }

  private func serve(_ client: Int32) {
    guard PlainSocket.waitForBytes(client) else { return }
    let act = draw()
    if act == .cutBeforeRequest { return }
    guard let request = HTTPBytes.readRequest(client) else { return }
    switch act {
    case .pass, .cutBeforeRequest: answer(client, with: forward(request))
    case .cutWithinRequest: _ = forward(request[..<(request.count - request.count / 4)], isWhole: false)
    case .cutBeforeAnswer: _ = forward(request[...])
    case .cutWithinAnswer: answer(client, with: forward(request[...]).map { Array($0.prefix($0.count * 3 / 4)) })
    case .stall: usleep(1_200_000)
    case .stallBeforeAnswer:
      _ = forward(request[...])
      usleep(1_200_000)
    case .repeatNow:
      let both = try? inParallel(2) { [self] _ in forward(request[...]) ?? [] }
      answer(client, with: both?.last)
    case .repeatLater:
      answer(client, with: forward(request[...]))
      shutdown(client, Int32(SHUT_RDWR))
      usleep(400_000)
      _ = forward(request[...])
    case .unavailable: answer(client, "503 Service Unavailable", "Retry-After: 1")
    case .tooMany:
      answer(
        client, "429 Too Many Requests", "Date: Sun, 29 Nov 2026 10:00:30 GMT",
        "Retry-After: Sun, 29 Nov 2026 10:00:31 GMT")
    case .tooLarge:
      if HTTPBytes.eventCount(request) > 1 {
        answer(client, "413 Content Too Large")
      } else {
        answer(client, with: forward(request[...]))
      }
    case .portal: answer(client, "200 OK", "Content-Type: text/html")
    case .foreignError: answer(client, done[act].map { $0 % 2 } == 0 ? "400 Bad Request" : "404 Not Found")
    }
  }

  private func forward(_ request: [UInt8]) -> [UInt8]? { forward(request[...]) }

  /// Nil where no whole answer came.
  private func forward(_ request: ArraySlice<UInt8>, isWhole: Bool = true) -> [UInt8]? {
    guard let port = state.withLock({ $0.upstreamPort }), let upstream = PlainSocket.connect(port: port) else {
      return nil
    }
    defer { close(upstream) }
    guard PlainSocket.write(request, to: upstream), isWhole else { return nil }
    return HTTPBytes.readAnswer(upstream)
  }

  private func answer(_ client: Int32, with bytes: [UInt8]?) {
    if let bytes { _ = PlainSocket.write(bytes[...], to: client) }
  }

  private func answer(_ client: Int32, _ status: String, _ headers: String...) {
    let page = "<!DOCTYPE html><title>Welcome</title>"
    let lines =
      ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(page.utf8.count)", "Connection: close", "", page]
    answer(client, with: Array(lines.joined(separator: "\r\n").utf8))
  }
}
