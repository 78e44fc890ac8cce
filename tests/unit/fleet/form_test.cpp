// SPDX-License-Identifier: Apache-2.0
// The choice between the forms of a fleet, by the measured connection.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <semaphore>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/text.hpp"
#include "tests/unit/fleet/window_rig.hpp"

namespace seedbed::test {
namespace {

TEST(FleetForm, DependsOnTheRoundTripAndTheBandwidth) {
    FormCosts costs{.link = {.round_trip_s = 0.05, .bytes_per_s = 1e6},
                    .row_s = 1e-3,
                    .row_bytes = 1000,
                    .param_bytes = 36'000,
                    .length = 20,
                    .max_lag = 20};
    EXPECT_TRUE(prefersWindows(costs));
    costs.param_bytes = 10'000'000;  // ten seconds
    EXPECT_FALSE(prefersWindows(costs));
    costs.param_bytes = 36'000;
    costs.row_s = 1;
    EXPECT_FALSE(prefersWindows(costs));
    costs.row_bytes = 200'000;  // 0.2 s
    EXPECT_TRUE(prefersWindows(costs));
}

// An actor that answers measurements; time passes only while the learner waits for its answers.
class MeasuredActor final : public QueueLink {
public:
    MeasuredActor(double delay_s, double row_s) : delay_s_(delay_s), row_s_(row_s) {}
    void send(Bytes message) override {
        const auto json = isControl(message) ? readControl(message) : fail("not a control message");
        const std::string op = json ? json->value("op", "") : "";
        if (op == "ping") in.push_back(pongOf(*json));
        if (op == "time") in.push_back(controlMessage({{"op", "timed"}, {"row_s", row_s_}}));
        if (isOfKind(message, MessageKind::begin)) in.swap(rows);
        if (!isControl(message)) QueueLink::send(std::move(message));
    }
    Result<Bytes> receive(double timeout_s, const std::stop_token& stop) override {
        now_s += delay_s_;
        if (!in.empty() && in.front().size() > 1000) now_s += 0.005;
        return QueueLink::receive(timeout_s, stop);
    }
    double now_s = 0;
    std::deque<Bytes> rows;  // that follow the message begin

private:
    double delay_s_, row_s_;
};

// A group whose actors have this connection.
std::unique_ptr<ActorGroup> groupWith(const WindowRig& rig, const std::shared_ptr<Link>& link,
                                      std::function<double()> now_s, const std::stop_token& stop) {
    GroupSpec spec = rig.spec();
    const auto slot = std::make_shared<ActorSlot>();
    slot->offer({.link = link, .name = "measured"});
    spec.stop = stop;
    spec.make = [&, slot]() -> Result<std::unique_ptr<EnvBatch>> {
        return std::make_unique<RemoteBatch>(slot, rig.spec().env_spec, rig.spec().envs, 60.0,
                                             WindowSpec{.distribution = rig.spec().distribution,
                                                        .length = kLength,
                                                        .is_automatic = true,
                                                        .max_lag = 20,
                                                        .param_bytes = rig.params().blob().size_bytes(),
                                                        .now_s = std::move(now_s)});
    };
    auto group = ActorGroup::create(spec).value();
    group->follow(rig.acting());
    return group;
}

TEST(FleetForm, AutoChoosesByTheMeasuredConnection) {
    WindowRig rig;
    const std::stop_source stop;
    for (const bool is_slow : {false, true}) {
        const auto link = std::make_shared<MeasuredActor>(is_slow ? 0.05 : 1e-4, 0.01);
        const auto group = groupWith(
            rig, link, [&clock = link->now_s] { return clock; }, stop.get_token());
        if (is_slow)
            for (std::uint64_t row = 1; row <= 2; ++row)
                link->rows.push_back(rig.window(row, row, 1, row == 1));
        ASSERT_TRUE(group->restart().has_value());
        ASSERT_FALSE(link->out.empty());
        EXPECT_EQ(isOfKind(link->out.front(), MessageKind::begin), is_slow);
        EXPECT_EQ(isOfKind(link->out.front(), MessageKind::request), !is_slow);
        EXPECT_EQ(group->span().acted(), is_slow);
        const std::string notices = join(group->takeNotices(), "\n");
        EXPECT_NE(notices.find(is_slow ? "round trip 50 ms, " : "round trip 0.1 ms, "), std::string::npos)
            << notices;
        EXPECT_NE(notices.find(is_slow ? "10 ms per row; it chooses the actions (windows)"
                                       : "10 ms per row; the learner chooses the actions"),
                  std::string::npos)
            << notices;
        EXPECT_TRUE(link->can_stop);
    }
}

// An actor that does not answer all measurements.
class SilentActor final : public QueueLink {
public:
    explicit SilentActor(bool answers_pings) : answers_pings_(answers_pings) {}
    void send(Bytes message) override {
        const Json json = readControl(message).value();
        if (answers_pings_ && json.value("op", "") == "ping") in.push_back(pongOf(json));
    }
    Result<Bytes> receive(double timeout_s, const std::stop_token& stop) override {
        if (!in.empty()) return QueueLink::receive(timeout_s, stop);
        asked.release();
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, stop, std::chrono::minutes(1), [] { return false; });
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "stopped");
        return fail(ErrorCode::stalled, "nothing arrived in time");
    }
    std::binary_semaphore asked{0};

private:
    bool answers_pings_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
};

TEST(FleetForm, AStopRequestEndsTheMeasurementOfAnActor) {
    WindowRig rig;
    std::stop_source stop;
    for (const bool answers_pings : {false, true}) {
        stop = std::stop_source();
        const auto link = std::make_shared<SilentActor>(answers_pings);
        const auto group = groupWith(rig, link, secondsNow, stop.get_token());
        std::thread request([&] {
            link->asked.acquire();
            stop.request_stop();
        });
        const Result<> restarted = group->restart();
        request.join();
        ASSERT_FALSE(restarted.has_value());
        EXPECT_EQ(restarted.error().code, ErrorCode::interrupted);
    }
    // On the actor's side; a measurement that ends leaves new environments.
    std::unique_ptr<EnvBatch> batch;
    const auto measured = rig.actor()->measureRow(batch, stop.get_token());
    ASSERT_FALSE(measured.has_value());
    EXPECT_EQ(measured.error().code, ErrorCode::interrupted);
    EXPECT_GT(rig.actor()->measureRow(batch, {}).value(), 0);
    EXPECT_NE(batch, nullptr);
}

}  // namespace
}  // namespace seedbed::test
