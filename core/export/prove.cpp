// SPDX-License-Identifier: Apache-2.0
// Picks the executor of each target and puts the reports together.
#include "core/export/prove.hpp"

#include "core/base/describe.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"

namespace seedbed {

namespace {

struct OpenedExecutor {
    std::unique_ptr<Executor> executor;
    std::vector<std::string> passed_over;
};

Result<OpenedExecutor> openExecutor(const ProofRequest& request, const ExportTarget& target) {
    const ExecutorRequest wanted{request.model, request.options, request.folder, request.python, request.compiler};
    OpenedExecutor opened;
    bool known = false;
    for (const ExecutorEntry& entry : target.executors) {
        if (!request.executor.empty() && entry.id != request.executor) continue;
        known = true;
        auto executor = entry.open(wanted);
        if (executor) {
            opened.executor = std::move(*executor);
            return opened;
        }
        opened.passed_over.push_back(entry.id + ": " + executor.error().message);
    }
    std::vector<std::string> names;
    for (const ExecutorEntry& entry : target.executors) names.push_back(entry.id);
    if (!known)
        return fail(ErrorCode::config,
                    "'" + request.executor + "' cannot run the form '" + target.id + "'; what can is " + join(names, ", "));
    return fail("the form '" + target.id +
                "' cannot be checked here, and nothing is exported without proof: " + join(opened.passed_over, "; "));
}

}  // namespace

Result<Json> prove(const ProofRequest& request, const GoldenVectors& golden, Executor& trainer, std::vector<std::string>& notices) {
    Json reports = Json::array();
    for (const ExportTarget* target : request.targets) {
        SEEDBED_ASSIGN(OpenedExecutor opened, openExecutor(request, *target));
        for (const std::string& reason : opened.passed_over)
            notices.push_back("the proof of '" + target->id + "' was made by " + opened.executor->id() + ", because " + reason);
        auto report = checkParity(request.model, golden, trainer, *opened.executor, request.parity);
        if (!report)
            return tl::unexpected<Error>(
                std::move(report).error().while_("running the form '" + target->id + "' with " + opened.executor->id()));
        report->target = target->id, report->passed_over = opened.passed_over;
        if (const std::string failure = report->failure(); !failure.empty())
            return fail(ErrorCode::parity,
                        "the form '" + target->id + "' run by " + opened.executor->id() + " is not the trained policy: " + failure);
        if (!report->no_closed_loop.empty()) notices.push_back("no episodes were compared: " + report->no_closed_loop);
        reports.push_back(toJson(*report));
    }
    return Json{{"format", "seedbed-parity"},
                {"version", 1},
                {"seedbed", kVersion},
                {"trainer", {{"engine", trainer.id()}, {"weights_sha256", request.model.params().sha256()}}},
                {"tolerance", kParityTolerance},
                {"golden", {{"ordinary_rows", kOrdinaryRows}, {"extreme_rows", kExtremeRows}, {"sequence_steps", golden.sequence.rows}}},
                {"targets", reports}};
}

}  // namespace seedbed
