// SPDX-License-Identifier: Apache-2.0
// Plays separate environments one row at a time, with the policy's outputs for each row. player_session.hpp
// adds pacing and viewers.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/control/player_frame.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/vector_env.hpp"
#include "core/play/seats/seat_actor.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed {

struct PlayerSpec {
    const EnvEntry* env = nullptr;
    Json env_params{};
    int envs = 1;
    std::uint64_t seed = 1;
    RngPurpose purpose = RngPurpose::play;  // purpose of the environments' streams
    std::uint32_t first_lane = 0;
    // Plays all seats, or one of them against the rival. Its parameters are those given to create() and
    // step(). Neither a network nor scripted: the actions come from the replay.
    SeatPlayer player{};
    std::optional<SeatPlayer> rival{};        // plays all seats but `seat`
    int seat = 0;                             // of `player` if there is a rival
    Selection selection = Selection::greedy;  // of both players
    // One track of a replay, whose actions replace the players'; then `envs` is 1. Must outlive the player.
    const ReplayTrack* replay = nullptr;
    bool record = false;
    std::size_t record_bytes = EpisodeRecorder::kMaxBytes;  // of actions per environment
};

// Observations, wrappers and episode ends are as in an evaluation. Thread: one owner at a time.
class Player {
public:
    // Rows that are stored for the timeline.
    static constexpr std::size_t kTraceRows = 2048;

    // Shows row 0. error: config (also for players that do not fit), out_of_memory, or from environment or
    // engine.
    static Result<std::unique_ptr<Player>> create(PlayerSpec spec, const Params& params);

    // Steps the environments with the actions of the row, then lets the players decide the next row.
    // `draw`: also draw the scenes of the next row. error: from environment or engine; the player can no
    // longer be used.
    Result<> step(const Params& params, bool draw);
    // Clears the trace and the marks of earlier rows, and draws the current row.
    void clearPast();
    // Draws the current row, if step() did not.
    void redraw();
    // Applies to later rows.
    void select(Selection selection);
    // Replaces the action of the current row, f32 [action words]; it must be an action of the spaces. Ignored
    // for a row without a decision.
    void act(int env, int agent, const std::vector<float>& action,
             DecisionSource source = DecisionSource::person);

    // The state of all environments, players and random streams at the current row, without the past.
    // error: the environments cannot save their state.
    Result<std::vector<std::uint8_t>> snapshot();
    // Continues from a snapshot of a player with the same spec; `cells` and `trace` are those of that row.
    // Recording ends. error: the snapshot belongs to a different player.
    Result<> restore(const std::vector<std::uint8_t>& snapshot, std::vector<PlayerCell> cells,
                     const Player& past);
    bool canSnapshot() const { return spec_.replay == nullptr && env_->canArchive(); }
    // Whether a snapshot needs no other process.
    bool snapshotIsCheap() const { return canSnapshot() && spec_.env->makeLocal != nullptr; }

    // For inspection: the history of the current row, who plays a seat, and the recurrent state of its
    // network before the row, [columns, state words].
    Ring& ring() { return *ring_; }
    bool isRival(int agent) const { return spec_.rival && agent != spec_.seat; }
    const SeatPlayer& playerOf(int agent) const { return isRival(agent) ? *spec_.rival : spec_.player; }
    const std::vector<float>& stateBefore(int agent) const {
        return (isRival(agent) ? rival_ : actor_)->stateBefore();
    }

    std::uint64_t row() const { return row_; }
    // Whether a replay has no more actions.
    bool finished() const { return spec_.replay != nullptr && left() == 0; }
    // Number of remaining decisions in the replay.
    std::size_t left() const;
    // Episodes of each environment's first agent that ended in the last step.
    const std::vector<EpisodeEnd>& ended() const { return ended_; }
    // The state of the current row, including scenes if it was drawn.
    const std::vector<PlayerCell>& cells() const { return cells_; }
    bool drawn() const { return drawn_; }
    // The latest rows of one agent, oldest first, up to the current one.
    const std::deque<PlayerRecord>& trace(int env, int agent = 0) const {
        return traces_[columnOf(env, agent)];
    }
    int envs() const { return spec_.envs; }
    const EnvSpec& envSpec() const { return env_->spec(); }
    // Complete episodes so far (PlayerSpec::record). Ends recording.
    std::vector<ReplayTrack> takeTracks() { return recorder_->take(); }
    EpisodeRecorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }

private:
    explicit Player(PlayerSpec spec) : spec_(std::move(spec)) {}
    Result<> createActors(const EnvSpec& env);
    Result<> decide(const Params& params);
    void archiveActors(Archive& archive);
    void useReplayActions();
    void recordRow(std::size_t env, int agent);
    std::vector<float> clamped(std::vector<float> action) const;
    DecisionSource sourceOf(std::size_t column) const;
    std::size_t columnOf(int env, int agent) const {
        return static_cast<std::size_t>(env) * static_cast<std::size_t>(envSpec().agents) +
               static_cast<std::size_t>(agent);
    }
    void drawAll();

    PlayerSpec spec_;
    std::unique_ptr<Ring> ring_;
    std::unique_ptr<VectorEnv> env_;
    std::unique_ptr<SeatActor> actor_, rival_;  // null: none
    std::optional<EpisodeRecorder> recorder_;
    std::uint64_t row_ = 0;
    std::size_t replayed_ = 0;  // decisions of the replay so far
    bool drawing_ = true, drawn_ = true;
    std::vector<EpisodeEnd> ended_;
    std::vector<PlayerCell> cells_;
    std::vector<std::deque<PlayerRecord>> traces_;  // [columns]
};

}  // namespace seedbed
