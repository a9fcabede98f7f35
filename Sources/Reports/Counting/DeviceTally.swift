import FunnelDocument

/// The distinct devices among presentations (metrics §1), exactly, in about 40 bytes a device.
struct DeviceTally {
  private var devices: Set<TextHash> = []
  private var presentationsWithDevice = 0

  /// Counts a presentation with its `device_id`; nil where it has none.
  mutating func count(_ device: TextHash?) {
    guard let device else { return }
    presentationsWithDevice += 1
    devices.insert(device)
  }

  /// Takes in the presentations of another tally.
  mutating func add(_ other: DeviceTally) {
    presentationsWithDevice += other.presentationsWithDevice
    devices.formUnion(other.devices)
  }

  /// The counts so far.
  var counts: DeviceCounts {
    DeviceCounts(distinct: devices.count, presentationsWithDevice: presentationsWithDevice)
  }
}
