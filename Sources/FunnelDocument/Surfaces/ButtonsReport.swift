/// The answers to interactive notifications as they are reported (buttons §4).
///
/// Rates and shares are derived (`ResponseRates`), so a report holds each number once.
public struct ButtonsReport: Equatable, Sendable {
  /// The version of the definitions that the numbers follow (docs/buttons.md).
  public static let definitions = "buttons/1"

  /// When the report was made, as RFC 3339.
  public var generatedAt: String
  /// The newest arrival in the database, as RFC 3339. Nil where nothing has arrived.
  public var dataThrough: String?
  /// Which sessions were asked for.
  public var scope: FunnelScope
  /// The counts of all of them.
  public var total: ResponseCounts
  /// A line a category that was answered, in the order that was asked for; by `CategoryLine.precedes` unless said otherwise.
  public var categories: [CategoryLine]
  /// The counts of each group, where groups were asked for (`--by`); they add up to the total.
  public var groups: [ButtonsGroup]?
  /// How many categories were left out at the end (`--limit`). They are in the total.
  public var hiddenCategories: Int
  /// What is known about lost events beside `seq`; not of single lines (metrics §4).
  public var losses: SurfaceLosses
  /// Keys beyond the form, written after `completeness` in this order. Must not repeat a key of it.
  public var additionalMembers: [JSONMember]

  /// Makes a report.
  public init(
    generatedAt: String, dataThrough: String? = nil, scope: FunnelScope, total: ResponseCounts,
    categories: [CategoryLine], groups: [ButtonsGroup]? = nil, hiddenCategories: Int = 0,
    losses: SurfaceLosses = SurfaceLosses(), additionalMembers: [JSONMember] = []
  ) {
    self.generatedAt = generatedAt
    self.dataThrough = dataThrough
    self.scope = scope
    self.total = total
    self.categories = categories
    self.groups = groups
    self.hiddenCategories = hiddenCategories
    self.losses = losses
    self.additionalMembers = additionalMembers
  }
}

/// One group of a breakdown of responses.
public struct ButtonsGroup: Equatable, Sendable {
  /// The value that its sessions share, such as `4.2.0` or `(none)`.
  public var name: String
  /// Of the group that holds those beyond the largest (`--top`): how many they are. Nil of every other one.
  public var mergedGroups: Int?
  /// What was counted of them.
  public var counts: ResponseCounts
  /// A line a category that was answered in the group.
  public var categories: [CategoryLine]
  /// How many categories were left out at the end (`--limit`).
  public var hiddenCategories: Int

  /// Makes a group.
  public init(
    name: String, mergedGroups: Int? = nil, counts: ResponseCounts, categories: [CategoryLine],
    hiddenCategories: Int = 0
  ) {
    self.name = name
    self.mergedGroups = mergedGroups
    self.counts = counts
    self.categories = categories
    self.hiddenCategories = hiddenCategories
  }
}

extension CategoryLine {
  /// The order of lines: the most responses first, then by app and id as their bytes are; responses without a category
  /// after those of the same app with one.
  public static func precedes(_ left: CategoryLine, _ right: CategoryLine) -> Bool {
    if left.counts.responses != right.counts.responses { return left.counts.responses > right.counts.responses }
    let apps = (left.app ?? "", right.app ?? "")
    if !apps.0.utf8.elementsEqual(apps.1.utf8) { return apps.0.utf8.lexicographicallyPrecedes(apps.1.utf8) }
    guard let id = left.categoryID, let other = right.categoryID else {
      return left.categoryID != nil && right.categoryID == nil
    }
    return id.utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension ButtonLine {
  /// The order of those that a category does not have now: the most responses first, then by their id's bytes.
  public static func precedes(_ left: ButtonLine, _ right: ButtonLine) -> Bool {
    if left.responses != right.responses { return left.responses > right.responses }
    return left.buttonID.utf8.lexicographicallyPrecedes(right.buttonID.utf8)
  }
}
