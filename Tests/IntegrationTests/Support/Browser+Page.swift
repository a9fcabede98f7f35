import Foundation
import FunnelDocument
import TestSupport
import Testing

extension Browser {
  /// Loads a file as on a screen of some width, and forgets what was before.
  func load(_ path: String, width: Int = 1_280, isDark: Bool = false, media: String = "screen") throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": .count(width), "height": .count(800), "deviceScaleFactor": .count(1), "mobile": .bool(false)])
    try call(
      "Emulation.setEmulatedMedia",
      [
        "media": .string(media),
        "features": .array([
          .object([
            JSONMember("name", .string("prefers-color-scheme")),
            JSONMember("value", .string(isDark ? "dark" : "light")),
          ])
        ]),
      ])
    forgetEvents()
    try call("Page.navigate", ["url": .string("file://\(path)")])
    try wait(for: "Page.loadEventFired")
  }

  /// The value of an expression in the page; of a promise, what it becomes.
  func value(_ expression: String) throws -> JSONValue {
    let answer = try call(
      "Runtime.evaluate",
      ["expression": .string(expression), "returnByValue": .bool(true), "awaitPromise": .bool(true)])
    if let fault = answer["exceptionDetails"] { throw BrowserError(fault.text(layout: .compact)) }
    return answer["result"]?["value"] ?? .null
  }

  /// Presses and releases a key, as a keyboard does.
  func press(_ key: String, code: Int, text: String? = nil) throws {
    var parameters: [String: JSONValue] = [
      "key": .string(key), "code": .string(key), "windowsVirtualKeyCode": .count(code),
    ]
    var pressed = parameters
    pressed["type"] = .string(text == nil ? "rawKeyDown" : "keyDown")
    if let text { pressed["text"] = .string(text) }
    try call("Input.dispatchKeyEvent", pressed)
    parameters["type"] = .string("keyUp")
    try call("Input.dispatchKeyEvent", parameters)
  }

  /// What the page asked for, by address.
  var requests: [String] {
    events.filter { $0["method"]?.stringValue == "Network.requestWillBeSent" }
      .compactMap { $0["params"]?["request"]?["url"]?.stringValue }
  }

  /// Errors of scripts, and what the browser itself complains of, such as what the page's policy forbids.
  var complaints: [String] {
    events.compactMap { event in
      switch event["method"]?.stringValue {
      case "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening", "Runtime.consoleAPICalled":
        event.text(layout: .compact)
      case _: nil
      }
    }
  }
}
