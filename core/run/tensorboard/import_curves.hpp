// SPDX-License-Identifier: Apache-2.0
// Stores curves of another program as a run without checkpoints, for charts and comparisons.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/os/system.hpp"
#include "core/store/records.hpp"
#include "core/tensorboard/event_log.hpp"

namespace seedbed {

// Key of the source in the automatic settings of an imported run ({"from", "format"}).
inline constexpr const char* kImportedFrom = "imported_from";

// The parts of the name of a run's folder; parts that it does not contain are "" or 0.
struct NamedRun {
    std::string env, algo;
    std::int64_t seed = 0;
};
// Understands CleanRL's ENV__PROGRAM__SEED__TIME and Stable-Baselines3's ALGO_NUMBER.
NamedRun readRunName(const std::string& folder);

// Replaces the names that other programs use for the metrics of Seedbed, such as rollout/ep_rew_mean for
// episode/return. Other names, and names that occur twice, remain.
void useSeedbedNames(std::vector<tensorboard::ScalarCurve>& curves);

struct CurveImport {
    std::string name;  // "" or a valid name of a run
    Json env;          // section env of the run's configuration: {"id", ...}
    std::string algo;
    std::int64_t seed = 0;
    std::string from;  // the source, for the user
    std::vector<tensorboard::ScalarCurve> curves;
};

// Creates a finished run with these curves. Points of charts/episodic_return (CleanRL), one per episode, also
// become episodes. error: config for a name that is taken; from the store, in which case the incomplete run
// is marked as failed.
Result<RunId> importCurves(const Path& data_folder, const CurveImport& import,
                           const System& system = realSystem());

}  // namespace seedbed
