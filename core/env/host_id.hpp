// SPDX-License-Identifier: Apache-2.0
// The ids of environments that belong to a program which contains the trainer.
#pragma once

#include <string_view>

namespace seedbed {

// Whether `id` is host:NAME. A session steps such environments on its own thread, and reserves rows for a
// rollout that begins before learning from the last one has ended. They cannot be evaluated separately.
inline bool isOfHost(std::string_view id) { return id.starts_with("host:"); }

}  // namespace seedbed
