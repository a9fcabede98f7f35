// The walk over a text, its batch and its events. See EventScanner.h.

#include "EventScanner.h"

#include <simdjson.h>

#include <memory>
#include <new>

#include "FieldNames.h"
#include "GrowingArray.h"
#include "NameSet.h"
#include "StructureWalker.h"

using namespace scanner;

namespace {

/// After a larger text than usual, memory beyond these is given back.
constexpr size_t kept_text_bytes = 512 * 1024;
constexpr size_t kept_values = 128 * 1024;
constexpr size_t kept_events = 16 * 1024;

using ValueList = GrowingArray<ScannedValue>;

/// Names seen in one object: a bit for each field. (Fields are fewer than 64.)
static_assert(ScannedFieldEvents < 64);
uint64_t bit(ScannedField field) noexcept { return uint64_t{1} << static_cast<unsigned>(field); }

}  // namespace

struct EventScanner {
public:
  const ScannedText *scan(const uint8_t *text, size_t length, uint32_t event_limit) noexcept {
    result_ = ScannedText{};
    events_.reset(kept_events);
    values_.reset(kept_values);
    batch_values_.reset(kept_values);
    event_limit_ = event_limit;
    result_.status = list_tokens(text, length);
    if (result_.status == ScanStatusWellFormed && !scan_root()) {
      result_.status = walker_.out_of_memory() || out_of_memory_ ? ScanStatusOutOfMemory : ScanStatusMalformed;
    }
    result_.events = events_.data();
    result_.values = values_.data();
    result_.batch_values = batch_values_.data();
    result_.event_count = static_cast<uint32_t>(events_.size());
    result_.batch_value_count = static_cast<uint32_t>(batch_values_.size());
    return &result_;
  }

private:
  // ---- Tokens

  ScanStatus list_tokens(const uint8_t *text, size_t length) noexcept {
    if (length > event_scanner_maximum_length) { return ScanStatusMalformed; }
    if (!reserve(length)) { return ScanStatusOutOfMemory; }
    if (length == 0 || parser_->stage1(text, length, simdjson::stage1_mode::regular) != simdjson::SUCCESS) {
      return ScanStatusMalformed;
    }
    const uint32_t count = parser_->n_structural_indexes;
    parser_->structural_indexes[count] = static_cast<uint32_t>(length);
    walker_.start(text, static_cast<uint32_t>(length), parser_->structural_indexes.get(), count);
    unescaped_.truncate(0);
    unescaped_used_ = 0;
    text_length_ = length;
    return ScanStatusWellFormed;
  }

  /// Makes the parser large enough, and smaller again after a text that was larger than usual.
  bool reserve(size_t length) noexcept {
    size_t capacity = length < kept_text_bytes ? kept_text_bytes : length;
    if (parser_ == nullptr) {
      const auto *implementation = static_cast<const simdjson::implementation *>(simdjson::get_active_implementation());
      return implementation->create_dom_parser_implementation(capacity, 1, parser_) == simdjson::SUCCESS;
    }
    if (parser_->capacity() == capacity || (parser_->capacity() > length && length >= kept_text_bytes)) { return true; }
    if (unescaped_capacity_ > kept_text_bytes) {
      unescaped_.reset(0);
      unescaped_capacity_ = 0;
    }
    return parser_->allocate(capacity, 1) == simdjson::SUCCESS;
  }

  // ---- Texts

  bool fail_for_memory() noexcept {
    out_of_memory_ = true;
    return false;
  }

  /// Where the contents of a string stand, unescaped.
  bool contents(const uint8_t *begin, const uint8_t *end, bool has_escapes, ScannedValue &value) noexcept {
    value.has_nul = false;
    value.has_lone_surrogate = false;
    if (!has_escapes) {
      value.bytes = begin;
      value.length = static_cast<uint32_t>(end - begin);
      return true;
    }
    // All strings of a text together never need more than the text is long, so pointers into this memory stay valid.
    if (unescaped_capacity_ < text_length_) {
      if (!unescaped_.reserve(text_length_)) { return fail_for_memory(); }
      unescaped_capacity_ = text_length_;
    }
    uint8_t *output = unescaped_.data() + unescaped_used_;
    const UnescapedText text = unescape(begin, end, output);
    unescaped_used_ += text.length;
    value.bytes = output;
    value.length = static_cast<uint32_t>(text.length);
    value.has_nul = text.has_nul;
    value.has_lone_surrogate = text.has_lone_surrogate;
    return true;
  }

  bool take_key(ScannedValue &key) noexcept {
    StringToken token{};
    if (!walker_.take_string(token) || !walker_.take(':')) { return false; }
    return contents(token.begin, token.end, token.has_escapes, key);
  }

  // ---- Values

  bool add(ValueList &list, const ScannedValue &value) noexcept { return list.push(value) || fail_for_memory(); }

  /// A mark for a container that comes next; `finish` completes it.
  bool add_mark(ValueList &list, ScannedField field, ScannedKind kind, size_t &mark) noexcept {
    mark = list.size();
    return add(list, ScannedValue{walker_.begin(), 0, field, kind, false, false});
  }

  void finish(ValueList &list, size_t mark, const uint8_t *end) noexcept {
    list[mark].length = static_cast<uint32_t>(end - list[mark].bytes);
  }

  bool add_token(ValueList &list, ScannedField field, const ValueToken &token) noexcept {
    ScannedValue value{token.begin, static_cast<uint32_t>(token.end - token.begin), field, token.kind, false, false};
    if (token.kind == ScannedKindString && !contents(token.begin, token.end, token.has_escapes, value)) { return false; }
    return add(list, value);
  }

  /// Takes a value that stands at this level (an event's own fields: 1) and lists it unless it is null.
  bool take_value(ValueList &list, ScannedField field, uint32_t level) noexcept {
    ValueToken token{};
    if (!walker_.take_value(token)) { return false; }
    deepen(level + token.depth);
    return token.kind == ScannedKindNull || add_token(list, field, token);
  }

  bool skip_value(uint32_t level) noexcept {
    ValueToken token{};
    if (!walker_.take_value(token)) { return false; }
    deepen(level + token.depth);
    return true;
  }

  void deepen(uint32_t depth) noexcept {
    if (depth > depth_) { depth_ = depth; }
  }

  void note_duplicate(const ScannedValue &name) noexcept {
    if (duplicate_name_ != nullptr) { return; }
    duplicate_name_ = name.bytes;
    duplicate_length_ = name.length;
  }

  bool note(uint64_t &seen, ScannedField field, const ScannedValue &name) noexcept {
    const bool repeated = (seen & bit(field)) != 0;
    if (repeated) { note_duplicate(name); }
    seen |= bit(field);
    return !repeated;
  }

  /// Takes an object; `member` takes each value.
  template <typename Member>
  bool take_object(Member member) noexcept {
    if (!walker_.take('{')) { return false; }
    if (walker_.take('}')) { return true; }
    while (true) {
      ScannedValue key{};
      if (!take_key(key) || !member(key)) { return false; }
      if (walker_.take(',')) { continue; }
      return walker_.take('}');
    }
  }

  /// Takes an array; `element` takes each value.
  template <typename Element>
  bool take_array(Element element) noexcept {
    if (!walker_.take('[')) { return false; }
    if (walker_.take(']')) { return true; }
    while (true) {
      if (!element()) { return false; }
      if (walker_.take(',')) { continue; }
      return walker_.take(']');
    }
  }

  // ---- What the contract names

  /// `level` is that of the object that `context` is a field of.
  bool take_context(ValueList &list, uint32_t level) noexcept {
    if (walker_.peek() != '{') { return take_value(list, ScannedFieldContext, level); }
    size_t mark = 0;
    if (!add_mark(list, ScannedFieldContext, ScannedKindObject, mark)) { return false; }
    deepen(level + 1);
    uint64_t seen = 0;
    const bool taken = take_object([&](const ScannedValue &key) noexcept {
      const FieldName *name = context_fields.find(key.bytes, key.length);
      if (name == nullptr || !note(seen, name->field, key)) { return skip_value(level + 1); }
      if (name->field == ScannedFieldProperties) { return take_properties(list, level + 1); }
      return take_value(list, name->field, level + 1);
    });
    if (taken) { finish(list, mark, walker_.previous_end()); }
    return taken;
  }

  bool take_properties(ValueList &list, uint32_t level) noexcept {
    if (walker_.peek() != '{') { return take_value(list, ScannedFieldProperties, level); }
    size_t mark = 0;
    if (!add_mark(list, ScannedFieldProperties, ScannedKindObject, mark)) { return false; }
    deepen(level + 1);
    names_.clear();
    const bool taken = take_object([&](ScannedValue &key) noexcept {
      switch (names_.add(key.bytes, key.length)) {
      case NameSet::Result::added: break;
      case NameSet::Result::present: note_duplicate(key); break;
      case NameSet::Result::out_of_memory: return fail_for_memory();
      }
      ValueToken token{};
      if (!walker_.take_value(token)) { return false; }
      deepen(level + 1 + token.depth);
      if (token.kind == ScannedKindNull) { return true; }
      key.field = ScannedFieldPropertyName;
      key.kind = ScannedKindString;
      return add(list, key) && add_token(list, ScannedFieldPropertyValue, token);
    });
    if (taken) { finish(list, mark, walker_.previous_end()); }
    return taken;
  }

  /// `page`, or an element of `pages`.
  bool take_page(ValueList &list, ScannedField field, uint32_t level) noexcept {
    if (walker_.peek() != '{') {
      ValueToken token{};
      if (!walker_.take_value(token)) { return false; }
      deepen(level + token.depth);
      // A null among `pages` keeps its place, so that the next one has the right index.
      if (token.kind == ScannedKindNull && field == ScannedFieldPage) { return true; }
      return add_token(list, field, token);
    }
    size_t mark = 0;
    if (!add_mark(list, field, ScannedKindObject, mark)) { return false; }
    deepen(level + 1);
    uint64_t seen = 0;
    const bool taken = take_object([&](const ScannedValue &key) noexcept {
      const FieldName *name = page_fields.find(key.bytes, key.length);
      if (name == nullptr || !note(seen, name->field, key)) { return skip_value(level + 1); }
      return take_value(list, name->field, level + 1);
    });
    if (taken) { finish(list, mark, walker_.previous_end()); }
    return taken;
  }

  bool take_pages(ValueList &list, uint32_t level) noexcept {
    if (walker_.peek() != '[') { return take_value(list, ScannedFieldPages, level); }
    size_t mark = 0;
    if (!add_mark(list, ScannedFieldPages, ScannedKindArray, mark)) { return false; }
    deepen(level + 1);
    const bool taken =
        take_array([&]() noexcept { return take_page(list, ScannedFieldPagesElement, level + 1); });
    if (taken) { finish(list, mark, walker_.previous_end()); }
    return taken;
  }

  /// What an object turned out to be.
  enum class Outcome { taken, is_batch, failed };

  /// Takes a value as an event and lists it. With `may_be_batch`, stops at a key `events` that is not null.
  Outcome take_event(bool may_be_batch) noexcept {
    ScannedEvent event{};
    event.first_value = static_cast<uint32_t>(values_.size());
    depth_ = 0;
    duplicate_name_ = nullptr;
    duplicate_length_ = 0;
    if (walker_.peek() != '{') {
      ValueToken token{};
      if (!walker_.take_value(token)) { return Outcome::failed; }
      const bool is_string = token.kind == ScannedKindString;
      event.bytes = token.begin - (is_string ? 1 : 0);
      event.length = static_cast<uint32_t>(token.end - token.begin) + (is_string ? 2 : 0);
      event.kind = token.kind;
      event.depth = token.depth;
      return events_.push(event) || fail_for_memory() ? Outcome::taken : Outcome::failed;
    }
    event.bytes = walker_.begin();
    event.kind = ScannedKindObject;
    depth_ = 1;
    uint64_t seen = 0;
    bool is_batch = false;
    const bool taken = take_object([&](const ScannedValue &key) noexcept {
      const FieldName *name = event_fields.find(key.bytes, key.length);
      if (name == nullptr) { return skip_value(1); }
      if (name->field == ScannedFieldEvents) {
        is_batch = may_be_batch && walker_.peek() != 'n';
        return !is_batch && skip_value(1);
      }
      if (!note(seen, name->field, key)) { return skip_value(1); }
      switch (name->field) {
      case ScannedFieldContext: return take_context(values_, 1);
      case ScannedFieldPage: return take_page(values_, ScannedFieldPage, 1);
      case ScannedFieldPages: return take_pages(values_, 1);
      default: return take_value(values_, name->field, 1);
      }
    });
    if (is_batch) { return Outcome::is_batch; }
    if (!taken) { return Outcome::failed; }
    event.length = static_cast<uint32_t>(walker_.previous_end() - event.bytes);
    event.value_count = static_cast<uint32_t>(values_.size()) - event.first_value;
    event.depth = depth_;
    event.duplicate_name = duplicate_name_;
    event.duplicate_length = duplicate_length_;
    return events_.push(event) || fail_for_memory() ? Outcome::taken : Outcome::failed;
  }

  /// Takes an array of events.
  bool take_events() noexcept {
    return take_array([&]() noexcept {
      result_.event_total += 1;
      if (events_.size() >= event_limit_) { return skip_value(1); }
      return take_event(false) == Outcome::taken;
    });
  }

  /// Takes an object as a batch; `is_batch` says whether it had `events`.
  bool take_batch(bool &is_batch) noexcept {
    uint64_t seen = 0;
    const uint8_t *duplicate = nullptr;
    uint32_t duplicate_length = 0;
    is_batch = false;
    result_.shape = ScannedShapeBatch;
    const bool taken = take_object([&](const ScannedValue &key) noexcept {
      const FieldName *name = batch_fields.find(key.bytes, key.length);
      if (name == nullptr) { return skip_value(1); }
      const bool repeated = (seen & bit(name->field)) != 0;
      seen |= bit(name->field);
      if (name->field == ScannedFieldEvents) {
        if (walker_.peek() == 'n') { return skip_value(1); }
        const bool is_second = is_batch;
        is_batch = true;
        if (walker_.peek() == '[' && !is_second) {
          result_.events_kind = ScannedKindArray;
          return take_events();
        }
        ValueToken token{};
        if (!walker_.take_value(token)) { return false; }
        result_.events_kind = is_second ? ScannedKindArray : token.kind;
        result_.shape = ScannedShapeBadBatch;
        return true;
      }
      if (name->field == ScannedFieldContext) {
        duplicate_name_ = nullptr;
        duplicate_length_ = 0;
        if (repeated) { note_duplicate(key); }
        const bool context_taken = repeated ? skip_value(1) : take_context(batch_values_, 1);
        if (duplicate == nullptr && duplicate_name_ != nullptr) {
          duplicate = duplicate_name_;
          duplicate_length = duplicate_length_;
        }
        return context_taken;
      }
      // A second sent_at, received_at or dropped_events_total is listed too: the judge then uses neither.
      return take_value(batch_values_, name->field, 1);
    });
    result_.batch_duplicate_name = duplicate;
    result_.batch_duplicate_length = duplicate_length;
    return taken;
  }

  // ---- The whole text

  bool scan_root() noexcept {
    out_of_memory_ = false;
    return take_root() && walker_.at_end();
  }

  bool take_root() noexcept {
    if (walker_.peek() == '[') {
      result_.shape = ScannedShapeArray;
      return take_events();
    }
    if (walker_.peek() == '{' && begins_like_batch()) {
      bool is_batch = false;
      if (!take_batch(is_batch)) { return false; }
      if (is_batch) { return true; }
      start_over();
      return take_root_event(false);
    }
    return take_root_event(true);
  }

  bool take_root_event(bool may_be_batch) noexcept {
    switch (take_event(may_be_batch)) {
    case Outcome::failed: return false;
    case Outcome::taken:
      result_.shape = ScannedShapeEvent;
      result_.event_total = 1;
      return true;
    case Outcome::is_batch: break;
    }
    start_over();
    bool is_batch = false;
    return take_batch(is_batch);
  }

  /// Whether the first key is a batch's: which way is tried first decides speed, not the outcome.
  bool begins_like_batch() noexcept {
    StringToken key{};
    const bool taken = walker_.take('{') && walker_.take_string(key);
    const bool result =
        taken && batch_fields.find(key.begin, static_cast<size_t>(key.end - key.begin)) != nullptr;
    walker_.rewind(0);
    return result;
  }

  void start_over() noexcept {
    walker_.rewind(0);
    events_.truncate(0);
    values_.truncate(0);
    batch_values_.truncate(0);
    unescaped_used_ = 0;
    const ScannedText fresh{};
    result_ = fresh;
  }

  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser_;
  StructureWalker walker_;
  NameSet names_;
  GrowingArray<ScannedEvent> events_;
  ValueList values_;
  ValueList batch_values_;
  GrowingArray<uint8_t> unescaped_;
  size_t unescaped_capacity_ = 0;
  size_t unescaped_used_ = 0;
  size_t text_length_ = 0;
  uint32_t event_limit_ = 0;
  uint32_t depth_ = 0;
  const uint8_t *duplicate_name_ = nullptr;
  uint32_t duplicate_length_ = 0;
  bool out_of_memory_ = false;
  ScannedText result_{};
};

extern "C" {

EventScanner *event_scanner_create(void) { return new (std::nothrow) EventScanner(); }

void event_scanner_destroy(EventScanner *scanner) { delete scanner; }

const ScannedText *event_scanner_scan(EventScanner *scanner, const uint8_t *text, size_t length, uint32_t event_limit) {
  return scanner->scan(text, length, event_limit);
}

int32_t event_scanner_batch_field(const uint8_t *key, size_t length) {
  // No name is longer than this, not even with each letter written as an escape.
  uint8_t unescaped[256];
  if (length < 2 || length - 2 > sizeof(unescaped) || !escapes_are_valid(key + 1, key + length - 1)) { return -1; }
  const UnescapedText text = unescape(key + 1, key + length - 1, unescaped);
  const FieldName *name = batch_fields.find(unescaped, text.length);
  return name == nullptr ? -1 : static_cast<int32_t>(name->field);
}

bool event_scanner_is_utf8(const uint8_t *bytes, size_t length) {
  return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), length);
}

}  // extern "C"
