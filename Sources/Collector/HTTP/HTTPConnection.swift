/// A connection as the engine's lists hold it.
typealias HTTPConnectionPointer = UnsafeMutablePointer<HTTPConnection>

/// What we keep of a connection beside the library: enough for its deadlines.
struct HTTPConnection {
  let descriptor: Int32
  /// Its place in the list.
  var index: Int
  /// Over the limit of connections: it has got its 503, and whatever it sends is not looked at.
  var isRefused = false
  /// It was cut off; the library will close it.
  var isShutDown = false
  var request: HTTPRequestPointer?
  /// Since when there is no request, in milliseconds of the monotonic clock.
  var idleSinceMilliseconds: Int64
  /// When the first byte of the coming request was seen; 0 where none was.
  var firstByteMilliseconds: Int64 = 0
  /// The bytes of all requests whose heads have come, bodies included: what the socket has received beyond is the next
  /// one's. −1 where that cannot be told.
  var requestBytes: Int64 = 0
}

extension HTTPConnectionPointer {
  /// Counts a request whose head has come: its body's bytes are counted as they are declared, since the connection is
  /// closed where they do not come. How many a chunked body takes is not known, nor then what follows it.
  /// Blank lines between requests are not counted: they are a beginning, which the time runs from.
  func countRequest(headBytes: Int64, _ head: HTTPHead) {
    guard pointee.requestBytes >= 0, headBytes >= 0, head.transferEncodingCount == 0 else {
      pointee.requestBytes = -1
      return
    }
    // A declared length can be as large as a number gets; such a request ends with its connection.
    pointee.requestBytes &+= headBytes &+ Swift.max(0, head.contentLength)
  }
}

/// All connections, in no order.
struct HTTPConnectionList {
  private(set) var all = ContiguousArray<HTTPConnectionPointer>()
  private var free = ContiguousArray<HTTPConnectionPointer>()
  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.count }

  mutating func add(descriptor: Int32, milliseconds: Int64) -> HTTPConnectionPointer {
    let connection = free.popLast() ?? HTTPConnectionPointer.allocate(capacity: 1)
    connection.initialize(
      to: HTTPConnection(descriptor: descriptor, index: all.count, idleSinceMilliseconds: milliseconds))
    all.append(connection)
    return connection
  }

  mutating func remove(_ connection: HTTPConnectionPointer) {
    let index = connection.pointee.index
    let last = all.removeLast()
    if last != connection {
      all[index] = last
      last.pointee.index = index
    }
    free.append(connection)
  }

  /// Gives the memory back; when none is left.
  mutating func deallocate() {
    for connection in free { connection.deallocate() }
    free.removeAll()
  }
}
