// SPDX-License-Identifier: Apache-2.0
// The policy of a player: loaded from a checkpoint, and updated with the newest weights if it follows a run
// in progress.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/checkpoint/checkpoint.hpp"
#include "core/control/control_client.hpp"
#include "core/env/env_registry.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/engine.hpp"
#include "core/play/published_params.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed {

struct PlayerPolicyRequest {
    std::filesystem::path data_folder{};
    std::string name{};     // RUN, RUN:best, RUN:STEP or a folder
    bool follow = false;    // follow the run's newest weights
    bool needs_env = true;  // false: the caller does not use env() and envParams()
    std::string engine = "auto", device = "cpu";
};

// Thread: one owner at a time.
class PlayerPolicy {
public:
    // Waits up to 20 s for the first checkpoint of a run that has just started. error: config (no such run or
    // checkpoint, following a checkpoint, a missing or different environment), device, interrupted.
    static Result<std::unique_ptr<PlayerPolicy>> open(FileSystem& files, const PlayerPolicyRequest& request,
                                                      const std::stop_token& stop);

    const std::string& name() const { return request_.name; }
    const PolicyBundle& bundle() const { return loaded_.bundle; }
    const EnvEntry& env() const { return *env_; }
    const Json& envParams() const { return env_params_; }
    const Path& folder() const { return loaded_.info.folder; }
    std::optional<std::int64_t> run() const { return run_; }
    const std::string& engine() const { return engine_; }
    EngineNet& net() { return *net_; }
    ActionDistribution distribution() const { return {bundle().spaces(), bundle().squash}; }
    // The policy as the player of seats, with the current parameters.
    SeatPlayer seatPlayer() const;

    // Of a run with several policies: those of all of them (joinParams()).
    const Params& params() const { return params_; }
    std::int64_t steps() const { return steps_; }  // training steps of params()
    // Whether the policy is connected to a run in progress.
    bool followed() const { return connection_.has_value(); }

    // Loads newer weights if available; returns whether params() or followed() changed. Cheap enough for
    // every step. `now`: seconds of a monotonic clock.
    bool refresh(double now);
    // Uses the weights of the run's newest checkpoint at or before `step` and stops following: of the oldest
    // one if all are later, of the newest one if `step` is negative. Returns its step. error: config, if this
    // is not a run, or if its checkpoints were removed or have a different network; the weights stay.
    Result<std::int64_t> showCheckpoint(std::int64_t step);
    // Notices for the user since the last call: damaged checkpoints, the end of the run.
    std::vector<std::string> takeNotices();

private:
    explicit PlayerPolicy(FileSystem& files) : files_(files) {}
    Result<LoadedPolicy> load() const;
    Result<LoadedPolicy> loadFirst(const std::stop_token& stop) const;
    bool connect();
    void runEnded();

    struct Connection {
        ControlClient client;
        FollowedParams params;
    };

    FileSystem& files_;
    PlayerPolicyRequest request_;
    std::optional<std::int64_t> run_;
    std::stop_token stop_;
    LoadedPolicy loaded_;
    const EnvEntry* env_ = nullptr;
    Json env_params_;
    std::string engine_;
    std::shared_ptr<EngineNet> net_;
    Params params_;
    std::int64_t steps_ = 0;
    std::optional<Connection> connection_;
    double next_poll_ = 0;  // time of the next poll of the connection
    std::vector<std::string> notices_;
};

}  // namespace seedbed
