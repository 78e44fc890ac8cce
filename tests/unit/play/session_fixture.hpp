// SPDX-License-Identifier: Apache-2.0
// A player session in a thread, with one viewer.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/control/player_view.hpp"
#include "tests/unit/play/player_fixture.hpp"

namespace seedbed::test {

// A session in a thread, with one viewer.
class SessionTest : public PlayerTest {
protected:
    void TearDown() override {
        stop_.request_stop();
        if (thread_.joinable()) thread_.join();
    }
    void begin(PlayerSessionSpec spec) {
        spec_ = std::move(spec);
        frame_ = {};
        status_ = Json::object();
        spec_.socket = temporary_.path() / "play.sock";
        std::atomic<bool> ready{false};
        thread_ = std::thread([this, &ready] {
            result_ = runPlayer(
                spec_, [&] { ready = true; }, stop_.get_token());
            ended_ = true;
        });
        ASSERT_TRUE(eventually([&] { return ready || ended_; }));
        ASSERT_TRUE(ready) << result_.error().text();
        auto view = PlayerView::connect(spec_.socket);
        ASSERT_TRUE(view) << view.error().text();
        view_.emplace(std::move(*view));
    }
    void ask(const std::string& verb, const Json& fields = Json::object()) {
        const auto reply = view_->ask(verb, fields);
        EXPECT_TRUE(reply) << verb << ": " << reply.error().text()
                           << (ended_ && !result_ ? result_.error().text() : "");
    }
    std::string refused(const std::string& verb, const Json& fields = Json::object()) {
        const auto reply = view_->ask(verb, fields);
        return reply ? "obeyed" : reply.error().text();
    }
    // Reads frames until one satisfies the condition.
    template <class Wanted>
    bool until(const Wanted& wanted) {
        return eventually([&] {
            auto frame = view_->frame();
            EXPECT_TRUE(frame) << frame.error().text();
            if (frame && *frame) frame_ = std::move(**frame);
            return !frame_.cells.empty() && wanted(frame_);
        });
    }

    void collect() {
        auto events = view_->events();
        if (!events && ended_ && !result_) FAIL() << result_.error().text();
        ASSERT_TRUE(events) << events.error().text();
        for (Json& event : *events) {
            if (event.value("event", "") == "status") status_ = event["status"];
            else events_.push_back(std::move(event));
        }
    }
    // Waits until the status satisfies the condition.
    template <class Wanted>
    bool untilStatus(const Wanted& wanted) {
        return eventually([&] {
            if (::testing::Test::HasFatalFailure()) return true;
            collect();
            return !status_.empty() && wanted(status_);
        });
    }
    // Waits for an event of this name and returns it; null after a timeout.
    Json event(const std::string& name) {
        Json found;
        (void)eventually([&] {
            if (::testing::Test::HasFatalFailure()) return true;
            collect();
            for (const Json& one : events_)
                if (one.value("event", "") == name) found = one;
            return !found.is_null();
        });
        std::erase_if(events_, [&](const Json& one) { return one.value("event", "") == name; });
        return found.is_null() ? Json::object() : found;
    }

    // Keeps the policy valid while the thread uses it, even if the test fails.
    PlayerPolicy* keep(std::unique_ptr<PlayerPolicy> policy) { return (policy_ = std::move(policy)).get(); }

    std::unique_ptr<PlayerPolicy> policy_;
    std::optional<Replay> replay_;
    PlayerSessionSpec spec_;
    std::stop_source stop_;
    std::thread thread_;
    std::atomic<bool> ended_{false};
    Result<> result_;
    std::optional<PlayerView> view_;
    PlayerFrame frame_;
    Json status_ = Json::object();  // the latest one
    std::vector<Json> events_;      // the others
};

}  // namespace seedbed::test
