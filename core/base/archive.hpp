// SPDX-License-Identifier: Apache-2.0
// Exact binary save and load of small state (environments, schedules, random streams): one function serves
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

// `archive(field)` appends when saving and reads when loading, in the same order. A short or over-long input
// sets failed() and leaves the remaining fields untouched; sizes read from input are checked against what is
// left before anything is allocated.
class Archive {
public:
    static Archive saving() { return Archive(true, {}); }
    static Archive loading(std::vector<std::uint8_t> bytes) { return Archive(false, std::move(bytes)); }

    bool isLoading() const { return !saving_; }
    bool failed() const { return failed_; }
    // Loading: all bytes were read and none was missing.
    Result<> finish() const;
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    // Makes room for so many more bytes at once.
    void reserve(std::size_t more) { bytes_.reserve(bytes_.size() + more); }
    // What was saved, without a copy; the archive is spent.
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
    // Fixed-size memory owned by the caller.
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
