// SPDX-License-Identifier: Apache-2.0
// Golden vectors: observations and the trained network's outputs, stored as golden.safetensors, with which
// any runtime can be checked.
#pragma once

#include <vector>

#include "core/base/os/files.hpp"
#include "core/export/executor.hpp"

namespace seedbed {

inline constexpr const char* kGoldenName = "golden.safetensors";
inline constexpr int kOrdinaryRows = 28, kExtremeRows = 12, kSequenceSteps = 20;

// `batch`: independent decisions, ordinary ones followed by extreme ones. `sequence`: the steps of one
// episode, each starting from the state after the previous one; rows = 0 unless the network is recurrent.
struct GoldenVectors {
    ModelBatch batch, sequence;
    ModelResult batch_result, sequence_result;
};

// Ordinary observations are from the environment, or random within bounds if this program lacks the
// environment. Deterministic. error: `trainer` or the environment failed.
Result<GoldenVectors> makeGolden(const PolicyModel& model, Executor& trainer);

Result<std::vector<std::uint8_t>> encodeGolden(const PolicyModel& model, const GoldenVectors& golden);
// error: the file is damaged or does not match the interface of `model`.
Result<GoldenVectors> decodeGolden(const PolicyModel& model, const std::vector<std::uint8_t>& bytes);

}  // namespace seedbed
