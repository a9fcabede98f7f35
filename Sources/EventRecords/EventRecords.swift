import StoryEvents

// EventRecords: the bytes between judging an event and storing it.
//
// The collector judges a request, writes what came of it as records, and appends each to the spool; the loader reads them
// back and makes rows of them. A record is a judged request or a part of one: about a mebibyte at most (a single item may
// be larger), cut only between events, so that neither side needs memory for a whole request of the largest kind.
//
// Integers are little-endian, of the width given, and may stand unaligned inside texts; every item begins at a multiple of
// eight from the record's first byte. A text is a u16 length and that many bytes of UTF-8.
//
//   header     0 u8   version, 1
//              1 u8   origin: 0 HTTP, 1 file
//              2 u16  bytes of the app's name
//              4 u32  items
//              8 i64  received, microseconds since 1970 (Int64.min: unknown)
//             16 i64  sent_at, microseconds since 1970 (Int64.min: none)
//             24 u32  accepted events
//             28 u32  rejected events
//             32      the app's name, then zeros up to a multiple of 8
//
//   each item  0 u8   kind, 1 u8 detail, 2 u16 mask, 4 u32 length of the whole item (a multiple of 8)
//
//   1 context  mask: the bits of its `ContextField`s
//              8      a text for each bit set, from the lowest; `properties` as compact JSON
//
//   2 event    detail: `EventType`; mask: the bits of its `EventText`s
//              8 u64  session id, stored form, high half; 16 u64 low half
//             24 i32  seq
//             28 u32  offset of its context item from the record's first byte (0: none)
//             32 i64  at, microseconds since 1970, by the device's clock
//             40 i16  page_index (−1: none)
//             42 i16  page_count (−1: none)
//             44 u8   source (255: none)
//             45 u8   action (255: none)
//             46 u16  durations of `start.pages`
//             48 f64  duration of the page shown, seconds (NaN: none)
//             56 u32  index in the request, or line of the file
//             60 u32  bytes of the event as it was sent
//             64      the durations, f64 each (NaN: none); a text for each bit of the mask; the event as it was sent (so
//                     that a conflicting duplicate, a foreign session or a refused row can be kept byte for byte)
//
//   3 rejected detail: `RejectionCode`
//              8 u32  index in the request, or line of the file
//             12 u16  bytes of the field's name (0: none)
//             14 u16  bytes of the message
//             16 u32  bytes of the event as it was sent
//             20      4 zeros; the field's name; the message; the event as it was sent (`unreadable`: the whole body)
//
//   4 page     mask: the bits of its `PageText`s
//              8 u32  offset of its context item (0: none)
//             12 i16  page index
//             14      2 zeros
//             16 u64  session id, stored form, high half; 24 u64 low half
//             32 f64  duration, seconds (NaN: none)
//             40 i32  payload_index (−1: none)
//             44      4 zeros; a text for each bit of the mask
//
//   5 dropped  8 i32  dropped_events_total
//             12      a text: device_id (empty: the sender gave none)

/// The numbers of the format that both sides share.
public enum EventRecordFormat {
  /// The first byte of every record.
  public static let version: UInt8 = 1
  /// A writer ends a record at the first event boundary beyond this many bytes, so that the loader's memory stays small.
  public static let preferredRecordBytes = 896 * 1024

  static let headerBytes = 32
  static let itemHeaderBytes = 8
  static let eventBytes = 64
  static let rejectedBytes = 24
  static let pageBytes = 48
  static let droppedBytes = 14
  static let alignment = 8
  static let noByte: UInt8 = 255
  static let noTime = Int64.min

  /// The years 0001–9999 in microseconds since 1970: what `at` may be (contract §1).
  static let timeRange: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
}

/// What an item is; the raw value is its first byte.
enum EventRecordItemKind: UInt8 {
  case context = 1
  case event = 2
  case rejected = 3
  case page = 4
  case dropped = 5
}

/// Where an event came from; the raw value is stored.
public enum EventOrigin: UInt8, CaseIterable, Sendable {
  /// `POST /v1/events`.
  case http = 0
  /// `pagefall ingest FILE`.
  case file = 1
}

/// What holds for a whole record.
public struct EventRecordHeader: Equatable, Sendable {
  /// How the events came in.
  public var origin: EventOrigin
  /// The app whose key was used; 65,535 bytes of UTF-8 at most (the rest is cut).
  public var app: String
  /// When the request's last byte was read (contract §3), microseconds since 1970; nil where unknown (a file without it).
  public var receivedAtMicroseconds: Int64?
  /// The batch's `sent_at`, microseconds since 1970; nil where it had none.
  public var sentAtMicroseconds: Int64?

  /// Names all four.
  public init(origin: EventOrigin, app: String, receivedAtMicroseconds: Int64?, sentAtMicroseconds: Int64?) {
    self.origin = origin
    self.app = app
    self.receivedAtMicroseconds = receivedAtMicroseconds
    self.sentAtMicroseconds = sentAtMicroseconds
  }
}
