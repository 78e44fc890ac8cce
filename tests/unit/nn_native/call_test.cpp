// SPDX-License-Identifier: Apache-2.0
// Results of the native engine do not depend on the other sequences of a call or on its number of threads.
// Also tests the gradient of the inputs.
#include <algorithm>
#include <cmath>

#include "core/nn/engines/check/sample_panel.hpp"
#include "core/nn/threaded_context.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/nn_native/isa_util.hpp"
#include "tests/unit/nn_torch/networks.hpp"

namespace seedbed::testing_native {

namespace {

using testing_torch::networkCases;

std::size_t size(int count) { return static_cast<std::size_t>(count); }

std::unique_ptr<EngineNet> compiled(const NetPlan& plan, const std::string& engine = "native") {
    auto net = compileNet(engine, plan, {});
    SEEDBED_CHECK(net.has_value(), net.error().text());
    return std::move(*net);
}

struct Answer {
    std::vector<float> heads, state;
    bool operator==(const Answer&) const = default;
};

Answer answerOf(NetContext& context, const NetPlan& plan, const Params& params, const Rows& rows, Keep keep) {
    Answer answer{std::vector<float>(size(rows.count() * plan.head_words)),
                  std::vector<float>(size(rows.sequences * plan.state_words))};
    EXPECT_TRUE(context.run(
        params, rows, {answer.heads.data(), answer.state.empty() ? nullptr : answer.state.data()}, keep));
    return answer;
}

// The sequences [begin, begin + count) of an array [steps, sequences, width].
template <class T>
std::vector<T> cut(const std::vector<T>& all, int steps, int sequences, int begin, int count) {
    const std::size_t width = all.size() / size(steps * sequences);
    std::vector<T> part;
    for (int t = 0; t < steps; ++t) {
        const auto from = all.begin() + static_cast<std::ptrdiff_t>(size(t * sequences + begin) * width);
        part.insert(part.end(), from, from + static_cast<std::ptrdiff_t>(size(count) * width));
    }
    return part;
}

SamplePanel cut(const SamplePanel& all, int begin, int count) {
    SamplePanel part = all;
    for (auto& obs : part.obs) obs = cut(obs, all.steps, all.sequences, begin, count);
    part.first = cut(all.first, all.steps, all.sequences, begin, count);
    part.previous_action = cut(all.previous_action, all.steps, all.sequences, begin, count);
    part.previous_reward = cut(all.previous_reward, all.steps, all.sequences, begin, count);
    part.state = cut(all.state, 1, all.sequences, begin, count);
    part.sequences = count;
    return part;
}

class Call : public testing::TestWithParam<Isa> {};

TEST_P(Call, SequencesHaveTheSameBitsInEveryBatch) {
    SEEDBED_NEEDS_ISA(GetParam());
    const IsaLimit limit(GetParam());
    int recurrent = 0;
    for (const auto& network : networkCases()) {
        const NetPlan& plan = network.plan;
        if (plan.state_words == 0) continue;
        ++recurrent;
        constexpr int kSequences = 19, kSteps = 6;
        Rng rng(9, RngPurpose::test);
        const SamplePanel panel = samplePanel(plan, kSequences, kSteps, rng);
        const Params params(sampleBlob(plan, 9), 1);
        const auto net = compiled(plan);
        const auto context = net->context();
        const Answer whole = answerOf(*context, plan, params, panel.rows(), Keep::tape);
        EXPECT_EQ(whole, answerOf(*context, plan, params, panel.rows(), Keep::nothing)) << network.name;
        for (const int count : {1, 2, 5, 16}) {
            for (int begin = 0; begin < kSequences; begin += count) {
                const int here = std::min(count, kSequences - begin);
                const SamplePanel part = cut(panel, begin, here);
                const Answer expected{cut(whole.heads, kSteps, kSequences, begin, here),
                                      cut(whole.state, 1, kSequences, begin, here)};
                ASSERT_EQ(answerOf(*context, plan, params, part.rows(), Keep::tape), expected)
                    << network.name << ", " << here << " sequences from " << begin;
            }
        }
    }
    EXPECT_GE(recurrent, 2) << "includes LSTM and GRU";
}

TEST_P(Call, DividedAmongThreadsHasTheSameBits) {
    SEEDBED_NEEDS_ISA(GetParam());
    const IsaLimit limit(GetParam());
    for (const auto& network : networkCases()) {
        const NetPlan& plan = network.plan;
        const Params params(sampleBlob(plan, 10), 1);
        const auto net = compiled(plan);
        const auto alone = net->context(), shared = net->context();
        for (const int threads : {2, 3, 5}) {
            WorkerPool pool(threads);
            ASSERT_TRUE(useThreads(*shared, &pool));
            for (const int rows : {1, 2, 4}) {
                Rng rng(11, RngPurpose::test);
                const SamplePanel panel = samplePanel(plan, rows, 1, rng);
                for (const Keep keep : {Keep::nothing, Keep::tape})
                    EXPECT_EQ(answerOf(*shared, plan, params, panel.rows(), keep),
                              answerOf(*alone, plan, params, panel.rows(), keep))
                        << network.name << ", " << rows << " rows on " << threads << " threads";
            }
            ASSERT_TRUE(useThreads(*shared, nullptr));
        }
    }
}

TEST_P(Call, ComputesTheGradientOfItsInputs) {
    SEEDBED_NEEDS_ISA(GetParam());
    const IsaLimit limit(GetParam());
    int compared = 0;
    for (const auto& network : networkCases()) {
        const NetPlan& plan = network.plan;
        const auto& leaves = plan.spec.spaces.obs;
        // As in Parity, each instruction set has a third of the shapes outside the long form.
        const std::size_t turns = std::min<std::size_t>(3, network.shapes.size());
        for (std::size_t shape = 0; shape < network.shapes.size(); ++shape) {
            if (!test::isLong() && (shape + static_cast<std::size_t>(GetParam())) % turns != 0) continue;
            const auto [sequences, steps] = network.shapes[shape];
            Rng rng(12, RngPurpose::test);
            const SamplePanel panel = samplePanel(plan, sequences, steps, rng);
            const Params params(sampleBlob(plan, 12), 1);
            std::vector<float> g(size(sequences * steps * plan.head_words));
            for (float& x : g) x = static_cast<float>(rng.normal());
            std::vector<std::vector<float>> found[2];
            for (const char* engine : {"reference", "native"}) {
                const bool native = engine == std::string("native");
                std::vector<float*> to;
                for (const ObsLeaf& leaf : leaves) {
                    const bool wanted = leaf.kind == ObsLeaf::Kind::vector;
                    // The buffer is overwritten, so its previous contents must not matter.
                    found[native].emplace_back(
                        wanted ? size(sequences * steps * leaf.stack) * leaf.elements() : 0, 77.0f);
                    to.push_back(wanted ? found[native].back().data() : nullptr);
                }
                // Without vectors there is nothing to compare.
                if (!native && std::ranges::count(to, nullptr) == std::ssize(to)) continue;
                const auto net = compiled(plan, engine);
                const auto context = net->context();
                answerOf(*context, plan, params, panel.rows(), Keep::tape);
                std::vector<float> lane(plan.param_floats);
                ASSERT_TRUE(context->backward(g.data(), lane.data(), &to));
            }
            for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
                double error = 0, norm = 0;
                for (std::size_t i = 0; i < found[0][leaf].size(); ++i) {
                    const double truth = static_cast<double>(found[0][leaf][i]),
                                 here = static_cast<double>(found[1][leaf][i]);
                    error += (truth - here) * (truth - here);
                    norm += truth * truth;
                    ++compared;
                }
                // Both are rounded like gradients of weights (see ParityTolerance): each within 1e-4 of its
                // norm.
                EXPECT_LE(std::sqrt(error), 2e-4 * std::sqrt(norm) + 1e-12)
                    << network.name << ", leaf " << leaf;
            }
        }
    }
    EXPECT_GT(compared, 1000);
}

INSTANTIATE_TEST_SUITE_P(EveryIsa, Call, testing::Values(Isa::base, Isa::avx2, Isa::avx512),
                         [](const auto& isa) { return nameOf(isa.param); });

}  // namespace

}  // namespace seedbed::testing_native
