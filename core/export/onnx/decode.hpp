// SPDX-License-Identifier: Apache-2.0
// Reads ONNX files.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/error.hpp"
#include "core/export/onnx/model.hpp"

namespace seedbed::onnx {

// Reads the output of encode(). The bytes may be untrusted: sizes are checked, and unknown message fields
// that would change the meaning (external data, sparse tensors, functions, subgraphs, other types) are
// rejected. error: names the field.
Result<Model> decode(std::span<const std::uint8_t> bytes);

}  // namespace seedbed::onnx
