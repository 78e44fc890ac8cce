// SPDX-License-Identifier: Apache-2.0
// Reads and writes the binary archive.
#include "core/base/archive.hpp"

#include <limits>

#include "core/base/text.hpp"

namespace seedbed {

Result<> Archive::status() const {
    if (failed()) return fail("the saved state is invalid: " + error_);
    return {};
}

Result<> Archive::finish() const {
    SEEDBED_TRY(status());
    if (!saving_ && read_ != bytes_.size())
        return fail("the saved state has " + std::to_string(bytes_.size() - read_) +
                    " more bytes than expected");
    return {};
}

Archive& Archive::any(std::string& text) {
    std::uint64_t count = text.size();
    if (!size("text", count, 1, 0, std::numeric_limits<std::uint64_t>::max())) return *this;
    if (!saving_) text.resize(count);
    return unchecked(text.data(), count);
}

Archive& Archive::unchecked(void* data, std::size_t bytes) {
    if (failed() || bytes == 0) return *this;
    if (saving_) {
        const auto* begin = static_cast<const std::uint8_t*>(data);
        bytes_.insert(bytes_.end(), begin, begin + bytes);
        return *this;
    }
    if (bytes > bytes_.size() - read_) return require(false, "it is too short");
    std::memcpy(data, bytes_.data() + read_, bytes);
    read_ += bytes;
    return *this;
}

Archive& Archive::require(bool legal, std::string_view message) {
    if (!saving_ && !legal && !failed()) error_ = message;
    return *this;
}

bool Archive::size(const char* name, std::uint64_t& count, std::size_t element_bytes, std::uint64_t least,
                   std::uint64_t most) {
    unchecked(&count, sizeof count);
    if (failed() || saving_) return !failed();
    if (count < least || count > most) {
        rejectNumber((std::string("the size of ") + name).c_str(), static_cast<double>(count),
                     static_cast<double>(least), static_cast<double>(most));
    } else {
        // Divides instead of multiplying, so that a malicious count cannot cause an overflow.
        require(count <= (bytes_.size() - read_) / element_bytes, "it is too short");
    }
    return !failed();
}

void Archive::rejectNumber(const char* name, double number, double low, double high) {
    if (!std::isfinite(number)) {
        require(false, std::string(name) + " is not a finite number");
        return;
    }
    const std::string is = std::string(name) + " is " + formatNumber(number);
    require(false, low == high ? is + " instead of " + formatNumber(low)
                               : is + ", outside " + formatNumber(low) + " to " + formatNumber(high));
}

}  // namespace seedbed
