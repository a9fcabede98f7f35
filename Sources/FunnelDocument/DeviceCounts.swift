/// The devices among presentations (metrics §1). Distinct devices do not add up: one may be in several groups.
public struct DeviceCounts: Equatable, Sendable {
  /// Distinct `device_id`.
  public var distinct: Int
  /// Presentations that have one.
  public var presentationsWithDevice: Int

  /// Makes counts.
  public init(distinct: Int, presentationsWithDevice: Int) {
    self.distinct = distinct
    self.presentationsWithDevice = presentationsWithDevice
  }

  /// The share of presentations that have a device.
  ///
  /// - Parameter isHidden: whether too few stand behind it to show it (`--min-count`).
  public func share(ofPresentations presentations: Int, isHidden: Bool = false) -> Rate {
    Rate(presentationsWithDevice, of: presentations, isHidden: isHidden)
  }
}

extension DeviceCounts {
  /// The object under `devices` (metrics §5).
  package func json(_ rates: FunnelRates) -> JSONValue {
    let share = share(ofPresentations: rates.counts.presentations, isHidden: rates.areHidden)
    return .object([
      JSONMember("distinct", .count(distinct)),
      JSONMember("presentations_with_device", .count(presentationsWithDevice)),
      JSONMember("share", .optional(share.value)),
    ])
  }

  /// Reads the object under `devices`; nil where there is none.
  package init?(of reader: JSONObjectReader) throws(FunnelDocumentError) {
    guard reader.value["devices"] != nil else { return nil }
    let devices = try reader.child("devices")
    self.init(
      distinct: try devices.count("distinct"),
      presentationsWithDevice: try devices.count("presentations_with_device"))
  }
}
