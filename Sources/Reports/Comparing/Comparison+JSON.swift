import FunnelDocument

extension Comparison {
  /// The JSON form, its keys in the order of metrics §6.
  public var json: JSONValue {
    .object([
      JSONMember("report", .string("comparison")),
      JSONMember("definitions", .string(FunnelReport.definitions)),
      JSONMember("generated_at", .string(generatedAt)),
      JSONMember("data_through", .optional(dataThrough)),
      JSONMember("presentations_in_both", .count(presentationsInBoth)),
      JSONMember("a", a.json),
      JSONMember("b", b.json),
      JSONMember("rates", .array(rates.map(\.json))),
      JSONMember("pages", .array(pages.map(\.json))),
      JSONMember("conclusions", .array(conclusions.map { .string($0) })),
    ])
  }
}

extension ComparedSide {
  /// The funnel's own keys, the side's label in front.
  fileprivate var json: JSONValue {
    let ofTheReport = ["report", "definitions", "generated_at", "data_through"]
    let members = (funnel.report.json.objectValue ?? []).filter { !ofTheReport.contains($0.key) }
    return .object([JSONMember("label", .string(label))] + members)
  }
}

extension ComparedRate {
  fileprivate var json: JSONValue { comparison.json(name: name.rawValue, adjustedPValue: adjustedPValue) }
}

extension ComparedPage {
  fileprivate var json: JSONValue {
    .object([
      JSONMember("index", .count(index)),
      JSONMember("titles", .array([titleOfA, titleOfB].map { .optional($0) })),
      JSONMember("is_another_page", .bool(isAnotherPage)),
      JSONMember("rates", .array(rates.map(\.json))),
    ])
  }
}
