// SPDX-License-Identifier: Apache-2.0
#include "core/export/prove.hpp"

#include <algorithm>

#include "core/base/describe.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"

namespace seedbed {

namespace {

struct OpenedExecutor {
    std::unique_ptr<Executor> executor;
    std::vector<std::string> passed_over;
    std::string not_proven;
};

bool hasExecutor(const ExportTarget& target, const std::string& executor) {
    return std::any_of(target.executors.begin(), target.executors.end(),
                       [&](const ExecutorEntry& entry) { return entry.id == executor; });
}

Result<OpenedExecutor> openExecutor(const ProofRequest& request, const ProofTarget& form) {
    const ExportTarget& target = *form.target;
    ExecutorRequest wanted{request.model,  request.options,  form.files,
                           request.python, request.compiler, request.parity.stop};
    wanted.files.insert(wanted.files.end(), request.bundle.begin(), request.bundle.end());
    // Targets that support the requested executor use it; other targets use their best available executor.
    const bool chosen = hasExecutor(target, request.executor);
    OpenedExecutor opened;
    for (const ExecutorEntry& entry : target.executors) {
        if (chosen && entry.id != request.executor) continue;
        if (form.foreign && entry.needs_trust) {
            opened.passed_over.push_back(entry.id +
                                         ": this version of Seedbed writes the file differently; if you "
                                         "trust the author of the folder, use --trust");
            continue;
        }
        auto executor = entry.open(wanted);
        if (executor) {
            opened.executor = std::move(*executor);
            opened.not_proven = entry.not_proven;
            return opened;
        }
        if (executor.error().code == ErrorCode::interrupted) return tl::unexpected<Error>(executor.error());
        // The files ran and are wrong; a weaker executor must not hide it.
        if (executor.error().code == ErrorCode::parity) return tl::unexpected<Error>(executor.error());
        // If the user requested Python, it is not replaced by another executor.
        if (entry.needs_python && !request.python.empty())
            return fail("the target '" + target.id + "' cannot be verified by " + entry.id +
                        " with the Python '" + request.python + "': " + executor.error().message);
        opened.passed_over.push_back(entry.id + ": " + executor.error().message);
    }
    return fail("the target '" + target.id +
                "' cannot be verified here, and nothing is exported without verification: " +
                join(opened.passed_over, "; "));
}

}  // namespace

Result<Json> prove(const ProofRequest& request, const GoldenVectors& golden, Executor& trainer,
                   std::vector<std::string>& notices) {
    std::vector<std::string> names;
    bool known = request.executor.empty();
    for (const ProofTarget& form : request.targets) {
        known |= hasExecutor(*form.target, request.executor);
        for (const ExecutorEntry& entry : form.target->executors) names.push_back(entry.id);
    }
    if (!known)
        return fail(
            ErrorCode::config,
            "'" + request.executor + "' cannot run these targets; available executors: " + join(names, ", "));
    Json reports = Json::array();
    for (const ProofTarget& form : request.targets) {
        const ExportTarget* target = form.target;
        SEEDBED_ASSIGN(OpenedExecutor opened, openExecutor(request, form));
        if (!request.executor.empty() && !hasExecutor(*target, request.executor))
            notices.push_back("the target '" + target->id + "' was verified with " + opened.executor->id() +
                              ", because " + request.executor + " cannot run it");
        for (const std::string& reason : opened.passed_over) {
            const auto colon = reason.find(": ");  // "onnxruntime: the reason"
            notices.push_back("the target '" + target->id + "' was verified with " + opened.executor->id() +
                              "; " + reason.substr(0, colon) +
                              " could not be used: " + reason.substr(colon + 2));
        }
        auto report = checkParity(request.model, golden, trainer, *opened.executor, request.parity);
        if (!report)
            return tl::unexpected<Error>(std::move(report).error().withContext(
                "running the target '" + target->id + "' with " + opened.executor->id()));
        report->target = target->id;
        report->passed_over = opened.passed_over;
        if (const std::string failure = report->failure(); !failure.empty())
            return fail(ErrorCode::parity, "the target '" + target->id + "' run by " + opened.executor->id() +
                                               " does not match the trained policy: " + failure);
        if (!report->no_closed_loop.empty())
            notices.push_back("no episodes were compared: " + report->no_closed_loop);
        if (const auto& loop = report->closed_loop;
            loop && request.parity.episodes >= kProvenEpisodes && !loop->complete())
            notices.push_back("the verification of '" + target->id + "' is partial: " +
                              (loop->compared == 0 ? "no decision was clear enough to be compared"
                                                   : "only " + std::to_string(loop->episodes) + " of " +
                                                         std::to_string(loop->episodes + loop->cut) +
                                                         " episodes ended within their time limit"));
        reports.push_back(toJson(*report));
        reports.back()["not_proven"] = opened.not_proven.empty() ? Json() : Json(opened.not_proven);
        if (!opened.not_proven.empty())
            notices.push_back("target '" + target->id + "': " + opened.not_proven);
    }
    return Json{{"format", "seedbed-parity"},
                {"version", 1},
                {"seedbed", kVersion},
                {"trainer", {{"engine", trainer.id()}, {"weights_sha256", request.model.params().sha256()}}},
                {"tolerance", kParityTolerance},
                {"golden",
                 {{"ordinary_rows", kOrdinaryRows},
                  {"extreme_rows", kExtremeRows},
                  {"sequence_steps", golden.sequence.rows}}},
                {"targets", reports}};
}

}  // namespace seedbed
