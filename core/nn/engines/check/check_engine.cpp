// SPDX-License-Identifier: Apache-2.0
// The engine that runs another engine and the reference engine (in double) and reports differences as errors.
// If the other engine learns on a device, it also compares optimiser steps with those of the CPU.
#include <algorithm>
#include <cmath>

#include "core/nn/engines/check/parity.hpp"
#include "core/nn/learn_device.hpp"

namespace seedbed {

namespace {

// Parameters that a device has changed since the learner read them last. Thread: the learner's, and contexts
// between its steps.
struct Changed {
    const float* learner = nullptr;  // the learner's outdated blob
    Params params;                   // empty: none

    const Params& instead(const Params& given) const {
        const bool is_outdated =
            !params.empty() && given.blob().data() == learner && given.version() == params.version();
        return is_outdated ? params : given;
    }
};

// Returns the tested engine's results.
class CheckContext final : public NetContext {
public:
    CheckContext(const NetPlan& plan, std::string name, const Changed& changed,
                 std::unique_ptr<NetContext> truth, std::unique_ptr<NetContext> tested)
        : plan_(plan),
          name_(std::move(name)),
          changed_(changed),
          truth_(std::move(truth)),
          tested_(std::move(tested)) {}

    Result<> run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) override {
        heads_.resize(static_cast<std::size_t>(rows.count()) * static_cast<std::size_t>(plan_.head_words));
        state_.resize(static_cast<std::size_t>(rows.sequences) * static_cast<std::size_t>(plan_.state_words));
        SEEDBED_TRY(tested_->run(params, rows, out, keep));
        SEEDBED_TRY(truth_->run(changed_.instead(params), rows,
                                {heads_.data(), out.state == nullptr ? nullptr : state_.data()}, keep));
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
        if (inputs) report.include(compareInputs(*input_gradient));
        return report.check(tolerance_, name_);
    }

    // Adds the true gradient to `truth`, and that of the tested engine to a lane of its device.
    Result<> backwardOnDevice(LearnDevice& device, const float* head_gradients, std::size_t lane,
                              std::vector<float>& truth, const std::vector<float*>* input_gradient) {
        const bool inputs = input_gradient != nullptr;
        if (inputs) placeInputs(*input_gradient);
        truth_lane_.assign(plan_.param_floats, 0.0f);
        SEEDBED_TRY(truth_->backward(head_gradients, truth_lane_.data(), inputs ? &truth_inputs_ : nullptr));
        for (std::size_t i = 0; i < truth.size(); ++i) truth[i] += truth_lane_[i];
        SEEDBED_TRY(device.backward(*tested_, head_gradients, lane, input_gradient));
        return inputs ? compareInputs(*input_gradient).check(tolerance_, name_) : Result<>();
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

    ParityReport compareInputs(const std::vector<float*>& tested) const {
        ParityReport report;
        for (std::size_t leaf = 0; leaf < input_values_.size(); ++leaf)
            if (truth_inputs_[leaf] != nullptr)
                report.include(compareInputGradients(plan_, leaf, input_values_[leaf].size(),
                                                     truth_inputs_[leaf], tested[leaf]));
        return report;
    }

    const NetPlan& plan_;
    std::string name_;
    const Changed& changed_;
    ParityTolerance tolerance_;
    std::unique_ptr<NetContext> truth_, tested_;
    std::size_t rows_ = 0;
    std::vector<float> heads_, state_, truth_lane_, tested_lane_;
    std::vector<std::vector<float>> input_values_;  // per leaf
    std::vector<float*> truth_inputs_;
};

// Compares each step on the device with that of the CPU, which begins with the device's parameters and
// moments, but has the gradients of the reference engine.
class CheckLearner final : public LearnDevice {
public:
    CheckLearner(const NetPlan& plan, std::string name, Changed& changed, Optimiser* optimiser,
                 std::unique_ptr<LearnDevice> tested)
        : plan_(plan),
          name_(std::move(name)),
          changed_(changed),
          optimiser_(optimiser),
          tested_(std::move(tested)) {}

    Result<> requireLanes(std::size_t count) override {
        while (lanes_.size() < count) lanes_.emplace_back(plan_.param_floats, 0.0f);
        return tested_->requireLanes(count);
    }
    Result<> clearLanes() override {
        for (auto& lane : lanes_) std::fill(lane.begin(), lane.end(), 0.0f);
        return tested_->clearLanes();
    }
    Result<> backward(NetContext& context, const float* head_gradients, std::size_t lane,
                      const std::vector<float*>* input_gradient) override {
        return dynamic_cast<CheckContext&>(context).backwardOnDevice(*tested_, head_gradients, lane,
                                                                     lanes_[lane], input_gradient);
    }
    Result<Optimiser::StepInfo> sum(std::size_t count) override {
        for (std::size_t lane = 1; lane < count; ++lane) {
            for (std::size_t i = 0; i < plan_.param_floats; ++i) lanes_[0][i] += lanes_[lane][i];
            std::fill(lanes_[lane].begin(), lanes_[lane].end(), 0.0f);
        }
        return tested_->sum(count);
    }
    Result<> load(const Params& params) override {
        changed_.learner = params.blob().data();
        version_ = params.version();
        return tested_->load(params);
    }
    Result<> loadMoments() override { return tested_->loadMoments(); }
    Result<> step(const Optimiser::Factors& factors) override {
        std::vector<float> before(plan_.param_floats);
        SEEDBED_TRY(tested_->read(before.data()));
        Optimiser truth = *optimiser_;
        --truth.state().steps;  // it counts the step itself
        std::vector<float> expected = before;
        truth.step(expected, lanes_[0], factors.learning_rate);
        std::fill(lanes_[0].begin(), lanes_[0].end(), 0.0f);
        SEEDBED_TRY(tested_->step(factors));
        return compare("step", before, expected);
    }
    Result<> follow(LearnDevice& other, double tau) override {
        auto& leader = dynamic_cast<CheckLearner&>(other);
        std::vector<float> before(plan_.param_floats), expected(plan_.param_floats);
        SEEDBED_TRY(leader.tested_->read(expected.data()));
        SEEDBED_TRY(tested_->read(before.data()));
        for (std::size_t i = 0; i < before.size(); ++i)
            expected[i] = before[i] + static_cast<float>(tau) * (expected[i] - before[i]);
        SEEDBED_TRY(tested_->follow(*leader.tested_, tau));
        return compare("target network", before, expected);
    }
    void rename(const Params& before, const Params& after) override {
        version_ = after.version();
        if (!changed_.params.empty())
            changed_.params = Params(
                std::vector<float>(changed_.params.blob().begin(), changed_.params.blob().end()), version_);
        tested_->rename(before, after);
    }
    Result<> read(float* blob) override {
        SEEDBED_TRY(tested_->read(blob));
        changed_.params = Params();
        return {};
    }

private:
    // Differences are relative to the norm of the change. Adam amplifies errors of gradients that are almost
    // zero.
    Result<> compare(const char* what, const std::vector<float>& before, const std::vector<float>& expected) {
        std::vector<float> after(plan_.param_floats);
        SEEDBED_TRY(tested_->read(after.data()));
        double error = 0, change = 0;
        for (std::size_t i = 0; i < after.size(); ++i) {
            error += std::pow(static_cast<double>(after[i]) - static_cast<double>(expected[i]), 2);
            change += std::pow(static_cast<double>(expected[i]) - static_cast<double>(before[i]), 2);
        }
        changed_.params = Params(std::move(after), version_);
        constexpr double kTolerance = 0.02;
        if (std::sqrt(error) <= kTolerance * std::sqrt(change)) return {};
        return fail(ErrorCode::parity, "the " + std::string(what) + " of engine '" + name_ +
                                           "' differs from that of the CPU by " +
                                           std::to_string(100 * std::sqrt(error / change)) +
                                           " % of the change (allowed 2 %)");
    }

    const NetPlan& plan_;
    std::string name_;
    Changed& changed_;
    Optimiser* optimiser_;
    std::unique_ptr<LearnDevice> tested_;
    std::vector<std::vector<float>> lanes_;  // true gradients
    std::uint64_t version_ = 0;
};

class CheckNet final : public EngineNet, public LearnsOnDevice {
public:
    CheckNet(std::string name, std::unique_ptr<EngineNet> truth, std::unique_ptr<EngineNet> tested)
        : name_(std::move(name)), truth_(std::move(truth)), tested_(std::move(tested)) {}
    const NetPlan& plan() const override { return truth_->plan(); }
    std::unique_ptr<NetContext> context() override {
        return std::make_unique<CheckContext>(truth_->plan(), name_, changed_, truth_->context(),
                                              tested_->context());
    }
    std::unique_ptr<LearnDevice> learnDevice(Optimiser* optimiser) override {
        auto tested = seedbed::learnDevice(*tested_, optimiser);
        if (tested == nullptr) return nullptr;
        return std::make_unique<CheckLearner>(plan(), name_, changed_, optimiser, std::move(tested));
    }

private:
    std::string name_;
    std::unique_ptr<EngineNet> truth_, tested_;
    Changed changed_;
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
         .help = "Runs another engine (check:NAME) and the reference in double "
                 "precision and stops at the "
                 "first difference.",
         .devices = []() -> Result<std::vector<std::string>> {
             return std::vector<std::string>{"cpu (reference in float against reference in double)"};
         },
         .compile = compileCheck,
     }),
     true);

}  // namespace

}  // namespace seedbed
