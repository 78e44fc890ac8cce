// SPDX-License-Identifier: Apache-2.0
// Players named on the command line, for matches and leagues.
#pragma once

#include <optional>
#include <string>

#include "app/command.hpp"
#include "core/policy/bundle_env.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed::app {

// A player as named on the command line.
struct Side {
    std::string name;
    std::optional<PolicyBundle> bundle;  // empty: scripted
};

// error: config, for an unknown scripted player or run, or a checkpoint that was removed.
Result<Side> openSide(const std::string& name, const Context& context);

// The environment of the match: `name` (--env), or that of the policies. A policy that was trained in it
// determines its settings.
Result<BundleEnv> chooseEnv(const std::string& name, const Side& a, const Side& b);

struct PlayerOptions {
    std::string engine = "auto", device = "cpu";
    Selection selection = Selection::greedy;
};
// error: config, if the player does not fit the environment.
Result<SeatPlayer> playerOf(const Side& side, const BundleEnv& env, const PlayerOptions& options);

}  // namespace seedbed::app
