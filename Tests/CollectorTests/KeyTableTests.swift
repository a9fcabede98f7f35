import EventStore
import Testing

@testable import Collector

/// The parts of keys that need no server.
@Suite struct KeyTableTests {
  private func hash(_ number: Int) -> KeyHash {
    Array("key-\(number)".utf8).withUnsafeBytes { KeyHash(of: $0) }
  }

  @Test(arguments: [
    "pfw_", "pfw_" + String(repeating: "a", count: 32), "x", "schlüssel 🔑", String(repeating: "k", count: 256),
  ])
  func `the collector hashes a key as the database has it`(key: String) {
    let hash = Array(key.utf8).withUnsafeBytes { KeyHash(of: $0) }
    #expect(hash.bytes == KeyStore.hash(of: key))
  }

  @Test func `thousands of keys are found, and slots stay`() {
    var table = KeyTable(eventsPerSecond: nil)
    let keys = (0..<3_000).map { KnownKey(hash: hash($0), app: "app-\($0)", right: .ingest) }
    for key in keys { table.add(key) }
    let slots = keys.map { table.slot(of: $0.hash) }
    #expect(slots.allSatisfy { $0 != nil })
    table.replaceAll(Array(keys.dropFirst(1_000)))
    for (index, key) in keys.enumerated() {
      #expect(table.slot(of: key.hash) == (index < 1_000 ? nil : slots[index]))
    }
    table.add(keys[0])
    #expect(table.slot(of: keys[0].hash) == slots[0])
    #expect(table.app(of: 7) == "app-7")
    #expect(table.slot(of: hash(5_000)) == nil)
  }

  @Test func `a hash is the SHA-256 of the key's bytes`() {
    let hash = Array("abc".utf8).withUnsafeBytes { KeyHash(of: $0) }
    #expect(hash.bytes.prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
    #expect(KeyHash(bytes: hash.bytes) == hash)
    #expect(KeyHash(bytes: [1, 2]) == nil)
  }

  @Test(arguments: [
    ("Bearer abc", "abc"), ("bEARER   abc ", "abc"), ("Bearer", nil), ("Bearer ", nil), ("Bearerabc", nil),
    ("Basic abc", nil), ("", nil),
  ])
  func `a bearer token is read`(value: String, token: String?) {
    let found = Array(value.utf8).withUnsafeBytes { bytes in
      KeyGate.bearerToken(bytes).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(found == token)
  }

  @Test func `a bucket refills by the clock, and debts are paid first`() {
    var bucket = TokenBucket(eventsPerSecond: 10)
    let second: Int64 = 1_000_000_000
    #expect(bucket.secondsToWait(atNanoseconds: second) == nil)
    bucket.charge(events: 35, atNanoseconds: second)
    #expect(bucket.secondsToWait(atNanoseconds: second) == 3)
    #expect(bucket.secondsToWait(atNanoseconds: 3 * second) == 1)
    #expect(bucket.secondsToWait(atNanoseconds: 3 * second + 600_000_000) == nil)
    bucket.charge(events: 1, atNanoseconds: 100 * second)
    bucket.charge(events: 9, atNanoseconds: 100 * second)
    #expect(bucket.secondsToWait(atNanoseconds: 100 * second) == 1)
    var free = TokenBucket(eventsPerSecond: nil)
    free.charge(events: 1_000_000, atNanoseconds: second)
    #expect(free.secondsToWait(atNanoseconds: second) == nil)
    var slow = TokenBucket(eventsPerSecond: 0.1)
    slow.charge(events: 2, atNanoseconds: second)
    #expect(slow.secondsToWait(atNanoseconds: second) == 10)
  }

  @Test(
    arguments: [
      ("127.0.0.1:8787", "127.0.0.1", 8787), ("[::1]:0", "::1", 0), ("localhost:80", "localhost", 80), (":80", "", 80),
      ("::1:80", nil, 0), ("[::1]", nil, 0), ("a:70000", nil, 0), ("a:-1", nil, 0), ("a", nil, 0), ("", nil, 0),
      ("[a]:80", nil, 0),
    ] as [(String, String?, Int)])
  func `a listen address is read`(text: String, host: String?, port: Int) {
    let address = ListenAddress(text)
    #expect(address?.host == host)
    if let address {
      #expect(Int(address.port) == port)
      #expect(host == "" || address.description == text)
    }
  }
}
