// SPDX-License-Identifier: Apache-2.0
#include "core/play/play_headless.hpp"

#include <algorithm>

#include "core/base/sleep.hpp"
#include "core/play/player.hpp"

namespace seedbed {
namespace {

// Waits between steps to keep a constant rate; catches up on at most kMaxDelay.
class Pace {
public:
    explicit Pace(double per_second) : interval_(per_second > 0 ? 1 / per_second : 0), due_(secondsNow()) {}
    void wait(const std::stop_token& stop) {
        if (interval_ == 0) return;
        due_ = std::max(due_ + interval_, secondsNow() - kMaxDelay);
        sleepFor(due_ - secondsNow(), stop);
    }

private:
    static constexpr double kMaxDelay = 0.25;  // seconds
    double interval_;
    double due_;
};

}  // namespace

double playerRate(const EnvSpec& env) { return env.frames_per_step > 1 ? 60.0 / env.frames_per_step : 30.0; }

Result<HeadlessResult> playHeadless(const HeadlessSpec& spec, const std::stop_token& stop) {
    PlayerPolicy& policy = *spec.policy;
    const int envs = spec.episodes > 0 ? std::min(spec.envs, spec.episodes) : spec.envs;
    SEEDBED_ASSIGN(const auto player, Player::create({.env = &policy.env(),
                                                      .env_params = policy.envParams(),
                                                      .envs = envs,
                                                      .seed = spec.seed,
                                                      .player = policy.seatPlayer(),
                                                      .selection = spec.selection,
                                                      .record = spec.record},
                                                     policy.params()));
    std::vector<int> open(static_cast<std::size_t>(envs), -1);
    if (spec.episodes > 0)
        for (int e = 0; e < envs; ++e)
            open[static_cast<std::size_t>(e)] = spec.episodes / envs + (e < spec.episodes % envs ? 1 : 0);
    HeadlessResult result;
    Pace pace(spec.speed * playerRate(player->envSpec()));
    while (!std::all_of(open.begin(), open.end(), [](int left) { return left == 0; })) {
        pace.wait(stop);
        if (stop.stop_requested()) {
            result.stopped = true;
            break;
        }
        policy.refresh(secondsNow());
        for (const std::string& notice : policy.takeNotices())
            if (spec.message) spec.message(notice);
        SEEDBED_TRY(player->step(policy.params(), false));
        for (const EpisodeEnd& end : player->ended()) {
            const int env = end.column / player->envSpec().agents;
            int& left = open[static_cast<std::size_t>(env)];
            if (left == 0) continue;
            if (--left == 0 && player->recorder() != nullptr) player->recorder()->enough(env);
            result.episodes.push_back(end);
            if (spec.ended) spec.ended(end);
        }
    }
    if (!spec.record || result.episodes.empty()) return result;
    result.replay = recordedReplay({.env = &policy.env(),
                                    .env_params = policy.envParams(),
                                    .spec = player->envSpec(),
                                    .seed = spec.seed,
                                    .selection = spec.selection,
                                    .policy_steps = policy.steps(),
                                    .run = policy.run()},
                                   player->takeTracks());
    return result;
}

}  // namespace seedbed
