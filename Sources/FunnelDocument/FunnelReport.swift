/// A funnel as it is reported: what was asked, when, and what was counted (metrics §5).
///
/// The rates are derived (`rates`), so a report holds each number once.
public struct FunnelReport: Equatable, Sendable {
  /// The version of the definitions that the numbers follow (metrics.md).
  public static let definitions = "funnel/1"

  /// When the report was made, as RFC 3339.
  public var generatedAt: String
  /// The newest arrival in the database, as RFC 3339. Nil where nothing has arrived.
  public var dataThrough: String?
  /// Which sessions were asked for.
  public var scope: FunnelScope
  /// The counts of all of them.
  public var total: FunnelCounts
  /// The devices among the presentations, where they were asked for (`--devices`).
  public var devices: DeviceCounts?
  /// The counts of each group, where groups were asked for (`--by`); they add up to the total.
  public var groups: [FunnelGroup]?
  /// Keys beyond metrics §5, written after `completeness` in this order. Must not repeat a key of the form.
  public var additionalMembers: [JSONMember]

  /// Makes a report.
  public init(
    generatedAt: String, dataThrough: String? = nil, scope: FunnelScope, total: FunnelCounts,
    devices: DeviceCounts? = nil, groups: [FunnelGroup]? = nil, additionalMembers: [JSONMember] = []
  ) {
    self.generatedAt = generatedAt
    self.dataThrough = dataThrough
    self.scope = scope
    self.total = total
    self.devices = devices
    self.groups = groups
    self.additionalMembers = additionalMembers
  }

  /// The rates of the total.
  public var rates: FunnelRates { rates(of: total) }

  /// The rates of a group's counts, under this report's order and minimum count.
  public func rates(of counts: FunnelCounts) -> FunnelRates {
    FunnelRates(counts, order: scope.order, minimumCount: scope.minimumCount)
  }
}

/// Which sessions a report is about.
public struct FunnelScope: Equatable, Sendable {
  /// The apps in the report, by name.
  public var apps: [String]
  /// The story, or nil for all.
  public var story: String?
  /// The first instant, as RFC 3339 in the report's zone. Nil for all time.
  public var from: String?
  /// The instant after the last, as RFC 3339 in the report's zone. Nil for all time.
  public var to: String?
  /// The zone that days are of, by its IANA name.
  public var timeZone: String
  /// What the reach and step rates count.
  public var order: FunnelOrder
  /// Further conditions, each as it was asked.
  public var filters: [String]
  /// Fewer presentations than this hide rates (`--min-count`). Written as `min_count` where it is not 1.
  public var minimumCount: Int

  /// Makes a scope; everything unless said otherwise.
  public init(
    apps: [String] = [], story: String? = nil, from: String? = nil, to: String? = nil, timeZone: String = "UTC",
    order: FunnelOrder = .reached, filters: [String] = [], minimumCount: Int = 1
  ) {
    self.apps = apps
    self.story = story
    self.from = from
    self.to = to
    self.timeZone = timeZone
    self.order = order
    self.filters = filters
    self.minimumCount = minimumCount
  }
}

/// One group of a breakdown.
public struct FunnelGroup: Equatable, Sendable {
  /// The value that its sessions share, such as `4.2.0` or `(none)`.
  public var name: String
  /// What was counted of them.
  public var counts: FunnelCounts
  /// The devices among its presentations, where they were asked for.
  public var devices: DeviceCounts?
  /// Of the group that holds those beyond the largest (`--top`): how many they are. Nil of every other one, also where a
  /// sender calls something `(other)`.
  public var mergedGroups: Int?

  /// What a group of others is called.
  public static let otherName = "(other)"

  /// Makes a group.
  public init(name: String, counts: FunnelCounts, devices: DeviceCounts? = nil, mergedGroups: Int? = nil) {
    self.name = name
    self.counts = counts
    self.devices = devices
    self.mergedGroups = mergedGroups
  }
}
