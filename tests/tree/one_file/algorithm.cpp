// SPDX-License-Identifier: Apache-2.0
// A new algorithm, following the recipe in CONTRIBUTING.md: only this file is needed. It learns nothing.
#include "core/algo/algorithm.hpp"
#include "core/base/describe.hpp"

namespace seedbed {
namespace {

struct OneFileParams {
    int rollout_length = 8;

    static const Description<OneFileParams>& describe() {
        static const auto description =
            Description<OneFileParams>("one_file_algo", "An algorithm that is one file.")
                .field(&OneFileParams::rollout_length, "rollout_length",
                       "Decisions per environment between two updates.",
                       {.unit = "steps", .min = 1, .max = 1000});
        return description;
    }
};

class OneFileAlgorithm final : public Algorithm {
public:
    explicit OneFileAlgorithm(OneFileParams params) : params_(params) {}
    std::vector<NetworkDecl> networks() const override {
        return {{.name = "policy", .heads = {{"policy", "policy", 0, false}, {"value", "value", 1, false}}}};
    }
    LearnPlan plan() const override { return {.rollout_length = params_.rollout_length}; }
    std::vector<std::string> metrics() const override { return {"loss/one_file"}; }
    double learningRate(const Progress&) const override { return 0; }
    Result<> prepare(Batch&, const Progress&, const EvaluateNetwork&) override { return {}; }
    void learn(Step& step) const override { step.sums()[0] += static_cast<double>(step.chunk().rows()); }

private:
    OneFileParams params_;
};

std::unique_ptr<Algorithm> makeOneFile(const Json& params, const ActionDistribution&) {
    auto parsed = OneFileParams::describe().parse(params);
    SEEDBED_CHECK(parsed.has_value(), parsed.error().text());
    return std::make_unique<OneFileAlgorithm>(*parsed);
}

SEEDBED_REGISTER_ALGORITHM(one_file_algo, (AlgorithmEntry{.id = "one_file_algo",
                                                          .aliases = {},
                                                          .help = "An algorithm that is one file.",
                                                          .params = &OneFileParams::describe().schema(),
                                                          .make = makeOneFile}));

}  // namespace
}  // namespace seedbed
