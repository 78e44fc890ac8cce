// SPDX-License-Identifier: Apache-2.0
// The rows of a player session that can be shown again, and the moments at which games can branch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/play/stage.hpp"

namespace seedbed {

struct StoredRow {
    std::uint64_t row = 0;
    std::vector<std::byte> cells{};  // encodeCells()
    int cell_count = 0;
    std::uint64_t weights_version = 0;  // version of the weights that chose this row's actions
    std::int64_t weights_steps = 0;
    Stage::Moment moment{};               // empty: not stored
    std::vector<std::uint8_t> masks{};    // Stage::masks()
    std::vector<std::byte> inspection{};  // encodeInspection(); empty: not inspected
    int inspected_cell = 0, inspected_agent = 0;

    std::size_t bytes() const;
};

// Thread: one at a time.
class PlayerHistory {
public:
    explicit PlayerHistory(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    void clear();
    // Adds the newest row and shows it. Drops the oldest rows if there are too many bytes.
    void add(StoredRow row);
    // Drops the row shown and those after it; add() must follow.
    void dropShownAndLater();
    // The cell is no longer in any row; later cells move up. `envs`: those of the player. error: none
    // expected.
    Result<> removeCell(int cell, int envs);
    void setInspection(std::vector<std::byte> inspection, int cell, int agent);

    bool isEmpty() const { return rows_.empty(); }
    const StoredRow& shown() const { return rows_[cursor_]; }
    const StoredRow& newest() const { return rows_.back(); }
    const StoredRow& oldest() const { return rows_.front(); }
    bool showsNewest() const { return cursor_ + 1 >= rows_.size(); }
    // Moves the cursor by at most `count` rows, within the stored ones.
    void move(std::int64_t count);
    void showNewest() { cursor_ = rows_.size() - 1; }
    // Shows the first stored row from `row` on. Returns false if all stored rows are earlier.
    bool show(std::uint64_t row);
    // The stored rows from `from` to `to`, oldest first.
    std::vector<const StoredRow*> between(std::uint64_t from, std::uint64_t to) const;

private:
    const std::size_t max_bytes_;
    std::deque<StoredRow> rows_;
    std::size_t bytes_ = 0, cursor_ = 0;
};

}  // namespace seedbed
