// SPDX-License-Identifier: Apache-2.0
// The engine that runs another engine and the reference engine (in double) and reports differences as errors.
#include "core/nn/engines/check/parity.hpp"

namespace seedbed {

namespace {

// Returns the tested engine's results.
class CheckContext final : public NetContext {
public:
    CheckContext(const NetPlan& plan, std::string name, std::unique_ptr<NetContext> truth,
                 std::unique_ptr<NetContext> tested)
        : plan_(plan), name_(std::move(name)), truth_(std::move(truth)), tested_(std::move(tested)) {}

    Result<> run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) override {
        heads_.resize(static_cast<std::size_t>(rows.count()) * static_cast<std::size_t>(plan_.head_words));
        state_.resize(static_cast<std::size_t>(rows.sequences) * static_cast<std::size_t>(plan_.state_words));
        SEEDBED_TRY(tested_->run(params, rows, out, keep));
        SEEDBED_TRY(
            truth_->run(params, rows, {heads_.data(), out.state == nullptr ? nullptr : state_.data()}, keep));
        ParityReport report = compareHeads(plan_, rows.count(), heads_.data(), out.heads);
        if (out.state != nullptr)
            report.include(compareStates(plan_, rows.sequences, state_.data(), out.state));
        tolerance_ = ParityTolerance::forRows(plan_, rows.count());
        rows_ = static_cast<std::size_t>(rows.count());
        return report.check(tolerance_, name_);
    }

    Result<> backward(const float* head_gradients, float* lane,
                      const std::vector<float*>* input_gradient) override {
        truth_lane_.assign(lane == nullptr ? 0 : plan_.param_floats, 0.0f);
        tested_lane_ = truth_lane_;
        const bool inputs = input_gradient != nullptr;
        if (inputs) placeInputs(*input_gradient);
        SEEDBED_TRY(truth_->backward(head_gradients, lane == nullptr ? nullptr : truth_lane_.data(),
                                     inputs ? &truth_inputs_ : nullptr));
        SEEDBED_TRY(tested_->backward(head_gradients, lane == nullptr ? nullptr : tested_lane_.data(),
                                      input_gradient));
        ParityReport report;
        for (std::size_t i = 0; i < tested_lane_.size(); ++i) lane[i] += tested_lane_[i];
        if (lane != nullptr) report = compareGradients(plan_, truth_lane_, tested_lane_);
        for (std::size_t leaf = 0; inputs && leaf < input_values_.size(); ++leaf)
            if (truth_inputs_[leaf] != nullptr)
                report.include(compareInputGradients(plan_, leaf, input_values_[leaf].size(),
                                                     truth_inputs_[leaf], (*input_gradient)[leaf]));
        return report.check(tolerance_, name_);
    }

private:
    // Allocates memory for the true gradients of the requested inputs.
    void placeInputs(const std::vector<float*>& requested) {
        input_values_.resize(requested.size());
        truth_inputs_.assign(requested.size(), nullptr);
        for (std::size_t leaf = 0; leaf < requested.size(); ++leaf) {
            const ObsLeaf& spec = plan_.spec.spaces.obs[leaf];
            if (requested[leaf] == nullptr || spec.kind != ObsLeaf::Kind::vector) continue;
            input_values_[leaf].resize(rows_ * static_cast<std::size_t>(spec.stack) * spec.elements());
            truth_inputs_[leaf] = input_values_[leaf].data();
        }
    }

    const NetPlan& plan_;
    std::string name_;
    ParityTolerance tolerance_;
    std::unique_ptr<NetContext> truth_, tested_;
    std::size_t rows_ = 0;
    std::vector<float> heads_, state_, truth_lane_, tested_lane_;
    std::vector<std::vector<float>> input_values_;  // per leaf
    std::vector<float*> truth_inputs_;
};

class CheckNet final : public EngineNet {
public:
    CheckNet(std::string name, std::unique_ptr<EngineNet> truth, std::unique_ptr<EngineNet> tested)
        : name_(std::move(name)), truth_(std::move(truth)), tested_(std::move(tested)) {}
    const NetPlan& plan() const override { return truth_->plan(); }
    std::unique_ptr<NetContext> context() override {
        return std::make_unique<CheckContext>(truth_->plan(), name_, truth_->context(), tested_->context());
    }

private:
    std::string name_;
    std::unique_ptr<EngineNet> truth_, tested_;
};

Result<std::unique_ptr<EngineNet>> compileCheck(const NetPlan& plan, const EngineOptions& options) {
    const std::string name = options.tested.empty() ? "reference" : options.tested;
    if (name.starts_with("check")) return fail(ErrorCode::config, "the check engine cannot check itself");
    EngineOptions exact, given = options;
    exact.double_precision = true;
    given.tested.clear();
    SEEDBED_ASSIGN(auto truth, compileNet("reference", plan, exact));
    SEEDBED_ASSIGN(auto tested, compileNet(name, plan, given));
    return std::make_unique<CheckNet>(name, std::move(truth), std::move(tested));
}

[[maybe_unused]] const bool registered =
    (engineRegistry().add({
         .id = "check",
         .aliases = {},
         .help = "Runs another engine (check:NAME) and the reference in double precision and stops at the "
                 "first difference.",
         .devices = []() -> Result<std::vector<std::string>> {
             return std::vector<std::string>{"cpu (reference in float against reference in double)"};
         },
         .compile = compileCheck,
     }),
     true);

}  // namespace

}  // namespace seedbed
