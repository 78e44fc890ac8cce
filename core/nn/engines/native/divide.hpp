// SPDX-License-Identifier: Apache-2.0
// Divides an operation among the threads of a pool when a call has few rows.
#pragma once

#include <algorithm>
#include <functional>

#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

// Minimum number of multiply-adds per piece. Passing work to a thread and waiting for it takes one or two
// microseconds; this many multiply-adds take about three.
constexpr double kWorthDividing = 256 * 1024;

// The number of pieces into which the work on one row is divided.
inline int piecesOfRow(const Work& work, double multiply_adds) {
    if (work.pool == nullptr || work.pass.rows >= work.pool->threads() ||
        multiply_adds * work.pass.rows < kWorthDividing)
        return 1;
    return (work.pool->threads() + work.pass.rows - 1) / work.pass.rows;
}

// Calls body(row, begin, end) for all rows and `pieces` parts of [0, units) per row, with boundaries at
// multiples of `grain`.
template <class Body>
void divide(Work& work, int pieces, int units, int grain, const Body& body) {
    if (pieces == 1) {
        for (int row = 0; row < work.pass.rows; ++row) body(row, 0, units);
        return;
    }
    const int grains = (units + grain - 1) / grain;
    const auto border = [&](int piece) { return std::min(units, grains * piece / pieces * grain); };
    const auto part = [&](std::size_t i, int) -> Result<> {
        const int row = static_cast<int>(i) / pieces, piece = static_cast<int>(i) % pieces;
        if (border(piece) < border(piece + 1)) body(row, border(piece), border(piece + 1));
        return {};
    };
    // The body is passed by reference, so that nothing is allocated. It cannot fail.
    const Result<> done = work.pool->run(
        static_cast<std::size_t>(work.pass.rows) * static_cast<std::size_t>(pieces), std::ref(part));
    SEEDBED_CHECK(done.has_value(), "a part of an operation failed");
}

}  // namespace seedbed::native
