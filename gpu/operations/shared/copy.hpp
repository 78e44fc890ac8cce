// SPDX-License-Identifier: Apache-2.0
// Copies of columns between matrices.
#pragma once

#include "gpu/pass.hpp"

namespace seedbed::gpu {

// Columns of a matrix f32 [rows, row]: those from `begin` on.
struct Columns {
    Slice slice;
    std::uint32_t begin = 0, row = 0;
};

// Copies `width` columns of `rows` rows, or adds them if `add` is 1.
void copyColumns(Pass& pass, const Columns& from, const Columns& to, std::uint32_t width, std::uint32_t rows,
                 std::uint32_t add = 0);

}  // namespace seedbed::gpu
