// SPDX-License-Identifier: Apache-2.0
// The version that --version, databases and checkpoints carry.
#pragma once

namespace seedbed {

inline constexpr const char* kVersion = SEEDBED_VERSION;

}  // namespace seedbed
