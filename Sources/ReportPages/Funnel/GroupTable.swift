import FunnelDocument
import Reports

/// The groups of a funnel: a row a group, and all of them together at the end.
struct GroupTable {
  private let funnel: Funnel
  private let groups: [FunnelGroup]

  /// Pages of the miniature funnel of a group.
  private static let pagesOfMiniature = 24

  init(_ funnel: Funnel, _ groups: [FunnelGroup]) {
    self.funnel = funnel
    self.groups = groups
  }

  /// The table.
  var html: HTML {
    var table = PageTable(
      id: "groups", caption: "Groups in numbers",
      columns: [
        .text(HTML.sender(funnel.groupedBy ?? "group")), .number("presentations"), .number("fell back, 95%"),
        .number("sessions"), .number("finished, 95%"), .number("reached last, 95%"), .number("tapped, 95%"),
      ] + (showsDevices ? [.number("devices"), .number("known")] : []) + [.text("reached by page")], rows: [])
    table.rows = groups.enumerated().map { place, group in
      row(group.counts, group.devices, place: place) {
        Cell.name(.sender(ScopeText.groupName(group)), value: group.name)
      }
    }
    table.lastRows = [
      row(funnel.report.total, funnel.report.devices, place: nil) { Cell.name(.text("all"), value: "") }
    ]
    return table.html
  }

  private var showsDevices: Bool { funnel.report.devices != nil }

  private func row(_ counts: FunnelCounts, _ devices: DeviceCounts?, place: Int?, _ name: () -> HTML) -> HTML {
    let rates = funnel.report.rates(of: counts)
    return HTML("tr", ["data-group": place.map(String.init)]) {
      name()
      Cell.count("presentations", counts.presentations)
      Cell.rate("fallback_rate", rates.fallback)
      Cell.count("sessions", counts.sessions)
      Cell.rate("completion_rate", rates.completion, hasBar: true)
      Cell.rate("reached_last_rate", rates.reachedLast, hasBar: true)
      Cell.rate("tap_rate", rates.tap, hasBar: true)
      if showsDevices { Cell.devices(devices, of: rates) }
      miniature(rates)
    }
  }

  /// A small picture of the group's funnel. Sorts by how far its sessions came on average, as a share of the pages.
  private func miniature(_ rates: FunnelRates) -> HTML {
    let shares = rates.pages.prefix(Self.pagesOfMiniature).map { $0.reach.value ?? 0 }
    let mean = shares.isEmpty || rates.areHidden ? nil : shares.reduce(0, +) / Double(max(1, shares.count))
    return HTML("td", ["data-value": mean.map(\.description)]) {
      if mean != nil { SmallDrawing.columns(Array(shares), highest: 1, width: 96, height: 24) }
    }
  }
}
