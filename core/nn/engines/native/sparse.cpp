// SPDX-License-Identifier: Apache-2.0
#include "core/nn/engines/native/sparse.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace seedbed::native {

namespace {

// Bit i of the result is the lowest bit of byte i: the multiplication collects these bits without carries.
std::uint64_t lowBits(std::uint64_t word) {
    return ((word & 0x0101010101010101u) * 0x0102040810204080u) >> 56;
}

// Appends the indices of the nonzero bytes among the `count` bytes at `bytes`, each 0 or 1.
std::int32_t* appendBits(const std::uint8_t* bytes, std::size_t count, std::int32_t* to) {
    std::size_t i = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; i + 64 <= count; i += 64) {
            std::uint64_t word[8], bits = 0;
            std::memcpy(word, bytes + i, sizeof word);
            for (int b = 0; b < 8; ++b) bits |= lowBits(word[b]) << (8 * b);
            for (; bits != 0; bits &= bits - 1) *to++ = static_cast<std::int32_t>(i) + std::countr_zero(bits);
        }
    }
    // Writes before testing the value, so that no branch depends on the observation.
    for (; i < count; ++i) {
        *to = static_cast<std::int32_t>(i);
        to += bytes[i];
    }
    return to;
}

// As above, for bytes of any value.
std::int32_t* appendOnes(const std::uint8_t* bytes, std::size_t count, std::int32_t* to) {
    for (std::size_t i = 0; i < count; ++i)
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
    const auto size = static_cast<std::size_t>(work.pass.size(input.output)),
               rows = static_cast<std::size_t>(work.pass.rows);
    if (ones.begin.size() < rows + 1) ones.begin.resize(rows + 1);
    const std::uint8_t* bytes = work.pass.panel->obs[static_cast<std::size_t>(input.leaf)];
    std::size_t filled = 0;
    for (std::size_t row = 0; row < rows; ++row, bytes += size) {
        std::uint8_t any = 0;
        for (std::size_t i = 0; i < size; ++i) any |= bytes[i];
        // A byte above 1 is not a valid observation, but it would need more than one entry.
        const std::size_t room = any > 1 ? size * any + 1 : size + 1;
        if (ones.index.size() < filled + room) ones.index.resize(std::max(filled + room, (size + 1) * rows));
        ones.begin[row] = static_cast<std::int32_t>(filled);
        std::int32_t* to = ones.index.data() + filled;
        filled = static_cast<std::size_t>(
            (any > 1 ? appendOnes(bytes, size, to) : appendBits(bytes, size, to)) - ones.index.data());
    }
    ones.begin[rows] = static_cast<std::int32_t>(filled);
}

void forwardSparse(Work& work, const PlanOp& op) {
    SparseRows s = sparseRows(work, op);
    s.b = work.packedWeight(op, 0);
    s.bias = work.pass.weight(op, 1);
    s.activation = op.activation;
    s.c = work.y(op).data;
    s.c_row = work.y(op).stride;
    work.kernels->sparseForward(s);
}

void addSparseWeightGradient(Work& work, const PlanOp& op, View dy) {
    SparseRows s = sparseRows(work, op);
    s.dy = dy.data;
    s.dy_row = dy.stride;
    s.d = reference::Pass<float>::grown(work.scratch,
                                        static_cast<std::size_t>(s.k) * static_cast<std::size_t>(s.n));
    std::fill_n(s.d, static_cast<std::ptrdiff_t>(s.k) * s.n, 0.0f);
    work.kernels->sparseBackward(s);
    work.kernels->transpose(s.k, s.n, s.d, s.n, work.pass.weightGradient(op, 0), s.k, true);
}

}  // namespace seedbed::native
