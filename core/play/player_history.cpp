// SPDX-License-Identifier: Apache-2.0
#include "core/play/player_history.hpp"

#include <algorithm>

namespace seedbed {

std::size_t StoredRow::bytes() const {
    std::size_t sum = sizeof(StoredRow) + cells.size() + inspection.size() + masks.size();
    for (const std::vector<std::uint8_t>& state : moment) sum += state.size();
    return sum;
}

void PlayerHistory::clear() {
    rows_.clear();
    bytes_ = 0;
    cursor_ = 0;
}

void PlayerHistory::add(StoredRow row) {
    bytes_ += row.bytes();
    rows_.push_back(std::move(row));
    cursor_ = rows_.size() - 1;
    while (rows_.size() > 1 && bytes_ > max_bytes_) {
        bytes_ -= rows_.front().bytes();
        rows_.pop_front();
        --cursor_;
    }
}

void PlayerHistory::dropShownAndLater() {
    while (rows_.size() > cursor_) {
        bytes_ -= rows_.back().bytes();
        rows_.pop_back();
    }
    cursor_ = 0;
}

Result<> PlayerHistory::removeCell(int cell, int envs) {
    for (StoredRow& row : rows_) {
        if (cell >= row.cell_count) continue;
        bytes_ -= row.bytes();
        SEEDBED_ASSIGN(std::vector<PlayerCell> cells, decodeCells(row.cells));
        cells.erase(cells.begin() + cell);
        row.cells = encodeCells(cells);
        if (!row.moment.empty()) row.moment.erase(row.moment.begin() + (cell - envs + 1));
        const auto bytes = static_cast<std::ptrdiff_t>(row.masks.size()) / row.cell_count;
        row.masks.erase(row.masks.begin() + cell * bytes, row.masks.begin() + (cell + 1) * bytes);
        --row.cell_count;
        if (row.inspected_cell >= cell) row.inspection.clear();  // its cell is encoded
        bytes_ += row.bytes();
    }
    return {};
}

void PlayerHistory::setInspection(std::vector<std::byte> inspection, int cell, int agent) {
    StoredRow& row = rows_[cursor_];
    bytes_ -= row.inspection.size();
    bytes_ += inspection.size();
    row.inspection = std::move(inspection);
    row.inspected_cell = cell;
    row.inspected_agent = agent;
}

void PlayerHistory::move(std::int64_t count) {
    const auto last = static_cast<std::int64_t>(rows_.size()) - 1;
    cursor_ = static_cast<std::size_t>(
        std::clamp(static_cast<std::int64_t>(cursor_) + count, std::int64_t{0}, last));
}

bool PlayerHistory::show(std::uint64_t row) {
    const auto at = std::find_if(rows_.begin(), rows_.end(),
                                 [row](const StoredRow& stored) { return stored.row >= row; });
    if (at == rows_.end()) return false;
    cursor_ = static_cast<std::size_t>(at - rows_.begin());
    return true;
}

std::vector<const StoredRow*> PlayerHistory::between(std::uint64_t from, std::uint64_t to) const {
    std::vector<const StoredRow*> found;
    for (const StoredRow& row : rows_)
        if (row.row >= from && row.row <= to) found.push_back(&row);
    return found;
}

}  // namespace seedbed
