// SPDX-License-Identifier: Apache-2.0
// Reading and writing of the binary archive.
#include "core/base/archive.hpp"

namespace seedbed {

Result<> Archive::finish() const {
    if (failed_) return fail("the saved state is too short or contains an invalid size");
    if (!saving_ && read_ != bytes_.size())
        return fail("the saved state has " + std::to_string(bytes_.size() - read_) +
                    " bytes more than expected");
    return {};
}

Archive& Archive::operator()(std::string& text) {
    std::uint64_t count = text.size();
    if (!size(count, 1)) return *this;
    if (!saving_) text.resize(count);
    raw(text.data(), count);
    return *this;
}

void Archive::raw(void* data, std::size_t bytes) {
    if (failed_ || bytes == 0) return;
    if (saving_) {
        const auto* begin = static_cast<const std::uint8_t*>(data);
        bytes_.insert(bytes_.end(), begin, begin + bytes);
        return;
    }
    if (bytes > bytes_.size() - read_) {
        failed_ = true;
        return;
    }
    std::memcpy(data, bytes_.data() + read_, bytes);
    read_ += bytes;
}

bool Archive::size(std::uint64_t& count, std::size_t element_bytes) {
    raw(&count, sizeof count);
    if (failed_) return false;
    // Division instead of multiplication: a malicious count must not overflow.
    if (!saving_ && count > (bytes_.size() - read_) / element_bytes) failed_ = true;
    return !failed_;
}

}  // namespace seedbed
