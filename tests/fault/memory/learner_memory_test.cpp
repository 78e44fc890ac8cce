// SPDX-License-Identifier: Apache-2.0
// Every allocation of an update fails in turn: the learner still has published parameters, from before or
// after the update, because the end of a run reports their hash.
#include <cstdio>
#include <new>

#include <gtest/gtest.h>

#include "tests/fault/memory/failing_memory.hpp"
#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using testing::FailingMemory;

TEST(LearnerOutOfMemory, AnUpdateLeavesItsParametersPublished) {
    const testing::ToyOptions options;
    WorkerPool pool(1);
    std::int64_t n = 0;
    std::string after;
    for (bool touched = true; touched; ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        testing::ToyLearner toy = testing::makeLearner(options, testing::toyPpo(options, Json::object()));
        testing::ToyActor actor(options, toy.engine);
        // Readers keep the first version, so that the update needs memory for another.
        const Params before = toy.learner->params();
        actor.act(before, 16);
        const Window window = actor.window(16);
        const std::vector<Ring*> rings = actor.rings();
        FailingMemory::failAt(n, false);
        try {
            (void)toy.learner->update(rings, {window}, {}, pool);
        } catch (const std::bad_alloc&) {
        }
        touched = n == 0 || FailingMemory::failures() > 0;
        FailingMemory::failAt(0, false);
        ASSERT_FALSE(toy.learner->params().empty());
        const std::string now = toy.learner->params().sha256();
        if (n == 0) after = now;
        EXPECT_NE(after, before.sha256());
        EXPECT_TRUE(now == after || now == before.sha256());
        if (!touched) {
            EXPECT_EQ(now, after);
        }
    }
    std::printf("%lld allocations\n", static_cast<long long>(n - 2));
    EXPECT_GT(n, 10);
}

}  // namespace
}  // namespace seedbed
