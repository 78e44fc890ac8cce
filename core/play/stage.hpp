// SPDX-License-Identifier: Apache-2.0
// The games of a player session: the player's environments, and branches of them, which continue from an
// earlier or the current moment next to the original. All are at the same row: when they return to an earlier
// one, each repeats what it did after it, as far as the traces reach (Player::kTraceRows).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/play/player.hpp"

namespace seedbed {

// Cell c < player().envs() is an environment of the player, later cells are branches. Thread: one at a time.
class Stage {
public:
    static constexpr int kMaxBranches = 8;

    static Result<std::unique_ptr<Stage>> create(PlayerSpec spec, const Params& params);

    Player& player() { return *player_; }
    const Player& player() const { return *player_; }
    int count() const { return player_->envs() + static_cast<int>(branches_.size()); }
    Result<> step(const Params& params, bool draw);
    void select(Selection selection);
    // Draws the current row, if step() did not.
    void redraw();
    // The current row of all cells.
    std::vector<PlayerCell> cells() const;
    const PlayerCell& cell(int cell) const;
    const std::deque<PlayerRecord>& trace(int cell, int agent) const;
    // A person's action of the current row. The game no longer repeats what it did.
    void act(int cell, int agent, const std::vector<float>& action);
    // The player that plays a cell, and the cell's column of its ring.
    Player& playerOf(int cell);
    int columnOf(int cell, int agent) const;
    // [cells, agents, mask bytes] of the current row; empty without masks.
    std::vector<std::uint8_t> masks() const;

    // Why games cannot branch; empty if they can.
    std::string noBranchText() const;

    // The states of the player and of each branch.
    using Moment = std::vector<std::vector<std::uint8_t>>;
    bool snapshotIsCheap() const { return player_->snapshotIsCheap(); }
    // error: config, if the environments cannot save their state.
    Result<Moment> moment();
    // Whether the games can return to `row` and repeat what they did since. error: config, if branches would
    // be lost because the row is older than the traces.
    Result<> canReturnTo(std::uint64_t row) const;
    // Returns all games to a moment; `cells` are those of that moment. A branch that did not exist then
    // is its original until its own row.
    Result<> returnTo(const Moment& moment, const std::vector<PlayerCell>& cells);
    // The cell that `cell` was or will be a branch of while there are only `count` cells.
    int originalOf(int cell, int count) const;
    // Adds a branch of cell `of` at the current row, with the same state and random streams. error: config,
    // if there are too many branches or the environments cannot save their state.
    Result<> branch(int of, const Params& params);
    // error: config, if there are too many branches already.
    Result<> canBranch() const;
    // Ends a branch; later cells move up. error: config, if the cell is not a branch or has branches itself.
    Result<> close(int cell);
    // A game like the one of `cell` at a moment, for inspection; the next call changes it. `cells` are
    // those of the moment, which must have the cell.
    Result<Player*> lookAt(const Moment& moment, const std::vector<PlayerCell>& cells, int cell,
                           const Params& params);
    // [{"cell", "of", "row"}]
    Json branchesJson() const;

private:
    struct Branch {
        std::unique_ptr<Player> player;  // has all environments of the original; one of them is shown
        int env = 0, of = 0;
        std::uint64_t row = 0;
    };
    struct Place {
        Player* player = nullptr;
        int env = 0;
    };
    // A decision that a game repeats.
    struct Repeated {
        std::uint64_t row = 0;
        int agent = 0;
        std::vector<float> action;
        DecisionSource source = DecisionSource::policy;
    };
    std::vector<Repeated> decisionsFrom(int cell, std::uint64_t row) const;
    void repeat();
    std::size_t momentOf(int cell) const {
        return static_cast<std::size_t>(std::max(0, cell - player_->envs() + 1));
    }
    explicit Stage(PlayerSpec spec) : spec_(std::move(spec)) {}
    Place placeOf(int cell) const;

    PlayerSpec spec_;
    std::unique_ptr<Player> player_;
    std::vector<Branch> branches_;
    std::vector<std::vector<Repeated>> future_;  // [cells] from the current row on
    std::unique_ptr<Player> looked_at_;          // null: none yet
};

}  // namespace seedbed
