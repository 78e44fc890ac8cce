// SPDX-License-Identifier: Apache-2.0
#include "core/play/stage.hpp"

#include <algorithm>
#include <utility>

namespace seedbed {

Result<std::unique_ptr<Stage>> Stage::create(PlayerSpec spec, const Params& params) {
    std::unique_ptr<Stage> stage(new Stage(spec));
    stage->spec_.record = false;  // branches are not recorded
    SEEDBED_ASSIGN(stage->player_, Player::create(std::move(spec), params));
    return stage;
}

Stage::Place Stage::placeOf(int cell) const {
    if (cell < player_->envs()) return {player_.get(), cell};
    const Branch& branch = branches_[static_cast<std::size_t>(cell - player_->envs())];
    return {branch.player.get(), branch.env};
}

Result<> Stage::step(const Params& params, bool draw) {
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

Result<> Stage::returnTo(const Moment& moment, const std::vector<PlayerCell>& cells) {
    const auto envs = static_cast<std::size_t>(player_->envs());
    SEEDBED_CHECK(moment.size() <= branches_.size() + 1 && cells.size() == envs + moment.size() - 1,
                  "a moment has the cells of its games");
    branches_.resize(moment.size() - 1);
    const auto own = cells.begin() + static_cast<std::ptrdiff_t>(envs);
    SEEDBED_TRY(player_->restore(moment[0], {cells.begin(), own}, *player_));
    for (std::size_t i = 0; i < branches_.size(); ++i) {
        Player& player = *branches_[i].player;
        std::vector<PlayerCell> shown = player.cells();
        shown[static_cast<std::size_t>(branches_[i].env)] = cells[envs + i];
        SEEDBED_TRY(player.restore(moment[i + 1], std::move(shown), player));
    }
    return {};
}

Result<> Stage::branch(int of, const Params& params) {
    if (branches_.size() >= kMaxBranches)
        return fail(ErrorCode::config, "there are " + std::to_string(kMaxBranches) +
                                           " branches already; 'restart' removes them");
    const Place place = placeOf(of);
    SEEDBED_ASSIGN(const std::vector<std::uint8_t> state, place.player->snapshot());
    SEEDBED_ASSIGN(auto player, Player::create(spec_, params));
    SEEDBED_TRY(player->restore(state, place.player->cells(), *place.player));
    branches_.push_back({std::move(player), place.env, of, place.player->row()});
    return {};
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
