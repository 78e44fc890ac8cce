// SPDX-License-Identifier: Apache-2.0
// Random actions, and the mean return with its standard error.
#include "core/env/random_policy.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace seedbed {
namespace {

float randomChoice(int n, const std::uint8_t* mask, Rng& rng) {
    if (mask == nullptr) return static_cast<float>(rng.below(static_cast<std::uint32_t>(n)));
    const auto allowed = std::count_if(mask, mask + n, [](std::uint8_t m) { return m != 0; });
    // If no choice is legal, the episode has ended and the action has no effect.
    if (allowed == 0) return 0;
    std::uint32_t index = rng.below(static_cast<std::uint32_t>(allowed));
    int choice = 0;
    while (mask[choice] == 0 || index-- > 0) ++choice;
    return static_cast<float>(choice);
}

float randomReal(double low, double high, Rng& rng) {
    if (std::isfinite(low) && std::isfinite(high)) return static_cast<float>(rng.uniform(low, high));
    return static_cast<float>(std::clamp(rng.normal(), low, high));
}

// Running mean and variance (Welford 1962).
struct Moments {
    std::int64_t count = 0;
    double mean = 0, squares = 0, lengths = 0;
    void add(double value, int length) {
        const double difference = value - mean;
        mean += difference / static_cast<double>(++count);
        squares += difference * (value - mean);
        lengths += length;
    }
    PolicyScore score() const {
        const auto n = static_cast<double>(count);
        return {count, mean, count > 1 ? std::sqrt(squares / (n - 1) / n) : 0, lengths / n};
    }
};

// Environments that play at random.
struct RandomPlay {
    std::unique_ptr<Ring> ring;
    VectorEnv env;
    Spaces spaces;
    Rng rng;
    std::vector<EpisodeEnd> ended{};

    static Result<RandomPlay> create(std::unique_ptr<EnvBatch> batch, const VectorEnvOptions& options) {
        const Spaces spaces = batch->spec().spaces;
        RingSpec ring_spec{.spaces = spaces, .columns = batch->count() * batch->spec().agents, .rows = 0};
        ring_spec.rows = ring_spec.history() + 2;
        SEEDBED_ASSIGN(std::unique_ptr<Ring> ring, Ring::create(ring_spec));
        Ring& rows = *ring;
        RandomPlay play{
            std::move(ring), VectorEnv(std::move(batch), rows, options), spaces,
            Rng(options.seed, RngPurpose::action, static_cast<std::uint32_t>(options.first_lane))};
        SEEDBED_TRY(play.env.reset());
        return play;
    }
    // Afterwards, `ended` contains the episodes that this step finished.
    Result<> step() {
        const std::uint64_t t = ring->head();
        randomActions(spaces, ring->columns(), spaces.has_mask ? ring->mask(t) : nullptr, rng,
                      ring->action(t));
        ended.clear();
        return env.step(ended);
    }
};

}  // namespace

void randomActions(const Spaces& spaces, int columns, const std::uint8_t* mask, Rng& rng, float* actions) {
    for (int column = 0; column < columns; ++column) {
        for (const ActionLeaf& leaf : spaces.actions) {
            if (leaf.kind == ActionLeaf::Kind::discrete) {
                *actions++ = randomChoice(leaf.n, mask, rng);
                if (mask != nullptr) mask += leaf.n;
            } else {
                for (std::size_t i = 0; i < leaf.low.size(); ++i)
                    *actions++ = randomReal(leaf.low[i], leaf.high[i], rng);
            }
        }
    }
}

Result<std::vector<PolicyScore>> scoreRandomPolicy(std::unique_ptr<EnvBatch> batch, std::int64_t episodes,
                                                   const VectorEnvOptions& options) {
    const int agents = batch->spec().agents, envs = batch->count();
    SEEDBED_ASSIGN(RandomPlay play, RandomPlay::create(std::move(batch), options));

    const std::int64_t quota = std::max<std::int64_t>(1, (episodes + envs - 1) / envs);
    std::vector<std::int64_t> played(static_cast<std::size_t>(envs), 0);
    std::vector<Moments> moments(static_cast<std::size_t>(agents));
    int unfinished = envs;
    while (unfinished > 0) {
        SEEDBED_TRY(play.step());
        for (const EpisodeEnd& end : play.ended) {
            const auto env = static_cast<std::size_t>(end.column / agents);
            const int agent = end.column % agents;
            if (played[env] >= quota) continue;
            moments[static_cast<std::size_t>(agent)].add(end.episode_return, end.length);
            if (agent == agents - 1 && ++played[env] == quota) --unfinished;
        }
    }
    std::vector<PolicyScore> scores;
    for (const Moments& agent : moments) scores.push_back(agent.score());
    return scores;
}

Result<double> secondsPerDecision(std::unique_ptr<EnvBatch> batch, const VectorEnvOptions& options,
                                  double budget_s) {
    using Clock = std::chrono::steady_clock;
    constexpr int kSlices = 10;
    const int envs = batch->count();
    SEEDBED_ASSIGN(RandomPlay play, RandomPlay::create(std::move(batch), options));
    double best = 1e300;
    for (int slice = 0; slice < kSlices; ++slice) {
        const auto begin = Clock::now();
        int steps = 0;
        double elapsed = 0;
        do {
            SEEDBED_TRY(play.step());
            ++steps;
            elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        } while (elapsed < budget_s / kSlices);
        best = std::min(best, elapsed / (static_cast<double>(steps) * envs));
    }
    return best;
}

}  // namespace seedbed
