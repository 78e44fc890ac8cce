// SPDX-License-Identifier: Apache-2.0
#include "core/export/web/env_trace.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/rng.hpp"
#include "core/base/text.hpp"
#include "core/export/play.hpp"

namespace seedbed {

namespace {

// Weights between 0.5 and 1.5 that differ between neighbours, so that exchanged values change the sum.
double weightOf(std::uint32_t index) {
    return 0.5 + static_cast<double>((index * 2654435761u >> 8) & 0xffffu) / 65536;
}

double digestOf(const ModelBatch& look) {
    double sum = 0;
    std::uint32_t index = 0;
    for (const std::vector<float>& leaf : look.obs)
        for (const float value : leaf) sum += static_cast<double>(value) * weightOf(index++);
    for (const float allowed : look.mask) sum += static_cast<double>(allowed) * weightOf(index++);
    return sum;
}

// Appends one random action per agent. `look` contains the masks.
void appendActions(const PolicyModel& model, const ModelBatch& look, Rng& rng, std::vector<float>& actions) {
    const float* mask = look.mask.empty() ? nullptr : look.mask.data();
    for (int row = 0; row < look.rows; ++row) {
        for (const ActionLeaf& leaf : model.spaces().actions) {
            if (leaf.kind == ActionLeaf::Kind::box) {
                for (int i = 0; i < leaf.words(); ++i)
                    actions.push_back(static_cast<float>(rng.uniform(-1, 1)));
                continue;
            }
            std::vector<int> allowed;
            for (int choice = 0; choice < leaf.n; ++choice)
                if (mask == nullptr || mask[choice] > 0) allowed.push_back(choice);
            const std::size_t count = allowed.empty() ? static_cast<std::size_t>(leaf.n) : allowed.size();
            const std::uint32_t pick = rng.below(static_cast<std::uint32_t>(count));
            actions.push_back(static_cast<float>(allowed.empty() ? static_cast<int>(pick) : allowed[pick]));
            if (mask != nullptr) mask += leaf.n;
        }
    }
}

// Records `steps` steps with the given actions, or with random ones if there are none.
Result<EnvTrace> play(const PolicyModel& model, std::uint64_t seed, int steps,
                      const std::vector<float>* given) {
    SEEDBED_ASSIGN(Play play, Play::create(model, 1, seed));
    const std::size_t words =
        static_cast<std::size_t>(play.rows()) * static_cast<std::size_t>(model.spaces().actionWords());
    if (given != nullptr && given->size() != words * static_cast<std::size_t>(steps))
        return fail(ErrorCode::config, "the recorded actions do not fit the environment");
    Rng rng(seed, RngPurpose::test);
    EnvTrace trace{.seed = seed, .steps = steps, .actions = {}, .rewards = {}, .digests = {}, .ends = {}};
    std::vector<float> feedback;
    for (int step = 0; step < steps; ++step) {
        const ModelBatch& look = play.observe();
        trace.digests.push_back(digestOf(look));
        const std::size_t begin = trace.actions.size();
        if (given == nullptr) appendActions(model, look, rng, trace.actions);
        else
            trace.actions.insert(trace.actions.end(), given->begin() + static_cast<std::ptrdiff_t>(begin),
                                 given->begin() + static_cast<std::ptrdiff_t>(begin + words));
        const std::vector<float> actions(trace.actions.begin() + static_cast<std::ptrdiff_t>(begin),
                                         trace.actions.end());
        if (model.wants_previous_action) feedback = actions;
        std::vector<EpisodeEnd> ended;
        SEEDBED_TRY(play.step(actions, feedback, ended));
        for (int row = 0; row < play.rows(); ++row) trace.rewards.push_back(play.reward(row));
        trace.ends.push_back(static_cast<int>(ended.size()));
    }
    trace.digests.push_back(digestOf(play.observe()));
    return trace;
}

}  // namespace

Result<EnvTrace> recordEnvTrace(const PolicyModel& model, std::uint64_t seed, int steps) {
    return play(model, seed, steps, nullptr);
}

Result<std::string> compareEnvTrace(const PolicyModel& model, const EnvTrace& trace) {
    constexpr double kTolerance = 1e-4;
    SEEDBED_ASSIGN(const EnvTrace own, play(model, trace.seed, trace.steps, &trace.actions));
    const auto steps = static_cast<std::size_t>(trace.steps);
    if (trace.rewards.size() != own.rewards.size() || trace.digests.size() != steps + 1 ||
        trace.ends.size() != steps)
        return fail(ErrorCode::config, "the recording does not fit the environment");
    const auto equal = [](double a, double b) { return std::abs(a - b) <= kTolerance * (1 + std::abs(a)); };
    const std::size_t agents = trace.rewards.size() / std::max<std::size_t>(steps, 1);
    for (std::size_t step = 0; step <= steps; ++step) {
        const std::string where = " in step " + std::to_string(step);
        if (!equal(trace.digests[step], own.digests[step])) return "an observation differs" + where;
        if (step == steps) break;
        if (trace.ends[step] != own.ends[step]) return "the end of an episode differs" + where;
        for (std::size_t i = step * agents; i < (step + 1) * agents; ++i)
            if (!equal(static_cast<double>(trace.rewards[i]), static_cast<double>(own.rewards[i])))
                return "a reward differs" + where;
    }
    return std::string();
}

Json toJson(const EnvTrace& trace) {
    return {{"seed", trace.seed},       {"steps", trace.steps},     {"actions", trace.actions},
            {"rewards", trace.rewards}, {"digests", trace.digests}, {"ends", trace.ends}};
}

Result<EnvTrace> envTraceFromJson(const Json& json) try {
    EnvTrace trace;
    json.at("seed").get_to(trace.seed);
    json.at("steps").get_to(trace.steps);
    json.at("actions").get_to(trace.actions);
    json.at("rewards").get_to(trace.rewards);
    json.at("digests").get_to(trace.digests);
    json.at("ends").get_to(trace.ends);
    return trace;
} catch (const Json::exception&) {
    return fail(ErrorCode::config, "the recording of the environment is malformed");
}

}  // namespace seedbed
