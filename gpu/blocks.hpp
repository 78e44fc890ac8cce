// SPDX-License-Identifier: Apache-2.0
// Tables of the parts of the parameter blob that kernels process, one block per group of invocations
// (shaders/block.glsl).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/arena.hpp"
#include "gpu/vulkan/limits.hpp"

namespace seedbed::gpu {

inline Slice sliceOf(const Region& region) {
    return {region.buffer(), region.offset(), region.bytes(), region.mapped()};
}

struct BlockTable {
    struct Block {
        std::uint32_t begin, count;  // floats
        std::uint32_t range, unused;
    };
    static constexpr std::size_t kMostFloats = 4096;

    std::vector<Block> blocks;
    Region memory;

    // The blocks of ranges of the blob: offset and floats.
    static Result<BlockTable> create(Memory& memory,
                                     const std::vector<std::pair<std::size_t, std::size_t>>& ranges) {
        BlockTable table;
        for (std::size_t range = 0; range < ranges.size(); ++range) {
            const auto [offset, floats] = ranges[range];
            for (std::size_t at = 0; at < floats; at += kMostFloats)
                table.blocks.push_back({static_cast<std::uint32_t>(offset + at),
                                        static_cast<std::uint32_t>(std::min(kMostFloats, floats - at)),
                                        static_cast<std::uint32_t>(range), 0});
        }
        const std::size_t bytes = table.blocks.size() * sizeof(Block);
        SEEDBED_ASSIGN(table.memory, memory.allocate(Pool::upload, bytes));
        std::copy_n(reinterpret_cast<const std::byte*>(table.blocks.data()), bytes, table.memory.mapped());
        return table;
    }
    Slice slice() const { return sliceOf(memory); }
    std::uint64_t threads() const { return blocks.size() * std::uint64_t{kGroupThreads}; }
};

}  // namespace seedbed::gpu
