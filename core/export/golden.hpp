// SPDX-License-Identifier: Apache-2.0
// Golden vectors: observations with what the trained network answers, kept as golden.safetensors so that any
// runtime can be checked.
#pragma once

#include <vector>

#include "core/base/files.hpp"
#include "core/export/executor.hpp"

namespace seedbed {

inline constexpr const char* kGoldenName = "golden.safetensors";
inline constexpr int kOrdinaryRows = 28, kExtremeRows = 12, kSequenceSteps = 20;

// Rows in and out. `batch`: independent decisions, the ordinary ones first, then extremes. `sequence`: the
// steps of one episode, each with the state that the network made before; only for recurrent networks, else
// rows = 0.
struct GoldenVectors {
    ModelBatch batch, sequence;
    ModelResult batch_result, sequence_result;
};

// Ordinary observations come from the environment where this program has it, else at random within bounds.
// Deterministic. error: from `trainer` or the environment.
Result<GoldenVectors> makeGolden(const PolicyModel& model, Executor& trainer);

Result<std::vector<std::uint8_t>> encodeGolden(const PolicyModel& model, const GoldenVectors& golden);
// error: damaged, or of another interface than `model`.
Result<GoldenVectors> decodeGolden(const PolicyModel& model, const std::vector<std::uint8_t>& bytes);

}  // namespace seedbed
