/// Presentations of rich media as they are reported: what was asked, when, and what was counted (rich-media §1).
///
/// Two independent programs produce one: the report, from the sessions that are stored, and the simulator, from what its
/// players did.
public struct RichMediaReport: Equatable, Sendable {
  /// The version of the definitions that the numbers follow (docs/rich-media.md).
  public static let definitions = "rich-media/1"

  /// When the report was made, as RFC 3339.
  public var generatedAt: String
  /// The newest arrival in the database, as RFC 3339. Nil where nothing has arrived.
  public var dataThrough: String?
  /// Which sessions were asked for. Its story and its order are not looked at.
  public var scope: FunnelScope
  /// The counts of all of them.
  public var total: RichMediaCounts
  /// A line a content code, in the order that was asked for; by `RichMediaLine.precedes` unless said otherwise.
  public var contents: [RichMediaLine]
  /// How many content codes were left out at the end of `contents` (`--limit`). They are in the total.
  public var hiddenContents: Int
  /// The counts of each group, where groups were asked for (`--by`); they add up to the total.
  public var groups: [RichMediaGroup]?
  /// What is known about lost events beside `seq`; not of single lines (metrics §4).
  public var losses: SurfaceLosses
  /// Keys beyond the form, written after `completeness` in this order. Must not repeat a key of it.
  public var additionalMembers: [JSONMember]

  /// Makes a report.
  public init(
    generatedAt: String, dataThrough: String? = nil, scope: FunnelScope, total: RichMediaCounts,
    contents: [RichMediaLine], hiddenContents: Int = 0, groups: [RichMediaGroup]? = nil,
    losses: SurfaceLosses = SurfaceLosses(), additionalMembers: [JSONMember] = []
  ) {
    self.generatedAt = generatedAt
    self.dataThrough = dataThrough
    self.scope = scope
    self.total = total
    self.contents = contents
    self.hiddenContents = hiddenContents
    self.groups = groups
    self.losses = losses
    self.additionalMembers = additionalMembers
  }
}

/// One group of a breakdown of rich media.
public struct RichMediaGroup: Equatable, Sendable {
  /// The value that its sessions share, such as `4.2.0` or `(none)`.
  public var name: String
  /// Of the group that holds those beyond the largest (`--top`): how many they are. Nil of every other one.
  public var mergedGroups: Int?
  /// What was counted of all its presentations.
  public var counts: RichMediaCounts
  /// A line a content code, as in the report.
  public var contents: [RichMediaLine]
  /// How many content codes were left out at the end of `contents` (`--limit`).
  public var hiddenContents: Int

  /// Makes a group.
  public init(
    name: String, mergedGroups: Int? = nil, counts: RichMediaCounts, contents: [RichMediaLine], hiddenContents: Int = 0
  ) {
    self.name = name
    self.mergedGroups = mergedGroups
    self.counts = counts
    self.contents = contents
    self.hiddenContents = hiddenContents
  }
}

extension RichMediaLine {
  /// Whether a line stands before another: by presentations, the most first, then by app and content code, by their bytes.
  public static func precedes(_ left: RichMediaLine, _ right: RichMediaLine) -> Bool {
    if left.counts.presentations != right.counts.presentations {
      return left.counts.presentations > right.counts.presentations
    }
    let apps = (left.app ?? "", right.app ?? "")
    if !apps.0.utf8.elementsEqual(apps.1.utf8) { return apps.0.utf8.lexicographicallyPrecedes(apps.1.utf8) }
    return left.contentCode.utf8.lexicographicallyPrecedes(right.contentCode.utf8)
  }
}
