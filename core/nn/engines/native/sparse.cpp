// SPDX-License-Identifier: Apache-2.0
// Linear layers on planes of bits: the observation becomes a list of ones once, for all networks' trunks, forward and backward.
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

namespace {

// Appends the ones of `count` bytes at `bytes`.
std::int32_t* appendOnes(const std::uint8_t* bytes, std::size_t count, std::int32_t* to) {
    std::size_t i = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; i + 8 <= count; i += 8) {
            std::uint64_t word;
            std::memcpy(&word, bytes + i, sizeof word);
            while (word != 0) {
                const int shift = std::countr_zero(word) & ~7;
                const auto times = static_cast<std::uint8_t>(word >> shift);
                for (int n = 0; n < times; ++n) *to++ = static_cast<std::int32_t>(i) + shift / 8;
                word &= ~(std::uint64_t{0xff} << shift);
            }
        }
    }
    for (; i < count; ++i)
        for (int n = 0; n < bytes[i]; ++n) *to++ = static_cast<std::int32_t>(i);
    return to;
}

SparseRows sparseRows(Work& work, const PlanOp& op) {
    const Ones& ones = work.ones[static_cast<std::size_t>(op.inputs[0])];
    return {.rows = work.pass.rows,
            .n = work.pass.size(op.output),
            .k = work.pass.xSize(op),
            .begin = ones.begin.data(),
            .index = ones.index.data()};
}

}  // namespace

void listOnes(Work& work, const PlanOp& input) {
    Ones& ones = work.ones[static_cast<std::size_t>(input.output)];
    const auto size = static_cast<std::size_t>(work.pass.size(input.output)), rows = static_cast<std::size_t>(work.pass.rows);
    if (ones.begin.size() < rows + 1) ones.begin.resize(rows + 1);
    const std::uint8_t* bytes = work.pass.panel->obs[static_cast<std::size_t>(input.leaf)];
    std::size_t filled = 0;
    for (std::size_t row = 0; row < rows; ++row, bytes += size) {
        // Room for bits; a byte above 1, which no bound of the space allows, needs more.
        std::size_t room = size;
        for (std::size_t i = 0; i < size; ++i) room += bytes[i] & 0xfe;
        if (ones.index.size() < filled + room) ones.index.resize(std::max(filled + room, size * rows));
        ones.begin[row] = static_cast<std::int32_t>(filled);
        filled = static_cast<std::size_t>(appendOnes(bytes, size, ones.index.data() + filled) - ones.index.data());
    }
    ones.begin[rows] = static_cast<std::int32_t>(filled);
}

void forwardSparse(Work& work, const PlanOp& op) {
    SparseRows s = sparseRows(work, op);
    s.b = work.packedWeight(op, 0), s.bias = work.pass.weight(op, 1), s.activation = op.activation;
    s.c = work.y(op).data, s.c_row = work.y(op).stride;
    work.kernels->sparseForward(s);
}

void addSparseWeightGradient(Work& work, const PlanOp& op, View dy) {
    SparseRows s = sparseRows(work, op);
    s.dy = dy.data, s.dy_row = dy.stride;
    s.d = reference::Pass<float>::grown(work.scratch, static_cast<std::size_t>(s.k) * static_cast<std::size_t>(s.n));
    std::fill_n(s.d, static_cast<std::ptrdiff_t>(s.k) * s.n, 0.0f);
    work.kernels->sparseBackward(s);
    work.kernels->turn(s.k, s.n, s.d, s.n, work.pass.weightGradient(op, 0), s.k, true);
}

}  // namespace seedbed::native
