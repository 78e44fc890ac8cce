// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/population.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <poll.h>

#include "core/base/text.hpp"
#include "core/control/launch.hpp"
#include "core/jobs/population_member.hpp"
#include "core/jobs/population_rules.hpp"
#include "core/store/population/population_store.hpp"

namespace seedbed {
namespace {

constexpr int kDeathPollInterval = 100;  // ms; for stop requests
constexpr int kMaxProcesses = 3;         // processes of a piece of work that may be killed
constexpr int kStoppedCode = 130;        // exit code after a stop request or signal
constexpr int kSaveTimeout = 60'000;     // ms; for processes that save their runs

class Controller {
public:
    Controller(const PopulationRun& request, const std::stop_token& stop, PopulationStore store,
               PopulationRecord population)
        : request_(request),
          stop_(stop),
          store_(std::move(store)),
          population_(std::move(population)),
          rules_(rulesFromJson(population_.settings)) {}

    Result<> run() {
        while (true) {
            // No member trains before all copies are made: training would remove the checkpoint to copy.
            for (const RoundState state : {RoundState::copying, RoundState::training}) {
                Result<> worked = work(state);
                if (worked) continue;
                endChildren();
                return worked;
            }
            SEEDBED_ASSIGN(const auto ended, newestRound());
            SEEDBED_TRY(checkAnyDone(ended));
            if (ended.front().round >= rules_.rounds()) return {};
            SEEDBED_TRY(decide(ended));
        }
    }

private:
    Result<std::vector<PopulationRound>> newestRound() {
        SEEDBED_ASSIGN(std::vector<PopulationRound> rows, store_.rounds(population_.id));
        if (rows.empty()) return fail("population '" + population_.name + "' has no members");
        const std::int64_t newest = rows.back().round;
        std::erase_if(rows, [&](const PopulationRound& row) { return row.round != newest; });
        return rows;
    }

    Result<> checkAnyDone(const std::vector<PopulationRound>& ended) const {
        if (std::any_of(ended.begin(), ended.end(),
                        [](const auto& row) { return row.state == RoundState::done; }))
            return {};
        return fail("all members of population '" + population_.name + "' failed in round " +
                    std::to_string(ended.front().round) + "; member 1: " + ended.front().error);
    }

    Result<> decide(const std::vector<PopulationRound>& ended) {
        const std::vector<PopulationRound> next = nextRound(rules_, ended);
        SEEDBED_ASSIGN(const bool added, store_.addRound(population_.id, next));
        if (std::none_of(ended.begin(), ended.end(), [](const auto& row) { return row.score.has_value(); }))
            report(ended.front(),
                   "and all others have no value of '" + rules_.objective + "' yet, so none is copied");
        for (const PopulationRound& row : next)
            if (added && row.state == RoundState::copying)
                report(row, "continues as a copy of member " + std::to_string(row.parent) + " with " +
                                settingsText(row.settings));
        return {};
    }

    void report(const PopulationRound& row, const std::string& text) const {
        if (request_.report)
            request_.report("round " + std::to_string(row.round) + " of " + std::to_string(rules_.rounds()) +
                            ": member " + std::to_string(row.member) + " " + text);
    }

    // Does the work of all members that are in this state.
    Result<> work(RoundState state) {
        SEEDBED_ASSIGN(const auto rows, newestRound());
        std::vector<int> waiting;
        for (const PopulationRound& row : rows)
            if (row.state == state) waiting.push_back(row.member);
        std::reverse(waiting.begin(), waiting.end());
        attempts_.clear();
        while (!waiting.empty() || !children_.empty()) {
            if (stop_.stop_requested())
                return fail(ErrorCode::interrupted,
                            "stopped; continue with 'seedbed population resume " + population_.name + "'");
            while (!waiting.empty() && static_cast<int>(children_.size()) < request_.jobs) {
                SEEDBED_TRY(start(waiting.back(), rows.front().round, state));
                waiting.pop_back();
            }
            SEEDBED_ASSIGN(const std::vector<int> again, takeEnded(state));
            waiting.insert(waiting.end(), again.begin(), again.end());
        }
        return {};
    }

    Result<> start(int member, std::int64_t round, RoundState state) {
        ++attempts_[member];
        SEEDBED_ASSIGN(
            ChildProcess child,
            launchInBackground({request_.program.string(), "population", "member",
                                std::to_string(population_.id), std::to_string(member), std::to_string(round),
                                nameOf(state), "--data", request_.data_folder.string(), "--quiet"},
                               memberLog(request_.data_folder, population_.id, member)));
        children_.emplace(member, std::move(child));
        return {};
    }

    // Waits for processes to end. Returns the members whose work must be started again.
    Result<std::vector<int>> takeEnded(RoundState state) {
        std::vector<pollfd> deaths;
        for (const auto& [member, child] : children_) deaths.push_back({child.deathDescriptor(), POLLIN, 0});
        (void)::poll(deaths.data(), deaths.size(), kDeathPollInterval);
        std::vector<int> again;
        for (auto child = children_.begin(); child != children_.end();) {
            SEEDBED_ASSIGN(const auto status, child->second.wait({}, deadlineIn(0)));
            if (!status) {
                ++child;
                continue;
            }
            const int member = child->first;
            child = children_.erase(child);
            SEEDBED_ASSIGN(const bool repeat, judge(member, state, *status));
            if (repeat) again.push_back(member);
        }
        return again;
    }

    // Whether the work of a member must be repeated after its process exited.
    Result<bool> judge(int member, RoundState state, const ExitStatus& status) {
        SEEDBED_ASSIGN(const auto rows, newestRound());
        const auto row = std::find_if(rows.begin(), rows.end(),
                                      [&](const auto& candidate) { return candidate.member == member; });
        if (row == rows.end())
            return fail("population '" + population_.name + "' has no row of member " +
                        std::to_string(member));
        if (row->state != state) {
            reportEnd(*row);
            return false;
        }
        const std::filesystem::path log = memberLog(request_.data_folder, population_.id, member);
        const std::string line = status.statesCause() ? lastLine(log) : "";
        const std::string text = "member " + std::to_string(member) + ": its process " + status.text() +
                                 (line.empty() ? "" : ": " + line);
        // Its cause is not the member, which has not failed.
        if (status.signal == 0 && !status.ok())
            return fail(status.code == kStoppedCode ? ErrorCode::interrupted : ErrorCode::failure,
                        text + "; continue with 'seedbed population resume " + population_.name + "'");
        if (attempts_[member] < kMaxProcesses) {
            report(*row, "is started again: its process " + status.text());
            return true;
        }
        SEEDBED_TRY(store_.setFailed(
            population_.id, row->round, member,
            "its process " + status.text() + " " + std::to_string(kMaxProcesses) + " times"));
        report(*row, "failed: its process " + status.text());
        return false;
    }

    void reportEnd(const PopulationRound& row) const {
        char score[32] = "not recorded";
        if (row.score) std::snprintf(score, sizeof score, "%.5g", *row.score);
        if (row.state == RoundState::failed) report(row, "failed: " + row.error);
        if (row.state == RoundState::done)
            report(row,
                   "is at step " + formatCount(row.end_step) + " with " + rules_.objective + " " + score);
    }

    // Lets all processes save their runs. A process that takes too long is killed with `children_`; its
    // member continues from its newest checkpoint.
    void endChildren() {
        for (auto& [member, child] : children_) (void)child.signal(SIGTERM);
        const Deadline end = deadlineIn(kSaveTimeout);
        for (auto& [member, child] : children_) (void)child.wait({}, end);
        children_.clear();
    }

    const PopulationRun& request_;
    const std::stop_token& stop_;
    PopulationStore store_;
    const PopulationRecord population_;
    const PopulationRules rules_;
    std::map<int, ChildProcess> children_;  // by member
    std::map<int, int> attempts_;           // processes started for the current work
};

}  // namespace

std::filesystem::path memberLog(const std::filesystem::path& data_folder, std::int64_t population,
                                int member) {
    return data_folder / "logs" /
           ("population-" + std::to_string(population) + "-" + std::to_string(member) + ".log");
}

Result<> runPopulation(const PopulationRun& request, const std::stop_token& stop) {
    SEEDBED_ASSIGN(PopulationStore store, PopulationStore::open(request.data_folder));
    SEEDBED_ASSIGN(PopulationRecord population, store.population(std::to_string(request.population)));
    auto lock = RunLock::acquire(request.data_folder, populationLock(population.id, 0));
    if (!lock && RunLock::isHeld(request.data_folder, populationLock(population.id, 0)))
        return fail("population '" + population.name + "' is already being trained by another process");
    if (!lock) return tl::unexpected<Error>(std::move(lock).error());
    return Controller(request, stop, std::move(store), std::move(population)).run();
}

}  // namespace seedbed
