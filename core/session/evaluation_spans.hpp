// SPDX-License-Identifier: Apache-2.0
// Plays the environments of an evaluation on separate threads, which are abandoned if an environment does not
// return.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed {

// Environments that one thread steps together. That thread writes all fields except the owner's; other
// threads read the guarded ones.
struct EvaluationSpan {
    int first_env = 0;
    std::vector<int> episodes;  // number of episodes to play, per environment

    // Nanoseconds of the monotonic clock when the creation or step in progress began; 0: none in progress.
    std::atomic<std::int64_t> busy_since{0};
    std::atomic<bool> created{false};
    bool claimed = false, lost = false;  // used by the owner only

    Mutex mutex;
    bool done SEEDBED_GUARDED_BY(mutex) = false;
    std::vector<std::vector<EpisodeResult>> results SEEDBED_GUARDED_BY(mutex);  // per environment
    std::vector<std::vector<GameResult>> games SEEDBED_GUARDED_BY(mutex);       // games of `results`; empty
                                                                                // without an opponent
    struct SeatReturns {
        double sum = 0;
        int episodes = 0;
    };
    std::vector<SeatReturns> seats SEEDBED_GUARDED_BY(mutex);  // without an opponent; empty with one seat
    int cut SEEDBED_GUARDED_BY(mutex) = 0;                     // episodes that were longer than the limit
    int unfinished SEEDBED_GUARDED_BY(mutex) = 0;              // episodes that the other limits ended
    int replaced SEEDBED_GUARDED_BY(mutex) = 0;  // episodes that failed; their environments played others
    std::uint64_t decisions SEEDBED_GUARDED_BY(mutex) = 0;
    std::vector<ReplayTrack> tracks SEEDBED_GUARDED_BY(mutex);    // set when done
    std::optional<Error> env_error SEEDBED_GUARDED_BY(mutex);     // error from the environments
    std::optional<Error> engine_error SEEDBED_GUARDED_BY(mutex);  // error from the network
};

// Thread: one owner. Shares everything that the threads use with them, so that they may outlive it.
class EvaluationSpans {
public:
    EvaluationSpans(std::shared_ptr<EngineNet> net, Params params, const EvaluationRequest& request);
    // Requests a stop and waits up to a second for threads that are not in an environment.
    ~EvaluationSpans();
    EvaluationSpans(const EvaluationSpans&) = delete;
    EvaluationSpans& operator=(const EvaluationSpans&) = delete;

    // Estimates the memory, in bytes, of a recorded evaluation on `env` with episodes of `length` decisions.
    // `env_bytes`: memory of one environment.
    static std::size_t bytes(const NetPlan& net, const std::string& engine, const EnvSpec& env, int episodes,
                             int threads, std::size_t env_bytes, std::size_t length);

    // Plays with up to `threads` threads until every span is done or lost, or the time limit expires. error:
    // interrupted; from the engine.
    Result<> play(int threads, const std::stop_token& stop);
    // The results of all spans, in order; moves the tracks out. Call after play().
    EvaluationResult take();

private:
    // Adds the reasons why the result is incomplete or biased.
    void addProblems(const EvaluationResult& result, int cut, int unfinished,
                     std::vector<std::string>& problems) const;
    struct Shared;
    struct Player {
        std::shared_ptr<std::atomic<bool>> ended = std::make_shared<std::atomic<bool>>(false);
        NamedThread thread;
    };

    void startPlayer();
    void findLost();
    Result<> engineFailure();
    bool allDone();
    bool endPlayers();

    std::shared_ptr<Shared> shared_;
    std::vector<Player> players_;
    bool out_of_time_ = false;
};

}  // namespace seedbed
