// SPDX-License-Identifier: Apache-2.0
// All state of the queue is in the database, so another scheduler can take over at any time.
//
// Runs that the user started count towards the limit. A run whose process exited unexpectedly is resumed
// after a pause that doubles each time: up to three times without a new checkpoint in between, and up to ten
// times if its processes save checkpoints but exit soon after their start. A run that was stopped by a signal
// while no scheduler was running (for example when the computer was shut down) is always resumed; a failed
// run is removed from the queue. After a stop request, active runs continue, and the next scheduler finds
// them. If the disk is full or the database is locked, the scheduler reports it and retries.
#include "core/jobs/queue.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <poll.h>

#include "core/base/text.hpp"
#include "core/control/launch.hpp"
#include "core/run/saving/catch_up.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {
namespace {

constexpr std::int64_t kMaxAttempts = 3;     // limit for unexpected exits before a checkpoint is saved
constexpr std::int64_t kMaxShortLives = 10;  // limit for unexpected exits soon after a checkpoint is saved
constexpr std::int64_t kPollInterval = 500;  // ms; polling is required because the database does not report
                                             // changes
constexpr int kStoppedByUser = 130;          // exit code of a run after a stop request or signal

// Whether the latest process of the run saved a checkpoint. Starting the process superseded all rows after
// the checkpoint from which it resumed, so later checkpoints are from this process.
bool madeProgress(const RunDetails& run) {
    return !run.segments.empty() &&
           std::any_of(run.checkpoints.begin(), run.checkpoints.end(),
                       [&](const auto& row) { return row.step > run.segments.back().begin_step; });
}

// Seconds from the start of the run's latest process to its last row.
double lifeOf(const RunDetails& run) {
    return run.segments.empty() ? 0 : run.run.updated - run.segments.back().started;
}

class Scheduler {
public:
    Scheduler(const std::filesystem::path& data_folder, const std::filesystem::path& program,
              const std::function<void(const std::string&)>& report, const RestartPolicy& restarts)
        : data_folder_(data_folder), program_(program), report_(report), restarts_(restarts) {}
    // Releases the processes, so that runs continue without the scheduler.
    ~Scheduler() {
        for (auto& [run, job] : jobs_) job.process.release();
    }

    Result<> run(const std::stop_token& stop) {
        SEEDBED_ASSIGN(store_, [&]() -> Result<std::unique_ptr<Store>> {
            SEEDBED_ASSIGN(Store store, Store::open(data_folder_));
            return std::make_unique<Store>(std::move(store));
        }());
        while (!stop.stop_requested()) {
            const Result<bool> anything_left = update();
            // Retries until the disk has space again or the database is no longer locked.
            if (const std::string text = anything_left ? "" : anything_left.error().text();
                text != std::exchange(problem_, text))
                report_(text.empty() ? "the queue continues"
                                     : "the queue is waiting and will retry: " + text);
            if (anything_left && !*anything_left) break;
            std::error_code ignored;
            if (!anything_left && !std::filesystem::exists(data_folder_, ignored))
                return tl::unexpected<Error>(anything_left.error());
            wait(stop);
        }
        return {};
    }

private:
    struct Job {
        ChildProcess process;
        std::optional<ExitStatus> end;  // set from the exit of the process until it is recorded
    };

    // Records runs that have ended and starts queued runs. Returns false if no run is running and none can be
    // started. error: the first one; the other runs are still updated.
    Result<bool> update() {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
        SEEDBED_ASSIGN(const QueueState queue, reader.queue());
        releaseRemoved(queue);
        Result<> problem;
        std::int64_t running = 0;
        std::vector<RunId> waiting;
        for (const QueueEntry& entry : queue.entries) {
            if (!entry.begun && !RunLock::isHeld(data_folder_, entry.run)) {
                if (!entry.paused) waiting.push_back(entry.run);
                continue;
            }
            const Result<bool> is_running = updateStarted(entry, reader);
            if (!is_running && problem) problem = tl::unexpected<Error>(is_running.error());
            if (!is_running || *is_running) ++running;
        }
        for (const RunId run : waiting) {
            if (queue.paused || running >= queue.at_a_time || !problem) break;
            problem = start(run, 1);
            ++running;
        }
        if (!problem) return tl::unexpected<Error>(std::move(problem).error());
        return running > 0 || (!queue.paused && !waiting.empty());
    }

    // Releases processes of runs that a user removed from the queue; they continue.
    void releaseRemoved(const QueueState& queue) {
        for (auto job = jobs_.begin(); job != jobs_.end();) {
            const bool is_queued = std::any_of(queue.entries.begin(), queue.entries.end(),
                                               [&](const auto& e) { return e.run == job->first; });
            if (!is_queued) job->second.process.release();
            job = is_queued ? std::next(job) : jobs_.erase(job);
        }
    }

    // Returns whether a started run is still running. Removes the run from the queue if it has ended, and
    // restarts it if its process exited unexpectedly.
    Result<bool> updateStarted(const QueueEntry& entry, StoreReader& reader) {
        std::optional<ExitStatus> end;
        if (const auto job = jobs_.find(entry.run); job != jobs_.end()) {
            if (!job->second.end) {
                SEEDBED_ASSIGN(job->second.end, job->second.process.wait({}, deadlineIn(0)));
            }
            if (!job->second.end) return true;
            end = job->second.end;
        }
        // Started by an earlier scheduler or by the user, possibly just before this scheduler's process.
        if (RunLock::isHeld(data_folder_, entry.run)) {
            if (!entry.begun) SEEDBED_TRY(store_->markStartedInQueue(entry.run, 1));
            seen_.insert(entry.run);
            return true;
        }
        (void)catchUpRun(realSystem(), data_folder_, entry.run);  // errors are ignored: the resume reports
                                                                  // them
        SEEDBED_ASSIGN(const RunDetails details, reader.details(entry.run));
        SEEDBED_ASSIGN(const RunStatus written, reader.writtenStatus(entry.run));
        const RunRecord& run = details.run;
        if (run.status == RunStatus::finished) return leave(entry.run, "has finished");
        if (run.status == RunStatus::failed) return leave(entry.run, "has failed: " + run.status_text);

        // A shutdown stops the scheduler and its runs. Runs that were stopped while this scheduler was not
        // running are resumed any number of times.
        const bool cleanly =
            written == RunStatus::interrupted && (!end || (end->signal == 0 && end->code == kStoppedByUser));
        if (cleanly && (seen_.contains(entry.run) || run.status_text == kStoppedOnRequest))
            return leave(entry.run, "was stopped");
        // A process that failed at its start has no segment; the latest segment then belongs to an earlier
        // process.
        const auto segment = static_cast<std::int64_t>(details.segments.size());
        const auto judged = judged_.find(entry.run);
        const bool has_begun = judged == judged_.end() || judged->second != segment;
        const bool has_saved = has_begun && madeProgress(details);
        const bool lived = has_saved && lifeOf(details) >= restarts_.short_life_s;
        const std::int64_t attempts = cleanly || lived ? 0 : entry.attempts;
        const bool never_began = written == RunStatus::queued || written == RunStatus::starting;
        const bool refused = never_began && end && end->signal != SIGKILL && end->code != kStoppedByUser;
        const std::string why = end ? end->text() : "vanished";
        if (attempts >= (has_saved ? kMaxShortLives : kMaxAttempts) || refused) {
            const std::string line =
                end && end->statesCause() ? lastLine(runLog(data_folder_, entry.run)) : "";
            const std::string text =
                "its process " + why + (line.empty() ? "" : ": " + line) +
                (attempts > 1 ? " (" + std::to_string(attempts) + " times in a row)" : "");
            SEEDBED_TRY(store_->setStatus(entry.run, RunStatus::failed, text));
            return leave(entry.run, "has failed: " + text);
        }
        if (!isTimeToRestart(entry.run, cleanly ? 0 : attempts,
                             cleanly ? "was interrupted" : "its process " + why))
            return true;
        judged_[entry.run] = segment;
        SEEDBED_TRY(start(entry.run, attempts + 1));
        return true;
    }

    // Whether the pause before resuming the run is over; it is longer after each unexpected exit
    // (`attempts`). The first call reports and starts the pause.
    bool isTimeToRestart(RunId run, std::int64_t attempts, const std::string& why) {
        using Clock = std::chrono::steady_clock;
        if (const auto planned = restart_at_.find(run); planned != restart_at_.end()) {
            if (Clock::now() < planned->second) return false;
            restart_at_.erase(planned);
            return true;
        }
        auto pause = attempts > 0 ? restarts_.first_pause : std::chrono::milliseconds(0);
        for (std::int64_t i = 1; i < attempts && pause < restarts_.longest_pause; ++i) pause *= 2;
        pause = std::min(pause, restarts_.longest_pause);
        if (problem_.empty())  // otherwise the run was already reported, but could not be launched
            report_("run " + std::to_string(run) + (why.starts_with("its") ? ": " : " ") + why +
                    "; resuming it" +
                    (pause >= std::chrono::seconds(1)
                         ? " in " + std::to_string(pause / std::chrono::seconds(1)) + " s"
                         : ""));
        if (pause.count() == 0) return true;
        restart_at_.emplace(run, Clock::now() + pause);
        return false;
    }

    // Removes a run from the queue, with a message. Always returns false, which updateStarted() returns as
    // "not running".
    Result<bool> leave(RunId run, const std::string& why) {
        // A user may have removed the run at the same time.
        if (auto removed = store_->removeFromQueue(run);
            !removed && removed.error().code != ErrorCode::config)
            return tl::unexpected<Error>(std::move(removed).error());
        jobs_.erase(run);
        restart_at_.erase(run);
        judged_.erase(run);
        seen_.erase(run);
        report_("run " + std::to_string(run) + " " + why);
        return false;
    }

    // `attempt`: counted since the run last saved a checkpoint.
    Result<> start(RunId run, std::int64_t attempt) {
        // Recorded before the process starts, so that after a crash between the two the run is resumed and
        // not started twice.
        SEEDBED_TRY(store_->markStartedInQueue(run, attempt));
        jobs_.erase(run);
        auto child = launchInBackground(
            {program_.string(), "resume", std::to_string(run), "--data", data_folder_.string()},
            runLog(data_folder_, run));
        if (!child) {
            // The cause is the machine (processes, memory, disk) and not the run, so this does not count as
            // an attempt.
            SEEDBED_TRY(store_->markStartedInQueue(run, attempt - 1));
            return tl::unexpected<Error>(std::move(child).error());
        }
        report_("run " + std::to_string(run) + " started (process " + std::to_string(child->id()) + ")");
        jobs_.emplace(run, Job{std::move(*child), std::nullopt});
        seen_.insert(run);
        return {};
    }

    // Returns when a process that this scheduler started exits, or after the poll interval.
    void wait(const std::stop_token& stop) {
        std::vector<pollfd> deaths;
        for (const auto& [run, job] : jobs_)
            if (!job.end) deaths.push_back({job.process.deathDescriptor(), POLLIN, 0});
        const Deadline deadline = deadlineIn(kPollInterval);
        if (deaths.size() == 1) {
            (void)waitFor(deaths[0].fd, POLLIN, stop, deadline);
            return;
        }
        (void)::poll(deaths.data(), deaths.size(), static_cast<int>(kPollInterval));
    }

    const std::filesystem::path& data_folder_;
    const std::filesystem::path& program_;
    const std::function<void(const std::string&)>& report_;
    const RestartPolicy restarts_;
    std::unique_ptr<Store> store_;
    std::map<RunId, Job> jobs_;
    std::map<RunId, std::chrono::steady_clock::time_point> restart_at_;  // times at which waiting runs are
                                                                         // resumed
    std::map<RunId, std::int64_t> judged_;  // number of segments when the run was last restarted
    std::set<RunId> seen_;                  // runs that this scheduler has seen running
    std::string problem_;                   // error of the latest update(); "": none
};

// Whether a scheduler started now would find work.
bool anythingToDo(const std::filesystem::path& data_folder) {
    auto reader = StoreReader::open(data_folder);
    if (!reader) return false;
    const auto queue = reader->queue();
    return queue && std::any_of(queue->entries.begin(), queue->entries.end(), [&](const QueueEntry& entry) {
               return entry.begun || (!entry.paused && !queue->paused);
           });
}

}  // namespace

bool isQueueRunning(const std::filesystem::path& data_folder) {
    return RunLock::isHeld(data_folder, kQueueLock);
}

std::filesystem::path runLog(const std::filesystem::path& data_folder, RunId run) {
    return data_folder / "logs" / ("run-" + std::to_string(run) + ".log");
}

Result<> runQueue(const std::filesystem::path& data_folder, const std::filesystem::path& program,
                  const std::function<void(const std::string&)>& report, const std::stop_token& stop,
                  const RestartPolicy& restarts) {
    for (bool again = false;; again = true) {
        {
            auto lock = RunLock::acquire(data_folder, kQueueLock);
            if (!lock && isQueueRunning(data_folder))
                return again ? Result<>()
                             : fail("the queue of '" + data_folder.string() +
                                    "' already has a running scheduler");
            // The lock has just been released, or acquiring it fails for another reason.
            if (!lock) lock = RunLock::acquire(data_folder, kQueueLock);
            if (!lock)
                return tl::unexpected<Error>(
                    std::move(lock.error())
                        .withContext("starting the queue of '" + data_folder.string() + "'"));
            SEEDBED_TRY(Scheduler(data_folder, program, report, restarts).run(stop));
        }
        // A run may have been queued between the last update and the release of the lock, while the queue
        // was still shown as running.
        if (stop.stop_requested() || !anythingToDo(data_folder)) return {};
    }
}

}  // namespace seedbed
