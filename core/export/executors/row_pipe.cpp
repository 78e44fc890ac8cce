// SPDX-License-Identifier: Apache-2.0
#include "core/export/executors/row_pipe.hpp"

#include <algorithm>

namespace seedbed {

Result<> RowPipe::ask(const ModelBatch& batch, bool own_memory, ModelResult& result) {
    resizeResult(model_, batch.rows, result);
    if (!with_value_) result.value.clear();
    std::vector<const std::vector<float>*> in;
    for (const auto& leaf : batch.obs) in.push_back(&leaf);
    for (const auto* field : {&batch.mask, &batch.previous_action, &batch.previous_reward, &batch.state})
        if (!field->empty()) in.push_back(field);
    std::vector<std::vector<float>*> fields{&result.policy, &result.value, &result.action, &result.state,
                                            &result.feedback};
    std::size_t total = 0;
    for (const auto* field : fields) total += field->size();
    answer_.resize(total);
    SEEDBED_TRY(pipe_.exchange(own_memory ? -batch.rows : batch.rows, in, {&answer_}));
    const auto rows = static_cast<std::size_t>(batch.rows);
    const float* from = answer_.data();
    for (std::size_t row = 0; row < rows; ++row) {
        for (auto* field : fields) {
            const std::size_t words = field->size() / rows;
            std::copy_n(from, words, field->data() + row * words);
            from += words;
        }
    }
    return {};
}

}  // namespace seedbed
