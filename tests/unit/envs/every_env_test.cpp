// SPDX-License-Identifier: Apache-2.0
// Properties of every registered environment; new ones are covered automatically. Random streams have seed
// 11; to reproduce a failure, use --gtest_filter and the step in the message.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "core/base/simd.hpp"
#include "tests/unit/envs/random_play.hpp"

namespace seedbed {
namespace {

constexpr std::uint64_t kSeed = 11;

class EveryEnv : public testing::TestWithParam<std::string> {
protected:
    const EnvEntry& entry() const { return *envRegistry().find(GetParam()); }
    EnvSpec spec() const { return *entry().spec(Json::object()); }
};

// Allows for rounding: bounds are doubles, and observations float32.
bool within(double value, double low, double high) {
    const double slack = 1e-6 * std::max({1.0, std::isfinite(low) ? std::abs(low) : 0,
                                          std::isfinite(high) ? std::abs(high) : 0});
    return value >= low - slack && value <= high + slack;
}

void expectSaneObs(const ObsLeaf& leaf) {
    SCOPED_TRACE(leaf.name);
    EXPECT_FALSE(leaf.shape.empty());
    for (const int size : leaf.shape) EXPECT_GT(size, 0);
    std::size_t labelled = leaf.elements();
    if (leaf.kind == ObsLeaf::Kind::vector) {
        EXPECT_EQ(leaf.dtype, DType::f32);
        EXPECT_LT(leaf.low, leaf.high);
    } else if (leaf.kind == ObsLeaf::Kind::image) {
        EXPECT_EQ(leaf.dtype, DType::u8);
        EXPECT_EQ(leaf.shape.size(), 3U);
        EXPECT_GE(leaf.low, 0);
        EXPECT_LE(leaf.high, 255);
        EXPECT_LT(leaf.low, leaf.high);
        labelled = static_cast<std::size_t>(leaf.shape[0]);
    } else {
        EXPECT_EQ(leaf.dtype, DType::i32);
        EXPECT_GE(leaf.cardinality, 2);
    }
    if (!leaf.labels.empty()) {
        EXPECT_EQ(leaf.labels.size(), labelled);
    }
    EXPECT_GE(leaf.stack, 1);
    EXPECT_TRUE(leaf.stack == 1 || leaf.kind == ObsLeaf::Kind::image);
}

void expectSaneAction(const ActionLeaf& leaf) {
    SCOPED_TRACE(leaf.name);
    if (leaf.kind == ActionLeaf::Kind::discrete) {
        EXPECT_GE(leaf.n, 2);
        if (!leaf.labels.empty()) {
            EXPECT_EQ(leaf.labels.size(), static_cast<std::size_t>(leaf.n));
        }
        return;
    }
    ASSERT_EQ(leaf.low.size(), leaf.high.size());
    EXPECT_FALSE(leaf.low.empty());
    for (std::size_t i = 0; i < leaf.low.size(); ++i) EXPECT_LT(leaf.low[i], leaf.high[i]);
    if (!leaf.labels.empty()) {
        EXPECT_EQ(leaf.labels.size(), leaf.low.size());
    }
}

TEST(EveryEnvironment, WithTheSentenceOfAnotherOneHasItsSizeInTheTitle) {
    std::map<std::string, std::vector<std::string>> titles;
    for (const std::string& id : envRegistry().ids()) {
        const EnvEntry& entry = *envRegistry().find(id);
        const EnvSpec spec = entry.spec(entry.params->defaults()).value();
        titles[spec.sentence].push_back(spec.title);
    }
    for (const auto& [sentence, all] : titles)
        for (const std::string& title : all)
            EXPECT_TRUE(all.size() == 1 || title.find_first_of("0123456789") != std::string::npos)
                << title << ": " << sentence;
}

TEST_P(EveryEnv, HasAValidSpec) {
    const EnvSpec s = spec();
    EXPECT_EQ(s.id, GetParam());
    EXPECT_FALSE(s.title.empty());
    EXPECT_TRUE(s.sentence.size() > 10 && s.sentence.back() == '.') << s.sentence;
    EXPECT_FALSE(s.upstream.empty());
    EXPECT_TRUE((std::set<std::string>{"easy", "medium", "hard"}.contains(s.difficulty))) << s.difficulty;
    EXPECT_GE(s.agents, 1);
    EXPECT_GE(s.horizon, 0);
    EXPECT_LE(s.reward_low, s.reward_high);
    ASSERT_FALSE(s.spaces.obs.empty());
    ASSERT_FALSE(s.spaces.actions.empty());
    for (const ObsLeaf& leaf : s.spaces.obs) expectSaneObs(leaf);
    for (const ActionLeaf& leaf : s.spaces.actions) expectSaneAction(leaf);
    EXPECT_GE(s.random_return_error, 0);
    for (const ReferenceScore& reference : s.references) {
        EXPECT_FALSE(reference.agent.empty());
        EXPECT_FALSE(reference.source.empty()) << reference.agent;
    }
    const auto made = entry().make(Json::object(), 2);
    ASSERT_TRUE(made.has_value()) << made.error().text();
    EXPECT_EQ((*made)->spec().spaces, s.spaces);
    EXPECT_EQ((*made)->spec().id, s.id);
    EXPECT_EQ((*made)->count(), 2);
    for (const std::string& alias : entry().aliases) EXPECT_EQ(envRegistry().find(alias), &entry()) << alias;
}

void expectLegalObs(const RandomPlay& play, int step) {
    for (std::size_t index = 0; index < play.spec().spaces.obs.size(); ++index) {
        const ObsLeaf& leaf = play.spec().spaces.obs[index];
        const std::size_t elements = leaf.elements() * static_cast<std::size_t>(play.columns());
        const std::uint8_t* bytes = play.leaf(index);
        for (std::size_t i = 0; i < elements; ++i) {
            double value = bytes[leaf.dtype == DType::u8 ? i : 0], low = leaf.low, high = leaf.high;
            if (leaf.dtype == DType::f32)
                value = static_cast<double>(reinterpret_cast<const float*>(bytes)[i]);
            if (leaf.dtype == DType::i32) {
                value = reinterpret_cast<const std::int32_t*>(bytes)[i];
                low = 0;
                high = leaf.cardinality - 1;
            }
            ASSERT_TRUE(std::isfinite(value) && within(value, low, high))
                << leaf.name << " element " << i % leaf.elements() << " is " << value << " after step "
                << step;
        }
    }
}

// At least one choice of every discrete action is allowed while an episode continues.
void expectLegalMask(const RandomPlay& play, int step) {
    const std::uint8_t* mask = play.mask().data();
    for (int column = 0; column < play.columns(); ++column) {
        for (const ActionLeaf& leaf : play.spec().spaces.actions) {
            if (leaf.kind != ActionLeaf::Kind::discrete) continue;
            ASSERT_TRUE(std::all_of(mask, mask + leaf.n, [](std::uint8_t m) { return m <= 1; }));
            ASSERT_TRUE(std::any_of(mask, mask + leaf.n, [](std::uint8_t m) { return m == 1; }))
                << "no legal choice after step " << step;
            mask += leaf.n;
        }
    }
}

TEST_P(EveryEnv, StaysInBoundsFor100000RandomSteps) {
    constexpr int kEnvs = 25;  // 4000 steps each, enough for one episode of the slowest environment
    RandomPlay play(GetParam(), kEnvs, kSeed);
    for (int step = 0; step < 100'000 / kEnvs; ++step) {
        expectLegalObs(play, step);
        if (play.spec().spaces.has_mask) expectLegalMask(play, step);
        if (HasFatalFailure()) return;
        play.step();
        for (const float reward : play.rewards())
            ASSERT_TRUE(std::isfinite(reward) &&
                        within(static_cast<double>(reward), play.spec().reward_low, play.spec().reward_high))
                << "reward " << reward << " in step " << step;
    }
    EXPECT_GT(play.episodesEnded(), 0) << "no episode ended";
}

std::vector<std::uint8_t> record(RandomPlay& play, int steps) {
    std::vector<std::uint8_t> bytes;
    for (int step = 0; step < steps; ++step) {
        play.step();
        play.appendTo(bytes);
    }
    return bytes;
}

TEST_P(EveryEnv, IsDeterminedByItsSeed) {
    RandomPlay first(GetParam(), 5, kSeed), second(GetParam(), 5, kSeed);
    EXPECT_EQ(record(first, 600), record(second, 600));
}

TEST_P(EveryEnv, DoesNotDependOnTheSizeOfTheBatch) {
    constexpr int kEnvs = 11;
    RandomPlay batch(GetParam(), kEnvs, kSeed), single(GetParam(), 1, kSeed, kEnvs - 1);
    const std::size_t agents = static_cast<std::size_t>(batch.spec().agents), from = (kEnvs - 1) * agents;
    for (int step = 0; step < 600; ++step) {
        batch.step();
        single.step();
        for (std::size_t index = 0; index < batch.spec().spaces.obs.size(); ++index) {
            const std::size_t bytes = batch.spec().spaces.obs[index].bytes() * agents;
            ASSERT_EQ(std::memcmp(batch.leaf(index) + (kEnvs - 1) * bytes, single.leaf(index), bytes), 0)
                << "step " << step;
        }
        ASSERT_TRUE(std::equal(single.rewards().begin(), single.rewards().end(),
                               batch.rewards().begin() + static_cast<std::ptrdiff_t>(from)));
        ASSERT_EQ(batch.terminated().back(), single.terminated().back());
    }
}

TEST_P(EveryEnv, GivesTheSameBitsWithEveryInstructionSet) {
    const auto play = [&](Isa isa) {
        limitIsa(isa);
        RandomPlay random(GetParam(), 13, kSeed);
        return record(random, 600);
    };
    const std::vector<std::uint8_t> base = play(Isa::base);
    for (const Isa isa : {Isa::avx2, Isa::avx512})
        if (isa <= detectedIsa()) {
            EXPECT_TRUE(play(isa) == base) << nameOf(isa);
        }
    limitIsa(Isa::avx512);
}

TEST_P(EveryEnv, ContinuesEquallyFromAnArchiveInMidEpisode) {
    RandomPlay original(GetParam(), 6, kSeed);
    if (!original.batch().canArchive()) GTEST_SKIP() << "this environment cannot be saved";
    // Steps until at least one environment is past its first step.
    int steps = 0;
    while (steps < 40 || *std::max_element(original.lengths().begin(), original.lengths().end()) == 0) {
        record(original, 1);
        ++steps;
    }
    Archive saved = Archive::saving();
    original.archive(saved);

    RandomPlay restored(GetParam(), 6, kSeed);
    record(restored, 7);  // so that its state differs before loading
    Archive loaded = Archive::loading(saved.bytes());
    restored.archive(loaded);
    ASSERT_TRUE(loaded.finish().has_value());
    EXPECT_TRUE(record(original, 300) == record(restored, 300));
    EXPECT_EQ(restored.lengths(), original.lengths());
}

// Limits of archived fields must not reject what the environment itself saves.
TEST_P(EveryEnv, LoadsEveryStateItReaches) {
    constexpr int kEnvs = 4;
    RandomPlay play(GetParam(), kEnvs, kSeed);
    if (!play.batch().canArchive()) GTEST_SKIP() << "this environment cannot be saved";
    RandomPlay other(GetParam(), 1, kSeed);
    for (int step = 0; step < 4000; ++step) {
        play.step();
        Archive saved = Archive::saving();
        play.batch().archive(step % kEnvs, saved);
        Archive loaded = Archive::loading(saved.bytes());
        other.batch().archive(0, loaded);
        const auto finished = loaded.finish();
        ASSERT_TRUE(finished.has_value()) << "step " << step << ": " << finished.error().text();
        Archive again = Archive::saving();
        other.batch().archive(0, again);
        ASSERT_TRUE(again.bytes() == saved.bytes()) << "step " << step;
    }
}

// A saved state with arbitrary bytes is rejected, or play continues from it and reaches only states that can
// be loaded. ASan builds find out-of-bounds accesses.
TEST_P(EveryEnv, RefusesChangedStatesOrPlaysOn) {
    constexpr std::int32_t kHostile[] = {
        -1,        1, 2, 3, 9, 10, 255, 256, 1'000'000, 0x7fffffff, std::numeric_limits<std::int32_t>::min(),
        0x7fc00000};
    constexpr int kSteps = 1000;
    RandomPlay play(GetParam(), 1, kSeed);
    if (!play.batch().canArchive()) GTEST_SKIP() << "this environment cannot be saved";
    record(play, 5);
    Archive saved = Archive::saving();
    play.batch().archive(0, saved);
    Rng rng(kSeed, RngPurpose::test, 99);
    const std::vector<std::uint8_t>& good = saved.bytes();
    int refused = 0;
    RandomPlay other(GetParam(), 1, kSeed);
    const auto expectLoadable = [&](int step) {
        Archive reached = Archive::saving();
        play.batch().archive(0, reached);
        Archive loaded = Archive::loading(reached.bytes());
        other.batch().archive(0, loaded);
        const auto finished = loaded.finish();
        ASSERT_TRUE(finished.has_value()) << "step " << step << ": " << finished.error().text();
    };
    const auto tryLoading = [&](std::vector<std::uint8_t> bytes) {
        Archive loaded = Archive::loading(std::move(bytes));
        play.batch().archive(0, loaded);
        if (loaded.finish()) {
            play.observe();
            for (int step = 0; step < kSteps; ++step) {
                play.step();
                if (step < 10) expectLoadable(step);
                if (testing::Test::HasFatalFailure()) return;
            }
        } else {
            ++refused;
        }
        Archive back = Archive::loading(good);
        play.batch().archive(0, back);
        ASSERT_TRUE(back.finish().has_value());
    };
    for (int i = 0; i < 300; ++i) {
        std::vector<std::uint8_t> bytes = good;
        // First each value in each of the first words, then random changes, and finally three random changes
        // at once.
        for (int change = 0; change < (i < 250 ? 1 : 3); ++change) {
            constexpr std::size_t kValues = std::size(kHostile), kWords = 16;
            const auto size = static_cast<std::uint32_t>(bytes.size());
            const bool is_word = static_cast<std::size_t>(i) < kWords * kValues;
            const std::size_t width = std::min<std::size_t>(is_word || i % 3 != 0 ? 4 : 1, size);
            const std::size_t at = is_word ? static_cast<std::size_t>(i) / kValues * 4 % (size - width + 1)
                                           : rng.below(static_cast<std::uint32_t>(size - width + 1));
            const std::size_t value = is_word ? static_cast<std::size_t>(i) % kValues : rng.below(kValues);
            std::memcpy(bytes.data() + at, &kHostile[value], width);
        }
        tryLoading(std::move(bytes));
        if (HasFatalFailure()) FAIL() << "mutation " << i;
    }
    EXPECT_GT(refused, 0) << "no field has limits";
}

TEST_P(EveryEnv, DetectsATruncatedArchive) {
    RandomPlay play(GetParam(), 1, kSeed);
    if (!play.batch().canArchive()) GTEST_SKIP() << "this environment cannot be saved";
    record(play, 10);
    Archive saved = Archive::saving();
    play.batch().archive(0, saved);
    std::vector<std::uint8_t> bytes = saved.bytes();
    bytes.pop_back();
    Archive torn = Archive::loading(bytes);
    play.batch().archive(0, torn);
    EXPECT_FALSE(torn.finish().has_value());
    play.observe();
}

TEST_P(EveryEnv, AcceptsTheStateThatItReports) {
    RandomPlay play(GetParam(), 2, kSeed);
    for (int step = 0; step < 100; ++step) {
        play.step();
        const Json state = play.batch().state(0);
        std::vector<std::uint8_t> before, after;
        play.appendTo(before);
        const auto set = play.batch().setState(0, state);
        ASSERT_TRUE(set.has_value()) << set.error().text();
        ASSERT_EQ(play.batch().state(0).dump(), state.dump());
        play.observe();
        play.appendTo(after);
        ASSERT_TRUE(before == after) << state.dump();
    }
}

TEST_P(EveryEnv, RejectsAnInvalidStateAndKeepsItsOwn) {
    RandomPlay play(GetParam(), 1, kSeed);
    record(play, 3);
    const std::string state = play.batch().state(0).dump();
    for (const Json& wrong :
         {Json(), Json("text"), Json::array(), Json::object(), Json(-1), Json::array({"a", "b"})}) {
        bool refused = false;
        try {
            refused = !play.batch().setState(0, wrong).has_value();
        } catch (const Json::exception&) {
            refused = true;
        }
        EXPECT_TRUE(refused) << wrong.dump();
        EXPECT_EQ(play.batch().state(0).dump(), state) << wrong.dump();
    }
}

TEST_P(EveryEnv, DoesNotChangeInactiveEnvironments) {
    RandomPlay play(GetParam(), 10, kSeed);
    record(play, 5);
    play.drawActions();
    std::vector<std::string> before;
    for (int env = 0; env < 10; ++env) before.push_back(play.batch().state(env).dump());
    std::vector<std::uint8_t> active(10, 1), terminated(10, 7), truncated(10, 7);
    std::vector<float> rewards(static_cast<std::size_t>(play.columns()), 1234.5F);
    for (const int env : {0, 3, 9}) active[static_cast<std::size_t>(env)] = 0;
    ASSERT_TRUE(play.batch()
                    .step(play.actions().data(), active.data(), play.rngs(), rewards.data(),
                          terminated.data(), truncated.data())
                    .has_value());
    int moved = 0;
    for (std::size_t env = 0; env < 10; ++env) {
        const bool same = play.batch().state(static_cast<int>(env)).dump() == before[env];
        if (active[env] == 0) {
            EXPECT_TRUE(same) << env;
        } else {
            moved += same ? 0 : 1;
        }
        EXPECT_EQ(terminated[env] == 7, active[env] == 0) << env;
        EXPECT_EQ(truncated[env] == 7, active[env] == 0) << env;
        EXPECT_EQ(rewards[env * static_cast<std::size_t>(play.spec().agents)] == 1234.5F, active[env] == 0)
            << env;
    }
    EXPECT_GT(moved, 0) << "no environment moved";
}

void expectFiniteScene(const Scene& scene) {
    ASSERT_LT(scene.left, scene.right);
    ASSERT_LT(scene.bottom, scene.top);
    for (const Shape& shape : scene.shapes) {
        for (const float value :
             {shape.x, shape.y, shape.w, shape.h, shape.angle, shape.radius, shape.stroke_width})
            ASSERT_TRUE(std::isfinite(value));
        for (const float value : shape.points) ASSERT_TRUE(std::isfinite(value));
        if (shape.kind == Shape::Kind::circle) {
            ASSERT_GT(shape.radius, 0);
        }
        if (shape.kind == Shape::Kind::rectangle) {
            ASSERT_TRUE(shape.w >= 0 && shape.h >= 0);
        }
        if (shape.kind == Shape::Kind::polygon) {
            ASSERT_TRUE(shape.points.size() >= 6 && shape.points.size() % 2 == 0);
        }
        if (shape.kind == Shape::Kind::text) {
            ASSERT_FALSE(shape.text.empty());
        }
    }
    const auto frame =
        static_cast<std::size_t>(scene.frame_width) * static_cast<std::size_t>(scene.frame_height) * 3;
    ASSERT_EQ(scene.frame.size(), frame);
    ASSERT_TRUE(scene.frame_width > 0 || !scene.shapes.empty());
}

TEST_P(EveryEnv, Draws1000States) {
    RandomPlay play(GetParam(), 1, kSeed);
    Scene scene, first;
    int different = 0;
    for (int state = 0; state < 1000; ++state) {
        play.batch().draw(0, scene);
        expectFiniteScene(scene);
        if (HasFatalFailure()) FAIL() << "state " << state;
        if (state == 0) first = scene;
        different += scene == first ? 0 : 1;
        play.step();
    }
    EXPECT_GT(different, 0) << "all pictures are the same";
}

INSTANTIATE_TEST_SUITE_P(All, EveryEnv, testing::ValuesIn(envRegistry().ids()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace seedbed
