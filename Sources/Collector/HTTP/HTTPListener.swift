/// Which routes a listening socket serves.
enum HTTPListenerKind: Sendable {
  /// Everything, but `/metrics` where that has an address of its own.
  case main
  /// `/metrics` and the probes.
  case metrics
}

/// One daemon of the library with its socket; the server's thread owns it.
struct HTTPListener {
  let daemon: OpaquePointer
  let kind: HTTPListenerKind
  /// What to wait on; −1 where the system has no epoll.
  let descriptor: Int32
}

/// What answers at a path.
protocol HTTPEndpoint: AnyObject {
  /// The path, exactly.
  var path: StaticString { get }
  /// The method that it answers.
  var method: HTTPEndpointMethod { get }
  /// The sockets that serve it.
  var listeners: Set<HTTPListenerKind> { get }
  /// The head has come and nothing of the body was read.
  func decideHead(_ request: HTTPRequestPointer) -> HTTPHeadDecision
  /// The whole body has come; `receivedAtMicroseconds` is set. The bytes are the endpoint's for this call, or, after
  /// `elsewhere`, those in the request's buffer until it is finished.
  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision
  /// The request is suspended and its body stands in its buffer: give it to a worker.
  func handOver(_ request: HTTPRequestPointer)
}

extension HTTPEndpoint {
  var listeners: Set<HTTPListenerKind> { [.main, .metrics] }
  func decideHead(_ request: HTTPRequestPointer) -> HTTPHeadDecision { .readBody(limitBytes: 0) }
  func handOver(_ request: HTTPRequestPointer) {}
}

/// The method that an endpoint answers; others are told 405.
enum HTTPEndpointMethod {
  /// GET and HEAD.
  case get
  case post
}

/// Makes durable what endpoints have appended in a turn.
protocol GroupCommitter: AnyObject {
  /// Syncs once; false where nothing of this group may be acknowledged.
  func commit(requests: Int) -> Bool
}
