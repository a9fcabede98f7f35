/// A request as the engine and the endpoints pass it around.
typealias HTTPRequestPointer = UnsafeMutablePointer<HTTPRequest>

/// One HTTP request, from its head to its answer: plain memory out of a pool, so that serving one neither allocates nor
/// counts references.
struct HTTPRequest {
  /// Where it stands; it belongs to the HTTP thread in all but `elsewhere` and `awaitingKey`.
  enum Phase: UInt8 {
    /// Just taken from the pool.
    case fresh
    /// Suspended: another thread finds out whether its head is welcome.
    case awaitingKey
    /// The body is being read (or thrown away, where an answer is set already).
    case body
    /// The whole body was judged in the very call that brought it; the library has not yet said that it is complete.
    case judged
    /// Appended; answered after the next sync.
    case committing
    /// Suspended: a worker has it.
    case elsewhere
    /// Its answer is set; the library asks for it in the next turn.
    case answered
    /// The library sends the answer.
    case responding
    /// The sender went away while it was `committing`.
    case abandoned
  }

  var phase = Phase.fresh
  var isSuspended = false
  /// The endpoint wants it to go to a worker as soon as it is complete.
  var wantsWorker = false
  var method = HTTPMethod.other
  /// Index in the server's endpoints, −1 where the path has none.
  var endpoint = -1
  var connection: OpaquePointer
  var link: HTTPConnectionPointer
  var head = HTTPHead()

  /// The body so far; nil where it was judged in place.
  var body: UnsafeMutableRawPointer?
  var bodyBytes = 0
  var bodyCapacity = 0
  var bodyLimitBytes = 0
  var discardedBytes: Int64 = 0
  /// When the last byte of the body was read, in microseconds since 1970 (contract §3, `received`).
  var receivedAtMicroseconds: Int64 = 0

  var status: UInt16 = 0
  var response: OpaquePointer?
  /// Whether the response was made for this request alone.
  var ownsResponse = false
  /// The bytes of its own response, as they count in the budget.
  var answerBytes = 0
  var answeredAtMilliseconds: Int64 = 0

  /// The endpoint's own: which key it came with.
  var keySlot: Int32 = -1
  /// The endpoint's own: how the body is written.
  var bodyFormat = BodyFormat.json
  /// The endpoint's own: how the body is compressed.
  var bodyEncoding = BodyEncoding.identity
  /// The endpoint's own: the hash of a key that is being looked up.
  var keyHash = KeyHash()

  /// The body that is in its buffer.
  var bodyBuffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: body, count: bodyBytes) }
}

/// A method, as far as routes tell them apart.
enum HTTPMethod: UInt8 {
  case get
  case head
  case post
  case other
}

/// An answer: its status, and a response of the library.
struct HTTPAnswer {
  var status: UInt16
  var response: OpaquePointer?
  /// Whether the response is made for this answer alone, and is given back behind it; else it is the shelf's.
  var isOwned = false
  /// How large an owned response is: a sender that does not read its answer holds these bytes.
  var bytes = 0
}

/// What an endpoint says to a head.
enum HTTPHeadDecision {
  /// Read the body, up to this many bytes.
  case readBody(limitBytes: Int)
  /// No; the body is read and thrown away first, where that is possible.
  case refuse(HTTPAnswer)
  /// Suspend it; `HTTPServer.decideHead` follows.
  case wait
}

/// What an endpoint says to a whole body.
enum HTTPBodyDecision {
  /// Answer at once.
  case answer(HTTPAnswer)
  /// It was appended: answer so after the sync.
  case commit(HTTPAnswer)
  /// Suspend it and hand it over; `HTTPServer.finish` follows.
  case elsewhere
}

/// The requests' memory, reused.
struct HTTPRequestPool {
  private var free = ContiguousArray<HTTPRequestPointer>()
  /// Requests that are in use.
  private(set) var inUse = 0

  /// A request in its initial state.
  mutating func take(connection: OpaquePointer, link: HTTPConnectionPointer) -> HTTPRequestPointer {
    inUse += 1
    let request = free.popLast() ?? HTTPRequestPointer.allocate(capacity: 1)
    request.initialize(to: HTTPRequest(connection: connection, link: link))
    return request
  }

  /// Takes a request back: its body, its response, its memory.
  mutating func recycle(_ request: HTTPRequestPointer, budget: ByteBudget) {
    request.releaseBody(budget)
    request.releaseAnswer(budget)
    inUse -= 1
    free.append(request)
  }

  /// Gives the memory back; when none is in use.
  mutating func deallocate() {
    for request in free { request.deallocate() }
    free.removeAll()
  }
}
