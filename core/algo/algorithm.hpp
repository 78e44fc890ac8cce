// SPDX-License-Identifier: Apache-2.0
// The algorithm seam: which networks there are, what a batch means, and the analytic gradient of the loss
// with respect to head outputs. No tensor library: an algorithm is plain C++ on spans and runs on every
// engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/registry.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed {

// A network the algorithm needs. The first one acts.
struct NetworkDecl {
    std::string name;  // policy, target, critic, ...
    std::vector<HeadSpec> heads;
    bool trained = true;  // false: changed only by finish() (target networks)
    bool in_loss = true;  // false: only prepare() runs it; then it cannot be trained
};

// How a learner should feed the algorithm.
struct LearnPlan {
    enum class Unit : std::uint8_t {
        rows,
        columns
    };  // what a minibatch is made of; columns for sequence losses and recurrence

    int rollout_length = 128;  // T: rows per window
    int epochs = 1;
    int minibatches = 1;  // per epoch
    Unit unit = Unit::rows;
    bool bootstrap_row =
        false;  // chunks carry row T as an extra last step (V-trace needs its value by the current network)
};

// Everything of one update, row = t * columns + n. Filled by the learner from the windows; prepare() fills
// the computed part. Rows with valid = 0 (the extra row of a truncation, or one left out for its age) have
// action, log_prob, policy, reward and discount 0 and every mask byte 1; they are in no loss, and their
// target is their own value, which the row before bootstraps from.
struct Batch {
    int steps = 0, columns = 0;  // T, N
    int action_words = 0, policy_words = 0, mask_bytes = 0;
    std::vector<float> action;           // [T*N, A]
    std::vector<float> log_prob;         // [T*N] behaviour
    std::vector<float> policy;           // [T*N, P] behaviour distribution
    std::vector<float> value;            // [T*N] at acting time
    std::vector<float> reward;           // [T*N]
    std::vector<float> discount;         // [T*N] 0 where terminated
    std::vector<std::uint8_t> valid;     // [T*N]
    std::vector<std::uint8_t> first;     // [T*N]
    std::vector<std::uint8_t> mask;      // [T*N, mask_bytes]
    std::vector<std::uint32_t> version;  // [T*N] parameter version that acted
    std::uint32_t current_version = 0;   // of the parameters that learn
    std::vector<float> last_value;       // [N] value of row T by the acting network, without sampling; 0 with
                                         // LearnPlan::bootstrap_row
    std::vector<std::uint8_t> last_first;  // [N] row T begins an episode

    std::vector<float> advantage;  // [T*N] computed
    std::vector<float> target;     // [T*N] computed: what the value head should predict

    int rows() const { return steps * columns; }
};

// The part of a minibatch that one call of loss() sees: `sequences` columns of `steps` rows, time-major (row
// = step * sequences + s). With LearnPlan::bootstrap_row, steps includes the extra last row, whose valid is
// 0.
struct Chunk {
    int sequences = 0, steps = 1;
    const float* action = nullptr;
    const float* log_prob = nullptr;
    const float* policy = nullptr;
    const float* value = nullptr;
    const float* reward = nullptr;
    const float* discount = nullptr;
    const float* advantage = nullptr;
    const float* target = nullptr;
    const std::uint8_t* valid = nullptr;
    const std::uint8_t* first = nullptr;
    const std::uint8_t* mask = nullptr;
    // Of the whole minibatch, so that the sum over chunks is the minibatch's loss:
    double valid_rows = 0;  // what losses divide by, > 0
    double advantage_mean = 0,
           advantage_std = 1;  // over its valid rows (population); 0 and 1 when prepare() filled no advantage

    int rows() const { return sequences * steps; }
};

// Head outputs of one network for a chunk and where their gradients go.
struct NetIo {
    const NetPlan* plan = nullptr;
    const float* heads = nullptr;  // [rows, head_words]; null for networks that are not in the loss
    float* gradients = nullptr;  // [rows, head_words], zero on entry; null for networks that are not trained
};

// The parameters of one network, for finish().
struct NetworkState {
    const NetPlan* plan = nullptr;
    std::span<float> blob;  // changed in place
};

// Where a run is, for schedules.
struct Progress {
    std::uint64_t steps = 0;  // agent decisions so far
    std::uint64_t updates = 0;
};

// Runs one of the networks with its current parameters over all rows of the batch (row T included): heads [(T
// + 1) * N, head_words], laid out by the plan that it returns.
using EvaluateNetwork = std::function<Result<const NetPlan*>(std::size_t network, std::vector<float>& heads)>;

// Thread: the learner's, except loss(), which several threads call at once on different chunks.
class Algorithm {
public:
    virtual ~Algorithm() = default;
    virtual std::vector<NetworkDecl> networks() const = 0;
    virtual LearnPlan plan() const = 0;
    // Names of the sums that loss() accumulates; the learner reports each divided by the valid rows it saw
    // ("loss/policy", "policy/entropy").
    virtual std::vector<std::string> metrics() const = 0;
    virtual double learningRate(const Progress& progress) const = 0;
    // Once per update, before the first epoch: advantages, targets, importance weights, schedules.
    virtual Result<> prepare(Batch& batch, const Progress& progress, const EvaluateNetwork& evaluate) = 0;
    // Pure: d loss / d heads into io.gradients, sums [metrics().size()] added to. Allocates nothing in the
    // steady state.
    virtual void loss(const Chunk& chunk, std::span<const NetIo> nets, double* sums) const = 0;
    // After each minibatch's optimiser step, with the sums over its rows; false ends the update early (target
    // KL).
    virtual bool minibatchDone(std::span<const double> sums, double valid_rows) {
        return static_cast<void>(sums), valid_rows >= 0;
    }
    // After the last epoch, with the sums over all minibatches (priorities, adaptive learning rate).
    virtual void updateDone(std::span<const double> sums, double valid_rows) {
        static_cast<void>(sums), static_cast<void>(valid_rows);
    }
    // Then: may change parameters of any network (target networks, PopArt), in the order of networks().
    virtual void finish(std::span<const NetworkState> networks) { static_cast<void>(networks); }
    // Between updates: takes over what is live of these parameters (a document as for AlgorithmEntry::make,
    // checked).
    virtual void setLive(const Json& params) { static_cast<void>(params); }
    // State beyond parameters (adaptive learning rate, multipliers).
    virtual void archive(Archive& archive) { static_cast<void>(archive); }
};

struct AlgorithmEntry {
    std::string id;  // ppo, vtrace, ...
    std::vector<std::string> aliases;
    std::string help;  // one sentence with the paper
    const Schema* params = nullptr;
    std::function<std::unique_ptr<Algorithm>(const Json& params, const ActionDistribution& distribution)>
        make;
};

Registry<AlgorithmEntry>& algorithmRegistry();

}  // namespace seedbed

// Last line of an algorithm's file: adds an AlgorithmEntry.
#define SEEDBED_REGISTER_ALGORITHM(name, entry) \
    static const bool seedbed_registered_##name = (::seedbed::algorithmRegistry().add(entry), true)
