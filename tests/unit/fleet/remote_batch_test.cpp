// SPDX-License-Identifier: Apache-2.0
// Groups on other machines: an actor that leaves, hangs or sends garbage loses its own columns only, and the
// next one continues.
#include "core/fleet/remote_batch.hpp"

#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/text.hpp"
#include "tests/unit/fleet/fleet_rig.hpp"
#include "tests/unit/fleet/relay.hpp"

namespace seedbed::test {
namespace {

constexpr int kRows = 300;

bool contains(const std::vector<std::string>& texts, const std::string& part) {
    return join(texts, "\n").find(part) != std::string::npos;
}

TEST(RemoteBatch, ActorsCanLeaveWithoutChangingOtherColumns) {
    SEEDBED_NEEDS_FLEET();
    std::string with_kill, without_kill;
    for (const bool kill : {false, true}) {
        FleetRig rig(2, 3);
        Columns first = rig.columns(0), second = rig.columns(1);
        // The first actor gets the first group.
        auto victim = std::make_unique<ActorThread>(rig.credentials(), "victim");
        first.stepUntilGood();
        const ActorThread other(rig.credentials(), "other");
        second.stepUntilGood();
        for (int row = 0; row < kRows; ++row) {
            if (kill && row == kRows / 3) victim->stop();
            first.step();
            if (kill && row == kRows / 3) {
                EXPECT_TRUE(first.anyFailed());
                EXPECT_TRUE(contains(first.notices(), "actor victim"));
                victim = std::make_unique<ActorThread>(rig.credentials(), "next");
                first.stepUntilGood();
            }
            second.step();
            EXPECT_FALSE(second.anyFailed());
        }
        EXPECT_FALSE(first.anyFailed());
        (kill ? with_kill : without_kill) = second.takeHash();
    }
    EXPECT_EQ(with_kill, without_kill);
}

TEST(RemoteBatch, RepeatsWithTheSameSeeds) {
    SEEDBED_NEEDS_FLEET();
    std::string hashes[3];
    for (int i = 0; i < 3; ++i) {
        FleetRig rig(1, 4);
        Columns columns = rig.columns(0, i < 2 ? 5 : 6);
        const ActorThread actor(rig.credentials(), "actor");
        for (int row = 0; row < kRows; ++row) columns.step();
        EXPECT_EQ(columns.counted(), 4U * (kRows - 1));
        hashes[i] = columns.takeHash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_NE(hashes[0], hashes[2]);
}

// Every answer is counted at most once: a second one has the number of an earlier request.
TEST(RemoteBatch, AnAnswerThatArrivesTwiceIsNotCounted) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    Columns columns = rig.columns(0);
    const ExchangeLayout layout(rig.spec(), 2);
    std::thread actor([&] {
        const auto link = rig.join();
        std::vector<std::uint8_t*> leaves;
        for (std::uint64_t number = 1; number <= 2; ++number) {
            ASSERT_TRUE(link->receive(60, {}).has_value());
            Bytes rows = layout.rows(number);
            Exchange out;
            layout.place(rows, leaves, out);
            std::memset(out.flags, number == 1 ? column_flag::first : 0, 2);
            link->send(rows);
            if (number == 2) link->send(rows);
        }
        ASSERT_TRUE(link->receive(60, {}).has_value());  // the third request
        EXPECT_EQ(control(*link).at("why"), "refused");
    });
    columns.step();
    columns.step();
    EXPECT_FALSE(columns.anyFailed());
    EXPECT_EQ(columns.counted(), 2U);
    columns.step();
    EXPECT_TRUE(columns.anyFailed());
    EXPECT_EQ(columns.counted(), 2U);
    EXPECT_TRUE(contains(columns.notices(), "has the number 2 instead of 3"));
    actor.join();
}

// Sends one answer that `spoil` has changed, and returns the notices.
std::vector<std::string> noticesAfter(FleetRig& rig, Columns& columns,
                                      const std::function<void(Bytes&, const Exchange&)>& spoil) {
    std::thread actor([&] {
        const auto link = rig.join();
        const auto request = link->receive(60, {});
        ASSERT_TRUE(request.has_value());
        std::uint64_t number = 0;
        std::memcpy(&number, request->data() + 8, 8);
        const ExchangeLayout layout(rig.spec(), 2);
        Bytes rows = layout.rows(number);
        std::vector<std::uint8_t*> leaves;
        Exchange out;
        layout.place(rows, leaves, out);
        std::memset(out.flags, column_flag::first, 2);
        spoil(rows, out);
        link->send(std::move(rows));
        // The learner refuses the actor, or requests the next row of the other environment.
        (void)link->receive(60, {});
    });
    columns.step();
    EXPECT_TRUE(columns.anyFailed());
    std::vector<std::string> notices = columns.notices();
    // If the actor was not refused, it leaves now.
    if (!contains(notices, "broke the protocol")) columns.step();
    actor.join();
    return notices;
}

TEST(RemoteBatch, GarbageIsRefusedWithItsCauseAndTheNextActorContinues) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2, "cartpole", 5);
    Columns columns = rig.columns(0);
    const auto nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<std::pair<const char*, std::function<void(Bytes&, const Exchange&)>>> cases;
    cases.emplace_back("does not have the expected form",
                       [](Bytes& rows, const Exchange&) { rows.resize(20); });
    cases.emplace_back("does not have the expected form", [](Bytes& rows, const Exchange&) { rows.clear(); });
    cases.emplace_back("its flags are 255", [](Bytes&, const Exchange& out) { out.flags[1] = 255; });
    cases.emplace_back("instead of", [](Bytes& rows, const Exchange&) { rows[8] ^= 128; });
    cases.emplace_back("not finite", [nan](Bytes&, const Exchange& out) {
        reinterpret_cast<float*>(out.leaves[0])[0] = nan;
    });
    cases.emplace_back("its reward is", [nan](Bytes&, const Exchange& out) { out.rewards[1] = nan; });
    for (const auto& [cause, spoil] : cases) {
        const std::vector<std::string> notices = noticesAfter(rig, columns, spoil);
        EXPECT_TRUE(contains(notices, cause)) << cause << " is not in: " << join(notices, "\n");
    }
    const ActorThread good(rig.credentials(), "good");
    columns.stepUntilGood();
}

TEST(RemoteBatch, AnActorThatDoesNotAnswerIsReplaced) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2, "cartpole", 0.1);
    Columns columns = rig.columns(0);
    const auto silent = rig.join();
    columns.step();
    EXPECT_TRUE(columns.anyFailed());
    EXPECT_TRUE(contains(columns.notices(), "did not answer within 0.60 s"));
    const ActorThread actor(rig.credentials(), "next");
    columns.stepUntilGood();
}

TEST(RemoteBatch, AStopRequestEndsTheWaitForAnActor) {
    SEEDBED_NEEDS_FLEET();
    const auto slot = std::make_shared<ActorSlot>();
    std::stop_source stop;
    std::thread request([&] { stop.request_stop(); });
    const auto taken = slot->take(stop.get_token());
    request.join();
    ASSERT_FALSE(taken.has_value());
    EXPECT_EQ(taken.error().code, ErrorCode::interrupted);
    slot->close();
    EXPECT_FALSE(slot->take({}).has_value());
}

// --- the network

TEST(FleetNetwork, DelaysChangeNothing) {
    SEEDBED_NEEDS_FLEET();
    std::string hashes[2];
    for (const int delay_ms : {0, 20}) {
        FleetRig rig(1, 3);
        Relay relay(rig.server().port());
        relay.delay(delay_ms);
        ActorCredentials credentials = rig.credentials();
        credentials.address = "127.0.0.1:" + std::to_string(relay.port());
        Columns columns = rig.columns(0);
        const ActorThread actor(credentials, "far");
        for (int row = 0; row < 30; ++row) columns.step();
        EXPECT_EQ(columns.counted(), 3U * 29);
        hashes[delay_ms > 0 ? 1 : 0] = columns.takeHash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(FleetNetwork, ActorsReconnectAfterCutsAndPartitions) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 3, "cartpole", 3);
    Relay relay(rig.server().port());
    ActorCredentials credentials = rig.credentials();
    credentials.address = "127.0.0.1:" + std::to_string(relay.port());
    Columns columns = rig.columns(0);
    const ActorThread actor(credentials, "far");
    columns.stepUntilGood();
    for (int round = 0; round < 2; ++round) {
        relay.cut(true);
        columns.step();
        EXPECT_TRUE(columns.anyFailed());
        relay.cut(false);
        columns.stepUntilGood();
        const std::uint64_t before = columns.counted();
        relay.stall(true);
        columns.step();  // fails after stall_s
        EXPECT_TRUE(columns.anyFailed());
        EXPECT_EQ(columns.counted(), before);
        relay.stall(false);
        columns.stepUntilGood();
        columns.step();
        EXPECT_GT(columns.counted(), before);
    }
}

// An actor waits without a limit for the next message, because a learner may be paused. It notices a
// partition by the pings of the connection, also if no packet reports it.
TEST(FleetNetwork, AnActorNoticesASilentPartition) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    Relay relay(rig.server().port());
    ActorCredentials credentials = rig.credentials();
    credentials.address = "127.0.0.1:" + std::to_string(relay.port());
    const auto link = rig.connect(credentials);
    link->send(controlMessage(helloOf(credentials)));
    EXPECT_EQ(control(*link).at("op"), "welcome");
    relay.stall(true);
    // The limit is 20 s. It is counted in calls that time out, which take longer on a busy machine, as the
    // connection's timers do.
    int seconds = 0;
    auto message = link->receive(1, {});
    while (!message && message.error().code == ErrorCode::stalled && seconds < 300) {
        ++seconds;
        message = link->receive(1, {});
    }
    ASSERT_FALSE(message.has_value());
    EXPECT_EQ(message.error().code, ErrorCode::failure) << message.error().text();
    EXPECT_GE(seconds, 8);  // a slow answer is not a partition
    EXPECT_LE(seconds, 22);
}

}  // namespace
}  // namespace seedbed::test
