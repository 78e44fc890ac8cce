// SPDX-License-Identifier: Apache-2.0
// Checkpoints: folders <data>/checkpoints/<run>/<step> that hold the complete state of a run, each one made
// beside and renamed when complete.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/system.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

// Opaque bytes of a part of the run: optimiser, schedules and counters, random streams, environments, open
// windows.
struct CheckpointFile {
    std::string name;  // "optimiser.bin": [a-z0-9_.]+, not one of the names that checkpoints use themselves
    std::vector<std::uint8_t> bytes;
};

// A snapshot by value: parameters are immutable and shared, the rest is copied by the caller.
struct CheckpointData {
    std::int64_t step = 0;
    std::int64_t updates = 0;
    std::vector<NamedNetwork> networks;  // the first one acts
    bool squash = false;
    RewardView reward{};
    Provenance provenance;
    std::vector<CheckpointFile> files;
    Json info = Json::object();   // small values of the caller
    bool milestone = false;       // kept for ever
    std::optional<double> score;  // mean of the evaluation of these parameters
};

// What a folder says about itself without its contents being read.
struct CheckpointInfo {
    Path folder;
    std::int64_t step = 0;
    std::int64_t updates = 0;
    double time = 0;  // wall-clock seconds since 1970 UTC
    std::uint64_t bytes = 0;
    std::string params_sha256;  // of the acting network
    bool milestone = false;
    bool best = false;
    std::optional<double> score;
};

struct LoadedCheckpoint {
    CheckpointData data;
    CheckpointInfo info;
    std::vector<std::string>
        notices;  // one sentence for each newer checkpoint that was damaged and therefore not used
};

// Only the acting network of it.
struct LoadedPolicy {
    PolicyBundle bundle;
    CheckpointInfo info;
    std::vector<std::string> notices;
};

struct Retention {
    int generations = 3;  // newest ones; the best one and milestones are kept besides
    std::string
        spare{};  // a file that milestones go without once they are neither among the newest nor the best
};

Path checkpointsFolder(const Path& data_folder, std::int64_t run);
// Where imported policies are, a folder for each by its name.
Path policiesFolder(const Path& data_folder);

// The checkpoints of one run. Thread: one owner at a time; readers in other processes see complete folders
// only.
class CheckpointStore {
public:
    // `files` and `clock` outlive the store.
    CheckpointStore(FileSystem& files, Path data_folder, std::int64_t run,
                    const Clock& clock = *realSystem().clock);
    const Clock& clock() const { return *clock_; }

    // For the owner of the run, at its start: removes what a crash left half made.
    Result<> clean();
    // Writes, syncs, renames, syncs the parent: on success the checkpoint survives a power cut. On failure
    // all checkpoints that were there are untouched. When there is one of the same step, the new one takes
    // its place (and stays a milestone if that was one).
    Result<CheckpointInfo> save(const CheckpointData& data);
    // Marks the checkpoint of `step` as the best one. The mark holds for its parameters: another checkpoint
    // of the same step is not meant.
    Result<> markBest(std::int64_t step, std::optional<double> score);
    // Applies retention; returns the steps of what was removed.
    Result<std::vector<std::int64_t>> prune(const Retention& retention = {});
    // Takes retention.spare out of older milestones; returns those that became smaller. For after prune().
    Result<std::vector<CheckpointInfo>> shrink(const Retention& retention);
    // For a resume at `step`: newer checkpoints belong to what is superseded (or are damaged) and are put
    // aside; prune() removes them once a newer checkpoint is complete. Returns their names; after an error
    // all are where they were, as far as possible.
    Result<std::vector<std::string>> supersedeAfter(std::int64_t step);
    // Takes that back, when the resume did not come about.
    Result<> restoreSuperseded(const std::vector<std::string>& names);

    // In order of steps, complete ones only (a manifest that can be read).
    Result<std::vector<CheckpointInfo>> list() const;
    // `selector`: "" or "newest", "best", or a step. For "" and "best", a damaged one is skipped: the next
    // older one is taken, with a notice. One that cannot be read at the moment (I/O error, out of memory or
    // file descriptors), or was written by a newer version, is not damaged but an error: older ones are then
    // taken only by their step. A step that is not there is an error which names the steps that are.
    Result<LoadedCheckpoint> load(std::string_view selector = "") const;
    Result<LoadedPolicy> loadPolicy(std::string_view selector = "") const;
    // As load(), without reading parameters and state.
    Result<CheckpointInfo> find(std::string_view selector = "") const;

private:
    FileSystem* files_;
    const Clock* clock_;
    Path folder_;
    std::int64_t run_;
};

// One checkpoint folder by its path. error: damaged, with file and reason.
Result<LoadedCheckpoint> loadCheckpoint(FileSystem& files, const Path& folder);

// A copy of a complete checkpoint folder; every byte is checked on the way, and `to` appears complete or not
// at all. Its parent exists.
Result<> copyCheckpoint(FileSystem& files, const Path& from, const Path& to);

// A checkpoint as people type it: RUN, RUN:best, RUN:STEP, the name of an imported policy, or the path of a
// checkpoint or exported policy.
struct CheckpointName {
    Path folder;           // set: a path
    std::string run;       // otherwise: id or name of the run, or of an imported policy
    std::string selector;  // "", "best" or a step
};
Result<CheckpointName> parseCheckpointName(FileSystem& files, std::string_view text);

// Resolves the run part of a name; StoreReader::resolveRun fits.
using RunResolver = std::function<Result<std::int64_t>(std::string_view)>;
Result<LoadedCheckpoint> loadCheckpoint(FileSystem& files, const Path& data_folder, std::string_view text,
                                        const RunResolver& resolve);
// Only the policy of it; also of an exported folder or an imported policy. Damaged ones are skipped with a
// notice, as in CheckpointStore::load.
Result<LoadedPolicy> loadPolicy(FileSystem& files, const Path& data_folder, std::string_view text,
                                const RunResolver& resolve);

}  // namespace seedbed
