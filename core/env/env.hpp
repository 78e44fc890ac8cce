// SPDX-License-Identifier: Apache-2.0
// The environment seam: single environments, which most files in envs/ implement, and batches of them, which
// actors step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/describe.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/rng.hpp"
#include "core/base/scene.hpp"
#include "core/base/spaces.hpp"
#include "core/rollout/goal.hpp"

namespace seedbed {

struct ReferenceScore {
    std::string agent;       // "SB3-zoo PPO"
    double score = 0;        // mean return per episode
    std::int64_t steps = 0;  // training decisions of the agent, 0 if unknown
    std::string source;      // publication or URL
};

// A task with known scores, from which human-normalised results are computed.
struct EnvTask {
    std::string name;                            // "rooms_watermaze"
    double random_score = 0, human_score = 100;  // mean returns per episode; must differ
};

// A source file of an environment.
struct EnvFile {
    std::string path, sha256;
};

// A constructor argument of an environment that runs in another program.
struct EnvArgument {
    std::string name;
    Json default_value;                  // null also if it is required
    std::string type;                    // "int", "choice or None"; "" if it is not known
    std::vector<std::string> choices{};  // empty: not a fixed list
    bool required = false;
};

// A rectangle of the picture, in world units of draw(), that stands for a choice of the only action.
struct ActionArea {
    int action = 0;
    float x = 0, y = 0, w = 0, h = 0;  // centre and size
};

// The fixed properties of an environment.
struct EnvSpec {
    std::string id;                   // snake_case, as registered
    std::string title;                // "CartPole"
    std::string sentence;             // the task in one sentence
    std::string upstream;             // URL and version of the reproduced original, and known differences
    std::string difficulty = "easy";  // easy | medium | hard
    Spaces spaces;                    // spaces of one agent
    int agents = 1;                   // agents per environment, one column each
    int horizon = 0;                  // decisions after which an episode is truncated, 0: never
    int frames_per_step = 1;          // emulator frames per decision
    double reward_low = 0, reward_high = 0;  // both 0: unknown
    std::optional<double> solved;            // mean return that counts as solved
    std::optional<double> random_return;     // mean return of the uniformly random policy (per agent)
    double random_return_error = 0;          // its standard error
    std::vector<ReferenceScore> references;
    std::vector<EnvTask> tasks;  // environment e of a run or evaluation has task e modulo the number of tasks
    // Set if the reward depends on a goal. A terminated episode then keeps its final observation for one row,
    // because that is the last goal that it achieved.
    std::optional<GoalScore> goal;
    bool repeats = true;                 // whether the same seeds give the same episodes
    std::vector<EnvArgument> arguments;  // settings of the run, except for those with unusual types
    std::vector<ActionArea> areas;       // where a person who plays clicks on the picture
    std::vector<Colour> seat_colours;    // of each agent's pieces in the picture; may be empty
    std::vector<EnvFile> files;          // the file in the id, and the files that it imports from its folder
};

// The message for users if `repeats` is false.
inline std::string doesNotRepeatText(const std::string& env) {
    return "'" + env + "' does not repeat its episodes for the same seed: runs and evaluations differ";
}

struct StepResult {
    float reward = 0;
    bool terminated = false;
    bool truncated = false;  // set only by environments that truncate episodes themselves; the vectoriser
                             // applies time limits
};

// Destination of an agent's observation and mask: one pointer per leaf (leaf.bytes() bytes each), and one for
// the mask (mask_bytes bytes; null without a mask).
struct ObsOut {
    std::uint8_t* const* leaves = nullptr;
    std::uint8_t* mask = nullptr;

    template <class T>
    T* leaf(int index) const {
        return reinterpret_cast<T*>(leaves[index]);
    }
};

// A single environment. All randomness comes from the Rng passed in, so state and stream position determine
// all later results. Thread: one owner at a time.
class Env {
public:
    virtual ~Env() = default;
    virtual void reset(Rng& rng) = 0;
    // Advances by one step. actions: f32 [agents, A]; rewards: f32 [agents]. `terminated` and `truncated`
    // apply to all agents; the reward in the result is rewards[0].
    virtual StepResult step(const float* actions, float* rewards, Rng& rng) = 0;
    // Writes the current observation of `agent`.
    virtual void observe(int agent, ObsOut out) const = 0;
    // Draws the state in world units.
    virtual void draw(Scene& scene) const = 0;
    // Saves or loads the complete state, exactly.
    virtual void archive(Archive& archive) = 0;
    // The state with the names used by the original, for golden traces.
    virtual Json state() const = 0;
    // Sets the state. Ignores members that the original has but this environment does not need. error:
    // `state` is not a state of this environment.
    virtual Result<> setState(const Json& state) = 0;
    // For golden traces of stochastic environments; see LocalBatch::adoptOutcome().
    virtual Result<> adoptOutcome(const Json& before, const float* action, const Json& after);
};

// The command for an environment in an exchange.
enum class EnvCommand : std::uint8_t { rest, step, reset };

// The outcome of an exchange for a column, as a set of bits. Except for `inactive` and `cut`, all columns of
// an environment have the same bits.
namespace column_flag {
constexpr std::uint8_t terminated = 1;
constexpr std::uint8_t truncated = 2;  // truncated by the environment; `terminated` takes precedence
constexpr std::uint8_t first = 4;      // the observation is the first of an episode
constexpr std::uint8_t inactive = 8;   // the agent has left this episode
constexpr std::uint8_t failed = 16;    // the environment failed; reward, observation and mask are undefined
// With terminated and first: only the learner's episode ended, for example with a lost life. The game, its
// return and its length continue.
constexpr std::uint8_t continues = 32;
// Set with `inactive` in the last step of an agent that was truncated; the observation is its final one.
constexpr std::uint8_t cut = 64;
}  // namespace column_flag

// The arrays of an exchange. They stay valid and unchanged from begin() until await() returns.
struct Exchange {
    const float* actions = nullptr;         // f32 [columns, A]
    const EnvCommand* commands = nullptr;   // [count]
    Rng* rngs = nullptr;                    // [count]
    std::uint8_t* const* leaves = nullptr;  // out: leaves[l] is [columns, leaf bytes]
    std::uint8_t* mask = nullptr;           // out: [columns, mask bytes], or null
    float* rewards = nullptr;               // out: f32 [columns], for environments that were stepped
    std::uint8_t* flags = nullptr;          // out: column_flag, [columns]
    // If set, a batch in this process calls it after its environments were stepped and before any is reset.
    const std::function<void()>* stepped = nullptr;
    // A stop request ends the pauses before failed environments are retried; begin() then fails with
    // interrupted.
    const std::stop_token* stop = nullptr;

    std::stop_token stopToken() const { return stop != nullptr ? *stop : std::stop_token(); }
};

// `count` environments of one kind, stepped in lockstep. Agent a of environment e has column e * agents + a.
//
// A terminated episode is usually followed by the next one in the same exchange (terminated | first). If not,
// or after a truncation, the observation remains the final one until the command `reset`.
// Thread: one owner at a time.
class EnvBatch {
public:
    virtual ~EnvBatch() = default;
    virtual int count() const = 0;
    virtual const EnvSpec& spec() const = 0;
    // Starts an exchange; await() must follow. error: the environments cannot continue.
    virtual Result<> begin(const Exchange& exchange) = 0;
    // Whether await() returns without waiting for another process.
    virtual bool ready() { return true; }
    // Finishes the exchange. error: the environments cannot continue.
    virtual Result<> await() { return {}; }
    // Messages for the user about environments that were flagged as failed since the last call.
    virtual std::vector<std::string> takeNotices() { return {}; }
    // Whether every call returns in bounded time even if an environment hangs.
    virtual bool isSupervised() const { return false; }

    virtual void draw(int env, Scene& scene) const = 0;
    virtual bool canArchive() const { return true; }
    virtual void archive(int env, Archive& archive) = 0;
    virtual Json state(int env) const = 0;
    virtual Result<> setState(int env, const Json& state) = 0;
};

// A batch in this process that works synchronously: begin() does everything. Vectorised environments
// implement it directly; batchOf() makes one from single environments.
class LocalBatch : public EnvBatch {
public:
    Result<> begin(const Exchange& exchange) final;

    virtual void reset(int env, Rng& rng) = 0;
    // Steps every environment with active[env] != 0. actions f32 [columns, A], rngs [count]; for active
    // environments writes rewards f32 [columns], terminated and truncated u8 [count]. Must not reset. error:
    // reported by an external environment.
    virtual Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                          std::uint8_t* terminated, std::uint8_t* truncated) = 0;
    // Writes the observations of all columns: leaves[l] is [columns, leaf bytes], mask [columns, mask_bytes]
    // or null.
    virtual void observe(std::uint8_t* const* leaves, std::uint8_t* mask) const = 0;
    // For golden traces of stochastic environments. After a step from `before` with `action` (f32 [agents,
    // A]), replaces the randomly determined part of the state with that in `after`; the reward and the end of
    // the episode do not change. error: `after` is not a possible outcome, with the reason. Implemented by
    // environments with many outcomes; by default an error.
    virtual Result<> adoptOutcome(int env, const Json& before, const float* action, const Json& after);

private:
    // Scratch memory of begin(), [count].
    std::vector<std::uint8_t> active_, terminated_, truncated_, flags_;
};

// Makes a batch from single environments of the kind that `spec` describes.
std::unique_ptr<LocalBatch> batchOf(EnvSpec spec, std::vector<std::unique_ptr<Env>> envs);

}  // namespace seedbed
