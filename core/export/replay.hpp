// SPDX-License-Identifier: Apache-2.0
// One greedy episode as images: replay.gif and thumbnail.png.
#pragma once

#include <vector>

#include "core/export/target.hpp"

namespace seedbed {

inline constexpr const char* kReplayNames[] = {"replay.gif", "thumbnail.png"};

// Plays with the given seed; `trainer` runs the policy. error: this program does not have the environment, or
// encoding failed.
Result<std::vector<ExportFile>> makeReplay(const PolicyModel& model, Executor& trainer, std::uint64_t seed);

}  // namespace seedbed
