// SPDX-License-Identifier: Apache-2.0
// The state of a session with arbitrary bytes: rejected with an error, or training continues from it. Builds
// with sanitizers find out-of-bounds accesses; tests/fuzz/run_state searches for more. Outside the long form,
// each place gets one of the hostile values in turn.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "core/base/finite.hpp"
#include "core/base/rng.hpp"
#include "core/env/env_registry.hpp"
#include "core/session/session.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/state_kinds.hpp"

namespace seedbed {
namespace {

using test::makeSession;

constexpr std::uint64_t kSteps = 1000;

struct Saved {
    std::vector<std::uint8_t> session, windows;
};

TrainingConfig config(const std::string& env, const Json& changes) {
    Json all{{"algo", {{"rollout_length", 8}, {"epochs", 1}, {"minibatches", 1}}},
             {"network", {{"encoder", "flat"}, {"hidden", {4}}}},
             {"actor", {{"num_envs", 4}, {"groups", 2}}},
             {"run", {{"threads", 1}}}};
    all.update(changes, true);  // keeps null, which removes a setting of smallConfig()
    return test::smallConfig(env, all);
}

const Json& memoryAndSchedule(const std::string& schedule) {
    static const Json memory{{"core", "lstm"}, {"core_size", 4}, {"previous_action", true}};
    static const Json sync{{"network", memory}},
        async{{"network", memory}, {"actor", {{"threads", 1}}}, {"run", {{"schedule", "async"}}}};
    return schedule == "async" ? async : sync;
}

Saved save(const TrainingConfig& config) {
    const auto session = makeSession(config);
    for (int update = 0; update < 3; ++update) EXPECT_TRUE(session->iterate().has_value());
    Archive archive = Archive::saving(), windows = Archive::saving();
    EXPECT_TRUE(session->archive(archive, &windows).has_value());
    return {archive.bytes(), windows.bytes()};
}

// Loads the state and continues playing; returns the error, if any.
Result<> loadAndPlay(const TrainingConfig& config, const Saved& saved) {
    const auto session = makeSession(config);
    Archive archive = Archive::loading(saved.session), windows = Archive::loading(saved.windows);
    const bool both = session->hasOpenWindows();
    Result<> loaded = session->archive(archive, both ? &windows : nullptr);
    if (loaded) loaded = archive.finish();
    if (loaded && both) loaded = windows.finish();
    if (!loaded) return loaded;
    for (std::uint64_t steps = 0; steps < kSteps;) {
        const auto stats = session->iterate();
        if (!stats) return tl::unexpected<Error>(stats.error());
        steps += stats->decisions;
    }
    return {};
}

std::string errorOf(const TrainingConfig& config, const Saved& saved) {
    const Result<> played = loadAndPlay(config, saved);
    return played ? "" : played.error().text();
}

class UntrustedState : public testing::TestWithParam<std::string> {};

TEST_P(UntrustedState, IsRefusedOrTrainedFrom) {
    constexpr std::int32_t kHostile[] = {
        -1, 1, 2, 255, 1'000'000, 0x7fffffff, std::numeric_limits<std::int32_t>::min(), 0x7fc00000};
    Rng rng(3, RngPurpose::test, 1);
    for (const char* schedule : {"sync", "async"}) {
        const TrainingConfig settings = config(GetParam(), memoryAndSchedule(schedule));
        const Saved good = save(settings);
        ASSERT_EQ(errorOf(settings, good), "") << schedule;
        int refused = 0;
        for (int change = 0; change < 8; ++change) {
            Saved bad = good;
            auto& bytes = change % 2 == 0 || bad.windows.empty() ? bad.session : bad.windows;
            const auto at = rng.below(static_cast<std::uint32_t>(bytes.size() - 4));
            std::memcpy(bytes.data() + at, &kHostile[rng.below(std::size(kHostile))], 4);
            refused += errorOf(settings, bad).empty() ? 0 : 1;
        }
        Saved longer = good, shorter = good;
        longer.session.push_back(0);
        shorter.session.pop_back();
        EXPECT_NE(errorOf(settings, longer), "");
        EXPECT_NE(errorOf(settings, shorter), "");
        SCOPED_TRACE(refused);
    }
}

INSTANTIATE_TEST_SUITE_P(All, UntrustedState, testing::ValuesIn(envRegistry().ids()),
                         [](const auto& tested) { return tested.param; });

// Whether place i of a state gets value `value` of `values`. The order changes after each `values` places, so
// that it is not that of the members of a repeated structure.
bool isTried(std::size_t i, std::size_t value, std::size_t values) {
    return test::isLong() || (i + i / values) % values == value;
}

// Replaces every number in the state of a small session with values that break code that uses it as an index.
TEST(UntrustedStates, EveryWordOfASmallSessionMayBeHostile) {
    constexpr std::uint64_t kHostile[] = {~std::uint64_t{0}, std::uint64_t{1} << 62, 3};
    for (const auto& [kind, changes] : test::stateKinds()) {
        const TrainingConfig settings = config("two_state", changes);
        const Saved good = save(settings);
        ASSERT_EQ(errorOf(settings, good), "") << kind;
        for (const bool windows : {false, true}) {
            const std::size_t size = (windows ? good.windows : good.session).size();
            // The parameters' moments are most of the state; the step covers everything else.
            std::size_t place = 0;
            for (std::size_t at = 0; at + 8 <= size;
                 at += windows || at < 64 || at + 2000 > size ? 8 : 136, ++place) {
                for (std::size_t i = 0; i < std::size(kHostile); ++i) {
                    if (!isTried(place, i, std::size(kHostile))) continue;
                    const std::uint64_t hostile = kHostile[i];
                    Saved bad = good;
                    std::memcpy((windows ? bad.windows : bad.session).data() + at, &hostile, sizeof hostile);
                    const std::string error = errorOf(settings, bad);
                    EXPECT_LT(error.size(), 1000U);
                }
            }
        }
    }
}

// NaN and infinity are rejected during loading, not found later by training.
TEST(UntrustedStates, NumbersThatAreNotFiniteAreRefused) {
    constexpr float kHostile[] = {std::numeric_limits<float>::quiet_NaN(),
                                  -std::numeric_limits<float>::infinity()};
    for (const auto& [kind, changes] : test::stateKinds()) {
        const TrainingConfig settings = config("two_state", changes);
        const Saved good = save(settings);
        int refused = 0;
        for (const bool windows : {false, true}) {
            const std::size_t size = (windows ? good.windows : good.session).size();
            // An odd stride, since numbers begin at any byte of an archive.
            for (std::size_t at = 0; at + 4 <= size; at += 17) {
                for (std::size_t i = 0; i < std::size(kHostile); ++i) {
                    // Four places begin at all bytes of a number.
                    if (!isTried(at / 17 / 4, i, std::size(kHostile))) continue;
                    const float hostile = kHostile[i];
                    Saved bad = good;
                    std::memcpy((windows ? bad.windows : bad.session).data() + at, &hostile, sizeof hostile);
                    const Result<> played = loadAndPlay(settings, bad);
                    EXPECT_FALSE(!played && played.error().code == kNonFinite)
                        << kind << ", byte " << at << ": " << played.error().text();
                    if (!played && played.error().text().find("not a finite number") != std::string::npos)
                        ++refused;
                }
            }
        }
        EXPECT_GT(refused, 10) << kind;
    }
}

}  // namespace
}  // namespace seedbed
