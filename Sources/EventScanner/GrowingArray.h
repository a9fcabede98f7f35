// An array that grows without exceptions: std::vector would throw where memory runs out, and nothing may throw across the C
// border.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace scanner {

template <typename Element>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<Element>);

public:
  GrowingArray() noexcept = default;
  GrowingArray(const GrowingArray &) = delete;
  GrowingArray &operator=(const GrowingArray &) = delete;
  ~GrowingArray() { std::free(items_); }

  /// Appends; false when there is no memory.
  bool push(const Element &element) noexcept {
    if (count_ == capacity_ && !reserve(capacity_ == 0 ? 64 : capacity_ * 2)) { return false; }
    items_[count_++] = element;
    return true;
  }

  /// Makes room for this many in all; false when there is no memory.
  bool reserve(size_t capacity) noexcept {
    if (capacity <= capacity_) { return true; }
    void *larger = std::realloc(items_, capacity * sizeof(Element));
    if (larger == nullptr) { return false; }
    items_ = static_cast<Element *>(larger);
    capacity_ = capacity;
    return true;
  }

  /// Forgets the elements from this one on.
  void truncate(size_t count) noexcept { count_ = count; }

  /// Forgets all, and frees the memory where it holds more than this many.
  void reset(size_t maximum_capacity) noexcept {
    count_ = 0;
    if (capacity_ > maximum_capacity) {
      std::free(items_);
      items_ = nullptr;
      capacity_ = 0;
    }
  }

  Element *data() noexcept { return items_; }
  const Element *data() const noexcept { return items_; }
  size_t size() const noexcept { return count_; }
  Element &operator[](size_t index) noexcept { return items_[index]; }
  const Element &operator[](size_t index) const noexcept { return items_[index]; }

private:
  Element *items_ = nullptr;
  size_t count_ = 0;
  size_t capacity_ = 0;
};

/// One bit for each open container: set for an object.
class ContainerStack {
public:
  /// Opens one; false when there is no memory.
  bool push(bool is_object) noexcept {
    const size_t word = depth_ / 64;
    if (word == words_.size() && !words_.push(0)) { return false; }
    const uint64_t bit = uint64_t{1} << (depth_ % 64);
    words_[word] = is_object ? words_[word] | bit : words_[word] & ~bit;
    depth_ += 1;
    return true;
  }

  /// Closes the innermost.
  void pop() noexcept { depth_ -= 1; }

  /// Whether the innermost is an object; not when none is open.
  bool is_object() const noexcept { return words_[(depth_ - 1) / 64] >> ((depth_ - 1) % 64) & 1; }

  size_t depth() const noexcept { return depth_; }

  /// Closes all, and frees the memory where it holds more than this many words.
  void reset(size_t maximum_words) noexcept {
    depth_ = 0;
    words_.reset(maximum_words);
  }

private:
  GrowingArray<uint64_t> words_;
  size_t depth_ = 0;
};

}  // namespace scanner
