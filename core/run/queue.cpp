// SPDX-License-Identifier: Apache-2.0
// Looks at the queue's table, starts and reaps processes. All it knows is in the database, so that the next scheduler can go on.
#include "core/run/queue.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <poll.h>

#include "core/base/text.hpp"
#include "core/control/launch.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {
namespace {

constexpr RunId kQueueLock = 0;           // runs are counted from 1
constexpr std::int64_t kMaxAttempts = 3;  // for a run whose process vanishes
constexpr std::int64_t kLookEvery = 500;  // ms; the database has no way to wake us

class Scheduler {
public:
    Scheduler(const std::filesystem::path& data_folder, const std::filesystem::path& program,
              const std::function<void(const std::string&)>& tell)
        : data_folder_(data_folder), program_(program), tell_(tell) {}
    // Whatever happens to us, runs go on.
    ~Scheduler() {
        for (auto& [run, child] : children_) child.letGo();
    }

    Result<> run(const std::stop_token& stop) {
        SEEDBED_ASSIGN(store_, [&]() -> Result<std::unique_ptr<Store>> {
            SEEDBED_ASSIGN(Store store, Store::open(data_folder_));
            return std::make_unique<Store>(std::move(store));
        }());
        bool first = true;
        while (!stop.stop_requested()) {
            SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
            SEEDBED_ASSIGN(const QueueState queue, reader.queue());
            SEEDBED_ASSIGN(const bool anything_left, lookAt(queue, reader, std::exchange(first, false)));
            if (!anything_left) break;
            wait(stop);
        }
        return {};
    }

private:
    // One round: what ended is noted, what fits is started. False: nothing goes and nothing can be started.
    Result<bool> lookAt(const QueueState& queue, StoreReader& reader, bool first) {
        std::int64_t going = 0;
        std::vector<QueueEntry> waiting;
        for (const QueueEntry& entry : queue.entries) {
            if (!entry.begun) {
                if (!entry.paused) waiting.push_back(entry);
                continue;
            }
            SEEDBED_ASSIGN(const bool goes, follow(entry, reader, first));
            if (goes) ++going;
        }
        for (const QueueEntry& entry : waiting) {
            if (queue.paused || going >= queue.at_a_time) break;
            SEEDBED_TRY(begin(entry.run));
            ++going;
        }
        return going > 0 || (!queue.paused && !waiting.empty());
    }

    // Of a run that a scheduler has begun: whether it still goes. When it ended it leaves the queue; when its process vanished it is begun
    // again.
    Result<bool> follow(const QueueEntry& entry, StoreReader& reader, bool first) {
        std::string why;
        if (const auto child = children_.find(entry.run); child != children_.end()) {
            SEEDBED_ASSIGN(const auto ended, child->second.wait({}, deadlineIn(0)));
            if (!ended) return true;
            why = ended->text();
            children_.erase(child);
        } else if (RunLock::isHeld(data_folder_, entry.run)) {
            return true;  // begun by a scheduler before us, or by hand
        }
        SEEDBED_ASSIGN(const RunRecord run, reader.run(entry.run));
        const std::string name = "run " + std::to_string(entry.run);
        if (run.status == RunStatus::finished || run.status == RunStatus::failed) {
            tell_(name + (run.status == RunStatus::finished ? " has finished" : " has failed: " + run.status_text));
            SEEDBED_TRY(store_->removeFromQueue(entry.run));
            return false;
        }
        SEEDBED_ASSIGN(const RunStatus written, reader.writtenStatus(entry.run));
        const bool by_user = written == RunStatus::interrupted && run.status_text == kStoppedOnRequest;
        // Signals reach everybody when the computer is shut down: what they stopped goes on at the next start.
        if (by_user || (written == RunStatus::interrupted && !first)) {
            tell_(name + " was stopped");
            SEEDBED_TRY(store_->removeFromQueue(entry.run));
            return false;
        }
        const bool never_began = written == RunStatus::queued || written == RunStatus::starting;
        if (entry.attempts >= kMaxAttempts || (never_began && !why.empty() && why != "was ended by signal 9 (Killed)")) {
            const std::string line = lastLine(runLog(data_folder_, entry.run));
            const std::string text = "its process " + (why.empty() ? "vanished" : why) + (line.empty() ? "" : ": " + line);
            tell_(name + " has failed: " + text);
            SEEDBED_TRY(store_->setStatus(entry.run, RunStatus::failed, text));
            SEEDBED_TRY(store_->removeFromQueue(entry.run));
            return false;
        }
        tell_(name + ": its process vanished" + (why.empty() ? "" : " (" + why + ")") + ", it is resumed");
        SEEDBED_TRY(begin(entry.run));
        return true;
    }

    Result<> begin(RunId run) {
        // First the note, then the process: a scheduler that dies in between finds a run to resume, never one that was begun twice.
        SEEDBED_TRY(store_->markBegunInQueue(run));
        auto child = launchInBackground({program_.string(), "resume", std::to_string(run), "--data", data_folder_.string()},
                                        runLog(data_folder_, run));
        if (!child) {
            SEEDBED_TRY(store_->setStatus(run, RunStatus::failed, child.error().text()));
            return store_->removeFromQueue(run);
        }
        tell_("run " + std::to_string(run) + " is started (process " + std::to_string(child->id()) + ")");
        children_.emplace(run, std::move(*child));
        return {};
    }

    // Until one of our processes ends, or it is time to look at the table again.
    void wait(const std::stop_token& stop) {
        std::vector<pollfd> deaths;
        for (const auto& [run, child] : children_) deaths.push_back({child.deathDescriptor(), POLLIN, 0});
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
    std::map<RunId, ChildProcess> children_;
};

}  // namespace

bool queueIsRun(const std::filesystem::path& data_folder) { return RunLock::isHeld(data_folder, kQueueLock); }

std::filesystem::path runLog(const std::filesystem::path& data_folder, RunId run) {
    return data_folder / "logs" / ("run-" + std::to_string(run) + ".log");
}

Result<> runQueue(const std::filesystem::path& data_folder, const std::filesystem::path& program,
                  const std::function<void(const std::string&)>& tell, const std::stop_token& stop) {
    const auto lock = RunLock::acquire(data_folder, kQueueLock);
    if (!lock) return fail("the queue of '" + data_folder.string() + "' is being worked on already");
    return Scheduler(data_folder, program, tell).run(stop);
}

}  // namespace seedbed
