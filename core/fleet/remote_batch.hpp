// SPDX-License-Identifier: Apache-2.0
// The environments of a group that run in an actor on another machine, seen from the learner.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/sleep.hpp"
#include "core/env/env.hpp"
#include "core/fleet/link.hpp"
#include "core/fleet/messages.hpp"
#include "core/fleet/window_receiver.hpp"
#include "core/session/group.hpp"

namespace seedbed {

// The place of a group in a fleet, where its actor arrives. Thread: any.
class ActorSlot {
public:
    struct Actor {
        std::shared_ptr<Link> link;
        std::string name;
    };

    // Whether the group has no actor.
    bool isFree() const;
    void offer(Actor actor);
    // Waits for an actor. error: interrupted: stop request or close().
    Result<Actor> take(const std::stop_token& stop);
    // The actor was lost.
    void release();
    // Ends take(); no actor is accepted any more.
    void close();
    // Closes, and sends the actor the reason.
    void end(bool finished);
    // An answer with these rows has arrived.
    void countRows(std::uint64_t rows);
    // The actor chooses the actions; bytes were received since the last call.
    void countWindows(std::uint64_t bytes, std::uint64_t lag);

    // For lists of machines.
    struct State {
        bool has_actor = false;
        std::string name;             // of the actor; empty without an actor
        bool sends_windows = false;   // the actor chooses the actions
        std::uint64_t bytes = 0;      // received in windows
        std::uint64_t lag = 0;        // publications since the parameters of the newest row of a window
        std::uint64_t rows = 0;       // received
        std::int64_t answered_s = 0;  // when the last ones arrived, since 1970 UTC; 0: never
        std::uint32_t losses = 0;     // how often an actor was lost
    };
    State state() const;

private:
    mutable Mutex mutex_;
    StoppableConditionVariable changed_;
    std::shared_ptr<Link> link_ SEEDBED_GUARDED_BY(mutex_);
    std::string name_ SEEDBED_GUARDED_BY(mutex_);
    bool is_offered_ SEEDBED_GUARDED_BY(mutex_) = false, is_closed_ SEEDBED_GUARDED_BY(mutex_) = false;
    std::uint32_t losses_ SEEDBED_GUARDED_BY(mutex_) = 0;
    std::atomic<std::uint64_t> rows_{0}, bytes_{0}, lag_{0};
    std::atomic<bool> sends_windows_{false};
    std::atomic<std::int64_t> answered_s_{0};
};

// The limit for the creation of an actor's environments.
inline constexpr double kCreateS = 300;

// How actors that choose the actions send their rows.
struct WindowSpec {
    ActionDistribution distribution;
    int length = 1;             // rows of a window
    bool is_automatic = false;  // only if the connection needs it
    int max_lag = 0;            // learner.max_policy_lag
    std::size_t param_bytes = 0;
    std::function<double()> now_s = secondsNow;  // for measurements of the connection
};

// If the actor is lost, or does not answer in time, the environments are flagged as failed; the exchange that
// resets them waits for the next actor. Actions are sent once, so no decision counts twice. All values are
// checked; an actor whose values are wrong repeatedly is refused.
class RemoteBatch final : public EnvBatch, public RemoteActions {
public:
    // `windows`: actors choose the actions; needs follow().
    RemoteBatch(std::shared_ptr<ActorSlot> slot, EnvSpec spec, int count, double stall_s,
                std::optional<WindowSpec> windows = std::nullopt);
    // The largest size in bytes of the messages and parameters of a group, whose network has the plan `net`.
    static std::size_t bytes(const GroupSpec& group, const NetPlan& net, bool sends_windows);

    void follow(const ActingParams& params, Ring& ring) override;
    bool act() override;

    int count() const override { return count_; }
    const EnvSpec& spec() const override { return spec_; }
    Result<> begin(const Exchange& exchange) override;
    bool ready() override;
    Result<> await() override;
    std::vector<std::string> takeNotices() override { return std::exchange(notices_, {}); }
    // A group without an actor counts as lost, so that learning continues with the others.
    bool isSupervised() const override { return !is_waiting_.load(std::memory_order_acquire); }

    void draw(int env, Scene& scene) const override;
    bool canArchive() const override { return false; }
    void archive(int, Archive&) override {}
    Json state(int) const override { return Json::object(); }
    Result<> setState(int, const Json&) override;

private:
    void post();
    Result<> waitForActor();
    Result<> beginWindows();
    Result<std::string> receive(double timeout_s);
    Result<std::string> receiveAnswer(double timeout_s);
    Result<std::string> receiveRow(double timeout_s);
    void flagImpossible();
    void countFailures();
    void lose(const std::string& reason, bool refuse);
    void failAll();
    void notice(std::string text);

    std::shared_ptr<ActorSlot> slot_;
    EnvSpec spec_;
    int count_;
    double stall_s_;
    ExchangeLayout layout_;
    std::optional<WindowSpec> window_spec_;
    const ActingParams* params_ = nullptr;
    Ring* ring_ = nullptr;
    ActorSlot::Actor actor_;
    std::unique_ptr<WindowReceiver> windows_;  // null while the learner chooses the actions
    bool has_actions_ = false;                 // of the head row, in `windows_`
    Exchange exchange_;
    bool is_posted_ = false;
    double params_s_ = 0;  // for the transfer of all parameters
    std::atomic<bool> is_waiting_{false};
    std::uint64_t sequence_ = 0;
    std::uint32_t failures_ = 0, good_exchanges_ = 0;
    std::string failure_;               // the reason for a failed environment
    std::vector<EnvCommand> sent_;      // [count]
    std::vector<std::uint64_t> seeds_;  // [count]
    std::vector<std::string> notices_;
};

}  // namespace seedbed
