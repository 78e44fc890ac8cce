// SPDX-License-Identifier: Apache-2.0
// Options of the commands that play or export a trained policy.
#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "core/session/session.hpp"

namespace seedbed::app {

// Name of the positional that accepts a run, a checkpoint, an imported policy or a folder.
inline constexpr const char* kPolicyArgument = "RUN|CHECKPOINT";

// Adds the required positional kPolicyArgument.
CLI::Option* addPolicyArgument(CLI::App& cli, std::string& policy);
// Adds --greedy, --sample and --seed.
void addActionOptions(CLI::App& cli, bool& greedy, bool& sample, std::uint64_t& seed);
void addEngineOption(CLI::App& cli, std::string& engine);
// Whether the policies of self_play.rivals exist and fit the network of `plan`.
Result<> checkRivals(const SessionPlan& plan, const Context& context);
void addDeviceOption(CLI::App& cli, std::string& device);

}  // namespace seedbed::app
