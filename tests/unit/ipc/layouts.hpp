// SPDX-License-Identifier: Apache-2.0
// Memory layouts that both processes of the tests share.
#pragma once

#include "core/ipc/shared_segment.hpp"

namespace seedbed::testing {

constexpr SegmentKind kTestKind{segmentKind("test"), 3, {1, 2, 3}};
constexpr std::uint32_t kRounds = 2000;

}  // namespace seedbed::testing
