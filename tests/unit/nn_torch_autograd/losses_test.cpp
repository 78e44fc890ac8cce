// SPDX-License-Identifier: Apache-2.0
// The parameter gradients of one learning step of SAC, TD3 and R2D2 on every engine, compared with LibTorch's
// autograd of the losses as written in the papers, through the same networks in double.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "core/algo/bounded_control.hpp"
#include "core/nn/engines/check/parity.hpp"
#include "tests/unit/nn_torch/torch_util.hpp"
#include "tests/unit/nn_torch_autograd/autograd_net.hpp"
#include "tests/unit/nn_torch_autograd/engine_step.hpp"

namespace seedbed::testing_torch {
namespace {

constexpr double kGamma = 0.9;
constexpr std::uint64_t kSeed = 21;

Spaces spacesWith(ActionLeaf action) {
    Spaces spaces;
    spaces.obs = {{.name = "obs", .kind = ObsLeaf::Kind::vector, .dtype = DType::f32, .shape = {4}}};
    spaces.actions = {std::move(action)};
    return spaces;
}
Spaces boxSpaces() {
    return spacesWith({.name = "force", .kind = ActionLeaf::Kind::box, .low = {-2, 0}, .high = {2, 10}});
}

// The chunk and its networks in tensors. Rows are those of the whole chunk with its burn-in.
class Truth {
public:
    Truth(const ReplayChunk& data, const EngineStep& step) : data_(data), step_(step) {
        const auto rows = static_cast<std::int64_t>(data.valid.size());
        const auto tensor = [&](const auto& values, at::ScalarType type) {
            return at::from_blob(const_cast<void*>(static_cast<const void*>(values.data())),
                                 {static_cast<std::int64_t>(values.size())}, type)
                .to(at::kDouble);
        };
        valid = tensor(data.valid, at::kByte);
        reward = tensor(data.reward, at::kFloat);
        discount = tensor(data.discount, at::kFloat);
        action = tensor(data.action, at::kFloat).reshape({rows, -1});
    }
    // The outputs of a network for the rows after the burn-in. `action`: of those rows.
    at::Tensor heads(std::size_t index, const at::Tensor& unit_action = {}) {
        const EngineStep::Net& net = step_.net(index);
        nets_.push_back(std::make_unique<AutogradNet>(net.plan, net.blob, net.panel));
        index_.push_back(index);
        at::Tensor padded = unit_action;
        if (unit_action.defined())
            padded = at::cat({at::zeros({burned(), unit_action.size(1)}, at::kDouble), unit_action}, 0);
        return nets_.back()->heads(padded, data_.shape.burn_in).slice(0, burned());
    }
    // Selects the learned rows; next() selects the rows after them.
    at::Tensor learned(const at::Tensor& rows) const { return rows.slice(0, 0, learnedRows()); }
    at::Tensor next(const at::Tensor& rows) const {
        return rows.slice(0, data_.shape.sequences, data_.shape.sequences + learnedRows());
    }
    std::int64_t learnedRows() const { return data_.shape.sequences * data_.shape.learned; }
    // The mean over the valid learned rows of the minibatch.
    at::Tensor mean(const at::Tensor& row_losses) const {
        return (row_losses * learned(valid)).sum() / data_.chunk.valid_rows;
    }
    // Standard normal noise of the learned rows (`ahead` = 0), or the rows after them, with zeros elsewhere.
    at::Tensor noise(const Spaces& spaces, int draw, int ahead) {
        const UnitActions actions(spaces);
        const auto sequences = static_cast<std::size_t>(data_.shape.sequences), words = actions.words();
        std::vector<float> all(data_.valid.size() * words, 0.0f);
        for (int t = 0; t < data_.shape.learned; ++t)
            actions.distribution().noise(data_.shape.sequences, step_.key(draw, t),
                                         &all[static_cast<std::size_t>(t + ahead) * sequences * words]);
        return at::from_blob(all.data(), {static_cast<std::int64_t>(all.size())})
            .to(at::kDouble)
            .reshape({static_cast<std::int64_t>(data_.valid.size()), -1});
    }
    // Adds a loss whose gradients belong to the networks in `trained`; others are constants.
    void learn(const at::Tensor& loss, const std::vector<std::size_t>& trained) {
        loss.backward();
        for (std::size_t i = 0; i < nets_.size(); ++i)
            for (const std::size_t index : trained) {
                if (index_[i] != index) continue;
                const std::vector<float> gradient = nets_[i]->gradient();
                auto& sum = lanes_[index];
                sum.resize(gradient.size(), 0.0f);
                for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += gradient[j];
            }
        nets_.clear();
        index_.clear();
    }
    void compare(const std::string& engine) const {
        for (std::size_t i = 0; lanes_.contains(i) || i < 3; ++i) {
            if (!lanes_.contains(i)) continue;
            const EngineStep::Net& net = step_.net(i);
            double size = 0;
            for (const float x : lanes_.at(i)) size += std::abs(static_cast<double>(x));
            EXPECT_GT(size, 1e-3) << net.decl.name << ": a gradient of zeros would prove nothing";
            const auto verdict =
                compareGradients(net.plan, lanes_.at(i), net.lane).check(ParityTolerance{}, engine);
            EXPECT_TRUE(verdict) << net.decl.name << ": " << verdict.error().text();
        }
    }

    at::Tensor valid, reward, discount, action;

private:
    std::int64_t burned() const { return data_.shape.sequences * data_.shape.burn_in; }

    const ReplayChunk& data_;
    const EngineStep& step_;
    std::vector<std::unique_ptr<AutogradNet>> nets_;
    std::vector<std::size_t> index_;
    std::map<std::size_t, std::vector<float>> lanes_;
};

// Actions in [-1, 1] and their log-probabilities. heads: means and log standard deviations of two words.
std::pair<at::Tensor, at::Tensor> squashed(const at::Tensor& heads, const at::Tensor& noise) {
    const at::Tensor log_std = heads.slice(1, 2, 4).clamp(-20, 2),
                     u = heads.slice(1, 0, 2) + log_std.exp() * noise;
    const at::Tensor log_slope = 2 * (std::log(2.0) - u - at::softplus(-2 * u));
    return {u.tanh(), (-0.5 * noise.pow(2) - 0.5 * std::log(2 * M_PI) - log_std - log_slope).sum(1)};
}
at::Tensor unitActions(const at::Tensor& action) {
    return (action - at::tensor({0.0, 5.0}, at::kDouble)) / at::tensor({2.0, 5.0}, at::kDouble);
}

void learnCritics(Truth& truth, const at::Tensor& target) {
    at::Tensor loss = at::zeros({}, at::kDouble);
    for (const std::size_t critic : {1u, 2u})
        loss =
            loss +
            truth.mean(
                0.5 *
                (truth.learned(truth.heads(critic, unitActions(truth.action))).squeeze(1) - target).pow(2));
    truth.learn(loss, {1, 2});
}
at::Tensor smallest(Truth& truth, std::size_t first, const at::Tensor& action) {
    return at::minimum(truth.heads(first, action), truth.heads(first + 1, action)).squeeze(1);
}

// Haarnoja et al. 2018 (arXiv:1812.05905), equations 5, 6, 9 and 18.
void learnSac(Truth& truth, const EngineStep& step) {
    const Spaces spaces = boxSpaces();
    const auto log_alpha = static_cast<double>(step.net(5).blob[0]);
    const double alpha = std::exp(log_alpha);
    const auto [next, next_log_prob] = squashed(truth.heads(0), truth.noise(spaces, 0, 1));
    const at::Tensor value = smallest(truth, 3, next) - alpha * next_log_prob;
    learnCritics(
        truth,
        (truth.learned(truth.reward) + kGamma * truth.learned(truth.discount) * truth.next(value)).detach());
    const auto [action, log_prob] = squashed(truth.heads(0), truth.noise(spaces, 1, 0));
    const at::Tensor q = smallest(truth, 1, action);
    truth.learn(truth.mean(truth.learned(alpha * log_prob - q)), {0});
    const double target_entropy = -0.5 * 2;
    truth.learn(truth.mean(-truth.learned(truth.heads(5).squeeze(1)) *
                           (truth.learned(log_prob).detach() + target_entropy)),
                {5});
}

// Fujimoto et al. 2018, algorithm 1.
void learnTd3(Truth& truth, const EngineStep&) {
    const Spaces spaces = boxSpaces();
    const auto mean = [&](std::size_t net) { return truth.heads(net).slice(1, 0, 2).tanh(); };
    const at::Tensor noise = (0.4 * truth.noise(spaces, 0, 1)).clamp(-0.5, 0.5);
    const at::Tensor value = smallest(truth, 3, (mean(5) + noise).clamp(-1, 1));
    learnCritics(
        truth,
        (truth.learned(truth.reward) + kGamma * truth.learned(truth.discount) * truth.next(value)).detach());
    truth.learn(truth.mean(-truth.learned(truth.heads(1, mean(0)).squeeze(1))), {0});
}

// Kapturowski et al. 2019, section 2.3, with one step.
void learnR2d2(Truth& truth, const EngineStep&) {
    const auto scaled = [](const at::Tensor& x) { return x.sign() * ((x.abs() + 1).sqrt() - 1) + 1e-3 * x; };
    const auto unscaled = [](const at::Tensor& y) {  // Pohlen et al. 2018, proposition A.2
        return y.sign() * ((((1 + 4e-3 * (y.abs() + 1 + 1e-3)).sqrt() - 1) / 2e-3).pow(2) - 1);
    };
    const at::Tensor q = truth.heads(0), best = q.argmax(1, true),
                     value = unscaled(truth.heads(1).gather(1, best).squeeze(1));
    const at::Tensor target =
        scaled(truth.learned(truth.reward) + kGamma * truth.learned(truth.discount) * truth.next(value))
            .detach();
    const at::Tensor taken = truth.learned(q.gather(1, truth.action.to(at::kLong))).squeeze(1);
    truth.learn(truth.mean(0.5 * (target - taken).pow(2)), {0});
}

struct Case {
    std::string name, algorithm;
    Json params;
    ChunkShape shape;
    NetworkParams network;
    std::function<void(Truth&, const EngineStep&)> learn;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
    const ChunkShape rows{.sequences = 37}, sequences{.sequences = 17, .burn_in = 3, .learned = 5};
    const auto network = [](const char* core) {
        NetworkParams params{.hidden = {24, 16}, .activation = "tanh", .core = core, .core_size = 12};
        return params;
    };
    const Json unrolled{{"sequence", 5}, {"burn_in", 3}, {"stride", 2}};
    std::vector<Case> all;
    for (const char* core : {"none", "lstm", "gru"}) {
        const bool is_recurrent = std::string(core) != "none";
        const auto add = [&](const std::string& algorithm, Json params, auto learn) {
            params["gamma"] = kGamma;
            if (is_recurrent || algorithm == "r2d2") params.merge_patch(unrolled);
            if (!is_recurrent && algorithm == "r2d2") params["burn_in"] = 0;
            ChunkShape shape = is_recurrent || algorithm == "r2d2" ? sequences : rows;
            if (!is_recurrent) shape.burn_in = 0;
            all.push_back(
                {algorithm + "_" + core, algorithm, std::move(params), shape, network(core), learn});
        };
        add("r2d2", {{"n_step", 1}}, learnR2d2);
        add("sac", {{"target_entropy", -0.5}}, learnSac);
        add("td3", {{"target_noise", 0.4}}, learnTd3);
    }
    return all;
}

class Losses : public testing::TestWithParam<Case> {};

TEST_P(Losses, GradientsAgreeWithAutogradOnEveryEngine) {
    const Case& c = GetParam();
    const AlgorithmEntry& entry = *algorithmRegistry().find(c.algorithm);
    const bool is_box = c.algorithm != "r2d2";
    const Spaces spaces =
        is_box ? boxSpaces() : spacesWith({.name = "choice", .kind = ActionLeaf::Kind::discrete, .n = 3});
    NetworkParams network = c.network;
    if (entry.require != nullptr) entry.require(network);
    const auto algorithm = entry.make(c.params, {spaces, is_box});
    const ReplayChunk chunk(c.shape, spaces, kSeed);
    for (const std::string engine : {"reference", "native", "torch"}) {
        if (!engineRegistry().find(engine)->devices()) continue;
        std::vector<double> sums(algorithm->metrics().size(), 0.0);
        EngineStep step(*algorithm, network, spaces, chunk, engine, kSeed, sums.data());
        algorithm->learn(step);
        Truth truth(chunk, step);
        c.learn(truth, step);
        truth.compare(engine);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Losses, testing::ValuesIn(cases()), [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace seedbed::testing_torch
