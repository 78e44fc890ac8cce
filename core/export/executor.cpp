// SPDX-License-Identifier: Apache-2.0
#include "core/export/executor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/version.hpp"

namespace seedbed {

ModelBatch emptyBatch(const PolicyModel& model, int rows) {
    const auto count = static_cast<std::size_t>(rows);
    const Spaces& spaces = model.spaces();
    ModelBatch batch;
    batch.rows = rows;
    for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
        batch.obs.emplace_back(count * model.obsWords(leaf), 0.0f);
    batch.mask.assign(count * static_cast<std::size_t>(spaces.maskBytes()), 1.0f);
    if (model.wants_previous_action)
        for (std::size_t row = 0; row < count; ++row)
            for (const ActionLeaf& leaf : spaces.actions)
                batch.previous_action.insert(batch.previous_action.end(),
                                             static_cast<std::size_t>(leaf.words()),
                                             leaf.kind == ActionLeaf::Kind::discrete ? -1.0f : 0.0f);
    if (model.wants_previous_reward) batch.previous_reward.assign(count, 0.0f);
    batch.state.assign(count * static_cast<std::size_t>(model.stateWords()), 0.0f);
    return batch;
}

void resizeResult(const PolicyModel& model, int rows, ModelResult& result) {
    const auto sized = [&](std::vector<float>& field, int words) {
        field.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(words));
    };
    const int action_words = model.spaces().actionWords();
    sized(result.policy, model.policy_words), sized(result.value, model.value_words),
        sized(result.action, action_words);
    sized(result.state, model.stateWords()),
        sized(result.feedback, model.wants_previous_action ? action_words : 0);
}

ModelBatch rowOf(const PolicyModel& model, const ModelBatch& batch, int row) {
    ModelBatch one = emptyBatch(model, 1);
    const auto copy = [&](const std::vector<float>& from, std::vector<float>& to) {
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * to.size()),
                    to.size(), to.begin());
    };
    for (std::size_t leaf = 0; leaf < one.obs.size(); ++leaf) copy(batch.obs[leaf], one.obs[leaf]);
    copy(batch.mask, one.mask);
    copy(batch.previous_action, one.previous_action);
    copy(batch.previous_reward, one.previous_reward);
    copy(batch.state, one.state);
    return one;
}

Result<> Executor::playSequence(const PolicyModel& model, const ModelBatch& steps, ModelResult& result) {
    const auto append = [](std::vector<float>& to, const std::vector<float>& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    result = {};
    const ModelBatch start = emptyBatch(model, 1);
    std::vector<float> state = start.state, previous_action = start.previous_action;
    ModelResult got;
    for (int step = 0; step < steps.rows; ++step) {
        ModelBatch one = rowOf(model, steps, step);
        one.state = state;
        one.previous_action = previous_action;
        SEEDBED_TRY(run(one, got));
        append(result.policy, got.policy);
        append(result.value, got.value);
        append(result.action, got.action);
        append(result.state, got.state);
        append(result.feedback, got.feedback);
        state = got.state;
        previous_action = got.feedback;
    }
    return {};
}

namespace {

class EngineExecutor final : public Executor {
public:
    EngineExecutor(const PolicyModel& model, EngineNet& net, std::string id)
        : model_(model), context_(net.context()), id_(std::move(id)) {}

    Result<> run(const ModelBatch& batch, ModelResult& result) override {
        const auto rows = static_cast<std::size_t>(batch.rows);
        resizeResult(model_, batch.rows, result);
        Rows panel;
        panel.sequences = batch.rows;
        for (std::size_t leaf = 0; leaf < batch.obs.size(); ++leaf)
            panel.obs.push_back(bytesOfLeaf(leaf, batch.obs[leaf]));
        first_.assign(rows, 0);
        panel.first = first_.data();
        panel.state = batch.state.data();
        reward_.resize(batch.previous_reward.size());
        std::transform(batch.previous_reward.begin(), batch.previous_reward.end(), reward_.begin(),
                       [&](float raw) { return model_.bundle.reward.apply(raw); });
        // At the start of an episode the previous action is -1, which the one-hot encoding maps to all zeros.
        panel.previous_action = batch.previous_action.data();
        panel.previous_reward = reward_.data();
        const auto words = static_cast<std::size_t>(model_.plan.head_words);
        heads_.resize(rows * words);
        SEEDBED_TRY(context_->run(model_.params(), panel,
                                  {heads_.data(), result.state.empty() ? nullptr : result.state.data()},
                                  Keep::nothing));
        for (std::size_t row = 0; row < rows; ++row) {
            const float* head = heads_.data() + row * words;
            std::copy_n(head + model_.policy_begin, model_.policy_words,
                        result.policy.data() + row * static_cast<std::size_t>(model_.policy_words));
            std::copy_n(head + model_.value_begin, model_.value_words,
                        result.value.data() + row * static_cast<std::size_t>(model_.value_words));
        }
        act(batch, result);
        for (const float x : result.policy)
            if (!std::isfinite(x)) return fail("the network returned NaN or infinity");
        return {};
    }
    std::string id() const override { return id_; }
    std::string version() const override { return std::string("Seedbed ") + kVersion; }

private:
    const std::uint8_t* bytesOfLeaf(std::size_t leaf, const std::vector<float>& values) {
        bytes_.resize(model_.spaces().obs.size());
        std::vector<std::uint8_t>& bytes = bytes_[leaf];
        const DType dtype = model_.spaces().obs[leaf].dtype;
        bytes.resize(values.size() * seedbed::bytesOf(dtype));
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (dtype == DType::u8) bytes[i] = static_cast<std::uint8_t>(values[i]);
            if (dtype == DType::f32) std::memcpy(&bytes[i * 4], &values[i], 4);
            if (dtype == DType::i32) {
                const auto word = static_cast<std::int32_t>(values[i]);
                std::memcpy(&bytes[i * 4], &word, 4);
            }
        }
        return bytes.data();
    }

    void act(const ModelBatch& batch, ModelResult& result) {
        const auto rows = static_cast<std::size_t>(batch.rows);
        mask_.assign(batch.mask.size(), 0);
        for (std::size_t i = 0; i < mask_.size(); ++i) mask_[i] = batch.mask[i] > 0 ? 1 : 0;
        const std::uint8_t* mask = mask_.empty() ? nullptr : mask_.data();
        log_prob_.resize(rows);
        model_.distribution.sample(batch.rows, result.policy.data(), mask, Selection::greedy, {},
                                   result.action.data(), log_prob_.data());
        if (model_.wants_previous_action) result.feedback = result.action;
        model_.distribution.envAction(batch.rows, result.action.data(), result.action.data());
        if (mask == nullptr) return;
        const auto words = static_cast<std::size_t>(model_.policy_words);
        const auto mask_bytes = static_cast<std::size_t>(model_.spaces().maskBytes());
        for (std::size_t row = 0; row < rows; ++row) {
            float* policy = result.policy.data() + row * words;
            const std::uint8_t* allowed = mask + row * mask_bytes;
            for (const ActionLeaf& leaf : model_.spaces().actions) {
                if (leaf.kind == ActionLeaf::Kind::box) {
                    policy += 2 * leaf.words();
                    continue;
                }
                // A mask that forbids all actions is treated as allowing all.
                const bool none =
                    std::all_of(allowed, allowed + leaf.n, [](std::uint8_t choice) { return choice == 0; });
                for (int i = 0; i < leaf.n; ++i)
                    if (!none && allowed[i] == 0) policy[i] = kForbiddenLogit;
                policy += leaf.n;
                allowed += leaf.n;
            }
        }
    }

    const PolicyModel& model_;
    std::unique_ptr<NetContext> context_;
    std::string id_;
    std::vector<std::vector<std::uint8_t>> bytes_;
    std::vector<std::uint8_t> first_, mask_;
    std::vector<float> heads_, log_prob_, reward_;
};

}  // namespace

std::unique_ptr<Executor> engineExecutor(const PolicyModel& model, EngineNet& net, std::string id) {
    return std::make_unique<EngineExecutor>(model, net, std::move(id));
}

}  // namespace seedbed
