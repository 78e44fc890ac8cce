// SPDX-License-Identifier: Apache-2.0
// What the database holds, as plain values: runs, metric curves, episodes, evaluations, checkpoints, events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

// Counted from 1 in each data folder, never reused.
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
// A process owns the run while it is in one of these: starting, running, paused, stopping.
bool isLive(RunStatus status);

// The text of the state `interrupted` when somebody asked for the stop (and no signal brought it about).
inline constexpr const char* kStoppedOnRequest = "stopped on request";

// What is known when a run is made. Times in this file are wall-clock seconds since 1970 UTC, steps are agent
// decisions.
struct NewRun {
    std::string name;  // "" or unique in the folder; see checkRunName()
    std::string env;
    std::string algo;
    std::uint64_t seed = 1;
    std::string engine;
    Json config = Json::object();
    Json devices = Json::array();
    Json auto_settings = Json::object();  // what was measured and chosen on this machine
    std::string init_from;                // checkpoint whose weights it starts from; "" for none
    std::vector<std::string> tags;
    RunStatus status = RunStatus::starting;  // or queued
};

// Which process worked on a run from which step on.
struct ProcessInfo {
    std::int64_t pid = 0;
    std::string host;
    std::string build;  // version and commit
    int threads = 0;
    Json other = Json::object();  // instruction set, BLAS, ...
};

// A stretch of a run by one process. Rows of earlier segments beyond begin_step are superseded.
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

// A line of the run table.
struct RunRecord {
    RunId id = 0;
    std::string name;  // "" when none was given
    std::string env;
    std::string algo;
    std::uint64_t seed = 0;
    RunStatus status = RunStatus::queued;  // `interrupted` also when its process has vanished
    std::string status_text;               // why it failed or stopped; "" otherwise
    RunProgress progress;                  // newest acknowledged; never falls
    double created = 0;                    // or put into the queue
    double updated = 0;
    std::optional<double>
        started;  // when its first process began to train; none while it has only been queued
    std::optional<double>
        best_return;  // best and newest mean of the evaluations; without any, of the metric episode/return
    std::optional<double> last_return;
    std::string return_source;      // of both: "evaluation", "training", or "" when there is none
    std::vector<std::string> tags;  // sorted
    std::string notes;
    bool star = false;
    bool archived = false;
    bool in_trash = false;
};

struct EpisodeRecord {
    std::int64_t step = 0;  // of the run, when the episode ended
    double time = 0;
    double episode_return = 0;
    std::int64_t length = 0;  // agent decisions
    std::int64_t column = 0;  // agent slot that played it
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
    std::string params_sha256;    // of the acting network
    std::optional<double> score;  // mean of the evaluation of these parameters
    bool best = false;            // highest so far; the mark moves from the row that had it
    bool milestone = false;
    bool removed = false;  // its folder was removed by retention
};

enum class EventLevel : std::uint8_t { info, warning, error };
const char* nameOf(EventLevel level);

// Something that happened: started, resumed, goal reached, settings changed, environment restarted, saving
// paused.
struct EventRecord {
    std::int64_t step = 0;
    double time = 0;
    EventLevel level = EventLevel::info;
    std::string kind;  // snake_case
    std::string text;  // one sentence
    Json data = Json::object();
};

// A file that was made from a run.
struct ArtifactRecord {
    std::int64_t step = 0;  // of the parameters it was made from
    double time = 0;
    std::string kind;  // snake_case: onnx, recording, ...
    std::string path;  // relative to the data folder, or absolute
    std::int64_t bytes = 0;
    std::string sha256;
    Json data = Json::object();
};

// A place in the queue.
struct QueueEntry {
    RunId run = 0;
    bool paused = false;        // is not started
    bool begun = false;         // a scheduler has started it, and its end is not noted yet
    std::int64_t attempts = 0;  // how often since the run last saved something
};

struct QueueState {
    std::vector<QueueEntry> entries;  // in the order in which they are started
    int at_a_time = 1;
    bool paused = false;  // nothing is started
};

// Everything `show` prints; the lists hold live rows only, in order of steps.
struct RunDetails {
    RunRecord run;
    Json config;
    Json devices;
    Json auto_settings;
    std::string engine;
    std::string init_from;
    std::string params_sha256;  // newest parameters that were saved; "" before the first checkpoint
    std::vector<SegmentRecord> segments;
    std::vector<CheckpointRecord> checkpoints;
    std::vector<EvaluationRecord> evaluations;
    std::vector<EventRecord> events;
    std::vector<ArtifactRecord> artifacts;
};

// One curve: element i of each list belongs together; steps never fall. A value may be infinite or not a
// number.
struct MetricCurve {
    std::string name;
    std::vector<std::int64_t> steps;
    std::vector<double> times;
    std::vector<double> values;
};

// A curve reduced to stretches of consecutive points, for a chart that has fewer pixels than points.
struct MetricSummary {
    struct Stretch {
        std::int64_t first_step = 0, last_step = 0;
        double first_time = 0, last_time = 0;
        std::int64_t points = 0;
        double min = 0, max = 0, mean = 0;  // of the finite values; not a number when there is none
    };

    std::string name;
    std::vector<Stretch> stretches;
};

}  // namespace seedbed
