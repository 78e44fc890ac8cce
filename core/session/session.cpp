// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/os/memory.hpp"
#include "core/base/text.hpp"
#include "core/env/host_id.hpp"
#include "core/rollout/gather.hpp"
#include "core/session/async_session.hpp"
#include "core/session/auto_choice.hpp"
#include "core/session/create_groups.hpp"
#include "core/session/engine_choice.hpp"
#include "core/session/inference_devices.hpp"
#include "core/session/policies/session_learner.hpp"
#include "core/session/seats.hpp"
#include "core/session/sync_session.hpp"
#include "core/session/windows/replay_checks.hpp"
#include "core/session/windows/replay_windows.hpp"

namespace seedbed {
namespace {

// Number of windows of a group that exist at the same time: one in the sync schedule.
int openWindows(const TrainingConfig& config) {
    return config.run.schedule == "async" ? config.actor.open_windows : 1;
}

// Rows that a group's ring keeps: with a replay buffer, its rows and the rows of the next rollout.
int ringRows(const SessionPlan& plan) {
    const int windows = openWindows(plan.config) + (isOfHost(plan.config.env_id) ? 1 : 0);
    if (!plan.learn.replay) return windows * plan.learn.rollout_length + 1;
    const std::int64_t columns = std::int64_t{plan.config.actor.num_envs} * plan.env.agents;
    return static_cast<int>(ReplayWindows::capacityRows(*plan.learn.replay, columns)) +
           windows * plan.learn.rollout_length + 1;
}

GroupSpec groupSpec(const SessionPlan& plan, const ActionDistribution& distribution, EngineNet* net, int g) {
    const EnvRange envs = envsOfGroup(plan, g);
    return GroupSpec{.env = findEnv(plan.config.env_id).value(),
                     .env_params = plan.config.env_params,
                     .env_spec = plan.env,
                     .distribution = distribution,
                     .net = net,
                     .envs = envs.end - envs.begin,
                     .first_env = envs.begin,
                     .rows = ringRows(plan),
                     .state_every = plan.learn.replay ? plan.learn.replay->stride : plan.learn.rollout_length,
                     .seed = static_cast<std::uint64_t>(plan.config.run.seed),
                     .policy_of_seat = plan.policies.of_seat};
}

}  // namespace

std::vector<GroupSpec> SessionPlan::groupSpecs(EngineNet* acting) const {
    const ActionDistribution distribution = distributionOf(config, env);
    std::vector<GroupSpec> specs;
    const GroupRange own = ownGroups(*this);
    for (int g = own.begin; g < own.end; ++g) specs.push_back(groupSpec(*this, distribution, acting, g));
    return specs;
}

ActionDistribution distributionOf(const TrainingConfig& config, const EnvSpec& env) {
    return ActionDistribution(policySpaces(env.spaces, config.network), config.network.squash);
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
    if (!config.actor.fleet.empty() && !async)
        return fail(ErrorCode::config,
                    "actor.fleet requires run.schedule=async, because actors join and leave at any time");
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

// Decides on inline inference, the only one that runs several sets of parameters.
Result<> planSelfPlay(SessionPlan& plan, const EnvEntry& env) {
    TrainingConfig& config = plan.config;
    SEEDBED_TRY(checkSelfPlay(config.self_play, env, plan.env));
    if (!config.self_play.isUsed()) return {};
    if (plan.learn.replay)
        return fail(ErrorCode::config,
                    "self_play needs an algorithm that learns from each rollout once, such "
                    "as ppo or vtrace; algo.id=" +
                        config.algo_id + " learns from a replay");
    if (config.run.inference == "central" || !config.infer.devices.empty())
        return fail(ErrorCode::config, "self_play needs run.inference=inline");
    config.run.inference = "inline";
    return {};
}

// Decides on inline inference if actors choose all actions. With fleet_form=auto, run.inference applies to
// the groups whose actions the learner chooses.
Result<> planFleetForm(SessionPlan& plan, const Algorithm& algorithm) {
    TrainingConfig& config = plan.config;
    if (config.actor.fleet_form == "actions") return {};
    const std::string setting = "actor.fleet_form=" + config.actor.fleet_form;
    if (config.actor.fleet.empty()) return fail(ErrorCode::config, setting + " requires actor.fleet");
    if (plan.learn.replay || algorithm.acting({}).kind != ActingRule::Kind::selection)
        return fail(ErrorCode::config,
                    setting +
                        " needs an algorithm that learns from each rollout once and samples "
                        "its policy, such as vtrace, ppo or a2c; algo.id=" +
                        config.algo_id + " requires actor.fleet_form=actions");
    if (config.self_play.isUsed())
        return fail(ErrorCode::config, "self_play requires actor.fleet_form=actions");
    if (config.actor.fleet_form != "windows") return {};
    const bool has_devices = !config.infer.devices.empty();
    if (has_devices || config.run.inference == "central")
        return fail(ErrorCode::config, std::string(has_devices ? "infer.devices" : "run.inference=central") +
                                           " has no use with " + setting +
                                           ", because actors choose all actions; remove it, or use "
                                           "actor.fleet_form=auto or actions");
    config.run.inference = "inline";
    return {};
}

Result<> checkForced(const SessionPlan& plan) {
    if (!plan.learn.skips_forced) return {};
    const Spaces& spaces = plan.env.spaces;
    const auto is_discrete = [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::discrete; };
    if (!spaces.has_mask || !std::ranges::all_of(spaces.actions, is_discrete))
        return fail(ErrorCode::config, "algo.skip_forced needs discrete actions with a mask; '" +
                                           plan.config.env_id + "' has none");
    if (plan.learn.rollout_length < 2)
        return fail(
            ErrorCode::config,
            "algo.skip_forced needs algo.rollout_length above 1: it does not learn from the last row");
    if (plan.config.algo_params.value("novelty", "none") != "none")
        return fail(ErrorCode::config,
                    "algo.skip_forced does not support algo.novelty, whose rewards belong to every row");
    return {};
}

}  // namespace

Result<SessionPlan> Session::plan(const TrainingConfig& config, RankPart part) {
    SessionPlan plan;
    plan.config = config;
    plan.part = part;
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
    const auto algorithm = algo->make(config.algo_params, distributionOf(config, plan.env));
    plan.learn = algorithm->plan();
    SEEDBED_TRY(checkForced(plan));
    SEEDBED_TRY(planFleetForm(plan, *algorithm));
    // Two groups per actor, so that one is stepped while the other waits for its actions.
    if (config.run.schedule == "async" && plan.config.run.inference == "central" && config.actor.groups == 0)
        plan.groups = std::clamp(2 * plan.actors, plan.groups, config.actor.num_envs);

    SEEDBED_TRY(planShards(plan, *algorithm));
    SEEDBED_TRY(checkReplay(plan));
    SEEDBED_TRY(planSelfPlay(plan, *env));
    SEEDBED_TRY(planPolicies(plan));
    SEEDBED_ASSIGN(const std::vector<NetSpec> specs, networkSpecs(config, *algorithm, plan.env));
    plan.net = specs.front();
    SEEDBED_ASSIGN(plan.engine, chooseEngine(config.run.engine, config.run.device));
    for (const std::string& device :
         inferenceDevices(config, plan.engine.id, std::numeric_limits<int>::max())) {
        SEEDBED_ASSIGN([[maybe_unused]] const EngineChoice there, chooseEngine(plan.engine.id, device));
    }

    const double row_count =
        static_cast<double>(plan.learn.rollout_length) * config.actor.num_envs * plan.env.agents;
    if (row_count > std::numeric_limits<int>::max())
        return fail(ErrorCode::config, "algo.rollout_length x actor.num_envs is " + formatNumber(row_count) +
                                           " rows for one update; at most 2147483647 are possible");
    std::vector<NetPlan> nets;
    for (const NetSpec& spec : specs) {
        SEEDBED_ASSIGN(NetPlan net, buildPlan(spec));
        plan.parameters += net.param_floats * plan.policyCount();
        nets.push_back(std::move(net));
    }
    plan.memory = memoryNeed(plan, *algorithm, nets);
    return plan;
}

Result<> Session::checkMemory(const SessionPlan& plan) {
    SEEDBED_ASSIGN(const MemoryInfo memory, readMemory());
    // Refused even if this run stops earlier, because it could not be continued.
    if (plan.memory.full_replay > memory.total_bytes)
        return fail(ErrorCode::out_of_memory,
                    "the replay (algo.replay_size=" + std::to_string(plan.learn.replay->size) + ") needs " +
                        formatBytes(plan.memory.full_replay) + " when it is full, more than the " +
                        formatBytes(memory.total_bytes) + " of this computer");
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

std::shared_ptr<Collective> collectiveOf(const RankLink* link) {
    return link == nullptr || link->isAlone() ? nullptr : link->collective();
}

}  // namespace

Result<Session::Parts> Session::makeParts(SessionPlan plan, const std::stop_token& stop,
                                          std::shared_ptr<RankLink> link) {
    Parts parts;
    parts.plan = std::move(plan);
    parts.link = std::move(link);
    const SessionPlan& p = parts.plan;
    parts.distribution = distributionOf(p.config, p.env);
    parts.pool = std::make_unique<WorkerPool>(p.threads);

    SEEDBED_ASSIGN(SessionLearner made, makeLearner(p, parts.distribution, collectiveOf(parts.link.get())));
    parts.learner = std::move(made.learner);
    parts.engines = std::move(made.engines);
    parts.acting = parts.engines.front();
    std::vector<GroupSpec> group_specs = p.groupSpecs(parts.acting.get());
    if (p.config.self_play.isUsed()) parts.selves = std::make_shared<PastSelves>(p.config.self_play);
    for (GroupSpec& spec : group_specs) {
        spec.selves = parts.selves;
        spec.skips_forced = p.learn.skips_forced;
    }
    if (!p.config.actor.fleet.empty()) {
        if (p.config.remote == nullptr)
            return fail(ErrorCode::config, "actor.fleet needs the program seedbed; this one has no fleets");
        SEEDBED_TRY(p.config.remote->provide(group_specs, {.address = p.config.actor.fleet,
                                                           .stall_s = p.config.actor.stall_s,
                                                           .form = p.config.actor.fleet_form,
                                                           .max_lag = p.config.learner.max_policy_lag}));
    }
    SEEDBED_ASSIGN(auto groups,
                   createGroups(std::move(group_specs), parts.acting, p.config.actor.stall_s, stop));
    int first_column = envsOfGroup(p, ownGroups(p).begin).begin * p.env.agents;
    for (auto& group : groups) {
        parts.rings.push_back(&group->ring());
        parts.first_column.push_back(first_column);
        first_column += group->ring().columns();
        parts.groups.push_back(std::move(group));
    }
    return parts;
}

Session::Session(Parts parts)
    : parts_(std::move(parts)), ranks_(parts_.link), acting_params_(parts_.plan.config.run.forced_lag) {}

Result<std::unique_ptr<Session>> Session::create(SessionPlan plan, std::stop_token stop,
                                                 std::shared_ptr<RankLink> link) {
    SEEDBED_TRY(checkMemory(plan));
    RealFileSystem files;
    SEEDBED_TRY(plan.config.recorded_auto.is_null() ? resolveAuto(plan, files, plan.config.cache_folder)
                                                    : applyRecordedAuto(plan, plan.config.recorded_auto));
    const bool leads = link != nullptr && link->isLeader() && !link->isAlone();
    if (leads) {
        const std::string request = Json{
            {"config", plan.config.document},
            {"engine", plan.engine.id},
            {"threads", plan.config.run.threads},
            {"auto", plan.auto_choice}}.dump();
        SEEDBED_TRY(link->command(RankCommand::create, {request.begin(), request.end()}));
    }
    auto made = [&]() -> Result<std::unique_ptr<Session>> {
        SEEDBED_ASSIGN(Parts parts, makeParts(std::move(plan), stop, link));
        if (parts.plan.config.run.schedule == "async") return AsyncSession::create(std::move(parts));
        return SyncSession::create(std::move(parts));
    }();
    if (!leads) return made;
    Result<> own;
    if (!made) own = tl::unexpected<Error>(made.error());
    SEEDBED_TRY(link->gather(own));
    return made;
}

void Session::setRivals(std::vector<Params> rivals) {
    if (parts_.selves != nullptr) parts_.selves->setRivals(std::move(rivals));
}

void Session::setLive(const TrainingConfig& config) {
    parts_.learner->setLive(config.algo_params);
    if (!ranks_.areSeveral() || !ranks_.isLeader()) return;
    const std::string params = config.algo_params.dump();
    // After an error, iterate() reports the lost rank.
    static_cast<void>(ranks_.link().command(RankCommand::live, {params.begin(), params.end()}));
}

Result<Survived> Session::survive(std::stop_token) { return fail("this session has no other ranks"); }

Result<std::optional<IterationStats>> Session::pump(const TimeBudget& budget) {
    if (!isLearning()) {
        const auto rows = [&] {
            std::uint64_t sum = 0;
            for (const Ring* ring : parts_.rings) sum += ring->head();
            return sum;
        };
        const std::uint64_t before = rows();
        SEEDBED_ASSIGN(const Collected collected, collect(budget));
        // Every call makes progress, even if the budget is too small for anything.
        if (collected != Collected::all || (rows() != before && !budget.fits(std::chrono::nanoseconds(0))))
            return std::optional<IterationStats>();
    }
    return learn(budget);
}

Result<Collected> Session::collect(const TimeBudget&) {
    return fail(ErrorCode::config, "training in pieces requires run.schedule=sync");
}

Result<std::optional<IterationStats>> Session::learn(const TimeBudget&) {
    return fail(ErrorCode::config, "training in pieces requires run.schedule=sync");
}

void Session::restartEnvironments() {
    for (const auto& group : parts_.groups) group->requireRestart();
}

bool Session::needsRestart() const {
    return std::ranges::any_of(parts_.groups, [](const auto& group) { return group->needsRestart(); });
}

EvaluationRequest Session::evaluationRequest(int episodes, Selection selection, std::uint64_t seed) const {
    const SessionPlan& plan = parts_.plan;
    return {.env = findEnv(plan.config.env_id).value(),
            .env_params = plan.config.env_params,
            .env_spec = plan.env,
            .distribution = parts_.distribution,
            .policies = {plan.policies.of_seat, otherParams(plan.policies, *parts_.learner)},
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
    if (isOfHost(request.env->id))
        return fail(ErrorCode::config, "the environments of a host program cannot be evaluated separately");
    return seedbed::evaluate(parts_.acting, parts_.learner->params(), request, parts_.plan.threads, stop);
}

void Session::publishActing() {
    ActingRule rule = parts_.learner->algorithm().acting(progress_);
    rule.columns = parts_.plan.config.actor.num_envs * parts_.plan.env.agents;
    std::shared_ptr<const Opponents> opponents;
    if (parts_.selves != nullptr) {
        parts_.selves->advance(progress_.updates, parts_.learner->params());
        opponents = parts_.selves->opponents();
    } else if (parts_.plan.policies.isUsed()) {
        opponents = std::make_shared<Opponents>(
            Opponents{.policies = otherParams(parts_.plan.policies, *parts_.learner)});
    }
    acting_params_.publish(parts_.learner->params(), rule, std::move(opponents));
}

void Session::appendSeats(IterationStats& stats) const {
    if (parts_.selves != nullptr) parts_.selves->appendMetrics(stats.metrics);
    appendPolicyReturns(parts_.plan.policies, stats.episodes, stats.metrics);
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
            const std::uint64_t count = learnerRows(ring, t, window.column, window.columns);
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

void Session::noteEngines(IterationStats& stats) {
    std::vector<std::string> texts;
    for (const auto& engine : parts_.engines) {
        std::string text = engine->takeNotice();
        // The networks of a run are on one device, so all report the same failure.
        if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end())
            texts.push_back(text);
    }
    stats.notices.insert(stats.notices.end(), texts.begin(), texts.end());
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

Result<> Session::takeLearner(const std::vector<Params>& params, Archive& archive) {
    SEEDBED_CHECK(params.size() == parts_.learner->networkCount());
    if (ranks_.areSeveral()) return fail(ErrorCode::config, "a member of a population is one process");
    // The archive begins as in archiveParts().
    std::string schedule;
    std::uint64_t steps = 0, updates = 0;
    archive.any(schedule).any(steps, updates);
    parts_.learner->archive(archive);
    SEEDBED_TRY(archive.status());
    // Versions of acting parameters must increase, and recorded rows refer to earlier ones.
    std::uint64_t version = 0;
    for (std::size_t i = 0; i < params.size(); ++i)
        version = std::max(version, parts_.learner->params(i).version());
    for (std::size_t i = 0; i < params.size(); ++i) {
        const auto blob = params[i].blob();
        parts_.learner->setParams(i, Params(std::vector<float>(blob.begin(), blob.end()), ++version));
    }
    publishActing();
    return {};
}

Result<> Session::archiveHead(Archive& archive) {
    std::string schedule = parts_.plan.config.run.schedule;
    archive.any(schedule);
    SEEDBED_TRY(archive.status());
    if (schedule != parts_.plan.config.run.schedule)
        return fail(ErrorCode::config,
                    "the state was saved with run.schedule=" + schedule +
                        ", which cannot change within a run; start a new run from its checkpoint");
    archive.any(progress_.steps, progress_.updates);
    parts_.learner->archive(archive);
    if (parts_.selves != nullptr) parts_.selves->archive(archive, parts_.learner->params().blob().size());
    SEEDBED_TRY(archive.status());
    publishActing();
    acting_params_.archive(archive);
    return archive.status();
}

Result<> Session::archiveParts(Archive& archive, const std::vector<std::uint64_t>& oldest_rows,
                               const std::function<bool(int)>& lost) {
    SEEDBED_TRY(archiveHead(archive));
    for (std::size_t g = 0; g < parts_.groups.size(); ++g)
        SEEDBED_TRY(parts_.groups[g]->archive(archive, oldest_rows[g], lost && lost(static_cast<int>(g))));
    return {};
}

}  // namespace seedbed
