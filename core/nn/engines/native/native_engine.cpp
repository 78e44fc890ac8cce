// SPDX-License-Identifier: Apache-2.0
// The native engine: kernels for every kind of network on the CPU.
#include <algorithm>
#include <string>

#include "core/nn/engines/native/runner.hpp"
#include "core/nn/operation.hpp"
#include "core/nn/threaded_context.hpp"

namespace seedbed::native {

namespace {

// Rows per block of a forward pass without a tape: the activations stay in the L2 cache. If the weights do
// not fit into the cache, larger blocks read the weights less often.
int blockRows(const NetPlan& plan) { return plan.param_floats > 128 * 1024 ? 256 : 64; }

// The panel of sequences [begin, begin + count) of one step.
void part(const Rows& rows, const NetPlan& plan, int begin, int count, Rows& block) {
    block = rows;
    block.sequences = count;
    for (std::size_t leaf = 0; leaf < block.obs.size(); ++leaf) {
        const ObsLeaf& spec = plan.spec.spaces.obs[leaf];
        block.obs[leaf] +=
            static_cast<std::size_t>(begin) * static_cast<std::size_t>(spec.stack) * spec.bytes();
    }
    if (block.first != nullptr) block.first += begin;
    if (block.previous_action != nullptr)
        block.previous_action += static_cast<std::ptrdiff_t>(begin) * plan.spec.spaces.actionWords();
    if (block.previous_reward != nullptr) block.previous_reward += begin;
}

class Context final : public NetContext, public ThreadedContext {
public:
    explicit Context(const NetPlan& plan) : plan_(plan), runner_(plan) {}

    Result<> run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) override {
        usePrepared(params);
        kept_ = keep == Keep::tape;
        const int block_rows = blockRows(plan_);
        if (kept_ || rows.steps != 1 || rows.sequences <= block_rows) {
            runner_.forward(rows, rows.state, out.heads, out.state, keep);
            return {};
        }
        const auto words = static_cast<std::ptrdiff_t>(plan_.head_words),
                   state_words = static_cast<std::ptrdiff_t>(plan_.state_words);
        for (int begin = 0; begin < rows.sequences; begin += block_rows) {
            part(rows, plan_, begin, std::min(block_rows, rows.sequences - begin), block_);
            runner_.forward(block_, rows.state == nullptr ? nullptr : rows.state + begin * state_words,
                            out.heads + begin * words,
                            out.state == nullptr ? nullptr : out.state + begin * state_words, keep);
        }
        return {};
    }

    Result<> backward(const float* head_gradients, float* lane,
                      const std::vector<float*>* input_gradient) override {
        SEEDBED_CHECK(kept_, "backward() requires a run with Keep::tape before it");
        runner_.backward(head_gradients, lane, input_gradient);
        return {};
    }

    void useThreads(WorkerPool* pool) override { runner_.setPool(pool); }

private:
    // Packs the weights once per version of a blob. Holding a copy of the Params prevents another blob from
    // being allocated at the same address.
    void usePrepared(const Params& params) {
        SEEDBED_CHECK(params.blob().size() == plan_.param_floats, "the parameters belong to another network");
        if (!prepared_.empty() && prepared_.version() == params.version() &&
            prepared_.blob().data() == params.blob().data())
            return;
        prepared_ = params;
        runner_.setParams(params.blob().data());
    }

    const NetPlan& plan_;
    Runner runner_;
    Params prepared_;
    Rows block_;
    bool kept_ = false;
};

std::size_t contextBytes(const NetPlan& plan, std::size_t rows, int steps, Keep keep) {
    const Work work(plan);
    const bool tape = keep == Keep::tape;
    if (!tape && steps == 1) rows = std::min(rows, static_cast<std::size_t>(blockRows(plan)));
    std::size_t floats_per_row = 0, floats = 0;
    for (std::size_t v = 0; v < plan.values.size(); ++v) {
        const ValueFacts& facts = work.facts[v];
        if (facts.head >= 0) continue;
        const std::size_t size = plan.values[v].size();
        const bool is_input = plan.ops[toIndex(facts.producer)].leaf >= 0;
        if (!facts.borrowed) (!tape && facts.forward_inner ? floats : floats_per_row) += size;
        if (tape && !is_input) (facts.backward_inner ? floats : floats_per_row) += size;
    }
    for (const PlanOp& op : plan.ops) floats_per_row += tape ? costOf(plan, op).tape_floats : 0;
    // Weights are stored once, packed; biases and other vectors are too small to count.
    return (plan.param_floats + floats + rows * floats_per_row) * sizeof(float);
}

class Net final : public EngineNet {
public:
    explicit Net(const NetPlan& plan) : plan_(plan) {}
    const NetPlan& plan() const override { return plan_; }
    std::unique_ptr<NetContext> context() override { return std::make_unique<Context>(plan_); }

private:
    NetPlan plan_;
};

[[maybe_unused]] const bool registered =
    (engineRegistry().add({
         .id = "native",
         .aliases = {},
         .help = "Kernels for the CPU that use the instruction set of the machine (SEEDBED_ISA limits it).",
         .devices = []() -> Result<std::vector<std::string>> {
             return std::vector<std::string>{"cpu (" + std::string(nameOf(activeKernels().isa)) + ")"};
         },
         .compile = [](const NetPlan& plan,
                       const EngineOptions& options) -> Result<std::unique_ptr<EngineNet>> {
             if (options.device != "cpu")
                 return fail(ErrorCode::device,
                             "engine 'native' runs on cpu only, not on '" + options.device + "'");
             if (options.double_precision)
                 return fail(ErrorCode::config,
                             "engine 'native' computes in float; 'reference' supports double");
             SEEDBED_TRY(checkSupport(plan));
             return std::make_unique<Net>(plan);
         },
         .context_bytes = contextBytes,
         .rows_independent = true,
     }),
     true);

}  // namespace

}  // namespace seedbed::native
