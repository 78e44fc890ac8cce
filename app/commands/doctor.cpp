// SPDX-License-Identifier: Apache-2.0
// seedbed doctor: checks this machine and the numerical results of its engines, or diagnoses a run.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/command.hpp"
#include "app/commands/bench/nets.hpp"
#include "app/commands/engine_check.hpp"
#include "app/commands/run_findings.hpp"
#include "app/interrupt.hpp"
#include "core/base/os/files.hpp"
#include "core/base/os/memory.hpp"
#include "core/base/simd.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/nn/engines/check/parity.hpp"
#include "core/session/auto_choice.hpp"
#include "core/session/engine_choice.hpp"
#include "core/store/store_reader.hpp"
#include "core/worker/worker_restrictions.hpp"

namespace seedbed::app {
namespace {

Json engineReport(const std::string& id, bool& failed) {
    Json json{{"id", id},
              {"available", false},
              {"devices", Json::array()},
              {"parity", Json()},
              {"reason", ""},
              {"unusable", unusableDevices(id)},
              {"checks", Json::array()}};
    const auto devices = engineDevices(id);
    if (!devices) {
        json["reason"] = devices.error().text();
        return json;
    }
    json["available"] = true;
    for (const EngineDevice& device : *devices) json["devices"].push_back(device.text);
    ParityReport worst;
    std::vector<std::string> wrong;
    for (const EngineDevice& device : *devices) {
        const auto parity = checkEngine(id, device.id);
        Json check{{"device", device.id}, {"description", device.text}, {"error", Json()}};
        if (parity) {
            worst.include(*parity);
            check.update({{"forward_error", parity->forward}, {"gradient_error", parity->gradient}});
        } else {
            wrong.push_back(device.id + ": " + parity.error().text());
            check["error"] = parity.error().text();
        }
        json["checks"].push_back(std::move(check));
    }
    json["reason"] = join(wrong, "; ");
    json["parity"] = {{"ok", wrong.empty()}};
    if (wrong.empty())
        json["parity"].update({{"forward_error", worst.forward}, {"gradient_error", worst.gradient}});
    failed = failed || !wrong.empty();
    return json;
}

// Reports what run.inference=auto chooses on this machine for 64 environments, in both schedules.
Result<Json> inferenceReport() {
    Json json = Json::object();
    for (const char* schedule : {"sync", "async"}) {
        SEEDBED_ASSIGN(const TrainingConfig config, parseTrainingConfig({{"env", {{"id", "cartpole"}}},
                                                                         {"network", {{"hidden", {64, 64}}}},
                                                                         {"actor", {{"num_envs", 64}}},
                                                                         {"run", {{"schedule", schedule}}}}));
        SEEDBED_ASSIGN(SessionPlan plan, Session::plan(config));
        RealFileSystem files;
        SEEDBED_TRY(resolveAuto(plan, files, {}));
        json[schedule] = plan.auto_choice;
        json[schedule]["engine"] = plan.engine.id;
    }
    return json;
}

// The processor's marketing name, from /proc/cpuinfo; "" if unknown.
std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return {};
}

// Lists the values of run.device: {"id", "name", "engine", "free_bytes" or null}.
Json deviceReport(const Json& engines, const MemoryInfo& memory) {
    Json devices = Json::array(
        {{{"id", "cpu"}, {"name", "CPU"}, {"engine", "native"}, {"free_bytes", memory.available_bytes}}});
    for (const Json& engine : engines) {
        for (const Json& device : engine["devices"]) {
            const std::string text = device.get<std::string>();
            const std::string id = text.substr(0, text.find(' '));
            if (!id.starts_with("cuda") && !id.starts_with("vulkan:")) continue;
            devices.push_back({{"id", id}, {"name", text}, {"engine", engine["id"]}, {"free_bytes", Json()}});
        }
    }
    return devices;
}

// Reports the free space of the disk that contains the data folder, which may not exist yet.
Json diskReport(const std::filesystem::path& folder) {
    std::filesystem::path existing = std::filesystem::absolute(folder);
    while (!std::filesystem::exists(existing) && existing.has_relative_path())
        existing = existing.parent_path();
    RealFileSystem files;
    const auto free = files.freeBytes(existing);
    return {{"folder", folder.string()},
            {"exists", std::filesystem::exists(folder)},
            {"free_bytes", free ? Json(*free) : Json()}};
}

// Reports which engine run.engine=auto chooses on the CPU for each kind of network, and why.
Result<Json> autoEngineReport() {
    Json report = Json::object();
    for (const std::string& id : benchNetIds()) {
        SEEDBED_ASSIGN(const BenchNet net, benchNet(id));
        SEEDBED_ASSIGN(const EngineChoice choice, chooseEngine("auto", "cpu"));
        report[id] = {{"engine", choice.id}, {"why", choice.why}, {"network", net.summary}};
    }
    return report;
}

// Prints one line per engine and reason, with the networks.
void printAutoEngines(const Json& report) {
    std::vector<std::pair<std::string, std::string>> lines;
    for (const auto& [id, choice] : report.items()) {
        const std::string key =
            choice["engine"].get<std::string>() + " (" + choice["why"].get<std::string>() + ")";
        const auto line =
            std::find_if(lines.begin(), lines.end(), [&](const auto& known) { return known.first == key; });
        if (line == lines.end()) lines.emplace_back(key, id);
        else line->second += ", " + id;
    }
    for (const auto& [key, ids] : lines) std::printf("auto      engine %s: %s\n", key.c_str(), ids.c_str());
}

// Reports how the processes of Python environments are restricted. "error" is set if, for example, Python is
// missing.
Json workerReport() {
    Json report{{"restrictions", Json::array()}, {"error", Json()}};
    const auto restrictions = workerRestrictions();
    if (!restrictions) report["error"] = restrictions.error().text();
    else
        for (const WorkerRestriction& each : *restrictions)
            report["restrictions"].push_back({{"id", each.id},
                                              {"sentence", each.sentence},
                                              {"active", each.is_active},
                                              {"reason", each.reason}});
    return report;
}

void printWorkers(const Json& report) {
    if (report["error"].is_string())
        std::printf("workers   cannot be started: %s\n", report["error"].get<std::string>().c_str());
    std::size_t width = 0;
    for (const Json& each : report["restrictions"])
        width = std::max(width, each["id"].get_ref<const std::string&>().size());
    for (const Json& each : report["restrictions"])
        std::printf(
            "workers   %-*s  %s%s%s\n", static_cast<int>(width), each["id"].get<std::string>().c_str(),
            each["active"].get<bool>() ? "" : "NOT ACTIVE: ", each["sentence"].get<std::string>().c_str(),
            each["active"].get<bool>() ? "" : (" (" + each["reason"].get<std::string>() + ")").c_str());
}

Result<int> showWorkers(const Context& context) {
    const Json report = workerReport();
    if (context.json) printJson(report);
    else printWorkers(report);
    return report["error"].is_null() ? kOk : exitCode(ErrorCode::failure);
}

void printEngine(const Json& engine) {
    const std::string id = engine["id"];
    if (!engine["available"].get<bool>()) {
        std::printf("engine    %s: not available; %s\n", id.c_str(),
                    engine["reason"].get<std::string>().c_str());
        return;
    }
    std::string devices;
    for (const Json& device : engine["devices"])
        devices += (devices.empty() ? "" : ", ") + device.get<std::string>();
    if (engine["parity"]["ok"].get<bool>())
        std::printf("engine    %s on %s; error against double precision: %.1e forward, %.1e in gradients\n",
                    id.c_str(), devices.c_str(), engine["parity"]["forward_error"].get<double>(),
                    engine["parity"]["gradient_error"].get<double>());
    else
        std::printf("engine    %s on %s; WRONG RESULTS: %s\n", id.c_str(), devices.c_str(),
                    engine["reason"].get<std::string>().c_str());
    for (const Json& device : engine["unusable"])
        std::printf("engine    %s cannot use %s\n", id.c_str(), device.get<std::string>().c_str());
}

void printMachine(const Json& report) {
    const Json &memory = report["memory"], &disk = report["disk"];
    const Json& free = disk["free_bytes"];
    std::printf("seedbed   %s, compiled with gcc %s\n", kVersion, __VERSION__);
    const std::string processor = report["processor"];
    std::printf("cores     %d%s%s, instruction set %s\n", report["cores"].get<int>(),
                processor.empty() ? "" : " of ", processor.c_str(),
                report["instruction_set"].get<std::string>().c_str());
    std::printf("memory    %s available of %s%s\n",
                formatBytes(memory["available_bytes"].get<std::uint64_t>()).c_str(),
                formatBytes(memory["total_bytes"].get<std::uint64_t>()).c_str(),
                memory["limited"].get<bool>() ? " (limited by a cgroup)" : "");
    std::printf("data      %s%s, %s free\n", disk["folder"].get<std::string>().c_str(),
                disk["exists"].get<bool>() ? "" : " (does not exist yet)",
                free.is_null() ? "an unknown amount" : formatBytes(free.get<std::uint64_t>()).c_str());
    printWorkers(report["workers"]);
    for (const Json& engine : report["engines"]) printEngine(engine);
    printAutoEngines(report["auto_engine"]);
    const Json& inference = report["auto_inference"];
    for (const char* schedule : {"sync", "async"})
        std::printf("auto      inference for 64 x CartPole, %s, engine %s: %s\n", schedule,
                    inference[schedule]["engine"].get<std::string>().c_str(),
                    inference[schedule]["why"].get<std::string>().c_str());
}

Result<int> doctor(const Context& context) {
    const Interrupt interrupt(stoppingText(context.quiet));
    const std::stop_token stop = interrupt.token();
    bool failed = false;
    Json engines = Json::array();
    for (const std::string& id : engineRegistry().ids()) {
        engines.push_back(engineReport(id, failed));
        if (stop.stop_requested()) return kInterrupted;
    }
    SEEDBED_ASSIGN(const MemoryInfo memory, readMemory());
    SEEDBED_ASSIGN(const Json inference, inferenceReport());
    if (stop.stop_requested()) return kInterrupted;
    SEEDBED_ASSIGN(const Json auto_engine, autoEngineReport());
    if (stop.stop_requested()) return kInterrupted;
    const Json report{{"version", kVersion},
                      {"compiler", __VERSION__},
                      {"processor", processorName()},
                      {"cores", threadCount(0)},
                      {"instruction_set", nameOf(activeIsa())},
                      {"memory",
                       {{"total_bytes", memory.total_bytes},
                        {"available_bytes", memory.available_bytes},
                        {"limited", memory.limited}}},
                      {"disk", diskReport(context.data_folder)},
                      {"workers", workerReport()},
                      {"devices", deviceReport(engines, memory)},
                      {"engines", engines},
                      {"auto_engine", auto_engine},
                      {"auto_inference", inference}};
    if (stop.stop_requested()) return kInterrupted;
    if (context.json) printJson(report);
    else printMachine(report);
    return failed ? exitCode(ErrorCode::parity) : kOk;
}

SEEDBED_REGISTER_COMMAND(
    doctor, {.id = "doctor",
             .summary = "Check this machine and its engines, or diagnose the training of a run",
             .examples = {"seedbed doctor", "seedbed doctor 3", "seedbed doctor --json"},
             .define = [](CLI::App& cli) -> Action {
                 auto run = std::make_shared<std::string>();
                 auto only_workers = std::make_shared<bool>(false);
                 CLI::Option* name =
                     cli.add_option("RUN", *run,
                                    "Id or name of a run to diagnose (default: check this machine)")
                         ->check(notEmpty());
                 cli.add_flag("--workers", *only_workers,
                              "Only show how the processes of Python environments are restricted")
                     ->excludes(name);
                 return [run, only_workers](const Context& context) {
                     if (*only_workers) return showWorkers(context);
                     return run->empty() ? doctor(context) : diagnoseRun(*run, context);
                 };
             }});

}  // namespace
}  // namespace seedbed::app
