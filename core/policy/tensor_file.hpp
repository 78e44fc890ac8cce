// SPDX-License-Identifier: Apache-2.0
// Named float arrays as a file in safetensors layout: header length (u64), JSON header, raw little-endian
// numbers. Checkpoints, export and import use this one strict reader and writer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"

namespace seedbed {

// Where numbers come from; the memory is the caller's.
struct TensorView {
    std::string name;
    std::vector<std::int64_t> shape;
    std::span<const float> values;
};

// An array of a file: F32, little-endian.
struct TensorInfo {
    std::string name;
    std::vector<std::int64_t> shape;
    std::uint64_t count = 0;  // of floats
};

struct TensorHeader {
    std::vector<TensorInfo> tensors;              // in the order of their data
    std::map<std::string, std::string> metadata;  // "__metadata__"
};

using ByteSink = std::function<Result<>(std::span<const std::byte>)>;
// Fills all of the span, or fails.
using ByteSource = std::function<Result<>(std::span<std::byte>)>;

// The file's bytes in order, without a copy of the numbers.
Result<> writeTensors(std::span<const TensorView> tensors, const std::map<std::string, std::string>& metadata,
                      const ByteSink& sink);

// Reads the header of a file of `file_bytes` bytes. Refused: anything but F32, duplicate names, holes,
// overlaps, sizes that do not fit the file, headers of more than 1 MiB. `what` names the file in errors.
Result<TensorHeader> readTensorHeader(std::uint64_t file_bytes, const ByteSource& source,
                                      std::string_view what);
// The same from text; for import and tests.
Result<TensorHeader> parseTensorHeader(std::string_view header, std::uint64_t data_bytes,
                                       std::string_view what);

}  // namespace seedbed
