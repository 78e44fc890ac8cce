// SPDX-License-Identifier: Apache-2.0
// The command table: one file per command, each registered by its last line. Results go to stdout, messages
// and progress to stderr.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/registry.hpp"

namespace seedbed::app {

// Exit codes that are no errors.
inline constexpr int kOk = 0;
inline constexpr int kGoalNotReached = 6;
inline constexpr int kInterrupted = 130;

// What every command is given.
struct Context {
    std::filesystem::path data_folder;
    bool json = false;
    bool quiet = false;
    // --a.b VALUE and --a.b=VALUE, in the order given; commands that take none reject them.
    std::vector<std::pair<std::string, std::string>> settings;
};

// Prepared by Command::define, run after parsing.
using Action = std::function<Result<int>(const Context&)>;

struct Command {
    std::string id;  // "train", or two words: "env list"
    std::vector<std::string> aliases{};
    std::string summary;                  // one line
    std::vector<std::string> examples{};  // shown first in the help
    bool takes_settings = false;
    bool hidden = false;  // not for people: left out of lists
    // Adds options and positionals to `cli` and returns what to do; options are bound to state that the
    // action owns.
    std::function<Action(CLI::App& cli)> define;
};

Registry<Command>& commandRegistry();

// Options that every command takes.
struct CommonOptions {
    std::optional<std::string> data;
    bool json = false, quiet = false;
};

// Everything of a command but its action's run: texts, common options, its own options and positionals. The
// returned action is what Command::define returned.
Action defineCommand(const Command& command, CLI::App& cli, CommonOptions& common);

// Refuses "", which is what an unset shell variable becomes.
CLI::Validator notEmpty();

// One JSON document on one line of stdout.
void printJson(const Json& json);
// A table with aligned columns on stdout; the first row is the header. Numbers are right-aligned.
void printTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace seedbed::app

#define SEEDBED_REGISTER_COMMAND(name, ...) \
    static const bool seedbed_command_##name = (::seedbed::app::commandRegistry().add(__VA_ARGS__), true)
