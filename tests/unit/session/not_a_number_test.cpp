// SPDX-License-Identifier: Apache-2.0
// A thousand non-finite numbers are put into observations, rewards, losses and weights. Each one is found
// before the next optimiser step is applied, and the error names its position.
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/base/finite.hpp"
#include "core/env/env_registry.hpp"
#include "tests/unit/env/small_spec.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

enum class Target { observation, reward, loss, weight };

struct Injection {
    Target target = Target::observation;
    float value = 0;
    int element = 0;
    std::int64_t step = 0;  // counted over all environments of the session
};
Injection& injection() {
    static Injection current;
    return current;
}
std::int64_t& stepsTaken() {
    static std::int64_t steps = 0;
    return steps;
}

constexpr int kElements = 3;

class PoisonedEnv final : public Env {
public:
    struct Params {
        static const Description<Params>& describe() {
            static const auto description = Description<Params>("poisoned", "No parameters.");
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        EnvSpec spec = test::smallSpec("poisoned_test", {.shape = {kElements}, .low = -1, .high = 1});
        spec.horizon = 20;
        return spec;
    }
    explicit PoisonedEnv(const Params&) {}
    void reset(Rng&) override { age_ = 0; }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        hit_ = ++stepsTaken() == injection().step;
        rewards[0] = actions[0];
        const bool bad_reward = injection().target == Target::reward || injection().target == Target::loss;
        if (hit_ && bad_reward) rewards[0] = injection().value;
        return {.reward = rewards[0], .terminated = ++age_ == 20};
    }
    void observe(int, ObsOut out) const override {
        auto* values = out.leaf<float>(0);
        for (int i = 0; i < kElements; ++i) values[i] = 0.1f * static_cast<float>(age_ % 7);
        if (hit_ && injection().target == Target::observation)
            values[injection().element] = injection().value;
    }
    void draw(Scene& scene) const override { scene.clear(0, 0, 1, 1); }
    void archive(Archive& archive) override { archive.field("age", age_, range(0, 20)); }
    Json state() const override { return {{"age", age_}}; }
    Result<> setState(const Json&) override { return fail("not needed"); }

private:
    std::int32_t age_ = 0;
    bool hit_ = false;
};

SEEDBED_REGISTER_ENV(poisoned_test, PoisonedEnv)

bool isFinite(const Params& params) {
    for (const float value : params.blob())
        if (!std::isfinite(value)) return false;
    return true;
}

class NotANumber : public ::testing::Test {
protected:
    NotANumber() { stepsTaken() = 0; }
    ~NotANumber() override { injection() = {}; }

    // Trains until the session reports the number. Returns the error.
    Error trainUntilFound(Session& session) {
        for (int update = 0; update < 4; ++update) {
            const std::string before = session.learner().params().sha256();
            const std::uint64_t updates = session.progress().updates;
            const auto stats = session.iterate();
            EXPECT_TRUE(isFinite(session.learner().params()) || injection().target == Target::weight);
            if (stats) continue;
            // An infinite loss is found in a minibatch, after the earlier minibatches were applied.
            if (injection().target != Target::loss) {
                EXPECT_EQ(session.learner().params().sha256(), before)
                    << "the value was applied before it was found";
            }
            EXPECT_EQ(session.progress().updates, updates);
            return stats.error();
        }
        ADD_FAILURE() << "the value was not found";
        return {};
    }
};

TEST_F(NotANumber, IsFoundBeforeItReachesTheWeightsInAThousandInjections) {
    const char* given = std::getenv("SEEDBED_TEST_SEED");
    const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 71;
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    Rng rng(seed, RngPurpose::test);
    constexpr float kBad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()};
    constexpr const char* kNamed[] = {"observation", "reward", "", ""};
    int found[4] = {};
    for (int i = 0; i < 1000; ++i) {
        stepsTaken() = 0;
        Injection& bad = injection();
        bad = {static_cast<Target>(i % 4), kBad[rng.below(3)], static_cast<int>(rng.below(kElements)),
               1 + static_cast<std::int64_t>(rng.below(96 * 3))};
        if (bad.target == Target::loss) bad.value = rng.below(2) == 0 ? 3e38f : -3e38f;
        SCOPED_TRACE("injection " + std::to_string(i) + ", step " + std::to_string(bad.step));
        const auto session = test::makeSession(test::smallConfig(
            "poisoned_test", {{"network", {{"hidden", {8}}}}, {"run", {{"threads", 1}, {"seed", i}}}}));
        if (bad.target == Target::weight) {
            const Params good = session->learner().params();
            std::vector<float> blob(good.blob().begin(), good.blob().end());
            // Infinite weights are not tested: they only saturate a unit, and files that contain them are
            // rejected.
            const auto& entries = session->learner().networkPlan(0).params;  // with padding between them
            const ParamEntry& entry = entries[rng.below(static_cast<std::uint32_t>(entries.size()))];
            blob[entry.offset + rng.below(static_cast<std::uint32_t>(entry.count))] = kBad[0];
            session->learner().setParams(0, Params(std::move(blob), good.version()));
        }
        const Error error = trainUntilFound(*session);
        if (HasFailure()) return;
        EXPECT_EQ(error.code, kNonFinite) << error.text();
        const char* named = kNamed[static_cast<int>(bad.target)];
        EXPECT_NE(error.text().find(named), std::string::npos) << error.text();
        ++found[i % 4];
    }
    EXPECT_EQ(found[0] + found[1] + found[2] + found[3], 1000);
}

}  // namespace
}  // namespace seedbed
