// SPDX-License-Identifier: Apache-2.0
#include "core/export/executors/graph_executor.hpp"

#include <algorithm>

namespace seedbed {

std::vector<std::pair<std::string, int>> GraphExecutor::outputs() const {
    int choices = 0, box = 0;
    for (const ActionLeaf& leaf : model_.spaces().actions)
        (leaf.kind == ActionLeaf::Kind::discrete ? choices : box) +=
            leaf.kind == ActionLeaf::Kind::discrete ? leaf.n : leaf.words();
    std::vector<std::pair<std::string, int>> names;
    if (choices > 0) names.emplace_back("logits", choices);
    if (box > 0) {
        names.emplace_back("mean", box);
        names.emplace_back("log_std", box);
    }
    names.emplace_back("action", model_.spaces().actionWords());
    if (graph_.has_value) names.emplace_back("value", model_.value_words);
    if (!graph_.state_out.empty()) names.emplace_back(graph_.state_out, model_.stateWords());
    if (model_.wants_previous_action)
        names.emplace_back("previous_action_out", model_.spaces().actionWords());
    for (const onnx::OutputBinding& binding : graph_.profile_outputs)
        names.emplace_back(binding.name, binding.words);
    return names;
}

const std::vector<float>& GraphExecutor::fieldOf(const onnx::InputBinding& binding, const ModelBatch& batch) {
    using Field = onnx::InputBinding::Field;
    switch (binding.field) {
        case Field::obs: return batch.obs[static_cast<std::size_t>(binding.leaf)];
        case Field::all_obs:
            ignored_.clear();
            for (std::size_t row = 0; row < static_cast<std::size_t>(batch.rows); ++row)
                for (std::size_t leaf = 0; leaf < batch.obs.size(); ++leaf) {
                    const auto from =
                        batch.obs[leaf].begin() + static_cast<std::ptrdiff_t>(row * model_.obsWords(leaf));
                    ignored_.insert(ignored_.end(), from,
                                    from + static_cast<std::ptrdiff_t>(model_.obsWords(leaf)));
                }
            return ignored_;
        case Field::mask:
            if (!batch.mask.empty()) return batch.mask;
            // The profile has a mask but the environment does not, so all actions are allowed.
            ignored_.assign(static_cast<std::size_t>(batch.rows) * static_cast<std::size_t>(binding.dims[0]),
                            1.0f);
            return ignored_;
        case Field::previous_action: return batch.previous_action;
        case Field::previous_reward: return batch.previous_reward;
        case Field::state: return batch.state;
        case Field::ignored: break;
    }
    ignored_.assign(static_cast<std::size_t>(batch.rows), 0.0f);
    return ignored_;
}

namespace {

using OutputsByName = std::map<std::string, const std::vector<float>*>;

// Copies the parts of each row, leaf by leaf, into the columns of the distribution.
void copyDistribution(const std::vector<ActionLeaf>& actions, int rows, const OutputsByName& outputs,
                      float* to) {
    const auto part = [&](const char* name) {
        return outputs.contains(name) ? outputs.at(name)->data() : nullptr;
    };
    const float* logits = part("logits");
    const float* mean = part("mean");
    const float* log_std = part("log_std");
    for (int row = 0; row < rows; ++row) {
        for (const ActionLeaf& leaf : actions) {
            const bool choice = leaf.kind == ActionLeaf::Kind::discrete;
            const int words = choice ? leaf.n : leaf.words();
            const float*& from = choice ? logits : mean;
            to = std::copy_n(from, words, to);
            from += words;
            if (!choice) {
                to = std::copy_n(log_std, words, to);
                log_std += words;
            }
        }
    }
}

}  // namespace

Result<> GraphExecutor::run(const ModelBatch& batch, ModelResult& result) {
    resizeResult(model_, batch.rows, result);
    inputs_.resize(graph_.inputs.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        inputs_[i] = fieldOf(graph_.inputs[i], batch);
        if (const float scale = graph_.inputs[i].scale; scale != 1.0f)
            for (float& x : inputs_[i]) x *= scale;
    }
    const auto names = outputs();
    outputs_.resize(names.size());
    SEEDBED_TRY(runGraph(batch.rows, inputs_, outputs_));
    OutputsByName by_name;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (outputs_[i].size() !=
            static_cast<std::size_t>(batch.rows) * static_cast<std::size_t>(names[i].second))
            return fail("output '" + names[i].first + "' has an unexpected size");
        by_name[names[i].first] = &outputs_[i];
    }

    result.action = *by_name.at("action");
    if (graph_.has_value) result.value = *by_name.at("value");
    else result.value.clear();
    if (!graph_.state_out.empty()) result.state = *by_name.at(graph_.state_out);
    if (model_.wants_previous_action) result.feedback = *by_name.at("previous_action_out");
    copyDistribution(model_.spaces().actions, batch.rows, by_name, result.policy.data());
    for (const onnx::OutputBinding& binding : graph_.profile_outputs)
        if (*by_name.at(binding.name) != repeated(binding.field, result))
            return fail(ErrorCode::parity,
                        "output '" + binding.name + "' does not match the outputs of profile plain");
    return {};
}

// The exact expected values of a profile's output, computed from the plain outputs, which are compared with
// the network separately.
std::vector<float> GraphExecutor::repeated(onnx::OutputBinding::Field field,
                                           const ModelResult& result) const {
    using Field = onnx::OutputBinding::Field;
    std::vector<float> values;
    const float *policy = result.policy.data(), *action = result.action.data();
    for (std::size_t row = 0; row * static_cast<std::size_t>(model_.policy_words) < result.policy.size();
         ++row) {
        for (const ActionLeaf& leaf : model_.spaces().actions) {
            const bool choice = leaf.kind == ActionLeaf::Kind::discrete;
            if (choice && field == Field::leaves) values.insert(values.end(), policy, policy + leaf.n);
            else if (field == Field::leaves || choice == (field == Field::choices))
                values.insert(values.end(), action, action + leaf.words());
            policy += choice ? leaf.n : 2 * leaf.words();
            action += leaf.words();
        }
    }
    return values;
}

}  // namespace seedbed
