// SPDX-License-Identifier: Apache-2.0
// A session that trains in pieces: in memory, or as a recorded run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/session/session.hpp"

namespace seedbed {

using Settings = std::vector<std::pair<std::string, std::string>>;

// Thread: the one that trains.
class Training {
public:
    virtual ~Training() = default;
    virtual Session& session() = 0;
    virtual const TrainingConfig& config() const = 0;
    // Takes the outcome of Session::pump(), collect() or learn(): records an update and its consequences.
    virtual Result<std::optional<IterationStats>> after(Result<std::optional<IterationStats>> pumped) = 0;
    // False while training must not continue: its goal is reached, or another program has paused it.
    virtual bool mayContinue() = 0;
    virtual bool goalReached() const = 0;
    // Whether another program has stopped the run.
    virtual bool isStopped() const { return false; }
    // Changes live settings, which have been checked.
    virtual Result<> change(const Settings& settings) = 0;
    // Saves the state. error: it is kept in memory.
    virtual Result<> save() = 0;
    // Ends training, which has failed with `result` if that is an error.
    virtual Result<> end(Result<> result) = 0;
    // 0 in memory.
    virtual std::int64_t run() const { return 0; }
};

// `init_from`: the folder of a policy, or "". error: as for Session::plan() and Session::create().
Result<std::unique_ptr<Training>> trainInMemory(const TrainingConfig& config, const std::string& init_from);

struct StoredTrainingRequest {
    TrainingConfig config;  // of a new run
    std::filesystem::path data_folder;
    std::string name, init_from;
    std::int64_t resume = 0;  // the run to continue
    Settings settings;        // changed by the resume
};
Result<std::unique_ptr<Training>> trainStored(const StoredTrainingRequest& request);

}  // namespace seedbed
