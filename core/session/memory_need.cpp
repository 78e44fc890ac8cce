// SPDX-License-Identifier: Apache-2.0
#include "core/session/memory_need.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/infer/central_inference.hpp"
#include "core/infer/policy_mix.hpp"
#include "core/infer/span_inference.hpp"
#include "core/learn/learner_bytes.hpp"
#include "core/session/create_groups.hpp"
#include "core/session/evaluation_spans.hpp"
#include "core/session/inference_devices.hpp"
#include "core/session/session.hpp"
#include "core/session/windows/replay_windows.hpp"

namespace seedbed {
namespace {

// Measured values: the memory that a minimal run needs in addition to a dry run (most of it is code of the
// program and SQLite), and, for each thread, its stack, its part of the heap and the scratch
// memory of kernels.
constexpr std::size_t kProcessBytes = std::size_t{22} << 18;
constexpr std::size_t kThreadBytes = std::size_t{192} << 10;
// Per environment: the object, its random stream and the vectoriser's fields.
constexpr std::size_t kEnvBytes = 384;
constexpr std::size_t kCudaBytes = std::size_t{400} << 20;  // of the device, for CUDA and its libraries
constexpr std::size_t kLongEpisode = 5000;                  // assumed number of decisions if there is no
                                                            // time limit
constexpr int kShortEpisode = 100;  // assumed least number of decisions before an unknown time limit

class Sum {
public:
    Sum(const SessionPlan& plan, const Algorithm& algorithm, const std::vector<NetPlan>& nets)
        : plan_(plan), config_(plan.config), algorithm_(algorithm), nets_(nets) {
        const std::vector<NetworkDecl> decls = algorithm.networks();
        for (std::size_t net = 0; net < nets.size(); ++net) {
            const std::size_t blob = nets[net].param_floats * sizeof(float);
            blobs_ += blob;
            moments_ += decls[net].trained ? 2 * blob : 0;
        }
        blobs_ *= plan.policyCount();
        moments_ *= plan.policyCount();
        acting_ = nets[0].param_floats * sizeof(float);
        columns_ = static_cast<std::size_t>(config_.actor.num_envs) *
                   static_cast<std::size_t>(plan.env.agents) / static_cast<std::size_t>(plan.part.ranks);
        is_async_ = config_.run.schedule == "async";
        is_central_ = config_.run.inference == "central";
    }

    MemoryNeed compute() {
        MemoryNeed need;
        std::size_t used = 0;
        for (const GroupSpec& group : plan_.groupSpecs(nullptr)) {
            RingSpec ring = ActorGroup::ringSpec(group, plan_.env, nets_[0].state_words);
            need.rings += Ring::bytes(ring);
            const int spare = ring.rows - group.rows;
            ring.rows = static_cast<int>(std::min<std::int64_t>(group.rows, reachedRows(group))) + spare;
            used += Ring::bytes(ring);
        }
        const std::size_t rows = need.rings;
        if (plan_.learn.replay) {
            const std::size_t priorities =
                ReplayWindows::bytes(*plan_.learn.replay, static_cast<std::int64_t>(columns_));
            need.full_replay = std::exchange(need.rings, 0) + priorities;
            need.replay = used + priorities;
        }
        const LearnerNeed learner{
            .algorithm = algorithm_,
            .nets = nets_,
            .options = {.chunk_rows = config_.learner.chunk_rows,
                        .optimiser = {},
                        .shards = config_.learner.shards / plan_.part.ranks},
            .engine = plan_.engine.id,
            .columns = static_cast<int>(columns_),
            .threads = plan_.threads,
            .lagging = is_async_ || config_.run.forced_lag > 0 || config_.learner.echo != 1};
        need.learner = learnerBytes(learner) * plan_.policyCount();
        // Parameters of all networks: the version that actors use, the newer versions that it lags behind,
        // and those being published.
        need.networks =
            blobs_ + acting_ * (static_cast<std::size_t>(1 + config_.run.forced_lag + (is_async_ ? 1 : 0)) +
                                opponents());
        need.inference = inference();
        const std::size_t env = envBytes();
        need.environments = static_cast<std::size_t>(config_.actor.num_envs) * env;
        const bool has_fleet = !config_.actor.fleet.empty();
        if (has_fleet && config_.remote != nullptr)
            need.fleet = config_.remote->bytes(plan_.groupSpecs(nullptr), nets_[0], config_.actor.fleet_form);
        need.evaluation = evaluation(env);
        need.saving = saving(env, rows, used);
        // Groups on other machines have a thread each.
        const int actors = has_fleet ? std::max(plan_.actors, plan_.groups) : plan_.actors;
        const auto threads = static_cast<std::size_t>(plan_.threads + actors);
        const EngineEntry* engine = engineRegistry().find(plan_.engine.id);
        need.process =
            kProcessBytes + threads * kThreadBytes + (engine != nullptr ? engine->library_bytes : 0);
        if (config_.run.device.starts_with("vulkan")) need.device = learnerDeviceBytes(learner);
        if (config_.run.device != "cpu")
            need.device += (config_.run.device.starts_with("cuda") ? kCudaBytes : 0) +
                           blobs_ * static_cast<std::size_t>(plan_.threads + plan_.groups);
        return need;
    }

private:
    std::size_t inference() const {
        const NetPlan& net = nets_[0];
        std::size_t bytes = 0;
        for (const GroupSpec& group : plan_.groupSpecs(nullptr)) {
            const std::size_t columns =
                static_cast<std::size_t>(group.envs) * static_cast<std::size_t>(plan_.env.agents);
            bytes += SpanInference::bytes(net, columns);
            if (!is_central_) bytes += contextBytes(plan_.engine.id, net, columns, 1, Keep::nothing);
            if (!config_.self_play.isUsed() && !plan_.policies.isUsed()) continue;
            bytes += PolicyMix::bytes(net, columns) +
                     opponents() * contextBytes(plan_.engine.id, net, columns, 1, Keep::nothing);
        }
        const std::size_t devices = inferenceDevices(config_, plan_.engine.id, plan_.groups).size();
        if (is_central_)
            bytes += CentralInference::bytes(net, columns_) +
                     devices * contextBytes(plan_.engine.id, net, columns_ / devices, 1, Keep::nothing);
        return bytes;
    }

    // The rows of a ring that the run writes before it stops. The system provides memory for other rows only
    // when they are written (Ring::create()), so a replay that is not filled needs less than its size.
    std::int64_t reachedRows(const GroupSpec& group) const {
        if (!plan_.learn.replay || config_.run.steps == 0) return std::numeric_limits<int>::max();
        // Decisions, and the extra rows at ends of episodes, which have none.
        const int shortest = plan_.env.goal ? 1 : plan_.env.horizon > 0 ? plan_.env.horizon : kShortEpisode;
        const auto steps = static_cast<double>(config_.run.steps);
        const double decided = steps * (1 + 1.0 / shortest) / static_cast<double>(columns_);
        const std::int64_t open = group.rows - ReplayWindows::capacityRows(
                                                   *plan_.learn.replay, static_cast<std::int64_t>(columns_));
        return static_cast<std::int64_t>(std::min(decided, 1e9)) + 1 + open;
    }

    // Past selves, rivals and other policies.
    std::size_t opponents() const {
        const SelfPlaySettings& play = config_.self_play;
        return plan_.policyCount() - 1 + (play.past > 0 ? static_cast<std::size_t>(play.pool) : 0) +
               play.rivalNames().size();
    }

    // Environments do not report their size; most keep little more than their observation.
    std::size_t envBytes() const {
        std::size_t bytes = kEnvBytes;
        for (const ObsLeaf& leaf : plan_.env.spaces.obs) bytes += leaf.bytes();
        return bytes * static_cast<std::size_t>(plan_.env.agents);
    }

    std::size_t evaluation(std::size_t env) const {
        const EvalSettings& eval = config_.eval;
        const int episodes = std::max(eval.episodes, eval.final_episodes);
        const std::size_t horizon =
            plan_.env.horizon > 0 ? static_cast<std::size_t>(plan_.env.horizon) : kLongEpisode;
        return EvaluationSpans::bytes(nets_[0], plan_.engine.id, plan_.env, episodes, plan_.threads, env,
                                      horizon);
    }

    // A snapshot: moments, older parameters for forced lag, environments, rows, the encoded parameters.
    // `rings`: their bytes; `used`: the bytes of the rows that the run writes.
    std::size_t saving(std::size_t env, std::size_t rings, std::size_t used) const {
        std::size_t rows = used;
        if (plan_.learn.replay ? config_.checkpoint.replay != "full" : !is_async_) {
            std::size_t saved = 2;
            const auto ring_rows = static_cast<std::size_t>(plan_.groupSpecs(nullptr)[0].rows);
            for (const ObsLeaf& leaf : plan_.env.spaces.obs)
                saved = std::max(saved, static_cast<std::size_t>(leaf.stack));
            if (is_async_)
                saved += static_cast<std::size_t>(config_.actor.open_windows) *
                         static_cast<std::size_t>(plan_.learn.rollout_length);
            rows = rings / ring_rows * saved;
        }
        return blobs_ + moments_ +
               acting_ * (static_cast<std::size_t>(config_.run.forced_lag) + opponents()) + rows +
               static_cast<std::size_t>(config_.actor.num_envs) * (env + 32);
    }

    const SessionPlan& plan_;
    const TrainingConfig& config_;
    const Algorithm& algorithm_;
    const std::vector<NetPlan>& nets_;
    std::size_t blobs_ = 0, moments_ = 0, acting_ = 0;  // bytes of parameters, moments, acting parameters
    std::size_t columns_ = 0;
    bool is_async_ = false, is_central_ = false;
};

}  // namespace

MemoryNeed memoryNeed(const SessionPlan& plan, const Algorithm& algorithm, const std::vector<NetPlan>& nets) {
    return Sum(plan, algorithm, nets).compute();
}

}  // namespace seedbed
