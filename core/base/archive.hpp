// SPDX-License-Identifier: Apache-2.0
// Exact binary serialisation of small state: environments, schedules, random streams. One function serves
// both directions.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

// `archive(field)` appends the field when saving and reads it when loading, in the same order.
//
// Input that is too short sets failed() and leaves the remaining fields unchanged. Sizes read from the input
// are checked against the remaining bytes before anything is allocated. Thread: one owner at a time.
class Archive {
public:
    static Archive saving() { return Archive(true, {}); }
    static Archive loading(std::vector<std::uint8_t> bytes) { return Archive(false, std::move(bytes)); }

    bool isLoading() const { return !saving_; }
    bool failed() const { return failed_; }
    // After loading: fails if the input was too short or has bytes left over.
    Result<> finish() const;
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    // Reserves memory for `more` bytes.
    void reserve(std::size_t more) { bytes_.reserve(bytes_.size() + more); }
    // Moves the saved bytes out.
    std::vector<std::uint8_t> take() && { return std::move(bytes_); }

    template <class T>
        requires std::is_trivially_copyable_v<T> && (!std::is_pointer_v<T>)
    Archive& operator()(T& value) {
        raw(&value, sizeof(T));
        return *this;
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    Archive& operator()(std::vector<T>& values) {
        std::uint64_t count = values.size();
        if (!size(count, sizeof(T))) return *this;
        if (!saving_) values.resize(count);
        raw(values.data(), count * sizeof(T));
        return *this;
    }
    Archive& operator()(std::string& text);
    // Saves or loads `bytes` bytes of the caller's memory.
    void raw(void* data, std::size_t bytes);

private:
    Archive(bool saving, std::vector<std::uint8_t> bytes) : saving_(saving), bytes_(std::move(bytes)) {}
    bool size(std::uint64_t& count, std::size_t element_bytes);

    bool saving_;
    bool failed_ = false;
    std::size_t read_ = 0;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace seedbed
