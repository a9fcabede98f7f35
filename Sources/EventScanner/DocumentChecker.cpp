// The machine behind DocumentChecker.h: one state, one byte, the next state.

#include "DocumentChecker.h"

#include <new>

#include "GrowingArray.h"
#include "Unescaping.h"

using namespace scanner;

namespace {

/// One bit a level: 8 MiB of memory at most.
constexpr size_t maximum_depth = size_t{64} << 20;

enum class State : uint8_t {
  value,          // a value must come
  first_element,  // a value or ]
  first_key,      // a key or }
  key,            // a key must come
  colon,
  after_value,  // , or the container's end
  end,          // only whitespace
  string,
  escape,
  hexadecimal,
  continuation,  // more bytes of a UTF-8 sequence
  minus,
  zero,
  integer,
  point,
  fraction,
  exponent,
  exponent_sign,
  exponent_digits,
  literal,
};

bool is_blank(uint8_t byte) noexcept { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }
bool is_digit(uint8_t byte) noexcept { return static_cast<uint8_t>(byte - '0') < 10; }
bool is_plain(uint8_t byte) noexcept { return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\'; }

}  // namespace

struct DocumentChecker {
public:
  DocumentStep feed(const uint8_t *bytes, size_t length, int32_t mark_depth) noexcept {
    DocumentStep step{0, 0, DocumentMarkNone};
    if (problem_ != DocumentProblemNone) {
      step.mark = DocumentMarkProblem;
      return step;
    }
    size_t at = 0;
    while (at < length && step.mark == DocumentMarkNone) { take(bytes, length, at, mark_depth, step); }
    offset_ += at;
    step.consumed = at;
    return step;
  }

  DocumentProblem finish() noexcept {
    if (problem_ != DocumentProblemNone) { return problem_; }
    if (state_ == State::end) { return DocumentProblemNone; }
    const bool is_whole_number = state_ == State::zero || state_ == State::integer || state_ == State::fraction ||
                                 state_ == State::exponent_digits;
    if (is_whole_number && stack_.depth() == 0) { return DocumentProblemNone; }
    problem_ = state_ == State::value && stack_.depth() == 0 ? DocumentProblemEmpty : DocumentProblemEndsEarly;
    return problem_;
  }

  DocumentProblem problem() const noexcept { return problem_; }
  uint64_t offset() const noexcept { return offset_; }
  uint64_t line() const noexcept { return line_; }

  void reset() noexcept {
    stack_.reset(1024);
    state_ = State::value;
    is_key_ = false;
    is_announced_ = false;
    problem_ = DocumentProblemNone;
    offset_ = 0;
    line_ = 1;
  }

private:
  void fail(DocumentProblem problem, DocumentStep &step) noexcept {
    problem_ = problem;
    step.mark = DocumentMarkProblem;
  }

  void mark(DocumentMark mark, int32_t mark_depth, DocumentStep &step) noexcept {
    const size_t depth = stack_.depth();
    if (mark_depth < 0 || depth > static_cast<size_t>(mark_depth)) { return; }
    step.mark = mark;
    step.depth = depth;
  }

  /// Whether to stop before this value or key; the next time it is let through.
  bool announce(DocumentMark begins, int32_t mark_depth, DocumentStep &step) noexcept {
    if (is_announced_) {
      is_announced_ = false;
      return false;
    }
    mark(begins, mark_depth, step);
    is_announced_ = step.mark != DocumentMarkNone;
    return is_announced_;
  }

  /// Uses up one byte or more, or stops.
  void take(const uint8_t *bytes, size_t length, size_t &at, int32_t mark_depth, DocumentStep &step) noexcept {
    const uint8_t byte = bytes[at];
    switch (state_) {
    case State::value:
    case State::first_element:
    case State::first_key:
    case State::key:
    case State::colon:
    case State::after_value:
    case State::end: return take_between(byte, at, mark_depth, step);
    case State::string: return take_string(bytes, length, at, mark_depth, step);
    case State::escape:
      if (!may_follow_backslash(byte)) { return fail(DocumentProblemInvalidEscape, step); }
      state_ = byte == 'u' ? State::hexadecimal : State::string;
      left_ = 4;
      at += 1;
      return;
    case State::hexadecimal:
      if (hexadecimal_digit(byte) < 0) { return fail(DocumentProblemInvalidEscape, step); }
      if (--left_ == 0) { state_ = State::string; }
      at += 1;
      return;
    case State::continuation:
      if (byte < lowest_ || byte > highest_) { return fail(DocumentProblemNotUTF8, step); }
      lowest_ = 0x80;
      highest_ = 0xBF;
      if (--left_ == 0) { state_ = State::string; }
      at += 1;
      return;
    case State::literal:
      if (byte != static_cast<uint8_t>(*literal_)) { return fail(DocumentProblemUnexpectedCharacter, step); }
      literal_ += 1;
      at += 1;
      if (*literal_ == 0) { end_value(mark_depth, step); }
      return;
    case State::minus:
    case State::zero:
    case State::integer:
    case State::point:
    case State::fraction:
    case State::exponent:
    case State::exponent_sign:
    case State::exponent_digits: return take_number(byte, at, mark_depth, step);
    }
  }

  /// Between tokens.
  void take_between(uint8_t byte, size_t &at, int32_t mark_depth, DocumentStep &step) noexcept {
    if (is_blank(byte)) {
      if (byte == '\n') { line_ += 1; }
      at += 1;
      return;
    }
    switch (state_) {
    case State::first_element:
      if (byte == ']') { return close(at, mark_depth, step); }
      return begin_value(byte, at, mark_depth, step);
    case State::value: return begin_value(byte, at, mark_depth, step);
    case State::first_key:
      if (byte == '}') { return close(at, mark_depth, step); }
      return begin_key(byte, at, mark_depth, step);
    case State::key: return begin_key(byte, at, mark_depth, step);
    case State::colon:
      if (byte != ':') { return fail(DocumentProblemUnexpectedCharacter, step); }
      state_ = State::value;
      at += 1;
      return;
    case State::after_value:
      if (byte == ',') {
        state_ = stack_.is_object() ? State::key : State::value;
        at += 1;
        return;
      }
      if (byte != (stack_.is_object() ? '}' : ']')) { return fail(DocumentProblemUnexpectedCharacter, step); }
      return close(at, mark_depth, step);
    default: return fail(DocumentProblemTrailingContent, step);
    }
  }

  void begin_key(uint8_t byte, size_t &at, int32_t mark_depth, DocumentStep &step) noexcept {
    if (byte != '"') { return fail(DocumentProblemUnexpectedCharacter, step); }
    if (announce(DocumentMarkKeyBegins, mark_depth, step)) { return; }
    is_key_ = true;
    state_ = State::string;
    at += 1;
  }

  void begin_value(uint8_t byte, size_t &at, int32_t mark_depth, DocumentStep &step) noexcept {
    const bool may_begin = byte == '"' || byte == '{' || byte == '[' || byte == 't' || byte == 'f' || byte == 'n' ||
                           byte == '-' || is_digit(byte);
    if (!may_begin) { return fail(DocumentProblemUnexpectedCharacter, step); }
    if (announce(DocumentMarkValueBegins, mark_depth, step)) { return; }
    at += 1;
    switch (byte) {
    case '"':
      is_key_ = false;
      state_ = State::string;
      return;
    case '{':
    case '[':
      if (stack_.depth() == maximum_depth || !stack_.push(byte == '{')) { return fail(DocumentProblemTooDeep, step); }
      state_ = byte == '{' ? State::first_key : State::first_element;
      return;
    case 't': return begin_literal("rue");
    case 'f': return begin_literal("alse");
    case 'n': return begin_literal("ull");
    case '-': state_ = State::minus; return;
    case '0': state_ = State::zero; return;
    default: state_ = State::integer; return;
    }
  }

  void begin_literal(const char *rest) noexcept {
    literal_ = rest;
    state_ = State::literal;
  }

  void close(size_t &at, int32_t mark_depth, DocumentStep &step) noexcept {
    stack_.pop();
    at += 1;
    end_value(mark_depth, step);
  }

  void end_value(int32_t mark_depth, DocumentStep &step) noexcept {
    state_ = stack_.depth() == 0 ? State::end : State::after_value;
    mark(DocumentMarkValueEnds, mark_depth, step);
  }

  void take_string(const uint8_t *bytes, size_t length, size_t &at, int32_t mark_depth, DocumentStep &step) noexcept {
    while (at < length && is_plain(bytes[at])) { at += 1; }
    if (at == length) { return; }
    const uint8_t byte = bytes[at];
    if (byte < 0x20) { return fail(DocumentProblemControlCharacter, step); }
    if (byte >= 0x80 && !begin_sequence(byte)) { return fail(DocumentProblemNotUTF8, step); }
    at += 1;
    if (byte == '\\') {
      state_ = State::escape;
    } else if (byte == '"') {
      if (!is_key_) { return end_value(mark_depth, step); }
      state_ = State::colon;
      mark(DocumentMarkKeyEnds, mark_depth, step);
    }
  }

  /// The first byte of a UTF-8 sequence: how many follow, and what the next may be (Unicode, table 3-7).
  bool begin_sequence(uint8_t byte) noexcept {
    lowest_ = 0x80;
    highest_ = 0xBF;
    if (byte >= 0xC2 && byte <= 0xDF) {
      left_ = 1;
    } else if (byte >= 0xE0 && byte <= 0xEF) {
      left_ = 2;
      if (byte == 0xE0) { lowest_ = 0xA0; }
      if (byte == 0xED) { highest_ = 0x9F; }
    } else if (byte >= 0xF0 && byte <= 0xF4) {
      left_ = 3;
      if (byte == 0xF0) { lowest_ = 0x90; }
      if (byte == 0xF4) { highest_ = 0x8F; }
    } else {
      return false;
    }
    state_ = State::continuation;
    return true;
  }

  void take_number(uint8_t byte, size_t &at, int32_t mark_depth, DocumentStep &step) noexcept {
    const bool digit = is_digit(byte);
    switch (state_) {
    case State::minus:
      if (!digit) { return fail(DocumentProblemInvalidNumber, step); }
      state_ = byte == '0' ? State::zero : State::integer;
      break;
    case State::zero:
      if (digit) { return fail(DocumentProblemInvalidNumber, step); }
      if (!continues_number(byte)) { return end_value(mark_depth, step); }
      break;
    case State::integer:
      if (!digit && !continues_number(byte)) { return end_value(mark_depth, step); }
      break;
    case State::fraction:
      if (!digit && (byte | 0x20) != 'e') { return end_value(mark_depth, step); }
      if (!digit) { state_ = State::exponent; }
      break;
    case State::exponent_digits:
      if (!digit) { return end_value(mark_depth, step); }
      break;
    case State::exponent:
      if (byte == '+' || byte == '-') {
        state_ = State::exponent_sign;
        break;
      }
      [[fallthrough]];
    case State::exponent_sign:
      if (!digit) { return fail(DocumentProblemInvalidNumber, step); }
      state_ = State::exponent_digits;
      break;
    default:  // point
      if (!digit) { return fail(DocumentProblemInvalidNumber, step); }
      state_ = State::fraction;
      break;
    }
    at += 1;
  }

  /// Whether a fraction or an exponent begins.
  bool continues_number(uint8_t byte) noexcept {
    if (byte == '.') {
      state_ = State::point;
      return true;
    }
    if ((byte | 0x20) == 'e') {
      state_ = State::exponent;
      return true;
    }
    return false;
  }

  ContainerStack stack_;
  uint64_t offset_ = 0;
  uint64_t line_ = 1;
  const char *literal_ = nullptr;
  State state_ = State::value;
  DocumentProblem problem_ = DocumentProblemNone;
  uint8_t left_ = 0;
  uint8_t lowest_ = 0;
  uint8_t highest_ = 0;
  bool is_key_ = false;
  bool is_announced_ = false;
};

extern "C" {

DocumentChecker *document_checker_create(void) { return new (std::nothrow) DocumentChecker(); }

void document_checker_destroy(DocumentChecker *checker) { delete checker; }

void document_checker_reset(DocumentChecker *checker) { checker->reset(); }

DocumentStep document_checker_feed(
    DocumentChecker *checker, const uint8_t *bytes, size_t length, int32_t mark_depth) {
  return checker->feed(bytes, length, mark_depth);
}

DocumentProblem document_checker_finish(DocumentChecker *checker) { return checker->finish(); }

DocumentProblem document_checker_problem(const DocumentChecker *checker) { return checker->problem(); }

uint64_t document_checker_offset(const DocumentChecker *checker) { return checker->offset(); }

uint64_t document_checker_line(const DocumentChecker *checker) { return checker->line(); }

}  // extern "C"
