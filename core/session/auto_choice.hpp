// SPDX-License-Identifier: Apache-2.0
// Resolves run.inference=auto: inline or central inference, number of groups, and when batches close. Uses a
// fixed rule and a short measurement, which is made once per machine and network, stored in the cache folder
// and recorded with the run.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/base/json.hpp"
#include "core/base/os/files.hpp"
#include "core/session/session.hpp"

namespace seedbed {

// Times of the acting network on this machine, and of passing work to another thread, in seconds.
struct InferenceTimes {
    std::map<int, double> forward;  // time by number of rows
    double hand_over = 0;           // time of a round trip
};

struct AutoChoice {
    std::string inference = "inline";
    int groups = 1;
    int batch_rows = 0;      // for central inference
    double deadline_ms = 0;  // for central inference
    std::string why;         // a sentence with the measured times
    bool cached = false;     // whether an earlier run measured the times

    Json json() const;
    // error: not the format written by json().
    static Result<AutoChoice> parse(const Json& json);
};

// The input of the rule.
struct AutoOptions {
    int envs = 1, columns = 1;    // columns = envs * agents
    int actors = 1;               // threads that step environments
    int fixed_groups = 1;         // chosen by the rule that uses only the number of environments
    bool groups_are_free = true;  // the number is not configured and does not affect the result
    bool mode_is_free = true;     // inline and central inference give the same result
    bool on_cpu = true;
    std::string engine;
    int devices = 1;  // number of devices that share the columns in central inference
};
// The numbers of rows for which the rule needs times.
std::vector<int> rowsToMeasure(const AutoOptions& question);
// The rule. On a CPU: the fixed number of groups with inline inference, unless an alternative needs at least
// 10 % less time for one row of all columns; then the fastest alternative. On other devices: central
// inference, since one stream serves all groups.
AutoChoice decide(const AutoOptions& question, const InferenceTimes& times);
AutoOptions autoOptionsOf(const SessionPlan& plan);

// Measures `rows` from small to large for at most `budget_s` seconds; sizes not measured by then are missing
// from the result.
Result<InferenceTimes> measureInference(EngineNet& net, const std::vector<int>& rows, double budget_s = 0.3);

// Resolves run.inference=auto in `plan`, from the cache if this machine has measured the same network before;
// does nothing for other settings. `cache_folder`: empty for none. If the cache cannot be read or written,
// the measurement is repeated. error: from the engine.
Result<> resolveAuto(SessionPlan& plan, FileSystem& files, const std::filesystem::path& cache_folder);
// Applies the recorded choice of a run (AutoChoice::json), so that a resumed run makes the same choice.
Result<> applyRecordedAuto(SessionPlan& plan, const Json& recorded);

}  // namespace seedbed
