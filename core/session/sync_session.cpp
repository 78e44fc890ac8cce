// SPDX-License-Identifier: Apache-2.0
#include "core/session/sync_session.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "core/base/mutex.hpp"
#include "core/base/text.hpp"
#include "core/env/host_id.hpp"

namespace seedbed {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// How long threads may continue after a rollout was abandoned: in environments, in the middle of a row, and
// in the network.
constexpr milliseconds kHangTimeout{200};
constexpr milliseconds kAbandonedRowTimeout{700};
constexpr milliseconds kComputeTimeout{10'000};
constexpr const char* kStopped = "stopped while collecting experience";
constexpr milliseconds kAbandonedEndTimeout{500};  // limit for threads abandoned in an environment

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
    self.stepping_.assign(p.groups.size(), 0);
    if (isOfHost(p.plan.config.env_id))
        self.rows_ahead_ = static_cast<std::uint64_t>(p.plan.learn.rollout_length);
    std::vector<ActorGroup*> groups;
    CrewOptions options{
        .window_rows = p.plan.learn.rollout_length, .restarts = 0, .stall_ns = 0, .first_env = {}};
    int first_env = 0;
    for (const auto& group : p.groups) {
        groups.push_back(group.get());
        group->holdAt(self.gate_, self.ending_.get_token());
        options.first_env.push_back(first_env);
        first_env += group->envs();
    }
    if (p.plan.learn.replay)
        self.replay_ = std::make_unique<ReplayWindows>(
            p.rings, p.plan.learn, static_cast<std::uint64_t>(p.plan.config.run.seed),
            [&learner = *p.learner](const Chunk& acted, float* priorities) {
                learner.algorithm().actingPriorities(acted, priorities);
            });
    if (p.plan.learn.replay && p.plan.learn.replay->hindsight > 0)
        self.hindsight_ =
            std::make_unique<HindsightWindows>(*self.replay_, p.rings, p.plan.learn.replay->hindsight,
                                               static_cast<std::uint64_t>(p.plan.config.run.seed));
    SEEDBED_ASSIGN(self.inference_, InferenceDevices::create(p.plan.config, p.plan.engine.id, p.acting,
                                                             groups, self.acting_params_, self.clock_));
    const bool central = self.inference_->count() > 0;
    self.body_ = [&self, central](std::size_t index, int) {
        self.running_.fetch_add(1, std::memory_order_seq_cst);
        Result<> result = central ? self.crewWork(index) : self.stepGroup(index);
        self.running_.fetch_sub(1, std::memory_order_seq_cst);
        return result;
    };
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

SyncSession::SyncSession(Parts parts) : Session(std::move(parts)) {}

SyncSession::~SyncSession() {
    ending_.request_stop();
    while (left_ && iterating_) std::this_thread::sleep_for(milliseconds(1));
    if (inference_ != nullptr) inference_->stop();
}

bool SyncSession::end(milliseconds timeout) {
    ending_.request_stop();
    if (!left_) return true;
    const milliseconds limit = timeFor(std::min(timeout, kAbandonedEndTimeout));
    const auto begin = steady_clock::now();
    while (iterating_) {
        if (steady_clock::now() - begin >= limit) return false;
        std::this_thread::sleep_for(milliseconds(1));
    }
    return true;
}

// --- rollouts
// ---------------------------------------------------------------------------------------------------------

std::uint64_t SyncSession::goal() const {
    return rollout_begin_ + static_cast<std::uint64_t>(parts_.plan.learn.rollout_length);
}

Result<> SyncSession::stepGroup(std::size_t g) {
    ActorGroup& group = *parts_.groups[g];
    const Acting& acting = readers_[g].acting();
    const StopGrace& grace = *grace_;
    times_[g]->begin();
    while (group.ring().head() < goal()) {
        if (abandoned_.load(std::memory_order_relaxed) || grace.isOver())
            return fail(ErrorCode::interrupted, kStopped);
        Result<> ticked = group.needsRestart() ? group.restart() : group.tick(acting, ended_[g], *times_[g]);
        if (!ticked)
            return tl::unexpected<Error>(
                std::move(ticked).error().withContext("stepping group " + std::to_string(g)));
    }
    return {};
}

Result<> SyncSession::crewWork(std::size_t thread) {
    Result<> result = crew_->work({}, *times_[thread], nullptr, true);
    if (!result) crew_->abort();
    return result;
}

std::string SyncSession::nameOf(std::size_t group) const {
    int first = 0;
    for (std::size_t g = 0; g < group; ++g) first += parts_.groups[g]->envs();
    return "group " + std::to_string(group) + " (environments " + std::to_string(first) + " to " +
           std::to_string(first + parts_.groups[group]->envs() - 1) + ")";
}

// A group stalls if its step has taken actor.stall_s.
void SyncSession::findStall(std::int64_t now_ns) {
    const double limit_s = parts_.plan.config.actor.stall_s;
    for (std::size_t g = 0; g < watched_.size() && !stall_; ++g) {
        if (parts_.groups[g]->isSupervised()) continue;
        Watched& watched = watched_[g];
        const std::uint64_t head = parts_.rings[g]->head();
        const bool stepping = parts_.groups[g]->activity() != ActorGroup::Activity::between_rows;
        if (!stepping || watched.head != head || watched.since_ns == 0) {
            watched = {head, stepping ? now_ns : 0};
            continue;
        }
        if (static_cast<double>(now_ns - watched.since_ns) * 1e-9 < limit_s) continue;
        stall_ = Error{ErrorCode::stalled,
                       nameOf(g) + " has not returned from its environments for " + formatNumber(limit_s) +
                           " s (actor.stall_s)",
                       {}};
    }
}

void SyncSession::abandon() {
    abandoned_.store(true, std::memory_order_seq_cst);
    abandoned_ns_ = clock_.monotonicNs();
    if (crew_ == nullptr) return;
    crew_->abort();
    inference_->stop();
}

bool SyncSession::isHanging(std::size_t group) const {
    return parts_.groups[group]->activity() != ActorGroup::Activity::between_rows;
}

// Whether all threads that are still running hang in environments.
bool SyncSession::mustLeave() {
    const std::int64_t now = clock_.monotonicNs();
    if (!abandoned_.load(std::memory_order_relaxed)) {
        findStall(now);
        if (stall_ || grace_.load()->isOver()) abandon();
        return false;
    }
    const milliseconds waited((now - abandoned_ns_) / 1'000'000);
    if (waited < kHangTimeout) return false;
    // From now on, threads that return from an environment stop before they change anything that is saved.
    if (!gate_.isSealed()) {
        gate_.close();
        gate_.seal();
    }
    int in_environments = 0, writing = 0;
    for (const auto& group : parts_.groups) {
        const ActorGroup::Activity activity = group->activity();
        in_environments += activity == ActorGroup::Activity::in_environments ? 1 : 0;
        writing += activity == ActorGroup::Activity::writing ? 1 : 0;
    }
    const int others = running_.load(std::memory_order_seq_cst) - in_environments;
    if (others > 0 && waited < (others > writing ? kComputeTimeout : kAbandonedRowTimeout)) return false;
    is_computing_ = others > writing;
    return true;
}

std::optional<Error> SyncSession::watch() {
    const MutexLock lock(watch_mutex_);
    if (grace_ == nullptr || !mustLeave()) return std::nullopt;
    left_ = true;
    grace_ = nullptr;
    takeEpisodes();
    failed_ = abandonedError();
    // The other ranks wait for this one at the end of the rollout.
    if (const Result<> ended = ranks_.endRollout(tl::unexpected<Error>(*failed_), false);
        ended.error().code != kRankLost)
        failed_ = ended.error();
    return failed_;
}

void SyncSession::beginRollout(const StopGrace& grace) {
    const MutexLock lock(watch_mutex_);
    abandoned_.store(false, std::memory_order_relaxed);
    watched_.assign(parts_.groups.size(), Watched{});
    grace_ = &grace;
}

// Afterwards, the watching thread can no longer abandon this one.
Result<> SyncSession::endRollout() {
    const MutexLock lock(watch_mutex_);
    if (left_) throw LeftBehind();
    grace_ = nullptr;
    if (!abandoned_.load(std::memory_order_relaxed)) return {};
    gate_.open();
    return tl::unexpected<Error>(abandonedError());
}

// With central inference, takes finished episodes from the crew. Episodes of groups that hang are dropped.
void SyncSession::takeEpisodes() {
    for (std::size_t g = 0; crew_ != nullptr && g < ended_.size(); ++g) {
        if (left_ && isHanging(g)) continue;
        std::vector<EpisodeEnd>& ended = crew_->ended(static_cast<int>(g));
        ended_[g].insert(ended_[g].end(), ended.begin(), ended.end());
        ended.clear();
    }
}

Result<> SyncSession::rollOut(const StopGrace& grace) {
    beginRollout(grace);
    if (crew_ != nullptr) {
        crew_->setGoal(goal());
        inference_->expectAll();
        crew_->start();
    }
    const std::size_t calls =
        crew_ != nullptr ? static_cast<std::size_t>(parts_.plan.threads) : parts_.groups.size();
    const Result<> worked = parts_.pool->run(calls, body_);
    const Result<> ended = endRollout();
    takeEpisodes();
    SEEDBED_TRY(Result<>(ended));
    SEEDBED_TRY(Result<>(worked));
    const MutexLock lock(failure_mutex_);
    if (failure_) return tl::unexpected<Error>(*failure_);
    return {};
}

Error SyncSession::abandonedError() const {
    return stall_ ? *stall_ : Error{ErrorCode::interrupted, kStopped, {}};
}

PhaseSums SyncSession::workerSeconds() const {
    PhaseSums sums{};
    for (const auto& times : times_) sums += times->seconds();
    return sums;
}

void SyncSession::openRollout() {
    publishActing();
    if (is_open_) return;
    is_open_ = true;
    rollout_begin_ = parts_.rings[0]->head();  // all groups are at the same row
    decisions_before_ = allDecisions();
    group_decisions_.clear();
    for (const auto& group : parts_.groups) group_decisions_.push_back(group->env().decisions());
    for (auto& ended : ended_) ended.clear();
}

Result<IterationStats> SyncSession::iterate(std::stop_token stop) {
    iterating_ = true;
    // Declared first, so that it is destroyed last: afterwards, an abandoned thread no longer uses this
    // session.
    const struct Iterating {
        std::atomic<bool>& flag;
        ~Iterating() { flag = false; }
    } iterating{iterating_};
    IterationStats stats;
    const StopGrace grace(stop, stop_grace_);
    const auto begin = steady_clock::now();
    // After a failure, some groups are ahead of others by some rows, and windows would contain old rows.
    if (failed_) return tl::unexpected<Error>(*failed_);
    const PhaseSums worker_before = workerSeconds(), inference_before = inference_->seconds();
    // If a rank is lost here, some of the others roll out nevertheless, and so does this one.
    static_cast<void>(ranks_.begin(*parts_.learner));
    openRollout();
    Result<> rolled = rollOut(grace);
    rolled = ranks_.endRollout(std::move(rolled), stop.stop_requested());
    if (!rolled && rolled.error().code == kRankLost) cutUpdate(false);
    if (!rolled) {
        // The crew and inference cannot be restarted.
        if (rolled.error().code != ErrorCode::interrupted || crew_ != nullptr) failed_ = rolled.error();
        return tl::unexpected<Error>(std::move(rolled).error());
    }
    stats.rollout_s = secondsSince(begin);
    if (before_learning_) before_learning_();

    const auto learning = steady_clock::now();
    SEEDBED_TRY(learnAll(grace, stats));
    SEEDBED_TRY(learnedFrom(stats));
    ranks_.synchronised(*parts_.learner);
    stats.learn_s = secondsSince(learning);

    stats.times.wall_s = secondsSince(begin);
    if (inference_->count() > 0) {
        RoleTimes& role = stats.times.role("inference");
        role.thread_s = stats.times.wall_s * inference_->count();
        role.seconds = inference_->seconds() - inference_before;
        // The last wait of a thread continues into the next rollout and counts as idle time.
        role.seconds[static_cast<std::size_t>(Phase::wait)] = 0;
        role.fillIdle();
    }
    addTimes(worker_before, stats);
    inference_->appendMetrics(stats.metrics);
    appendEpsilon(stats);
    appendSeats(stats);
    return stats;
}

void SyncSession::addTimes(const PhaseSums& before, IterationStats& stats) const {
    RoleTimes& worker = stats.times.role("worker");
    worker.thread_s = stats.times.wall_s * parts_.plan.threads;
    worker.seconds = workerSeconds() - before;
    addUpdate(stats.update, worker);
    worker.fillIdle();
    stats.env_s = stats.times.sum(Phase::env);
    stats.inference_s = stats.times.sum(Phase::inference_gather) + stats.times.sum(Phase::inference_forward) +
                        stats.times.sum(Phase::inference_sample);
}

std::uint64_t SyncSession::allDecisions() const {
    std::uint64_t decisions = 0;
    for (const auto& group : parts_.groups) decisions += group->env().decisions();
    return decisions;
}

// With self-play, decisions of opponents do not count.
std::uint64_t SyncSession::rolloutDecisions() const {
    if (parts_.selves == nullptr) return allDecisions() - ahead_decisions_ - decisions_before_;
    std::uint64_t decisions = 0;
    for (const Window& window : rolloutWindows()) decisions += validRows(parts_.rings, window);
    return decisions;
}

std::vector<Window> SyncSession::rolloutWindows() const {
    const int length = parts_.plan.learn.rollout_length;
    std::vector<Window> windows;
    for (std::size_t g = 0; g < parts_.groups.size(); ++g)
        windows.push_back(Window{static_cast<int>(g), rollout_begin_, length, 0, parts_.rings[g]->columns()});
    return windows;
}

Result<> SyncSession::learnAll(const StopGrace& grace, IterationStats& stats) {
    std::vector<Window> windows = rolloutWindows();
    measureLag(windows, 0, stats);
    if (replay_ == nullptr) {
        FreshWindows fresh(std::move(windows));
        EchoWindows source(fresh, parts_.plan.config.learner.echo);
        auto updated = parts_.learner->update(parts_.rings, source, progress_, *parts_.pool, 0, &grace);
        if (updated) {
            stats.update = std::move(*updated);
            return {};
        }
        if (updated.error().code == kRankLost) {
            parts_.learner->endCut();
            cutUpdate(true);
        }
        return tl::unexpected<Error>(std::move(updated).error());
    }
    replay_->turn(std::move(windows), rolloutDecisions());
    noteRefill(*replay_, is_refilling_, stats);
    WindowSource& source = hindsight_ ? static_cast<WindowSource&>(*hindsight_) : *replay_;
    auto updated = parts_.learner->update(parts_.rings, source, progress_, *parts_.pool, 0, &grace);
    if (!updated) {
        if (updated.error().code == ErrorCode::interrupted) replay_->revert();
        return tl::unexpected<Error>(std::move(updated).error());
    }
    stats.update = std::move(*updated);
    appendReplay(*replay_, stats);
    return {};
}

// Counts the rows and episodes of the rollout and closes it.
Result<> SyncSession::learnedFrom(IterationStats& stats) {
    for (std::size_t g = 0; g < parts_.groups.size(); ++g) {
        std::vector<EpisodeEnd> ahead;
        for (EpisodeEnd end : ended_[g]) {
            if (end.row >= goal()) {
                ahead.push_back(end);
                continue;
            }
            end.column += parts_.first_column[g];
            stats.episodes.push_back(end);
        }
        ended_[g] = std::move(ahead);
        for (std::string& text : parts_.groups[g]->takeNotices()) stats.notices.push_back(std::move(text));
    }
    noteEngines(stats);
    stats.decisions = rolloutDecisions();
    if (Result<> reported = ranks_.report(stats); !reported) {
        cutUpdate(true);
        return reported;
    }
    // The same order for every number of ranks.
    if (isDivided())
        std::ranges::sort(stats.episodes, {},
                          [](const EpisodeEnd& end) { return std::pair(end.row, end.column); });
    progress_.steps += stats.decisions;
    ++progress_.updates;
    is_open_ = std::ranges::any_of(parts_.rings, [&](const Ring* ring) { return ring->head() > goal(); });
    if (!is_open_) return {};
    rollout_begin_ = goal();
    decisions_before_ = allDecisions() - std::exchange(ahead_decisions_, 0);
    return {};
}

// Closes the rollout of an update that the loss of a rank has cut. `counts`: the learner has begun the
// update.
void SyncSession::cutUpdate(bool counts) {
    cut_decisions_ = rolloutDecisions();
    if (counts) ++progress_.updates;
    is_open_ = false;
    for (auto& ended : ended_) ended.clear();
}

// --- in pieces
// ----------------------------------------------------------------------------------------------------------

Result<Collected> SyncSession::collect(const TimeBudget& budget) {
    if (crew_ != nullptr) return fail(ErrorCode::config, "training in pieces requires run.inference=inline");
    if (failed_) return tl::unexpected<Error>(*failed_);
    const auto begin = steady_clock::now();
    if (!is_open_) openRollout();
    const std::uint64_t end = goal() + (isLearning() ? rows_ahead_ : 0);
    Collected collected = Collected::all;
    bool is_moving = true;
    while (is_moving && collected != Collected::some) {
        collected = Collected::all;
        is_moving = false;
        for (std::size_t g = 0; g < parts_.groups.size() && collected != Collected::some; ++g) {
            if (parts_.rings[g]->head() >= end) continue;
            collected = Collected::waiting;
            const auto clock = steady_clock::now();
            SEEDBED_ASSIGN(const bool moved, stepSome(g));
            if (!moved) continue;
            is_moving = true;
            row_time_.add(steady_clock::now() - clock);
            if (!budget.fits(row_time_.expected())) collected = Collected::some;
        }
    }
    const bool is_full = std::ranges::all_of(parts_.rings, [&](const Ring* r) { return r->head() >= end; });
    collect_s_ += secondsSince(begin);
    return is_full ? Collected::all : collected;
}

// Begins or finishes the next row of a group. Returns false while its environments have not answered.
Result<bool> SyncSession::stepSome(std::size_t g) {
    ActorGroup& group = *parts_.groups[g];
    const std::uint64_t before = group.env().decisions(), row = group.ring().head();
    const auto named = [g](Error error) {
        return std::move(error).withContext("stepping group " + std::to_string(g));
    };
    if (group.needsRestart()) {
        stepping_[g] = 0;
        SEEDBED_TRY(group.restart().map_error(named));
        return true;
    }
    times_[g]->begin();
    Result<> stepped;
    if (stepping_[g] == 0) stepped = group.begin(readers_[g].acting(), *times_[g]);
    stepping_[g] = stepped ? 1 : 0;
    if (stepped && !group.ready()) return false;
    if (stepped) stepped = group.finish(ended_[g], *times_[g]);
    stepping_[g] = 0;
    if (!stepped) {
        group.requireRestart();
        return tl::unexpected<Error>(named(std::move(stepped).error()));
    }
    if (row >= goal()) ahead_decisions_ += group.env().decisions() - before;
    return true;
}

Result<> SyncSession::beginLearning() {
    if (before_learning_) before_learning_();
    auto pumped = std::make_unique<Pumped>();
    std::vector<Window> windows = rolloutWindows();
    measureLag(windows, 0, pumped->stats);
    WindowSource* source = nullptr;
    if (replay_ != nullptr) {
        replay_->turn(std::move(windows), rolloutDecisions());
        noteRefill(*replay_, is_refilling_, pumped->stats);
        source = hindsight_ ? static_cast<WindowSource*>(hindsight_.get()) : replay_.get();
    } else {
        pumped->fresh = std::make_unique<FreshWindows>(std::move(windows));
        pumped->echo = std::make_unique<EchoWindows>(*pumped->fresh, parts_.plan.config.learner.echo);
        source = pumped->echo.get();
    }
    parts_.learner->begin(parts_.rings, *source, progress_, *parts_.pool);
    pumped_ = std::move(pumped);
    return {};
}

Result<std::optional<IterationStats>> SyncSession::learn(const TimeBudget& budget) {
    if (failed_) return tl::unexpected<Error>(*failed_);
    const auto begin = steady_clock::now();
    if (!isLearning()) SEEDBED_TRY(beginLearning());
    auto updated = parts_.learner->pump(budget);
    learn_s_ += secondsSince(begin);
    if (!updated) {
        pumped_.reset();
        failed_ = updated.error();
        return tl::unexpected<Error>(std::move(updated).error());
    }
    if (!*updated) return std::optional<IterationStats>();
    IterationStats stats = std::move(pumped_->stats);
    pumped_.reset();
    stats.update = std::move(**updated);
    if (replay_ != nullptr) appendReplay(*replay_, stats);
    SEEDBED_TRY(learnedFrom(stats));
    publishActing();
    stats.rollout_s = std::exchange(collect_s_, 0);
    stats.learn_s = std::exchange(learn_s_, 0);
    stats.times.wall_s = stats.rollout_s + stats.learn_s;
    addTimes(std::exchange(times_before_, workerSeconds()), stats);
    appendEpsilon(stats);
    appendSeats(stats);
    return std::optional(std::move(stats));
}

Result<> SyncSession::archive(Archive& archive, Archive*) {
    if (isLearning()) return fail("an update has begun and must be completed before the state is saved");
    if (is_computing_) return fail("a thread has not returned from the network; the state was not saved");
    for (std::size_t g = 0; left_ && g < parts_.groups.size(); ++g)
        if (parts_.groups[g]->activity() == ActorGroup::Activity::writing)
            return fail(nameOf(g) + " is in the middle of a row; the state was not saved");
    if (isDivided()) return DividedState(*this).archive(archive);
    // After an update, only the head row with its history and the rows of a saved replay buffer are needed.
    std::vector<std::uint64_t> oldest;
    for (const Ring* ring : parts_.rings) oldest.push_back(is_open_ ? rollout_begin_ : ring->head());
    if (replay_ != nullptr && parts_.plan.config.checkpoint.replay == "full")
        for (std::size_t g = 0; g < oldest.size(); ++g) oldest[g] = std::min(oldest[g], replay_->oldest(g));
    SEEDBED_TRY(archiveParts(archive, oldest,
                             [this](int group) { return isAbandoned(static_cast<std::size_t>(group)); }));
    SEEDBED_TRY(archive.status());
    if (replay_ != nullptr) {
        SEEDBED_TRY(replay_->archive(archive, oldest));
        is_refilling_ = archive.isLoading() && parts_.plan.config.checkpoint.replay == "none";
    }
    if (archive.isLoading()) is_open_ = !archive.isAtEnd();
    if (is_open_) return archiveRollout(archive);
    if (!archive.isLoading()) return {};
    // A window begins at the head row, and recurrent states are stored at the first rows of windows.
    const auto length = static_cast<std::uint64_t>(parts_.plan.learn.rollout_length);
    for (const Ring* ring : parts_.rings)
        if (ring->head() % length != 0 || ring->head() != parts_.rings[0]->head())
            return fail("the saved state is invalid: a group is not at the end of a rollout");
    return {};
}

Result<> SyncSession::archiveRollout(Archive& archive) {
    archive.any(rollout_begin_, decisions_before_);
    for (std::size_t g = 0; g < ended_.size(); ++g)
        archiveEpisodes(archive, ended_[g], parts_.rings[g]->columns());
    SEEDBED_TRY(archive.status());
    if (!archive.isLoading()) return {};
    const auto length = static_cast<std::uint64_t>(parts_.plan.learn.rollout_length);
    bool is_valid = rollout_begin_ % length == 0;
    for (std::size_t g = 0; g < parts_.rings.size(); ++g) {
        const std::uint64_t head = parts_.rings[g]->head();
        is_valid = is_valid && head >= rollout_begin_ && head - rollout_begin_ <= length &&
                   parts_.rings[g]->tail() <= rollout_begin_;
    }
    if (!is_valid) return fail("the saved rollout does not fit its rows");
    return {};
}

}  // namespace seedbed
