// SPDX-License-Identifier: Apache-2.0
// Loops over all columns for the work of every step, and a short path per environment for episode ends.
#include "core/env/vector_env.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>

#include "core/base/finite.hpp"
#include "core/rollout/reward_view.hpp"

namespace seedbed {
namespace {

// Loops over columns without class members or aliasing, so that the compiler vectorises them.

void addTo(double* __restrict sums, const float* __restrict values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += static_cast<double>(values[i]);
}

void eitherOf(std::uint8_t* __restrict out, const std::uint8_t* __restrict a,
              const std::uint8_t* __restrict b, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = a[i] | b[i];
}

// next = step + 1. Returns whether any of them has reached `limit`.
bool countOn(std::int32_t* __restrict next, const std::int32_t* __restrict step, std::size_t count,
             std::int32_t limit) {
    std::int32_t signs = 0;  // negative if any difference is
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

    std::vector<Rng> rngs;             // [envs]
    std::vector<double> returns;       // [columns] of the current episodes
    std::vector<std::uint8_t> active;  // [envs] 0: row head is the extra row of a truncation
    std::vector<std::uint8_t> terminated, truncated,
        ended;                          // [envs] of the current step; `ended` is padded to words of 8
    std::vector<std::uint8_t*> leaves;  // destinations of the next row's observations
    std::vector<std::size_t> extras;    // environments with active = 0
    std::vector<float> low, high;       // [A] bounds of the action words; empty without box leaves
    std::vector<float> clipped;         // [columns, A]
    std::vector<float> given;           // [columns] raw rewards
    std::function<void()> returned;

    Impl(std::unique_ptr<EnvBatch> the_batch, Ring& the_ring, VectorEnvOptions the_options);
    Result<> observe(std::uint64_t t);
    const float* actionsWithinBounds(const float* actions);
    Result<> checkRewards(const float* rewards, const float* actions) const;
    Error nonFiniteError(std::size_t column, const std::string& what) const;
    void passRow(std::uint64_t t);
    void startEpisode(std::size_t env, std::uint64_t t);
    void shapeRewards(float* rewards) const;
    void finishEpisode(std::size_t env, std::uint64_t t, std::vector<EpisodeEnd>& ends);
    void restartAll();
};

VectorEnv::Impl::Impl(std::unique_ptr<EnvBatch> the_batch, Ring& the_ring, VectorEnvOptions the_options)
    : batch(std::move(the_batch)), ring(the_ring), options(the_options) {
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
    active.assign(envs, 1);
    terminated.assign(envs, 0);
    truncated.assign(envs, 0);
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

Result<> VectorEnv::Impl::observe(std::uint64_t t) {
    const Spaces& spaces = batch->spec().spaces;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        leaves[leaf] = ring.obs(static_cast<int>(leaf), t);
    batch->observe(leaves.data(), spaces.has_mask ? ring.mask(t) : nullptr);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const ObsLeaf& spec = spaces.obs[leaf];
        if (spec.dtype != DType::f32) continue;
        const auto* values = reinterpret_cast<const float*>(leaves[leaf]);
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

// Updates every column as if no episode had ended, and marks the environments whose episodes have ended.
void VectorEnv::Impl::passRow(std::uint64_t t) {
    addTo(returns.data(), ring.reward(t), columns);
    std::fill_n(ring.discount(t), columns, 1.0F);
    std::memset(ring.valid(t + 1), 1, columns);
    std::memset(ring.first(t + 1), 0, columns);
    const std::int32_t* next_step = ring.episodeStep(t + 1);
    const bool any_over = countOn(ring.episodeStep(t + 1), ring.episodeStep(t), columns, limit);
    eitherOf(ended.data(), terminated.data(), truncated.data(), envs);
    if (any_over)
        for (std::size_t env = 0; env < envs; ++env)
            ended[env] |= static_cast<std::uint8_t>(next_step[env * agents] >= limit);
}

// Resets an environment; its first observation is that of row t.
void VectorEnv::Impl::startEpisode(std::size_t env, std::uint64_t t) {
    batch->reset(static_cast<int>(env), rngs[env]);
    const std::size_t begin = env * agents;
    std::memset(ring.first(t) + begin, 1, agents);
    std::memset(ring.valid(t) + begin, 1, agents);
    std::fill_n(ring.episodeStep(t) + begin, agents, 0);
    std::fill_n(returns.begin() + static_cast<std::ptrdiff_t>(begin), agents, 0.0);
}

void VectorEnv::Impl::shapeRewards(float* rewards) const {
    const RewardView view{options.reward_scale, options.reward_clip};
    if (view.isIdentity()) return;
    for (std::size_t column = 0; column < columns; ++column) rewards[column] = view.apply(rewards[column]);
}

// The episode ended with the decision of row t: resets after a termination; after a truncation row t + 1
// becomes the extra row.
void VectorEnv::Impl::finishEpisode(std::size_t env, std::uint64_t t, std::vector<EpisodeEnd>& ends) {
    const bool is_termination = terminated[env] != 0;
    const std::size_t begin = env * agents;
    const std::int32_t length = ring.episodeStep(t)[begin] + 1;
    for (std::size_t column = begin; column < begin + agents; ++column)
        ends.push_back({static_cast<int>(column), t, returns[column], length, is_termination});
    if (is_termination) {
        std::fill_n(ring.discount(t) + begin, agents, 0.0F);
        startEpisode(env, t + 1);
    } else {
        std::memset(ring.valid(t + 1) + begin, 0, agents);
        active[env] = 0;
        extras.push_back(env);
    }
}

VectorEnv::VectorEnv(std::unique_ptr<EnvBatch> batch, Ring& ring, VectorEnvOptions options)
    : impl_(std::make_shared<Impl>(std::move(batch), ring, options)) {}

const EnvSpec& VectorEnv::spec() const { return impl_->batch->spec(); }
std::uint64_t VectorEnv::decisions() const { return impl_->decisions; }
EnvBatch& VectorEnv::batch() { return *impl_->batch; }
void VectorEnv::onReturned(std::function<void()> returned) { impl_->returned = std::move(returned); }

void VectorEnv::skipStreams() {
    // More random words than any step uses.
    constexpr std::uint64_t kWordsPerRow = std::uint64_t{1} << 20;
    for (Rng& rng : impl_->rngs) rng.seek((impl_->ring.head() + 1) * kWordsPerRow);
}

Result<> VectorEnv::reset() {
    Impl& self = *impl_;
    const std::uint64_t t = self.ring.head();
    std::fill(self.active.begin(), self.active.end(), std::uint8_t{1});
    self.extras.clear();
    for (std::size_t env = 0; env < self.envs; ++env) self.startEpisode(env, t);
    return self.observe(t);
}

Result<> VectorEnv::restart() {
    Impl& self = *impl_;
    Ring& ring = self.ring;
    const std::uint64_t t = ring.head();
    SEEDBED_CHECK(ring.hasRoom(), "the next row may still be read");
    for (std::size_t env = 0; env < self.envs; ++env) self.startEpisode(env, t + 1);
    SEEDBED_TRY(self.observe(t + 1));
    // Row t is modified only here, because environments may hang in the calls above.
    if (self.returned) self.returned();
    std::memset(ring.valid(t), 0, self.columns);
    std::fill_n(ring.reward(t), self.columns, 0.0F);
    std::fill_n(ring.discount(t), self.columns, 0.0F);
    std::fill(self.active.begin(), self.active.end(), std::uint8_t{1});
    std::fill(self.terminated.begin(), self.terminated.end(), std::uint8_t{0});
    std::fill(self.truncated.begin(), self.truncated.end(), std::uint8_t{0});
    std::fill(self.ended.begin(), self.ended.end(), std::uint8_t{0});
    self.extras.clear();
    ring.advance();
    return {};
}

Result<> VectorEnv::step(std::vector<EpisodeEnd>& ended) {
    Impl& self = *impl_;
    Ring& ring = self.ring;
    const std::uint64_t t = ring.head();
    SEEDBED_CHECK(ring.hasRoom(), "the next row may still be read");
    float* rewards = self.given.data();
    const float* actions = self.actionsWithinBounds(ring.action(t));

    // Environments on an extra row are not stepped: clear their unwritten results.
    for (const std::size_t env : self.extras) {
        std::fill_n(rewards + env * self.agents, self.agents, 0.0F);
        self.terminated[env] = self.truncated[env] = 0;
    }
    SEEDBED_TRY(self.batch->step(actions, self.active.data(), self.rngs.data(), rewards,
                                 self.terminated.data(), self.truncated.data()));
    if (self.returned) self.returned();
    SEEDBED_TRY(self.checkRewards(rewards, actions));

    std::copy_n(rewards, self.columns, ring.reward(t));
    self.passRow(t);
    self.shapeRewards(ring.reward(t));
    self.decisions += (self.envs - self.extras.size()) * self.agents;

    // Environments whose row t was an extra row start new episodes.
    for (const std::size_t env : self.extras) {
        std::fill_n(ring.discount(t) + env * self.agents, self.agents, 0.0F);
        self.startEpisode(env, t + 1);
        self.active[env] = 1;
        self.ended[env] = 0;
    }
    self.extras.clear();

    for (std::size_t word = 0; word < self.ended.size(); word += 8) {
        std::uint64_t flags = 0;
        std::memcpy(&flags, self.ended.data() + word, 8);
        if (flags == 0) continue;
        for (std::size_t env = word; env < std::min(word + 8, self.envs); ++env)
            if (self.ended[env] != 0) self.finishEpisode(env, t, ended);
    }
    SEEDBED_TRY(self.observe(t + 1));
    ring.advance();
    return {};
}

// Makes row head the extra row of a truncation for every environment, so that the next step starts new
// episodes.
void VectorEnv::Impl::restartAll() {
    std::memset(ring.valid(ring.head()), 0, columns);
    extras.clear();
    for (std::size_t env = 0; env < envs; ++env) {
        active[env] = 0;
        extras.push_back(env);
    }
}

void archiveEpisodes(Archive& archive, std::vector<EpisodeEnd>& ends, int columns) {
    // Archived as bytes, because a bool may only be 0 or 1.
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
        archive.require(loaded[i].column >= 0 && loaded[i].column < columns && loaded[i].length >= 0,
                        "an episode belongs to no environment");
    }
    if (!archive.failed()) ends = std::move(loaded);
}

bool VectorEnv::canArchive() const { return impl_->batch->canArchive(); }

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
        archive.any(position).field("active", self.active[env], range(std::uint8_t{0}, 1));
        self.rngs[env].seek(position);
        if (complete != 0) self.batch->archive(static_cast<int>(env), archive);
    }
    archive.unchecked(self.returns.data(), self.returns.size() * sizeof(double));
    SEEDBED_TRY(archive.status());
    if (!archive.isLoading()) return {};
    self.extras.clear();
    for (std::size_t env = 0; env < self.envs; ++env)
        if (self.active[env] == 0) self.extras.push_back(env);
    if (complete == 0) self.restartAll();
    return {};
}

}  // namespace seedbed
