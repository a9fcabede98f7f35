import Foundation
import Testing

@testable import Collector

/// What docs/contract.md and docs/contract/openapi.yaml say about errors is what the collector answers.
@Suite struct ContractDocumentTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// A line of the table of errors.
  private struct Row: Hashable {
    let status: String
    let code: String
  }

  /// All codes with their status, as the collector answers them.
  private static var answered: Set<Row> {
    Set(Problem.allCases.map { Row(status: "\($0.status)", code: $0.code.description) })
      .union(ToldProblem.allCases.map { Row(status: "\($0.status)", code: $0.code.description) })
  }

  @Test func `the contract's table holds each code with its status, and no other`() throws {
    let rows = try Self.text("docs/contract.md").matches(of: /(?m)^\| (\d{3}) \| `(\w+)` \| .*$/)
    let documented = rows.map { Row(status: String($0.1), code: String($0.2)) }
    #expect(documented.count == Set(documented).count)
    #expect(Set(documented) == Self.answered)
    for problem in Problem.allCases {
      let line = try #require(rows.first { $0.2 == problem.code.description }).0
      for (name, _) in problem.headers { #expect(line.contains("`\(name)`"), "\(problem)") }
      #expect((problem.status == 413) == (problem.limit != nil))
      if let limit = problem.limit { #expect(line.contains("`limit` is `\(limit.name)`, \(limit.value) |")) }
    }
  }

  @Test func `the OpenAPI document holds each code, each limit and each status`() throws {
    let document = try Self.text("docs/contract/openapi.yaml")
    let schema = document[try #require(document.range(of: "\n    Problem:\n")).upperBound...]
    let codes = schema.matches(of: /\n {12}- (\w+)/).map { String($0.1) }
    #expect(Set(codes) == Set(Self.answered.map(\.code)))
    #expect(codes.count == Set(codes).count)
    let limits = Set(Problem.allCases.compactMap { $0.limit?.name.description })
    #expect(schema.contains("enum: [\(limits.sorted().joined(separator: ", "))]"))
    for row in Self.answered { #expect(document.contains("\"\(row.status)\":\n"), "\(row.status)") }
  }

  @Test func `a problem's body has the members that the contract promises`() throws {
    struct Body: Decodable {
      struct Limit: Decodable {
        var name: String
        var value: Int
      }
      var type: String
      var title: String
      var status: Int
      var code: String
      var detail: String
      var limit: Limit?
    }
    let answers = try AnswerShelf()
    for problem in Problem.allCases {
      let text = String(decoding: answers.rawAnswer(problem), as: UTF8.self)
      let end = try #require(text.range(of: "\r\n\r\n")).upperBound
      let body = try JSONDecoder().decode(Body.self, from: Data(text[end...].utf8))
      #expect(body.type == "about:blank" && body.title != "Error" && !body.detail.isEmpty)
      #expect(body.status == Int(problem.status) && body.code == problem.code.description)
      #expect(body.limit?.name == problem.limit?.name.description && body.limit?.value == problem.limit?.value)
    }
  }

  @Test func `each section of the contract that a comment names is there`() throws {
    let contract = try Self.text("docs/contract.md")
    var named = 0
    for directory in ["Sources", "Tests"] {
      let files = FileManager.default.enumerator(
        at: Self.root.appendingPathComponent(directory), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) where ["swift", "h", "cpp"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        for mention in text.matches(of: /contract(?:'s)? \(?§(\d)/) {
          named += 1
          #expect(contract.contains("\n## \(mention.1). "), "\(file.lastPathComponent): \(mention.0)")
        }
      }
    }
    #expect(named > 50)
  }
}
