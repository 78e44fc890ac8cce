// SPDX-License-Identifier: Apache-2.0
// Strict reader and writer of safetensors files with float arrays: header length (u64), JSON header, raw
// little-endian numbers. Used by checkpoints, export and import.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"

namespace seedbed {

// An array to write; the caller owns the memory.
struct TensorView {
    std::string name;
    std::vector<std::int64_t> shape;
    std::span<const float> values;
};

// An array in a file: F32, little-endian.
struct TensorInfo {
    std::string name;
    std::vector<std::int64_t> shape;
    std::uint64_t count = 0;  // number of floats
};

struct TensorHeader {
    std::vector<TensorInfo> tensors;              // in the order of their data
    std::map<std::string, std::string> metadata;  // "__metadata__"
};

using ByteSink = std::function<Result<>(std::span<const std::byte>)>;
// Fills the whole span, or fails.
using ByteSource = std::function<Result<>(std::span<std::byte>)>;

// Passes the bytes of the file to `sink` in order, without copying the numbers.
Result<> writeTensors(std::span<const TensorView> tensors, const std::map<std::string, std::string>& metadata,
                      const ByteSink& sink);

// Reads the header of a file of `file_bytes` bytes. `what` names the file in errors. error: types other than
// F32, duplicate names, gaps, overlaps, sizes that do not match the file, headers over 1 MiB.
Result<TensorHeader> readTensorHeader(std::uint64_t file_bytes, const ByteSource& source,
                                      std::string_view what);
// As above, from text; for import.
Result<TensorHeader> parseTensorHeader(std::string_view header, std::uint64_t data_bytes,
                                       std::string_view what);

}  // namespace seedbed
