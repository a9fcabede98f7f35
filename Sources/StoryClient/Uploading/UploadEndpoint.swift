import Foundation

/// Where requests go, and what their heads say.
struct UploadEndpoint: Sendable {
  private let address: URL
  private let headers: [String: String]

  private static let path = "/v1/events"

  /// Works out the address of `POST /v1/events` from the collector's base address, which may have a path of its own.
  ///
  /// - Throws: `UploadStop.unusableAddress`, `.unusableKey`.
  init(collector: URL, writeKey: String) throws(UploadStop) {
    guard var parts = URLComponents(url: collector, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http", parts.host?.isEmpty == false
    else { throw .unusableAddress }
    parts.query = nil
    parts.fragment = nil
    var base = parts.path
    while base.hasSuffix("/") { base.removeLast() }
    parts.path = base.hasSuffix(Self.path) ? base : base + Self.path
    guard let address = parts.url else { throw .unusableAddress }
    // Anything else would end the header line, or never be a key.
    guard !writeKey.isEmpty, writeKey.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .unusableKey }
    self.address = address
    headers = [
      "Authorization": "Bearer \(writeKey)",
      "Content-Type": "application/x-ndjson",
      "Content-Encoding": "gzip",
      "Accept": "application/json",
      // In the place of what the system would tell: the app's name and version, and the phone's languages.
      "User-Agent": "pagefall",
      "Accept-Language": "*",
    ]
  }

  /// A request with a compressed body.
  func request(body: [UInt8]) -> UploadRequest {
    UploadRequest(address: address, headers: headers, body: body)
  }
}
