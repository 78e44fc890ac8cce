// SPDX-License-Identifier: Apache-2.0
// Registers the environments that run in worker processes: gym:CartPole-v1, gym:./file.py:Class and others.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/mutex.hpp"
#include "core/base/os/paths.hpp"
#include "core/base/text.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/joined_batch.hpp"
#include "core/env/several_agents/central_critic.hpp"
#include "core/worker/worker_batch.hpp"
#include "core/worker/worker_command.hpp"

namespace seedbed {
namespace {

struct WorkerSettings {
    int processes = 1;
    double start_s = 60;
    double step_s = 30;
    int memory_mb = 0;
    std::string network = "none";

    static const Description<WorkerSettings>& describe() {
        static const auto description =
            Description<WorkerSettings>("worker", "The processes that run the environments.")
                .field(&WorkerSettings::processes, "processes",
                       "Processes that share the environments of a group.", {.min = 1, .max = 256})
                .field(&WorkerSettings::start_s, "start_s",
                       "A process whose environments are not created within this time is terminated and "
                       "restarted.",
                       {.unit = "s", .min = 0.1, .max = 3600})
                .field(&WorkerSettings::step_s, "step_s",
                       "A process that does not return from a step of its environments within this time is "
                       "terminated and restarted. While it creates failed environments again, it may "
                       "take start_s longer.",
                       {.unit = "s", .min = 0.01, .max = 3600})
                .field(&WorkerSettings::memory_mb, "memory_mb",
                       "Memory of each process with its children. 0: half of the machine's memory, shared by "
                       "the processes of a group, but at least 2 GiB; several groups and evaluations may use "
                       "several times as much.",
                       {.unit = "MiB", .min = 0, .max = 1 << 24})
                .field(&WorkerSettings::network, "network",
                       "Network access of environments whose id contains no address. none: no access; "
                       "loopback: a private loopback network, for programs that they start.",
                       {.choices = {"none", "loopback"}});
        return description;
    }
};

// The parameters of every external environment; its other parameters are the constructor's arguments.
struct WorkerEnvParams {
    WrapperParams wrap;
    WorkerSettings worker;

    static const Description<WorkerEnvParams>& describe() {
        static const auto description =
            Description<WorkerEnvParams>("env",
                                         "An environment of another program, in processes that can "
                                         "fail without harming the run.")
                .section(&WorkerEnvParams::wrap, "wrap", "Modifications of the task.")
                .section(&WorkerEnvParams::worker, "worker", "The processes that run the environments.");
        return description;
    }
};

const Schema& workerSchema() {
    static const Schema schema = [] {
        Schema open = WorkerEnvParams::describe().schema();
        open.open = true;
        return open;
    }();
    return schema;
}

// An external environment.
struct WorkerEnvId {
    std::string id;
    std::filesystem::path file{};  // the file that defines it; empty if it is defined by a package
};

// A text that changes when the file in the id, or a file that the worker has named, changes.
std::string versionOf(const WorkerEnvId& env, const std::vector<EnvFile>& named) {
    std::string version;
    const auto add = [&](const std::filesystem::path& file) {
        std::error_code error;
        const auto time = std::filesystem::last_write_time(file, error).time_since_epoch().count();
        version +=
            std::to_string(time) + " " + std::to_string(std::filesystem::file_size(file, error)) + "\n";
    };
    if (!env.file.empty()) add(env.file);
    for (const EnvFile& file : named) add(file.path);
    return version;
}

Result<std::pair<WorkerPlan, WorkerEnvParams>> planOf(const WorkerEnvId& env, const Json& params, int count) {
    SEEDBED_ASSIGN(Json complete, workerSchema().complete(params, "env"));
    WorkerEnvParams settings = WorkerEnvParams::describe().read(complete);
    const WrapperParams& wrap = settings.wrap;
    if (wrap.step_ms > 0) return fail(ErrorCode::config, "env.wrap.step_ms is for built-in environments");
    complete.erase("wrap");
    complete.erase("worker");
    WorkerPlan plan;
    SEEDBED_TRY(addWorkerCommand(env.id, plan));
    plan.id = env.id;
    plan.kwargs = std::move(complete);
    if (wrap.sticky_actions > 0 || wrap.action_repeat > 1 || wrap.noop_starts > 0)
        plan.wrap = Json{{"sticky_actions", wrap.sticky_actions},
                         {"action_repeat", wrap.action_repeat},
                         {"noop_starts", wrap.noop_starts}};
    plan.time_limit = wrap.time_limit;
    const WorkerSettings& worker = settings.worker;
    if (plan.network == "none") plan.network = worker.network;
    SEEDBED_ASSIGN(plan.memory, defaultWorkerMemory(worker.processes));
    if (worker.memory_mb > 0) plan.memory = static_cast<std::uint64_t>(worker.memory_mb) << 20;
    plan.count = count;
    plan.keep = true;
    plan.start_s = settings.worker.start_s;
    plan.step_s = settings.worker.step_s;
    return std::pair{std::move(plan), std::move(settings)};
}

// Extends the error with the name of a program that cannot be a worker, and states that the user chose it
// with SEEDBED_PYTHON, or how to install Python.
Error namingPython(Error error, const WorkerPlan& plan) {
    const auto chosen = processEnvironment()("SEEDBED_PYTHON");
    if (error.code == ErrorCode::failure && chosen && plan.command.front() == *chosen)
        error.message = "SEEDBED_PYTHON is '" + *chosen + "': " + error.message;
    else if (error.message.starts_with("starting 'python3' failed"))
        error.message += "; install Python 3 with NumPy (on Debian: apt install python3-numpy)";
    return error;
}

// The answer of a worker. Its mutex is held while the worker starts.
class WorkerAnswer {
public:
    Result<EnvSpec> spec(const WorkerEnvId& env, const WorkerPlan& plan) {
        const MutexLock lock(mutex_);
        if (!spec_ || versionOf(env, spec_->files) != version_) {
            spec_.reset();
            const std::string before = versionOf(env, {});
            const auto worker = WorkerProcess::start(plan);
            if (!worker) return tl::unexpected<Error>(namingPython(worker.error(), plan));
            spec_ = (*worker)->spec().env;
            if (spec_->title.empty()) spec_->title = plan.id;
            version_ = versionOf(env, {}) == before ? versionOf(env, spec_->files) : "changed";
        }
        return *spec_;
    }

private:
    Mutex mutex_;
    std::optional<EnvSpec> spec_ SEEDBED_GUARDED_BY(mutex_);
    std::string version_ SEEDBED_GUARDED_BY(mutex_);  // version of its files
};

// Queries a worker for the spec, once per process, set of parameters and version of the environment's files.
Result<EnvSpec> specOf(const WorkerEnvId& env, const Json& params) {
    SEEDBED_ASSIGN(auto plan, planOf(env, params, 1));
    static Mutex mutex;
    static std::map<std::string, WorkerAnswer> answers;
    const WorkerPlan& first = plan.first;
    const std::string key = Json{first.id, first.kwargs, first.wrap, first.time_limit}.dump();
    const auto answerOf = [&]() -> WorkerAnswer& {
        const MutexLock lock(mutex);
        return answers[key];
    };
    SEEDBED_ASSIGN(const EnvSpec spec, answerOf().spec(env, plan.first));
    SEEDBED_TRY(checkWrappers(spec, plan.second.wrap));
    return wrapSpec(spec, plan.second.wrap);
}

Result<std::unique_ptr<EnvBatch>> makeBatch(const WorkerEnvId& env, const Json& params, int first,
                                            int count) {
    SEEDBED_ASSIGN(EnvSpec spec, specOf(env, params));
    SEEDBED_ASSIGN(auto plan, planOf(env, params, count));
    spec.spaces = withoutCriticOnly(std::move(spec.spaces));  // added below
    plan.first.version = versionOf(env, spec.files);
    const int processes = std::min(plan.second.worker.processes, count);
    plan.first.waits = processes == 1;  // only a single process waits
    plan.first.processes = processes;
    std::vector<std::unique_ptr<EnvBatch>> parts;
    for (int part = 0; part < processes; ++part) {
        const int begin = count * part / processes;
        plan.first.first = spec.tasks.size() > 1 ? first + begin : begin;
        plan.first.count = count * (part + 1) / processes - begin;
        SEEDBED_ASSIGN(auto batch, WorkerBatch::create(plan.first, spec));
        parts.push_back(std::move(batch));
    }
    std::unique_ptr<EnvBatch> batch =
        processes == 1 ? std::move(parts.front()) : std::make_unique<JoinedBatch>(std::move(parts));
    return plan.second.wrap.central_critic ? withCentralCritic(std::move(batch)) : std::move(batch);
}

EnvEntry entryOf(const std::string& id, const std::filesystem::path& file = {}) {
    const WorkerEnvId env{id, file};
    EnvEntry entry;
    entry.id = id;
    entry.params = &workerSchema();
    entry.spec = [env](const Json& params) { return specOf(env, params); };
    entry.make = [env](const Json& params, int count) { return makeBatch(env, params, 0, count); };
    entry.makeFrom = [env](const Json& params, int first, int count) {
        return makeBatch(env, params, first, count);
    };
    return entry;
}

// Ids contain absolute paths, so that a run can be resumed from any folder.
Result<std::string> absolutePath(const std::string& file) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::weakly_canonical(file, error);
    if (error || !std::filesystem::is_regular_file(path, error))
        return fail(ErrorCode::config, "there is no file '" + file + "'; put it there, or correct the path");
    return path.string();
}

// The file of a module in the current folder or in a folder of PYTHONPATH; workers start in another folder,
// and the Python of a pack ignores PYTHONPATH. "": it is installed, or does not exist.
std::string fileOfModule(std::string module) {
    std::ranges::replace(module, '.', '/');
    std::vector<std::string> folders = split(processEnvironment()("PYTHONPATH").value_or(""), ':');
    folders.insert(folders.begin(), ".");
    for (const std::string& folder : folders) {
        if (folder.empty() || folder.find("-packages") != std::string::npos) continue;
        for (const char* ending : {"/__init__.py", ".py"}) {
            const std::filesystem::path file = std::filesystem::path(folder) / (module + ending);
            std::error_code error;
            if (std::filesystem::is_regular_file(file, error)) return file.string();
        }
    }
    return "";
}

// gym:./folder/file.py:Class, gym:module:Class, gym:Id
Result<EnvEntry> gymEntry(const std::string& name) {
    const std::size_t colon = name.rfind(':');
    std::string file = colon == std::string::npos ? name : name.substr(0, colon);
    if (colon != std::string::npos && !file.ends_with(".py"))
        if (const std::string found = fileOfModule(file); !found.empty()) file = found;
    if (!file.ends_with(".py")) return entryOf("gym:" + name);
    SEEDBED_ASSIGN(const std::string path, absolutePath(file));
    if (colon == std::string::npos)
        return fail(ErrorCode::config, "name the class of the environment, too: gym:" + name + ":MyEnv");
    return entryOf("gym:" + path + name.substr(colon), path);
}

// lib:./my_env.so, godot:HOST:PORT, godot:./folder/Game.x86_64, unity:./folder/Game.x86_64, unity:editor
Result<EnvEntry> fileEntry(const std::string& scheme, const std::string& name) {
    const std::string id = scheme + ":" + name;
    if (!waitingAddressOf(id).empty()) return entryOf(id);
    SEEDBED_ASSIGN(const std::string path, absolutePath(name));
    return entryOf(scheme + ":" + path, path);
}

Result<EnvEntry> schemeEntry(const std::string& scheme, const std::string& name) {
    if (scheme == "gym") return gymEntry(name);
    if (scheme == "godot" || scheme == "unity" || scheme == "lib") return fileEntry(scheme, name);
    return entryOf(scheme + ":" + name);
}

[[maybe_unused]] const bool registered = [] {
    for (const std::string& scheme : split(SEEDBED_WORKER_SCHEMES, ','))
        envSchemes().add({.id = scheme, .aliases = {}, .entry = [scheme](const std::string& name) {
                              return schemeEntry(scheme, name);
                          }});
    return true;
}();

}  // namespace
}  // namespace seedbed
