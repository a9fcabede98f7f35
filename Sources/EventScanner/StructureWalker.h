// Walks over the tokens that simdjson's first stage listed, and checks all that the stage does not: the grammar between
// tokens, numbers, literals and escapes.
#pragma once

#include <cstdint>
#include <cstring>

#include "EventScanner.h"
#include "GrowingArray.h"
#include "Unescaping.h"

namespace scanner {

/// A string as it is written, without its quotes.
struct StringToken {
  const uint8_t *begin;
  const uint8_t *end;
  bool has_escapes;
};

/// A value as it is written.
struct ValueToken {
  const uint8_t *begin;
  const uint8_t *end;
  ScannedKind kind;
  /// Strings: whether a backslash is in it.
  bool has_escapes;
  /// Containers: the deepest nesting, itself being 1. Scalars: 0.
  uint32_t depth;
};

inline bool is_whitespace(uint8_t byte) noexcept {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

inline bool is_digit(uint8_t byte) noexcept { return static_cast<uint8_t>(byte - '0') < 10; }

class StructureWalker {
public:
  /// Begins with the first token. `index` holds `count` offsets and, behind them, `length`.
  void start(const uint8_t *text, uint32_t length, const uint32_t *index, uint32_t count) noexcept {
    text_ = text;
    end_ = text + length;
    index_ = index;
    count_ = count;
    rewind(0);
  }

  /// The number of the next token.
  uint32_t position() const noexcept { return at_; }

  /// Goes back to a token.
  void rewind(uint32_t position) noexcept {
    at_ = position;
    next_backslash_ = text_;
    advance_backslash(text_);
  }

  bool at_end() const noexcept { return at_ == count_; }

  /// The next token's first character; 0 after the last.
  uint8_t peek() const noexcept { return at_ < count_ ? text_[index_[at_]] : 0; }

  /// Where the next token begins.
  const uint8_t *begin() const noexcept { return text_ + index_[at_]; }

  /// Where the token before the next one ends, if it was one of {}[].
  const uint8_t *previous_end() const noexcept { return text_ + index_[at_ - 1] + 1; }

  /// Takes the next token where it is this character, one of {}[],:.
  bool take(uint8_t character) noexcept {
    if (peek() != character) { return false; }
    at_ += 1;
    return true;
  }

  bool out_of_memory() const noexcept { return out_of_memory_; }

  /// Takes a string, which must come next.
  bool take_string(StringToken &token) noexcept {
    if (peek() != '"') { return false; }
    token.begin = begin() + 1;
    token.end = string_end();
    at_ += 1;
    return token.end >= token.begin && check_escapes(token);
  }

  /// Takes any value with all that is in it.
  bool take_value(ValueToken &token) noexcept {
    token.has_escapes = false;
    token.depth = 0;
    const uint8_t first = peek();
    switch (first) {
    case '"': {
      StringToken string{};
      if (!take_string(string)) { return false; }
      token = ValueToken{string.begin, string.end, ScannedKindString, string.has_escapes, 0};
      return true;
    }
    case '{':
    case '[':
      token.kind = first == '{' ? ScannedKindObject : ScannedKindArray;
      token.begin = begin();
      if (!skip_container(token.depth)) { return false; }
      token.end = previous_end();
      return true;
    case 't': return take_literal("true", 4, ScannedKindTrue, token);
    case 'f': return take_literal("false", 5, ScannedKindFalse, token);
    case 'n': return take_literal("null", 4, ScannedKindNull, token);
    default: return take_number(token);
    }
  }

private:
  /// The closing quote of the string that comes next. Stage 1 saw to it that the string is closed; between its closing quote
  /// and the next token there is only whitespace, because anything else would be a token.
  const uint8_t *string_end() const noexcept {
    const uint8_t *last = text_ + index_[at_ + 1] - 1;
    while (*last != '"') { last -= 1; }
    return last;
  }

  /// One memchr over the whole text finds every backslash in turn, so a string without one costs a comparison.
  void advance_backslash(const uint8_t *from) noexcept {
    if (from >= end_) {
      next_backslash_ = end_;
      return;
    }
    const void *found = std::memchr(from, '\\', static_cast<size_t>(end_ - from));
    next_backslash_ = found == nullptr ? end_ : static_cast<const uint8_t *>(found);
  }

  bool check_escapes(StringToken &token) noexcept {
    if (next_backslash_ < token.begin) { advance_backslash(token.begin); }
    token.has_escapes = next_backslash_ < token.end;
    return !token.has_escapes || escapes_are_valid(token.begin, token.end);
  }

  /// Whether a number or literal that ends here is followed by the next token or by whitespace.
  bool ends_cleanly(const uint8_t *end, const uint8_t *limit) const noexcept {
    return end == limit || is_whitespace(*end);
  }

  bool take_literal(const char *literal, size_t length, ScannedKind kind, ValueToken &token) noexcept {
    const uint8_t *limit = text_ + index_[at_ + 1];
    token.begin = begin();
    token.kind = kind;
    if (static_cast<size_t>(limit - token.begin) < length) { return false; }
    if (std::memcmp(token.begin, literal, length) != 0) { return false; }
    token.end = token.begin + length;
    at_ += 1;
    return ends_cleanly(token.end, limit);
  }

  bool take_number(ValueToken &token) noexcept {
    if (at_ == count_) { return false; }
    const uint8_t *limit = text_ + index_[at_ + 1];
    const uint8_t *p = begin();
    token.begin = p;
    token.kind = ScannedKindInteger;
    if (*p == '-') { p += 1; }
    if (p == limit || !is_digit(*p)) { return false; }
    if (*p == '0') {
      p += 1;
    } else {
      do { p += 1; } while (p < limit && is_digit(*p));
    }
    if (p < limit && *p == '.') {
      token.kind = ScannedKindNumber;
      if (!take_digits(++p, limit)) { return false; }
    }
    if (p < limit && (*p | 0x20) == 'e') {
      token.kind = ScannedKindNumber;
      p += 1;
      if (p < limit && (*p == '+' || *p == '-')) { p += 1; }
      if (!take_digits(p, limit)) { return false; }
    }
    token.end = p;
    at_ += 1;
    return ends_cleanly(p, limit);
  }

  /// One digit or more.
  static bool take_digits(const uint8_t *&p, const uint8_t *limit) noexcept {
    const uint8_t *first = p;
    while (p < limit && is_digit(*p)) { p += 1; }
    return p != first;
  }

  bool skip_container(uint32_t &deepest) noexcept;
  bool skip_key() noexcept;
  bool skip_scalar() noexcept;

  const uint8_t *text_ = nullptr;
  const uint8_t *end_ = nullptr;
  const uint32_t *index_ = nullptr;
  const uint8_t *next_backslash_ = nullptr;
  uint32_t count_ = 0;
  uint32_t at_ = 0;
  bool out_of_memory_ = false;
  ContainerStack stack_;
};

/// Takes a key and its colon.
inline bool StructureWalker::skip_key() noexcept {
  StringToken key{};
  return take_string(key) && take(':');
}

/// Takes a value that is no container.
inline bool StructureWalker::skip_scalar() noexcept {
  ValueToken token{};
  return take_value(token);
}

/// Takes an object or array with all that is in it, whatever its depth: no recursion, one bit a level.
inline bool StructureWalker::skip_container(uint32_t &deepest) noexcept {
  stack_.reset(1024);
  deepest = 0;
  while (true) {
    // A value begins.
    const uint8_t first = peek();
    bool closed = false;
    if (first == '{' || first == '[') {
      const bool is_object = first == '{';
      if (!stack_.push(is_object)) {
        out_of_memory_ = true;
        return false;
      }
      if (stack_.depth() > deepest) { deepest = static_cast<uint32_t>(stack_.depth()); }
      at_ += 1;
      if (take(is_object ? '}' : ']')) {
        closed = true;
      } else {
        if (is_object && !skip_key()) { return false; }
        continue;
      }
    } else if (!skip_scalar()) {
      return false;
    }
    // A value has ended: containers close, or the next one follows.
    while (true) {
      if (closed) {
        stack_.pop();
        if (stack_.depth() == 0) { return true; }
      }
      const bool is_object = stack_.is_object();
      if (take(',')) {
        if (is_object && !skip_key()) { return false; }
        break;
      }
      if (!take(is_object ? '}' : ']')) { return false; }
      closed = true;
    }
  }
}

}  // namespace scanner
