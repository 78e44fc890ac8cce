// SPDX-License-Identifier: Apache-2.0
// TFRecord: the framing of TensorBoard's event files. A record is its length (u64), a checksum of the length,
// the data, and a checksum of the data, all little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed::tensorboard {

// CRC-32C (Castagnoli), as in RFC 3720.
std::uint32_t crc32c(std::span<const std::uint8_t> bytes);

// Appends `data` as a record.
void appendRecord(std::vector<std::uint8_t>& to, std::span<const std::uint8_t> data);

// Largest record that is read. Records of scalars have tens of bytes; summaries with pictures may be large.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;

// Removes the next record from `bytes` and returns its data, which points into `bytes`. nullopt at the end,
// also if the last record is incomplete, since its writer may still be running. error: a checksum is wrong,
// or a record is longer than kMaxRecordBytes.
Result<std::optional<std::span<const std::uint8_t>>> takeRecord(std::span<const std::uint8_t>& bytes);

}  // namespace seedbed::tensorboard
