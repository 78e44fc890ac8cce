// SPDX-License-Identifier: Apache-2.0
// The interface of algorithms: their networks, the meaning of a batch, and the learning step with the
// analytic gradient of the loss with respect to the head outputs. An algorithm is plain C++ on spans, without
// a tensor library, and runs on every engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/json.hpp"
#include "core/base/registry.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/engine.hpp"
#include "core/nn/net_plan.hpp"
#include "core/nn/popart.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed {

// How a network that is not trained follows another one: after every `every` optimiser steps its parameters
// and buffers become tau * those of network `of` + (1 - tau) * its own.
struct Follow {
    std::size_t of = 0;
    double tau = 1;
    std::int64_t every = 1;
};

// A network of the algorithm. The first network selects actions; only this network is published to actors.
struct NetworkDecl {
    std::string name;  // policy, target, critic, ...
    std::vector<HeadSpec> heads;
    bool trained = true;
    // The network starts as a copy of this one. Not set: it is initialised from its own random stream.
    std::optional<std::size_t> copy_of{};
    std::optional<Follow> follow{};  // only for a network that is not trained
    bool memory = true;              // whether it has the recurrent core of the configuration
    bool action_input = false;       // an action is an input, after the observations
    int every = 1;                   // trained network: the optimiser steps after every `every`-th minibatch
};

// How windows are drawn from a replay. Windows of `sequence` training rows are drawn at random from the
// newest rows, uniformly or by priority, instead of being used once each.
struct ReplayPlan {
    std::int64_t size = 0;   // decisions that are kept; the oldest are dropped first
    std::int64_t start = 0;  // decisions in the replay before the first gradient step
    int batch = 32;          // windows per gradient step
    int sequence = 1;        // training rows of a window
    int burn_in = 0;         // rows before the training rows (Step::Part::burn_in); requires recurrent
                             // networks
    int stride = 1;          // windows begin at every stride-th row, which stores the recurrent state
    double ratio = 1;        // training rows per decision
    bool unrolls = false;    // learn() runs networks on consecutive rows, so that they may be recurrent
    // Schaul et al. 2016, "Prioritized Experience Replay": exponents of the priorities (eq. 1) and of the
    // importance weights (section 3.4).
    bool prioritised = false;
    double alpha = 0, beta = 0;
    // Whether new windows have the priorities from Algorithm::actingPriorities(); otherwise they have the
    // largest priority so far.
    bool acting_priorities = false;
    // Number of windows whose goal is replaced with one achieved later in the episode, per window that keeps
    // its goal (Andrychowicz et al. 2017, "Hindsight Experience Replay"); 0: none.
    double hindsight = 0;
};

// How the learner forms batches and minibatches.
struct LearnPlan {
    enum class Unit : std::uint8_t {
        rows,
        columns
    };  // the unit of a minibatch; columns for sequence losses and recurrence

    int rollout_length = 128;  // rows collected between two updates; without a replay, this is T, the rows
                               // per window
    int epochs = 1;
    int minibatches = 1;  // number of minibatches per epoch
    Unit unit = Unit::rows;
    // Number of rows after the training rows that chunks contain: 1 for V-trace, which needs the value of row
    // T from the current network; n for n-step targets. A value above 1 requires a replay.
    int rows_ahead = 0;
    // prepare() sets valid = 0 in forced rows, and where the successor is unknown (see ForcedRows).
    bool skips_forced = false;
    std::optional<ReplayPlan> replay{};

    int burnIn() const { return replay ? replay->burn_in : 0; }
    int learnedRows() const { return replay ? replay->sequence : rollout_length; }
    // Number of rows of a window; of the row after them, only the observation is needed.
    int windowRows() const { return burnIn() + learnedRows() + (rows_ahead > 1 ? rows_ahead - 1 : 0); }
};

// The data of one update; row = t * columns + n. The learner fills it from windows; prepare() adds the
// computed part. In rows with valid = 0 (extra rows of truncations, rows that are too old), action, log_prob,
// policy, reward and discount are 0 and mask bytes are 1. Losses exclude these rows; their target is their
// value.
struct Batch {
    int steps = 0, columns = 0;  // T, N
    int action_words = 0, policy_words = 0, mask_bytes = 0;
    std::vector<float> action;           // [T*N, A]
    std::vector<float> log_prob;         // [T*N] behaviour
    std::vector<float> policy;           // [T*N, P] behaviour distribution
    std::vector<float> value;            // [T*N] value estimate when the action was chosen
    std::vector<float> reward;           // [T*N]
    std::vector<float> discount;         // [T*N] 0 where terminated
    std::vector<std::uint8_t> valid;     // [T*N]
    std::vector<std::uint8_t> first;     // [T*N]
    std::vector<std::uint8_t> mask;      // [T*N, mask_bytes]
    std::vector<std::uint32_t> version;  // [T*N] version of the parameters that chose the action
    std::uint32_t current_version = 0;   // version of the parameters being trained
    int shards = 1;                      // blocks of neighbouring columns whose moments are summed separately
    int repeat = 0;                      // number of times the update has already learned from these rows
    std::vector<float> last_value;       // [N] value of row T from the acting network, without sampling; 0 if
                                         // LearnPlan::rows_ahead is set
    std::vector<std::uint8_t> last_first;  // [N] row T begins an episode
    std::vector<std::uint8_t> last_mask;   // [N, mask_bytes] the mask of row T

    std::vector<float> advantage;      // [T*N] computed
    std::vector<float> target;         // [T*N] computed: the target of the value head
    std::vector<float> second_target;  // [T*N] computed: the target of a second value head; or empty
    std::vector<float> weight;         // [N] importance weight of a column; empty: all are 1
    // The standard deviation of a value head with PopArt. Set before prepare() and again after the update of
    // the statistics that follows it.
    double value_scale = 1;

    int rows() const { return steps * columns; }
};

// The rows of a minibatch in its batch: each unit u has the rows u + t * columns for t in [0, steps).
struct MinibatchRows {
    std::span<const std::uint32_t> units;
    std::size_t steps = 1, columns = 0;
};

// The part of a minibatch for one call of learn(): `sequences` columns of `steps` rows, time-major (row =
// step * sequences + s). The burn-in before them is not included. The last LearnPlan::rows_ahead steps are
// not training rows; in the last step all fields, including valid, are 0, and mask bytes are 1. Field shapes
// as in Batch.
struct Chunk {
    int sequences = 0, steps = 1;  // steps: includes the rows ahead
    int learned = 1;               // steps of training rows
    int burn_in = 0;               // steps of the burn-in
    const float* action = nullptr;
    const float* log_prob = nullptr;
    const float* policy = nullptr;
    const float* value = nullptr;
    const float* reward = nullptr;
    const float* discount = nullptr;
    const float* advantage = nullptr;
    const float* target = nullptr;
    const float* second_target = nullptr;
    const std::uint8_t* valid = nullptr;
    const std::uint8_t* first = nullptr;
    const std::uint8_t* mask = nullptr;
    const std::uint8_t* successor_mask = nullptr;  // with a replay: masks of the part `successors`; otherwise
                                                   // null
    const float* weight = nullptr;                 // [sequences] importance weights; null: all are 1
    const RowRef* refs = nullptr;                  // the elements of the rings; they identify rows in a run
    // Values of the whole minibatch, so that the losses of its chunks sum to the loss of the minibatch:
    double valid_rows = 0;  // number of rows with valid = 1, > 0; losses divide by it
    // Population statistics over the valid rows; 0 and 1 if prepare() computes no advantage.
    double advantage_mean = 0, advantage_std = 1;
    // The standard deviation of a value head with PopArt; losses divide advantages by it and squared value
    // errors by its square.
    double value_scale = 1;

    int rows() const { return sequences * steps; }
};

// The head outputs of one network for a chunk, and the destination of their gradients.
struct NetIo {
    const NetPlan* plan = nullptr;
    const float* heads = nullptr;  // [rows, head_words]
    float* gradients = nullptr;    // [rows, head_words]
};

// One chunk during a learning step. The algorithm requests passes through its networks, which are numbered as
// in networks(). Errors are sticky: after an error, forward() returns zeros, and the learner ends the chunk.
// No virtual function is called per row. Thread: one.
class Step {
public:
    enum class Part : std::uint8_t {
        rows,        // training rows
        all,         // training rows and then the rows ahead
        successors,  // for each training row, the row from which its n-step return bootstraps (nStepReturn()
                     // in returns.hpp); for networks without memory
        burn_in  // the rows before the training rows, from the stored state. If there are any, this must be
                 // the first pass of each recurrent network; later passes begin with the state after these
                 // rows.
    };
    struct Inputs {
        Part part = Part::rows;
        const float* action = nullptr;  // [rows, action_words], for networks with NetworkDecl::action_input
    };
    // Valid until the next forward() of this network.
    struct Heads {
        const NetPlan* plan = nullptr;
        const float* data = nullptr;  // [rows, head_words]
        std::size_t rows = 0;
    };

    explicit Step(double* sums) : sums_(sums) {}
    virtual ~Step() = default;
    // A network has one tape, kept until its next forward(). inputs.action must stay valid until then.
    virtual Heads forward(std::size_t net, const Inputs& inputs, Keep keep) = 0;
    // A buffer for the gradient of the loss with respect to the heads of the last forward(), set to zero.
    virtual float* gradients(std::size_t net) = 0;
    // For the pass with the tape: adds the gradients of the parameters unless `parameters` is false; writes
    // the gradient of the action, [rows, action_words], to `d_action` unless it is null.
    virtual void backward(std::size_t net, const float* gradients, bool parameters = true,
                          float* d_action = nullptr) = 0;
    // Whether the optimiser of a trained network steps after this minibatch (NetworkDecl::every); otherwise
    // its parameters must not get gradients.
    virtual bool isStepped(std::size_t net) const = 0;

    // The key of the random numbers of one step of the chunk (row s: sequence s). They are the same for any
    // division into chunks: the lane is the row of the batch, and the position depends on the optimiser step
    // and on `draw`, below kDraws. Requires a replay.
    static constexpr int kDraws = 8;
    SampleKey key(int draw, int step = 0) const;

    const Chunk& chunk() const { return chunk_; }
    // Algorithm::metrics().size() sums, to which the algorithm adds.
    double* sums() { return sums_; }
    // The errors of the sequences, 0 or more, to be set by the algorithm; null unless the replay is
    // prioritised.
    float* priorities() { return priorities_; }

protected:
    // Where the rows of the chunk are in the batch.
    struct Place {
        std::uint64_t seed = 0, optimiser_step = 0;
        std::uint32_t first_row = 0, columns = 0;  // first training row in the batch; columns of the batch
    };

    Chunk chunk_;
    float* priorities_ = nullptr;
    std::optional<Place> place_;  // set if the chunk's sequences are adjacent columns

private:
    double* sums_;
};

// The progress of a run, for schedules.
struct Progress {
    std::uint64_t steps = 0;  // agent decisions so far
    std::uint64_t updates = 0;
};

// Runs a network with its current parameters on all rows of the batch, including row T. heads: [(T + 1) * N,
// head_words]. Returns the plan that describes the layout of the heads.
using EvaluateNetwork = std::function<Result<const NetPlan*>(std::size_t network, std::vector<float>& heads)>;

// A learning algorithm. Thread: the learner's, except for learn(), which several threads call concurrently on
// different chunks.
class Algorithm {
public:
    virtual ~Algorithm() = default;
    virtual std::vector<NetworkDecl> networks() const = 0;
    virtual LearnPlan plan() const = 0;
    // The names of the sums that learn() accumulates ("loss/policy", "policy/entropy"). The learner reports
    // each divided by the number of valid rows.
    virtual std::vector<std::string> metrics() const = 0;
    // The memory, in bytes, that the algorithm needs for a batch of `rows` rows. `lagging`: actions may come
    // from older parameters.
    virtual std::size_t batchBytes(const NetPlan& /*acting*/, std::size_t /*rows*/, bool /*lagging*/) const {
        return 0;
    }
    virtual double learningRate(const Progress& progress) const = 0;
    // The learning rate of one network.
    virtual double networkRate(std::size_t /*net*/, const Progress& progress) const {
        return learningRate(progress);
    }
    // How actions are chosen from the acting head.
    virtual ActingRule acting(const Progress& /*progress*/) const { return {}; }
    // Called before the first epoch of each update or, with a replay, before each gradient step. Computes
    // advantages, targets, ratios and schedules.
    virtual Result<> prepare(Batch& /*batch*/, const Progress& /*progress*/,
                             const EvaluateNetwork& /*evaluate*/) {
        return {};
    }
    // The moments of the last prepare()'s value targets in each shard of the batch, and the step size of the
    // statistics, for value heads with PopArt. The statistics change before the first epoch.
    virtual std::span<const TargetMoments> targetMoments() const { return {}; }
    virtual double popArtRate() const { return 0; }
    // Why a batch cannot be divided into shards, which may belong to several processes, as the end of a
    // sentence; empty if it can. prepare() must then treat every column separately.
    virtual std::string shardsProblem() const { return {}; }
    // Called before each minibatch. Computes values that its chunks share: sums and maxima over its rows.
    virtual void minibatchBegin(const Batch& /*batch*/, const MinibatchRows& /*rows*/) {}
    // Learns from one chunk: forward passes, gradients of the loss, backward passes. Changes only `step`.
    // Allocates nothing in the steady state.
    virtual void learn(Step& step) const = 0;
    // Called after each optimiser step with the sums over the minibatch. Returning false ends the update
    // early (target KL).
    virtual bool minibatchDone(std::span<const double> sums, double valid_rows) {
        return static_cast<void>(sums), valid_rows >= 0;
    }
    // Called after the last epoch with the sums over all minibatches (priorities, adaptive learning rate).
    virtual void updateDone(std::span<const double> sums, double valid_rows) {
        static_cast<void>(sums);
        static_cast<void>(valid_rows);
    }
    // Computes the initial priorities of new sequences from the outputs of the acting network: `acted.policy`
    // is the behaviour distribution (for heads of kind q, the action values). It and `acted.mask` (null
    // without masks) are also set in extra rows of truncations and in the last row. log_prob, value,
    // advantage and target are null. priorities: [sequences]. Called if ReplayPlan::acting_priorities is set.
    virtual void actingPriorities(const Chunk& /*acted*/, float* /*priorities*/) const {}
    // Called between updates: applies the live settings in `params`, a checked document as for
    // AlgorithmEntry::make.
    virtual void setLive(const Json& params) { static_cast<void>(params); }
    // Saves or loads state other than parameters (adaptive learning rate, multipliers).
    virtual void archive(Archive& archive) { static_cast<void>(archive); }
};

// The defaults of a run if no preset was made for its algorithm and task.
struct AlgorithmDefaults {
    // Settings of sections other than env and algo, {"network": {"core": "lstm"}}, where those of the program
    // do not suit the algorithm.
    Json settings = Json::object();
    std::string why{};               // the reason for `settings`, a few words
    std::int64_t steps = 1'000'000;  // agent decisions, if no preset for the environment states a number
};

struct AlgorithmEntry {
    std::string id;  // ppo, vtrace, ...
    std::vector<std::string> aliases;
    std::string help;  // one sentence that cites the paper
    const Schema* params = nullptr;
    // Whether the algorithm supports these spaces (null: all), and its requirement as a text for messages.
    std::function<bool(const Spaces& spaces)> fits{};
    std::string needs{};  // "one discrete action"
    // Sets the network settings for which the algorithm requires certain values.
    void (*require)(NetworkParams& network) = nullptr;
    AlgorithmDefaults defaults{};
    std::function<std::unique_ptr<Algorithm>(const Json& params, const ActionDistribution& distribution)>
        make;
};

Registry<AlgorithmEntry>& algorithmRegistry();

}  // namespace seedbed

// Registers an AlgorithmEntry; used in the last line of an algorithm's file.
#define SEEDBED_REGISTER_ALGORITHM(name, entry) \
    static const bool seedbed_registered_##name = (::seedbed::algorithmRegistry().add(entry), true)
