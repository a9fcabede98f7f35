import Foundation
import FunnelDocument
import TestSupport
import Testing

/// `pagefall message apns` as a user runs it.
@Suite struct MessageAPNSTests {
  private static let example = "\(IntegrationTests.projectFolder)/Examples/seed-message.json"

  /// The pages that lint reports for a file.
  private func pages(of path: String, in directory: String) throws -> JSONValue? {
    let run = try PagefallProcess.run(["lint", path, "--format", "json"], directory: directory)
    let file = try JSONValue(text: run.standardOutput)["files"]?.arrayValue?.first
    return file?["notifications"]?.arrayValue?.first?["pages"]
  }

  @Test func `the example becomes a push that plays the same pages`() throws {
    let directory = try TemporaryDirectory()
    let run = try PagefallProcess.run(
      ["message", "apns", Self.example, "--bundle", "com.example.shop", "-o", "story.apns"], directory: directory.path)
    #expect(run.exitCode == 0)
    #expect(run.standardOutput == "" && run.standardError == "")
    let push = try JSONValue(text: String(contentsOfFile: "\(directory.path)/story.apns", encoding: .utf8))
    #expect(push.objectValue?.map(\.key) == ["Simulator Target Bundle", "aps", "u"])
    #expect(push["aps"]?["category"] == .string("PW_STORIES"))
    let written = try pages(of: "story.apns", in: directory.path)
    #expect(written?.arrayValue?.count == 2)
    #expect(try pages(of: Self.example, in: directory.path) == written)

    let printed = try PagefallProcess.run(["message", "apns", Self.example, "--bundle", "com.example.shop"])
    #expect(try JSONValue(text: printed.standardOutput) == push)
  }

  @Test func `what lint calls an error is told in a line and stops nothing`() throws {
    let message = #"{"notifications":[{"content":"a"},{"content":"b","data":{"pw_stories":{"pages":[{}]}}}]}"#
    let run = try PagefallProcess.run(["message", "apns", "-", "--bundle", "a.b"], input: Array(message.utf8))
    #expect(run.exitCode == 0)
    #expect(run.standardError == "pagefall: lint finds 3 errors in this message; pagefall lint tells them\n")
    #expect(try JSONValue(text: run.standardOutput)["aps"]?["alert"]?["body"] == .string("b"))
    let first = try PagefallProcess.run(
      ["message", "apns", "-", "--bundle", "a.b", "--notification", "0"], input: Array(message.utf8))
    #expect(try JSONValue(text: first.standardOutput)["aps"]?["alert"]?["body"] == .string("a"))
  }

  /// A command line, its exit code, and the line that it is answered with.
  static let refusals: [(words: [String], exitCode: Int32, message: String)] = [
    (["message"], 2, "pagefall message needs one of: apns"),
    (["message", "apns"], 2, "say which message: message apns FILE --bundle ID"),
    (["message", "apns", "a", "b"], 2, "give one message: message apns FILE --bundle ID"),
    (["message", "apns", "a"], 2, "say which app gets it: message apns FILE --bundle ID"),
    (
      ["message", "apns", "a", "--bundle", "x y"], 2,
      "--bundle is 'x y'; expected a bundle identifier, such as com.example.shop"
    ),
    (
      ["message", "apns", "a", "--bundle", "a.b", "--notification", "-1"], 2,
      "--notification is '-1'; expected a place in notifications, from 0"
    ),
    (
      ["message", "apns", "-", "--bundle", "a.b"], 1,
      "'-': The file is not JSON: a value was expected at byte 0. Mend it there."
    ),
    (["message", "apns", "gone", "--bundle", "a.b"], 3, "cannot read 'gone': No such file or directory"),
    (
      ["message", "apns", example, "--bundle", "a.b", "--notification", "1"], 2,
      "--notification names none; '\(example)' has 0"
    ),
  ]

  @Test(arguments: refusals.indices) func `what cannot be done is answered in one line`(index: Int) throws {
    let (words, exitCode, message) = Self.refusals[index]
    let directory = try TemporaryDirectory()
    let run = try PagefallProcess.run(words, directory: directory.path)
    #expect(run.exitCode == exitCode)
    #expect(run.standardOutput == "")
    #expect(run.standardError == "pagefall: \(message)\n")
  }
}
