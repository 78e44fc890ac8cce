// SPDX-License-Identifier: Apache-2.0
// seedbed calibrate: estimates how long presets take to reach their score on this computer. Combines a short
// speed measurement with the number of steps in recorded results. Measurements are stored in the cache
// folder.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include <sys/resource.h>

#include "app/command.hpp"
#include "app/commands/bench/measure.hpp"
#include "app/configuration.hpp"
#include "core/base/os/clock.hpp"
#include "core/base/os/files.hpp"
#include "core/base/simd.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/config/json_text.hpp"
#include "core/config/resources.hpp"
#include "core/session/session.hpp"

namespace seedbed::app {
namespace {

constexpr double kSampleSeconds = 0.2;
constexpr int kSamples = 3;

// Measurements are valid for one version and machine.
std::string machineKey() {
    return std::string(kVersion) + " " + std::to_string(threadCount(0)) + " cores " + nameOf(activeIsa());
}

// {preset: {"hash", "machine", "sps": [slowest, fastest sample]}}
class Cache {
public:
    explicit Cache(const std::filesystem::path& folder) : path_(folder / "calibration.json") {
        // An unreadable cache is treated as empty.
        if (auto read = readJsonFile(files_, path_); read && read->is_object()) entries_ = std::move(*read);
    }
    const Json* find(const Preset& preset) const {
        const auto entry = entries_.find(preset.name);
        if (entry == entries_.end() || !entry->is_object() || entry->value("hash", "") != preset.hash ||
            entry->value("machine", "") != machineKey() || !entry->contains("sps") ||
            !(*entry)["sps"].is_array() || (*entry)["sps"].size() != 2 || !(*entry)["sps"][0].is_number() ||
            !(*entry)["sps"][1].is_number())
            return nullptr;
        return &*entry;
    }
    void store(const Preset& preset, double slowest, double fastest) {
        entries_[preset.name] = {
            {"hash", preset.hash}, {"machine", machineKey()}, {"sps", {slowest, fastest}}};
        if (makeFolders(files_, path_.parent_path()))
            if (const auto written = writeFileAtomically(files_, path_, entries_.dump() + "\n"); !written)
                return;
    }

private:
    RealFileSystem files_;
    std::filesystem::path path_;
    Json entries_ = Json::object();
};

// Returns the longest time in seconds that a thread of this process was ready but waited for a CPU; 0 if the
// kernel does not report it.
double longestWait() {
    double longest = 0;
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
        std::ifstream file(task.path() / "schedstat");
        double running_ns = 0, waiting_ns = 0;
        if (file >> running_ns >> waiting_ns) longest = std::max(longest, waiting_ns * 1e-9);
    }
    return longest;
}

// Estimates how many seconds the work takes on an otherwise idle machine: the elapsed time minus the time
// spent waiting for a CPU, but at least the CPU time.
class QuietStopwatch {
public:
    explicit QuietStopwatch(int threads) : threads_(threads) {}
    double wall() const { return watch_.seconds(); }
    double quiet() const {
        return std::max(watch_.seconds() - (longestWait() - wait_), (cpuSeconds() - cpu_) / threads_);
    }

private:
    int threads_;
    double wait_ = longestWait(), cpu_ = cpuSeconds();
    Stopwatch watch_;
};

struct Speed {
    double slowest = 0, fastest = 0;  // agent decisions per second
};

Result<Speed> measure(const Preset& preset) {
    ConfigurationRequest request;
    request.env = preset.env;
    request.preset = preset.name;
    request.needs_goal = false;
    SEEDBED_ASSIGN(const Configuration configuration, makeConfiguration(request));
    SEEDBED_ASSIGN(SessionPlan plan, Session::plan(configuration.config));
    SEEDBED_ASSIGN(const auto session, Session::create(std::move(plan)));
    SEEDBED_TRY(session->iterate());  // the first update warms caches and buffers
    Speed speed{.slowest = 1e300, .fastest = 0};
    for (int sample = 0; sample < kSamples; ++sample) {
        const std::uint64_t begin = session->progress().steps;
        const QuietStopwatch watch(session->plan().threads);
        do {
            SEEDBED_TRY(session->iterate());
        } while (watch.wall() < kSampleSeconds);
        const double sps = static_cast<double>(session->progress().steps - begin) / watch.quiet();
        speed.slowest = std::min(speed.slowest, sps);
        speed.fastest = std::max(speed.fastest, sps);
    }
    return speed;
}

// Returns {"preset", "env", "sps", "steps", "steps_to_goal", "minutes": [low, middle, high] or null}: for the
// fastest seed at the highest speed, the median seed at the mean speed, and the slowest seed at the lowest
// speed.
Json estimate(const Preset& preset, const Json& learning, const Json& entry) {
    std::vector<std::int64_t> steps;
    if (const auto known = learning.find(preset.name); known != learning.end())
        (*known)["steps_to_goal"].get_to(steps);
    const double slowest = entry["sps"][0], fastest = entry["sps"][1];
    Json minutes;
    if (!steps.empty()) {
        std::sort(steps.begin(), steps.end());
        const auto median = static_cast<double>(steps[steps.size() / 2]);
        minutes = {static_cast<double>(steps.front()) / fastest / 60, median / ((slowest + fastest) / 2) / 60,
                   static_cast<double>(steps.back()) / slowest / 60};
    }
    return {{"preset", preset.name},        {"env", preset.env},      {"sps", entry["sps"]},
            {"steps", preset.budget_steps}, {"steps_to_goal", steps}, {"minutes", minutes}};
}

// Enough digits to distinguish 0.05 s from 0.26 s; longer times are formatted as elsewhere.
std::string shortTime(double seconds) {
    if (seconds >= 10) return formatDuration(seconds);
    char text[32];
    std::snprintf(text, sizeof text, "%.2g s", seconds);
    return text;
}

// "0.05 to 0.26 s"
std::string rangeText(double low_s, double high_s) {
    const std::string low = shortTime(low_s), high = shortTime(high_s);
    if (low == high) return low;
    const bool same_unit = low.ends_with(" s") && high.ends_with(" s");
    return (same_unit ? low.substr(0, low.size() - 2) : low) + " to " + high;
}

void show(const Json& line, const Preset& preset, const Context& context) {
    if (context.json) {
        printJson(line);
    } else {
        const Json& minutes = line["minutes"];
        std::printf("%-36s %10s steps/s  %s\n", line["preset"].get<std::string>().c_str(),
                    formatCount(static_cast<std::int64_t>(line["sps"][0].get<double>())).c_str(),
                    minutes.is_null()
                        ? (preset.isMeasured() ? "not solved yet" : "no recorded result")
                        : (rangeText(60 * minutes[0].get<double>(), 60 * minutes[2].get<double>()) +
                           " to reach its score")
                              .c_str());
    }
    std::fflush(stdout);
}

Result<int> calibrate(const std::vector<std::string>& names, bool cached, const Context& context) {
    SEEDBED_ASSIGN(const PresetLibrary library, presetLibrary());
    std::vector<const Preset*> presets;
    for (const std::string& name : names) {
        SEEDBED_ASSIGN(const Preset* preset, library.get(name));
        presets.push_back(preset);
    }
    if (names.empty())
        for (const Preset* preset : library.all())
            if (library.defaultFor(preset->env) == preset) presets.push_back(preset);
    RealFileSystem files;
    SEEDBED_ASSIGN(const auto resources, resourcesFolder());
    const auto learning = readJsonFile(files, resources / "learning.json");
    const Json results = learning ? learning->value("presets", Json::object()) : Json::object();
    SEEDBED_ASSIGN(const UserFolders folders, userFolders({}));
    Cache cache(folders.cache);

    // Gives other programs priority.
    if (!cached) ::setpriority(PRIO_PROCESS, 0, 10);
    Json all = Json::array();
    for (const Preset* preset : presets) {
        if (cache.find(*preset) == nullptr) {
            if (cached) continue;
            const auto speed = measure(*preset);
            if (!speed) {
                if (!context.quiet)
                    std::fprintf(stderr, "%s: %s\n", preset->name.c_str(), speed.error().text().c_str());
                continue;
            }
            cache.store(*preset, speed->slowest, speed->fastest);
        }
        const Json line = estimate(*preset, results, *cache.find(*preset));
        if (cached && context.json) all.push_back(line);
        else show(line, *preset, context);
    }
    if (cached && context.json) printJson(all);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    calibrate,
    {.id = "calibrate",
     .summary = "Estimate how long presets take on this computer (about 1 s per preset)",
     .examples = {"seedbed calibrate cartpole", "seedbed calibrate --cached --json"},
     .define = [](CLI::App& cli) -> Action {
         auto presets = std::make_shared<std::vector<std::string>>();
         auto cached = std::make_shared<bool>(false);
         cli.add_option("PRESET", *presets, "Presets (default: the default preset of every environment)");
         cli.add_flag("--cached", *cached, "Print stored measurements only; with --json as one array");
         return [presets, cached](const Context& context) { return calibrate(*presets, *cached, context); };
     }});

}  // namespace
}  // namespace seedbed::app
