// SPDX-License-Identifier: Apache-2.0
#include "app/compared_runs.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "app/run_names.hpp"
#include "core/base/os/files.hpp"
#include "core/base/text.hpp"

namespace seedbed::app {
namespace {

bool isSvg(const std::string& file) { return lowered(file).ends_with(".svg"); }
bool isPdf(const std::string& file) { return lowered(file).ends_with(".pdf"); }

// Returns an error that lists the runs without the required kind of score.
tl::unexpected<Error> lackingScores(const LoadedScores& loaded) {
    const bool one = loaded.lacking.size() == 1;
    const std::string runs = runList(loaded.lacking);
    const std::string who = std::string(one ? "run" : "runs") + runs.substr(runs.find(' '));
    const char* at = loaded.aligned ? " at the last step that all runs have reached; '--at last' uses each "
                                      "run's own last step"
                                    : "";
    if (loaded.kind == ScoreKind::training)
        return fail(ErrorCode::config, who + (one ? " has" : " have") + " no finished episode yet" + at);
    return fail(ErrorCode::config, who + (one ? " has no " : " have no ") + scoreKindName(loaded.kind) +
                                       " evaluation" + at + ". 'seedbed eval " +
                                       std::to_string(loaded.lacking.front()) +
                                       (loaded.kind == ScoreKind::sampled ? " --sample" : "") +
                                       " --record' adds one; '--score training' compares training returns");
}

Result<> requireStarted(StoreReader& reader, const std::vector<RunId>& runs) {
    std::vector<RunId> queued;
    for (const RunId run : runs) {
        SEEDBED_ASSIGN(const RunRecord record, reader.run(run));
        if (record.status == RunStatus::queued) queued.push_back(run);
    }
    if (queued.empty()) return {};
    std::string who = runList(queued);
    who.front() = 'r';
    return fail(ErrorCode::config, who + (queued.size() == 1 ? " has" : " have") +
                                       " not started training yet; 'seedbed queue start' starts the queue");
}

std::optional<ScoreKind> scoreKind(const std::string& name) {
    for (const ScoreKind kind : {ScoreKind::greedy, ScoreKind::sampled, ScoreKind::training})
        if (name == scoreKindName(kind)) return kind;
    return std::nullopt;
}

// Explains why training returns are compared although some runs have evaluations, and how to change that.
std::string unevaluatedText(const LoadedScores& loaded, std::size_t runs) {
    if (loaded.kind != ScoreKind::training || loaded.unevaluated.size() == runs) return "";
    std::vector<std::string> commands;
    for (const RunId run : loaded.unevaluated)
        commands.push_back("seedbed eval " + std::to_string(run) + " --record");
    const bool one = loaded.unevaluated.size() == 1;
    return runList(loaded.unevaluated) + (one ? " has" : " have") + " no evaluation" +
           (loaded.aligned ? " at that step" : "") +
           ", so the training returns of all runs are compared. To compare evaluations of the newest "
           "parameters: " +
           join(commands, "; ") + ", then this command with --at last.";
}

std::string stepsText(const std::vector<std::int64_t>& steps) {
    std::vector<std::string> texts;
    for (const std::int64_t step : steps) texts.push_back(formatCount(step));
    return join(texts, "; ");
}

// Describes at which steps the scores were taken if the runs have trained for different numbers of steps.
std::string whenText(const LoadedScores& loaded) {
    if (loaded.common_steps.empty()) return "";
    const bool one = loaded.common_steps.size() == 1;
    const std::string steps = "step " + stepsText(loaded.common_steps);
    if (!loaded.aligned)
        return "The runs have trained for different numbers of steps. Each score is from the run's own last "
               "step; without '--at last', runs are compared at " +
               steps + ".\n";
    return "The runs have trained for different numbers of steps. Scores are from " + steps +
           ", the last one that all runs " + (one ? "" : "of a task ") +
           "have reached; '--at last' uses each run's own last step.\n";
}

}  // namespace

const char* scoreKindName(ScoreKind kind) {
    return kind == ScoreKind::greedy ? "greedy" : kind == ScoreKind::sampled ? "sampled" : "training";
}

std::string runList(const std::vector<RunId>& runs) {
    std::vector<std::string> ids;
    for (const RunId run : runs) ids.push_back(std::to_string(run));
    return (ids.size() == 1 ? "Run " : "Runs ") + join(ids, ", ");
}

void addScoreOptions(CLI::App& cli, ScoreOptions& options, const std::string& runs,
                     const std::string& figure) {
    cli.add_option("RUN", options.runs, runs)->required();
    cli.add_option("--at", options.at,
                   "Step at which to compare scores if the runs have different lengths: common, the "
                   "last step that all runs have reached, or last, each run's own last step "
                   "(default: common)")
        ->check(CLI::IsMember({"common", "last"}));
    cli.add_option("--score", options.score,
                   "Kind of score for all runs: evaluations with greedy or sampled actions, or training "
                   "episodes (default: the first of these that all runs have)")
        ->check(CLI::IsMember({"auto", "greedy", "sampled", "training"}));
    cli.add_option("--format", options.format,
                   "Format of the table: text with explanations, or only the table as csv, markdown or latex "
                   "(package booktabs) (default: text)")
        ->check(CLI::IsMember({"text", "csv", "markdown", "latex"}));
    cli.add_option("--figure", options.figure, figure)->type_name("FILE");
}

Result<LoadedScores> comparedScores(StoreReader& reader, const ScoreOptions& options,
                                    const Context& context) {
    if (!options.figure.empty() && !isSvg(options.figure) && !isPdf(options.figure))
        return fail(ErrorCode::usage, "the figure '" + options.figure + "' must end with .svg or .pdf");
    SEEDBED_ASSIGN(const std::vector<RunId> runs, resolveRuns(options.runs, context));
    SEEDBED_TRY(requireStarted(reader, runs));
    SEEDBED_ASSIGN(LoadedScores loaded,
                   loadScores(reader, runs, options.at == "last" ? ScoreAt::last_step : ScoreAt::common_step,
                              scoreKind(options.score)));
    if (!loaded.lacking.empty()) return lackingScores(loaded);
    return loaded;
}

std::string scoreNotes(const LoadedScores& loaded) {
    const std::string unevaluated = unevaluatedText(loaded, loaded.scores.size());
    return whenText(loaded) + (unevaluated.empty() ? "" : unevaluated + "\n");
}

Result<> writeFigure(const std::string& file, const VectorPicture& picture) {
    RealFileSystem files(FileAccess::umask);
    SEEDBED_ASSIGN(const auto existing, files.info(file));
    if (existing) {
        SEEDBED_ASSIGN(const std::string before, readFile(files, file));
        if (before.find(VectorPicture::kMark) == std::string::npos)
            return fail(ErrorCode::config,
                        "'" + file + "' already exists and was not written by Seedbed; choose another file");
    }
    return writeFileAtomically(files, file, isPdf(file) ? picture.pdf() : picture.svg());
}

}  // namespace seedbed::app
