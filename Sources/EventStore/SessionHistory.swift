import EventRecords
import StoryEvents

/// The form of `pagefall.sessions.history` (docs/storage.md): numbers of 8 bytes, highest byte first. The same as
/// `pagefall.packed_history` in sql/0009_histories.sql makes.
enum SessionHistory {
  /// A session with more events is not packed.
  static let maximumEvents: Int32 = 4096
  /// 2000-01-01, where PostgreSQL counts from, in microseconds since 1970.
  static let epochMicroseconds: Int64 = 946_684_800_000_000

  private static let bytesPerEvent = 24
  private static let bitsOfNumber: Int16 = 10
  private static let bitsBelowSeq: Int64 = 15
  /// In the place of an event's type: durations of pages follow.
  private static let durationsType: Int64 = 31

  /// How long a history is; `durations` of the one event whose durations of pages it holds, or 0.
  @inline(__always)
  static func byteCount(events: Int, durations: Int) -> Int {
    events * bytesPerEvent + (durations > 0 ? 8 + durations * 8 : 0)
  }

  /// An event's type, and its number: of a start its count of pages, of others their page's index, 0 without. (A sender may
  /// give a start a page's index, too; it says nothing.)
  @inline(__always)
  static func code(_ event: EventView) -> Int16 {
    let number = event.type == .start ? event.pageCount : event.pageIndex
    return Int16(event.type.rawValue) << bitsOfNumber | (number ?? 0)
  }

  /// The first number of an event.
  @inline(__always)
  static func code(seq: Int32, _ code: Int16) -> Int64 { Int64(seq) << bitsBelowSeq | Int64(code) }

  /// The first number of an event's durations of pages.
  @inline(__always)
  static func durationsCode(_ event: EventView) -> Int64 {
    Int64(event.seq) << bitsBelowSeq | durationsType << Int64(bitsOfNumber) | Int64(event.pageDurationCount)
  }

  /// Whether a session mostly gets no event after one of this type. Nothing but speed depends on it.
  @inline(__always)
  static func isEnd(_ type: EventType) -> Bool {
    switch type {
    case .finish, .fallback, .dismiss, .richMediaClosed, .richMediaFailed, .notificationResponse: true
    case .start, .pageShown, .actionTap, .richMediaDeferred, .richMediaPresented: false
    }
  }
}
