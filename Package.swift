// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in every target of our own; a dependent package is not affected.
let strictSwift: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let strictC: [CSetting] = [.treatAllWarnings(as: .error)]
let strictCxx: [CXXSetting] = [.treatAllWarnings(as: .error)]

/// A system library: its module map, and where Debian, Ubuntu and Homebrew keep it.
func systemLibrary(_ name: String, pkgConfig: String?, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strictSwift)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strictSwift)
}

let package = Package(
  name: "pagefall",
  platforms: [.macOS(.v15), .iOS(.v15)],
  products: [
    .executable(name: "pagefall", targets: ["pagefall"]),
    .library(name: "Postgres", targets: ["Postgres"]),
    .library(name: "StoryClient", targets: ["StoryClient"]),
    .library(name: "StoryPlayback", targets: ["StoryPlayback"]),
  ],
  targets: [
    systemLibrary("CLibPQ", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),
    systemLibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    // Its pkg-config file holds a flag that SwiftPM warns about and drops; headers and library lie in the default places.
    systemLibrary("CSimdjson", pkgConfig: nil, apt: "libsimdjson-dev", brew: "simdjson"),
    systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    systemLibrary("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev", brew: "zstd"),
    systemLibrary("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev", brew: "libsodium"),
    systemLibrary("CISAL", pkgConfig: "libisal", apt: "libisal-dev", brew: "isa-l"),
    .systemLibrary(name: "CRenameExchange"),  // Of the C library itself: what Swift cannot call.

    // The phone's side: no system library, nothing newer than iOS 15.
    library("StoryEvents"),
    library("StoryPlayback", ["StoryEvents"]),
    library("StoryClient", ["StoryEvents", "StoryPlayback"]),

    // From bytes to judged records.
    .target(
      name: "EventScanner", dependencies: ["CSimdjson"],
      cxxSettings: strictCxx, linkerSettings: [.linkedLibrary("simdjson")]),
    library("EventRecords", ["StoryEvents"]),
    library("EventIntake", ["EventScanner", "EventRecords", "StoryEvents"]),
    library("Compression", ["CZlib", "CZstd"]),

    // Durable and stored.
    library("ServiceLog"),
    library("Spool", ["CISAL"]),
    library("Postgres", ["CLibPQ"]),
    .target(name: "EmbeddedSQL", cSettings: strictC),
    library(
      "EventStore", ["Postgres", "EmbeddedSQL", "EventRecords", "StoryEvents", "Spool", "CSodium", "ServiceLog"]),
    library("PrivatePostgres", ["ServiceLog"]),

    // In and out.
    library(
      "Collector",
      [
        "CMicroHTTPD", "CSodium", "Compression", "EventIntake", "EventRecords", "EventStore", "Postgres",
        "ServiceLog", "Spool", "StoryEvents",
      ]),
    library("FunnelDocument"),
    library("PrintedText"),
    library("LocalTime", ["PrintedText"]),
    library("SessionMetrics", ["FunnelDocument", "StoryEvents"]),
    library(
      "Reports",
      ["CSodium", "Postgres", "FunnelDocument", "LocalTime", "PrintedText", "SessionMetrics", "StoryEvents"]),
    library(
      "Exports",
      [
        "CISAL", "CRenameExchange", "CSodium", "CZstd", "FunnelDocument", "LocalTime", "Postgres", "PrintedText",
        "Reports", "SessionMetrics", "StoryEvents",
      ]),
    library("Simulation", ["StoryClient", "StoryEvents", "StoryPlayback", "FunnelDocument"]),
    library("MessageLint", ["StoryEvents", "StoryPlayback", "FunnelDocument", "PrintedText"]),
    library("ReportPages", ["CSodium", "Reports", "FunnelDocument", "PrintedText"]),
    .target(name: "ExampleMessage", cSettings: strictC),
    .executableTarget(
      name: "pagefall",
      dependencies: [
        "Collector", "Compression", "EventIntake", "EventRecords", "EventStore", "ExampleMessage", "Exports",
        "FunnelDocument", "LocalTime", "MessageLint", "Postgres", "PrintedText", "PrivatePostgres", "ReportPages",
        "Reports", "ServiceLog", "Simulation", "Spool", "StoryEvents", "StoryPlayback",
      ], swiftSettings: strictSwift),

    // Tests. TestSupport starts the real parts: PostgreSQL, the collector.
    .target(
      name: "TestSupport", dependencies: ["Compression", "PrivatePostgres"], path: "Tests/TestSupport",
      swiftSettings: strictSwift),
    tests("StoryEventsTests", ["StoryEvents"]),
    tests("StoryPlaybackTests", ["StoryPlayback"]),
    tests("StoryClientTests", ["StoryClient", "Compression", "StoryEvents", "StoryPlayback", "TestSupport"]),
    tests("EventScannerTests", ["EventScanner", "TestSupport"]),
    tests("EventRecordsTests", ["EventRecords", "StoryEvents", "TestSupport"]),
    tests("EventIntakeTests", ["EventIntake", "EventRecords", "StoryEvents", "TestSupport"]),
    tests("CompressionTests", ["Compression"]),
    tests("SpoolTests", ["Spool", "TestSupport"]),
    tests("PostgresTests", ["Postgres", "TestSupport"]),
    tests(
      "EventStoreTests",
      ["EventStore", "EventRecords", "Postgres", "ServiceLog", "Spool", "StoryEvents", "TestSupport"]),
    tests("PrivatePostgresTests", ["PrivatePostgres", "ServiceLog", "TestSupport"]),
    tests(
      "CollectorTests",
      [
        "Collector", "Compression", "EventRecords", "EventStore", "Postgres", "ServiceLog", "Spool", "StoryEvents",
        "TestSupport",
      ]),
    tests("FunnelDocumentTests", ["FunnelDocument"]),
    tests("LocalTimeTests", ["LocalTime"]),
    tests(
      "ReportsTests",
      [
        "Reports", "EventStore", "FunnelDocument", "LocalTime", "Postgres", "PrintedText",
        "SessionMetrics", "StoryEvents", "TestSupport",
      ]),
    tests(
      "ExportsTests",
      [
        "Exports", "Compression", "EventStore", "FunnelDocument", "LocalTime", "Postgres",
        "Reports", "StoryEvents", "TestSupport",
      ]),
    tests("MessageLintTests", ["MessageLint", "StoryPlayback", "FunnelDocument", "TestSupport"]),
    tests("ReportPagesTests", ["ReportPages", "Reports", "FunnelDocument"]),
    tests("SimulationTests", ["Simulation", "FunnelDocument", "StoryEvents", "StoryPlayback"]),
    tests("CommandTests", ["pagefall", "Collector"]),
    tests(
      "IntegrationTests",
      [
        "TestSupport", "Compression", "FunnelDocument", "Postgres", "Reports", "Simulation", "StoryClient",
        "StoryEvents", "StoryPlayback",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu2x,
  cxxLanguageStandard: .cxx20
)
