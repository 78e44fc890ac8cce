// SPDX-License-Identifier: Apache-2.0
#include "core/session/async_session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "core/base/mutex.hpp"
#include "core/base/text.hpp"
#include "core/session/create_groups.hpp"

namespace seedbed {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kRowTimeout{2000};       // time for actors to finish a row before they count as hung
constexpr milliseconds kLastRowTimeout{1000};   // the same limit after a stop request
constexpr milliseconds kPauseTimeout{10'000};   // additional time for the other groups to leave a reset
constexpr milliseconds kLostPauseTimeout{200};  // time for a lost group to leave a reset
constexpr milliseconds kPausePollInterval{20};
constexpr milliseconds kEndPollInterval{1};
constexpr milliseconds kHungEndTimeout{500};  // limit for actors that hung when the session was saved
// The notice about the replay ratio appears after this much learning time if the learner waited for more
// than this share of it.
constexpr double kRatioNoticeS = 10, kRatioWaitShare = 0.5;
// The time to end a run after a stop request while environments hang and no update is in progress.
static_assert(kLastRowTimeout + kLostPauseTimeout + kHungEndTimeout < milliseconds{2000});

std::vector<ActorGroup*> pointers(const std::vector<std::unique_ptr<ActorGroup>>& groups) {
    std::vector<ActorGroup*> out;
    for (const auto& group : groups) out.push_back(group.get());
    return out;
}

std::int64_t nanoseconds(double seconds) { return static_cast<std::int64_t>(seconds * 1e9); }

}  // namespace

AsyncSession::AsyncSession(Parts parts) : Session(std::move(parts)), echo_(parts_.plan.config.learner.echo) {
    const TrainingConfig& config = parts_.plan.config;
    int columns = 0, first_env = 0;
    CrewOptions options{.window_rows = parts_.plan.learn.rollout_length,
                        .restarts = config.actor.restarts,
                        .stall_ns = nanoseconds(config.actor.stall_s),
                        .first_env = {}};
    for (const auto& group : parts_.groups) {
        columns += group->ring().columns();
        options.first_env.push_back(first_env);
        first_env += group->envs();
        group->follow(acting_params_);
        group->env().onReturned([this, number = static_cast<int>(options.first_env.size()) - 1] {
            crew_->returned(number);
            gate_.passSealed(stopping_.get_token());
        });
    }
    // If other processes step the groups, the actors only wait. With one thread per group, a slow process
    // does not delay other groups.
    const bool only_wait = std::all_of(parts_.groups.begin(), parts_.groups.end(),
                                       [](const auto& group) { return group->isSupervised(); });
    if (only_wait && config.actor.threads == 0)
        parts_.plan.actors = std::max(parts_.plan.actors, static_cast<int>(parts_.groups.size()));
    const int target = config.learner.columns > 0 ? std::min(config.learner.columns, columns) : columns;
    feed_ = std::make_unique<WindowFeed>(parts_.rings, options.window_rows, target);
    if (parts_.plan.learn.replay)
        replay_ = std::make_unique<ReplayWindows>(
            parts_.rings, parts_.plan.learn, static_cast<std::uint64_t>(config.run.seed),
            [&learner = *parts_.learner](const Chunk& acted, float* priorities) {
                learner.algorithm().actingPriorities(acted, priorities);
            });
    crew_ =
        std::make_unique<ActorCrew>(pointers(parts_.groups), acting_params_, clock_, std::move(options),
                                    ActorCrew::Events{.window =
                                                          [this](int group, std::vector<EpisodeEnd>& ended) {
                                                              feed_->filled(group, ended);
                                                              learner_word_.notify();
                                                          },
                                                      .idle = [this] { learner_word_.notify(); }});
}

Result<std::unique_ptr<Session>> AsyncSession::create(Parts parts) {
    std::unique_ptr<AsyncSession> session(new AsyncSession(std::move(parts)));
    const Parts& p = session->parts_;
    SEEDBED_ASSIGN(session->inference_,
                   InferenceDevices::create(p.plan.config, p.plan.engine.id, p.acting, pointers(p.groups),
                                            session->acting_params_, session->clock_));
    session->inference_->attach(*session->crew_);
    session->pinReplay();
    session->setLimits();
    return std::unique_ptr<Session>(std::move(session));
}

AsyncSession::~AsyncSession() {
    requestEnd();
    actors_.clear();
    if (inference_ != nullptr) inference_->stop();
}

void AsyncSession::requestEnd() {
    stopping_.request_stop();
    watch_ = NamedThread();  // from now on no other thread starts or replaces actors
    {
        const MutexLock lock(actors_mutex_);
        for (const auto& actor : actors_) actor->thread.requestStop();
    }
    crew_->abort();
    const TrainingConfig& config = parts_.plan.config;
    if (!config.actor.fleet.empty()) config.remote->close();
}

bool AsyncSession::end(milliseconds timeout) {
    requestEnd();
    const auto ended = [](const auto& actor) { return actor->ended.load(std::memory_order_acquire); };
    const milliseconds limit = timeFor(hung_ ? std::min(timeout, kHungEndTimeout) : timeout);
    const auto begin = steady_clock::now();
    const auto allEnded = [&] {
        const MutexLock lock(actors_mutex_);
        return std::all_of(actors_.begin(), actors_.end(), ended);
    };
    while (!allEnded()) {
        if (steady_clock::now() - begin >= limit) return false;
        std::this_thread::sleep_for(kEndPollInterval);
    }
    return true;
}

// --- threads
// ---------------------------------------------------------------------------------------------------------

void AsyncSession::startActor() {
    auto free = std::find_if(actors_.begin(), actors_.end(),
                             [](const auto& actor) { return actor->ended.load(std::memory_order_acquire); });
    if (free == actors_.end()) free = actors_.insert(actors_.end(), std::make_unique<Actor>());
    Actor* actor = free->get();
    actor->thread.join();
    actor->ended.store(false, std::memory_order_relaxed);
    members_.fetch_add(1, std::memory_order_relaxed);
    actor->thread = NamedThread(
        "actor " + std::to_string(free - actors_.begin()),
        [this, actor](const std::stop_token& stop) {
            Result<> result = crew_->work(stop, actor->times, &gate_, false);
            members_.fetch_sub(1, std::memory_order_relaxed);
            actor->ended.store(true, std::memory_order_release);
            return result;
        },
        [this](const std::string&, const Error& error) {
            {
                const MutexLock lock(failure_mutex_);
                if (!failure_) failure_ = error;
            }
            learner_word_.notify();
        });
}

void AsyncSession::start() {
    started_ = true;
    crew_->start();
    inference_->start(&gate_, [this](const std::string&, const Error& error) {
        {
            const MutexLock lock(failure_mutex_);
            if (!failure_) failure_ = error;
        }
        members_.fetch_sub(1, std::memory_order_relaxed);
        learner_word_.notify();
    });
    members_.fetch_add(inference_->count(), std::memory_order_relaxed);
    {
        const MutexLock lock(actors_mutex_);
        for (int i = 0; i < parts_.plan.actors; ++i) startActor();
    }
    watch_ = NamedThread(
        "watch", [this](const std::stop_token& stop) { return watchActors(stop); },
        [this](const std::string&, const Error& error) {
            {
                const MutexLock lock(failure_mutex_);
                if (!failure_) failure_ = error;
            }
            learner_word_.notify();
        });
    last_iteration_ns_ = ThreadTimes::nowNs();
}

// Replaces threads that hang in their environments, so that the other groups keep their number of threads,
// even during long updates and evaluations.
Result<> AsyncSession::watchActors(const std::stop_token& stop) {
    const std::int64_t poll_ns =
        std::clamp<std::int64_t>(nanoseconds(parts_.plan.config.actor.stall_s / 4), 1'000'000, 1'000'000'000);
    while (!stop.stop_requested()) {
        int lost = 0;
        {
            const MutexLock lock(actors_mutex_);
            lost = crew_->watch();
            for (int i = 0; i < lost; ++i) startActor();
        }
        if (lost > 0) learner_word_.notify();
        watch_word_.wait(watch_word_.sequence(), stop, clock_.monotonicNs() + poll_ns);
    }
    return {};
}

Result<> AsyncSession::failure() {
    const MutexLock lock(failure_mutex_);
    if (failure_) return tl::unexpected<Error>(*failure_);
    return {};
}

// --- learning
// --------------------------------------------------------------------------------------------------------

Result<> AsyncSession::waitForWindows(const std::stop_token& stop, IterationStats& stats) {
    const int groups = static_cast<int>(parts_.groups.size());
    while (true) {
        const std::uint32_t seen = learner_word_.sequence();
        SEEDBED_TRY(failure());
        for (std::string& text : crew_->takeNotices()) stats.notices.push_back(std::move(text));
        noteEngines(stats);
        if (feed_->enough() || (!feed_->empty() && crew_->idle() + crew_->lost() >= groups)) return {};
        if (stop.stop_requested())
            return fail(ErrorCode::interrupted, "stopped while waiting for experience");
        learner_word_.wait(seen, stop, kNoDeadline);
    }
}

Result<IterationStats> AsyncSession::iterate(std::stop_token stop) {
    IterationStats stats;
    hung_ = false;
    stop_ = stop;
    const StopGrace grace(stop, stop_grace_);
    publishActing();
    if (!started_) start();
    // Time since the last iteration (evaluations, checkpoints) does not count as time that the learner
    // waited.
    const std::int64_t begin_ns = ThreadTimes::nowNs();
    SEEDBED_TRY(waitForWindows(stop, stats));
    const std::int64_t filled_ns = ThreadTimes::nowNs();
    stats.rollout_s = static_cast<double>(filled_ns - last_iteration_ns_) * 1e-9;

    stats.metrics.emplace_back("async/queue_windows", static_cast<double>(feed_->queued()));
    WindowFeed::Taken taken = feed_->take();
    for (auto [group, end] : taken.episodes) {
        end.column += parts_.first_column[static_cast<std::size_t>(group)];
        stats.episodes.push_back(end);
    }
    if (Result<> learned = learnFrom(taken, grace, stop, stats); !learned) {
        if (learned.error().code == ErrorCode::interrupted) feed_->putBack(std::move(taken));
        return tl::unexpected<Error>(std::move(learned).error());
    }
    publishActing();
    feed_->release(taken.windows);
    pinReplay();
    setLimits();
    for (const Window& window : taken.windows) crew_->roomMade(window.group);
    progress_.steps += stats.decisions;
    ++progress_.updates;

    const std::int64_t now = ThreadTimes::nowNs();
    stats.learn_s = static_cast<double>(now - filled_ns) * 1e-9;
    measureTimes(stats, static_cast<double>(now - last_iteration_ns_) * 1e-9,
                 static_cast<double>(now - begin_ns) * 1e-9,
                 static_cast<double>(filled_ns - begin_ns) * 1e-9);
    measureEcho(stats);
    noteRatio(stats, static_cast<double>(now - begin_ns) * 1e-9,
              static_cast<double>(filled_ns - begin_ns) * 1e-9);
    last_iteration_ns_ = now;
    return stats;
}

Result<> AsyncSession::learnFrom(const WindowFeed::Taken& taken, const StopGrace& grace,
                                 const std::stop_token& stop, IterationStats& stats) {
    for (const Window& window : taken.windows) stats.decisions += validRows(parts_.rings, window);
    if (replay_ == nullptr) {
        const auto max_lag = static_cast<std::uint64_t>(parts_.plan.config.learner.max_policy_lag) +
                             static_cast<std::uint64_t>(parts_.plan.config.run.forced_lag);
        const std::uint64_t masked = measureLag(taken.windows, max_lag, stats);
        stats.metrics.emplace_back("async/masked_rows", static_cast<double>(masked));
        FreshWindows fresh(taken.windows);
        EchoWindows source(fresh, echo_.nextPasses(), stop);
        SEEDBED_ASSIGN(stats.update, parts_.learner->update(parts_.rings, source, progress_, *parts_.pool,
                                                            acting_params_.oldestWithin(max_lag), &grace));
        passes_ = source.delivered();
        return {};
    }
    measureLag(taken.windows, 0, stats);
    replay_->turn(taken.windows, stats.decisions);
    noteRefill(*replay_, is_refilling_, stats);
    auto updated = parts_.learner->update(parts_.rings, *replay_, progress_, *parts_.pool, 0, &grace);
    if (!updated) {
        if (updated.error().code == ErrorCode::interrupted) replay_->revert();
        return tl::unexpected<Error>(std::move(updated).error());
    }
    stats.update = std::move(*updated);
    appendReplay(*replay_, stats);
    return {};
}

// Rows that left the replay buffer in a turn are released only after that turn, which may be reverted.
void AsyncSession::pinReplay() {
    for (std::size_t g = 0; replay_ != nullptr && g < parts_.rings.size(); ++g) {
        if (replay_pins_.size() <= g) replay_pins_.push_back(parts_.rings[g]->pin(replay_->oldest(g)));
        else replay_pins_[g].moveTo(replay_->oldest(g));
    }
}

// A replay buffer's ring has room for many rollouts, but the ratio is met only if actors wait for the
// learner.
void AsyncSession::setLimits() {
    const auto open = static_cast<std::uint64_t>(parts_.plan.config.actor.open_windows) *
                      static_cast<std::uint64_t>(parts_.plan.learn.rollout_length);
    for (std::size_t g = 0; replay_ != nullptr && g < parts_.rings.size(); ++g)
        crew_->setLimit(static_cast<int>(g), feed_->oldestRows()[g] + open);
}

// Reports once if actors cannot supply the decisions that the learner could use at this ratio.
void AsyncSession::noteRatio(IterationStats& stats, double learner_s, double waited_s) {
    if (replay_ == nullptr || ratio_noted_ || !stats.update.stepped) return;
    ratio_s_ += learner_s;
    ratio_waited_s_ += waited_s;
    if (ratio_s_ < kRatioNoticeS) return;
    ratio_noted_ = true;
    if (ratio_waited_s_ < kRatioWaitShare * ratio_s_) return;
    stats.notices.push_back(
        "actors do not supply as many decisions as the learner could use: it waited " +
        std::to_string(std::lround(100 * ratio_waited_s_ / ratio_s_)) +
        " % of the time to keep algo.replay_ratio=" + formatNumber(parts_.plan.learn.replay->ratio) +
        "; increase the ratio to learn more from each decision, or the number of "
        "actors (actor.num_envs, actor.threads) to collect more");
}

void AsyncSession::measureTimes(IterationStats& stats, double wall_s, double learner_s, double waited_s) {
    PhaseSums actors{};
    {
        const MutexLock lock(actors_mutex_);
        for (const auto& actor : actors_) actors += actor->times.seconds();
    }
    const PhaseSums inference = inference_->seconds();
    stats.times.wall_s = wall_s;
    RoleTimes& actor = stats.times.role("actor");
    actor.thread_s = wall_s * parts_.plan.actors;
    actor.seconds = actors - actor_before_;
    if (inference_->count() > 0) {
        RoleTimes& role = stats.times.role("inference");
        role.thread_s = wall_s * inference_->count();
        role.seconds = inference - inference_before_;
    }
    RoleTimes& learner = stats.times.role("learner");
    learner.thread_s = learner_s * parts_.plan.threads;
    addUpdate(stats.update, learner);
    learner.seconds[static_cast<std::size_t>(Phase::wait)] = waited_s * parts_.plan.threads;
    learner.fillIdle();
    actor_before_ = actors;
    inference_before_ = inference;
    stats.env_s = stats.times.sum(Phase::env);
    stats.inference_s = stats.times.sum(Phase::inference_gather) + stats.times.sum(Phase::inference_forward) +
                        stats.times.sum(Phase::inference_sample);
    inference_->appendMetrics(stats.metrics);
    appendEpsilon(stats);
    appendSeats(stats);
}

// Actors that wait for room would deliver more if the learner were faster.
void AsyncSession::measureEcho(IterationStats& stats) {
    if (parts_.plan.config.learner.echo == 1) return;
    const RoleTimes& actor = stats.times.role("actor");
    const std::uint64_t filled = feed_->filledColumns();
    echo_.measure(static_cast<double>(filled - filled_before_) / feed_->targetColumns(),
                  stats.times.wall_s - actor.of(Phase::wait_room) / parts_.plan.actors, passes_,
                  stats.learn_s);
    filled_before_ = filled;
    stats.metrics.emplace_back("async/echo", echo_.factor());
    if (echo_.ratio() > 0) stats.metrics.emplace_back("async/echo_ratio", echo_.ratio());
}

// --- saving
// ----------------------------------------------------------------------------------------------------------

Result<> AsyncSession::pauseActors() {
    if (!started_) return {};
    gate_.close();
    crew_->wake();
    inference_->wake();
    // Lets actors finish their rows, except for lost groups.
    const int lost = crew_->lost();
    const int members = members_.load() - lost;
    const bool held =
        gate_.waitUntilHeld(members, timeFor(kLastRowTimeout)) ||
        (!stop_.stop_requested() && gate_.waitUntilHeld(members, kRowTimeout - kLastRowTimeout));
    hung_ = !held || lost > 0;
    if (!hung_) return {};
    // Actors that are still running hang in their environments. The sealed gate stops them when they return,
    // before they change anything that is saved: either inEnvironments() is false here, or they read the
    // seal.
    gate_.seal();
    const int groups = static_cast<int>(parts_.groups.size());
    const auto hanging = [&] {
        int count = 0;
        for (int g = 0; g < groups; ++g) count += crew_->inEnvironments(g) ? 1 : 0;
        return count;
    };
    const auto begin = steady_clock::now();
    while (true) {
        const int before = hanging();
        // If the counts are equal, none of the threads that were counted as hung is held.
        if (gate_.waitUntilHeld(members_.load() - before, kPausePollInterval) && hanging() == before)
            return {};
        const auto waited = steady_clock::now() - begin;
        if (waited < kLostPauseTimeout) continue;
        for (int g = 0; g < groups; ++g)
            if (crew_->stepping(g) && !crew_->inEnvironments(g) &&
                (crew_->isLost(g) || waited >= kPauseTimeout))
                return fail(crew_->nameOf(g) + " is in the middle of a row; the state was not saved");
        if (waited >= kPauseTimeout)
            return fail("the actors did not pause within 10 s; the state was not saved");
    }
}

void AsyncSession::resumeActors() {
    if (!started_) return;
    gate_.open();
    crew_->wake();
    inference_->wake();
}

std::vector<std::uint64_t> AsyncSession::heads() const {
    std::vector<std::uint64_t> heads;
    for (const Ring* ring : parts_.rings) heads.push_back(ring->head());
    return heads;
}

Result<> AsyncSession::saveWhole(Archive& archive) {
    std::vector<std::uint64_t> from = feed_->oldestRows();
    const std::vector<std::uint64_t> heads = this->heads();
    for (std::size_t g = 0; g < from.size(); ++g) {
        from[g] = std::min(from[g], heads[g]);
        if (savesReplay()) from[g] = std::min(from[g], replay_->oldest(g));
    }
    SEEDBED_TRY(archiveParts(archive, from, [this](int group) { return crew_->stepping(group); }));
    SEEDBED_TRY(feed_->archive(archive));
    crew_->archive(archive);
    echo_.archive(archive);
    return replay_ != nullptr ? replay_->archive(archive, from) : Result<>();
}

// The first part is complete and contains no open windows; the second part adds them.
Result<> AsyncSession::saveApart(Archive& archive, Archive& windows) {
    SEEDBED_TRY(archiveParts(archive, heads(), [this](int group) { return crew_->stepping(group); }));
    feed_->archiveNone(archive);
    std::vector<std::uint64_t> begins;
    for (const std::uint64_t head : heads()) begins.push_back(feed_->nextWindow(head));
    crew_->archiveAt(archive, begins);
    echo_.archive(archive);
    return archiveWindows(windows);
}

Result<> AsyncSession::archiveWindows(Archive& windows) {
    const std::vector<std::uint64_t> heads = this->heads(), oldest = feed_->oldestRows();
    std::size_t bytes = 0;
    for (std::size_t g = 0; g < parts_.rings.size() && !windows.isLoading(); ++g)
        bytes += parts_.rings[g]->archiveBytes(std::min(oldest[g], heads[g]));
    windows.reserve(bytes);
    for (std::size_t g = 0; g < parts_.rings.size(); ++g)
        SEEDBED_TRY(
            parts_.rings[g]->archive(windows, windows.isLoading() ? 0 : std::min(oldest[g], heads[g])));
    SEEDBED_TRY(feed_->archive(windows));
    crew_->archive(windows);
    return windows.isLoading() ? checkLoaded(windows) : Result<>();
}

Result<> AsyncSession::checkLoaded(const Archive& archive) const {
    SEEDBED_TRY(archive.status());
    const auto length = static_cast<std::uint64_t>(parts_.plan.learn.rollout_length);
    for (std::size_t g = 0; g < parts_.rings.size(); ++g)
        if (const int group = static_cast<int>(g);
            crew_->nextWindow(group) != feed_->endOfQueue(group) + length)
            return fail("the saved state is invalid: the next window of " + crew_->nameOf(group) +
                        " does not follow the previous one");
    return {};
}

Result<> AsyncSession::load(Archive& archive, Archive* windows) {
    SEEDBED_CHECK(!started_, "a session is restored before its first iteration");
    feed_->unpinAll();
    replay_pins_.clear();
    const std::vector<std::uint64_t> none(parts_.rings.size(), 0);
    SEEDBED_TRY(archiveParts(archive, none));
    SEEDBED_TRY(feed_->archive(archive));
    crew_->archive(archive);
    echo_.archive(archive);
    SEEDBED_TRY(checkLoaded(archive));
    if (replay_ != nullptr) {
        SEEDBED_TRY(replay_->archive(archive, none));
        is_refilling_ = !savesReplay();
        pinReplay();
        setLimits();
        return {};
    }
    if (windows == nullptr) return {};
    const std::vector<std::uint64_t> heads = this->heads();
    feed_->unpinAll();
    SEEDBED_TRY(archiveWindows(*windows));
    if (this->heads() != heads) return fail("the saved windows belong to a different state");
    return {};
}

Result<> AsyncSession::archive(Archive& archive, Archive* windows) {
    if (archive.isLoading()) return load(archive, windows);
    const MutexLock lock(actors_mutex_);
    Result<> saved = pauseActors();
    if (saved)
        saved = windows == nullptr || replay_ != nullptr ? saveWhole(archive) : saveApart(archive, *windows);
    resumeActors();
    return saved;
}

}  // namespace seedbed
