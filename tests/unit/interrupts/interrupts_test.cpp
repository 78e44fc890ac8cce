// SPDX-License-Identifier: Apache-2.0
// Signals interrupt system calls during saving and loading, first each call in turn, then all of them,
// without a visible effect. Of the calls in turn, the short form omits some after the first ones.
#include <gtest/gtest.h>

#include "core/checkpoint/checkpoint_store.hpp"
#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/interrupts/system_calls.hpp"
#include "tests/unit/policy/policy_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;
using testing::SystemCalls;

class Interrupts : public testing::PolicyTest {
protected:
    // Creates a run, writes rows and a checkpoint, and reads them back. Every call succeeds.
    void script() {
        Store store = must(Store::open(data()));
        NewRun row;
        row.name = "pole";
        row.env = "cartpole";
        row.algo = "ppo";
        row.engine = "reference";
        const OwnedRun run = must(store.createRun(row));
        ASSERT_TRUE(run.lock);
        must(store.beginSegment(*run.lock, 0, ProcessInfo{}));
        {
            const auto writer = must(RunWriter::open(data(), *run.lock));
            for (std::int64_t step = 1; step <= 600; ++step) {
                const RunWriter::Value value{"loss/policy", static_cast<double>(step)};
                writer->metrics(step, 1.7e9, std::span(&value, 1));
            }
            must(writer->flush());
        }
        CheckpointStore checkpoints = this->store();
        must(checkpoints.save(checkpoint(600)));
        must(checkpoints.markBest(600, 1.0));
        expectSame(must(checkpoints.load("best")).data, checkpoint(600));
        EXPECT_TRUE(RunLock::isHeld(data(), run.id));
        EXPECT_FALSE(RunLock::acquire(data(), run.id).has_value());
        StoreReader reader = must(StoreReader::open(data()));
        EXPECT_EQ(must(reader.metric(run.id, "loss/policy")).steps.size(), 600u);
    }

    // The call after n to interrupt: two of five after the first ones.
    static int next(int n) { return n < 100 || test::isLong() ? n + 1 : n + (n % 5 == 1 ? 2 : 3); }

    int script(int at, bool forever, int times) {
        must(removeTree(files_, data()));
        SystemCalls::interruptAt(at, forever, times);
        script();
        const int interrupted = SystemCalls::interrupted();
        SystemCalls::interruptAt(0, false, 1);
        must(removeTree(files_, data()));
        return interrupted;
    }
};

TEST_F(Interrupts, EveryCallInTurnHasNoVisibleEffect) {
    // Writers have their own threads, so the number of calls varies slightly.
    int n = 1;
    for (int untouched = 0; untouched < 3 && !HasFailure(); n = next(n)) {
        SCOPED_TRACE("call " + std::to_string(n));
        ASSERT_LT(n, 5000);
        untouched = script(n, false, 1) > 0 ? 0 : untouched + 1;
    }
    EXPECT_GT(n, 200) << "the calls must go through the replaced functions";
}

TEST_F(Interrupts, AllCallsThreeTimesEach) { EXPECT_GT(script(1, true, 3), 600); }

}  // namespace
}  // namespace seedbed
