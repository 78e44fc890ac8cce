// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/os/memory.hpp"
#include "core/base/text.hpp"
#include "core/env/reward_view_of.hpp"
#include "core/rollout/gather.hpp"
#include "core/session/async_session.hpp"
#include "core/session/auto_choice.hpp"
#include "core/session/create_groups.hpp"
#include "core/session/engine_choice.hpp"
#include "core/session/inference_devices.hpp"
#include "core/session/seats.hpp"
#include "core/session/sync_session.hpp"
#include "core/session/windows/replay_windows.hpp"

namespace seedbed {
namespace {

// Number of environments of group `g`: divided evenly, with the remainder in the first groups.
int envsOfGroup(int num_envs, int groups, int g) {
    return num_envs / groups + (g < num_envs % groups ? 1 : 0);
}

// Windows of a group that exist at the same time: one in the sync schedule.
int openWindows(const TrainingConfig& config) {
    return config.run.schedule == "async" ? config.actor.open_windows : 1;
}

// Rows that a group's ring keeps: those of a replay while the next rollout is collected.
int ringRows(const SessionPlan& plan) {
    if (!plan.learn.replay) return openWindows(plan.config) * plan.learn.rollout_length + 1;
    const std::int64_t columns = std::int64_t{plan.config.actor.num_envs} * plan.env.agents;
    return static_cast<int>(ReplayWindows::capacityRows(*plan.learn.replay, columns)) +
           openWindows(plan.config) * plan.learn.rollout_length + 1;
}

GroupSpec groupSpec(const SessionPlan& plan, const ActionDistribution& distribution, EngineNet* net, int g) {
    const int num_envs = plan.config.actor.num_envs;
    int first = 0;
    for (int before = 0; before < g; ++before) first += envsOfGroup(num_envs, plan.groups, before);
    return GroupSpec{.env = findEnv(plan.config.env_id).value(),
                     .env_params = plan.config.env_params,
                     .env_spec = plan.env,
                     .distribution = distribution,
                     .net = net,
                     .envs = envsOfGroup(num_envs, plan.groups, g),
                     .first_env = first,
                     .rows = ringRows(plan),
                     .state_every = plan.learn.replay ? plan.learn.replay->stride : plan.learn.rollout_length,
                     .seed = static_cast<std::uint64_t>(plan.config.run.seed)};
}

}  // namespace

std::vector<GroupSpec> SessionPlan::groupSpecs(EngineNet* acting) const {
    const ActionDistribution distribution = distributionOf(config, env);
    std::vector<GroupSpec> specs;
    for (int g = 0; g < groups; ++g) specs.push_back(groupSpec(*this, distribution, acting, g));
    return specs;
}

ActionDistribution distributionOf(const TrainingConfig& config, const EnvSpec& env) {
    return ActionDistribution(env.spaces, config.network.squash);
}

Result<std::vector<NetSpec>> networkSpecs(const TrainingConfig& config, const Algorithm& algorithm,
                                          const EnvSpec& env) {
    std::vector<NetSpec> specs;
    for (const NetworkDecl& decl : algorithm.networks()) {
        NetworkParams network = config.network;
        if (!decl.memory) {
            network.core = "none";
            network.previous_action = network.previous_reward = false;
        }
        Spaces spaces = env.spaces;
        if (decl.action_input) {
            SEEDBED_ASSIGN(spaces, withActionInput(std::move(spaces)));
        }
        SEEDBED_ASSIGN(NetSpec spec, makeNetSpec(spaces, network, decl.heads));
        spec.action_input = decl.action_input;
        specs.push_back(std::move(spec));
    }
    return specs;
}

namespace {

// Checks combinations of settings.
Result<> checkSchedule(const TrainingConfig& config) {
    const bool async = config.run.schedule == "async";
    if (config.actor.groups > config.actor.num_envs)
        return fail(ErrorCode::config, "actor.groups is " + std::to_string(config.actor.groups) +
                                           ", more than actor.num_envs (" +
                                           std::to_string(config.actor.num_envs) +
                                           "); every group needs an environment");
    if (!async && config.actor.threads > 0)
        return fail(
            ErrorCode::config,
            "actor.threads requires run.schedule=async; the sync schedule uses run.threads for everything");
    if (!async && config.learner.columns > 0)
        return fail(ErrorCode::config,
                    "learner.columns requires run.schedule=async; a sync update learns from every column");
    if (!async && config.learner.echo == 0)
        return fail(ErrorCode::config,
                    "learner.echo=0 (automatic) requires run.schedule=async; a sync update needs a number");
    if (config.run.inference == "inline" && !config.infer.devices.empty())
        return fail(ErrorCode::config, "infer.devices requires run.inference=central");
    return {};
}

Result<> checkActions(const AlgorithmEntry& algorithm, const EnvSpec& env) {
    if (!algorithm.fits || algorithm.fits(env.spaces)) return {};
    std::vector<std::string> others;
    for (const std::string& id : algorithmRegistry().ids()) {
        const AlgorithmEntry& other = *algorithmRegistry().find(id);
        if (!other.fits || other.fits(env.spaces)) others.push_back(id);
    }
    return fail(ErrorCode::config,
                "algo.id=" + algorithm.id + " needs " + algorithm.needs +
                    ", which this environment does not have; algorithms that fit: " + join(others, ", "));
}

Result<> checkOpponent(const TrainingConfig& config, const EnvEntry& env, const EnvSpec& spec) {
    if (config.eval.opponent.empty()) return {};
    return checkSeats(env, spec, config.eval.opponent).map_error([](Error error) {
        return std::move(error).withContext("checking eval.opponent");
    });
}

Result<> checkHindsight(const SessionPlan& plan) {
    if (plan.learn.replay->hindsight <= 0) return {};
    const std::string setting = "algo.hindsight=" + formatNumber(plan.learn.replay->hindsight);
    if (!plan.env.goal)
        return fail(ErrorCode::config, setting + " needs an environment with goals; '" + plan.env.id +
                                           "' has none, or their rewards are summed by wrap.action_repeat");
    if (plan.config.network.previous_reward)
        return fail(ErrorCode::config, setting +
                                           " changes rewards, which does not fit "
                                           "network.previous_reward");
    if (plan.config.run.schedule == "async")
        return fail(ErrorCode::config, setting + " requires run.schedule=sync");
    const ObsLeaf &achieved = plan.env.spaces.obs[static_cast<std::size_t>(plan.env.goal->achieved)],
                  &desired = plan.env.spaces.obs[static_cast<std::size_t>(plan.env.goal->desired)];
    for (const ObsLeaf* leaf : {&achieved, &desired})
        SEEDBED_CHECK(leaf->dtype == DType::f32 && leaf->stack == 1 && leaf->elements() == desired.elements(),
                      "goals are vectors of the same size");
    return {};
}

Result<> checkReplay(const SessionPlan& plan) {
    const TrainingConfig& config = plan.config;
    const std::string algo = "algo.id=" + config.algo_id;
    if (!plan.learn.replay) {
        if (config.checkpoint.replay == "none") return {};
        return fail(ErrorCode::config, "checkpoint.replay=" + config.checkpoint.replay +
                                           " needs an algorithm with a replay; " + algo + " has none");
    }
    const ReplayPlan& replay = *plan.learn.replay;
    const auto refuse = [&](const std::string& what) {
        return fail(ErrorCode::config, algo + " learns from a replay, which does not support " + what);
    };
    if (config.learner.echo != 1)
        return refuse("learner.echo; algo.replay_ratio sets how often decisions repeat");
    const bool is_recurrent = config.network.core != "none";
    if (is_recurrent && !replay.unrolls)
        return refuse("network.core=" + config.network.core + "; use none, or algo.id=r2d2");
    if (!is_recurrent && replay.burn_in > 0)
        return fail(ErrorCode::config, "burn-in on a feed-forward network: algo.burn_in is " +
                                           std::to_string(replay.burn_in) +
                                           " and network.core is none; use algo.burn_in=0 or a recurrent "
                                           "core (network.core=lstm)");
    const std::int64_t columns = std::int64_t{config.actor.num_envs} * plan.env.agents,
                       rows = ReplayWindows::capacityRows(replay, columns);
    const std::string kept = "algo.replay_size=" + std::to_string(replay.size) + " keeps " +
                             std::to_string(rows) + " rows of each of " + std::to_string(columns) +
                             " environments";
    if (rows > std::numeric_limits<int>::max() / 2)
        return fail(ErrorCode::config, kept + "; at most 1073741823 are possible");
    const int longest = std::max(plan.learn.windowRows() + replay.stride, plan.learn.rollout_length);
    if (rows < longest)
        return fail(ErrorCode::config,
                    kept + ", but windows (" + (replay.unrolls ? "algo.burn_in, algo.sequence, " : "") +
                        "algo.n_step) and rollouts (algo.rollout_length) need " + std::to_string(longest));
    const double batch_rows = static_cast<double>(replay.batch) * (plan.learn.windowRows() + 1);
    if (batch_rows > std::numeric_limits<int>::max())
        return fail(ErrorCode::config, "algo.batch_size windows have " + formatNumber(batch_rows) +
                                           " rows; at most 2147483647 are possible");
    if (replay.start > rows * columns)
        return fail(ErrorCode::config, "algo.replay_start is " + std::to_string(replay.start) +
                                           ", more than the replay holds: " + kept);
    return {};
}

}  // namespace

Result<SessionPlan> Session::plan(const TrainingConfig& config) {
    SessionPlan plan;
    plan.config = config;
    SEEDBED_ASSIGN(const EnvEntry* env, findEnv(config.env_id));
    SEEDBED_ASSIGN(const AlgorithmEntry* algo, algorithmRegistry().get(config.algo_id, "algorithm"));
    SEEDBED_ASSIGN(plan.env, env->spec(config.env_params));
    plan.groups = std::min(config.actor.groupCount(), config.actor.num_envs);
    plan.threads = threadCount(config.run.threads);
    if (config.run.schedule == "async")
        plan.actors = config.actor.threads > 0 ? config.actor.threads : plan.threads;
    SEEDBED_TRY(checkSchedule(config));
    SEEDBED_TRY(checkActions(*algo, plan.env));
    SEEDBED_TRY(checkOpponent(config, *env, plan.env));
    // Two groups per actor, so that one is stepped while the other waits for its actions.
    if (config.run.schedule == "async" && config.run.inference == "central" && config.actor.groups == 0)
        plan.groups = std::clamp(2 * plan.actors, plan.groups, config.actor.num_envs);

    const auto algorithm = algo->make(config.algo_params, distributionOf(config, plan.env));
    plan.learn = algorithm->plan();
    SEEDBED_TRY(checkReplay(plan));
    if (plan.learn.replay) SEEDBED_TRY(checkHindsight(plan));
    SEEDBED_ASSIGN(const std::vector<NetSpec> specs, networkSpecs(config, *algorithm, plan.env));
    plan.net = specs.front();
    SEEDBED_ASSIGN(const NetPlan acting, buildPlan(plan.net));
    SEEDBED_ASSIGN(plan.engine, chooseEngine(config.run.engine, config.run.device, acting));
    for (const std::string& device : inferenceDevices(config)) {
        SEEDBED_ASSIGN([[maybe_unused]] const EngineChoice there,
                       chooseEngine(plan.engine.id, device, acting));
    }

    const double row_count =
        static_cast<double>(plan.learn.rollout_length) * config.actor.num_envs * plan.env.agents;
    if (row_count > std::numeric_limits<int>::max())
        return fail(ErrorCode::config, "algo.rollout_length x actor.num_envs is " + formatNumber(row_count) +
                                           " rows for one update; at most 2147483647 are possible");
    std::vector<NetPlan> nets;
    for (const NetSpec& spec : specs) {
        SEEDBED_ASSIGN(NetPlan net, buildPlan(spec));
        plan.parameters += net.param_floats;
        nets.push_back(std::move(net));
    }
    plan.memory = memoryNeed(plan, *algorithm, nets);
    return plan;
}

Result<> Session::checkMemory(const SessionPlan& plan) {
    SEEDBED_ASSIGN(const MemoryInfo memory, readMemory());
    if (plan.memory.total() > memory.available_bytes)
        return fail(ErrorCode::out_of_memory, "this run needs about " + formatBytes(plan.memory.total()) +
                                                  " of memory and " + formatBytes(memory.available_bytes) +
                                                  " is free; fewer environments (actor.num_envs) or a "
                                                  "shorter rollout (algo.rollout_length) reduce it" +
                                                  (plan.learn.replay ? ", and so does a smaller replay "
                                                                       "(algo.replay_size)"
                                                                     : ""));
    return {};
}

namespace {

// The rewards of goals as the learner sees them.
Result<std::optional<GoalScore>> learnerGoal(const SessionPlan& plan) {
    std::optional<GoalScore> goal = plan.env.goal;
    if (!goal) return goal;
    SEEDBED_ASSIGN(const EnvEntry* env, findEnv(plan.config.env_id));
    SEEDBED_ASSIGN(const RewardView view, rewardViewOf(*env, plan.config.env_params));
    if (view.isIdentity()) return goal;
    goal->reward = [raw = goal->reward, view](auto achieved, auto desired) {
        return view.apply(raw(achieved, desired));
    };
    return goal;
}

}  // namespace

Result<Session::Parts> Session::makeParts(SessionPlan plan, const std::stop_token& stop) {
    Parts parts;
    parts.plan = std::move(plan);
    const SessionPlan& p = parts.plan;
    parts.distribution = distributionOf(p.config, p.env);
    parts.pool = std::make_unique<WorkerPool>(p.threads);

    const auto seed = static_cast<std::uint64_t>(p.config.run.seed);
    auto algorithm =
        algorithmRegistry().find(p.config.algo_id)->make(p.config.algo_params, parts.distribution);
    SEEDBED_ASSIGN(const std::vector<NetSpec> specs, networkSpecs(p.config, *algorithm, p.env));
    std::vector<LearnerNet> nets;
    const std::vector<NetworkDecl> decls = algorithm->networks();
    for (std::size_t i = 0; i < specs.size(); ++i) {
        SEEDBED_ASSIGN(const NetPlan net_plan, buildPlan(specs[i]));
        SEEDBED_ASSIGN(std::shared_ptr<EngineNet> engine,
                       compileNet(p.engine.id, net_plan, engineOptions(p.config.run.device)));
        const Params initial = decls[i].copy_of
                                   ? nets[*decls[i].copy_of].params
                                   : initialParams(net_plan, seed, static_cast<std::uint32_t>(i));
        nets.push_back(LearnerNet{decls[i], engine, initial});
    }
    parts.acting = nets.front().engine;
    SEEDBED_ASSIGN(std::optional<GoalScore> goal, learnerGoal(p));
    SEEDBED_ASSIGN(parts.learner, Learner::create(std::move(algorithm), std::move(nets),
                                                  LearnerOptions{.chunk_rows = p.config.learner.chunk_rows,
                                                                 .seed = seed,
                                                                 .optimiser = p.config.optimiser,
                                                                 .goal = std::move(goal)}));
    SEEDBED_ASSIGN(auto groups, createGroups(p.groupSpecs(parts.acting.get()), parts.acting,
                                             p.config.actor.stall_s, stop));
    int first_column = 0;
    for (auto& group : groups) {
        parts.rings.push_back(&group->ring());
        parts.first_column.push_back(first_column);
        first_column += group->ring().columns();
        parts.groups.push_back(std::move(group));
    }
    return parts;
}

Session::Session(Parts parts) : parts_(std::move(parts)), acting_params_(parts_.plan.config.run.forced_lag) {}

Result<std::unique_ptr<Session>> Session::create(SessionPlan plan, std::stop_token stop) {
    SEEDBED_TRY(checkMemory(plan));
    RealFileSystem files;
    SEEDBED_TRY(plan.config.recorded_auto.is_null() ? resolveAuto(plan, files, plan.config.cache_folder)
                                                    : applyRecordedAuto(plan, plan.config.recorded_auto));
    SEEDBED_ASSIGN(Parts parts, makeParts(std::move(plan), stop));
    if (parts.plan.config.run.schedule == "async") return AsyncSession::create(std::move(parts));
    return SyncSession::create(std::move(parts));
}

EvaluationRequest Session::evaluationRequest(int episodes, Selection selection, std::uint64_t seed) const {
    const SessionPlan& plan = parts_.plan;
    return {.env = findEnv(plan.config.env_id).value(),
            .env_params = plan.config.env_params,
            .env_spec = plan.env,
            .distribution = parts_.distribution,
            .opponent = scriptedOpponent(plan.config.eval.opponent),
            .opening = plan.config.eval.opening,
            .episodes = episodes,
            .selection = selection,
            .seed = seed,
            .record = false,
            .limits = {.episode_decisions = plan.config.eval.max_steps,
                       .decisions = plan.config.eval.max_total_steps,
                       .seconds = plan.config.eval.max_seconds,
                       .stall_s = plan.config.actor.stall_s},
            .stop_budget = stop_budget_};
}

Result<EvaluationResult> Session::evaluate(int episodes, Selection selection, std::uint64_t seed,
                                           std::stop_token stop) {
    return evaluate(evaluationRequest(episodes, selection, seed), std::move(stop));
}

Result<EvaluationResult> Session::evaluate(const EvaluationRequest& request, std::stop_token stop) {
    return seedbed::evaluate(parts_.acting, parts_.learner->params(), request, parts_.plan.threads, stop);
}

void Session::publishActing() {
    ActingRule rule = parts_.learner->algorithm().acting(progress_);
    rule.columns = parts_.first_column.back() + parts_.rings.back()->columns();
    acting_params_.publish(parts_.learner->params(), rule);
}

void Session::appendEpsilon(IterationStats& stats) const {
    const ActingRule rule = parts_.learner->algorithm().acting(progress_);
    if (rule.kind == ActingRule::Kind::epsilon_greedy)
        stats.metrics.emplace_back("policy/epsilon", rule.epsilon);
}

std::uint64_t Session::measureLag(const std::vector<Window>& windows, std::uint64_t max_lag,
                                  IterationStats& stats) {
    std::uint64_t rows = 0, sum = 0, largest = 0, older = 0;
    for (const Window& window : windows) {
        Ring& ring = *parts_.rings[static_cast<std::size_t>(window.group)];
        for (std::uint64_t t = window.t0; t < window.t0 + static_cast<std::uint64_t>(window.length); ++t) {
            // A group uses one set of parameters for a whole row.
            const std::uint64_t lag = acting_params_.lagOf(ring.version(t)[window.column]);
            const std::uint8_t* valid = ring.valid(t) + window.column;
            const auto count =
                static_cast<std::uint64_t>(std::count(valid, valid + window.columns, std::uint8_t{1}));
            rows += count;
            sum += lag * count;
            if (count > 0) largest = std::max(largest, lag);
            if (lag > max_lag) older += count;
        }
    }
    stats.metrics.emplace_back("policy/lag",
                               rows > 0 ? static_cast<double>(sum) / static_cast<double>(rows) : 0.0);
    stats.metrics.emplace_back("policy/lag_max", static_cast<double>(largest));
    return older;
}

void Session::noteRefill(const ReplayWindows& replay, bool& is_refilling, IterationStats& stats) {
    if (std::exchange(is_refilling, false) && replay.missing() > 0)
        stats.notices.push_back(
            "the replay was not saved (checkpoint.replay=none): learning continues after " +
            std::to_string(replay.missing()) + " more decisions");
}

void Session::appendReplay(const ReplayWindows& replay, IterationStats& stats) {
    stats.metrics.emplace_back("replay/rows", static_cast<double>(replay.rows()));
    if (const double share = replay.effectiveShare(); share > 0)
        stats.metrics.emplace_back("replay/effective_share", share);
}

bool Session::environmentsAreSaved() const {
    return std::all_of(parts_.groups.begin(), parts_.groups.end(),
                       [](const auto& group) { return group->env().canArchive(); });
}

Result<> Session::archiveParts(Archive& archive, const std::vector<std::uint64_t>& oldest_rows,
                               const std::function<bool(int)>& lost) {
    std::string schedule = parts_.plan.config.run.schedule;
    archive.any(schedule);
    SEEDBED_TRY(archive.status());
    if (schedule != parts_.plan.config.run.schedule)
        return fail(ErrorCode::config,
                    "the state was saved with run.schedule=" + schedule +
                        ", which cannot change within a run; start a new run from its checkpoint");
    archive.any(progress_.steps, progress_.updates);
    parts_.learner->archive(archive);
    publishActing();
    acting_params_.archive(archive);
    SEEDBED_TRY(archive.status());
    for (std::size_t g = 0; g < parts_.groups.size(); ++g)
        SEEDBED_TRY(parts_.groups[g]->archive(archive, oldest_rows[g], lost && lost(static_cast<int>(g))));
    return {};
}

}  // namespace seedbed
