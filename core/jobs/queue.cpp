// SPDX-License-Identifier: Apache-2.0
// Looks at the queue's table, starts and reaps processes. All it knows is in the database, so that the next
// scheduler can go on.
#include "core/jobs/queue.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <poll.h>

#include "core/base/text.hpp"
#include "core/control/launch.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {
namespace {

constexpr std::int64_t kMaxAttempts = 3;  // for a run whose process vanishes before it has saved anything
constexpr std::int64_t kLookEvery = 500;  // ms; the database has no way to wake us
constexpr int kStoppedByUser = 130;  // exit code of a run that ended cleanly after a stop request or signal

// Whether the newest process of the run saved a checkpoint of its own: rows beyond the checkpoint that a
// process begins with are superseded, so that what is there now was made by it.
bool wentOn(const RunDetails& run) {
    return !run.segments.empty() &&
           std::any_of(run.checkpoints.begin(), run.checkpoints.end(),
                       [&](const auto& row) { return row.step > run.segments.back().begin_step; });
}

class Scheduler {
public:
    Scheduler(const std::filesystem::path& data_folder, const std::filesystem::path& program,
              const std::function<void(const std::string&)>& tell)
        : data_folder_(data_folder), program_(program), tell_(tell) {}
    // Whatever happens to us, runs go on.
    ~Scheduler() {
        for (auto& [run, job] : jobs_) job.process.release();
    }

    Result<> run(const std::stop_token& stop) {
        SEEDBED_ASSIGN(store_, [&]() -> Result<std::unique_ptr<Store>> {
            SEEDBED_ASSIGN(Store store, Store::open(data_folder_));
            return std::make_unique<Store>(std::move(store));
        }());
        while (!stop.stop_requested()) {
            const Result<bool> anything_left = look();
            // A full disk, a shell that holds the database: the night is long, they pass.
            if (const std::string text = anything_left ? "" : anything_left.error().text();
                text != std::exchange(trouble_, text))
                tell_(text.empty() ? "the queue goes on" : "the queue waits, and tries again: " + text);
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
        std::optional<ExitStatus> end;  // set until what follows from it is in the tables
    };

    // One round: what ended is noted, what fits is started. False: nothing goes and nothing can be started.
    // error: the first one; the other runs were looked at all the same.
    Result<bool> look() {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
        SEEDBED_ASSIGN(const QueueState queue, reader.queue());
        forgetRemoved(queue);
        Result<> trouble;
        std::int64_t going = 0;
        std::vector<RunId> waiting;
        for (const QueueEntry& entry : queue.entries) {
            if (!entry.begun && !RunLock::isHeld(data_folder_, entry.run)) {
                if (!entry.paused) waiting.push_back(entry.run);
                continue;
            }
            const Result<bool> goes = follow(entry, reader);
            if (!goes && trouble) trouble = tl::unexpected<Error>(goes.error());
            if (!goes || *goes) ++going;
        }
        for (const RunId run : waiting) {
            if (queue.paused || going >= queue.at_a_time || !trouble) break;
            trouble = begin(run, 1);
            ++going;
        }
        if (!trouble) return tl::unexpected<Error>(std::move(trouble).error());
        return going > 0 || (!queue.paused && !waiting.empty());
    }

    // Processes of runs that somebody took out of the queue; those that still go, go on.
    void forgetRemoved(const QueueState& queue) {
        for (auto job = jobs_.begin(); job != jobs_.end();) {
            const bool is_there = std::any_of(queue.entries.begin(), queue.entries.end(),
                                              [&](const auto& e) { return e.run == job->first; });
            if (!is_there) job->second.process.release();
            job = is_there ? std::next(job) : jobs_.erase(job);
        }
    }

    // Of a run that has begun: whether it still goes. When it ended it leaves the queue; when its process
    // vanished it is begun again.
    Result<bool> follow(const QueueEntry& entry, StoreReader& reader) {
        std::optional<ExitStatus> end;
        if (const auto job = jobs_.find(entry.run); job != jobs_.end()) {
            if (!job->second.end) {
                SEEDBED_ASSIGN(job->second.end, job->second.process.wait({}, deadlineIn(0)));
            }
            if (!job->second.end) return true;
            end = job->second.end;
        }
        // Begun by a scheduler before us, or by hand: also in the moment before ours came.
        if (RunLock::isHeld(data_folder_, entry.run)) {
            if (!entry.begun) SEEDBED_TRY(store_->markStartedInQueue(entry.run, 1));
            seen_.insert(entry.run);
            return true;
        }
        SEEDBED_ASSIGN(const RunDetails details, reader.details(entry.run));
        SEEDBED_ASSIGN(const RunStatus written, reader.writtenStatus(entry.run));
        const RunRecord& run = details.run;
        if (run.status == RunStatus::finished) return leave(entry.run, "has finished");
        if (run.status == RunStatus::failed) return leave(entry.run, "has failed: " + run.status_text);

        // Signals reach everybody when the computer is shut down: what they stopped while we were not there
        // goes on, as often as it takes.
        const bool cleanly =
            written == RunStatus::interrupted && (!end || (end->signal == 0 && end->code == kStoppedByUser));
        if (cleanly && (seen_.contains(entry.run) || run.status_text == kStoppedOnRequest))
            return leave(entry.run, "was stopped");
        const std::int64_t attempts = cleanly || wentOn(details) ? 0 : entry.attempts;
        const bool never_began = written == RunStatus::queued || written == RunStatus::starting;
        const bool refused = never_began && end && end->signal != SIGKILL && end->code != kStoppedByUser;
        const std::string why = end ? end->text() : "vanished";
        if (attempts >= kMaxAttempts || refused) {
            const std::string line = lastLine(runLog(data_folder_, entry.run));
            const std::string text = "its process " + why + (line.empty() ? "" : ": " + line);
            SEEDBED_TRY(store_->setStatus(entry.run, RunStatus::failed, text));
            return leave(entry.run, "has failed: " + text);
        }
        if (trouble_.empty())  // else it was told, and could not be launched
            tell_("run " + std::to_string(entry.run) +
                  (cleanly ? " was interrupted" : ": its process " + why) + ", it is resumed");
        SEEDBED_TRY(begin(entry.run, attempts + 1));
        return true;
    }

    // False, for follow(): it goes no more.
    Result<bool> leave(RunId run, const std::string& why) {
        // Whoever took it out of the queue in this moment wanted the same.
        if (auto removed = store_->removeFromQueue(run);
            !removed && removed.error().code != ErrorCode::config)
            return tl::unexpected<Error>(std::move(removed).error());
        jobs_.erase(run), seen_.erase(run);
        tell_("run " + std::to_string(run) + " " + why);
        return false;
    }

    // `attempt`: which one since the run last saved something.
    Result<> begin(RunId run, std::int64_t attempt) {
        // First the note, then the process: a scheduler that dies in between finds a run to resume, never one
        // that was begun twice.
        SEEDBED_TRY(store_->markStartedInQueue(run, attempt));
        jobs_.erase(run);
        auto child = launchInBackground(
            {program_.string(), "resume", std::to_string(run), "--data", data_folder_.string()},
            runLog(data_folder_, run));
        if (!child) {
            // No process, no memory, no room for the log: the machine's trouble, not the run's. It is no
            // attempt, and is tried again.
            SEEDBED_TRY(store_->markStartedInQueue(run, attempt - 1));
            return tl::unexpected<Error>(std::move(child).error());
        }
        tell_("run " + std::to_string(run) + " is started (process " + std::to_string(child->id()) + ")");
        jobs_.emplace(run, Job{std::move(*child), std::nullopt});
        seen_.insert(run);
        return {};
    }

    // Until one of our processes ends, or it is time to look at the table again.
    void wait(const std::stop_token& stop) {
        std::vector<pollfd> deaths;
        for (const auto& [run, job] : jobs_)
            if (!job.end) deaths.push_back({job.process.deathDescriptor(), POLLIN, 0});
        const Deadline deadline = deadlineIn(kLookEvery);
        if (deaths.size() == 1) {
            (void)waitFor(deaths[0].fd, POLLIN, stop, deadline);
            return;
        }
        (void)::poll(deaths.data(), deaths.size(), static_cast<int>(kLookEvery));
    }

    const std::filesystem::path& data_folder_;
    const std::filesystem::path& program_;
    const std::function<void(const std::string&)>& tell_;
    std::unique_ptr<Store> store_;
    std::map<RunId, Job> jobs_;
    std::set<RunId> seen_;  // going, by us
    std::string trouble_;   // of the newest look
};

// Whether a scheduler that began now would find work.
bool anythingToDo(const std::filesystem::path& data_folder) {
    auto reader = StoreReader::open(data_folder);
    if (!reader) return false;
    const auto queue = reader->queue();
    return queue && std::any_of(queue->entries.begin(), queue->entries.end(), [&](const QueueEntry& entry) {
               return entry.begun || (!entry.paused && !queue->paused);
           });
}

}  // namespace

bool queueIsRun(const std::filesystem::path& data_folder) { return RunLock::isHeld(data_folder, kQueueLock); }

std::filesystem::path runLog(const std::filesystem::path& data_folder, RunId run) {
    return data_folder / "logs" / ("run-" + std::to_string(run) + ".log");
}

Result<> runQueue(const std::filesystem::path& data_folder, const std::filesystem::path& program,
                  const std::function<void(const std::string&)>& tell, const std::stop_token& stop) {
    for (bool again = false;; again = true) {
        {
            auto lock = RunLock::acquire(data_folder, kQueueLock);
            if (!lock && queueIsRun(data_folder))
                return again ? Result<>()
                             : fail("the queue of '" + data_folder.string() + "' is being worked on already");
            // Given back in this moment; what still fails has another reason.
            if (!lock) lock = RunLock::acquire(data_folder, kQueueLock);
            if (!lock)
                return tl::unexpected<Error>(
                    std::move(lock.error())
                        .withContext("beginning to work on the queue of '" + data_folder.string() + "'"));
            SEEDBED_TRY(Scheduler(data_folder, program, tell).run(stop));
        }
        // Whoever put a run into the queue after our last look, while we held the lock, was told that
        // somebody works on it.
        if (stop.stop_requested() || !anythingToDo(data_folder)) return {};
    }
}

}  // namespace seedbed
