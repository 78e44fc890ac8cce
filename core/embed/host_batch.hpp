// SPDX-License-Identifier: Apache-2.0
// The batches that step the environments of a host program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/embed/host_env.hpp"

namespace seedbed {

// Calls the host's callbacks and checks what they write.
std::unique_ptr<LocalBatch> callbackBatch(std::shared_ptr<HostEnv> env);
// Waits for HostEnv::report() in each step.
std::unique_ptr<EnvBatch> reportedBatch(std::shared_ptr<HostEnv> env, EnvSpec spec);

// Why a mask is not allowed: a value other than 0 and 1, or no allowed choice; "" if it is.
std::string maskProblem(const Spaces& spaces, const std::uint8_t* mask);

}  // namespace seedbed
