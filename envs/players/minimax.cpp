// SPDX-License-Identifier: Apache-2.0
// A tic-tac-toe player that never makes a mistake: it chooses at random among the moves that keep the best
// result which the position allows (win, draw or loss).
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "core/env/scripted_player.hpp"

namespace seedbed::minimax {
namespace {

constexpr int kCells = 9, kWait = kCells;
constexpr std::uint32_t kFull = (1U << kCells) - 1;
constexpr std::array<std::uint32_t, 8> kLines = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

bool hasLine(std::uint32_t marks) {
    for (const std::uint32_t line : kLines)
        if ((marks & line) == line) return true;
    return false;
}

// The results of perfect play, for all positions: 1 the player to move wins, 0 draw, -1 it loses.
class Results {
public:
    Results() {
        known_.fill(kUnknown);
        for (std::uint32_t own = 0; own <= kFull; ++own)
            for (std::uint32_t other = 0; other <= kFull; ++other)
                if ((own & other) == 0) solve(own, other);
    }
    // `own`: marks of the player to move.
    int of(std::uint32_t own, std::uint32_t other) const { return known_[own << kCells | other]; }

private:
    static constexpr std::int8_t kUnknown = 2;
    int solve(std::uint32_t own, std::uint32_t other) {
        std::int8_t& known = known_[own << kCells | other];
        if (known != kUnknown) return known;
        int best = -1;
        if (hasLine(other)) return known = -1;
        if ((own | other) == kFull) return known = 0;
        for (int cell = 0; cell < kCells; ++cell)
            if (((own | other) >> cell & 1) == 0) best = std::max(best, -solve(other, own | 1U << cell));
        return known = static_cast<std::int8_t>(best);
    }

    std::array<std::int8_t, 1U << (2 * kCells)> known_{};
};

class Minimax final : public ScriptedPlayer {
public:
    void act(const SeatView& view, Rng& rng, float* action) const override {
        *action = static_cast<float>(view.mask[kWait] != 0 ? kWait : move(view, rng));
    }

private:
    int move(const SeatView& view, Rng& rng) const {
        const std::uint8_t* planes = view.leaves[0];
        std::uint32_t own = 0, other = 0;
        for (int cell = 0; cell < kCells; ++cell) {
            own |= static_cast<std::uint32_t>(planes[cell]) << cell;
            other |= static_cast<std::uint32_t>(planes[kCells + cell]) << cell;
        }
        std::array<int, kCells> moves{};
        std::uint32_t count = 0;
        int best = -1;
        for (int cell = 0; cell < kCells; ++cell) {
            if (view.mask[cell] == 0) continue;
            const int result = -results_->of(other, own | 1U << cell);
            if (result < best) continue;
            if (result > best) count = 0;
            best = result;
            moves[count++] = cell;
        }
        return count == 0 ? 0 : moves[rng.below(count)];
    }

    std::unique_ptr<const Results> results_ = std::make_unique<Results>();
};

Result<std::unique_ptr<ScriptedPlayer>> make(const EnvSpec& env, int) {
    const Spaces& spaces = env.spaces;
    const bool fits = !spaces.obs.empty() && spaces.obs[0].dtype == DType::u8 &&
                      spaces.obs[0].shape == std::vector<int>{2, 3, 3} && spaces.has_mask &&
                      spaces.actions.size() == 1 && spaces.actions[0].n == kCells + 1;
    if (!fits)
        return fail(ErrorCode::config, "needs the planes, actions and mask of tic_tac_toe without wrappers");
    return std::make_unique<Minimax>();
}

}  // namespace

SEEDBED_REGISTER_PLAYER(minimax, {.id = "minimax",
                                  .summary = "Plays perfectly; chooses at random among equally good moves.",
                                  .envs = {"tic_tac_toe"},
                                  .make = make})
}  // namespace seedbed::minimax
