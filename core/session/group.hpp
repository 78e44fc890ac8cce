// SPDX-License-Identifier: Apache-2.0
// An actor group: environments, their ring and their inference, stepped together by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/env/env_registry.hpp"
#include "core/env/vector_env.hpp"
#include "core/infer/seat_mix.hpp"
#include "core/infer/span_inference.hpp"
#include "core/rollout/ring.hpp"
#include "core/session/gate.hpp"
#include "core/session/self_play/seat_router.hpp"

namespace seedbed {

class ActingParams;

// Actions that arrive with the rows of environments on other machines, because the network runs there, too.
// The EnvBatch of GroupSpec::make may implement it. Thread: the group's.
class RemoteActions {
public:
    virtual ~RemoteActions() = default;
    // The parameters for the other machine, and the ring of the group. Call it before the first exchange.
    virtual void follow(const ActingParams& params, Ring& ring) = 0;
    // Called after each exchange. Writes the actions of the ring's head row and what belongs to them:
    // outputs, version, recurrent state. False: the row came without actions, so the learner chooses them.
    virtual bool act() = 0;
};

struct GroupSpec {
    const EnvEntry* env = nullptr;
    Json env_params;
    EnvSpec env_spec;                 // expected by the caller; the environment's spec must match
    ActionDistribution distribution;  // distribution of `net`
    EngineNet* net = nullptr;         // null: no inference; the caller writes the actions
    int envs = 1;
    int first_env = 0;  // number of the first environment within the run; determines its random streams
    int rows = 0;       // rows that readers may pin at the same time; the ring adds rows for frame stacks
    int state_every = 0;
    std::uint64_t seed = 0;
    std::vector<std::uint16_t> policy_of_seat{};  // policies.seats: Opponents::policies act, too; empty: one
    RngPurpose env_purpose = RngPurpose::environment;
    RngPurpose action_purpose = RngPurpose::action;
    Selection selection = Selection::sample;
    int horizon = 0;              // time limit if shorter than the environment's own; 0: no additional limit
    bool learner_rewards = true;  // the ring and the network's input contain scaled and clipped rewards;
                                  // false: the environment's rewards
    std::stop_token stop{};       // see Exchange::stop
    // Replaces env->make(). The environments may be missing at first, so the group begins with restart().
    std::function<Result<std::unique_ptr<EnvBatch>>()> make{};
    std::shared_ptr<PastSelves> selves{};  // self-play: opponents of the learner; null: the network plays
                                           // all seats
    bool skips_forced = false;             // with selves: nobody reads the outputs of networks at forced rows
};

// Thread: one owner at a time.
class ActorGroup {
public:
    // The ring of a group with `spec`, for a network with `state_words` of recurrent state.
    static RingSpec ringSpec(const GroupSpec& spec, const EnvSpec& env, int state_words);
    // error: config, for example if the environments differ from `env_spec` or do not match the network;
    // out_of_memory; from the environment.
    static Result<std::unique_ptr<ActorGroup>> create(const GroupSpec& spec);

    // Where the thread of this group is: between rows, in its environments, or writing a row.
    enum class Activity : std::uint8_t { between_rows, in_environments, writing };
    Activity activity() const { return activity_.load(std::memory_order_seq_cst); }
    // Holds the thread of this group at `gate` while it is sealed, when it returns from its environments and
    // before it changes the ring; it then still counts as being in its environments. `stop` releases it.
    void holdAt(Gate& gate, std::stop_token stop);

    // Sets the source of the parameters of a group that may act on another machine.
    void follow(const ActingParams& params);

    // Chooses the actions of the head row: inline inference, also of opponents and other
    // policies.
    Result<> act(const Acting& acting, ThreadTimes& times);
    // One decision of every column: inline inference on the head row, unless it has actions, then step().
    // Appends to `ended`, adds to `times`.
    Result<> tick(const Acting& acting, std::vector<EpisodeEnd>& ended, ThreadTimes& times);
    // The two halves of tick(), for a caller that never waits: finish() does not wait if ready(). Also with
    // self-play.
    Result<> begin(const Acting& acting, ThreadTimes& times);
    bool ready() const { return env_->ready(); }
    Result<> finish(std::vector<EpisodeEnd>& ended, ThreadTimes& times);
    // Steps the environments with the actions of the head row. The new head row has actions already if they
    // came with it (RemoteActions). error: as for VectorEnv::step, or if the environment throws an exception.
    Result<> step(std::vector<EpisodeEnd>& ended, ThreadTimes& times);

    // See EnvBatch::isSupervised(): such a group is never abandoned because of a long step.
    bool isSupervised() const { return env_->isSupervised(); }
    // Messages for the user about environments of this group that failed since the last call.
    std::vector<std::string> takeNotices() { return env_->takeNotices(); }

    Ring& ring() { return *ring_; }
    VectorEnv& env() { return *env_; }
    SpanInference& span() { return *inference_; }
    int envs() const { return envs_; }
    // Ends all episodes of the group and starts new ones, like VectorEnv::restart.
    Result<> restart();
    // Whether restart() must precede the next step, for example because the environments' state was not
    // saved.
    bool needsRestart() const { return needs_restart_; }
    // Makes restart() precede the next step, after an error of the environments.
    void requireRestart() { needs_restart_ = true; }
    // Saves or restores rows of the ring from `from` on, environments, random streams, statistics and
    // recurrent state. Call it only between ticks. `lost`: a step of the group does not return; its
    // environments are not saved, and the restored group needs a restart.
    Result<> archive(Archive& archive, std::uint64_t from, bool lost = false);

private:
    ActorGroup() = default;
    template <class Body>
    Result<> guarded(const Body& body);
    void takeRemoteActions();

    std::unique_ptr<Ring> ring_;
    std::unique_ptr<VectorEnv> env_;
    std::unique_ptr<SpanInference> inference_;
    std::unique_ptr<SeatRouter> router_;  // with self-play
    std::unique_ptr<SeatMix> policies_;   // with several policies
    RemoteActions* remote_ = nullptr;     // the environments, if they come with actions
    int envs_ = 0;
    bool needs_restart_ = false;
    std::atomic<Activity> activity_{Activity::between_rows};
};

}  // namespace seedbed
