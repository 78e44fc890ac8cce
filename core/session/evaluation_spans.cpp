// SPDX-License-Identifier: Apache-2.0
#include "core/session/evaluation_spans.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/log.hpp"
#include "core/base/repeated_texts.hpp"
#include "core/base/text.hpp"
#include "core/session/group.hpp"
#include "core/session/seats.hpp"

namespace seedbed {
namespace {

using std::chrono::milliseconds;

// Memory of an EpisodeResult and of the episode's entry in a track, in vectors that grow by doubling.
constexpr std::size_t kEpisodeBytes = 160;
// Environments per span and in total: fixed numbers, so that results do not depend on threads.
constexpr int kSpanEnvs = 8;
constexpr int kMaxEnvs = 64;
constexpr int kCreationFactor = 6;  // environments may take longer to be created than to be stepped
constexpr milliseconds kEndTimeout{1000};

constexpr int kMostFailures = 10;  // limit for failures of the environments of a span

double bestOtherReturn(const std::vector<EpisodeEnd>& ended, const EpisodeEnd& own, int agents) {
    double best = -std::numeric_limits<double>::infinity();
    for (const EpisodeEnd& end : ended)
        if (end.column / agents == own.column / agents && end.column != own.column)
            best = std::max(best, end.episode_return);
    return best;
}

constexpr std::uint64_t kHashBasis = 0xcbf29ce484222325, kHashPrime = 0x100000001b3;

// Adds the decisions of the head row to the hashes of the games in progress, [columns] (FNV-1a on whole
// words).
void hashActions(Ring& ring, std::vector<std::uint64_t>& hashes) {
    const std::uint64_t t = ring.head();
    const auto words = static_cast<std::size_t>(ring.spec().spaces.actionWords());
    for (std::size_t column = 0; column < hashes.size(); ++column) {
        if (ring.valid(t)[column] == 0) continue;
        std::uint64_t& hash = hashes[column];
        if (ring.first(t)[column] != 0) hash = kHashBasis;
        const float* action = ring.action(t) + column * words;
        for (std::size_t i = 0; i < words; ++i) {
            hash = (hash ^ std::bit_cast<std::uint32_t>(action[i])) * kHashPrime;
            hash ^= hash >> 32;
        }
    }
}

// The difference between the hashes of a seat and of the others.
std::uint64_t differenceOfSeats(const std::vector<std::uint64_t>& hashes, std::size_t env, int agents,
                                int seat) {
    const auto first = hashes.begin() + static_cast<std::ptrdiff_t>(env) * agents;
    return 2 * first[seat] - std::accumulate(first, first + agents, std::uint64_t{0});
}

// Monotonic, in nanoseconds; never 0.
std::int64_t nowNs() { return std::chrono::steady_clock::now().time_since_epoch().count() | 1; }

std::vector<TaskScore> taskScores(const std::vector<EnvTask>& tasks,
                                  const std::vector<std::vector<double>>& returns) {
    std::vector<TaskScore> scores;
    for (std::size_t i = 0; i < returns.size(); ++i) {
        if (returns[i].empty()) continue;
        const EnvTask& task = tasks[i];
        const double mean = summarise(returns[i]).mean;
        scores.push_back({task.name, static_cast<int>(returns[i].size()), mean,
                          100 * (mean - task.random_score) / (task.human_score - task.random_score)});
    }
    return scores;
}

// Logs once in this process, because later evaluations would repeat it.
void warnOfLongEpisodes(const std::string& env, std::int64_t limit) {
    static std::atomic<bool> has_warned = false;
    if (has_warned.exchange(true)) return;
    log::warning("evaluation: an episode of '" + env + "' did not end within " + formatCount(limit) +
                 " decisions (eval.max_steps) and does not count; if episodes may never end, set "
                 "--env.wrap.time_limit, or a smaller --eval.max_steps");
}

}  // namespace

struct EvaluationSpans::Shared {
    std::shared_ptr<EngineNet> net;
    Params params;
    EvaluationRequest request;
    std::vector<EnvTask> tasks;
    int envs = 0;
    bool may_cut = false;            // the environment's own time limit is longer or absent
    std::int64_t env_decisions = 0;  // limit per environment; 0: no limit
    std::deque<EvaluationSpan> spans;
    std::atomic<std::size_t> next{0};
    std::stop_source leave;  // the threads exit after the step in progress
    Mutex mutex;
    StoppableConditionVariable changed;  // a thread has exited
    RepeatedTexts logged SEEDBED_GUARDED_BY(mutex);

    void logOnce(const std::string& notice) {
        const MutexLock lock(mutex);
        if (const auto text = logged.add(notice, 0)) log::warning("evaluation: " + *text);
    }

    bool isOver() const { return leave.stop_requested(); }
    void work();
    Result<> playSpan(EvaluationSpan& span);
    Result<std::unique_ptr<ActorGroup>> createGroup(EvaluationSpan& span);
    void countReplaced(EvaluationSpan& span, const std::vector<std::size_t>& failed,
                       const std::vector<int>& left);
    void countEnds(EvaluationSpan& span, const std::vector<EpisodeEnd>& ended, const Seats& seats,
                   EpisodeRecorder* recorder, const std::vector<std::uint64_t>& hashes,
                   std::vector<int>& left);
};

// --- the players' side
// ----------------------------------------------------------------------------------------------------

Result<std::unique_ptr<ActorGroup>> EvaluationSpans::Shared::createGroup(EvaluationSpan& span) try {
    span.busy_since.store(nowNs(), std::memory_order_release);
    auto group = ActorGroup::create(GroupSpec{.env = request.env,
                                              .env_params = request.env_params,
                                              .env_spec = request.env_spec,
                                              .distribution = request.distribution,
                                              .net = net.get(),
                                              .envs = static_cast<int>(span.episodes.size()),
                                              .first_env = span.first_env,
                                              .rows = 2,
                                              .seed = request.seed,
                                              .policy_of_seat = request.policies.of_seat,
                                              .env_purpose = RngPurpose::evaluation_environment,
                                              .action_purpose = RngPurpose::evaluation_action,
                                              .selection = request.selection,
                                              .horizon = static_cast<int>(request.limits.episode_decisions),
                                              .learner_rewards = false,
                                              .stop = leave.get_token()});
    span.busy_since.store(0, std::memory_order_release);
    span.created.store(true, std::memory_order_release);
    return group;
} catch (...) {
    return tl::unexpected<Error>(currentException());
}

// `left`, here and below: episodes that each environment still has to play.
void EvaluationSpans::Shared::countReplaced(EvaluationSpan& span, const std::vector<std::size_t>& failed,
                                            const std::vector<int>& left) {
    if (failed.empty()) return;
    const MutexLock lock(span.mutex);
    for (const std::size_t env : failed) span.replaced += left[env] > 0 ? 1 : 0;
}

void EvaluationSpans::Shared::countEnds(EvaluationSpan& span, const std::vector<EpisodeEnd>& ended,
                                        const Seats& seats, EpisodeRecorder* recorder,
                                        const std::vector<std::uint64_t>& hashes, std::vector<int>& left) {
    const std::int64_t limit = request.limits.episode_decisions;
    const int agents = seats.count();
    // Seats of the evaluated player in the episodes that end now; they depend on `left`.
    std::vector<int> evaluated;
    for (std::size_t e = 0; e < left.size(); ++e)
        evaluated.push_back(seats.evaluated(e, span.episodes[e] - left[e]));
    const std::vector<int> left_before = left;
    const MutexLock lock(span.mutex);
    for (const EpisodeEnd& end : ended) {
        const auto e = static_cast<std::size_t>(end.column / agents);
        const int seat = evaluated[e];
        const bool is_cut = may_cut && !end.terminated && end.length >= limit;
        if (agents > 1 && !request.opponent && left_before[e] > 0 && !is_cut) {
            span.seats.resize(static_cast<std::size_t>(agents));
            auto& returns = span.seats[static_cast<std::size_t>(end.column % agents)];
            returns.sum += end.episode_return;
            ++returns.episodes;
        }
        if (end.column % agents != seat || left[e] == 0) continue;
        --left[e];
        if (is_cut) {
            ++span.cut;
            warnOfLongEpisodes(request.env->id, limit);
            // The environment did not end this episode itself, so a replay could not repeat later episodes.
            if (recorder != nullptr) recorder->enough(static_cast<int>(e));
        } else {
            span.results[e].push_back({end.episode_return, end.length});
            if (request.opponent)
                span.games[e].push_back(
                    {seat, bestOtherReturn(ended, end, agents), differenceOfSeats(hashes, e, agents, seat)});
        }
    }
}

Result<> EvaluationSpans::Shared::playSpan(EvaluationSpan& span) {
    const auto failed = [&](Error error) -> Result<> {
        const MutexLock lock(span.mutex);
        span.env_error = std::move(error);
        return {};
    };
    auto created = createGroup(span);
    if (!created) return failed(std::move(created).error());
    ActorGroup& group = **created;
    SEEDBED_ASSIGN(Seats seats, Seats::create(request, group, span.first_env));
    std::optional<EpisodeRecorder> recorder;
    if (request.record)
        recorder.emplace(group.ring(), seats.count(), static_cast<std::uint32_t>(span.first_env),
                         EpisodeRecorder::kMaxBytes / static_cast<std::size_t>(envs));
    std::vector<int> left = span.episodes;
    std::vector<EpisodeEnd> ended;
    std::vector<std::uint64_t> hashes(request.opponent ? static_cast<std::size_t>(group.ring().columns())
                                                       : 0);
    ThreadTimes times;
    std::int64_t ticks = 0;
    int failures = 0;
    while (std::ranges::any_of(left, [](int n) { return n > 0; })) {
        if (isOver() || (env_decisions > 0 && ticks++ == env_decisions)) {
            const MutexLock lock(span.mutex);
            for (const int n : left) span.unfinished += n;
            break;
        }
        SEEDBED_TRY(seats.act(params, span.episodes, left, times));
        hashActions(group.ring(), hashes);
        ended.clear();
        if (!group.isSupervised()) span.busy_since.store(nowNs(), std::memory_order_release);
        Result<> stepped = group.step(ended, times);
        span.busy_since.store(0, std::memory_order_release);
        if (!stepped && isOver()) continue;
        if (!stepped) return failed(std::move(stepped).error());
        countReplaced(span, group.env().failed(), left);
        // An environment that failed plays a new episode instead, which a replay could not repeat.
        for (const std::string& notice : group.takeNotices()) {
            if (++failures > kMostFailures) return failed({ErrorCode::failure, notice, {}});
            logOnce(notice);
            for (std::size_t e = 0; recorder && e < left.size(); ++e) recorder->enough(static_cast<int>(e));
        }
        if (!ended.empty()) countEnds(span, ended, seats, recorder ? &*recorder : nullptr, hashes, left);
        if (!recorder) continue;
        recorder->stepped(ended);
        for (std::size_t e = 0; e < left.size(); ++e)
            if (left[e] == 0) recorder->enough(static_cast<int>(e));
    }
    const MutexLock lock(span.mutex);
    span.decisions = group.env().decisions();
    if (recorder) span.tracks = recorder->take();
    return {};
}

void EvaluationSpans::Shared::work() {
    while (!isOver()) {
        const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
        if (index >= spans.size()) return;
        EvaluationSpan& span = spans[index];
        Result<> played;
        try {
            played = playSpan(span);
        } catch (...) {
            played = tl::unexpected<Error>(currentException());
        }
        const MutexLock lock(span.mutex);
        if (!played) {
            span.engine_error = std::move(played).error();
            leave.request_stop();
        }
        span.done = true;
    }
}

// --- the owner's side
// -----------------------------------------------------------------------------------------------------

EvaluationSpans::EvaluationSpans(std::shared_ptr<EngineNet> net, Params params,
                                 const EvaluationRequest& request)
    : shared_(std::make_shared<Shared>()) {
    Shared& shared = *shared_;
    shared.net = std::move(net);
    shared.params = std::move(params);
    shared.request = request;
    const int horizon = request.env_spec.horizon;
    shared.tasks = request.env_spec.tasks;
    const std::int64_t limit = request.limits.episode_decisions;
    shared.may_cut = limit > 0 && (horizon == 0 || limit < horizon);
    shared.envs = std::clamp(request.episodes, 1, kMaxEnvs);
    if (request.limits.decisions > 0)
        shared.env_decisions = std::max<std::int64_t>(1, request.limits.decisions / shared.envs);
    for (int first = 0; first < shared.envs; first += kSpanEnvs) {
        EvaluationSpan& span = shared.spans.emplace_back();
        span.first_env = first;
        // Every environment plays the same number of episodes, up to the remainder: stopping at the first n
        // to finish would favour short ones.
        for (int e = first; e < std::min(first + kSpanEnvs, shared.envs); ++e)
            span.episodes.push_back(request.episodes / shared.envs +
                                    (e < request.episodes % shared.envs ? 1 : 0));
        const MutexLock lock(span.mutex);
        span.results.resize(span.episodes.size());
        span.games.resize(span.episodes.size());
        span.tracks.resize(span.episodes.size());
    }
}

EvaluationSpans::~EvaluationSpans() {
    shared_->leave.request_stop();
    if (endPlayers()) return;
    for (Player& player : players_)
        if (!player.ended->load(std::memory_order_acquire)) player.thread.detach();
}

void EvaluationSpans::startPlayer() {
    Player& player = players_.emplace_back();
    player.thread = NamedThread(
        "evaluation " + std::to_string(players_.size() - 1),
        [shared = shared_, ended = player.ended](const std::stop_token&) -> Result<> {
            shared->work();
            {
                const MutexLock lock(shared->mutex);
                ended->store(true, std::memory_order_release);
            }
            shared->changed.notifyAll();
            return {};
        },
        nullptr);
}

bool EvaluationSpans::endPlayers() {
    const StopBudget* budget = shared_->request.stop_budget;
    const milliseconds timeout = budget == nullptr ? kEndTimeout : budget->left(kEndTimeout);
    MutexLock lock(shared_->mutex);
    return shared_->changed.waitFor(lock, timeout, [this] {
        return std::ranges::all_of(
            players_, [](const Player& player) { return player.ended->load(std::memory_order_acquire); });
    });
}

bool EvaluationSpans::allDone() {
    return std::ranges::all_of(shared_->spans, [](EvaluationSpan& span) {
        if (span.lost) return true;
        const MutexLock lock(span.mutex);
        return span.done;
    });
}

// Abandons spans whose environments do not return, and replaces their threads.
void EvaluationSpans::findLost() {
    const double stall_s = shared_->request.limits.stall_s;
    if (stall_s <= 0) return;
    const std::int64_t now = nowNs();
    for (EvaluationSpan& span : shared_->spans) {
        const std::int64_t since = span.busy_since.load(std::memory_order_acquire);
        const double limit =
            span.created.load(std::memory_order_acquire) ? stall_s : kCreationFactor * stall_s;
        if (since == 0 || span.lost || static_cast<double>(now - since) * 1e-9 < limit) continue;
        span.lost = true;
        startPlayer();
    }
}

Result<> EvaluationSpans::engineFailure() {
    for (EvaluationSpan& span : shared_->spans) {
        const MutexLock lock(span.mutex);
        if (span.engine_error) return tl::unexpected<Error>(*span.engine_error);
    }
    return {};
}

Result<> EvaluationSpans::play(int threads, const std::stop_token& stop) {
    if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the evaluation was stopped");
    const EvaluationLimits& limits = shared_->request.limits;
    const auto begin = std::chrono::steady_clock::now();
    const auto interval = milliseconds(
        static_cast<std::int64_t>(limits.stall_s > 0 ? std::clamp(limits.stall_s * 250, 1.0, 100.0) : 100.0));
    const std::size_t count = std::min(static_cast<std::size_t>(threads), shared_->spans.size());
    for (std::size_t i = 0; i < count; ++i) startPlayer();
    while (!allDone()) {
        {
            MutexLock lock(shared_->mutex);
            shared_->changed.waitFor(lock, stop, interval, [this] { return allDone(); });
        }
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the evaluation was stopped");
        SEEDBED_TRY(engineFailure());
        findLost();
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        if (limits.seconds > 0 && elapsed.count() >= limits.seconds) {
            out_of_time_ = true;
            shared_->leave.request_stop();
            (void)endPlayers();
            break;
        }
    }
    return engineFailure();
}

std::size_t EvaluationSpans::bytes(const NetPlan& net, const std::string& engine, const EnvSpec& env,
                                   int episodes, int threads, std::size_t env_bytes, std::size_t length) {
    const int envs = std::clamp(episodes, 1, kMaxEnvs), in_span = std::min(envs, kSpanEnvs);
    const auto spans = static_cast<std::size_t>(std::min(threads, (envs + kSpanEnvs - 1) / kSpanEnvs));
    const std::size_t columns = static_cast<std::size_t>(in_span) * static_cast<std::size_t>(env.agents);
    const GroupSpec group{.envs = in_span, .rows = 2};
    const std::size_t span =
        Ring::bytes(ActorGroup::ringSpec(group, env, net.state_words)) + SpanInference::bytes(net, columns) +
        contextBytes(engine, net, columns, 1, Keep::nothing) + static_cast<std::size_t>(in_span) * env_bytes;
    const std::size_t decision =
        static_cast<std::size_t>(env.agents * env.spaces.actionWords()) * sizeof(float);
    // Vectors grow by doubling.
    const std::size_t recorded = 3 * static_cast<std::size_t>(episodes) * length * decision / 2;
    return spans * span + std::min(recorded, EpisodeRecorder::kMaxBytes) +
           static_cast<std::size_t>(episodes) * kEpisodeBytes;
}

void EvaluationSpans::addProblems(const EvaluationResult& result, int cut, int unfinished,
                                  std::vector<std::string>& problems) const {
    const EvaluationLimits& limits = shared_->request.limits;
    const std::size_t tasks = shared_->tasks.size();
    const std::string of_all = " of " + std::to_string(result.asked) + " episodes ";
    if (cut > 0)
        problems.push_back(std::to_string(cut) + of_all + "were cut short after " +
                           formatCount(limits.episode_decisions) + " decisions (eval.max_steps)");
    if (out_of_time_)
        problems.push_back("the evaluation took longer than " + formatNumber(limits.seconds) +
                           " s (eval.max_seconds)");
    else if (unfinished > 0)
        problems.push_back(std::to_string(unfinished) + of_all + "did not end within " +
                           formatCount(limits.decisions) + " decisions in total (eval.max_total_steps)");
    if (result.replaced > 0)
        problems.push_back(std::to_string(result.replaced) +
                           (result.replaced == 1 ? " episode failed and was" : " episodes failed and were") +
                           " replaced by others, so the mean may be biased");
    if (result.missing_tasks > 0 && !result.episodes.empty())
        problems.push_back(std::to_string(result.missing_tasks) + " of " + std::to_string(tasks) +
                           " tasks have no episode, so there is no human-normalised score" +
                           (result.asked < static_cast<int>(tasks)
                                ? " (eval.episodes is less than the number of tasks)"
                                : ""));
}

EvaluationResult EvaluationSpans::take() {
    Shared& shared = *shared_;
    const EvaluationLimits& limits = shared.request.limits;
    std::vector<EpisodeResult> played;
    std::vector<GameResult> games;
    std::vector<std::vector<double>> returns(shared.tasks.size());  // per task
    std::uint64_t decisions = 0;
    int cut = 0, unfinished = 0, replaced = 0;
    std::vector<EvaluationSpan::SeatReturns> seats;
    std::vector<std::string> problems;
    std::vector<ReplayTrack> tracks;
    for (EvaluationSpan& span : shared.spans) {
        const std::string name = "environments " + std::to_string(span.first_env) + " to " +
                                 std::to_string(span.first_env + static_cast<int>(span.episodes.size()) - 1);
        const MutexLock lock(span.mutex);
        auto env = static_cast<std::size_t>(span.first_env);
        for (const auto& of_env : span.results) {
            played.insert(played.end(), of_env.begin(), of_env.end());
            if (!returns.empty())
                for (const EpisodeResult& episode : of_env)
                    returns[env % returns.size()].push_back(episode.episode_return);
            ++env;
        }
        for (const auto& of_env : span.games) games.insert(games.end(), of_env.begin(), of_env.end());
        seats.resize(std::max(seats.size(), span.seats.size()));
        for (std::size_t seat = 0; seat < span.seats.size(); ++seat) {
            seats[seat].sum += span.seats[seat].sum;
            seats[seat].episodes += span.seats[seat].episodes;
        }
        decisions += span.decisions;
        cut += span.cut;
        unfinished += span.unfinished;
        replaced += span.replaced;
        if (span.env_error) problems.push_back(name + " failed: " + span.env_error->text());
        else if (span.lost && !span.done)
            problems.push_back(name + " did not return for " + formatNumber(limits.stall_s) + " s");
        if (shared.request.record) {
            // An abandoned thread may still add tracks.
            if (span.done) std::ranges::move(span.tracks, std::back_inserter(tracks));
            else tracks.resize(tracks.size() + span.episodes.size());
        }
    }
    EvaluationResult result = summariseEvaluation(std::move(played), decisions);
    result.games = std::move(games);
    for (const EvaluationSpan::SeatReturns& seat : seats)
        result.seat_means.push_back(seat.sum / std::max(1, seat.episodes));
    result.tasks = taskScores(shared.tasks, returns);
    result.asked = shared.request.episodes;
    result.replaced = replaced;
    result.missing_tasks = static_cast<int>(shared.tasks.size() - result.tasks.size());
    addProblems(result, cut, unfinished, problems);
    result.problem = join(problems, "; ");
    result.tracks = std::move(tracks);
    return result;
}

}  // namespace seedbed
