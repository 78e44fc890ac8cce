// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_control.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include "core/base/describe.hpp"
#include "core/base/log.hpp"
#include "core/base/mutex.hpp"
#include "core/base/os/files.hpp"
#include "core/base/os/processes.hpp"
#include "core/base/text.hpp"
#include "core/control/protocol.hpp"
#include "core/store/run_lock.hpp"

namespace seedbed {
namespace {

// Removes sockets of runs whose locks are free, which means that their processes have exited.
void removeDeadSockets(FileSystem& files, const std::filesystem::path& data_folder) {
    const auto listed = files.list(controlFolder(data_folder));
    if (!listed) return;
    for (const FileInfo& entry : *listed) {
        std::string_view name = entry.name;
        if (!name.starts_with("run-") || !name.ends_with(".sock")) continue;
        name.remove_prefix(4);
        name.remove_suffix(5);
        const auto run = parseInteger(name);
        if (run && !RunLock::isHeld(data_folder, *run))
            (void)files.remove(controlFolder(data_folder) / entry.name);
    }
}

}  // namespace

bool mayFollow(RunStatus before, RunStatus after) {
    using S = RunStatus;
    if (before == after) return true;
    switch (after) {
        case S::queued: return false;
        case S::starting: return !isLive(before);
        case S::running: return before == S::starting || before == S::paused;
        case S::paused: return before == S::running;
        case S::stopping: return isLive(before);
        case S::finished:
        case S::interrupted: return before == S::running || before == S::paused || before == S::stopping;
        case S::failed: return isLive(before);
    }
    return false;
}

Result<> RunControl::open(RunId run, const TrainingConfig& config, std::unique_ptr<Publication> publication) {
    publication_ = std::move(publication);
    setConfig(config);
    SEEDBED_TRY(makeFolders(files_, controlFolder(data_folder_)));
    removeDeadSockets(files_, data_folder_);
    SEEDBED_ASSIGN(server_,
                   ControlServer::start(
                       controlSocket(data_folder_, run),
                       {{"kind", "run"},
                        {"run", run},
                        {"pid", ::getpid()},
                        {"env", config.env_id},
                        {"algo", config.algo_id}},
                       [this](const std::string& verb, const Json& request) { return handle(verb, request); },
                       publication_.get()));
    return {};
}

Result<Json> RunControl::handle(const std::string& verb, const Json& request) {
    if (verb == "set") return set(request);
    if (verb == "priority") {
        const Json nice = request.value("nice", Json());
        // Checks the range before narrowing, which would turn 4,294,967,300 into 4.
        if (!nice.is_number_integer() || nice < 0 || nice > 19)
            return fail(ErrorCode::usage, "nice must be an integer from 0 to 19");
        SEEDBED_TRY(setNiceness(nice.get<int>()));
        return Json{{"nice", nice}};
    }
    const MutexLock lock(mutex_);
    if (verb == "pause") pause_ = true;
    else if (verb == "resume") {
        pause_ = false;
        if (neighbours_.decision().action == NeighbourAction::pause) neighbours_.trainAnyway();
    } else if (verb == "checkpoint") requests_.checkpoint = true;
    else if (verb == "stop") stop_requested_ = true;
    else
        return fail(ErrorCode::usage,
                    "unknown request '" + verb + "'" +
                        suggestion(verb, {"status", "watch", "pause", "resume", "checkpoint", "stop", "set",
                                          "priority", "follow"}));
    changed_.notifyAll();
    if (verb == "stop") stop_.request_stop();
    return Json::object();
}

Result<Json> RunControl::set(const Json& request) {
    const Json settings = request.value("settings", Json());
    if (!settings.is_object() || settings.empty())
        return fail(
            ErrorCode::usage,
            "settings must be an object of keys and values, such as {\"algo.learning_rate\": 0.0001}");
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [key, value] : settings.items())
        pairs.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    const MutexLock lock(mutex_);
    Json after = document_;
    for (const auto& [key, text] : pairs) SEEDBED_TRY(runConfigSchema().set(after, key, text));
    SEEDBED_TRY(runConfigSchema().checkLiveChanges(document_, after));
    SEEDBED_ASSIGN(TrainingConfig config, parseTrainingConfig(after));
    const Json changes = difference(document_, config.document);
    document_ = std::move(config.document);
    requests_.settings.insert(requests_.settings.end(), pairs.begin(), pairs.end());
    changed_.notifyAll();
    return Json{{"changes", changes}};
}

RunControl::Requests RunControl::takeRequests() {
    const MutexLock lock(mutex_);
    return std::exchange(requests_, Requests{});
}

void RunControl::setConfig(const TrainingConfig& config) {
    const MutexLock lock(mutex_);
    document_ = config.document;
    // Keeps requests that have not been applied yet.
    for (const auto& [key, text] : requests_.settings)
        if (auto set = runConfigSchema().set(document_, key, text); !set)
            log::debug("a requested setting is no longer valid", {{"key", key}});
}

void RunControl::setNeighbours(const NeighbourReadings& readings, const NeighbourRules& rules,
                               std::string problem) {
    const MutexLock lock(mutex_);
    neighbours_.update(neighbourFindings(readings, rules, neighbours_.findings()));
    rules_problem_ = std::move(problem);
    changed_.notifyAll();
}

RunControl::Hold RunControl::hold() const {
    const MutexLock lock(mutex_);
    return holdNow();
}

// A client's pause hides that of a rule, which does not end it.
RunControl::Hold RunControl::holdNow() const {
    Hold hold{.pause = pause_, .problem = rules_problem_};
    NeighbourDecision decision = neighbours_.decision();
    hold.low_priority = neighbours_.lowPriority();
    if (decision.action == NeighbourAction::pause && !pause_) {
        hold.pause = true;
        hold.reason = std::move(decision.text);
    }
    return hold;
}

bool RunControl::stopRequested() const {
    const MutexLock lock(mutex_);
    return stop_requested_;
}

void RunControl::waitWhilePaused(const std::string& reason, const std::stop_token& stop,
                                 std::optional<std::chrono::milliseconds> timeout) {
    MutexLock lock(mutex_);
    const auto over = [&]() SEEDBED_REQUIRES(mutex_) {
        const Hold hold = holdNow();
        return !hold.pause || hold.reason != reason || requests_.checkpoint || !requests_.settings.empty();
    };
    if (timeout) changed_.waitFor(lock, stop, *timeout, over);
    else changed_.wait(lock, stop, over);
}

void RunControl::publishStatus(Json status) {
    if (server_) server_->publish(std::move(status));
}

void RunControl::sendEvent(Json event) {
    if (server_) server_->sendEvent(std::move(event));
}

Result<> setNiceness(int nice) {
    if (nice < 0 || nice > 19)
        return fail(ErrorCode::config, "nice must be from 0 (normal) to 19 (lowest priority)");
    RealFileSystem files;
    std::vector<int> processes = descendantsOf(::getpid());
    processes.push_back(::getpid());
    // On Linux each thread has its own niceness.
    for (const int process : processes) {
        const auto threads = files.list("/proc/" + std::to_string(process) + "/task");
        if (!threads) continue;  // it has ended
        for (const FileInfo& thread : *threads) {
            const auto id = parseInteger(thread.name);
            if (!id || ::setpriority(PRIO_PROCESS, static_cast<id_t>(*id), nice) == 0 || errno == ESRCH)
                continue;
            if (errno == EACCES || errno == EPERM)
                return fail(ErrorCode::config,
                            "lowering the priority needs no privileges; raising it again does");
            return tl::unexpected<Error>(systemError(errno, "changing the priority"));
        }
    }
    return {};
}

}  // namespace seedbed
