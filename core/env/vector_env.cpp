// SPDX-License-Identifier: Apache-2.0
// Every step consists of a few loops over all columns; only environments whose episode ends are processed one
// by one.
#include "core/env/vector_env.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "core/base/finite.hpp"
#include "core/rollout/reward_view.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kNotices = 100;  // notices kept about environments that failed or restarted

// Loops over columns without class members or aliasing, so that the compiler vectorises them.

void addTo(double* __restrict sums, const float* __restrict values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += static_cast<double>(values[i]);
}

// Marks the columns whose episode has ended; returns the union of all flags.
std::uint8_t endsOf(std::uint8_t* __restrict ended, const std::uint8_t* __restrict flags, std::size_t count) {
    constexpr std::uint8_t end = column_flag::terminated | column_flag::truncated;
    std::uint8_t all = 0;
    for (std::size_t i = 0; i < count; ++i) {
        ended[i] = flags[i] & end;
        all |= flags[i];
    }
    return all;
}

// next = step + 1. Returns whether any step has reached `limit`.
bool countOn(std::int32_t* __restrict next, const std::int32_t* __restrict step, std::size_t count,
             std::int32_t limit) {
    std::int32_t signs = 0;  // negative if any difference is negative
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t value = step[i] + 1;
        next[i] = value;
        signs |= limit - 1 - value;
    }
    return signs < 0;
}

}  // namespace

struct VectorEnv::Impl {
    std::unique_ptr<EnvBatch> batch;
    Ring& ring;
    VectorEnvOptions options;
    std::size_t envs = 0, agents = 0, columns = 0;
    std::int32_t limit =
        std::numeric_limits<std::int32_t>::max() - 1;  // decisions per episode; never overflows episodeStep
    std::uint64_t decisions = 0;

    std::vector<Rng> rngs;              // [envs]
    std::vector<double> returns;        // [columns] of the current episodes; NaN if the agent is absent
    std::vector<EnvCommand> commands;   // [envs] `reset` if row head is an extra row
    std::vector<std::uint8_t> flags;    // [columns] of the current exchange
    std::vector<std::uint8_t> ended;    // [envs], padded to words of 8: the episode ended in this exchange
    std::vector<std::uint8_t*> leaves;  // destinations of the next row's observations
    std::vector<std::size_t> extras;    // environments with the command reset
    std::vector<std::size_t> waiting;   // scratch memory of passExtras()
    std::vector<std::size_t> lost;      // environments whose episode failed in the latest step
    std::vector<float> low, high;       // [A] bounds of the action words; empty without box leaves
    std::vector<float> clipped;         // [columns, A]
    std::vector<float> given;           // [columns] raw rewards
    std::vector<std::uint8_t> gone;     // [columns] the agent has left its episode
    std::size_t gone_count = 0;
    std::vector<std::string> notices;
    std::function<void()> returned, stepped;

    Impl(std::unique_ptr<EnvBatch> the_batch, Ring& the_ring, VectorEnvOptions the_options);
    Result<> begin(std::uint64_t next, const float* actions);
    bool has(std::size_t env, std::uint8_t flag) const { return (flags[env * agents] & flag) != 0; }
    std::uint8_t readFlags();
    void keepObservation(std::size_t env, std::uint64_t t);
    void keepNotices();
    void clearFailed(std::uint64_t t);
    Result<> checkObservations(std::uint64_t t);
    const float* actionsWithinBounds(const float* actions);
    const float* appliedActions(std::uint64_t t) { return low.empty() ? ring.action(t) : clipped.data(); }
    Result<> checkRewards(const float* rewards, const float* actions) const;
    Error nonFiniteError(std::size_t column, const std::string& what) const;
    void passRow(std::uint64_t t);
    void passExtras(std::uint64_t t);
    void passInactive(std::uint64_t t);
    void leaveOutFailed(std::uint64_t t);
    void beginEpisode(std::size_t env, std::uint64_t t);
    void awaitReset(std::size_t env, std::uint64_t t);
    std::size_t goneOf(std::size_t env) const;
    void endAbsence(std::size_t env);
    void shapeRewards(float* rewards) const;
    void finishEpisode(std::size_t env, std::uint64_t t, std::vector<EpisodeEnd>& ends);
    void restartAll();
};

VectorEnv::Impl::Impl(std::unique_ptr<EnvBatch> the_batch, Ring& the_ring, VectorEnvOptions the_options)
    : batch(std::move(the_batch)), ring(the_ring), options(std::move(the_options)) {
    envs = static_cast<std::size_t>(batch->count());
    agents = static_cast<std::size_t>(batch->spec().agents);
    columns = envs * agents;
    SEEDBED_CHECK(static_cast<std::size_t>(ring.columns()) == columns, "a ring has one column per agent");
    if (options.horizon > 0) limit = options.horizon;
    for (std::size_t env = 0; env < envs; ++env)
        rngs.emplace_back(options.seed, options.purpose,
                          static_cast<std::uint32_t>(options.first_lane) + static_cast<std::uint32_t>(env));
    returns.assign(columns, 0);
    given.assign(columns, 0);
    gone.assign(columns, 0);
    commands.assign(envs, EnvCommand::step);
    flags.assign(columns, 0);
    ended.assign((envs + 7) / 8 * 8, 0);
    leaves.resize(batch->spec().spaces.obs.size());
    const Spaces& spaces = batch->spec().spaces;
    const bool has_box =
        std::any_of(spaces.actions.begin(), spaces.actions.end(),
                    [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::box; });
    if (has_box) {
        for (const ActionLeaf& leaf : spaces.actions) {
            const bool box = leaf.kind == ActionLeaf::Kind::box;
            for (int word = 0; word < leaf.words(); ++word) {
                low.push_back(box ? static_cast<float>(leaf.low[static_cast<std::size_t>(word)]) : 0);
                high.push_back(box ? static_cast<float>(leaf.high[static_cast<std::size_t>(word)])
                                   : static_cast<float>(leaf.n - 1));
            }
        }
        clipped.resize(columns * low.size());
    }
    extras.reserve(envs);
    waiting.reserve(envs);
}

Error VectorEnv::Impl::nonFiniteError(std::size_t column, const std::string& what) const {
    const std::string agent = agents > 1 ? ", agent " + std::to_string(column % agents) : "";
    Error error;
    error.code = kNonFinite;
    error.message = "environment " + std::to_string(column / agents) + " (" + batch->spec().id + ")" + agent +
                    " returned " + what;
    return error;
}

// Clips box actions to their bounds. The ring keeps them unclipped, because the log-probability belongs to
// the sampled action.
const float* VectorEnv::Impl::actionsWithinBounds(const float* actions) {
    if (low.empty()) return actions;
    const std::size_t words = low.size();
    for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t word = 0; word < words; ++word)
            clipped[column * words + word] =
                std::min(std::max(actions[column * words + word], low[word]), high[word]);
    return clipped.data();
}

Result<> VectorEnv::Impl::checkRewards(const float* rewards, const float* actions) const {
    if (allFinite(rewards, columns)) [[likely]]
        return {};
    const std::size_t column = firstNonFinite(rewards, columns);
    const auto words = static_cast<std::size_t>(batch->spec().spaces.actionWords());
    std::string action;
    for (std::size_t word = 0; word < words; ++word)
        action += (word == 0 ? "" : ", ") + std::to_string(actions[column * words + word]);
    return tl::unexpected<Error>(nonFiniteError(
        column, nonFiniteName(rewards[column]) + " as the reward for action [" + action + "]"));
}

// Starts an exchange; its observations are written to row `next`, which is not visible to readers yet.
Result<> VectorEnv::Impl::begin(std::uint64_t next, const float* actions) {
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        leaves[leaf] = ring.obs(static_cast<int>(leaf), next);
    return batch->begin({.actions = actions,
                         .commands = commands.data(),
                         .rngs = rngs.data(),
                         .leaves = leaves.data(),
                         .mask = batch->spec().spaces.has_mask ? ring.mask(next) : nullptr,
                         .rewards = given.data(),
                         .flags = flags.data(),
                         .stepped = stepped ? &stepped : nullptr,
                         .stop = &options.stop});
}

Result<> VectorEnv::Impl::checkObservations(std::uint64_t t) {
    const Spaces& spaces = batch->spec().spaces;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const ObsLeaf& spec = spaces.obs[leaf];
        if (spec.dtype != DType::f32) continue;
        const auto* values = reinterpret_cast<const float*>(ring.obs(static_cast<int>(leaf), t));
        const std::size_t elements = spec.elements();
        if (allFinite(values, columns * elements)) [[likely]]
            continue;
        const std::size_t index = firstNonFinite(values, columns * elements);
        const std::size_t element = index % elements;
        const std::string label = element < spec.labels.size() ? " (" + spec.labels[element] + ")" : "";
        return tl::unexpected<Error>(
            nonFiniteError(index / elements, nonFiniteName(values[index]) + " in observation '" + spec.name +
                                                 "', element " + std::to_string(element) + label));
    }
    return {};
}

// Marks the environments whose episodes ended; returns the union of all flags.
std::uint8_t VectorEnv::Impl::readFlags() {
    if (agents == 1) return endsOf(ended.data(), flags.data(), envs);
    std::uint8_t all = 0;
    for (std::size_t env = 0; env < envs; ++env) endsOf(&ended[env], &flags[env * agents], 1);
    for (const std::uint8_t flag : flags) all |= flag;
    return all;
}

// Copies the environment's columns of row t to row t + 1.
void VectorEnv::Impl::keepObservation(std::size_t env, std::uint64_t t) {
    const std::size_t begin = env * agents;
    const Spaces& spaces = batch->spec().spaces;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const std::size_t bytes = spaces.obs[leaf].bytes();
        std::memcpy(leaves[leaf] + begin * bytes, ring.obs(static_cast<int>(leaf), t) + begin * bytes,
                    agents * bytes);
    }
    const auto mask_bytes = static_cast<std::size_t>(spaces.maskBytes());
    if (mask_bytes > 0)
        std::memcpy(ring.mask(t + 1) + begin * mask_bytes, ring.mask(t) + begin * mask_bytes,
                    agents * mask_bytes);
}

void VectorEnv::Impl::keepNotices() {
    for (std::string& notice : batch->takeNotices())
        if (notices.size() < kNotices) notices.push_back(std::move(notice));
}

// Replaces the undefined results of failed environments.
void VectorEnv::Impl::clearFailed(std::uint64_t t) {
    keepNotices();
    for (std::size_t env = 0; env < envs; ++env) {
        if (!has(env, column_flag::failed)) continue;
        std::fill_n(given.begin() + static_cast<std::ptrdiff_t>(env * agents), agents, 0.0F);
        keepObservation(env, t);
    }
}

// Updates every column as if no episode had ended, and marks environments that have reached the time limit.
void VectorEnv::Impl::passRow(std::uint64_t t) {
    addTo(returns.data(), ring.reward(t), columns);
    std::fill_n(ring.discount(t), columns, 1.0F);
    std::memset(ring.valid(t + 1), 1, columns);
    std::memset(ring.first(t + 1), 0, columns);
    const std::int32_t* next_step = ring.episodeStep(t + 1);
    const bool any_over = countOn(ring.episodeStep(t + 1), ring.episodeStep(t), columns, limit);
    if (any_over)
        for (std::size_t env = 0; env < envs; ++env)
            ended[env] |= static_cast<std::uint8_t>(next_step[env * agents] >= limit);
}

// For environments whose row t is an extra row: begins an episode, or makes row t + 1 another extra row.
void VectorEnv::Impl::passExtras(std::uint64_t t) {
    keepNotices();
    waiting.swap(extras);
    extras.clear();
    for (const std::size_t env : waiting) {
        std::fill_n(ring.discount(t) + env * agents, agents, 0.0F);
        ended[env] = 0;
        if (has(env, column_flag::first)) beginEpisode(env, t + 1);
        else awaitReset(env, t + 1);
    }
}

// For each agent that left its episode: ends the episode with the agent's last decision, or makes row t + 1
// its extra row. Later rows of the agent are not valid.
void VectorEnv::Impl::passInactive(std::uint64_t t) {
    for (std::size_t column = 0; column < columns; ++column) {
        if (gone[column] == 0 && (flags[column] & column_flag::inactive) == 0) continue;
        if (gone[column] != 0 || (flags[column] & column_flag::cut) == 0) ring.discount(t)[column] = 0;
        ring.valid(t + 1)[column] = 0;
        if (gone[column] == 0) ++gone_count;
        gone[column] = 1;
    }
}

// Row t of a failed environment becomes an extra row; its episode is not counted.
void VectorEnv::Impl::leaveOutFailed(std::uint64_t t) {
    for (std::size_t env = 0; env < envs; ++env) {
        if (!has(env, column_flag::failed) || commands[env] != EnvCommand::step) continue;
        const std::size_t begin = env * agents;
        std::memset(ring.valid(t) + begin, 0, agents);
        std::fill_n(ring.discount(t) + begin, agents, 0.0F);
        decisions -= agents - goneOf(env);
        ended[env] = 0;
        lost.push_back(env);
        awaitReset(env, t + 1);
    }
}

// The environment was reset: row t contains its first observation. Inactive agents are absent from the
// episode.
void VectorEnv::Impl::beginEpisode(std::size_t env, std::uint64_t t) {
    const std::size_t begin = env * agents;
    commands[env] = EnvCommand::step;
    std::memset(ring.first(t) + begin, 1, agents);
    std::memset(ring.valid(t) + begin, 1, agents);
    std::fill_n(ring.episodeStep(t) + begin, agents, 0);
    std::fill_n(returns.begin() + static_cast<std::ptrdiff_t>(begin), agents, 0.0);
    endAbsence(env);
    for (std::size_t column = begin; column < begin + agents; ++column) {
        if ((flags[column] & column_flag::inactive) == 0) continue;
        ring.valid(t)[column] = 0;
        returns[column] = std::numeric_limits<double>::quiet_NaN();
        gone[column] = 1;
        ++gone_count;
    }
}

// Row t is an extra row; the environment is reset in the exchange that follows.
void VectorEnv::Impl::awaitReset(std::size_t env, std::uint64_t t) {
    std::memset(ring.valid(t) + env * agents, 0, agents);
    commands[env] = EnvCommand::reset;
    extras.push_back(env);
    endAbsence(env);
}

std::size_t VectorEnv::Impl::goneOf(std::size_t env) const {
    return static_cast<std::size_t>(
        std::count(gone.data() + env * agents, gone.data() + (env + 1) * agents, 1));
}

void VectorEnv::Impl::endAbsence(std::size_t env) {
    if (gone_count == 0) return;
    gone_count -= goneOf(env);
    std::fill_n(gone.data() + env * agents, agents, std::uint8_t{0});
}

void VectorEnv::Impl::shapeRewards(float* rewards) const {
    const RewardView view{options.reward_scale, options.reward_clip};
    if (view.isIdentity()) return;
    for (std::size_t column = 0; column < columns; ++column) rewards[column] = view.apply(rewards[column]);
}

// The episode ended with the decision of row t. After a truncation row t + 1 is the extra row; after a
// termination, only if the environment has not been reset yet.
void VectorEnv::Impl::finishEpisode(std::size_t env, std::uint64_t t, std::vector<EpisodeEnd>& ends) {
    const bool is_termination = has(env, column_flag::terminated);
    const std::size_t begin = env * agents;
    if (has(env, column_flag::continues)) {
        std::fill_n(ring.discount(t) + begin, agents, 0.0F);
        std::memset(ring.first(t + 1) + begin, 1, agents);
        return;
    }
    const std::int32_t length = ring.episodeStep(t)[begin] + 1;
    for (std::size_t column = begin; column < begin + agents; ++column)
        if (!std::isnan(returns[column]))
            ends.push_back({static_cast<int>(column), t, returns[column], length, is_termination});
    if (is_termination) std::fill_n(ring.discount(t) + begin, agents, 0.0F);
    if (has(env, column_flag::first)) beginEpisode(env, t + 1);
    else awaitReset(env, t + 1);
}

VectorEnv::VectorEnv(std::unique_ptr<EnvBatch> batch, Ring& ring, VectorEnvOptions options)
    : impl_(std::make_shared<Impl>(std::move(batch), ring, std::move(options))) {}

const EnvSpec& VectorEnv::spec() const { return impl_->batch->spec(); }
std::uint64_t VectorEnv::decisions() const { return impl_->decisions; }
EnvBatch& VectorEnv::batch() { return *impl_->batch; }
void VectorEnv::onReturned(std::function<void()> returned) { impl_->returned = std::move(returned); }

void VectorEnv::onStepped(std::function<void()> stepped) { impl_->stepped = std::move(stepped); }

void VectorEnv::skipStreams() {
    // More random words than any step uses.
    constexpr std::uint64_t kWordsPerRow = std::uint64_t{1} << 20;
    for (Rng& rng : impl_->rngs) rng.seek((impl_->ring.head() + 1) * kWordsPerRow);
}

Result<> VectorEnv::reset() {
    Impl& self = *impl_;
    const std::uint64_t t = self.ring.head();
    std::fill(self.commands.begin(), self.commands.end(), EnvCommand::reset);
    self.extras.clear();
    SEEDBED_TRY(self.begin(t, self.ring.action(t)));
    SEEDBED_TRY(self.batch->await());
    if ((self.readFlags() & column_flag::failed) != 0) {
        const std::vector<std::string> reasons = self.batch->takeNotices();
        return fail(reasons.empty() ? "an environment failed" : reasons.front());
    }
    for (std::size_t env = 0; env < self.envs; ++env) self.beginEpisode(env, t);
    return self.checkObservations(t);
}

Result<> VectorEnv::restart() {
    Impl& self = *impl_;
    Ring& ring = self.ring;
    const std::uint64_t t = ring.head();
    SEEDBED_CHECK(ring.hasRoom(), "the next row may still be read");
    std::vector<EnvCommand> all(self.envs, EnvCommand::reset);
    self.commands.swap(all);
    const auto exchanged = [&]() -> Result<> {
        SEEDBED_TRY(self.begin(t + 1, ring.action(t)));
        SEEDBED_TRY(self.batch->await());
        if ((self.readFlags() & column_flag::failed) != 0) self.clearFailed(t);
        return self.checkObservations(t + 1);
    };
    if (Result<> result = exchanged(); !result) {
        self.commands.swap(all);  // row t still belongs to the previous episodes
        return result;
    }
    // Row t is modified only here, because environments may hang in the calls above.
    if (self.returned) self.returned();
    self.keepNotices();
    std::memset(ring.valid(t), 0, self.columns);
    std::fill_n(ring.reward(t), self.columns, 0.0F);
    std::fill_n(ring.discount(t), self.columns, 0.0F);
    std::memset(ring.first(t + 1), 0, self.columns);
    std::fill_n(ring.episodeStep(t + 1), self.columns, 0);
    std::fill(self.ended.begin(), self.ended.end(), std::uint8_t{0});
    self.extras.clear();
    for (std::size_t env = 0; env < self.envs; ++env) {
        if (self.has(env, column_flag::first)) self.beginEpisode(env, t + 1);
        else self.awaitReset(env, t + 1);
    }
    ring.advance();
    return {};
}

Result<> VectorEnv::step(std::vector<EpisodeEnd>& ended) {
    SEEDBED_TRY(begin());
    return finish(ended);
}

Result<> VectorEnv::begin() {
    Impl& self = *impl_;
    const std::uint64_t t = self.ring.head();
    SEEDBED_CHECK(self.ring.hasRoom(), "the next row may still be read");
    return self.begin(t + 1, self.actionsWithinBounds(self.ring.action(t)));
}

bool VectorEnv::ready() const { return impl_->batch->ready(); }
const std::vector<std::size_t>& VectorEnv::failed() const { return impl_->lost; }
std::vector<std::string> VectorEnv::takeNotices() { return std::exchange(impl_->notices, {}); }

Result<> VectorEnv::finish(std::vector<EpisodeEnd>& ended) {
    Impl& self = *impl_;
    Ring& ring = self.ring;
    const std::uint64_t t = ring.head();
    SEEDBED_TRY(self.batch->await());
    if (self.returned) self.returned();
    // Environments on an extra row were not stepped.
    for (const std::size_t env : self.extras)
        std::fill_n(self.given.begin() + static_cast<std::ptrdiff_t>(env * self.agents), self.agents, 0.0F);
    const std::uint8_t all = self.readFlags();
    const bool any_failed = (all & column_flag::failed) != 0;
    if (any_failed) self.clearFailed(t);
    if (self.gone_count > 0)
        for (std::size_t column = 0; column < self.columns; ++column)
            if (self.gone[column] != 0) self.given[column] = 0;
    SEEDBED_TRY(self.checkRewards(self.given.data(), self.appliedActions(t)));

    std::copy_n(self.given.data(), self.columns, ring.reward(t));
    self.passRow(t);
    self.shapeRewards(ring.reward(t));
    self.decisions += (self.envs - self.extras.size()) * self.agents - self.gone_count;
    if (!self.extras.empty()) self.passExtras(t);
    if (self.gone_count > 0 || (all & column_flag::inactive) != 0) self.passInactive(t);
    self.lost.clear();
    if (any_failed) self.leaveOutFailed(t);

    for (std::size_t word = 0; word < self.ended.size(); word += 8) {
        std::uint64_t flags = 0;
        std::memcpy(&flags, self.ended.data() + word, 8);
        if (flags == 0) continue;
        for (std::size_t env = word; env < std::min(word + 8, self.envs); ++env)
            if (self.ended[env] != 0) self.finishEpisode(env, t, ended);
    }
    SEEDBED_TRY(self.checkObservations(t + 1));
    ring.advance();
    return {};
}

// Makes row head the extra row of a truncation for every environment, so that the next step starts new
// episodes.
void VectorEnv::Impl::restartAll() {
    extras.clear();
    for (std::size_t env = 0; env < envs; ++env) awaitReset(env, ring.head());
}

void archiveEpisodes(Archive& archive, std::vector<EpisodeEnd>& ends, int columns) {
    // Archived as bytes: a bool with a value other than 0 or 1 is undefined behaviour.
    struct Stored {
        std::array<std::uint8_t, sizeof(EpisodeEnd)> bytes;
    };
    std::vector<Stored> stored(ends.size());
    for (std::size_t i = 0; i < ends.size(); ++i)
        std::memcpy(stored[i].bytes.data(), &ends[i], sizeof(Stored));
    archive.list("episodes", stored, std::numeric_limits<std::uint64_t>::max());
    if (!archive.isLoading() || archive.failed()) return;
    std::vector<EpisodeEnd> loaded(stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const bool flag = stored[i].bytes[offsetof(EpisodeEnd, terminated)] <= 1;
        archive.require(flag, "an episode has an invalid flag");
        if (flag) std::memcpy(&loaded[i], stored[i].bytes.data(), sizeof(Stored));
        archive.require(std::isfinite(loaded[i].episode_return),
                        "the return of an episode is not a finite number");
        archive.require(loaded[i].column >= 0 && loaded[i].column < columns && loaded[i].length >= 0,
                        "an episode belongs to no environment");
    }
    if (!archive.failed()) ends = std::move(loaded);
}

bool VectorEnv::canArchive() const { return impl_->batch->canArchive(); }
bool VectorEnv::isSupervised() const { return impl_->batch->isSupervised(); }

Result<> VectorEnv::archive(Archive& archive) {
    Impl& self = *impl_;
    auto count = static_cast<std::uint64_t>(self.envs);
    std::uint8_t complete = self.batch->canArchive() ? 1 : 0;
    archive.field("environments", count, range(self.envs, self.envs));
    archive.field("complete", complete, range(std::uint8_t{0}, 1)).any(self.decisions);
    SEEDBED_TRY(archive.status());
    if (complete != 0 && !self.batch->canArchive())
        return fail("the saved state contains environments that cannot be restored");
    for (std::size_t env = 0; env < self.envs; ++env) {
        std::uint64_t position = self.rngs[env].position();
        std::uint8_t active = self.commands[env] == EnvCommand::step ? 1 : 0;
        archive.any(position).field("active", active, range(std::uint8_t{0}, 1));
        self.rngs[env].seek(position);
        self.commands[env] = active != 0 ? EnvCommand::step : EnvCommand::reset;
        if (complete != 0) self.batch->archive(static_cast<int>(env), archive);
    }
    archive.reals("the return of an episode", std::span(self.returns), kFinite<double>);
    SEEDBED_TRY(archive.status());
    if (!archive.isLoading()) return {};
    self.extras.clear();
    for (std::size_t env = 0; env < self.envs; ++env)
        if (self.commands[env] == EnvCommand::reset) self.extras.push_back(env);
    self.gone_count = 0;
    for (std::size_t column = 0; column < self.columns; ++column) {
        const bool is_active = self.commands[column / self.agents] == EnvCommand::step;
        self.gone[column] = is_active && self.ring.valid(self.ring.head())[column] == 0 ? 1 : 0;
        self.gone_count += self.gone[column];
    }
    if (complete == 0) self.restartAll();
    return {};
}

}  // namespace seedbed
