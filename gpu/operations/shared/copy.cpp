// SPDX-License-Identifier: Apache-2.0
#include "gpu/operations/shared/copy.hpp"

namespace seedbed::gpu {

void copyColumns(Pass& pass, const Columns& from, const Columns& to, std::uint32_t width, std::uint32_t rows,
                 std::uint32_t add) {
    struct Push {
        std::uint32_t rows, width, from_begin, from_row, to_begin, to_row, add;
    };
    pass.dispatch("copy_columns", {from.slice, to.slice},
                  Push{rows, width, from.begin, from.row, to.begin, to.row, add},
                  std::uint64_t{rows} * width);
}

}  // namespace seedbed::gpu
