extension FunnelReport {
  /// Sentences on everything that cannot be, in the total, in each group, and between them; empty where the report is sound.
  public func conservationFaults() -> [String] {
    var faults = total.conservationFaults() + (devices?.conservationFaults(ofPresentations: total.presentations) ?? [])
    guard let groups else { return faults }
    for group in groups {
      let ofGroup =
        group.counts.conservationFaults()
        + (group.devices?.conservationFaults(ofPresentations: group.counts.presentations) ?? [])
      faults += ofGroup.map { "group \(group.name): " + $0 }
    }
    faults += total.sumFaults(groups.map(\.counts), of: "groups")
    if let devices { faults += devices.sumFaults(groups.compactMap(\.devices)) }
    return faults
  }
}

extension FunnelCounts {
  /// Sentences on where the counts of parts do not add up to these; empty where they do.
  ///
  /// Quantiles of dwell do not add up. What devices dropped and what was rejected belongs to no session (metrics §4).
  ///
  /// - Parameter kind: what the parts are, such as `groups`.
  public func sumFaults(_ parts: [FunnelCounts], of kind: String) -> [String] {
    var sum = parts.reduce(FunnelCounts(), +)
    let total = self
    sum.completeness.droppedByDevices = total.completeness.droppedByDevices
    sum.completeness.rejectedEvents = total.completeness.rejectedEvents
    var faults: [String] = []
    let named: [(String, KeyPath<FunnelCounts, Int>)] = [
      ("presentations", \.presentations), ("fallbacks", \.fallbacks), ("sessions", \.sessions),
      ("finished sessions", \.finishedSessions), ("reached-last sessions", \.reachedLastSessions),
      ("tapped sessions", \.tappedSessions), ("pages", \.pages.count),
    ]
    for (name, count) in named where sum[keyPath: count] != total[keyPath: count] {
      faults.append("\(name) of \(kind) give \(sum[keyPath: count]), not \(total[keyPath: count])")
    }
    if sum.completeness != total.completeness { faults.append("completeness of \(kind) does not add up to the total") }
    for (part, page) in zip(sum.pages, total.pages) where part.additive != page.additive {
      faults.append("page \(page.index) of \(kind) does not add up to the total")
    }
    return faults
  }
}

extension PageCounts {
  /// What adds up: all but the title, the link and the quantiles of dwell.
  fileprivate var additive: PageCounts {
    var counts = self
    counts.title = nil
    counts.link = nil
    counts.dwell = DwellSummary(count: dwell.count)
    return counts
  }
}

extension DeviceCounts {
  /// Sentences on what cannot be: each device has a presentation.
  public func conservationFaults(ofPresentations presentations: Int) -> [String] {
    (0...max(0, presentationsWithDevice)).contains(distinct) && presentationsWithDevice <= presentations
      ? []
      : ["\(distinct) devices of \(presentationsWithDevice) of \(presentations) presentations"]
  }

  /// Sentences on where the devices of parts cannot be these: their presentations add up, and each device is in one of them.
  public func sumFaults(_ parts: [DeviceCounts]) -> [String] {
    let presentations = parts.reduce(0) { $0 + $1.presentationsWithDevice }
    let most = parts.reduce(0) { $0 + $1.distinct }
    let least = parts.map(\.distinct).max() ?? 0
    return presentations == presentationsWithDevice && (least...max(least, most)).contains(distinct)
      ? [] : ["devices of groups (\(least) to \(most), with \(presentations) presentations) are not those of the total"]
  }
}
