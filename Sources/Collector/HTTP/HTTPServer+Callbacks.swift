import CMicroHTTPD

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The library's callbacks: they find the server and say what happened. No Swift error may leave them.

/// A request on the main socket: called for its head, for each piece of its body, and when it is complete, until there
/// is an answer.
let handleMainRequest: MHD_AccessHandlerCallback = { context, connection, path, method, version, body, size, state in
  handleRequest(context, connection, path, method, version, body, size, state, .main)
}

/// A request on the socket of `--metrics-listen`.
let handleMetricsRequest: MHD_AccessHandlerCallback = {
  context, connection, path, method, version, body, size, state in
  handleRequest(context, connection, path, method, version, body, size, state, .metrics)
}

private func handleRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ body: UnsafePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ kind: HTTPListenerKind
) -> MHD_Result {
  guard let context, let connection, let path, let method, let version, let size, let state else {
    return pagefall_mhd_no
  }
  // The server outlives its daemons and is used by their one thread alone.
  return Unmanaged<HTTPServer>.fromOpaque(context)._withUnsafeGuaranteedRef { server in
    guard let known = state.pointee else {
      let request = server.begin(connection, path: path, method: method, version: version, kind: kind)
      state.pointee = UnsafeMutableRawPointer(request)
      return request == nil ? pagefall_mhd_no : pagefall_mhd_yes
    }
    let request = known.assumingMemoryBound(to: HTTPRequest.self)
    if let body, size.pointee > 0 {
      let bytes = UnsafeRawBufferPointer(start: body, count: size.pointee)
      size.pointee = 0
      return server.takeBody(request, bytes) ? pagefall_mhd_yes : pagefall_mhd_no
    }
    return server.proceed(request) ? pagefall_mhd_yes : pagefall_mhd_no
  }
}

/// A request has ended: answered, or its connection broke.
let handleCompletedRequest: MHD_RequestCompletedCallback = { context, _, state, _ in
  guard let context, let state, let known = state.pointee else { return }
  state.pointee = nil
  Unmanaged<HTTPServer>.fromOpaque(context)._withUnsafeGuaranteedRef { server in
    server.end(known.assumingMemoryBound(to: HTTPRequest.self))
  }
}

/// A connection began or ended.
let handleConnection: MHD_NotifyConnectionCallback = { context, connection, state, code in
  guard let context, let connection, let state else { return }
  Unmanaged<HTTPServer>.fromOpaque(context)._withUnsafeGuaranteedRef { server in
    if pagefall_mhd_is_start(code) != 0 {
      state.pointee = UnsafeMutableRawPointer(server.beginConnection(pagefall_mhd_socket(connection)))
    } else if let known = state.pointee {
      state.pointee = nil
      server.connections.remove(known.assumingMemoryBound(to: HTTPConnection.self))
    }
  }
}

extension HTTPServer {
  /// Counts a new connection, or tells it that there are too many.
  func beginConnection(_ descriptor: Int32) -> HTTPConnectionPointer {
    let connection = connections.add(descriptor: descriptor, milliseconds: MonotonicClock.milliseconds)
    metrics.connectionsOpened += 1
    if connections.count > limits.maximumConnections {
      connection.pointee.isRefused = true
      metrics.connectionsRefused += 1
      cutOff(connection, saying: .tooManyConnections)
    }
    return connection
  }
}
