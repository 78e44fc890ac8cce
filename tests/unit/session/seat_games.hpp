// SPDX-License-Identifier: Apache-2.0
// Test games for two seats, and the scripted player `chooses:N`, which always takes action N:
//   first_wins   one decision; the first seat wins
//   pays_action  four decisions; each seat's reward is its own action (0 to 3)
//   duel         one decision with actions a and b (0 to 3); the first seat wins with probability a / (a + b)
#pragma once

#include <memory>
#include <string>

#include "core/env/scripted_player.hpp"

namespace seedbed::test {

class SeatGame final : public Env {
public:
    struct Params {
        std::string rule = "first_wins";
        static const Description<Params>& describe() {
            static const auto description = Description<Params>("seat_game", "A test game.")
                                                .field(&Params::rule, "rule", "The rule of the game.");
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = params.rule;
        spec.title = spec.sentence = "A game for tests.";
        spec.agents = 2;
        ObsLeaf leaf;
        leaf.shape = {1};
        leaf.low = 0;
        leaf.high = 1;
        spec.spaces.obs = {leaf};
        ActionLeaf action;
        action.n = 4;
        spec.spaces.actions = {action};
        return spec;
    }
    explicit SeatGame(const Params& params) : rule_(params.rule) {}

    void reset(Rng&) override { steps_ = 0; }
    StepResult step(const float* actions, float* rewards, Rng& rng) override {
        ++steps_;
        StepResult result;
        if (rule_ == "pays_action") {
            rewards[0] = actions[0];
            rewards[1] = actions[1];
            result.terminated = steps_ == 4;
        } else {
            const double sum = actions[0] + actions[1];
            const bool first = rule_ != "duel" || rng.uniform() * sum < actions[0];
            rewards[0] = first ? 1 : -1;
            rewards[1] = -rewards[0];
            result.terminated = true;
        }
        result.reward = rewards[0];
        return result;
    }
    void observe(int, ObsOut out) const override { *out.leaf<float>(0) = 0; }
    void draw(Scene&) const override {}
    void archive(Archive& archive) override { archive.field("steps", steps_, range(0, 4)); }
    Json state() const override { return {{"steps", steps_}}; }
    Result<> setState(const Json&) override { return {}; }

private:
    std::string rule_;
    int steps_ = 0;
};

class Chooses final : public ScriptedPlayer {
public:
    explicit Chooses(int action) : action_(action) {}
    void act(const SeatView&, Rng&, float* action) const override { *action = static_cast<float>(action_); }

private:
    int action_;
};

// Registers them once.
inline void registerSeatGames() {
    static const bool registered = [] {
        for (const char* rule : {"first_wins", "pays_action", "duel"})
            registerEnv(envEntry<SeatGame>({}, Json{{"rule", rule}}, rule));
        scriptedPlayerRegistry().add(
            {.id = "chooses",
             .summary = "Takes action N.",
             .parameter = "N",
             .low = 0,
             .high = 3,
             .make = [](const EnvSpec&, int action) -> Result<std::unique_ptr<ScriptedPlayer>> {
                 return std::make_unique<Chooses>(action);
             }});
        return true;
    }();
    (void)registered;
}

}  // namespace seedbed::test
