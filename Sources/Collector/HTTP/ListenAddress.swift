/// Where to listen, as it is written: `HOST:PORT`, `[IPV6]:PORT`, or `:PORT` for every address.
public struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
  /// A name or an address, without brackets; empty: every address.
  public var host: String
  /// 0: any free port.
  public var port: UInt16

  /// 127.0.0.1:8787.
  public static let standard = ListenAddress(host: "127.0.0.1", port: 8787)

  /// The two parts as they are.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `HOST:PORT`; nil for anything else, a bare IPv6 address included.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { return nil }
    } else if host.contains(":") || host.contains("[") || host.contains("]") {
      return nil
    }
    self.init(host: String(host), port: port)
  }

  /// `HOST:PORT`, an IPv6 address in brackets.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
