// SPDX-License-Identifier: Apache-2.0
// A Connect Four player: alpha-beta search to a fixed depth.
//
// A position is worth the number of empty cells that would complete four discs for the player minus those of
// the opponent (open threes); earlier wins count more, and later losses count less. Knuth & Moore
// 1975, "An Analysis of Alpha-Beta Pruning". Equally good moves are chosen at random.
#include <array>
#include <bit>
#include <cstdint>

#include "core/env/scripted_player.hpp"

namespace seedbed::alpha_beta {
namespace {

constexpr int kRows = 6, kColumns = 7, kWait = kColumns;
constexpr int kWin = 1000;  // minus the discs on the board; more than any number of open threes
constexpr std::array<int, kColumns> kOrder = {3, 2, 4, 1, 5, 0, 6};  // central moves are usually better

// Discs of one player: bit 7 * column + height, height 0 at the bottom; the seventh bit of each column is
// always 0.
using Discs = std::uint64_t;
constexpr Discs columnMask(int column) { return Discs{0x3F} << (7 * column); }
constexpr Discs bottom(int column) { return Discs{1} << (7 * column); }
constexpr Discs kBoard = [] {
    Discs board = 0;
    for (int column = 0; column < kColumns; ++column) board |= columnMask(column);
    return board;
}();

// Cells, empty or not, that complete four discs in a row with three of `discs`.
constexpr Discs completing(Discs discs) {
    Discs cells = (discs << 1) & (discs << 2) & (discs << 3);
    for (const int direction : {6, 7, 8}) {
        const Discs above = (discs << direction) & (discs << (2 * direction));
        const Discs below = (discs >> direction) & (discs >> (2 * direction));
        cells |= above & ((discs << (3 * direction)) | (discs >> direction));
        cells |= below & ((discs >> (3 * direction)) | (discs << direction));
    }
    return cells & kBoard;
}

struct Position {
    Discs own = 0, other = 0;  // discs of the player to move and of its opponent

    // The cell where a disc in `column` lands, or 0 if the column is full.
    Discs cell(int column) const {
        return ((own | other) + bottom(column)) & columnMask(column) & ~(own | other);
    }
    Position after(Discs cell) const { return {other, own | cell}; }
    int discs() const { return std::popcount(own | other); }
};

// The value for the player to move, exact if it is between alpha and beta, otherwise a bound.
int search(const Position& position, int depth, int alpha, int beta) {
    const Discs wins = completing(position.own);
    const Discs empty = kBoard & ~(position.own | position.other);
    if (depth > 0)
        for (int column = 0; column < kColumns; ++column)
            if ((position.cell(column) & wins) != 0) return kWin - position.discs();
    if (empty == 0) return 0;
    if (depth == 0) return std::popcount(wins & empty) - std::popcount(completing(position.other) & empty);
    for (const int column : kOrder) {
        const Discs cell = position.cell(column);
        if (cell == 0) continue;
        alpha = std::max(alpha, -search(position.after(cell), depth - 1, -beta, -alpha));
        if (alpha >= beta) break;
    }
    return alpha;
}

class AlphaBeta final : public ScriptedPlayer {
public:
    explicit AlphaBeta(int depth) : depth_(depth) {}
    void act(const SeatView& view, Rng& rng, float* action) const override {
        *action = static_cast<float>(view.mask[kWait] != 0 ? kWait : move(read(view.leaves[0]), view, rng));
    }

private:
    // planes: u8 [2, rows, columns] from the top, own discs first.
    static Position read(const std::uint8_t* planes) {
        Position position;
        for (Discs* discs : {&position.own, &position.other})
            for (int row = kRows - 1; row >= 0; --row)
                for (int column = 0; column < kColumns; ++column)
                    if (*planes++ != 0) *discs |= bottom(column) << row;
        return position;
    }
    int move(const Position& position, const SeatView& view, Rng& rng) const {
        const Discs wins = completing(position.own);
        int best = -2 * kWin;
        std::array<int, kColumns> moves{};
        std::uint32_t count = 0;
        for (const int column : kOrder) {
            const Discs cell = position.cell(column);
            if (cell == 0 || view.mask[column] == 0) continue;
            // The window begins below the best value, so that equal values are exact.
            const int value = (cell & wins) != 0
                                  ? kWin - position.discs()
                                  : -search(position.after(cell), depth_ - 1, -2 * kWin, 1 - best);
            if (value > best) count = 0;
            if (value < best) continue;
            best = value;
            moves[count++] = column;
        }
        return count == 0 ? 0 : moves[rng.below(count)];
    }

    int depth_;
};

Result<std::unique_ptr<ScriptedPlayer>> make(const EnvSpec& env, int depth) {
    const Spaces& spaces = env.spaces;
    const bool fits = !spaces.obs.empty() && spaces.obs[0].dtype == DType::u8 &&
                      spaces.obs[0].shape == std::vector<int>{2, kRows, kColumns} && spaces.has_mask &&
                      spaces.actions.size() == 1 && spaces.actions[0].n == kColumns + 1;
    if (!fits)
        return fail(ErrorCode::config, "needs the planes, actions and mask of connect_four without wrappers");
    return std::make_unique<AlphaBeta>(depth);
}

}  // namespace

SEEDBED_REGISTER_PLAYER(alpha_beta, {.id = "alpha_beta",
                                     .summary = "Searches DEPTH moves ahead and counts open threes.",
                                     .parameter = "DEPTH",
                                     .low = 1,
                                     .high = 8,
                                     .envs = {"connect_four"},
                                     .make = make})
}  // namespace seedbed::alpha_beta
