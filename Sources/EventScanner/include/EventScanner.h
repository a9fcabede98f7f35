// EventScanner: JSON bytes to the fields of the event contract, behind a C header.
//
// One pass over a text does both: it checks that the whole of it is well-formed (RFC 8259, ignored fields included, any
// depth, integers of any size) and notes the values of the fields that the contract names. It knows names, not rules:
// whether a value will do is judged in Swift (EventIntake).
//
// simdjson does the heavy part. Its first stage checks UTF-8, closes strings, refuses control characters in them and lists
// where each token begins; the walk over that list is ours, because On-Demand does not check what it skips and the DOM parser
// refuses a whole text for one integer beyond 64 bits. See docs/decisions/0003-json-in-one-walk.md.
//
// No function throws, and none reads beyond `length` bytes: no padding is needed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "DocumentChecker.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCANNER_CLOSED_ENUM __attribute__((enum_extensibility(closed)))

/// A field that the contract names, or a mark in the list of values.
typedef enum SCANNER_CLOSED_ENUM ScannedField : uint8_t {
  // An event's own.
  ScannedFieldType = 0,
  ScannedFieldSessionID,
  ScannedFieldSeq,
  ScannedFieldAt,
  ScannedFieldPageIndex,
  ScannedFieldPageCount,
  ScannedFieldReason,
  ScannedFieldContentCode,
  ScannedFieldSource,
  ScannedFieldError,
  ScannedFieldAction,
  ScannedFieldCategoryID,
  ScannedFieldButtonID,
  /// Stands before the context's own values when it is an object.
  ScannedFieldContext,
  /// Stands before the page's own values when it is an object.
  ScannedFieldPage,
  /// Stands before a ScannedFieldPagesElement for each element when it is an array.
  ScannedFieldPages,
  ScannedFieldPagesElement,

  // A context's, in the order of ContextField (StoryEvents).
  ScannedFieldStoryID,
  ScannedFieldMessageHash,
  ScannedFieldMessageID,
  ScannedFieldCampaignID,
  ScannedFieldDeviceID,
  ScannedFieldUserID,
  ScannedFieldAppVersion,
  ScannedFieldOSVersion,
  ScannedFieldDeviceModel,
  ScannedFieldLocale,
  ScannedFieldSDKVersion,
  ScannedFieldEnvironment,
  /// Stands before pairs of name and value when it is an object.
  ScannedFieldProperties,
  ScannedFieldPropertyName,
  ScannedFieldPropertyValue,

  // A page's.
  ScannedFieldImageURL,
  ScannedFieldTitle,
  ScannedFieldSubtitle,
  ScannedFieldLink,
  ScannedFieldButtonTitle,
  ScannedFieldKey,
  ScannedFieldDuration,
  ScannedFieldPayloadIndex,

  // A batch's, beside its context.
  ScannedFieldSentAt,
  ScannedFieldReceivedAt,
  ScannedFieldDroppedEventsTotal,
  ScannedFieldEvents,
} ScannedField;

/// What a value is, as it is written.
typedef enum SCANNER_CLOSED_ENUM ScannedKind : uint8_t {
  ScannedKindString = 0,
  /// A number without fraction and exponent, of any size.
  ScannedKindInteger,
  /// Any other number.
  ScannedKindNumber,
  ScannedKindTrue,
  ScannedKindFalse,
  ScannedKindNull,
  ScannedKindObject,
  ScannedKindArray,
} ScannedKind;

/// One value of a field; `null` is not listed (contract §1: it is the same as absent), but for an element of `pages`.
typedef struct ScannedValue {
  /// A string's contents, unescaped (a lone surrogate became U+FFFD); anything else as it is written.
  /// In the text or in the scanner's own memory: valid until its next scan, as long as the text is.
  const uint8_t *bytes;
  uint32_t length;
  ScannedField field;
  ScannedKind kind;
  /// A string holds U+0000.
  bool has_nul;
  /// A string holds half of a surrogate pair.
  bool has_lone_surrogate;
} ScannedValue;

/// One element of a batch or an array, or the text's own value.
typedef struct ScannedEvent {
  /// As it is written, without whitespace around it.
  const uint8_t *bytes;
  uint32_t length;
  /// Its values are `values[first_value ..< first_value + value_count]` of the text; none unless it is an object.
  uint32_t first_value;
  uint32_t value_count;
  /// The deepest nesting, itself being 1; 0 for a scalar.
  uint32_t depth;
  /// The name that stands twice in it, its context, a page or its properties; length 0 and a null pointer: none does.
  const uint8_t *duplicate_name;
  uint32_t duplicate_length;
  ScannedKind kind;
} ScannedEvent;

/// What the text as a whole is.
typedef enum SCANNER_CLOSED_ENUM ScannedShape : uint8_t {
  /// An object with the key `events`, which is an array.
  ScannedShapeBatch = 0,
  /// An object with the key `events`, which is something else, or stands there twice.
  ScannedShapeBadBatch,
  /// An array of events.
  ScannedShapeArray,
  /// Any other value: an event, or no object.
  ScannedShapeEvent,
} ScannedShape;

/// How a scan ended.
typedef enum SCANNER_CLOSED_ENUM ScanStatus : uint8_t {
  /// The text is well-formed.
  ScanStatusWellFormed = 0,
  /// It is not JSON; DocumentChecker says where and why.
  ScanStatusMalformed,
  /// Memory ran out.
  ScanStatusOutOfMemory,
} ScanStatus;

/// What a scan found.
typedef struct ScannedText {
  const ScannedEvent *events;
  const ScannedValue *values;
  /// The batch's own values: sent_at, received_at, dropped_events_total, its context.
  const ScannedValue *batch_values;
  /// The events listed: all, up to the limit that was given.
  uint32_t event_count;
  /// The events there are.
  uint32_t event_total;
  uint32_t batch_value_count;
  /// The name that stands twice in the batch's context, or `context` itself; null: none does.
  const uint8_t *batch_duplicate_name;
  uint32_t batch_duplicate_length;
  /// With ScannedShapeBadBatch: what `events` is. ScannedKindArray: it stands there twice.
  ScannedKind events_kind;
  ScanStatus status;
  ScannedShape shape;
} ScannedText;

/// Scans texts one after another, with memory of its own that it reuses. For one thread at a time.
typedef struct EventScanner EventScanner;

/// A text to scan may be this long; beyond it DocumentChecker splits it. It bounds what a hostile text can make a scan use
/// (about eight times its length).
enum { event_scanner_maximum_length = 4 * 1024 * 1024 };

/// Makes a scanner; null when there is no memory.
EventScanner *event_scanner_create(void);

/// Frees it; null is allowed.
void event_scanner_destroy(EventScanner *scanner);

/// Scans one text.
///
/// `length` is at most event_scanner_maximum_length. Beyond `event_limit` events are checked and counted but not listed.
/// The result is valid until the next scan, as long as the text stays in place.
const ScannedText *event_scanner_scan(EventScanner *scanner, const uint8_t *text, size_t length, uint32_t event_limit);

/// The field of a batch that this key names (as it is written, with its quotes), or -1.
int32_t event_scanner_batch_field(const uint8_t *key, size_t length);

/// Whether the bytes are UTF-8.
bool event_scanner_is_utf8(const uint8_t *bytes, size_t length);

#ifdef __cplusplus
}
#endif
