// SPDX-License-Identifier: Apache-2.0
// The algorithm "count_probe": PPO plus a check that every step of every environment arrives once, in order.
#include "tests/unit/session/count_probe.hpp"

#include <algorithm>
#include <utility>

#include "core/algo/algorithm.hpp"
#include "tests/unit/session/counting_env.hpp"

namespace seedbed::test {
namespace {

class CountProbe final : public Algorithm {
public:
    explicit CountProbe(std::unique_ptr<Algorithm> inner) : inner_(std::move(inner)) {}
    std::vector<NetworkDecl> networks() const override { return inner_->networks(); }
    LearnPlan plan() const override { return inner_->plan(); }
    std::vector<std::string> metrics() const override { return inner_->metrics(); }
    double learningRate(const Progress& progress) const override { return inner_->learningRate(progress); }
    Result<> prepare(Batch& batch, const Progress& progress, const EvaluateNetwork& evaluate) override {
        check(batch);
        std::fill(batch.reward.begin(), batch.reward.end(), 0.0f);
        return inner_->prepare(batch, progress, evaluate);
    }
    void learn(Step& step) const override { inner_->learn(step); }

private:
    // Columns of a batch are sorted by group and time, so the windows of an environment come in order.
    static void check(const Batch& batch) {
        CountSeen& seen = countSeen();
        const std::scoped_lock guard(seen.mutex);
        if (batch.repeat > 0) {
            seen.repeated += static_cast<std::uint64_t>(std::ranges::count(batch.valid, 1));
            return;
        }
        for (int n = 0; n < batch.columns; ++n)
            for (int t = 0; t < batch.steps; ++t) {
                const auto row = static_cast<std::size_t>(t * batch.columns + n);
                if (batch.valid[row] == 0) continue;
                const auto reward = static_cast<std::int64_t>(batch.reward[row]);
                const int instance = static_cast<int>(reward / kCountingSpan);
                const std::int64_t count = reward % kCountingSpan, expected = seen.next[instance]++;
                ++seen.rows;
                if (count > expected && seen.may_skip.erase(instance) > 0) {
                    seen.next[instance] = count + 1;
                    continue;
                }
                if (count != expected && seen.error.empty())
                    seen.error = "environment " + std::to_string(instance) + ": step " +
                                 std::to_string(count) + " where step " + std::to_string(expected) +
                                 " was due";
            }
    }
    std::unique_ptr<Algorithm> inner_;
};

}  // namespace

CountSeen& countSeen() {
    static CountSeen seen;
    return seen;
}

void resetCountSeen() {
    CountSeen& seen = countSeen();
    const std::scoped_lock guard(seen.mutex);
    seen.next.clear();
    seen.may_skip.clear();
    seen.rows = seen.repeated = 0;
    seen.error.clear();
}

// Registers at run time, because registries are filled before main() in no particular order.
void useCountProbe(TrainingConfig& config) {
    static const bool registered = [] {
        algorithmRegistry().add({.id = "count_probe",
                                 .aliases = {},
                                 .help = "a test",
                                 .params = algorithmRegistry().find("ppo")->params,
                                 .make = [](const Json& params, const ActionDistribution& distribution)
                                     -> std::unique_ptr<Algorithm> {
                                     return std::make_unique<CountProbe>(
                                         algorithmRegistry().find("ppo")->make(params, distribution));
                                 }});
        return true;
    }();
    config.algo_id = registered ? "count_probe" : "";
}

}  // namespace seedbed::test
