// SPDX-License-Identifier: Apache-2.0
#include "core/algo/forced_rows.hpp"

#include <algorithm>

namespace seedbed {

bool allowsOneAction(const Spaces& spaces, const std::uint8_t* mask) {
    for (const ActionLeaf& leaf : spaces.actions) {
        if (leaf.kind != ActionLeaf::Kind::discrete) return false;
        if (leaf.n - std::count(mask, mask + leaf.n, std::uint8_t{0}) != 1) return false;
        mask += leaf.n;
    }
    return true;
}

void ForcedRows::find(Batch& batch, const Spaces& spaces) {
    const auto columns = static_cast<std::size_t>(batch.columns),
               bytes = static_cast<std::size_t>(batch.mask_bytes);
    forced_.assign(static_cast<std::size_t>(batch.rows()), 0);
    open_.resize(columns);
    for (std::size_t column = 0; column < columns; ++column)
        open_[column] = allowsOneAction(spaces, &batch.last_mask[column * bytes]) ? 1 : 0;
    for (std::size_t row = forced_.size(); row-- > 0;) {
        std::uint8_t& open = open_[row % columns];
        if (batch.valid[row] == 0) {
            open = 1;  // the mask of an extra row is cleared
            continue;
        }
        if (batch.discount[row] == 0) open = 0;
        if (allowsOneAction(spaces, &batch.mask[row * bytes])) {
            forced_[row] = 1;
            continue;
        }
        if (open != 0 || row + columns >= forced_.size()) batch.valid[row] = 0;
        open = 0;
    }
}

void ForcedRows::fill(const ReturnInput& input, float* value) const {
    const auto columns = static_cast<std::size_t>(input.columns);
    for (std::size_t row = forced_.size(); row-- > 0;) {
        if (forced_[row] == 0) continue;
        const std::size_t next = row + columns;
        const double after = next < forced_.size() ? value[next] : input.last_value[next - forced_.size()];
        value[row] = static_cast<float>(input.reward[row] + input.gamma * input.discount[row] * after);
    }
}

void ForcedRows::exclude(Batch& batch) const {
    for (std::size_t row = 0; row < forced_.size(); ++row)
        if (forced_[row] != 0) batch.valid[row] = 0;
}

}  // namespace seedbed
