import MessageLint

/// `pagefall message apns`: a message as the file that the iOS Simulator takes for a push.
enum MessageAPNSCommand {
  static let bundle = Option("bundle", takes: "ID", help: "the app's bundle identifier, such as com.example.shop")
  static let notification = Option(
    "notification", takes: "N", help: "which of a request's notifications, from 0 (default: the first with a story)")
  static let output = Option("out", short: "o", takes: "FILE", help: "write to FILE (default: standard output)")

  static let command = Command(
    "message", "apns", summary: "Write a message as a push for the iOS Simulator", operands: "FILE|-",
    options: [bundle, notification, output],
    discussion: """
      Takes what pagefall lint takes, and writes the payload as it would arrive: the alert,
      the category, ios_root_params, and data under u. On a Mac with Xcode, send it with
      xcrun simctl push booted FILE, or drag the file onto the simulator. What lint calls an
      error is told and does not stop it.
      """,
    examples: ["pagefall message apns message.json --bundle com.example.shop -o story.apns"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let usage = "message apns FILE --bundle ID"
    guard let path = invocation.operands.first else { throw .usage("say which message: \(usage)") }
    guard invocation.operands.count == 1 else { throw .usage("give one message: \(usage)") }
    guard invocation.value(bundle) != nil else { throw .usage("say which app gets it: \(usage)") }
    let identifier = try invocation.value(bundle, as: "a bundle identifier, such as com.example.shop") { text in
      isBundleIdentifier(text) ? text : nil
    }
    let number = try invocation.value(notification, as: "a place in notifications, from 0") { text in
      ValueParser.integer(text, in: 0...Int.max)
    }
    let bytes = try MessageFile.read(path)
    let push: SimulatorPush
    do {
      push = try SimulatorPush(message: bytes, notification: number, bundleIdentifier: identifier ?? "")
    } catch {
      throw commandError(error, path: path)
    }
    try OutputFile.write(push.text, to: invocation.value(output) ?? "-")
    tell(about: push, bytes, path: path)
    return .success
  }

  /// Letters, digits, hyphens and points (Apple, `CFBundleIdentifier`).
  private static func isBundleIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._".unicodeScalars.contains(scalar))
      }
  }

  private static func commandError(_ error: SimulatorPushError, path: String) -> CommandError {
    switch error {
    case .unreadableMessage(let reason): return .dataFault("\(quoted(path)): \(reason)")
    case .noSuchNotification(let places):
      guard let first = places.first, let last = places.last else {
        return .dataFault("\(quoted(path)) has no notification that is an object")
      }
      return .usage(
        "--notification names none; \(quoted(path)) has \(first == last ? "\(first)" : "\(first) to \(last)")")
    }
  }

  private static func tell(about push: SimulatorPush, _ bytes: [UInt8], path: String) {
    if push.hasInventedAlert {
      Console.note("pagefall: the message has no text, so the push says \"Push story\"")
    }
    let file = MessageLint().lint(bytes, name: path)
    let notification = file.notifications.first { $0.index == push.notificationIndex }
    let errors = notification?.findings.count { $0.severity == .error } ?? 0
    if errors > 0 {
      Console.note(
        "pagefall: lint finds \(errors) error\(errors == 1 ? "" : "s") in this message; pagefall lint tells them")
    }
  }
}
