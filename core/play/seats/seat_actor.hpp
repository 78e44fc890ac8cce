// SPDX-License-Identifier: Apache-2.0
// Writes the actions of the seats that one player plays, a network or a scripted player, for each row of a
// ring.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/archive.hpp"
#include "core/env/scripted_player.hpp"
#include "core/env/vector_env.hpp"
#include "core/infer/seat_mix.hpp"
#include "core/infer/span_inference.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed {

struct SeatActorOptions {
    std::uint64_t seed = 1;
    std::vector<bool> seats{};  // [agents] those that it plays; empty: all
    bool stores_state = false;  // the network computes the ring's recurrent states
};

// Results depend on the seed, the column and the row only. Thread: one owner at a time.
class SeatActor {
public:
    // Column n uses the random stream of lane kFirstLane + n; the environments' streams have lower lanes.
    static constexpr std::uint32_t kFirstLane = 1 << 16;

    // `env` and `ring` must outlive the actor. error: config, if the player does not fit the environment.
    static Result<std::unique_ptr<SeatActor>> create(const SeatPlayer& player, const EnvEntry& entry,
                                                     VectorEnv& env, Ring& ring, SeatActorOptions options);

    // The parameters of a player, for act().
    static Params paramsOf(const SeatPlayer& player);
    // Writes the actions of its seats in the head row; a network also writes its outputs for them. `params`:
    // of the network; with several policies, of all of them (joinParams()). error: from the engine.
    Result<> act(const Params& params);
    // Applies to later rows.
    void select(Selection selection);
    // The recurrent state of the network before the head row, [columns, state words].
    const std::vector<float>& stateBefore() const { return state_before_; }
    // Saves or loads recurrent states and random streams.
    void archive(Archive& archive);

private:
    SeatActor(VectorEnv& env, Ring& ring, SeatActorOptions options)
        : env_(env), ring_(ring), options_(std::move(options)) {}
    bool plays(int column) const;
    Result<> actByNetwork(const Params& params);
    Result<> runNetwork(const Params& params);
    void actByScript();
    void actByScript(int column, const Json& state);
    template <class Body>
    void forOutputs(const Body& body);

    VectorEnv& env_;
    Ring& ring_;
    SeatActorOptions options_;
    std::unique_ptr<SpanInference> inference_;
    std::unique_ptr<SeatMix> mix_;  // with several policies
    std::size_t policies_ = 1;      // number of policies
    std::vector<Params> parts_;     // of the policies, from the parameters with version parts_version_
    std::uint64_t parts_version_ = 0;
    ThreadTimes times_;
    std::vector<float> state_before_;
    std::vector<float> others_;  // scratch: outputs of all columns before the network acts
    std::unique_ptr<ScriptedPlayer> scripted_;
    std::vector<Rng> rngs_;  // [columns], of the scripted player
    std::vector<const std::uint8_t*> leaves_;
};

}  // namespace seedbed
