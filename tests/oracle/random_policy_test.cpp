// SPDX-License-Identifier: Apache-2.0
// The uniformly random policy gets the same mean return in the native environments as in the originals
// (EnvSpec::random_return): the means differ by at most four combined standard errors. Detects errors in
// dynamics, resets, spawn rates and episode ends that no trace covers. SEEDBED_LONG_TESTS=FILE plays 100,000
// episodes of each environment instead of 4,000 and writes the results to FILE as JSON.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/env/env_registry.hpp"
#include "core/env/random_policy.hpp"

namespace seedbed {
namespace {

struct Baseline {
    std::string id;
    Json params;
    std::string name() const { return id + (params.empty() ? "" : "_minimal_actions"); }
};

// Every environment with a known return, and its variant with the minimal set of actions, if any.
std::vector<Baseline> baselines() {
    std::vector<Baseline> found;
    for (const std::string& id : envRegistry().ids()) {
        const EnvEntry& entry = *envRegistry().find(id);
        std::vector<Json> variants = {Json::object()};
        if (entry.params->find("minimal_actions")) variants.push_back({{"minimal_actions", true}});
        for (const Json& params : variants)
            if (entry.spec(params)->random_return) found.push_back({id, params});
    }
    return found;
}

const char* resultFile() { return std::getenv("SEEDBED_LONG_TESTS"); }

class RandomPolicy : public testing::TestWithParam<Baseline> {
protected:
    // Results of the long version, merged with those of earlier filtered runs in the file.
    static Json& results() {
        static Json json = [] {
            std::ifstream file(resultFile() ? resultFile() : "");
            Json before = Json::parse(file, nullptr, false);
            return before.is_object() ? before : Json::object();
        }();
        return json;
    }
    static void TearDownTestSuite() {
        if (resultFile()) std::ofstream(resultFile()) << results().dump(1) << '\n';
    }
};

TEST_P(RandomPolicy, HasTheReturnOfTheOriginal) {
    const EnvEntry& entry = *envRegistry().find(GetParam().id);
    const EnvSpec spec = *entry.spec(GetParam().params);
    auto batch = entry.make(GetParam().params, 100);
    ASSERT_TRUE(batch.has_value()) << batch.error().text();
    VectorEnvOptions options;
    options.horizon = spec.horizon;
    options.seed = 5;
    const auto scores = scoreRandomPolicy(std::move(*batch), resultFile() ? 100'000 : 4'000, options);
    ASSERT_TRUE(scores.has_value()) << scores.error().text();
    // Agents of a game may score differently; the baseline is their mean.
    double mean = 0, error = 0;
    for (const PolicyScore& score : *scores) {
        mean += score.mean / spec.agents;
        error = std::max(error, score.standard_error);
    }
    const double combined = std::hypot(error, spec.random_return_error);
    results()[GetParam().name()] = {
        {"episodes", scores->front().episodes},
        {"mean", mean},
        {"standard_error", error},
        {"mean_length", scores->front().mean_length},
        {"reference", *spec.random_return},
        {"reference_error", spec.random_return_error},
        {"difference_in_errors", combined > 0 ? (mean - *spec.random_return) / combined : 0.0}};
    EXPECT_LE(std::abs(mean - *spec.random_return), 4 * combined + 1e-9)
        << "mean " << mean << " +- " << error << ", the original's " << *spec.random_return << " +- "
        << spec.random_return_error;
}

INSTANTIATE_TEST_SUITE_P(All, RandomPolicy, testing::ValuesIn(baselines()),
                         [](const auto& tested) { return tested.param.name(); });

}  // namespace
}  // namespace seedbed
