// SPDX-License-Identifier: Apache-2.0
// seedbed export, seedbed verify: writes a policy for other programs and verifies that it makes the same
// decisions, or repeats that verification.
#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/interrupt.hpp"
#include "app/policy_options.hpp"
#include "app/run_names.hpp"
#include "app/terminal.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/export/export.hpp"
#include "core/export/target.hpp"
#include "core/policy/bundle_env.hpp"
#include "core/session/engine_choice.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed::app {
namespace {

struct ExportOptions {
    std::string policy;
    std::string policy_name;  // of a run with several policies
    std::string engine = "auto";
    int evaluation_episodes = 100;
    bool no_replay = false, without_value = false;
    bool list = false;
    ExportRequest request;
};

// Shows a refreshed line on a terminal, nothing elsewhere.
class ProgressLine {
public:
    explicit ProgressLine(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) != 0) {}
    ~ProgressLine() { clear(); }
    void show(const std::string& what, double fraction) {
        const int percent = static_cast<int>(100 * fraction);
        if (!shown_ || (what == last_ && percent == percent_)) return;
        last_ = what;
        percent_ = percent;
        eraseLine();
        std::fprintf(stderr, "checking: %s, %d %%", what.c_str(), percent);
        std::fflush(stderr);
    }
    void clear() {
        if (shown_ && !last_.empty()) eraseLine();
        last_.clear();
    }

private:
    bool shown_;
    std::string last_;
    int percent_ = -1;
};

Json evaluationJson(const Summary& s) {
    return {{"n", s.n}, {"mean", s.mean}, {"std", s.std}, {"iqm", s.iqm}, {"ci95", {s.ci_low, s.ci_high}}};
}

// Evaluates the policy if its checkpoint has no evaluation; the model card reports the result.
Result<> evaluateIfUnknown(PolicyBundle& bundle, const NetPlan& plan, const std::string& engine, int episodes,
                           std::stop_token stop) {
    const auto env = environmentOf(bundle);
    if (!bundle.provenance.evaluation.is_null() || episodes == 0 || !env) return {};
    SEEDBED_ASSIGN(std::shared_ptr<EngineNet> net, compileNet(engine, plan, EngineOptions{}));
    const EvaluationRequest request{.env = env->entry,
                                    .env_params = env->params,
                                    .env_spec = env->spec,
                                    .distribution = ActionDistribution(bundle.spaces(), bundle.squash),
                                    .episodes = episodes};
    SEEDBED_ASSIGN(const EvaluationResult result,
                   evaluate(std::move(net), bundle.network.params, request, threadCount(0), stop));
    if (!result.isComplete()) {
        std::fprintf(stderr, "the model card will not contain a return: %s\n", result.problem.c_str());
        return {};
    }
    bundle.provenance.evaluation = evaluationJson(result.summary);
    return {};
}

void printDecisions(const Json& loop) {
    const auto number = [&](const char* key) { return formatCount(loop.at(key).get<std::int64_t>()); };
    std::printf("; %s of %s decisions equal in %s episodes", number("equal").c_str(),
                number("compared").c_str(), number("episodes").c_str());
    if (loop.at("cut").get<int>() > 0) std::printf(" and the beginning of %s more", number("cut").c_str());
    if (loop.at("within_margin").get<std::int64_t>() > 0)
        std::printf(" (%s more were ties)", number("within_margin").c_str());
}

void printProof(const Json& parity) {
    for (const Json& target : parity.at("targets")) {
        std::printf("  %s with %s %s: largest output difference %.2g (%.0g allowed)",
                    target.at("target").get<std::string>().c_str(),
                    target.at("executor").at("id").get<std::string>().c_str(),
                    target.at("executor").at("version").get<std::string>().c_str(),
                    target.at("max_relative_difference").get<double>(), parity.at("tolerance").get<double>());
        const Json& loop = target.at("closed_loop");
        if (loop.is_object()) printDecisions(loop);
        const Json& free = target.at("free_running");
        if (free.is_object() && free.at("trainer").at("mean").is_number() &&
            free.at("exported").at("mean").is_number())
            std::printf("; mean return %.4g with the trained network, %.4g with the exported one alone",
                        free.at("trainer").at("mean").get<double>(),
                        free.at("exported").at("mean").get<double>());
        std::printf("\n");
    }
}

// Of a run without a selector: the weights with the best evaluation, otherwise the newest ones. Adds the
// selector to `name`.
Result<LoadedPolicy> loadBest(FileSystem& files, std::string& name, const Context& context) {
    const RunResolver resolve = runResolver(context);
    SEEDBED_ASSIGN(const CheckpointName parsed, parseCheckpointName(files, name));
    if (parsed.folder.empty() && parsed.selector.empty() && resolve(parsed.run)) {
        auto best = loadPolicy(files, context.data_folder, parsed.run + ":best", resolve);
        const bool is_evaluated = best || best.error().code != ErrorCode::config;
        name = parsed.run + (is_evaluated ? ":best" : ":newest");
        if (is_evaluated) return best;
    }
    return loadPolicy(files, context.data_folder, name, resolve);
}

Result<int> exportIt(ExportOptions& options, const Context& context) {
    RealFileSystem files(FileAccess::umask);
    SEEDBED_ASSIGN(LoadedPolicy loaded, loadBest(files, options.policy, context));
    // One of several policies has no return of its own: it does not play all seats.
    if (loaded.bundle.policies.isUsed()) options.evaluation_episodes = 0;
    SEEDBED_ASSIGN(loaded.bundle, onePolicy(std::move(loaded.bundle), options.policy_name));
    const std::int64_t steps = loaded.bundle.provenance.steps;
    for (const std::string& notice : loaded.notices)
        if (!context.quiet) std::fprintf(stderr, "%s\n", notice.c_str());
    SEEDBED_ASSIGN(const NetPlan plan, buildPlan(loaded.bundle.network.spec));
    SEEDBED_ASSIGN(const EngineChoice engine, chooseEngine(options.engine, "cpu"));

    Interrupt interrupt(stoppingText(context.quiet));
    ProgressLine progress(!context.quiet && !context.json);
    ExportRequest& request = options.request;
    SEEDBED_TRY(
        evaluateIfUnknown(loaded.bundle, plan, engine.id, options.evaluation_episodes, interrupt.token()));
    request.bundle = std::move(loaded.bundle);
    request.source = options.policy;
    request.engine = engine.id;
    request.replay = !options.no_replay;
    request.options.with_value = !options.without_value;
    request.parity.stop = interrupt.token();
    request.parity.progress = [&](const std::string& what, double fraction) {
        progress.show(what, fraction);
    };
    SEEDBED_ASSIGN(const ExportOutcome outcome, exportPolicy(files, request));
    progress.clear();
    if (!context.quiet)
        for (const std::string& notice : outcome.notices) std::fprintf(stderr, "%s\n", notice.c_str());
    if (context.json) {
        Json list = Json::array();
        for (const ExportedFile& file : outcome.files)
            list.push_back({{"name", file.name}, {"bytes", file.bytes}});
        printJson({{"policy", options.policy},
                   {"steps", steps},
                   {"folder", outcome.folder.string()},
                   {"files", list},
                   {"parity", outcome.parity},
                   {"seconds", outcome.seconds}});
        return kOk;
    }
    std::printf("exported '%s' (%s steps) to %s in %s\n", options.policy.c_str(), formatCount(steps).c_str(),
                outcome.folder.c_str(), formatDuration(outcome.seconds).c_str());
    printProof(outcome.parity);
    for (const ExportedFile& file : outcome.files)
        std::printf("  %-20s %s\n", file.name.c_str(), formatBytes(file.bytes).c_str());
    return kOk;
}

Result<int> verifyIt(VerifyRequest& request, const Context& context) {
    RealFileSystem files(FileAccess::umask);
    Interrupt interrupt(stoppingText(context.quiet));
    ProgressLine progress(!context.quiet && !context.json);
    request.parity.stop = interrupt.token();
    request.parity.progress = [&](const std::string& what, double fraction) {
        progress.show(what, fraction);
    };
    SEEDBED_ASSIGN(const VerifyOutcome outcome, verifyExport(files, request));
    progress.clear();
    if (!context.quiet)
        for (const std::string& notice : outcome.notices) std::fprintf(stderr, "%s\n", notice.c_str());
    if (context.json) {
        printJson({{"folder", request.folder.string()},
                   {"files", outcome.files},
                   {"notices", outcome.notices},
                   {"parity", outcome.parity}});
        return kOk;
    }
    std::printf("%s: all %zu files are unchanged since the export\n", request.folder.c_str(), outcome.files);
    printProof(outcome.parity);
    return kOk;
}

std::vector<std::string> targetIds() {
    std::vector<std::string> ids;
    for (const ExportTarget* target : exportTargets()) ids.push_back(target->id);
    return ids;
}

Result<int> listTargets(const Context& context) {
    Json json = Json::array();
    std::vector<std::vector<std::string>> rows{{"TARGET", "FILES", "DESCRIPTION"}};
    for (const ExportTarget* target : exportTargets()) {
        json.push_back(toJson(*target));
        rows.push_back({target->id, join(target->files, ", "), target->sentence});
    }
    if (context.json) printJson(json);
    else printTable(rows);
    return kOk;
}

// Fails if none of the chosen targets has the option.
Result<> requireUse(const std::string& id, const std::string& argument, const ExportRequest& request) {
    for (const std::string& name : request.targets) {
        const ExportTarget* target = exportTargetRegistry().find(name);
        const auto has_it = [&](const ExportOption& option) { return option.id == id; };
        if (target == nullptr || std::any_of(target->options.begin(), target->options.end(), has_it))
            return {};
    }
    return fail(ErrorCode::usage, argument + " has no effect with --to " + join(request.targets, ","));
}

// The help of an option, with the values of a choice.
std::string optionHelp(const char* id) {
    const ExportOption& option = exportOption(id);
    std::vector<std::string> values;
    for (const ExportOption::Choice& choice : option.choices)
        values.push_back(choice.value == choice.title ? choice.value : choice.value + ": " + choice.title);
    return option.help + (values.empty() ? "" : ": " + join(values, "; "));
}

std::vector<std::string> executorIds() {
    std::vector<std::string> ids;
    for (const ExportTarget* target : exportTargets())
        for (const ExecutorEntry& entry : target->executors)
            if (std::find(ids.begin(), ids.end(), entry.id) == ids.end()) ids.push_back(entry.id);
    return ids;
}

template <class Request>
void addProofOptions(CLI::App& cli, Request& request, int fewest_episodes) {
    cli.add_option("--executor", request.executor,
                   "Program that runs the exported policy for the comparison: " + join(executorIds(), ", ") +
                       " (default: the best available for each target)")
        ->type_name("EXECUTOR");
    cli.add_option("--python", request.python,
                   "Python with onnxruntime or safetensors (default: $SEEDBED_PYTHON, python3)")
        ->type_name("PROGRAM")
        ->check(notEmpty());
    cli.add_option("--cc", request.compiler, "C compiler (default: $CC, cc, gcc, clang)")
        ->type_name("COMMAND")
        ->check(notEmpty());
    cli.add_option("--episodes", request.parity.episodes, "Episodes to compare in the environment")
        ->check(CLI::Range(fewest_episodes, 1000))
        ->capture_default_str();
    cli.add_option("--seconds", request.parity.seconds,
                   "Time limit in seconds for the episodes of one target; unfinished episodes are cut off")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    cli.add_option("--seed", request.parity.seed, "Seed for the compared episodes")
        ->check(notNegative())
        ->capture_default_str();
}

SEEDBED_REGISTER_COMMAND(
    export,
    {.id = "export",
     .summary = "Export a policy for other programs and verify that it makes the same decisions",
     .examples = {"seedbed export 1 --to onnx --out cartpole-onnx",
                  "seedbed export 1:best --to onnx --to c --out both",
                  "seedbed export 1 --to onnx --profile unity --out for-unity", "seedbed export --list"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<ExportOptions>();
         ExportRequest& request = options->request;
         const std::vector<CLI::Option*> required{
             addPolicyArgument(cli, options->policy)
                 ->description(
                     "RUN (its best evaluated weights, otherwise the newest), RUN:newest, RUN:STEP, "
                     "an imported policy or a folder"),
             cli.add_option("--to", request.targets, "Target: " + join(targetIds(), ", ") + " (repeatable)")
                 ->type_name("TARGET")
                 ->required()
                 ->delimiter(','),
             cli.add_option("--out", request.folder, "Folder to create; must be empty if it exists")
                 ->type_name("DIR")
                 ->required()};
         cli.add_flag_callback(
                "--list",
                [options = options.get(), required] {
                    options->list = true;
                    for (CLI::Option* option : required) option->required(false);
                },
                "List the targets and their files, without other arguments; with --json also their options")
             ->trigger_on_parse();
         // Options that apply to specific targets.
         std::vector<std::pair<std::string, CLI::Option*>> own;
         own.emplace_back("profile",
                          cli.add_option("--profile", request.options.profile, optionHelp("profile"))
                              ->type_name("PROFILE")
                              ->capture_default_str());
         cli.add_option("--licence,--license", request.options.licence, optionHelp("licence"))
             ->type_name("ID")
             ->check(notEmpty())
             ->capture_default_str();
         own.emplace_back("prefix", cli.add_option("--prefix", request.options.prefix, optionHelp("prefix"))
                                        ->type_name("PREFIX")
                                        ->capture_default_str());
         own.emplace_back("with_value",
                          cli.add_flag("--without-value", options->without_value, optionHelp("with_value")));
         cli.add_flag("--no-replay", options->no_replay, optionHelp("replay"));
         cli.add_option("--policy", options->policy_name,
                        "One of the policies of a run that has several (policies.seats)")
             ->type_name("NAME")
             ->check(notEmpty());
         cli.add_option("--eval-episodes", options->evaluation_episodes,
                        "Episodes to evaluate for the model card if the checkpoint has no evaluation")
             ->check(CLI::Range(0, 1000000))
             ->capture_default_str();
         addEngineOption(cli, options->engine);
         addProofOptions(cli, request, kProvenEpisodes);
         return [options, own](const Context& context) -> Result<int> {
             if (options->list) return listTargets(context);
             for (const auto& [id, option] : own)
                 if (option->count() > 0) SEEDBED_TRY(requireUse(id, option->get_name(), options->request));
             return exportIt(*options, context);
         };
     }});

SEEDBED_REGISTER_COMMAND(
    verify, {.id = "verify",
             .summary = "Repeat the verification of an exported folder",
             .examples = {"seedbed verify cartpole-onnx",
                          "seedbed verify cartpole-onnx --executor interpreter --json"},
             .define = [](CLI::App& cli) -> Action {
                 auto request = std::make_shared<VerifyRequest>();
                 cli.add_option("DIR", request->folder, "Folder written by 'seedbed export'")->required();
                 addEngineOption(cli, request->engine);
                 cli.add_flag(
                     "--trust", request->trust,
                     "Run the folder's programs, and load its model files in other programs, even if this "
                     "version would write them differently");
                 addProofOptions(cli, *request, 0);
                 return [request](const Context& context) { return verifyIt(*request, context); };
             }});

}  // namespace
}  // namespace seedbed::app
