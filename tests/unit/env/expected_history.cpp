// SPDX-License-Identifier: Apache-2.0
// The reference model of the episode-end rules, written as one plain loop per environment.
#include "tests/unit/env/expected_history.hpp"

#include <algorithm>
#include <cstring>

#include "core/rollout/gather.hpp"

namespace seedbed::test {
namespace {

float shaped(float reward, const VectorEnvOptions& options) {
    if (options.reward_clip > 0) reward = std::clamp(reward, -options.reward_clip, options.reward_clip);
    return reward * options.reward_scale;
}

}  // namespace

ExpectedHistory::ExpectedHistory(const CountingOptions& counting, int envs, const VectorEnvOptions& options,
                                 int rows) {
    columns.resize(static_cast<std::size_t>(envs * counting.agents));
    for (int env = 0; env < envs; ++env) {
        Rng rng(options.seed, options.purpose, static_cast<std::uint32_t>(options.first_lane + env));
        int row = 0;
        for (int episode = 0; row < rows; ++episode) {
            const Plan plan = Plan::draw(rng, counting.longest);
            const bool cut = options.horizon > 0 && (plan.length > options.horizon ||
                                                     (plan.length == options.horizon && !plan.terminates));
            const int length = cut ? options.horizon : plan.length;
            const bool terminated = !cut && plan.terminates;
            for (int agent = 0; agent < counting.agents; ++agent) {
                const int column = env * counting.agents + agent;
                auto& history = columns[static_cast<std::size_t>(column)];
                double sum = 0;
                for (int step = 0; step < length; ++step) {
                    const Place place{static_cast<int>(plan.tag), episode, step, agent};
                    const float reward =
                        place.reward(actionAt(static_cast<std::uint64_t>(row + step), column));
                    sum += static_cast<double>(reward);
                    history.push_back({place, shaped(reward, options),
                                       terminated && step + 1 == length ? 0.0F : 1.0F, true, step == 0, row});
                }
                if (!terminated)
                    history.push_back(
                        {Place{static_cast<int>(plan.tag), episode, length, agent}, 0, 0, false, false, row});
                ended.push_back(
                    {column, static_cast<std::uint64_t>(row + length - 1), sum, length, terminated});
            }
            row += length + (terminated ? 0 : 1);
        }
    }
    std::ranges::sort(ended, [](const EpisodeEnd& a, const EpisodeEnd& b) {
        return std::pair(a.row, a.column) < std::pair(b.row, b.column);
    });
}

std::string differenceIn(Ring& ring, const ExpectedHistory& expected, const Window& window) {
    std::vector<RowRef> rows;
    appendRows(window, rows);
    const std::vector<Ring*> rings{&ring};
    const auto stack = static_cast<std::size_t>(ring.spec().spaces.obs[1].stack);
    std::vector<float> vectors(rows.size() * 4), previous_action(rows.size()), previous_reward(rows.size());
    std::vector<std::uint8_t> images(rows.size() * 4 * stack);
    std::vector<std::int32_t> counts(rows.size() * 2);
    gatherObs(rings, 0, rows.data(), rows.size(), reinterpret_cast<std::uint8_t*>(vectors.data()));
    gatherObs(rings, 1, rows.data(), rows.size(), images.data());
    gatherObs(rings, 2, rows.data(), rows.size(), reinterpret_cast<std::uint8_t*>(counts.data()));
    gatherPrevious(rings, rows.data(), rows.size(), previous_action.data(), previous_reward.data());

    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint64_t t = rows[i].t;
        const auto column = static_cast<std::size_t>(rows[i].column);
        const auto& history = expected.columns[column];
        const ExpectedRow& row = history[t];
        const auto wrong = [&](const std::string& field, double got, double want) {
            return field + " of row " + std::to_string(t) + ", column " + std::to_string(column) + " is " +
                   std::to_string(got) + ", expected " + std::to_string(want);
        };
        for (std::size_t k = 0; k < 4; ++k)
            if (vectors[i * 4 + k] != row.place.vector()[k])
                return wrong("vector " + std::to_string(k), vectors[i * 4 + k], row.place.vector()[k]);
        for (std::size_t frame = 0; frame < stack; ++frame) {
            const std::uint64_t back = stack - 1 - frame;
            const std::uint64_t from =
                std::max(static_cast<std::uint64_t>(row.episode_start), t < back ? 0 : t - back);
            const auto image = history[from].place.image();
            for (std::size_t k = 0; k < 4; ++k) {
                const std::uint8_t got = images[(i * stack + frame) * 4 + k];
                if (got != image[k])
                    return wrong("image frame " + std::to_string(frame) + " byte " + std::to_string(k), got,
                                 image[k]);
            }
        }
        for (std::size_t k = 0; k < 2; ++k)
            if (counts[i * 2 + k] != row.place.discrete()[k])
                return wrong("count", counts[i * 2 + k], row.place.discrete()[k]);
        for (std::size_t k = 0; k < 3; ++k)
            if (ring.mask(t)[column * 3 + k] != row.place.mask()[k])
                return wrong("mask", ring.mask(t)[column * 3 + k], row.place.mask()[k]);
        if (ring.reward(t)[column] != row.reward) return wrong("reward", ring.reward(t)[column], row.reward);
        if (ring.discount(t)[column] != row.discount)
            return wrong("discount", ring.discount(t)[column], row.discount);
        if ((ring.valid(t)[column] != 0) != row.valid)
            return wrong("valid", ring.valid(t)[column], row.valid);
        if ((ring.first(t)[column] != 0) != row.first)
            return wrong("first", ring.first(t)[column], row.first);
        if (ring.episodeStep(t)[column] != row.place.step)
            return wrong("episode step", ring.episodeStep(t)[column], row.place.step);
        if (ring.action(t)[column] != actionAt(t, rows[i].column))
            return wrong("action", ring.action(t)[column], actionAt(t, rows[i].column));
        const float want_action = row.first ? 0 : actionAt(t - 1, rows[i].column);
        const float want_reward = row.first ? 0 : history[t - 1].reward;
        if (previous_action[i] != want_action)
            return wrong("previous action", previous_action[i], want_action);
        if (previous_reward[i] != want_reward)
            return wrong("previous reward", previous_reward[i], want_reward);
        const auto every = static_cast<std::uint64_t>(ring.spec().state_every);
        if (every > 0 && t % every == 0) {
            const auto want = static_cast<float>(t * 64 + column);
            if (ring.state(t)[column] != want) return wrong("state", ring.state(t)[column], want);
        }
    }
    return "";
}

}  // namespace seedbed::test
