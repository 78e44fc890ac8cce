// SPDX-License-Identifier: Apache-2.0
// The board of Othello: which moves are legal and which discs they turn over.
#pragma once

#include <array>
#include <cstdint>

namespace seedbed::othello {

constexpr int kSide = 8, kCells = kSide * kSide;

// Discs of one player: bit 8 * row + column, from the top left.
using Discs = std::uint64_t;
constexpr Discs discAt(int cell) { return Discs{1} << cell; }

namespace detail {

constexpr Discs kNotLeft = 0xFEFEFEFEFEFEFEFE, kNotRight = 0x7F7F7F7F7F7F7F7F, kAll = ~Discs{0};

// One of eight directions: a shift, and the cells that have a neighbour in this direction.
struct Direction {
    int shift;
    Discs from;

    constexpr Discs next(Discs discs) const {
        return shift > 0 ? (discs & from) << shift : (discs & from) >> -shift;
    }
};
constexpr std::array<Direction, 8> kDirections = {{{1, kNotRight},
                                                   {-1, kNotLeft},
                                                   {8, kAll},
                                                   {-8, kAll},
                                                   {9, kNotRight},
                                                   {-9, kNotLeft},
                                                   {7, kNotLeft},
                                                   {-7, kNotRight}}};

}  // namespace detail

// The cells where the player with the discs `own` may move.
constexpr Discs movesOf(Discs own, Discs other) {
    Discs moves = 0;
    for (const detail::Direction& direction : detail::kDirections) {
        Discs line = direction.next(own) & other;
        for (int step = 0; step < kSide - 3; ++step) line |= direction.next(line) & other;
        moves |= direction.next(line);
    }
    return moves & ~(own | other);
}

// The discs of the opponent that a move to `cell` turns over; 0 if the move is not legal.
constexpr Discs turnedBy(Discs own, Discs other, int cell) {
    Discs turned = 0;
    for (const detail::Direction& direction : detail::kDirections) {
        Discs line = 0, at = direction.next(discAt(cell));
        for (; (at & other) != 0; at = direction.next(at)) line |= at;
        if ((at & own) != 0) turned |= line;
    }
    return ((own | other) & discAt(cell)) == 0 ? turned : 0;
}

}  // namespace seedbed::othello
