// SPDX-License-Identifier: Apache-2.0
#include "core/worker/worker_restrictions.hpp"

#include <algorithm>
#include <utility>

#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"
#include "core/worker/run_program.hpp"
#include "core/worker/worker_command.hpp"
#include "core/worker/worker_folder.hpp"
#include "core/worker/worker_process.hpp"

namespace seedbed {
namespace {

constexpr std::int64_t kReportMs = 20'000;
constexpr std::size_t kReasonBytes = 500;

constexpr std::pair<const char*, const char*> kSentences[] = {
    {"network", "No network, unless the environment needs it."},
    {"read-only", "Only private folders can be written."},
    {"private folders", "Private folders are in memory, limited, and removed with the worker."},
    {"other processes", "Processes of other programs are hidden."},
    {"signals", "Signals reach no other processes."},
    {"sockets", "Sockets of other programs cannot be reached."},
    {"calls", "System calls such as ptrace and mount are refused."},
    {"privileges", "Programs cannot gain privileges."},
    {"memory", "The memory of each process is limited."},
    {"total memory", "The memory of a worker, its children and its temporary files is limited."},
    {"files", "The number of open files and the size of files are limited."},
    {"processes", "The number of processes is limited."},
    {"children", "Child processes exit with their worker."},
    {"user", "A separate user namespace makes these restrictions possible."}};

// Starts a worker for the environment `id` that only reports its restrictions.
Result<Json> reportOf(const std::string& id, const std::stop_token& stop) {
    WorkerPlan plan;
    SEEDBED_TRY(addWorkerCommand(id, plan));
    SEEDBED_ASSIGN(const WorkerFolder folder, WorkerFolder::create());
    ProgramRun run{.arguments = plan.command, .environment = plan.environment, .timeout_ms = kReportMs};
    run.arguments.insert(run.arguments.end(), {"--scratch", folder.path().string(), "--network", plan.network,
                                               "--memory", std::to_string(plan.memory), "--report"});
    SEEDBED_ASSIGN(const ProgramEnd end, runProgram(run, stop));
    const std::vector<std::string> lines = split(std::string(trimmed(end.output)), '\n');
    Json report = lines.empty() ? Json() : parseStrictJson(lines.back());
    if (!end.status.ok() || !report.is_object())
        return fail("'" + plan.command.front() + "' " + end.status.text() + " without a report" +
                    (lines.empty() ? "" : ": " + printableText(lines.back().substr(0, kReasonBytes))));
    return report;
}

// Games may use sockets, which the display and sound require.
WorkerRestriction restrictionOfGames(const std::stop_token& stop) {
    WorkerRestriction games{.id = "games",
                            .sentence = "In /run, games reach only the sockets of the display and of sound."};
    const auto report = reportOf("godot:game", stop);
    if (!report) games.reason = report.error().text();
    else
        for (const WorkerRestriction& each : restrictionsFromJson(*report))
            if (each.id == "sockets") {
                games.is_active = each.is_active;
                games.reason = each.reason;
            }
    return games;
}

}  // namespace

std::vector<WorkerRestriction> restrictionsFromJson(const Json& report) {
    const Json active = report.value("active", Json::array()),
               missing = report.value("missing", Json::object());
    std::vector<WorkerRestriction> list;
    for (const auto& [id, sentence] : kSentences) {
        WorkerRestriction restriction{.id = id, .sentence = sentence};
        restriction.is_active =
            active.is_array() && std::find(active.begin(), active.end(), Json(id)) != active.end();
        const auto reason = missing.is_object() ? missing.find(id) : missing.end();
        if (!restriction.is_active)
            restriction.reason = missing.is_object() && reason != missing.end() && reason->is_string()
                                     ? printableText(reason->get<std::string>().substr(0, kReasonBytes))
                                     : "the worker did not report it";
        list.push_back(std::move(restriction));
    }
    return list;
}

Result<std::vector<WorkerRestriction>> workerRestrictions(const std::stop_token& stop) {
    SEEDBED_ASSIGN(const Json report, reportOf("gym:CartPole-v1", stop));
    std::vector<WorkerRestriction> list = restrictionsFromJson(report);
    list.push_back(restrictionOfGames(stop));
    return list;
}

}  // namespace seedbed
