// The escapes of JSON strings (RFC 8259 §7).
//
// By hand, because simdjson's own unescaping refuses a string for half of a surrogate pair, and here that is the fault of one
// event, or of none where the field is ignored.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scanner {

/// A string's contents after unescaping.
struct UnescapedText {
  size_t length;
  bool has_nul;
  bool has_lone_surrogate;
};

/// Whether every escape between two quotes is one of RFC 8259's.
bool escapes_are_valid(const uint8_t *begin, const uint8_t *end) noexcept;

/// Unescapes what escapes_are_valid allowed. The output has room for `end - begin` bytes, and never needs more.
UnescapedText unescape(const uint8_t *begin, const uint8_t *end, uint8_t *output) noexcept;

/// The value of a hexadecimal digit, or -1.
inline int hexadecimal_digit(uint8_t byte) noexcept {
  if (byte >= '0' && byte <= '9') { return byte - '0'; }
  const uint8_t lower = byte | 0x20;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Whether a character may follow a backslash (`u` needs four digits behind it).
inline bool may_follow_backslash(uint8_t byte) noexcept {
  switch (byte) {
  case '"':
  case '\\':
  case '/':
  case 'b':
  case 'f':
  case 'n':
  case 'r':
  case 't':
  case 'u': return true;
  default: return false;
  }
}

}  // namespace scanner
