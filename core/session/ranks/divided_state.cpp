// SPDX-License-Identifier: Apache-2.0
#include "core/session/ranks/divided_state.hpp"

#include <algorithm>
#include <utility>

#include "core/session/sync_session.hpp"

namespace seedbed {
namespace {

constexpr const char* kWrongRow = "the saved state is invalid: a group is not at the end of a rollout";

}  // namespace

Result<> DividedState::archiveGroup(std::size_t g, Archive& archive, bool lost) {
    Ring& ring = *s_.parts_.rings[g];
    bool is_open = s_.is_open_;
    std::uint64_t begin = s_.is_open_ ? s_.rollout_begin_ : ring.head();
    archive.flag("open rollout", is_open).any(begin);
    SEEDBED_TRY(s_.parts_.groups[g]->archive(archive, begin, lost));
    SEEDBED_TRY(archive.status());
    if (is_open) {
        archive.any(s_.group_decisions_[g]);
        archiveEpisodes(archive, s_.ended_[g], ring.columns());
        SEEDBED_TRY(archive.status());
    }
    if (!archive.isLoading()) return {};
    const auto length = static_cast<std::uint64_t>(s_.parts_.plan.learn.rollout_length);
    const std::uint64_t head = ring.head();
    if (begin % length != 0 || head < begin || head - begin > (is_open ? length : 0) || ring.tail() > begin)
        return fail(kWrongRow);
    // All groups have the same rollout.
    if (g > 0 && (is_open != s_.is_open_ || begin != s_.rollout_begin_)) return fail(kWrongRow);
    s_.is_open_ = is_open;
    s_.rollout_begin_ = begin;
    return {};
}

Result<> DividedState::archive(Archive& archive) {
    if (archive.isLoading()) {
        Result<> own = s_.ranks_.load(*s_.parts_.learner, archive.bytes());
        if (own) own = s_.archiveHead(archive);
        if (own) own = loadGroups(archive);
        if (s_.ranks_.areSeveral()) SEEDBED_TRY(s_.ranks_.link().gather(own));
        if (own) s_.ranks_.synchronised(*s_.parts_.learner);
        return own;
    }
    if (s_.ranks_.areSeveral() && s_.ranks_.isLeader())
        SEEDBED_TRY(s_.ranks_.link().command(RankCommand::save));
    SEEDBED_TRY(s_.archiveHead(archive));
    return saveGroups(archive);
}

// The groups of a rank are one block of its answer; all ranks have the same number of groups.
Result<> DividedState::saveGroups(Archive& archive) {
    Archive mine = Archive::saving();
    Result<> own;
    for (std::size_t g = 0; own && g < s_.parts_.groups.size(); ++g) {
        Archive group = Archive::saving();
        own = archiveGroup(g, group, s_.isAbandoned(g));
        std::vector<std::uint8_t> bytes = std::move(group).take();
        mine.list("a group", bytes, kMostRankBytes);
    }
    if (!s_.ranks_.areSeveral()) {
        SEEDBED_TRY(Result<>(own));
        std::vector<std::uint8_t> bytes = std::move(mine).take();
        archive.unchecked(bytes.data(), bytes.size());
        return {};
    }
    SEEDBED_ASSIGN(auto all, s_.ranks_.link().gather(own, mine.bytes()));
    for (auto& bytes : all) archive.unchecked(bytes.data(), bytes.size());
    return {};
}

Result<> DividedState::loadGroups(Archive& archive) {
    const GroupRange range = ownGroups(s_.parts_.plan);
    s_.group_decisions_.assign(s_.parts_.groups.size(), 0);
    for (int g = 0; g < s_.parts_.plan.groups; ++g) {
        std::vector<std::uint8_t> bytes;
        archive.list("a group", bytes, kMostRankBytes);
        SEEDBED_TRY(archive.status());
        if (g < range.begin || g >= range.end) continue;
        Archive group = Archive::loading(std::move(bytes));
        SEEDBED_TRY(archiveGroup(static_cast<std::size_t>(g - range.begin), group, false));
        SEEDBED_TRY(group.finish());
    }
    s_.decisions_before_ = 0;
    for (const std::uint64_t decisions : s_.group_decisions_) s_.decisions_before_ += decisions;
    return {};
}

RankState DividedState::rankState() {
    RankState state{.optimiser_steps = s_.parts_.learner->optimiserSteps(),
                    .updates = s_.progress_.updates,
                    .steps = s_.progress_.steps,
                    .cut_decisions = s_.cut_decisions_,
                    .row = s_.parts_.rings[0]->head(),
                    .params = {},
                    .learner = {},
                    .groups = {},
                    .group_states = {}};
    Archive params = Archive::saving(), learner = Archive::saving();
    archiveParams(params, *s_.parts_.learner);
    s_.parts_.learner->archive(learner);
    state.params = std::move(params).take();
    state.learner = std::move(learner).take();
    // Groups that are not at the end of a rollout restart.
    const auto length = static_cast<std::uint64_t>(s_.parts_.plan.learn.rollout_length);
    const bool whole = std::ranges::all_of(s_.parts_.rings, [&](const Ring* ring) {
        return ring->head() == state.row && state.row % length == 0;
    });
    for (std::size_t g = 0; g < s_.parts_.groups.size() && whole && !s_.is_open_ && !s_.left_; ++g) {
        Archive group = Archive::saving();
        if (!archiveGroup(g, group, false)) continue;
        state.groups.push_back(static_cast<std::uint32_t>(ownGroups(s_.parts_.plan).begin) +
                               static_cast<std::uint32_t>(g));
        state.group_states.push_back(std::move(group).take());
    }
    return state;
}

// Rolls out once more if another rank has: rank 0 was lost to it before the rollout.
Result<> DividedState::catchUp(std::uint64_t row) {
    if (s_.parts_.rings[0]->head() >= row) return {};
    s_.openRollout();
    const StopGrace grace({}, s_.stop_grace_);
    SEEDBED_TRY(s_.rollOut(grace));
    s_.cutUpdate(false);
    return {};
}

// Takes the learner of the rank that has completed the newest optimiser step, and counts the decisions of
// all survivors.
Result<> DividedState::adopt(const RankState& newest, const std::vector<RankState>& states) {
    Archive params = Archive::loading(newest.params), learner = Archive::loading(newest.learner);
    archiveParams(params, *s_.parts_.learner);
    SEEDBED_TRY(params.finish());
    s_.parts_.learner->archive(learner);
    SEEDBED_TRY(learner.finish());
    std::uint64_t before = UINT64_MAX, cut = 0, complete = 0;
    for (const RankState& state : states) {
        before = std::min(before, state.steps);
        complete = std::max(complete, state.steps);
        cut += state.cut_decisions;
    }
    // A survivor that has completed the update knows the decisions of all.
    s_.progress_.steps = complete > before ? complete : before + cut;
    s_.progress_.updates = newest.updates;
    return {};
}

// The state with which all groups continue; those of lost ranks begin new episodes.
Result<Survived> DividedState::gatherStates(std::vector<RankState>& states, std::uint64_t row) {
    const int groups = s_.parts_.plan.groups, of_shard = groups / s_.parts_.plan.config.learner.shards;
    std::vector<std::vector<std::uint8_t>> all(static_cast<std::size_t>(groups));
    for (RankState& state : states)
        for (std::size_t i = 0; i < state.groups.size() && state.row == row; ++i)
            if (state.groups[i] < all.size()) all[state.groups[i]] = std::move(state.group_states[i]);
    Survived survived;
    Archive archive = Archive::saving(), params = Archive::saving();
    SEEDBED_TRY(s_.archiveHead(archive));
    for (std::size_t g = 0; g < all.size(); ++g) {
        // Groups at the same place of a shard have the same shape.
        if (all[g].empty()) {
            Archive fresh = Archive::saving();
            SEEDBED_TRY(archiveGroup(g % static_cast<std::size_t>(of_shard), fresh, true));
            all[g] = std::move(fresh).take();
            ++survived.restarted_groups;
        }
        archive.list("a group", all[g], kMostRankBytes);
    }
    archiveParams(params, *s_.parts_.learner);
    survived.params = std::move(params).take();
    survived.archive = std::move(archive).take();
    return survived;
}

Result<Survived> DividedState::survive(std::stop_token stop) {
    RankGroup& group = s_.ranks_.link().group();
    const int ranks = group.ranks();
    while (true) {
        SEEDBED_ASSIGN(const auto answers, group.survivors(stop));
        std::vector<RankState> states{rankState()};
        for (const auto& answer : answers) {
            Archive archive = Archive::loading(answer);
            RankState state;
            state.archive(archive);
            if (!answer.empty() && archive.finish()) states.push_back(std::move(state));
        }
        const std::uint64_t row = std::ranges::max(states, {}, &RankState::row).row;
        SEEDBED_TRY(catchUp(row));
        states[0] = rankState();
        if (states[0].groups.empty())
            return fail("a rank was lost, and the environments of rank 0 are in the middle of a rollout");
        const auto newest = [](const RankState& state) {
            return std::pair(state.optimiser_steps, state.updates);
        };
        SEEDBED_TRY(adopt(std::ranges::max(states, {}, newest), states));
        SEEDBED_ASSIGN(Survived survived, gatherStates(states, row));
        Result<> regrouped = group.regroup();
        if (!regrouped && regrouped.error().code == kRankLost) continue;
        SEEDBED_TRY(std::move(regrouped));
        survived.ranks = group.ranks();
        survived.lost = ranks - static_cast<int>(states.size());
        return survived;
    }
}

}  // namespace seedbed
