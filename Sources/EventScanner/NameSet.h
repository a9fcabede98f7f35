// Finds the first name that stands twice among a sender's property names.
#pragma once

#include <cstdint>
#include <cstring>
#include <ctime>

#include "GrowingArray.h"

namespace scanner {

/// A set of names, reused. Its hash is keyed with the moment and the address at which it was made: no secret for
/// cryptography, but nothing that a sender is told, so that thousands of names made to collide for one key do not cost the
/// square of their number.
class NameSet {
public:
  NameSet() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    key_ = mix(static_cast<uint64_t>(now.tv_nsec) ^ 0x9E3779B97F4A7C15, reinterpret_cast<uintptr_t>(this) | 1) | 1;
  }

  /// Forgets all names.
  void clear() noexcept {
    names_.reset(64 * 1024);
    if (places_.size() > 256 * 1024) { places_.reset(0); }
    generation_ += 1;
    if (generation_ == 0) { places_.reset(0); }  // after 2³² uses, marks of old generations could seem new
  }

  enum class Result { added, present, out_of_memory };

  /// Adds a name; its bytes stay the caller's.
  Result add(const uint8_t *bytes, size_t length) noexcept {
    if ((names_.size() + 1) * 2 > places_.size() && !grow()) { return Result::out_of_memory; }
    const uint64_t hash = this->hash(bytes, length);
    Place *place = find(hash, bytes, length);
    if (place->generation == generation_) { return Result::present; }
    if (!names_.push(Name{bytes, length, hash})) { return Result::out_of_memory; }
    *place = Place{generation_, static_cast<uint32_t>(names_.size() - 1)};
    return Result::added;
  }

private:
  struct Name {
    const uint8_t *bytes;
    size_t length;
    uint64_t hash;
  };
  struct Place {
    uint32_t generation;
    uint32_t name;
  };

  static uint64_t mix(uint64_t a, uint64_t b) noexcept {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }

  uint64_t hash(const uint8_t *bytes, size_t length) const noexcept {
    uint64_t state = mix(key_ ^ length, 0xE7037ED1A0B428DB);
    for (; length >= 8; bytes += 8, length -= 8) {
      uint64_t word = 0;
      std::memcpy(&word, bytes, 8);
      state = mix(state ^ word, key_);
    }
    uint64_t word = 0;
    if (length > 0) { std::memcpy(&word, bytes, length); }
    return mix(state ^ word, key_);
  }

  /// Where the name stands, or where it would.
  Place *find(uint64_t hash, const uint8_t *bytes, size_t length) noexcept {
    const size_t mask = places_.size() - 1;
    size_t at = hash & mask;
    while (places_[at].generation == generation_) {
      const Name &name = names_[places_[at].name];
      if (name.hash == hash && name.length == length && std::memcmp(name.bytes, bytes, length) == 0) { break; }
      at = (at + 1) & mask;
    }
    return &places_[at];
  }

  bool grow() noexcept {
    const size_t larger = places_.size() == 0 ? 128 : places_.size() * 2;
    if (!places_.reserve(larger)) { return false; }
    places_.truncate(0);
    for (size_t i = 0; i < larger; i += 1) { places_.push(Place{0, 0}); }
    generation_ = 1;
    for (size_t i = 0; i < names_.size(); i += 1) {
      const Name name = names_[i];
      *find(name.hash, name.bytes, name.length) = Place{generation_, static_cast<uint32_t>(i)};
    }
    return true;
  }

  GrowingArray<Name> names_;
  GrowingArray<Place> places_;
  uint32_t generation_ = 1;
  uint64_t key_ = 0;
};

}  // namespace scanner
