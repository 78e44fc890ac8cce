// SPDX-License-Identifier: Apache-2.0
// Learners of several policies: each learns from the rows of its own seats, as it would alone.
#include "core/learn/joined_learner.hpp"

#include <gtest/gtest.h>

#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using testing::makeLearner;
using testing::ToyActor;
using testing::ToyOptions;
using testing::toyPpo;

constexpr int kSteps = 16;

// Two environments with the seats a, b, a.
struct Rig {
    Rig() : actor(options, makeLearner(options, toyPpo(options, Json::object())).engine) {}

    std::unique_ptr<Learner> one(std::uint64_t param_seed) {
        return makeLearner(options, toyPpo(options, {{"epochs", 2}, {"minibatches", 2}}), {.chunk_rows = 8},
                           param_seed)
            .learner;
    }
    std::unique_ptr<Learner> joined() {
        std::vector<std::unique_ptr<Learner>> learners;
        learners.push_back(one(1));
        learners.push_back(one(1));
        return joinLearners(*SeatPolicies::parse("a,b,a"), std::move(learners));
    }
    UpdateStats update(Learner& learner, const std::vector<Window>& windows) {
        auto stats = learner.update(actor.rings(), windows, {}, pool);
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
        return std::move(*stats);
    }
    // Rows that the initial parameters have acted on.
    void collect() { actor.act(one(1)->params(), kSteps); }
    Window all() const { return actor.window(kSteps); }
    Window columns(int first, int count) const {
        Window window = all();
        window.column = first;
        window.columns = count;
        return window;
    }

    ToyOptions options;
    ToyActor actor;
    WorkerPool pool{2};
};

TEST(JoinedLearner, EachPolicyLearnsWhatASeparateLearnerOfItsColumnsLearns) {
    Rig rig;
    rig.collect();
    const auto joined = rig.joined(), a = rig.one(1), b = rig.one(1);
    const UpdateStats both = rig.update(*joined, {rig.all()});
    const UpdateStats of_a =
        rig.update(*a, {rig.columns(0, 1), rig.columns(2, 1), rig.columns(3, 1), rig.columns(5, 1)});
    const UpdateStats of_b = rig.update(*b, {rig.columns(1, 1), rig.columns(4, 1)});
    EXPECT_EQ(joined->params(0).sha256(), a->params().sha256());
    EXPECT_EQ(joined->params(1).sha256(), b->params().sha256());
    EXPECT_NE(joined->params(0).sha256(), joined->params(1).sha256());
    EXPECT_EQ(joined->network(0).name, "a__policy");
    EXPECT_EQ(joined->network(1).name, "b__policy");
    for (const auto& [name, value] : of_a.metrics) {
        EXPECT_EQ(testing::metric(both, "a/" + name), value);
        const double other = testing::metric(of_b, name);
        EXPECT_EQ(testing::metric(both, "b/" + name), other);
        EXPECT_DOUBLE_EQ(testing::metric(both, name), (value + other) / 2);
    }
    EXPECT_EQ(both.minibatches, of_a.minibatches + of_b.minibatches);
}

TEST(JoinedLearner, WrongRowsOfOnePolicyDoNotChangeTheOther) {
    std::string a[2], b[2];
    for (const int side : {0, 1}) {
        Rig rig;
        rig.collect();
        const Window all = rig.all();
        for (std::uint64_t t = all.t0; side == 1 && t < all.t0 + kSteps; ++t)
            for (const int column : {1, 4}) {
                rig.actor.ring().reward(t)[column] *= -30;
                rig.actor.ring().value(t)[column] = 5;
            }
        const auto joined = rig.joined();
        rig.update(*joined, {all});
        a[side] = joined->params(0).sha256();
        b[side] = joined->params(1).sha256();
    }
    EXPECT_EQ(a[0], a[1]);
    EXPECT_NE(b[0], b[1]);
}

TEST(JoinedLearner, PiecesOfAnyLengthGiveTheSameResult) {
    Rig rig;
    rig.collect();
    const auto whole = rig.joined(), pieces = rig.joined();
    const UpdateStats stats = rig.update(*whole, {rig.all()});
    FreshWindows source({rig.all()});
    const std::vector<Ring*> rings = rig.actor.rings();
    pieces->begin(rings, source, {}, rig.pool);
    std::optional<UpdateStats> last;
    int calls = 0;
    while (!last) {
        auto pumped = pieces->pump(TimeBudget(std::chrono::nanoseconds(0)));
        ASSERT_TRUE(pumped.has_value()) << pumped.error().text();
        last = std::move(*pumped);
        ++calls;
    }
    EXPECT_GT(calls, 10);
    EXPECT_EQ(last->metrics, stats.metrics);
    for (std::size_t net = 0; net < 2; ++net)
        EXPECT_EQ(whole->params(net).sha256(), pieces->params(net).sha256());
}

TEST(JoinedLearner, ContinuesFromItsArchive) {
    Rig rig;
    rig.collect();
    const auto first = rig.joined(), second = rig.joined();
    rig.update(*first, {rig.all()});
    Archive saved = Archive::saving();
    first->archive(saved);
    for (std::size_t net = 0; net < 2; ++net) second->setParams(net, first->params(net));
    Archive loaded = Archive::loading(saved.bytes());
    second->archive(loaded);
    ASSERT_TRUE(loaded.finish().has_value());
    EXPECT_EQ(rig.update(*first, {rig.all()}).metrics, rig.update(*second, {rig.all()}).metrics);
    for (std::size_t net = 0; net < 2; ++net)
        EXPECT_EQ(first->params(net).sha256(), second->params(net).sha256());
}

}  // namespace
}  // namespace seedbed
