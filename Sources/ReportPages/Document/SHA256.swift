import CSodium
import Foundation

/// SHA-256 by libsodium, by which a page names the style and the script that may be used in it.
enum SHA256 {
  /// The hash in Base64, as a Content-Security-Policy has it (CSP 3 §2.3.1).
  static func base64(_ bytes: some Sequence<UInt8>) -> String {
    let message = Array(bytes)
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    _ = crypto_hash_sha256(&hash, message, UInt64(message.count))
    return Data(hash).base64EncodedString()
  }
}
