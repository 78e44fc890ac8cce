// SPDX-License-Identifier: Apache-2.0
// Records of the database: runs, metric curves, episodes, evaluations, checkpoints, events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

// Starts at 1 in each data folder; never reused.
using RunId = std::int64_t;

enum class RunStatus : std::uint8_t {
    queued,
    starting,
    running,
    paused,
    stopping,
    finished,
    failed,
    interrupted
};

const char* nameOf(RunStatus status);
std::optional<RunStatus> runStatusFromText(std::string_view text);
// Whether a process owns a run with this status: starting, running, paused or stopping.
bool isLive(RunStatus status);

// Status text of an interrupted run that was stopped by a user, not by a signal.
inline constexpr const char* kStoppedOnRequest = "stopped on request";

// A run to be created. In this file, times are wall-clock seconds since 1970 UTC and steps are agent
// decisions.
struct NewRun {
    std::string name;  // "" or unique in the folder; see checkRunName()
    std::string env;
    std::string algo;
    std::uint64_t seed = 1;
    std::string engine;
    Json config = Json::object();
    Json devices = Json::array();
    Json auto_settings = Json::object();  // measured and chosen on this machine
    std::string init_from;                // checkpoint with the initial weights, or ""
    std::vector<std::string> tags;
    RunStatus status = RunStatus::starting;  // or queued
};

// A process that works on a run.
struct ProcessInfo {
    std::int64_t pid = 0;
    std::string host;
    std::string build;  // version and commit
    int threads = 0;
    Json other = Json::object();  // instruction set, BLAS, ...
};

// The part of a run that one process trained. Rows of earlier segments beyond begin_step are superseded.
struct SegmentRecord {
    std::int64_t number = 0;  // 1, 2, ... within the run
    std::int64_t begin_step = 0;
    double started = 0;
    ProcessInfo process;
};

struct RunProgress {
    std::int64_t steps = 0;   // agent decisions
    std::int64_t frames = 0;  // emulator frames
    std::int64_t updates = 0;
    double train_seconds = 0;  // without pauses, over all segments
};

// A run, as shown in lists.
struct RunRecord {
    RunId id = 0;
    std::string name;  // "" if none was given
    std::string env;
    std::string algo;
    std::uint64_t seed = 0;
    RunStatus status = RunStatus::queued;  // also `interrupted` if its process no longer exists
    std::string status_text;               // the reason why it failed, stopped, is paused or is slow, or ""
    RunProgress progress;                  // latest saved progress; decreases if the run resumes at an
                                           // earlier step
    double created = 0;                    // time of creation or of queueing
    double updated = 0;
    std::optional<double>
        started;  // time when its first process started training; empty if it has only been queued
    // Best and latest mean of the evaluations, or of the metric episode/return if there are no evaluations.
    std::optional<double> best_return;
    std::optional<double> last_return;
    std::string return_source;      // source of both: "evaluation", "training" or ""
    std::vector<std::string> tags;  // sorted
    std::string notes;
    bool star = false;
    bool archived = false;
    bool in_trash = false;
};

struct EpisodeRecord {
    std::int64_t step = 0;  // step of the run at which the episode ended
    double time = 0;
    double episode_return = 0;
    std::int64_t length = 0;  // agent decisions
    std::int64_t column = 0;  // column (agent) that played it
};

struct EvaluationRecord {
    struct Episode {
        double episode_return = 0;
        std::int64_t length = 0;
    };

    std::int64_t step = 0;
    double time = 0;
    std::uint64_t seed = 0;
    bool greedy = true;
    std::int64_t params_version = 0;
    double mean = 0, std = 0, iqm = 0, ci95_low = 0, ci95_high = 0, min = 0, max = 0;
    std::vector<Episode> episodes;
};

struct CheckpointRecord {
    std::int64_t step = 0;
    double time = 0;
    std::int64_t updates = 0;
    std::string folder;  // relative to the data folder
    std::int64_t bytes = 0;
    std::string params_sha256;    // hash of the acting network's parameters
    std::optional<double> score;  // mean of the evaluation of these parameters
    bool best = false;            // highest score so far; true for at most one row of a run
    bool milestone = false;
    bool removed = false;  // retention removed its folder
};

enum class EventLevel : std::uint8_t { info, warning, error };
const char* nameOf(EventLevel level);

// An event, for example: started, resumed, goal reached, settings changed, saving paused.
struct EventRecord {
    std::int64_t step = 0;
    double time = 0;
    EventLevel level = EventLevel::info;
    std::string kind;  // snake_case
    std::string text;  // one sentence
    Json data = Json::object();
};

enum class SettingSource : std::uint8_t {
    live,     // changed while the run was training
    resume,   // changed by a resume
    rollback  // changed by the run after non-finite numbers
};
const char* nameOf(SettingSource source);
std::optional<SettingSource> settingSourceFromText(std::string_view text);

// A setting of a run that changed after the run began.
struct SettingChange {
    std::int64_t step = 0;  // first step with the new value
    double time = 0;
    std::string key;  // algo.learning_rate
    Json old_value, new_value;
    SettingSource source = SettingSource::live;
};

// The settings of a run from a given step on.
struct ConfigChange {
    std::int64_t step = 0;
    double time = 0;
    Json document;
    SettingSource source = SettingSource::live;
};

// A file made from a run.
struct ArtifactRecord {
    std::int64_t step = 0;  // training step of the parameters
    double time = 0;
    std::string kind;  // snake_case: onnx, recording, ...
    std::string path;  // relative to the data folder, or absolute
    std::int64_t bytes = 0;
    std::string sha256;
    Json data = Json::object();
};

// A queued run.
struct QueueEntry {
    RunId run = 0;
    bool paused = false;        // whether the scheduler must not start it
    bool begun = false;         // started by a scheduler that has not recorded its exit
    std::int64_t attempts = 0;  // number of starts since the run last saved a checkpoint
};

struct QueueState {
    std::vector<QueueEntry> entries;  // in the order in which they start
    int at_a_time = 1;                // maximum number of active runs
    bool paused = false;              // whether the scheduler starts no runs
};

// Everything that `seedbed show` prints. The lists contain live rows only, ordered by step.
struct RunDetails {
    RunRecord run;
    Json config;                         // the latest settings
    std::vector<SettingChange> changes;  // changed settings since the run began, in order
    Json devices;
    Json auto_settings;
    std::string engine;
    std::string init_from;
    std::string params_sha256;  // hash of the newest checkpoint's parameters, or ""
    std::vector<SegmentRecord> segments;
    std::vector<CheckpointRecord> checkpoints;
    std::vector<EvaluationRecord> evaluations;
    std::vector<EventRecord> events;
    std::vector<ArtifactRecord> artifacts;
};

// A curve; all lists have the same length and steps never decrease. Values may be infinite or NaN.
struct MetricCurve {
    std::string name;
    std::vector<std::int64_t> steps;
    std::vector<double> times;
    std::vector<double> values;
};

// The last point of a curve and its length; reading them takes the same time for any length.
struct MetricEnd {
    std::string name;
    std::int64_t points = 0;
    std::int64_t last_step = 0;
    double last_value = 0;
};

// A curve reduced to groups of consecutive points, for charts with fewer pixels than points.
struct MetricSummary {
    struct Stretch {
        std::int64_t first_step = 0, last_step = 0;
        double first_time = 0, last_time = 0;
        std::int64_t points = 0;
        double min = 0, max = 0, mean = 0;  // statistics of the finite values; NaN if there are none
    };

    std::string name;
    std::vector<Stretch> stretches;
};

}  // namespace seedbed
