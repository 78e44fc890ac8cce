// SPDX-License-Identifier: Apache-2.0
#include "core/session/timing.hpp"

#include <algorithm>
#include <array>

namespace seedbed {
namespace {

constexpr std::array kWaits{Phase::wait_inference, Phase::wait_room, Phase::wait, Phase::idle};
constexpr std::array kActing{Phase::inference_gather, Phase::inference_forward, Phase::inference_sample};
constexpr std::array kLearning{Phase::gather, Phase::targets,  Phase::forward,
                               Phase::loss,   Phase::backward, Phase::optimiser};

template <std::size_t kSize>
double total(const PhaseSums& sums, const std::array<Phase, kSize>& phases) {
    double seconds = 0;
    for (const Phase phase : phases) seconds += sums[static_cast<std::size_t>(phase)];
    return seconds;
}

}  // namespace

PhaseSums operator-(const PhaseSums& after, const PhaseSums& before) {
    PhaseSums difference{};
    for (std::size_t i = 0; i < kPhases; ++i) difference[i] = after[i] - before[i];
    return difference;
}

PhaseSums& operator+=(PhaseSums& sums, const PhaseSums& more) {
    for (std::size_t i = 0; i < kPhases; ++i) sums[i] += more[i];
    return sums;
}

void addUpdate(const UpdateStats& update, RoleTimes& role) {
    const auto add = [&role](Phase phase, double seconds) {
        role.seconds[static_cast<std::size_t>(phase)] += seconds;
    };
    add(Phase::gather, update.gather_s), add(Phase::targets, update.targets_s),
        add(Phase::forward, update.forward_s);
    add(Phase::loss, update.loss_s), add(Phase::backward, update.backward_s),
        add(Phase::optimiser, update.optimiser_s);
}

double RoleTimes::waiting() const { return total(seconds, kWaits); }

double RoleTimes::busy() const {
    double all = 0;
    for (const double s : seconds) all += s;
    return all - waiting();
}

void RoleTimes::fillIdle() {
    double all = 0;
    for (const double s : seconds) all += s;
    seconds[static_cast<std::size_t>(Phase::idle)] += std::max(0.0, thread_s - all);
}

RoleTimes& TimingTree::role(const std::string& name) {
    for (RoleTimes& known : roles)
        if (known.role == name) return known;
    return roles.emplace_back(RoleTimes{.role = name, .thread_s = 0, .seconds = {}});
}

void TimingTree::add(const TimingTree& other) {
    wall_s += other.wall_s;
    for (const RoleTimes& more : other.roles) {
        RoleTimes& mine = role(more.role);
        mine.thread_s += more.thread_s;
        mine.seconds += more.seconds;
    }
}

double TimingTree::sum(Phase phase) const {
    double seconds = 0;
    for (const RoleTimes& role : roles) seconds += role.of(phase);
    return seconds;
}

std::string TimingTree::bottleneck() const {
    const RoleTimes *actor = nullptr, *inference = nullptr, *learner = nullptr, *worker = nullptr;
    for (const RoleTimes& role : roles) {
        if (role.role == "actor") actor = &role;
        if (role.role == "inference") inference = &role;
        if (role.role == "learner") learner = &role;
        if (role.role == "worker") worker = &role;
    }
    if (wall_s <= 0) return "";
    if (worker != nullptr) {
        const double env = worker->of(Phase::env), learning = total(worker->seconds, kLearning);
        const double acting =
            total(worker->seconds, kActing) + (inference != nullptr ? inference->busy() : 0);
        if (worker->waiting() > 0.5 * worker->thread_s) {
            const bool for_inference = worker->of(Phase::wait_inference) > 0.5 * worker->waiting();
            if (!for_inference) return "idle threads";
            return inference != nullptr && inference->busy() > 0.5 * worker->of(Phase::wait_inference)
                       ? "inference"
                       : "waiting for inference";
        }
        if (learning >= env && learning >= acting) return "learning";
        return env >= acting ? "env" : "inference";
    }
    if (actor == nullptr || learner == nullptr) return "";
    // Actors wait for room if they deliver more rows than the learner uses.
    if (actor->of(Phase::wait_room) > 0.25 * actor->thread_s && learner->busy() > 0.5 * learner->thread_s)
        return "learning";
    if (actor->of(Phase::wait_inference) > 0.5 * actor->thread_s)
        return inference != nullptr && inference->busy() > 0.7 * inference->thread_s
                   ? "inference"
                   : "waiting for inference";
    const double acting = total(actor->seconds, kActing);
    if (actor->busy() > 0.5 * actor->thread_s) {
        // All threads are busy, so this returns the largest part of the work; learning only counts if the
        // learner is not waiting.
        if (learner->busy() > std::max(actor->of(Phase::env), acting) &&
            learner->waiting() < 0.25 * learner->thread_s)
            return "learning";
        return actor->of(Phase::env) >= acting ? "env" : "inference";
    }
    return actor->of(Phase::wait_room) > actor->of(Phase::wait) ? "learning" : "idle threads";
}

std::vector<std::pair<std::string, double>> TimingTree::metrics() const {
    std::vector<std::pair<std::string, double>> out;
    const double acting =
        sum(Phase::inference_gather) + sum(Phase::inference_forward) + sum(Phase::inference_sample);
    const double waiting = sum(Phase::wait) + sum(Phase::wait_inference) + sum(Phase::wait_room);
    out.emplace_back("time/env", sum(Phase::env));
    out.emplace_back("time/inference", acting);
    for (const Phase phase : kLearning) out.emplace_back(std::string("time/") + phaseName(phase), sum(phase));
    out.emplace_back("time/wait", waiting);
    out.emplace_back("time/idle", sum(Phase::idle));
    // Phases that the sums do not cover, for each kind of thread. Environments and learning are omitted: only
    // one kind of thread has them.
    const auto recorded = [this](Phase phase) {
        return phase == Phase::env || (phase == Phase::idle && roles.size() == 1) ||
               std::find(kLearning.begin(), kLearning.end(), phase) != kLearning.end();
    };
    for (const RoleTimes& role : roles)
        for (std::size_t i = 0; i < kPhases; ++i)
            if (role.seconds[i] > 0 && !recorded(static_cast<Phase>(i)))
                out.emplace_back("time/" + role.role + "/" + phaseName(static_cast<Phase>(i)),
                                 role.seconds[i]);
    return out;
}

Json TimingTree::json() const {
    Json json = Json::object();
    for (const RoleTimes& role : roles) {
        Json& node = json[role.role] = {{"thread_s", role.thread_s}};
        for (std::size_t i = 0; i < kPhases; ++i)
            if (role.seconds[i] > 0) node[phaseName(static_cast<Phase>(i))] = role.seconds[i];
    }
    return json;
}

}  // namespace seedbed
