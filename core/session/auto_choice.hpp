// SPDX-License-Identifier: Apache-2.0
// What run.inference=auto stands for: who runs the acting network, in how many groups, and when batches
// close. A fixed rule on a short measurement, made once per machine and network, kept in the cache folder and
// recorded with the run.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/session/session.hpp"

namespace seedbed {

// Times of the acting network on this machine, and of handing work to another thread. Seconds.
struct InferenceTimes {
    std::map<int, double> forward;  // by rows
    double hand_over = 0;           // there and back
};

struct AutoChoice {
    std::string inference = "inline";
    int groups = 1;
    int batch_rows = 0;      // central
    double deadline_ms = 0;  // central
    std::string why;         // a sentence with the figures
    bool cached = false;     // measured by an earlier run

    Json json() const;
    // error: not what json() wrote.
    static Result<AutoChoice> parse(const Json& json);
};

// What there is to choose from.
struct AutoQuestion {
    int envs = 1, columns = 1;    // columns = envs * agents
    int actors = 1;               // threads that step environments
    int fixed_groups = 1;         // by the rule that looks at the number of environments only
    bool groups_are_free = true;  // not asked for, and part of no result
    bool mode_is_free = true;     // inline or central is part of no result
    bool on_cpu = true;
    std::string engine;
    int devices = 1;  // that share the columns in central inference
};
// Rows whose times the rule asks for.
std::vector<int> rowsToMeasure(const AutoQuestion& question);
// The rule. On a CPU: the way that takes least time for one row of all columns, but the fixed groups and
// inline inference unless another way is at least a tenth faster. On other devices central inference, since
// one stream serves everybody.
AutoChoice decide(const AutoQuestion& question, const InferenceTimes& times);
AutoQuestion questionOf(const SessionPlan& plan);

// Measures within `budget_s`, `rows` from small to large; sizes that there is no time for are missing.
Result<InferenceTimes> measureInference(EngineNet& net, const std::vector<int>& rows, double budget_s = 0.3);

// Settles run.inference=auto in `plan`, from the cache when this machine has measured the same network
// before; does nothing for other settings. An empty folder keeps nothing; a cache that cannot be read or
// written only costs the measurement. error: from the engine.
Result<> settleAuto(SessionPlan& plan, FileSystem& files, const std::filesystem::path& cache_folder);
// The same from what a run recorded (AutoChoice::json), so that a resumed run goes on as it was.
Result<> settleAutoAs(SessionPlan& plan, const Json& recorded);

}  // namespace seedbed
