// SPDX-License-Identifier: Apache-2.0
// Common parts of the five MinAtar games: actions, sticky actions, planes of 10 x 10 cells, and the batch
// that steps many games. The games are written from a description of their rules (Young and Tian 2019, arXiv
// 1903.03176), not from the original program.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/env/env.hpp"
#include "core/env/env_registry.hpp"
#include "envs/minatar_state.hpp"

namespace seedbed::minatar {

// All actions, in the original's order. Some games ignore some of them.
enum Action : int { noop, left, up, right, down, fire };
inline const std::vector<std::string> kActionNames = {"no-op", "left", "up", "right", "down", "fire"};

struct CommonParams {
    bool minimal_actions = false;
    double sticky_actions = 0.1;
};

// Adds the parameters that all games share.
template <class Params>
Description<Params>&& withCommonParams(Description<Params>&& description) {
    description
        .field(static_cast<bool Params::*>(&Params::minimal_actions), "minimal_actions",
               "Offer only the actions that have an effect in this game (version 1 of the original), not all "
               "six (version 0).",
               {})
        .field(static_cast<double Params::*>(&Params::sticky_actions), "sticky_actions",
               "Probability that the previously executed action is executed again, even across episodes.",
               {.min = 0, .max = 1});
    return std::move(description);
}

// The common part of a game's spec; `planes` names the channels of the observation.
inline EnvSpec commonSpec(const std::string& id, const std::string& title, std::vector<std::string> planes,
                          const CommonParams& params, const std::vector<Action>& minimal) {
    EnvSpec spec;
    spec.id = "minatar_" + id;
    spec.title = title;
    ObsLeaf leaf;
    leaf.name = "planes";
    leaf.kind = ObsLeaf::Kind::image;
    leaf.dtype = DType::u8;
    leaf.shape = {static_cast<int>(planes.size()), kSide, kSide};
    leaf.low = 0;
    leaf.high = 1;
    leaf.labels = std::move(planes);
    spec.spaces.obs = {leaf};
    ActionLeaf action;
    action.labels = kActionNames;
    if (params.minimal_actions) {
        action.labels.clear();
        for (const Action choice : minimal) action.labels.push_back(kActionNames[choice]);
    }
    action.n = static_cast<int>(action.labels.size());
    spec.spaces.actions = {action};
    spec.upstream = "https://github.com/kenjyoung/MinAtar 1.0.15 " + id +
                    "; written from its rules, different random stream";
    return spec;
}

// The state of one game:
//   struct Params : CommonParams (described);
//   static EnvSpec spec(const Params&);
//   static const std::vector<Action>& minimalActions();
//   explicit Game(const Params&);
//   void reset(Rng&);
//   float step(int action, Rng&);                    // returns the reward
//   bool terminal;
//   void observe(std::uint8_t* planes) const;        // [C, 10, 10], zero on entry
//   template <class V> void visit(V&);               // see minatar_state.hpp
//   void draw(Scene&) const;                         // after clearBoard()
template <class Game>
class Batch final : public LocalBatch {
public:
    using Params = typename Game::Params;
    static EnvSpec spec(const Params& params) { return Game::spec(params); }

    Batch(const Params& params, int count)
        : spec_(Game::spec(params)),
          sticky_actions_(static_cast<float>(params.sticky_actions)),
          games_(static_cast<std::size_t>(count), Game(params)),
          executed_(static_cast<std::size_t>(count), noop),
          obs_bytes_(spec_.spaces.obs[0].bytes()) {
        choices_ = {noop, left, up, right, down, fire};
        if (params.minimal_actions) choices_ = Game::minimalActions();
    }

    int count() const override { return static_cast<int>(games_.size()); }
    const EnvSpec& spec() const override { return spec_; }
    void reset(int env, Rng& rng) override { at(env).reset(rng); }

    Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        for (std::size_t env = 0; env < games_.size(); ++env) {
            if (!active[env]) continue;
            Game& game = games_[env];
            if (sticky_actions_ <= 0 || rngs[env].uniformF() >= sticky_actions_)
                executed_[env] = choices_[static_cast<std::size_t>(actions[env])];
            rewards[env] = game.terminal ? 0 : game.step(executed_[env], rngs[env]);
            terminated[env] = game.terminal;
            truncated[env] = 0;
        }
        return {};
    }

    void observe(std::uint8_t* const* leaves, std::uint8_t*) const override {
        std::uint8_t* planes = leaves[0];
        for (const Game& game : games_) {
            std::memset(planes, 0, obs_bytes_);
            game.observe(planes);
            planes += obs_bytes_;
        }
    }

    void draw(int env, Scene& scene) const override {
        clearBoard(scene);
        games_[static_cast<std::size_t>(env)].draw(scene);
    }
    void archive(int env, Archive& archive) override {
        ArchiveVisitor visitor{archive};
        at(env).visit(visitor);
        visitor.integer("last action", executed_[static_cast<std::size_t>(env)], noop, fire);
    }
    Json state(int env) const override {
        Game game = games_[static_cast<std::size_t>(env)];
        StateWriter writer;
        game.visit(writer);
        return writer.json;
    }
    Result<> setState(int env, const Json& state) override {
        Game game = at(env);
        StateReader reader{state};
        game.visit(reader);
        if (!reader.bad.empty())
            return fail("a state of " + spec_.id + " needs a legal value for " + reader.bad);
        at(env) = game;
        return {};
    }
    // A game implements adoptOutcome(before, after) if a step has too many outcomes to find the recorded one
    // by repeated sampling.
    Result<> adoptOutcome(int env, const Json& before, const float* action, const Json& after) override {
        if constexpr (requires(Game game) { game.adoptOutcome(game, game); }) {
            Game was = at(env), became = at(env);
            StateReader read_before{before}, read_after{after};
            was.visit(read_before);
            became.visit(read_after);
            if (!read_before.bad.empty() || !read_after.bad.empty())
                return fail(ErrorCode::parity, "not a state of " + spec_.id);
            return at(env).adoptOutcome(was, became);
        } else {
            return LocalBatch::adoptOutcome(env, before, action, after);
        }
    }

private:
    Game& at(int env) { return games_[static_cast<std::size_t>(env)]; }

    EnvSpec spec_;
    float sticky_actions_;
    std::vector<Game> games_;
    std::vector<Action> executed_;  // previous action; kept across resets, as in the original
    std::vector<Action> choices_;   // the executed action for each action index
    std::size_t obs_bytes_;
};

}  // namespace seedbed::minatar
