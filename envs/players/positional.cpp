// SPDX-License-Identifier: Apache-2.0
// An Othello player: alpha-beta search to a fixed depth.
//
// A position is worth ten for each corner and one for each legal move, minus the same of the opponent; the
// end of a game is worth a thousand for each disc of the lead. Equally good moves are chosen at random.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "core/env/scripted_player.hpp"
#include "envs/othello.hpp"

namespace seedbed::othello {
namespace {

constexpr int kWait = kCells;
constexpr int kCorner = 10, kMove = 1, kDisc = 1000;
constexpr int kMost = kDisc * (kCells + 1);  // more than any value
constexpr Discs kCorners = discAt(0) | discAt(7) | discAt(56) | discAt(63);

struct Position {
    Discs own = 0, other = 0;  // discs of the player to move and of its opponent

    Discs moves() const { return movesOf(own, other); }
    Position after(int cell) const {
        const Discs turned = turnedBy(own, other, cell);
        return {other ^ turned, own ^ (turned | discAt(cell))};
    }
    Position passed() const { return {other, own}; }
    int lead() const { return std::popcount(own) - std::popcount(other); }
    int value() const {
        return kCorner * (std::popcount(own & kCorners) - std::popcount(other & kCorners)) +
               kMove * (std::popcount(moves()) - std::popcount(passed().moves()));
    }
};

// The value for the player to move, exact if it is between alpha and beta, otherwise a bound.
int search(const Position& position, int depth, int alpha, int beta) {
    Discs moves = position.moves();
    if (moves == 0) {
        if (position.passed().moves() == 0) return kDisc * position.lead();
        return -search(position.passed(), depth, -beta, -alpha);
    }
    if (depth == 0) return position.value();
    for (; moves != 0 && alpha < beta; moves &= moves - 1)
        alpha = std::max(alpha, -search(position.after(std::countr_zero(moves)), depth - 1, -beta, -alpha));
    return alpha;
}

class Positional final : public ScriptedPlayer {
public:
    explicit Positional(int depth) : depth_(depth) {}
    void act(const SeatView& view, Rng& rng, float* action) const override {
        *action = static_cast<float>(view.mask[kWait] != 0 ? kWait : move(read(view.leaves[0]), view, rng));
    }

private:
    // planes: u8 [2, rows, columns] from the top, own discs first.
    static Position read(const std::uint8_t* planes) {
        Position position;
        for (Discs* discs : {&position.own, &position.other})
            for (int cell = 0; cell < kCells; ++cell) *discs |= static_cast<Discs>(*planes++ != 0) << cell;
        return position;
    }
    int move(const Position& position, const SeatView& view, Rng& rng) const {
        std::array<int, kCells> best{};
        std::uint32_t count = 0;
        int most = -kMost;
        for (int cell = 0; cell < kCells; ++cell) {
            if (view.mask[cell] == 0) continue;
            // The window begins below the best value, so that equal values are exact.
            const int value = -search(position.after(cell), depth_ - 1, -kMost, 1 - most);
            if (value > most) count = 0;
            if (value < most) continue;
            most = value;
            best[count++] = cell;
        }
        return count == 0 ? kWait : best[rng.below(count)];
    }

    int depth_;
};

Result<std::unique_ptr<ScriptedPlayer>> make(const EnvSpec& env, int depth) {
    const Spaces& spaces = env.spaces;
    const bool fits = !spaces.obs.empty() && spaces.obs[0].dtype == DType::u8 &&
                      spaces.obs[0].shape == std::vector<int>{2, kSide, kSide} && spaces.has_mask &&
                      spaces.actions.size() == 1 && spaces.actions[0].n == kCells + 1;
    if (!fits)
        return fail(ErrorCode::config, "needs the planes, actions and mask of othello without wrappers");
    return std::make_unique<Positional>(depth);
}

}  // namespace

SEEDBED_REGISTER_PLAYER(positional,
                        {.id = "positional",
                         .summary = "Searches DEPTH moves ahead and counts corners and legal moves.",
                         .parameter = "DEPTH",
                         .low = 1,
                         .high = 6,
                         .envs = {"othello"},
                         .make = make})
}  // namespace seedbed::othello
