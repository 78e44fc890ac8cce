// SPDX-License-Identifier: Apache-2.0
// A memory plan for the work array of the C export: values that are not needed at the same time share memory.
// Internal to core/export.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace seedbed {

// First-fit allocator; sizes and offsets are in floats. Release every range once, with the offset that take()
// returned.
class WorkArray {
public:
    std::size_t take(std::size_t size) {
        std::size_t at = 0;
        auto place = taken_.begin();
        for (; place != taken_.end() && place->at < at + size; ++place) at = place->at + place->size;
        taken_.insert(place, {at, size});
        size_ = std::max(size_, at + size);
        return at;
    }
    void release(std::size_t at) {
        std::erase_if(taken_, [&](const Range& range) { return range.at == at && range.size > 0; });
    }
    std::size_t size() const { return size_; }

private:
    struct Range {
        std::size_t at, size;
    };
    std::vector<Range> taken_;  // by offset
    std::size_t size_ = 0;
};

}  // namespace seedbed
