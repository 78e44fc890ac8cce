// SPDX-License-Identifier: Apache-2.0
// Checks of what environments outside this process report, after it was copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/env/env.hpp"

namespace seedbed {

// Whether the flags (column_flag, [columns]) are possible after `commands` ([envs]). Returns "" or the
// problem.
std::string flagsProblem(std::span<const EnvCommand> commands, std::span<const std::uint8_t> flags,
                         std::size_t agents);
// Checks rewards, observations and masks of an environment in the arrays of an exchange: finite numbers
// within their spaces. Returns "" or the first problem.
std::string columnsProblem(const EnvSpec& spec, const Exchange& exchange, std::size_t env);

}  // namespace seedbed
