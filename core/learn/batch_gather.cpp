// SPDX-License-Identifier: Apache-2.0
// Copies window rows into a Batch, one time step after another, and rejects NaN and infinity.
#include "core/learn/batch_gather.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/finite.hpp"
#include "core/learn/size.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed {
namespace {

// Time steps per task; a task copies a few thousand elements.
int rowsPerTask(int columns) { return std::max(1, 2048 / std::max(1, columns)); }

void resize(Batch& batch) {
    const std::size_t rows = size(batch.rows());
    for (auto* field : {&batch.log_prob, &batch.value, &batch.reward, &batch.discount}) field->resize(rows);
    batch.action.resize(rows * size(batch.action_words));
    batch.policy.resize(rows * size(batch.policy_words));
    batch.mask.resize(rows * size(batch.mask_bytes));
    batch.valid.resize(rows);
    batch.first.resize(rows);
    batch.version.resize(rows);
    batch.last_value.assign(size(batch.columns), 0.0f);
    batch.last_first.resize(size(batch.columns));
    batch.last_mask.resize(size(batch.columns) * size(batch.mask_bytes));
    batch.advantage.clear();
    batch.target.clear();
}

// Copies one row of a window's columns.
template <class T>
void copyColumns(std::vector<T>& to, std::size_t row, const T* from, int column, int columns, int words = 1) {
    std::memcpy(to.data() + row * size(words), from + size(column) * size(words),
                size(columns) * size(words) * sizeof(T));
}

void clearRow(Batch& batch, std::size_t row) {
    const auto clear = [row](auto& field, int words, auto value) {
        std::fill_n(field.begin() + static_cast<std::ptrdiff_t>(row * size(words)), words, value);
    };
    clear(batch.action, batch.action_words, 0.0f);
    clear(batch.policy, batch.policy_words, 0.0f);
    clear(batch.mask, batch.mask_bytes, std::uint8_t{1});
    batch.log_prob[row] = batch.reward[row] = batch.discount[row] = 0;
}

}  // namespace

void BatchSource::assign(const std::vector<Ring*>& rings, const std::vector<Window>& windows,
                         std::uint64_t oldest_version) {
    SEEDBED_CHECK(!windows.empty(), "an update requires a window");
    rings_ = &rings;
    steps_ = windows[0].length;
    oldest_version_ = oldest_version;
    windows_.assign(windows.begin(), windows.end());
    start_.clear();
    relabels_.clear();
    for (const Window& window : windows_) {
        SEEDBED_CHECK(window.length == steps_ && window.length > 0 && window.columns > 0,
                      "the windows of an update have the same length");
        SEEDBED_CHECK(window.group >= 0 && size(window.group) < rings.size());
        SEEDBED_CHECK(window.column >= 0 &&
                      window.column + window.columns <= rings[size(window.group)]->columns());
        for (int column = 0; column < window.columns; ++column)
            start_.push_back({window.t0, window.column + column, window.group});
    }
}

void BatchSource::relabel(const std::vector<Relabel>& relabels, const GoalScore& score) {
    SEEDBED_CHECK(relabels.size() == start_.size(), "one goal per column");
    relabels_ = relabels;
    score_ = &score;
}

const float* BatchSource::leafOf(int leaf, const RowRef& element) const {
    Ring& ring = *(*rings_)[size(element.group)];
    return reinterpret_cast<const float*>(ring.obs(leaf, element.t)) +
           size(element.column) * ring.spec().spaces.obs[size(leaf)].elements();
}

void BatchSource::gatherLeaf(int leaf, const std::vector<RowRef>& refs,
                             const std::vector<std::uint32_t>& rows, std::size_t count,
                             std::uint8_t* out) const {
    gatherObs(*rings_, leaf, refs.data(), count, out);
    if (relabels_.empty() || leaf != score_->desired) return;
    const std::size_t bytes = ring(0).spec().spaces.obs[size(leaf)].bytes();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t column = rows[i] % start_.size();
        const Relabel& relabel = relabels_[column];
        if (refs[i].t >= relabel.end) continue;
        RowRef goal = start_[column];
        goal.t = relabel.goal;
        std::memcpy(out + i * bytes, leafOf(score_->achieved, goal), bytes);
    }
}

// Computes the rewards of time step t for replaced goals. The row after a decision belongs to the same
// episode.
void BatchSource::scoreGoals(Batch& batch, int t) const {
    const std::size_t elements = ring(0).spec().spaces.obs[size(score_->achieved)].elements();
    for (std::size_t column = 0; column < start_.size(); ++column) {
        const std::size_t row = size(t) * start_.size() + column;
        RowRef next = start_[column], goal = next;
        next.t += size(t) + 1;
        goal.t = relabels_[column].goal;
        if (batch.valid[row] == 0 || next.t >= relabels_[column].end) continue;
        batch.reward[row] = score_->reward({leafOf(score_->achieved, next), elements},
                                           {leafOf(score_->achieved, goal), elements});
    }
}

Result<> BatchSource::fill(Batch& batch, WorkerPool& pool) const {
    const RingSpec& spec = ring(0).spec();
    batch.steps = steps_;
    batch.columns = columns();
    batch.action_words = spec.spaces.actionWords();
    batch.policy_words = spec.policy_words;
    batch.mask_bytes = spec.spaces.maskBytes();
    resize(batch);

    const auto per_task = static_cast<std::size_t>(rowsPerTask(batch.columns)), steps = size(steps_);
    // A single captured reference fits into std::function without allocation.
    const struct {
        const BatchSource* source;
        Batch* batch;
        std::size_t per_task, steps;
    } work{this, &batch, per_task, steps};
    Result<> copied = pool.run((steps + per_task - 1) / per_task, [&work](std::size_t task, int) -> Result<> {
        const std::size_t end = std::min(work.steps, (task + 1) * work.per_task);
        for (std::size_t t = task * work.per_task; t < end; ++t)
            SEEDBED_TRY(work.source->fillRow(*work.batch, static_cast<int>(t)));
        return {};
    });
    if (!copied) return copied;

    std::size_t column = 0;
    for (const Window& window : windows_) {
        Ring& ring = *(*rings_)[size(window.group)];
        const std::uint64_t last = window.t0 + size(steps_);
        copyColumns(batch.last_first, column, ring.first(last), window.column, window.columns);
        if (batch.mask_bytes > 0)
            copyColumns(batch.last_mask, column, ring.mask(last), window.column, window.columns,
                        batch.mask_bytes);
        column += size(window.columns);
    }
    return {};
}

Result<> BatchSource::fillRow(Batch& batch, int t) const {
    const std::size_t begin = size(t) * size(batch.columns);
    std::size_t row = begin;
    for (const Window& window : windows_) {
        Ring& ring = *(*rings_)[size(window.group)];
        const std::uint64_t at = window.t0 + size(t);
        copyColumns(batch.action, row, ring.action(at), window.column, window.columns, batch.action_words);
        copyColumns(batch.policy, row, ring.policy(at), window.column, window.columns, batch.policy_words);
        if (batch.mask_bytes > 0)
            copyColumns(batch.mask, row, ring.mask(at), window.column, window.columns, batch.mask_bytes);
        copyColumns(batch.log_prob, row, ring.logProb(at), window.column, window.columns);
        copyColumns(batch.value, row, ring.value(at), window.column, window.columns);
        copyColumns(batch.reward, row, ring.reward(at), window.column, window.columns);
        copyColumns(batch.discount, row, ring.discount(at), window.column, window.columns);
        copyColumns(batch.valid, row, ring.valid(at), window.column, window.columns);
        copyColumns(batch.first, row, ring.first(at), window.column, window.columns);
        copyColumns(batch.version, row, ring.version(at), window.column, window.columns);
        const std::uint16_t* policy = ring.policyId(at) + window.column;
        for (std::size_t i = 0; i < size(window.columns); ++i)
            if (policy[i] != 0) batch.valid[row + i] = 0;
        row += size(window.columns);
    }
    for (std::size_t i = begin; i < row; ++i) {
        if (batch.version[i] < oldest_version_) batch.valid[i] = 0;
        if (batch.valid[i] == 0) clearRow(batch, i);
    }
    if (!relabels_.empty()) scoreGoals(batch, t);

    // Cleared rows keep their value, from which the previous row bootstraps, so it must also be finite.
    const auto check = [&](const std::vector<float>& field, int words, const char* name) -> Result<> {
        const std::size_t count = size(batch.columns) * size(words),
                          bad = firstNonFinite(field.data() + begin * size(words), count);
        if (bad == count) return {};
        const RowRef element = ref(static_cast<std::uint32_t>(begin + bad / size(words)));
        return failNonFinite("the " + std::string(name) + " in row " + std::to_string(element.t) +
                             ", column " + std::to_string(element.column) + " of group " +
                             std::to_string(element.group) + " is not a finite number");
    };
    SEEDBED_TRY(check(batch.reward, 1, "reward"));
    SEEDBED_TRY(check(batch.value, 1, "value estimate"));
    SEEDBED_TRY(check(batch.log_prob, 1, "log-probability"));
    SEEDBED_TRY(check(batch.action, batch.action_words, "action"));
    return check(batch.policy, batch.policy_words, "behaviour policy");
}

}  // namespace seedbed
