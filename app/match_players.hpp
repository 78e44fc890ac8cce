// SPDX-License-Identifier: Apache-2.0
// Players named on the command line, for matches, leagues and games to watch.
#pragma once

#include <optional>
#include <string>

#include "app/command.hpp"
#include "core/policy/bundle_env.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed::app {

// The second player and the environment of a game that is watched.
struct RivalOptions {
    std::string against, env, env_of;
    int seat = 1;  // of the first player, from 1
};
// Adds the positional PLAYER and the options --against, --seat, --env and --env-of.
void addPlayerOptions(CLI::App& cli, std::string& player, RivalOptions& options);

// A player as named on the command line.
struct Side {
    std::string name;
    std::optional<PolicyBundle> bundle;  // empty: scripted
    std::string env{};                   // of the league, for a member of one
};

// How players are named, for the help of a command.
std::string playerForms();

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
Result<> checkFits(const Side& side, const BundleEnv& env);
// error: as for checkFits().
Result<SeatPlayer> playerOf(const Side& side, const BundleEnv& env, const PlayerOptions& options);

}  // namespace seedbed::app
