extension ButtonsReport {
  /// Sentences on everything that cannot be, in the total, in each category and group, and between them; empty where the
  /// report is sound. A report checks itself with this and fails loudly (buttons §1).
  public func conservationFaults() -> [String] {
    var faults = total.conservationFaults()
    faults += total.lineFaults(categories, hidden: hiddenCategories)
    for group in groups ?? [] {
      let ofGroup =
        group.counts.conservationFaults() + group.counts.lineFaults(group.categories, hidden: group.hiddenCategories)
      faults += ofGroup.map { "group \(group.name): " + $0 }
    }
    if let groups, !total.isSum(of: groups.map(\.counts)) { faults.append("groups do not add up to the total") }
    return faults
  }
}

extension ResponseCounts {
  /// Sentences on everything that cannot be, whatever the events were; empty where the counts are sound.
  ///
  /// Each response is exactly one of three, and every part is at most its whole.
  public func conservationFaults() -> [String] {
    var faults = FaultList()
    let answers = buttonResponses + opens + dismissals
    faults.require(answers == responses, "\(responses) responses, but \(answers) by buttons, opens and dismissals")
    for (name, part) in [("responses by buttons", buttonResponses), ("opens", opens), ("dismissals", dismissals)] {
      faults.atMost(name, part, "responses", responses)
    }
    faults.atMost("missing events", missingEvents, "expected events", expectedEvents)
    faults.atMost("responses", responses, "events that arrived", expectedEvents - missingEvents)
    return faults.sentences
  }

  /// Sentences on where lines are not sound or do not add up to these counts; of some alone, where others are hidden.
  fileprivate func lineFaults(_ lines: [CategoryLine], hidden: Int) -> [String] {
    var faults = lines.flatMap { line in
      line.conservationFaults().map { "category \(line.categoryID ?? "(none)"): " + $0 }
    }
    if hidden == 0, !isSum(of: lines.map(\.counts)) { faults.append("categories do not add up to the total") }
    return faults
  }

  /// Whether the counts of parts add up to these.
  fileprivate func isSum(of parts: some Sequence<ResponseCounts>) -> Bool { parts.reduce(ResponseCounts(), +) == self }
}

extension CategoryLine {
  fileprivate func conservationFaults() -> [String] {
    var faults = FaultList(sentences: counts.conservationFaults())
    let pressed = buttons.reduce(0) { $0 + $1.responses }
    faults.require(
      pressed == counts.buttonResponses,
      "\(counts.buttonResponses) responses by buttons, but \(pressed) of its buttons")
    for button in buttons {
      faults.atMost("responses of a button", button.responses, "responses by buttons", counts.buttonResponses)
      faults.require(!button.isCurrent || (button.label != nil && isKnown), "has an unknown button now")
    }
    return faults.sentences
  }
}
