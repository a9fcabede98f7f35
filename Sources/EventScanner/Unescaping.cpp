#include "Unescaping.h"

#include <cstring>

namespace scanner {

namespace {

const uint8_t *find_backslash(const uint8_t *begin, const uint8_t *end) noexcept {
  if (begin == end) { return end; }
  const void *found = std::memchr(begin, '\\', static_cast<size_t>(end - begin));
  return found == nullptr ? end : static_cast<const uint8_t *>(found);
}

/// The value of the four digits of a `\u` escape, which were checked.
uint32_t code_unit(const uint8_t *digits) noexcept {
  uint32_t value = 0;
  for (int i = 0; i < 4; i += 1) { value = value << 4 | static_cast<uint32_t>(hexadecimal_digit(digits[i])); }
  return value;
}

uint8_t *append_utf8(uint32_t scalar, uint8_t *output) noexcept {
  if (scalar < 0x80) {
    *output++ = static_cast<uint8_t>(scalar);
  } else if (scalar < 0x800) {
    *output++ = static_cast<uint8_t>(0xC0 | scalar >> 6);
    *output++ = static_cast<uint8_t>(0x80 | (scalar & 0x3F));
  } else if (scalar < 0x10000) {
    *output++ = static_cast<uint8_t>(0xE0 | scalar >> 12);
    *output++ = static_cast<uint8_t>(0x80 | (scalar >> 6 & 0x3F));
    *output++ = static_cast<uint8_t>(0x80 | (scalar & 0x3F));
  } else {
    *output++ = static_cast<uint8_t>(0xF0 | scalar >> 18);
    *output++ = static_cast<uint8_t>(0x80 | (scalar >> 12 & 0x3F));
    *output++ = static_cast<uint8_t>(0x80 | (scalar >> 6 & 0x3F));
    *output++ = static_cast<uint8_t>(0x80 | (scalar & 0x3F));
  }
  return output;
}

uint8_t unescaped_character(uint8_t escaped) noexcept {
  switch (escaped) {
  case 'b': return '\b';
  case 'f': return '\f';
  case 'n': return '\n';
  case 'r': return '\r';
  case 't': return '\t';
  default: return escaped;
  }
}

}  // namespace

bool escapes_are_valid(const uint8_t *begin, const uint8_t *end) noexcept {
  while (true) {
    const uint8_t *backslash = find_backslash(begin, end);
    if (backslash == end) { return true; }
    if (end - backslash < 2 || !may_follow_backslash(backslash[1])) { return false; }
    begin = backslash + 2;
    if (backslash[1] != 'u') { continue; }
    if (end - begin < 4) { return false; }
    for (int i = 0; i < 4; i += 1) {
      if (hexadecimal_digit(begin[i]) < 0) { return false; }
    }
    begin += 4;
  }
}

UnescapedText unescape(const uint8_t *begin, const uint8_t *end, uint8_t *output) noexcept {
  UnescapedText result{0, false, false};
  uint8_t *written = output;
  while (true) {
    const uint8_t *backslash = find_backslash(begin, end);
    const auto plain = static_cast<size_t>(backslash - begin);
    if (plain > 0) { std::memcpy(written, begin, plain); }
    written += plain;
    if (backslash == end) { break; }
    if (backslash[1] != 'u') {
      *written++ = unescaped_character(backslash[1]);
      begin = backslash + 2;
      continue;
    }
    uint32_t scalar = code_unit(backslash + 2);
    begin = backslash + 6;
    const bool is_high = scalar >= 0xD800 && scalar < 0xDC00;
    if (is_high && end - begin >= 6 && begin[0] == '\\' && begin[1] == 'u') {
      const uint32_t low = code_unit(begin + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        scalar = 0x10000 + ((scalar - 0xD800) << 10) + (low - 0xDC00);
        begin += 6;
      }
    }
    if (scalar >= 0xD800 && scalar < 0xE000) {
      result.has_lone_surrogate = true;
      scalar = 0xFFFD;
    }
    if (scalar == 0) { result.has_nul = true; }
    written = append_utf8(scalar, written);
  }
  result.length = static_cast<size_t>(written - output);
  return result;
}

}  // namespace scanner
