// SPDX-License-Identifier: Apache-2.0
// The environment seam: one environment (what most files in envs/ implement) and a batch of them (what actors
// step).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/describe.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/rng.hpp"
#include "core/base/scene.hpp"
#include "core/base/spaces.hpp"

namespace seedbed {

struct ReferenceScore {
    std::string agent;       // "SB3-zoo PPO"
    double score = 0;        // mean episode return
    std::int64_t steps = 0;  // agent decisions of training, 0 when unknown
    std::string source;      // where the figure comes from
};

// Everything about an environment that does not change while it runs.
struct EnvSpec {
    std::string id;        // snake_case, as registered
    std::string title;     // "CartPole"
    std::string sentence;  // what the agent has to do, one sentence
    std::string upstream;  // URL and version of the original that is reproduced, and known differences
    std::string difficulty = "easy";  // easy | medium | hard
    Spaces spaces;                    // of one agent
    int agents = 1;                   // agents per environment, each a column of its own
    int horizon = 0;                  // decisions after which an episode is truncated, 0: never
    int frames_per_step = 1;          // emulator frames per decision
    double reward_low = 0, reward_high = 0;
    std::optional<double> solved;         // mean return that counts as solved
    std::optional<double> random_return;  // mean return of the uniformly random policy (per agent)
    double random_return_error = 0;       // its standard error
    std::vector<ReferenceScore> references;
};

struct StepResult {
    float reward = 0;
    bool terminated = false;
    bool truncated = false;  // only for environments that end episodes for reasons of their own; time limits
                             // are the vectoriser's
};

// Where an agent's observation and mask go: one pointer per leaf (leaf.bytes() each) and mask_bytes for the
// mask (null when there is none).
struct ObsOut {
    std::uint8_t* const* leaves = nullptr;
    std::uint8_t* mask = nullptr;

    template <class T>
    T* leaf(int index) const {
        return reinterpret_cast<T*>(leaves[index]);
    }
};

// One environment. Thread: one owner at a time. All randomness comes from the Rng handed in, so a state plus
// a stream position is everything.
class Env {
public:
    virtual ~Env() = default;
    virtual void reset(Rng& rng) = 0;
    // actions: f32 [agents, A]; rewards: f32 [agents]; results other than rewards hold for all agents. The
    // returned reward is rewards[0].
    virtual StepResult step(const float* actions, float* rewards, Rng& rng) = 0;
    // What `agent` sees now.
    virtual void observe(int agent, ObsOut out) const = 0;
    // A picture of the state, recognisable at a glance, in world units.
    virtual void draw(Scene& scene) const = 0;
    // Complete state, exact.
    virtual void archive(Archive& archive) = 0;
    // State under the names of the original, for golden traces.
    virtual Json state() const = 0;
    // error: not a state of this environment (the original's objects may hold more than is needed here).
    virtual Result<> setState(const Json& state) = 0;
    // For golden traces of stochastic environments; see EnvBatch::adoptOutcome.
    virtual Result<> adoptOutcome(const Json& before, const float* action, const Json& after);
};

// `count` environments of one kind in lock step; columns = count * agents, column = env * agents + agent.
// Vectorised environments implement it directly; batchOf() makes one from single environments.
class EnvBatch {
public:
    virtual ~EnvBatch() = default;
    virtual int count() const = 0;
    virtual const EnvSpec& spec() const = 0;
    virtual void reset(int env, Rng& rng) = 0;
    // Steps every environment with active[env] != 0. actions f32 [columns, A], rngs [count]; writes rewards
    // f32 [columns] and terminated, truncated u8 [count] of the active ones. It must not reset. error: what a
    // foreign environment reported.
    virtual Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                          std::uint8_t* terminated, std::uint8_t* truncated) = 0;
    // Writes all columns: leaves[l] is [columns, leaf bytes], mask [columns, mask_bytes] or null.
    virtual void observe(std::uint8_t* const* leaves, std::uint8_t* mask) const = 0;
    virtual void draw(int env, Scene& scene) const = 0;
    virtual bool canArchive() const { return true; }
    virtual void archive(int env, Archive& archive) = 0;
    virtual Json state(int env) const = 0;
    virtual Result<> setState(int env, const Json& state) = 0;
    // For golden traces. The step from `before` with `action` (f32 [agents, A]) that was just made drew
    // random numbers; the original drew others and came to `after`. Replaces what was drawn by what `after`
    // holds, and nothing else; reward and end of our step stand. error: `after` is not a legal outcome (names
    // what). The trace checker first looks for an equal outcome among some thousand random streams, so only
    // environments with very many outcomes need this; the default is an error that says so.
    virtual Result<> adoptOutcome(int env, const Json& before, const float* action, const Json& after);
};

// A batch of single environments, all of one kind that `spec` describes.
std::unique_ptr<EnvBatch> batchOf(EnvSpec spec, std::vector<std::unique_ptr<Env>> envs);

}  // namespace seedbed
