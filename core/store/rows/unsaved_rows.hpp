// SPDX-License-Identifier: Apache-2.0
// Rows that a writer could not save yet, serialised so that a checkpoint can store them. Internal to
// core/store.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/rows/row_batch.hpp"

namespace seedbed {

// A complete batch. `number` counts the batches of a run; the database stores the newest one it contains.
struct NumberedBatch {
    std::int64_t number = 0;
    std::uint64_t calls = 0;  // calls of the writer up to this batch
    RowBatch rows;
};

// Ordered by batch number. Only rows of the same segment may be written to a database.
struct UnsavedRows {
    std::string uid;  // unique id of the run
    std::int64_t segment = 0;
    std::vector<std::string> names;  // names of curves, indexed by RowBatch::Point::name
    std::vector<std::shared_ptr<const NumberedBatch>> batches;
};

std::vector<std::uint8_t> encodeRows(const UnsavedRows& rows);
// Accepts any bytes. error: the bytes do not encode unsaved rows.
Result<UnsavedRows> decodeRows(std::span<const std::uint8_t> bytes);

}  // namespace seedbed
