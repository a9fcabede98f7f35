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
  /// How many bytes the socket had received when the last request had ended; −1: find out at the next sweep.
  var receivedBytesBefore: Int64 = 0
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
