// SPDX-License-Identifier: Apache-2.0
// The reference engine: plain loops that define the correct results for all other engines.
#include <algorithm>

#include "core/nn/engines/reference/runner.hpp"
#include "core/nn/operation.hpp"

namespace seedbed::reference {

namespace {

// Rows per block of a forward pass without a tape: the activations of a block stay in the cache, and memory
// use stays small.
constexpr int kBlock = 64;

// The panel of sequences [begin, begin + count) of one step, in memory that is reused.
const Rows& part(const Rows& rows, const NetPlan& plan, int begin, int count, Rows& block) {
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
    return block;
}

template <class F>
class Context final : public NetContext {
public:
    explicit Context(const NetPlan& plan) : plan_(plan), runner_(plan) {}

    Result<> run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) override {
        usePrepared(params);
        const auto words = static_cast<std::ptrdiff_t>(plan_.head_words),
                   state_words = static_cast<std::ptrdiff_t>(plan_.state_words);
        const auto state_count =
            static_cast<std::size_t>(rows.sequences) * static_cast<std::size_t>(state_words);
        const F* state_in = widened(rows.state, state_count, state_in_);
        F* heads = target(out.heads, static_cast<std::size_t>(rows.count()) * static_cast<std::size_t>(words),
                          heads_);
        F* state_out = target(out.state, state_count, state_out_);
        kept_ = keep == Keep::tape;
        kept_rows_ = rows.count();
        if (kept_ || rows.steps != 1) {
            runner_.forward(rows, state_in, heads, state_out);
        } else {
            for (int begin = 0; begin < rows.sequences; begin += kBlock)
                runner_.forward(part(rows, plan_, begin, std::min(kBlock, rows.sequences - begin), block_),
                                state_in == nullptr ? nullptr : state_in + begin * state_words,
                                heads + begin * words,
                                state_out == nullptr ? nullptr : state_out + begin * state_words);
        }
        narrow(heads_, out.heads, static_cast<std::size_t>(rows.count()) * static_cast<std::size_t>(words));
        narrow(state_out_, out.state, state_count);
        return {};
    }

    Result<> backward(const float* head_gradients, float* lane,
                      const std::vector<float*>* input_gradient) override {
        SEEDBED_CHECK(kept_, "backward() requires a run with Keep::tape before it");
        const std::size_t count =
            static_cast<std::size_t>(kept_rows_) * static_cast<std::size_t>(plan_.head_words);
        if constexpr (std::is_same_v<F, float>) {
            runner_.backward(head_gradients, lane, input_gradient);
        } else {
            lane_.assign(lane == nullptr ? 0 : plan_.param_floats, F(0));
            const std::vector<F*>* inputs =
                input_gradient == nullptr ? nullptr : &wideInputs(*input_gradient);
            runner_.backward(widened(head_gradients, count, head_gradients_),
                             lane == nullptr ? nullptr : lane_.data(), inputs);
            for (std::size_t i = 0; i < lane_.size(); ++i)
                lane[i] = static_cast<float>(static_cast<F>(lane[i]) + lane_[i]);
            if (input_gradient != nullptr)
                for (std::size_t leaf = 0; leaf < inputs_.size(); ++leaf)
                    narrow(inputs_[leaf], (*input_gradient)[leaf], inputs_[leaf].size());
        }
        return {};
    }

private:
    // Converts the parameters for the kernels once per version of a blob. Holding a copy of the Params
    // prevents another blob from being allocated at the same address.
    void usePrepared(const Params& params) {
        SEEDBED_CHECK(params.blob().size() == plan_.param_floats, "the parameters belong to another network");
        if (!prepared_.empty() && prepared_.version() == params.version() &&
            prepared_.blob().data() == params.blob().data())
            return;
        prepared_ = params;
        runner_.setParams(widened(params.blob().data(), params.blob().size(), blob_));
    }
    static const F* widened(const float* from, std::size_t count, std::vector<F>& buffer) {
        if constexpr (std::is_same_v<F, float>) {
            static_cast<void>(count);
            static_cast<void>(buffer);
            return from;
        } else {
            if (from == nullptr) return nullptr;
            buffer.assign(from, from + count);
            return buffer.data();
        }
    }
    // The destination of results of type F: the caller's memory, or a buffer that narrow() later copies to
    // it.
    static F* target(float* to, std::size_t count, std::vector<F>& buffer) {
        if constexpr (std::is_same_v<F, float>) {
            static_cast<void>(count);
            static_cast<void>(buffer);
            return to;
        } else {
            return to == nullptr ? nullptr : Pass<F>::grown(buffer, count);
        }
    }
    static void narrow(const std::vector<F>& from, float* to, std::size_t count) {
        if constexpr (!std::is_same_v<F, float>) {
            if (to != nullptr)
                std::transform(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count), to,
                               [](F x) { return static_cast<float>(x); });
        }
    }
    const std::vector<F*>& wideInputs(const std::vector<float*>& to) {
        inputs_.resize(to.size());
        input_pointers_.assign(to.size(), nullptr);
        for (std::size_t leaf = 0; leaf < to.size(); ++leaf) {
            const ObsLeaf& spec = plan_.spec.spaces.obs[leaf];
            if (to[leaf] == nullptr || spec.kind != ObsLeaf::Kind::vector) continue;
            inputs_[leaf].resize(static_cast<std::size_t>(kept_rows_) * static_cast<std::size_t>(spec.stack) *
                                 spec.elements());
            input_pointers_[leaf] = inputs_[leaf].data();
        }
        return input_pointers_;
    }

    const NetPlan& plan_;
    Runner<F> runner_;
    Params prepared_;
    Rows block_;
    bool kept_ = false;
    int kept_rows_ = 0;
    std::vector<F> blob_, state_in_, heads_, state_out_, head_gradients_, lane_;
    std::vector<std::vector<F>> inputs_;
    std::vector<F*> input_pointers_;
};

class Net final : public EngineNet {
public:
    Net(const NetPlan& plan, bool double_precision) : plan_(plan), double_precision_(double_precision) {}
    const NetPlan& plan() const override { return plan_; }
    std::unique_ptr<NetContext> context() override {
        if (double_precision_) return std::make_unique<Context<double>>(plan_);
        return std::make_unique<Context<float>>(plan_);
    }

private:
    NetPlan plan_;
    bool double_precision_;
};

[[maybe_unused]] const bool registered =
    (engineRegistry().add({
         .id = "reference",
         .aliases = {},
         .help =
             "Plain loops, slow but independent of any library; the standard that other engines are tested "
             "against.",
         .devices = []() -> Result<std::vector<std::string>> { return std::vector<std::string>{"cpu"}; },
         .compile = [](const NetPlan& plan,
                       const EngineOptions& options) -> Result<std::unique_ptr<EngineNet>> {
             if (options.device != "cpu")
                 return fail(ErrorCode::device,
                             "engine 'reference' runs on cpu only, not on '" + options.device + "'");
             SEEDBED_TRY(options.double_precision
                             ? checkOperations(plan, kernelRegistry<double>(), "reference")
                             : checkOperations(plan, kernelRegistry<float>(), "reference"));
             return std::make_unique<Net>(plan, options.double_precision);
         },
         .rows_independent = true,
     }),
     true);

}  // namespace

}  // namespace seedbed::reference
