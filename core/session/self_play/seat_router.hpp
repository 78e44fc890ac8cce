// SPDX-License-Identifier: Apache-2.0
// Decides for each episode of a group who plays which seat, and computes the actions of all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/env/scripted_player.hpp"
#include "core/env/vector_env.hpp"
#include "core/infer/policy_mix.hpp"
#include "core/session/self_play/past_selves.hpp"

namespace seedbed {

// Rows of seats that the learner does not play get a policyId above 0. Thread: that of the group.
class SeatRouter {
public:
    struct Place {
        std::uint64_t seed = 0;
        int first_env = 0;          // number of the group's first environment within the run
        bool skips_forced = false;  // values and distributions of forced rows are not used
    };
    // `net` and `env` must outlive the router. error: config, if the scripted player does not fit.
    static Result<std::unique_ptr<SeatRouter>> create(std::shared_ptr<PastSelves> selves,
                                                      const EnvEntry& entry, EngineNet& net, VectorEnv& env,
                                                      Place place);

    // Writes the actions and policy ids of the ring's head row. Recurrent networks also act, so that their
    // states advance, where an opening replaces the action or there is no choice. error: from the engine; if
    // the scripted player throws an exception.
    Result<> act(const Acting& acting, SpanInference& span, Ring& ring, ThreadTimes& times);
    // Records the results of the episodes from index `begin` on, and removes those of other players' seats.
    void finish(std::vector<EpisodeEnd>& ended, std::size_t begin);
    void archive(Archive& archive);

private:
    struct Seats {
        std::uint64_t episodes = 0;  // episodes begun
        SeatAssignment assignment;
        int opening = 0;  // random decisions at the start of the episode
    };
    SeatRouter(std::shared_ptr<PastSelves> selves, EngineNet& net, VectorEnv& env, Place place);
    void beginEpisodes(const Opponents& opponents, Ring& ring);
    void chooseNetworks(Ring& ring);
    Result<> actScripted(Ring& ring);
    bool isOpening(Ring& ring, std::size_t env) const;
    void playOpenings(Ring& ring) const;
    std::uint32_t numberOf(std::size_t env) const;
    bool isLearners(const Seats& seats, std::size_t agent) const;
    std::uint16_t policyOf(const Seats& seats, std::size_t agent) const;
    Outcome outcomeOf(const std::vector<EpisodeEnd>& ended, std::size_t begin, std::size_t end,
                      std::size_t column) const;

    std::shared_ptr<PastSelves> selves_;
    VectorEnv& env_;
    Place place_;
    std::size_t agents_, rivals_;
    PolicyMix mix_;  // others: first the rivals, then the past selves
    std::unique_ptr<ScriptedPlayer> scripted_;
    std::vector<Seats> seats_;             // per environment
    std::vector<std::uint16_t> policies_;  // per column: as for PolicyMix
    std::vector<std::uint16_t> networks_;  // those of them that run for the current row
    bool is_recurrent_;
    std::vector<const Params*> others_;        // of the current row
    std::vector<const std::uint8_t*> leaves_;  // scratch
};

}  // namespace seedbed
