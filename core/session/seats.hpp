// SPDX-License-Identifier: Apache-2.0
// Writes the actions of all seats in an evaluation, for each row of a group's ring.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/env/scripted_player.hpp"
#include "core/session/evaluation.hpp"
#include "core/session/group.hpp"

namespace seedbed {

// error: config, if the scripted player `name` cannot play the environment, or the environment has only one
// seat.
Result<> checkSeats(const EnvEntry& env, const EnvSpec& spec, const std::string& name);
// The opponent of the setting eval.opponent; nullopt for "".
std::optional<SeatPlayer> scriptedOpponent(const std::string& name);

// Thread: the group's. Results depend only on the request and the numbers of environments and rows.
class Seats {
public:
    // `group` must outlive the seats; `first_env` is the number of its first environment. error: config, if a
    // scripted player does not fit the environment, or the opponent's network has different actions.
    static Result<Seats> create(const EvaluationRequest& request, ActorGroup& group, int first_env);

    int count() const { return agents_; }
    // The seat of the evaluated player in episode `episode` of environment `env` of the group.
    int evaluated(std::size_t env, int episode) const;
    // Writes the actions of the head row. Each environment is in episode `episodes` - `left`. error: from the
    // engine.
    Result<> act(const Params& params, const std::vector<int>& episodes, const std::vector<int>& left,
                 ThreadTimes& times);

private:
    explicit Seats(ActorGroup& group) : group_(group) {}
    void actScripted(const ScriptedPlayer& player, std::size_t column, const Json& state);
    void playOpenings();

    ActorGroup& group_;
    int agents_ = 1, first_env_ = 0, opening_ = 0;
    bool has_network_ = false, has_opponent_ = false, swap_ = true;
    std::unique_ptr<ScriptedPlayer> own_, other_;
    std::shared_ptr<const Opponents> own_policies_;  // null: one policy
    Acting other_acting_;
    std::vector<Params> other_policies_;
    std::unique_ptr<SpanInference> other_network_;
    std::unique_ptr<SeatMix> other_mix_;  // null: one policy
    std::vector<float> actions_;          // scratch, [columns, A]
    std::vector<const std::uint8_t*> leaves_;
    std::vector<Rng> rngs_, opening_rngs_;  // for scripted players [columns] and openings [environments]
};

}  // namespace seedbed
