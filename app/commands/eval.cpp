// SPDX-License-Identifier: Apache-2.0
// seedbed eval: evaluates the policy of a run, checkpoint or folder over whole episodes.
#include <cstdio>
#include <optional>
#include <utility>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/interrupt.hpp"
#include "app/policy_options.hpp"
#include "app/run_names.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/policy/bundle_env.hpp"
#include "core/run/run_recorder.hpp"
#include "core/session/engine_choice.hpp"
#include "core/session/evaluation.hpp"
#include "core/session/seats.hpp"
#include "core/session/settings.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/run_writer.hpp"

namespace seedbed::app {
namespace {

struct EvalOptions {
    std::string policy;
    int episodes = 100;
    bool greedy = false, sample = false, record = false;
    std::uint64_t seed = 1;
    std::int64_t max_steps = EvaluationLimits{}.episode_decisions;
    std::optional<std::string> opponent;  // default: those of the policy's configuration
    std::optional<int> opening;
    int threads = 0;
    std::string engine = "auto", device = "cpu";
};

Json toJson(const EvaluationResult& result) {
    Json episodes = Json::array();
    for (const EpisodeResult& e : result.episodes)
        episodes.push_back({{"return", e.episode_return}, {"length", e.length}});
    const Summary& s = result.summary;
    return {{"n", s.n},
            {"mean", s.mean},
            {"std", s.std},
            {"iqm", s.iqm},
            {"ci95", {s.ci_low, s.ci_high}},
            {"min", s.min},
            {"max", s.max},
            {"episodes", episodes},
            {"asked", result.asked},
            {"replaced", result.replaced},
            {"problem", result.problem}};
}

// The run that the policy belongs to, unless it is a folder or an imported policy.
std::optional<RunId> runOf(FileSystem& files, const std::string& policy, const Context& context) {
    const auto name = parseCheckpointName(files, policy);
    if (!name || !name->folder.empty()) return std::nullopt;
    const auto run = resolveRun(name->run, context);
    return run ? std::optional(*run) : std::nullopt;
}

// The scripted player of the other seats ("" for none), and the random decisions before it: from the command
// line, or from the configuration that the policy was trained with.
struct Opposition {
    std::string player;
    int opening = 0;
};
Result<Opposition> oppositionOf(const EvalOptions& options, const Provenance& from, const BundleEnv& env) {
    const Json eval = from.config.is_object() ? from.config.value("eval", Json::object()) : Json::object();
    const auto trained = EvalSettings::describe().schema().complete(eval);
    const EvalSettings settings = trained ? EvalSettings::describe().read(*trained) : EvalSettings{};
    Opposition result{options.opponent.value_or(settings.opponent),
                      options.opening.value_or(settings.opening)};
    if (result.player == "none") result.player.clear();
    if (!result.player.empty()) SEEDBED_TRY(checkSeats(*env.entry, env.spec, result.player));
    return result;
}

EvaluationRequest requestOf(const EvalOptions& options, const Opposition& opposition, const BundleEnv& env,
                            const PolicyBundle& bundle) {
    return {.env = env.entry,
            .env_params = env.params,
            .env_spec = env.spec,
            .distribution = ActionDistribution(bundle.spaces(), bundle.squash),
            .policies = {bundle.policies.of_seat, bundle.others},
            .opponent = scriptedOpponent(opposition.player),
            .opening = opposition.opening,
            .episodes = options.episodes,
            .selection = options.sample ? Selection::sample : Selection::greedy,
            .seed = options.seed,
            .record = false,
            // There are no further limits: the user chooses the number of episodes and can stop with Ctrl-C.
            .limits = {.episode_decisions = options.max_steps, .decisions = 0, .seconds = 0}};
}

// Adds the evaluation to those of the run, as if the run had made it at the step of the checkpoint. error:
// another process owns the run.
Result<> record(RunId run, const LoadedPolicy& loaded, const EvaluationRequest& request,
                const EvaluationResult& result, const Context& context) {
    EvaluationRecord row = evaluationRecord(result);
    row.step = loaded.info.step;
    row.time = realSystem().wallSeconds();
    row.seed = request.seed;
    row.greedy = request.selection == Selection::greedy;
    row.params_version = static_cast<std::int64_t>(loaded.bundle.network.params.version());
    SEEDBED_ASSIGN(const RunLock lock, RunLock::acquire(context.data_folder, run));
    SEEDBED_ASSIGN(const auto writer, RunWriter::open(context.data_folder, lock));
    writer->evaluation(std::move(row));
    return writer->flush();
}

void printEvaluation(const EvaluationResult& result, const Provenance& from, const std::string& opponent,
                     bool sampled) {
    const Summary& s = result.summary;
    std::printf(
        "%s, %s with the policy from step %s%s\n", from.env.c_str(),
        countText(static_cast<std::int64_t>(s.n), sampled ? "sampled episode" : "greedy episode").c_str(),
        formatCount(from.steps).c_str(), opponent.empty() ? "" : (" against " + opponent).c_str());
    std::printf(
        "return %.4g +- %.4g, interquartile mean %.4g, 95 %% interval [%.4g, %.4g], min %.4g, max %.4g\n",
        s.mean, s.std, s.iqm, s.ci_low, s.ci_high, s.min, s.max);
}

// `notices` report, for example, that the evaluated checkpoint is not the requested one.
Json evaluationJson(const EvaluationResult& result, const Provenance& from, const EvalOptions& options,
                    const Opposition& opposition, const std::vector<std::string>& notices) {
    Json json = toJson(result);
    json["step"] = from.steps;
    json["env"] = from.env;
    json["algo"] = from.algo;
    json["seed"] = options.seed;
    json["greedy"] = !options.sample;
    json["opponent"] = opposition.player;
    json["opening"] = opposition.opening;
    if (!notices.empty()) json["notices"] = notices;
    return json;
}

Result<int> evaluatePolicy(const EvalOptions& options, const Context& context) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const LoadedPolicy loaded,
                   loadPolicy(files, context.data_folder, options.policy, runResolver(context)));
    for (const std::string& notice : loaded.notices)
        if (!context.quiet) std::fprintf(stderr, "%s\n", notice.c_str());
    const Provenance& from = loaded.bundle.provenance;
    const std::optional<RunId> run = runOf(files, options.policy, context);
    if (options.record && !run)
        return fail(ErrorCode::usage, "--record adds the evaluation to a run; '" + options.policy +
                                          "' does not belong to a run in this data folder");
    auto env = environmentOf(loaded.bundle);
    if (!env)
        return tl::unexpected<Error>(
            std::move(env).error().withContext("evaluating '" + options.policy + "'"));
    SEEDBED_ASSIGN(const Opposition opposition, oppositionOf(options, from, *env));
    SEEDBED_ASSIGN(const NetPlan plan, buildPlan(loaded.bundle.network.spec));
    SEEDBED_ASSIGN(const EngineChoice engine, chooseEngine(options.engine, options.device));
    SEEDBED_ASSIGN(std::shared_ptr<EngineNet> net,
                   compileNet(engine.id, plan, engineOptions(options.device)));

    const EvaluationRequest request = requestOf(options, opposition, *env, loaded.bundle);
    std::vector<std::string> notices = loaded.notices;
    if (!env->spec.repeats) {
        notices.push_back(doesNotRepeatText(from.env));
        if (!context.quiet) std::fprintf(stderr, "%s\n", notices.back().c_str());
    }
    Interrupt interrupt(stoppingText(context.quiet));
    SEEDBED_ASSIGN(const EvaluationResult result,
                   evaluate(std::move(net), loaded.bundle.network.params, request,
                            threadCount(options.threads), interrupt.token()));
    SEEDBED_TRY(requireEpisodes(result));
    if (!result.problem.empty())
        std::fprintf(stderr, "%zu of %d episodes: %s\n", result.episodes.size(), result.asked,
                     result.problem.c_str());
    const bool recorded = options.record && result.isComplete();
    if (recorded) SEEDBED_TRY(record(*run, loaded, request, result, context));
    else if (options.record)
        std::fprintf(stderr, "not recorded: the mean of an incomplete evaluation may be biased\n");
    const int code = recorded == options.record ? kOk : exitCode(ErrorCode::failure);
    const auto policies = policyMeans(loaded.bundle.policies, result);
    if (context.json) {
        Json json = evaluationJson(result, from, options, opposition, notices);
        for (const auto& [policy, mean] : policies) json["policies"][policy] = mean;
        json["run"] = run ? Json(*run) : Json();
        json["recorded"] = recorded;
        printJson(json);
        return code;
    }
    printEvaluation(result, from, opposition.player, options.sample);
    for (const auto& [policy, mean] : policies)
        std::printf("policy %s: mean return %.4g\n", policy.c_str(), mean);
    return code;
}

SEEDBED_REGISTER_COMMAND(eval, {.id = "eval",
                                .summary = "Play episodes with a trained policy and report the returns",
                                .examples = {"seedbed eval 1", "seedbed eval 1:best --episodes 1000 --sample",
                                             "seedbed eval my-run --json"},
                                .define = [](CLI::App& cli) -> Action {
                                    auto options = std::make_shared<EvalOptions>();
                                    addPolicyArgument(cli, options->policy);
                                    cli.add_option("--episodes", options->episodes, "Episodes to play")
                                        ->check(CLI::Range(1, 10000000))
                                        ->capture_default_str();
                                    cli.add_flag("--record", options->record,
                                                 "Record the evaluation with the run, for 'seedbed "
                                                 "compare'");
                                    cli.add_option("--opponent", options->opponent,
                                                   "Scripted player of the other seats, or none (default: "
                                                   "as in training): " +
                                                       scriptedPlayerForms());
                                    cli.add_option("--opening", options->opening,
                                                   "Random decisions at the beginning of an episode "
                                                   "(default: as in training)")
                                        ->check(CLI::Range(0, 10000));
                                    addActionOptions(cli, options->greedy, options->sample, options->seed);
                                    cli.add_option(
                                           "--max-steps", options->max_steps,
                                           "Cut off episodes after this many decisions and exclude them")
                                        ->check(CLI::Range(1, 1000000000))
                                        ->capture_default_str();
                                    cli.add_option("--threads", options->threads, "Threads; 0: one per core")
                                        ->check(CLI::Range(0, 1024));
                                    addEngineOption(cli, options->engine);
                                    addDeviceOption(cli, options->device);
                                    return [options](const Context& context) {
                                        return evaluatePolicy(*options, context);
                                    };
                                }});

}  // namespace
}  // namespace seedbed::app
