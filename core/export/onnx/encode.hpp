// SPDX-License-Identifier: Apache-2.0
// Writes ONNX files.
#pragma once

#include <cstdint>
#include <vector>

#include "core/export/onnx/model.hpp"

namespace seedbed::onnx {

// The bytes of a model file; equal models have equal bytes.
std::vector<std::uint8_t> encode(const Model& model);

}  // namespace seedbed::onnx
