// SPDX-License-Identifier: Apache-2.0
#include "core/session/sync_session.hpp"

#include <chrono>
#include <utility>

#include "core/base/mutex.hpp"

namespace seedbed {
namespace {

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Result<std::unique_ptr<Session>> SyncSession::create(Parts parts) {
    std::unique_ptr<SyncSession> session(new SyncSession(std::move(parts)));
    SyncSession& self = *session;
    const Parts& p = self.parts_;
    self.readers_.assign(p.groups.size(), ActingParams::Reader(self.acting_params_));
    self.ended_.resize(p.groups.size());
    std::vector<ActorGroup*> groups;
    CrewOptions options{
        .window_rows = p.plan.learn.rollout_length, .restarts = 0, .stall_ns = 0, .first_env = {}};
    int first_env = 0;
    for (const auto& group : p.groups) {
        groups.push_back(group.get());
        options.first_env.push_back(first_env);
        first_env += group->envs();
    }
    SEEDBED_ASSIGN(self.inference_, InferenceDevices::create(p.plan.config, p.plan.engine.id, p.acting,
                                                             groups, self.acting_params_, self.clock_));
    const bool central = self.inference_->count() > 0;
    const std::size_t timers = central ? static_cast<std::size_t>(p.plan.threads) : p.groups.size();
    for (std::size_t i = 0; i < timers; ++i) self.times_.push_back(std::make_unique<ThreadTimes>());
    if (central) {
        self.crew_ = std::make_unique<ActorCrew>(groups, self.acting_params_, self.clock_, std::move(options),
                                                 ActorCrew::Events{});
        self.inference_->attach(*self.crew_);
        self.inference_->start(nullptr, [&self](const std::string&, const Error& error) {
            {
                const MutexLock lock(self.failure_mutex_);
                self.failure_ = error;
            }
            self.crew_->abort();
        });
    }
    return std::unique_ptr<Session>(std::move(session));
}

SyncSession::~SyncSession() {
    if (inference_ != nullptr) inference_->stop();
}

Result<> SyncSession::rollOutInline() {
    const int length = parts_.plan.learn.rollout_length;
    return parts_.pool->run(parts_.groups.size(), [this, length](std::size_t g, int) -> Result<> {
        const Params& params = readers_[g].params();
        times_[g]->begin();
        for (int t = 0; t < length; ++t) {
            Result<> ticked = parts_.groups[g]->tick(params, ended_[g], *times_[g]);
            if (!ticked)
                return tl::unexpected<Error>(
                    std::move(ticked).error().withContext("stepping group " + std::to_string(g)));
        }
        return {};
    });
}

Result<> SyncSession::rollOutCentral() {
    // All groups are idle at the same row.
    crew_->setGoal(parts_.rings[0]->head() + static_cast<std::uint64_t>(parts_.plan.learn.rollout_length));
    inference_->expectAll();
    crew_->start();
    Result<> worked =
        parts_.pool->run(static_cast<std::size_t>(parts_.plan.threads), [this](std::size_t thread, int) {
            Result<> result = crew_->work({}, *times_[thread], nullptr, true);
            if (!result) crew_->abort();
            return result;
        });
    SEEDBED_TRY(std::move(worked));
    const MutexLock lock(failure_mutex_);
    if (failure_) return tl::unexpected<Error>(*failure_);
    for (std::size_t g = 0; g < ended_.size(); ++g) std::swap(ended_[g], crew_->ended(static_cast<int>(g)));
    return {};
}

PhaseSums SyncSession::workerSeconds() const {
    PhaseSums sums{};
    for (const auto& times : times_) sums += times->seconds();
    return sums;
}

Result<IterationStats> SyncSession::iterate(std::stop_token) {
    IterationStats stats;
    const auto begin = std::chrono::steady_clock::now();
    acting_params_.publish(parts_.learner->params());
    std::uint64_t decisions_before = 0;
    for (const auto& group : parts_.groups) decisions_before += group->env().decisions();
    const PhaseSums worker_before = workerSeconds(), inference_before = inference_->seconds();
    for (auto& ended : ended_) ended.clear();
    // After a failure some groups are rows ahead of others, and windows would hold old rows.
    if (failed_) return tl::unexpected<Error>(*failed_);
    if (Result<> rolled = inference_->count() > 0 ? rollOutCentral() : rollOutInline(); !rolled) {
        failed_ = rolled.error();
        return tl::unexpected<Error>(std::move(rolled).error());
    }
    for (std::size_t g = 0; g < parts_.groups.size(); ++g) {
        for (EpisodeEnd end : ended_[g]) {
            end.column += parts_.first_column[g];
            stats.episodes.push_back(end);
        }
        stats.decisions += parts_.groups[g]->env().decisions();
    }
    stats.decisions -= decisions_before;
    stats.rollout_s = secondsSince(begin);
    if (before_learning_) before_learning_();

    const auto learning = std::chrono::steady_clock::now();
    const int length = parts_.plan.learn.rollout_length;
    std::vector<Window> windows;
    for (std::size_t g = 0; g < parts_.groups.size(); ++g) {
        const Ring& ring = *parts_.rings[g];
        windows.push_back(Window{static_cast<int>(g), ring.head() - static_cast<std::uint64_t>(length),
                                 length, 0, ring.columns()});
    }
    measureLag(windows, 0, stats);
    SEEDBED_ASSIGN(stats.update, parts_.learner->update(parts_.rings, windows, progress_, *parts_.pool));
    stats.learn_s = secondsSince(learning);
    progress_.steps += stats.decisions;
    ++progress_.updates;

    stats.times.wall_s = secondsSince(begin);
    if (inference_->count() > 0) {
        RoleTimes& role = stats.times.role("inference");
        role.thread_s = stats.times.wall_s * inference_->count();
        role.seconds = inference_->seconds() - inference_before;
        // Its last wait continues into the next rollout and counts as idle time.
        role.seconds[static_cast<std::size_t>(Phase::wait)] = 0;
        role.fillIdle();
    }
    RoleTimes& worker = stats.times.role("worker");
    worker.thread_s = stats.times.wall_s * parts_.plan.threads;
    worker.seconds = workerSeconds() - worker_before;
    addUpdate(stats.update, worker);
    worker.fillIdle();
    stats.env_s = stats.times.sum(Phase::env);
    stats.inference_s = stats.times.sum(Phase::inference_gather) + stats.times.sum(Phase::inference_forward) +
                        stats.times.sum(Phase::inference_sample);
    inference_->appendMetrics(stats.metrics);
    return stats;
}

Result<> SyncSession::archive(Archive& archive, Archive*) {
    // Every window has been learned from; only the head row and its history are needed.
    std::vector<std::uint64_t> heads;
    for (const Ring* ring : parts_.rings) heads.push_back(ring->head());
    return archiveParts(archive, heads);
}

}  // namespace seedbed
