// SPDX-License-Identifier: Apache-2.0
#include "core/play/stage.hpp"

#include <algorithm>
#include <utility>

namespace seedbed {

Result<std::unique_ptr<Stage>> Stage::create(PlayerSpec spec, const Params& params) {
    std::unique_ptr<Stage> stage(new Stage(spec));
    stage->spec_.record = false;  // branches are not recorded
    SEEDBED_ASSIGN(stage->player_, Player::create(std::move(spec), params));
    stage->future_.resize(static_cast<std::size_t>(stage->count()));
    return stage;
}

Stage::Place Stage::placeOf(int cell) const {
    if (cell < player_->envs()) return {player_.get(), cell};
    const Branch& branch = branches_[static_cast<std::size_t>(cell - player_->envs())];
    return {branch.player.get(), branch.env};
}

Result<> Stage::step(const Params& params, bool draw) {
    repeat();
    SEEDBED_TRY(player_->step(params, draw));
    for (const Branch& branch : branches_) SEEDBED_TRY(branch.player->step(params, draw));
    return {};
}

void Stage::select(Selection selection) {
    spec_.selection = selection;
    player_->select(selection);
    for (const Branch& branch : branches_) branch.player->select(selection);
}

void Stage::redraw() {
    player_->redraw();
    for (const Branch& branch : branches_) branch.player->redraw();
}

const PlayerCell& Stage::cell(int cell) const {
    const Place place = placeOf(cell);
    return place.player->cells()[static_cast<std::size_t>(place.env)];
}

std::vector<PlayerCell> Stage::cells() const {
    std::vector<PlayerCell> cells = player_->cells();
    for (int i = player_->envs(); i < count(); ++i) cells.push_back(cell(i));
    return cells;
}

const std::deque<PlayerRecord>& Stage::trace(int cell, int agent) const {
    const Place place = placeOf(cell);
    return place.player->trace(place.env, agent);
}

void Stage::act(int cell, int agent, const std::vector<float>& action) {
    const Place place = placeOf(cell);
    place.player->act(place.env, agent, action);
    future_[static_cast<std::size_t>(cell)].clear();
}

// Executed decisions from `row` on, then those that are still to be repeated. None if the trace begins later.
std::vector<Stage::Repeated> Stage::decisionsFrom(int cell, std::uint64_t row) const {
    std::vector<Repeated> decisions;
    if (trace(cell, 0).front().row > row) return decisions;
    for (int agent = 0; agent < player_->envSpec().agents; ++agent)
        for (const PlayerRecord& record : trace(cell, agent))
            // The action of the current row counts only if a person gave it: the agent decides it again.
            if (record.row >= row && record.decided &&
                (record.row < player_->row() || record.source == DecisionSource::person))
                decisions.push_back({record.row, agent, record.chosen, record.source});
    const std::vector<Repeated>& later = future_[static_cast<std::size_t>(cell)];
    decisions.insert(decisions.end(), later.begin(), later.end());
    return decisions;
}

void Stage::repeat() {
    const std::uint64_t row = player_->row();
    for (int cell = 0; cell < count(); ++cell) {
        std::vector<Repeated>& future = future_[static_cast<std::size_t>(cell)];
        const Place place = placeOf(cell);
        for (const Repeated& decision : future)
            if (decision.row == row)
                place.player->act(place.env, decision.agent, decision.action, decision.source);
        std::erase_if(future, [row](const Repeated& decision) { return decision.row <= row; });
    }
}

Player& Stage::playerOf(int cell) { return *placeOf(cell).player; }

int Stage::columnOf(int cell, int agent) const {
    return placeOf(cell).env * player_->envSpec().agents + agent;
}

std::vector<std::uint8_t> Stage::masks() const {
    const Spaces& spaces = player_->envSpec().spaces;
    std::vector<std::uint8_t> masks;
    if (!spaces.has_mask) return masks;
    const std::size_t bytes =
        static_cast<std::size_t>(player_->envSpec().agents) * static_cast<std::size_t>(spaces.maskBytes());
    for (int i = 0; i < count(); ++i) {
        const Place place = placeOf(i);
        const std::uint8_t* mask = place.player->ring().mask(place.player->ring().head()) +
                                   static_cast<std::size_t>(place.env) * bytes;
        masks.insert(masks.end(), mask, mask + bytes);
    }
    return masks;
}

std::string Stage::noBranchText() const {
    if (spec_.replay != nullptr) return "a recorded game cannot branch: its actions are recorded";
    if (player_->canSnapshot()) return "";
    return "games of '" + player_->envSpec().id +
           "' cannot branch: the environment cannot save its state, because it runs in another program that "
           "does not offer this";
}

Result<Stage::Moment> Stage::moment() {
    Moment moment;
    SEEDBED_ASSIGN(moment.emplace_back(), player_->snapshot());
    for (const Branch& branch : branches_) {
        SEEDBED_ASSIGN(moment.emplace_back(), branch.player->snapshot());
    }
    return moment;
}

Result<> Stage::canReturnTo(std::uint64_t row) const {
    if (branches_.empty() || trace(0, 0).front().row <= row) return {};
    return fail(ErrorCode::config, "row " + std::to_string(row) + " is more than " +
                                       std::to_string(Player::kTraceRows) +
                                       " rows ago, and the branches could not return to it; close them, or "
                                       "branch at a later row");
}

int Stage::originalOf(int cell, int count) const {
    while (cell >= count) cell = branches_[static_cast<std::size_t>(cell - player_->envs())].of;
    return cell;
}

Result<> Stage::returnTo(const Moment& moment, const std::vector<PlayerCell>& cells) {
    const int envs = player_->envs(), then = static_cast<int>(cells.size());
    SEEDBED_CHECK(
        moment.size() <= branches_.size() + 1 && cells.size() + 1 == moment.size() + player_->cells().size(),
        "a moment has the cells of its games");
    const std::uint64_t row = cells.front().now.row;
    std::vector<std::vector<Repeated>> future;
    for (int i = 0; i < count(); ++i) future.push_back(decisionsFrom(i, row));
    SEEDBED_TRY(player_->restore(moment[0], {cells.begin(), cells.begin() + envs}, *player_));
    for (std::size_t i = 0; i < branches_.size(); ++i) {
        Player& player = *branches_[i].player;
        const int original = originalOf(envs + static_cast<int>(i), then);
        std::vector<PlayerCell> shown = player.cells();
        shown[static_cast<std::size_t>(branches_[i].env)] = cells[static_cast<std::size_t>(original)];
        SEEDBED_TRY(player.restore(moment[momentOf(original)], std::move(shown), player));
    }
    future_ = std::move(future);
    return {};
}

Result<> Stage::canBranch() const {
    if (branches_.size() < kMaxBranches) return {};
    return fail(ErrorCode::config,
                "there are " + std::to_string(kMaxBranches) + " branches already; close one of them");
}

Result<> Stage::branch(int of, const Params& params) {
    SEEDBED_TRY(canBranch());
    const Place place = placeOf(of);
    SEEDBED_ASSIGN(const std::vector<std::uint8_t> state, place.player->snapshot());
    SEEDBED_ASSIGN(auto player, Player::create(spec_, params));
    SEEDBED_TRY(player->restore(state, place.player->cells(), *place.player));
    branches_.push_back({std::move(player), place.env, of, place.player->row()});
    future_.emplace_back();
    return {};
}

Result<> Stage::close(int cell) {
    const int envs = player_->envs();
    if (cell < envs || cell >= count())
        return fail(ErrorCode::config, "cell " + std::to_string(cell) + " is not a branch");
    for (Branch& branch : branches_)
        if (branch.of == cell)
            return fail(ErrorCode::config, "another game is a branch of this one; close that first");
    branches_.erase(branches_.begin() + (cell - envs));
    future_.erase(future_.begin() + cell);
    for (Branch& branch : branches_)
        if (branch.of > cell) --branch.of;
    return {};
}

Result<Player*> Stage::lookAt(const Moment& moment, const std::vector<PlayerCell>& cells, int cell,
                              const Params& params) {
    if (!looked_at_) {
        SEEDBED_ASSIGN(looked_at_, Player::create(spec_, params));
    }
    std::vector<PlayerCell> shown = player_->cells();
    const Place place = placeOf(cell);
    shown[static_cast<std::size_t>(place.env)] = cells[static_cast<std::size_t>(cell)];
    SEEDBED_TRY(looked_at_->restore(moment[momentOf(cell)], std::move(shown), *looked_at_));
    return looked_at_.get();
}

Json Stage::branchesJson() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < branches_.size(); ++i)
        list.push_back({{"cell", player_->envs() + static_cast<int>(i)},
                        {"of", branches_[i].of},
                        {"row", branches_[i].row}});
    return list;
}

}  // namespace seedbed
