import Foundation
import StoryEvents
import StoryPlayback
import Testing

@testable import StoryClient

/// What a story is called, and what a payload says of its message.
@Suite struct IdentityTests {
  @Test(
    arguments: [
      // As the SDK's own test has it: campaign 100, no message id, a code of zeros.
      ("_1C__000-000000-000000", "100", nil, "0000-00000000-00000000"),
      ("x_1_Z_1-a-Z", "1", "61", "0001-0000000A-0000003D"),
      ("_0_0_code-1", nil, nil, "2D0F34-00000001"),
      ("_lYGhcr7xxxxx_1_0-0", nil, "1", "0000-00000000"),
      ("_1C_2a_plain", nil, nil, nil),
      (String(repeating: "h", count: 64), nil, nil, nil),
      (String(repeating: "h", count: 60) + "_1_2_abc", "1", "2", "abc"),
      ("a-b", nil, nil, nil),
      ("_1!_2_0-0", nil, "2", "0000-00000000"),
      ("", nil, nil, nil),
    ] as [(String, String?, String?, String?)])
  func `a message's hash names campaign, message and code as the SDK reads it`(
    hash: String, campaign: String?, message: String?, code: String?
  ) {
    let identity = MessageIdentity(userInfo: ["p": hash])
    #expect(identity.messageHash == (hash.isEmpty ? nil : hash))
    #expect(identity.campaignID == campaign)
    #expect(identity.messageID == message)
    #expect(identity.messageCode == code)
  }

  @Test func `64 bits are kept to the last digit`() {
    // 2⁶⁴ − 1 in base 62.
    #expect(MessageIdentity(userInfo: ["p": "_lYGhA16ahyf_1_0-0"]).campaignID == "18446744073709551615")
    #expect(MessageIdentity(userInfo: ["p": "_lYGhA16ahyg_1_0-0"]).campaignID == nil)
  }

  @Test func `a payload without a usable hash says nothing`() {
    for value: Any in [NSNull(), [1], ["p": 1]] {
      #expect(MessageIdentity(userInfo: ["p": value]) == MessageIdentity(userInfo: [:]))
    }
    #expect(MessageIdentity(userInfo: ["p": 42]).messageHash == "42")
    #expect(MessageIdentity(userInfo: [7: "p"]).messageHash == nil)
  }

  private func identity(_ storyID: String?, _ message: [AnyHashable: Any], pages: Int = 2) -> StoryIdentity? {
    var userInfo: [String: Any] = [:]
    if let block = storyPayload(pages, storyID: storyID)["u"] { userInfo["u"] = block }
    return StoryIdentity(payload: StoryPayload(userInfo: userInfo), message: MessageIdentity(userInfo: message))
  }

  @Test func `the first of payload, campaign, message and images names the story`() {
    #expect(identity("sale", ["p": "_1C_2_0-0"]).map { [$0.storyID, $0.source.rawValue] } == ["sale", "payload"])
    #expect(identity(nil, ["p": "_1C_2_0-0"]).map { [$0.storyID, $0.source.rawValue] } == ["100", "campaign"])
    #expect(identity(nil, ["p": "__2_0-0"]).map { [$0.storyID, $0.source.rawValue] } == ["0000-00000000", "message"])
    #expect(identity(nil, ["p": "plain"]).map { [$0.storyID, $0.source.rawValue] } == ["plain", "message"])
    #expect(identity(nil, [:])?.source == .images)
    #expect(identity(nil, [:], pages: 0) == nil)
  }

  @Test func `a story_id is cut to 200 bytes between two characters, and one of nothing is none`() {
    let long = identity(String(repeating: "ä", count: 300), [:])
    #expect(long?.storyID == String(repeating: "ä", count: 100))
    #expect(identity("\0\0", ["p": "plain"])?.source == .message)
  }

  @Test func `the images' hash is FNV-1a of 128 bits and never changes`() {
    // The published test values: nothing hashed is the offset basis, `a` is d228cb696f1a8caf78912b704e4a8964.
    #expect(ImageHash.storyID([]) == "images-6c62272e07bb014262b821756295c58d")
    let one = ImageHash.storyID(["https://example.com/0.jpg"])
    #expect(one == "images-\(fnv("https://example.com/0.jpg\n"))")
    #expect(fnv("a") == "d228cb696f1a8caf78912b704e4a8964")
    let both = ["https://example.com/0.jpg", "https://example.com/1.jpg"]
    #expect(ImageHash.storyID(both) == "images-\(fnv(both.joined(separator: "\n") + "\n"))")
    #expect(ImageHash.storyID(both) != ImageHash.storyID(both.reversed()))
    #expect(ImageHash.storyID([both.joined()]) != ImageHash.storyID(both))
  }

  /// FNV-1a by schoolbook multiplication of 16 digits of 8 bits: other code than the hash's own.
  private func fnv(_ text: String) -> String {
    var digits: [UInt32] = Array("6c62272e07bb014262b821756295c58d".utf8).chunked().reversed()
    for byte in text.utf8 {
      digits[0] ^= UInt32(byte)
      var product = [UInt32](repeating: 0, count: 16)
      // The prime is 2⁸⁸ + 2⁸ + 0x3b.
      for (place, factor) in [(0, UInt32(0x3b)), (1, 1), (11, 1)] {
        for index in 0..<(16 - place) { product[index + place] += digits[index] * factor }
      }
      var carry: UInt32 = 0
      digits = product.map { digit in
        let sum = digit + carry
        carry = sum >> 8
        return sum & 0xFF
      }
    }
    return digits.reversed().map { String($0 + 0x100, radix: 16).dropFirst() }.joined()
  }

  @Test func `facts are found out, and what the app says wins`() throws {
    let facts = DeviceFacts.current
    #expect(facts.osVersion?.contains(".") == true && facts.deviceModel?.isEmpty == false)
    #expect(facts.locale?.isEmpty == false && facts.environment == "production")
    let phone = try TestPhone()
    phone.configuration.appVersion = "9"
    phone.configuration.environment = "staging"
    phone.configuration.userID = "u-1"
    phone.configuration.sdkVersion = "7.1.3"
    phone.configuration.campaignID = "5"
    let client = phone.client()
    client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    let context = client.waiting().first?.contextObject ?? [:]
    #expect(context["app_version"] as? String == "9" && context["os_version"] as? String == "26.1")
    #expect(context["environment"] as? String == "staging" && context["user_id"] as? String == "u-1")
    #expect(context["sdk_version"] as? String == "7.1.3" && context["campaign_id"] as? String == "5")
  }

  @Test func `the install identifier is made once for all processes, and a random UUID`() throws {
    let phone = try TestPhone()
    let clients = (0..<3).map { _ in phone.client() }
    for client in clients { client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3) }
    let identifiers = Set(clients[0].waiting().map { $0.contextObject["device_id"] as? String })
    #expect(identifiers.count == 1)
    let identifier = try #require(identifiers.first ?? nil)
    #expect(SessionID(identifier)?.version == 4)
    try phone.write("identifier", Array("damaged".utf8))
    clients[0].beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    let after = Set(clients[0].waiting().compactMap { $0.contextObject["device_id"] as? String })
    #expect(after.count == 2)
  }

  @Test(arguments: [InstallIdentifier.none, .custom("my-install"), .custom("")])
  func `the install identifier can be replaced and switched off`(identifier: InstallIdentifier) throws {
    let phone = try TestPhone()
    phone.configuration.installIdentifier = identifier
    let client = phone.client()
    client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    let sent = client.waiting().first?.contextObject["device_id"] as? String
    #expect(sent == (identifier == .custom("my-install") ? "my-install" : nil))
    #expect(!phone.names.contains("identifier"))
  }

  @Test func `an identifier that cannot be read now is not replaced`() throws {
    let phone = try TestPhone()
    try phone.write("identifier", Array("0d9f2c8e-7a41-4c5b-9f3e-2b1a0c9d8e7f\n".utf8))
    phone.files.fail([.read], EPERM)
    #expect(phone.client().eventQueue.installIdentifier() == nil)
    phone.files.heal()
    #expect(phone.client().eventQueue.installIdentifier() == "0d9f2c8e-7a41-4c5b-9f3e-2b1a0c9d8e7f")
  }
}

extension [UInt8] {
  /// Pairs of hexadecimal digits as numbers.
  fileprivate func chunked() -> [UInt32] {
    stride(from: 0, to: count, by: 2).compactMap {
      UInt32(String(decoding: self[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
  }
}
