// SPDX-License-Identifier: Apache-2.0
// The interface of engines, which run a network plan on rows, forward and backward. Implementations: native,
// torch, vulkan, reference and check.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/registry.hpp"
#include "core/nn/net_plan.hpp"
#include "core/nn/params.hpp"

namespace seedbed {

// The input panel of one call. Rows are time-major: row = step * sequences + sequence; feed-forward networks
// use steps = 1. Plain host memory, owned by the caller for the duration of the call.
struct Rows {
    int sequences = 0;                       // N
    int steps = 1;                           // T; B = N * T rows
    std::vector<const std::uint8_t*> obs;    // per leaf: [B, stack * leaf bytes], oldest frame first
    const std::uint8_t* first = nullptr;     // [B] recurrent: 1 resets the state before this row
    const float* state = nullptr;            // [N, state_words] recurrent: the state before step 0
    const float* previous_action = nullptr;  // [B, A] if the core uses it
    const float* previous_reward = nullptr;  // [B]

    int count() const { return sequences * steps; }
};

// Results, written into the caller's memory.
struct Outputs {
    float* heads = nullptr;  // [B, head_words]
    float* state = nullptr;  // [N, state_words] after the last step; null if not needed
};

enum class Keep : std::uint8_t { nothing, tape };

// Workspace of one network on one engine for one thread. Buffers grow to the largest call and are reused, so
// steady-state calls allocate nothing. Whether the results of a row depend on the other rows of the call is a
// property of the engine (EngineEntry::rows_independent).
class NetContext {
public:
    virtual ~NetContext() = default;
    // Forward. With Keep::tape the activations that backward() needs are kept until the next run on this
    // context, and `rows` must remain valid until then. error: device, out_of_memory.
    virtual Result<> run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) = 0;
    // Adds the gradient of sum(head_gradients * heads) for the rows of the last run with Keep::tape to `lane`
    // (param_floats, host; buffers and gaps stay unchanged; null: skip parameter gradients). input_gradient:
    // null, or per leaf f32 [B, stack * elements], overwritten (vector leaves only; null entries are
    // skipped).
    virtual Result<> backward(const float* head_gradients, float* lane,
                              const std::vector<float*>* input_gradient = nullptr) = 0;
};

// One network compiled for one engine on one device. Thread: any; contexts are independent of each other.
class EngineNet {
public:
    virtual ~EngineNet() = default;
    virtual const NetPlan& plan() const = 0;
    virtual std::unique_ptr<NetContext> context() = 0;
    // A message for the user since the last call, for example that the device failed and the CPU continues;
    // empty for none.
    virtual std::string takeNotice() { return {}; }
};

struct EngineOptions {
    std::string device = "cpu";     // cpu | cuda:N | vulkan:N
    bool double_precision = false;  // reference only: compute in double (Params and panels stay float)
    std::string tested{};           // check only: the engine under test; "": reference in float
    // If the device fails or has no memory left, contexts continue on the CPU and takeNotice() reports it.
    // Engines without devices ignore it.
    bool cpu_fallback = false;
};

struct EngineEntry {
    std::string id;  // reference | torch | native | vulkan | check
    std::vector<std::string> aliases{};
    std::string help;
    // Whether the engine can be used on this machine, and on which devices; for `doctor` and for error
    // messages. error: device, with the reason.
    std::function<Result<std::vector<std::string>>()> devices;
    // error: device; config (names the unsupported part of the plan).
    std::function<Result<std::unique_ptr<EngineNet>>(const NetPlan& plan, const EngineOptions& options)>
        compile;
    // Host bytes of a context after runs of up to `rows` rows in sequences of `steps` steps, including packed
    // weights. Null: a general estimate.
    std::function<std::size_t(const NetPlan& plan, std::size_t rows, int steps, Keep keep)> context_bytes{};
    // Whether the result for a row is independent, bit for bit, of the other rows of the call.
    bool rows_independent = false;
    // Host bytes that the engine needs once per process, for example for its libraries.
    std::size_t library_bytes = 0;
};

Registry<EngineEntry>& engineRegistry();

// Host bytes of a context on `engine`; see EngineEntry::context_bytes.
std::size_t contextBytes(const std::string& engine, const NetPlan& plan, std::size_t rows, int steps,
                         Keep keep);

// `engine` is a registered name; "check:NAME" is the check engine testing NAME.
// error: config for an unknown engine; device if it is not available here (lists the available ones).
Result<std::unique_ptr<EngineNet>> compileNet(const std::string& engine, const NetPlan& plan,
                                              const EngineOptions& options);

}  // namespace seedbed
