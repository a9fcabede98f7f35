// The names of the contract's fields: the one table that a new field is added to.
#pragma once

#include <array>
#include <cstring>
#include <string_view>

#include "EventScanner.h"

namespace scanner {

/// Whether two short names of the same length, two bytes or more, are the same: a call of memcmp takes longer than this.
inline bool equal_names(const char *left, const uint8_t *right, size_t length) noexcept {
  const auto word = [](const void *bytes) noexcept {
    uint64_t value = 0;
    std::memcpy(&value, bytes, 8);
    return value;
  };
  if (length >= 8) {
    for (size_t at = 0; at + 8 < length; at += 8) {
      if (word(left + at) != word(right + at)) { return false; }
    }
    return word(left + length - 8) == word(right + length - 8);
  }
  for (size_t at = 0; at < length; at += 1) {
    if (static_cast<uint8_t>(left[at]) != right[at]) { return false; }
  }
  return true;
}

struct FieldName {
  std::string_view name;
  ScannedField field;
};

inline constexpr FieldName event_names[] = {
    {"type", ScannedFieldType},
    {"session_id", ScannedFieldSessionID},
    {"seq", ScannedFieldSeq},
    {"at", ScannedFieldAt},
    {"page_index", ScannedFieldPageIndex},
    {"page_count", ScannedFieldPageCount},
    {"reason", ScannedFieldReason},
    {"content_code", ScannedFieldContentCode},
    {"source", ScannedFieldSource},
    {"error", ScannedFieldError},
    {"action", ScannedFieldAction},
    {"category_id", ScannedFieldCategoryID},
    {"button_id", ScannedFieldButtonID},
    {"context", ScannedFieldContext},
    {"page", ScannedFieldPage},
    {"pages", ScannedFieldPages},
    // Not an event's: it tells a batch from an event.
    {"events", ScannedFieldEvents},
};

inline constexpr FieldName context_names[] = {
    {"story_id", ScannedFieldStoryID},
    {"message_hash", ScannedFieldMessageHash},
    {"message_id", ScannedFieldMessageID},
    {"campaign_id", ScannedFieldCampaignID},
    {"device_id", ScannedFieldDeviceID},
    {"user_id", ScannedFieldUserID},
    {"app_version", ScannedFieldAppVersion},
    {"os_version", ScannedFieldOSVersion},
    {"device_model", ScannedFieldDeviceModel},
    {"locale", ScannedFieldLocale},
    {"sdk_version", ScannedFieldSDKVersion},
    {"environment", ScannedFieldEnvironment},
    {"properties", ScannedFieldProperties},
};

inline constexpr FieldName page_names[] = {
    {"image_url", ScannedFieldImageURL},
    {"title", ScannedFieldTitle},
    {"subtitle", ScannedFieldSubtitle},
    {"link", ScannedFieldLink},
    {"button_title", ScannedFieldButtonTitle},
    {"key", ScannedFieldKey},
    {"duration", ScannedFieldDuration},
    {"payload_index", ScannedFieldPayloadIndex},
};

inline constexpr FieldName batch_names[] = {
    {"events", ScannedFieldEvents},
    {"context", ScannedFieldContext},
    {"sent_at", ScannedFieldSentAt},
    {"received_at", ScannedFieldReceivedAt},
    {"dropped_events_total", ScannedFieldDroppedEventsTotal},
};

/// Finds a field by its name with one look and one comparison: the table is laid out at compile time so that no two names
/// fall on the same place.
template <size_t Count>
class FieldTable {
public:
  constexpr explicit FieldTable(const FieldName (&names)[Count]) : places_{} {
    for (uint32_t factor = 1; factor < 1024; factor += 1) {
      if (lay_out(names, factor)) { return; }
    }
    places_ = {};
    factor_ = 0;  // is_complete() is false: a static_assert stops the build
  }

  constexpr bool is_complete() const { return factor_ != 0; }

  /// The field of this name, or null.
  const FieldName *find(const uint8_t *name, size_t length) const noexcept {
    if (length < 2 || length > longest_) { return nullptr; }
    const FieldName &candidate = places_[place(factor_, name[0], name[length - 1], length)];
    if (candidate.name.size() != length || !equal_names(candidate.name.data(), name, length)) { return nullptr; }
    return &candidate;
  }

private:
  static constexpr size_t place(uint32_t factor, uint32_t first, uint32_t last, size_t length) {
    return (first * factor + last * 7 + static_cast<uint32_t>(length) * 31) % 64;
  }

  constexpr bool lay_out(const FieldName (&names)[Count], uint32_t factor) {
    places_ = {};
    for (const FieldName &name : names) {
      const auto first = static_cast<uint8_t>(name.name.front());
      const auto last = static_cast<uint8_t>(name.name.back());
      FieldName &target = places_[place(factor, first, last, name.name.size())];
      if (!target.name.empty()) { return false; }
      target = name;
      if (name.name.size() > longest_) { longest_ = name.name.size(); }
    }
    factor_ = factor;
    return true;
  }

  std::array<FieldName, 64> places_;
  uint32_t factor_ = 0;
  size_t longest_ = 0;
};

inline constexpr FieldTable event_fields{event_names};
inline constexpr FieldTable context_fields{context_names};
inline constexpr FieldTable page_fields{page_names};
inline constexpr FieldTable batch_fields{batch_names};
static_assert(event_fields.is_complete() && context_fields.is_complete());
static_assert(page_fields.is_complete() && batch_fields.is_complete());

}  // namespace scanner
