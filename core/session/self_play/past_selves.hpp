// SPDX-License-Identifier: Apache-2.0
// Self-play: which opponents the learner meets, and the pool of its past selves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/describe.hpp"
#include "core/base/mutex.hpp"
#include "core/env/env_registry.hpp"
#include "core/nn/params.hpp"

namespace seedbed {

// Section self_play: who plays the seats that the learner does not play.
struct SelfPlaySettings {
    double past = 0;
    std::string choice = "prioritised";
    int pool = 10;
    int every = 20;
    std::string scripted;
    double scripted_share = 0;
    std::string rivals;
    double rival_share = 0;
    int opening = 0;

    bool isUsed() const { return past > 0 || scripted_share > 0 || rival_share > 0 || opening > 0; }
    // The names in `rivals`, which are separated by commas.
    std::vector<std::string> rivalNames() const;
    static const Description<SelfPlaySettings>& describe();
};

// error: config, if the environment has one seat, or the shares or the scripted player do not fit.
Result<> checkSelfPlay(const SelfPlaySettings& settings, const EnvEntry& env, const EnvSpec& spec);

// The opponents from which the router chooses. Immutable; published with the parameters.
struct Opponents {
    struct Past {
        Params params;
        std::uint64_t snapshot = 0;  // number of updates when it was taken; 0 for rivals
        double weight = 1;
    };
    std::vector<Past> past{}, rivals{};
    double past_share = 0, scripted_share = 0, rival_share = 0;
    // With policies.seats, and without self-play: the newest parameters of the policies 1, 2, ...
    std::vector<Params> policies{};
};

// The players of an episode. The learner plays `seat`, or all seats if the opponent is `self`.
struct SeatAssignment {
    enum class Opponent : std::uint8_t { self, past, scripted, rival };
    Opponent opponent = Opponent::self;
    std::uint32_t slot = 0;  // of Opponents::past or Opponents::rivals
    std::uint64_t snapshot = 0;
    std::uint32_t seat = 0;
};
// A pure function of its arguments. `env` is the number of the environment within the run.
SeatAssignment assignSeats(const Opponents& opponents, std::uint64_t seed, std::uint32_t env,
                           std::uint64_t episode, int agents);
// The number of random decisions at the start of an episode, uniform from 0 to `most`; a pure function.
int openingOf(int most, std::uint64_t seed, std::uint32_t env, std::uint64_t episode);

enum class Outcome : std::uint8_t { loss, draw, win };

// The past selves and rivals of a run, and the learner's results against them. Rivals are policies of other
// runs with the same network, which do not change. Threads: finished(): any; other functions: the learner's.
class PastSelves {
public:
    explicit PastSelves(SelfPlaySettings settings) : settings_(std::move(settings)) {}

    const SelfPlaySettings& settings() const { return settings_; }
    // Call before the first advance() of a new run; archive() restores them later. One for each of
    // settings().rivalNames().
    void setRivals(std::vector<Params> rivals);
    // Call before every rollout. Once per update, counts the results and chooses new weights; every
    // settings.every updates, adds `params` to the pool, where they replace the oldest past self if it is
    // full.
    void advance(std::uint64_t updates, const Params& params);
    std::shared_ptr<const Opponents> opponents() const { return opponents_; }
    // Records the result of an episode for the learner. Sums do not depend on the order of calls.
    void finished(const SeatAssignment& assignment, Outcome outcome);
    // Adds self_play/pool, and self_play/score_past, self_play/score_scripted, self_play/score_rivals and
    // self_play/score_rival_N if there are results since the last advance(): wins and half of the draws.
    void appendMetrics(std::vector<std::pair<std::string, double>>& metrics) const;
    // `parameters`: floats of the network. Saves the state before the next advance().
    void archive(Archive& archive, std::size_t parameters);

private:
    struct Counts {
        std::uint64_t wins = 0, draws = 0, losses = 0;
        double games() const { return static_cast<double>(wins + draws + losses); }
        double score() const { return static_cast<double>(wins) + 0.5 * static_cast<double>(draws); }
        void add(Outcome outcome);
        void add(const Counts& other);
        void archive(Archive& archive);
    };
    struct Slot {
        Params params;
        std::uint64_t snapshot = 0;
        double games = 0, score = 0;  // the learner's; halved every settings_.every updates
        Counts recent;                // since the last advance()
        void countRecent();
        void archive(Archive& archive, std::size_t parameters);
    };
    using Slots = std::vector<Slot>;
    static Counts recentOf(const Slots& slots);
    void takeSnapshot(std::uint64_t updates, const Params& params) SEEDBED_REQUIRES(mutex_);
    void choose() SEEDBED_REQUIRES(mutex_);

    SelfPlaySettings settings_;
    std::shared_ptr<const Opponents> opponents_ = std::make_shared<Opponents>();
    mutable Mutex mutex_;
    Slots slots_ SEEDBED_GUARDED_BY(mutex_), rivals_ SEEDBED_GUARDED_BY(mutex_);
    Counts scripted_ SEEDBED_GUARDED_BY(mutex_);
    std::uint64_t taken_ SEEDBED_GUARDED_BY(mutex_) = 0;     // past selves so far
    std::uint64_t advanced_ SEEDBED_GUARDED_BY(mutex_) = 0;  // 1 + `updates` of the last advance(); 0: none
};

}  // namespace seedbed
