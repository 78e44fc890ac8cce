// SPDX-License-Identifier: Apache-2.0
// Exact binary serialisation of small state: environments, schedules, random streams. One function serves
// both directions. Loaded bytes may be malicious: every number has limits, declared with the field.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

// The range of values that an archived number may have, including both limits.
template <class T>
struct Limits {
    T low, high;
};
template <class Low, class High>
constexpr Limits<std::common_type_t<Low, High>> range(Low low, High high) {
    using Both = std::common_type_t<Low, High>;
    return {static_cast<Both>(low), static_cast<Both>(high)};
}

// Every real number except NaN and infinity.
template <std::floating_point T>
inline constexpr Limits<T> kFinite{std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()};

// Numeric types for which every value is valid: bit sets, and counters never used as an index.
template <class T>
concept AnyNumber = std::same_as<T, std::uint64_t> || std::same_as<T, std::uint32_t>;

// Each function appends a field when saving and reads it when loading, in the same order.
//
// The first field that is missing or outside its limits sets failed() and, unless it is a list, keeps its
// value; later fields keep their values. Sizes are checked before memory is allocated. Saving performs no
// checks. Thread: one owner at a time.
class Archive {
public:
    static Archive saving() { return Archive(true, {}); }
    // Replaces the contents of `buffer` and uses its memory.
    static Archive savingInto(std::vector<std::uint8_t> buffer) {
        buffer.clear();
        return Archive(true, std::move(buffer));
    }
    static Archive loading(std::vector<std::uint8_t> bytes) { return Archive(false, std::move(bytes)); }

    bool isLoading() const { return !saving_; }
    bool failed() const { return !error_.empty(); }
    // Loading only: whether all bytes have been read.
    bool isAtEnd() const { return !saving_ && read_ == bytes_.size(); }
    // error: names the first field that failed.
    Result<> status() const;
    // Like status(); also fails if unread bytes remain after loading.
    Result<> finish() const;
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    // Reserves memory for `more` bytes.
    void reserve(std::size_t more) { bytes_.reserve(bytes_.size() + more); }
    // Moves the saved bytes out.
    std::vector<std::uint8_t> take() && { return std::move(bytes_); }

    // An integer, enumerator, flag or real number within `limits`; `name` is used in messages.
    template <class T, class Limit>
        requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    Archive& field(const char* name, T& value, Limits<Limit> limits) {
        // A flag is read as a byte and checked first: a bool with a value other than 0 or 1 is undefined
        // behaviour.
        using Stored = typename std::conditional_t<std::is_same_v<T, bool>, std::type_identity<std::uint8_t>,
                                                   StoredAs<T>>::type;
        auto number = static_cast<Stored>(value);
        unchecked(&number, sizeof number);
        if (saving_ || failed()) return *this;
        // Also false for NaN.
        if (number >= static_cast<Stored>(limits.low) && number <= static_cast<Stored>(limits.high))
            value = static_cast<T>(number);
        else
            rejectNumber(name, static_cast<double>(number), static_cast<double>(limits.low),
                         static_cast<double>(limits.high));
        return *this;
    }
    Archive& flag(const char* name, bool& value) { return field(name, value, range(false, true)); }
    template <class T, std::size_t kCount, class Limit>
    Archive& field(const char* name, std::array<T, kCount>& values, Limits<Limit> limits) {
        for (T& value : values) field(name, value, limits);
        return *this;
    }
    // Numbers for which every value is valid.
    template <AnyNumber... T>
    Archive& any(T&... values) {
        (unchecked(&values, sizeof values), ...);
        return *this;
    }
    template <AnyNumber T, std::size_t kCount>
    Archive& any(std::array<T, kCount>& values) {
        return unchecked(values.data(), sizeof values);
    }
    Archive& any(std::string& text);
    // Real numbers that are only displayed or recorded: NaN and infinity are valid.
    template <std::floating_point... T>
    Archive& anyReal(T&... values) {
        (unchecked(&values, sizeof values), ...);
        return *this;
    }
    // Real numbers within `limits`; their count is not stored.
    template <std::floating_point T>
    Archive& reals(const char* name, std::span<T> values, Limits<T> limits) {
        unchecked(values.data(), values.size_bytes());
        return checkAll(name, values, limits);
    }
    // The element count and at most `most` elements. The caller checks the elements; element types must not
    // have bool or enum members.
    template <class T>
        requires std::is_trivially_copyable_v<T>
    Archive& list(const char* name, std::vector<T>& values, std::uint64_t most) {
        return elements(name, values, 0, most);
    }
    // Real numbers within `limits`.
    template <std::floating_point T>
    Archive& list(const char* name, std::vector<T>& values, std::uint64_t most, Limits<T> limits) {
        return elements(name, values, 0, most).checkAll(name, std::span<const T>(values), limits);
    }
    // As above, with exactly the current number of elements.
    template <class T>
        requires std::is_trivially_copyable_v<T>
    Archive& fixed(const char* name, std::vector<T>& values) {
        return elements(name, values, values.size(), values.size());
    }
    template <std::floating_point T>
    Archive& fixed(const char* name, std::vector<T>& values, Limits<T> limits) {
        return fixed(name, values).checkAll(name, std::span<const T>(values), limits);
    }
    // Raw bytes in the caller's memory. The caller validates them after loading; environments use the checked
    // functions above.
    Archive& unchecked(void* data, std::size_t bytes);
    // When loading, fails with `message` unless `legal` is true.
    Archive& require(bool legal, std::string_view message);

private:
    template <class T>
    struct StoredAs : std::type_identity<T> {};
    template <class T>
        requires std::is_enum_v<T>
    struct StoredAs<T> : std::underlying_type<T> {};

    Archive(bool saving, std::vector<std::uint8_t> bytes) : saving_(saving), bytes_(std::move(bytes)) {}
    template <class T>
    Archive& elements(const char* name, std::vector<T>& values, std::uint64_t least, std::uint64_t most) {
        std::uint64_t count = values.size();
        if (!size(name, count, sizeof(T), least, most)) return *this;
        if (!saving_) values.resize(count);
        return unchecked(values.data(), count * sizeof(T));
    }
    template <class T>
    Archive& checkAll(const char* name, std::span<T> values, Limits<std::remove_const_t<T>> limits) {
        if (saving_ || failed()) return *this;
        // Also false for NaN.
        const auto bad = std::find_if_not(values.begin(), values.end(),
                                          [&](T x) { return x >= limits.low && x <= limits.high; });
        if (bad != values.end()) rejectNumber(name, *bad, limits.low, limits.high);
        return *this;
    }
    bool size(const char* name, std::uint64_t& count, std::size_t element_bytes, std::uint64_t least,
              std::uint64_t most);
    void rejectNumber(const char* name, double number, double low, double high);

    bool saving_;
    std::string error_;
    std::size_t read_ = 0;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace seedbed
