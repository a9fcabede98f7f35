// swift-tools-version: 6.2
import PackageDescription

// Compiles and runs the very files of Examples/ where neither UIKit nor the Pushwoosh SDK exists: the modules of those names
// here have as much of their public surface as the examples touch, and are driven by our headless players.
// `scripts/phone-check` builds and runs this package; it is no part of the main one.

let strictSwift: [SwiftSetting] = [.treatAllWarnings(as: .error)]
/// The SDK is built in Swift 5 mode, which decides how its isolation looks from outside.
let asTheSDK: [SwiftSetting] = strictSwift + [.swiftLanguageMode(.v5)]

let story: Target.Dependency = .product(name: "StoryClient", package: "pagefall")
let playback: Target.Dependency = .product(name: "StoryPlayback", package: "pagefall")

let package = Package(
  name: "PhoneFixtures",
  platforms: [.macOS(.v15), .iOS(.v15)],
  dependencies: [.package(name: "pagefall", path: "../..")],
  targets: [
    .target(name: "UIKit", swiftSettings: asTheSDK),
    .target(name: "UserNotifications", swiftSettings: asTheSDK),
    .target(name: "UserNotificationsUI", dependencies: ["UserNotifications"], swiftSettings: asTheSDK),
    .target(
      name: "PushwooshNotificationUI",
      dependencies: ["UIKit", "UserNotifications", "UserNotificationsUI", playback], swiftSettings: asTheSDK),
    .target(name: "PushwooshCore", dependencies: ["UserNotifications", playback], swiftSettings: asTheSDK),
    .target(name: "PushwooshFramework", dependencies: ["PushwooshCore"], swiftSettings: asTheSDK),
    .target(
      name: "ExampleFiles",
      dependencies: [
        "UIKit", "UserNotifications", "PushwooshNotificationUI", "PushwooshCore", "PushwooshFramework", story,
      ], swiftSettings: strictSwift),
    .testTarget(
      name: "PhoneTests",
      dependencies: [
        "ExampleFiles", "UIKit", "UserNotifications", "PushwooshNotificationUI", "PushwooshCore", "PushwooshFramework",
        story, playback,
      ], swiftSettings: strictSwift),
    .executableTarget(name: "client-bench", dependencies: [story], swiftSettings: strictSwift),
  ],
  swiftLanguageModes: [.v6]
)
