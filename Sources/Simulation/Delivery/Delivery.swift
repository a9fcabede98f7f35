// Delivery: what the world does to events on their way from the phone to the collector.
//
//   NetworkConditions  the knobs: how much of what happens
//   EventLoss          events that never leave the phone: lost in the truth, too
//   ClockError         devices whose clock is wrong
//   Reordering         events that stand elsewhere in their batch, or travel by themselves, later
//   Duplication        events that are delivered a second time
//   Lateness           parcels that arrive hours or days later
//   DelayedParcels     parcels under way, in the order of their arrival; never more than fit a bound
//   LostAnswers        whole batches sent again, after they are made
//
// The way is World → SimulatedSession → Delivery → Parcel → Batcher. Each knob draws from a stream of its own, so that one
// changes nothing of what another does, and none of them draws anything where its share is 0.
import StoryPlayback

/// Turns sessions into the parcels that arrive of them, in the order of their arrival.
struct Delivery {
  /// Events that are not delivered at all.
  private(set) var lostEvents = 0
  private let conditions: NetworkConditions
  private let seed: UInt64
  private let clockError: ClockError
  private var delayed = DelayedParcels()

  init(_ configuration: WorldConfiguration) {
    conditions = configuration.network
    seed = configuration.seed
    clockError = ClockError(conditions, seed: configuration.seed)
  }

  /// Sends a session; what arrives before its own upload, of it or of earlier ones, is taken first.
  ///
  /// - Parameters:
  ///   - session: the session.
  ///   - number: another one for each session of the world; what is drawn for it depends on it alone.
  ///   - take: gets what arrives.
  mutating func send(
    _ session: SimulatedSession, number: UInt64, take: (Parcel) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    guard conditions.changeParcels else { return try take(Parcel(session)) }
    while let due = delayed.next(arrivingBefore: session.receivedAtMicroseconds) { try take(due) }
    for parcel in parcels(of: session, number: number) {
      if parcel.delayMicroseconds == 0 { try take(parcel) } else { delayed.insert(parcel) }
    }
    while let due = delayed.nextBeyondCapacity() { try take(due) }
  }

  /// Delivers what is still under way.
  mutating func finish(take: (Parcel) throws(SimulationError) -> Void) throws(SimulationError) {
    while let due = delayed.next(arrivingBefore: .max) { try take(due) }
  }

  private mutating func parcels(of session: SimulatedSession, number: UInt64) -> [Parcel] {
    func generator(_ knob: Knob) -> SplitMix64 { SplitMix64(seed: seed ^ knob.rawValue, stream: number) }
    var session = session
    if conditions.lossShare > 0 {
      var draws = generator(.loss)
      let eventCount = session.events.count
      session.events = EventLoss(share: conditions.lossShare).survivors(of: session.events, &draws)
      lostEvents += eventCount - session.events.count
      if session.events.isEmpty { return [] }
    }
    clockError.apply(to: &session)
    var upload = session.events
    var later: [DelayedEvents] = []
    if conditions.reorderShare > 0 {
      var draws = generator(.reorder)
      later += Reordering(share: conditions.reorderShare).reorder(&upload, &draws)
    }
    if conditions.duplicateShare > 0 {
      var draws = generator(.duplicates)
      later += Duplication(share: conditions.duplicateShare).repeatSome(of: session.events, in: &upload, &draws)
    }
    var parcels = upload.isEmpty ? [] : [Parcel(session, events: upload)]
    parcels += later.map { Parcel(session, events: $0.events, delayMicroseconds: $0.delayMicroseconds) }
    if conditions.lateShare > 0 {
      var draws = generator(.late)
      Lateness(conditions).delaySome(of: &parcels, &draws)
    }
    return Parcel.markFirst(parcels)
  }

  /// What keeps the streams of the knobs apart from each other and from those of sessions and devices. Never changes.
  enum Knob: UInt64 {
    case loss = 0x6C6F_7373_0000_0001
    case reorder = 0x6F72_6465_7200_0002
    case duplicates = 0x6475_706C_0000_0003
    case late = 0x6C61_7465_0000_0004
    case clock = 0x636C_6F63_6B00_0005
    case retries = 0x7265_7472_7900_0006
  }
}
