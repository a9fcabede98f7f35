// DocumentChecker: well-formedness (RFC 8259) of a text that comes in chunks of any size, and where its parts begin and end.
//
// For what EventScanner cannot take at once: files of any size, and bodies beyond event_scanner_maximum_length. It is also
// what says where a text is broken and why. Byte by byte, with a state that fits between any two of them; independent of
// EventScanner, so that each tests the other.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Why a text is not JSON.
typedef enum __attribute__((enum_extensibility(closed))) DocumentProblem : uint8_t {
  DocumentProblemNone = 0,
  /// Nothing but whitespace.
  DocumentProblemEmpty,
  /// It ends inside a value.
  DocumentProblemEndsEarly,
  /// A character that cannot stand here.
  DocumentProblemUnexpectedCharacter,
  /// A control character in a string.
  DocumentProblemControlCharacter,
  /// A backslash with something else than an escape behind it.
  DocumentProblemInvalidEscape,
  /// A number with a leading zero, without digits, …
  DocumentProblemInvalidNumber,
  /// A byte in a string that is not UTF-8.
  DocumentProblemNotUTF8,
  /// Something behind the end of the value.
  DocumentProblemTrailingContent,
  /// More than 64 Mi containers in one another, or no memory for them.
  DocumentProblemTooDeep,
} DocumentProblem;

/// Why feeding stopped.
typedef enum __attribute__((enum_extensibility(closed))) DocumentMark : uint8_t {
  /// The chunk is used up.
  DocumentMarkNone = 0,
  /// A value begins with the next byte.
  DocumentMarkValueBegins,
  /// A value ended with the byte before.
  DocumentMarkValueEnds,
  /// A key begins with the next byte, its quote.
  DocumentMarkKeyBegins,
  /// A key ended with the byte before, its quote.
  DocumentMarkKeyEnds,
  /// The text is not JSON; nothing more can be fed.
  DocumentMarkProblem,
} DocumentMark;

/// What feeding did.
typedef struct DocumentStep {
  /// Bytes of the chunk used up; feed the rest next.
  size_t consumed;
  /// Containers around the value or key: 0 is the text's own value, and a key of an object at the root has 1.
  size_t depth;
  DocumentMark mark;
} DocumentStep;

/// The state between two chunks. For one thread at a time.
typedef struct DocumentChecker DocumentChecker;

/// Makes a checker; null when there is no memory.
DocumentChecker *document_checker_create(void);

/// Frees it; null is allowed.
void document_checker_destroy(DocumentChecker *checker);

/// Forgets what was fed.
void document_checker_reset(DocumentChecker *checker);

/// Feeds bytes; stops at each value and key that has at most `mark_depth` containers around it (negative: at none).
DocumentStep document_checker_feed(
    DocumentChecker *checker, const uint8_t *bytes, size_t length, int32_t mark_depth);

/// Says that the text ends here; the result is the problem, if there is one.
DocumentProblem document_checker_finish(DocumentChecker *checker);

/// The problem that was found.
DocumentProblem document_checker_problem(const DocumentChecker *checker);

/// Bytes fed and used up: with a problem, the offset of the byte at fault.
uint64_t document_checker_offset(const DocumentChecker *checker);

/// The line that this byte is in, from 1.
uint64_t document_checker_line(const DocumentChecker *checker);

#ifdef __cplusplus
}
#endif
