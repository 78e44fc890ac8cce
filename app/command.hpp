// SPDX-License-Identifier: Apache-2.0
// The command table. Each command registers itself with the macro at the end of this file. Results go to
// stdout; messages and progress go to stderr.
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
#include "core/base/os/paths.hpp"
#include "core/base/registry.hpp"

namespace seedbed::app {

// Exit codes that are not in ErrorCode.
inline constexpr int kOk = 0;
inline constexpr int kGoalNotReached = 6;
inline constexpr int kInterrupted = 130;

// The input of every command.
struct Context {
    std::filesystem::path data_folder;
    bool json = false;
    bool quiet = false;
    // From --a.b VALUE and --a.b=VALUE, in command-line order. Empty unless Command::takes_settings.
    std::vector<std::pair<std::string, std::string>> settings;
};

// Runs a command after its options are parsed. Returns the exit code.
using Action = std::function<Result<int>(const Context&)>;

struct Command {
    std::string id;  // "train", or two words: "env list"
    std::vector<std::string> aliases{};
    std::string summary;                  // one line
    std::vector<std::string> examples{};  // shown first in the help
    bool takes_settings = false;
    bool hidden = false;  // for scripts only; omitted from lists, help and completion
    // Adds options and positionals to `cli` and returns the action. The action owns the variables to which
    // the options write.
    std::function<Action(CLI::App& cli)> define;
};

Registry<Command>& commandRegistry();

// Options of every command.
struct CommonOptions {
    std::optional<std::string> data;
    bool json = false, quiet = false;
};

// Adds a command's descriptions, the common options and its own options and positionals to `cli`. Returns the
// command's action.
Action defineCommand(const Command& command, CLI::App& cli, CommonOptions& common);

// Rejects an empty value, for example from an unset shell variable.
CLI::Validator notEmpty();
// Rejects negative numbers, which would otherwise wrap around in unsigned options.
CLI::Validator notNegative();

// Returns the count with the singular or plural of a regular noun: "1 run", "2,000 runs".
std::string countText(std::int64_t count, const std::string& noun);

// Prints one JSON document on one line of stdout.
void printJson(const Json& json);
// Prints a table with aligned columns to stdout. The first row is the header; numbers are right-aligned.
void printTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace seedbed::app

#define SEEDBED_REGISTER_COMMAND(name, ...) \
    static const bool seedbed_command_##name = (::seedbed::app::commandRegistry().add(__VA_ARGS__), true)
