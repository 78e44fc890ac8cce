// SPDX-License-Identifier: Apache-2.0
#include "core/play/player_policy.hpp"

#include <utility>

#include "core/base/sleep.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/control/protocol.hpp"
#include "core/infer/joined_params.hpp"
#include "core/policy/bundle_env.hpp"
#include "core/session/engine_choice.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {
namespace {

constexpr double kConnectionPollInterval = 0.2;           // seconds
constexpr double kConnectInterval = 1;                    // seconds
constexpr double kUnresponsiveInterval = 20;              // seconds to wait after a run did not answer
constexpr std::int64_t kConnectTimeout = 1'000;           // ms; the game pauses during this time
constexpr std::int64_t kFirstCheckpointTimeout = 20'000;  // ms

Params paramsOf(const PolicyBundle& bundle) { return joinParams(bundle.network.params, bundle.others); }

// Whether parameters of one of the bundles can replace those of the other.
bool haveSameNetworks(const PolicyBundle& a, const PolicyBundle& b) {
    return a.network.spec == b.network.spec && a.policies == b.policies;
}

}  // namespace

Result<LoadedPolicy> PlayerPolicy::load() const {
    const RunResolver resolve = [&](std::string_view name) -> Result<std::int64_t> {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(request_.data_folder));
        return reader.resolveRun(name);
    };
    return loadPolicy(files_, request_.data_folder, request_.name, resolve);
}

// A run saves its first checkpoint before its first update.
Result<LoadedPolicy> PlayerPolicy::loadFirst(const std::stop_token& stop) const {
    const Deadline timeout = deadlineIn(kFirstCheckpointTimeout);
    while (true) {
        auto loaded = load();
        if (loaded || !run_ || !RunLock::isHeld(request_.data_folder, *run_) || deadlineIn(0) > timeout)
            return loaded;
        if (stop.stop_requested())
            return fail(ErrorCode::interrupted, "stopped while waiting for the first checkpoint");
        sleepFor(0.02, stop);
    }
}

Result<std::unique_ptr<PlayerPolicy>> PlayerPolicy::open(FileSystem& files,
                                                         const PlayerPolicyRequest& request,
                                                         const std::stop_token& stop) {
    std::unique_ptr<PlayerPolicy> policy(new PlayerPolicy(files));
    policy->request_ = request;
    SEEDBED_ASSIGN(const CheckpointName name, parseCheckpointName(files, request.name));
    if (name.folder.empty()) {
        // A name that no run has is the name of an imported policy.
        auto reader = StoreReader::open(request.data_folder);
        auto run = reader ? reader->resolveRun(name.run)
                          : Result<std::int64_t>(tl::unexpected<Error>(reader.error()));
        if (run) policy->run_ = *run;
        else if (!reader && request.follow) return tl::unexpected<Error>(std::move(reader).error());
    }
    if (request.follow && (!policy->run_ || !name.selector.empty()))
        return fail(ErrorCode::config, "cannot follow '" + request.name +
                                           "': only runs get new weights; name a run or omit --follow");
    SEEDBED_ASSIGN(policy->loaded_, policy->loadFirst(stop));
    const PolicyBundle& bundle = policy->bundle();
    if (request.needs_env) {
        auto env = environmentOf(bundle);
        if (!env)
            return tl::unexpected<Error>(
                std::move(env).error().withContext("playing '" + request.name + "'"));
        policy->env_ = env->entry;
        policy->env_params_ = std::move(env->params);
    }
    SEEDBED_ASSIGN(const NetPlan plan, buildPlan(bundle.network.spec));
    SEEDBED_ASSIGN(const EngineChoice engine, chooseEngine(request.engine, request.device));
    policy->engine_ = engine.id;
    SEEDBED_ASSIGN(policy->net_, compileNet(engine.id, plan, engineOptions(request.device)));
    policy->params_ = paramsOf(bundle);
    policy->steps_ = policy->loaded_.info.step;
    policy->notices_ = policy->loaded_.notices;
    policy->stop_ = stop;
    if (request.follow) policy->connect();
    return policy;
}

SeatPlayer PlayerPolicy::seatPlayer() const {
    SeatPlayer player;
    player.net = net_;
    player.params = params_;
    player.policies.of_seat = bundle().policies.of_seat;
    player.distribution = distribution();
    player.reward = bundle().reward;
    return player;
}

// Returns false if the run is not running or does not answer.
bool PlayerPolicy::connect() {
    if (!RunLock::isHeld(request_.data_folder, *run_)) return false;
    auto client = ControlClient::connect(controlSocket(request_.data_folder, *run_), stop_, kConnectTimeout);
    if (!client) return false;
    auto followed = client->follow(kConnectTimeout, stop_);
    if (!followed) return false;
    auto params = FollowedParams::attach(std::move(followed->descriptor), bundle().network.spec,
                                         net_->plan().param_floats * (1 + bundle().others.size()));
    if (!params) {
        notices_.push_back("the run cannot be followed; playing its newest checkpoint: " +
                           params.error().text());
        request_.follow = false;
        return false;
    }
    connection_.emplace(Connection{std::move(*client), std::move(*params)});
    return true;
}

// Loads the final parameters from the newest checkpoint. If the run is resumed later, the player follows it
// again.
void PlayerPolicy::runEnded() {
    connection_.reset();
    if (auto loaded = load();
        loaded && loaded->info.step >= steps_ && haveSameNetworks(loaded->bundle, bundle())) {
        params_ = paramsOf(loaded->bundle);
        steps_ = loaded->info.step;
    }
    notices_.push_back("the run has ended; playing its last weights");
}

bool PlayerPolicy::refresh(double now) {
    if (!request_.follow) return false;
    bool changed = false;
    if (connection_) {
        if (auto newer = connection_->params.take()) {
            params_ = std::move(newer->params);
            steps_ = newer->steps;
            changed = true;
        }
    }
    if (now < next_poll_) return changed;
    if (!connection_) {
        const Deadline timeout = deadlineIn(kConnectTimeout);
        const bool connected = connect();
        const bool timed_out = !connected && deadlineIn(0) >= timeout;
        next_poll_ = now + (timed_out ? kUnresponsiveInterval : kConnectInterval);
        return connected || changed;
    }
    next_poll_ = now + kConnectionPollInterval;
    const auto event = connection_->client.next({}, deadlineIn(0));
    if (event && !connection_->client.ended()) return changed;
    // Uses parameters that were published just before the run ended.
    if (auto newer = connection_->params.take()) {
        params_ = std::move(newer->params);
        steps_ = newer->steps;
    }
    runEnded();
    return true;
}

Result<std::int64_t> PlayerPolicy::showCheckpoint(std::int64_t step) {
    if (!run_) return fail(ErrorCode::config, "'" + request_.name + "' is not a run and has no checkpoints");
    const CheckpointStore store(files_, request_.data_folder, *run_);
    SEEDBED_ASSIGN(const std::vector<CheckpointInfo> checkpoints, store.list());
    if (checkpoints.empty())
        return fail(ErrorCode::config, "the checkpoints of run " + std::to_string(*run_) + " were removed");
    std::int64_t chosen = step < 0 ? checkpoints.back().step : checkpoints.front().step;
    for (const CheckpointInfo& checkpoint : checkpoints)
        if (step >= 0 && checkpoint.step <= step) chosen = checkpoint.step;
    SEEDBED_ASSIGN(const LoadedPolicy loaded, store.loadPolicy(std::to_string(chosen)));
    if (!haveSameNetworks(loaded.bundle, bundle()))
        return fail(ErrorCode::config,
                    "the checkpoint of step " + std::to_string(chosen) + " has a different network");
    connection_.reset();
    request_.follow = false;
    params_ = paramsOf(loaded.bundle);
    steps_ = loaded.info.step;
    return steps_;
}

std::vector<std::string> PlayerPolicy::takeNotices() { return std::exchange(notices_, {}); }

}  // namespace seedbed
