// SPDX-License-Identifier: Apache-2.0
// seedbed: the command-line program. Finds the command, parses its options, runs it and maps errors to exit
// codes.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "app/command_help.hpp"
#include "app/commit.hpp"
#include "app/terminal.hpp"
#include "core/base/describe.hpp"
#include "core/base/log.hpp"
#include "core/base/os/memory.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/env/env_registry.hpp"
#include "core/session/settings.hpp"
#include "core/worker/worker_command.hpp"

namespace seedbed::app {
namespace {

struct Split {
    std::vector<std::string> arguments;                         // arguments that are not settings
    std::vector<std::pair<std::string, std::string>> settings;  // settings, given as --a.b VALUE
    std::set<std::string> before_settings;                      // words directly before a setting
};

// Whether a word can be the name of an option: "--name", but neither "--", "-1" nor text with spaces.
bool looksLikeOption(const std::string& word) {
    return word.size() > 2 && word.starts_with("--") && word.find(' ') == std::string::npos;
}

tl::unexpected<Error> needsValue(const std::string& option, const std::string& next) {
    return fail(ErrorCode::usage, "'" + option + "' needs a value, but '" + next +
                                      "' follows; if that is the value, write " + option + "=" + next);
}

// Extracts --a.b VALUE and --a.b=VALUE, which may be anywhere before a --.
Result<Split> splitSettings(int argc, char** argv) {
    Split split;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--") {
            split.arguments.insert(split.arguments.end(), argv + i, argv + argc);
            break;
        }
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        // Text with spaces is the value of an option, such as --options.
        if (!name.starts_with("--") || name.find('.') == std::string::npos ||
            name.find(' ') != std::string::npos) {
            split.arguments.push_back(argument);
            continue;
        }
        if (i > 1 && !split.arguments.empty() && split.arguments.back() == argv[i - 1])
            split.before_settings.insert(argv[i - 1]);
        if (equals != std::string::npos) {
            split.settings.emplace_back(name.substr(2), argument.substr(equals + 1));
        } else if (i + 1 < argc && looksLikeOption(argv[i + 1])) {
            return needsValue(name, argv[i + 1]);
        } else if (i + 1 < argc) {
            split.settings.emplace_back(name.substr(2), argv[++i]);
        } else {
            return fail(ErrorCode::usage, "setting '" + name + "' needs a value");
        }
    }
    return split;
}

void printOverview() {
    std::printf("Seedbed %s trains reinforcement-learning agents on this computer.\n\n", kVersion);
    std::printf(
        "Examples\n  seedbed train cartpole          train with the preset for CartPole\n"
        "  seedbed list                    list all runs\n"
        "  seedbed eval 1                  evaluate run 1 over 100 greedy episodes\n"
        "  seedbed env list                list all environments\n\nCommands\n");
    for (const Command* command : listedCommands())
        std::printf("  %-16s %s\n", command->id.c_str(), command->summary.c_str());
    std::printf(
        "\n'seedbed COMMAND --help' describes a command. Every command accepts --json, --data DIR and "
        "--quiet.\n"
        "Exit codes: %s.\n",
        exitCodeLine().c_str());
}

int report(const Error& error, bool json) {
    if (json) printJson({{"error", error.text()}, {"exit_code", exitCode(error.code)}});
    std::fprintf(stderr, "seedbed: %s\n", error.text().c_str());
    return exitCode(error.code);
}

// Returns the command named by the first one or two words, and the number of words.
std::pair<const Command*, std::size_t> findCommand(const std::vector<std::string>& arguments) {
    if (arguments.size() >= 2) {
        if (const Command* command = commandRegistry().find(arguments[0] + " " + arguments[1]))
            return {command, 2};
    }
    if (!arguments.empty()) {
        if (const Command* command = commandRegistry().find(arguments[0])) return {command, 1};
    }
    return {nullptr, 0};
}

Result<int> unknownCommand(const std::vector<std::string>& arguments) {
    const std::string& word = arguments.front();
    // For "env" alone or an unknown "env lst": lists the commands that begin with "env".
    std::vector<std::string> family;
    for (const std::string& id : commandRegistry().ids())
        if (id.starts_with(word + " ") && !commandRegistry().find(id)->hidden) family.push_back(id);
    if (!family.empty()) {
        if (arguments.size() == 1 || arguments[1] == "--help" || arguments[1] == "-h") {
            for (const std::string& id : family)
                std::printf("  %-16s %s\n", id.c_str(), commandRegistry().find(id)->summary.c_str());
            return kOk;
        }
        const std::string typed = word + " " + arguments[1];
        return fail(ErrorCode::usage, "unknown command '" + typed + "'" + suggestion(typed, family));
    }
    return fail(ErrorCode::usage, "unknown command '" + word + "'" +
                                      suggestion(word, commandRegistry().ids()) +
                                      "; 'seedbed --help' lists all commands");
}

// Moves common options that precede the command, as in 'seedbed --json list', after it.
void moveLeadingOptions(std::vector<std::string>& arguments) {
    std::vector<std::string> leading;
    std::size_t count = 0;
    while (count < arguments.size()) {
        const std::string& word = arguments[count];
        if (word == "--data" && count + 1 < arguments.size()) leading.push_back(arguments[count++]);
        else if (word != "--json" && word != "--quiet" && !word.starts_with("--data=")) break;
        leading.push_back(arguments[count++]);
    }
    if (count == arguments.size()) return;
    arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(count));
    // Inserts them before "--", since everything after it is an argument.
    arguments.insert(std::find(arguments.begin(), arguments.end(), "--"), leading.begin(), leading.end());
}

// Returns "; did you mean '--algo.learning_rate'?" for the last part of a setting's name or a common short
// form. only_live: the command changes settings of an existing run.
std::string settingHint(const std::string& option, bool only_live) {
    static const std::map<std::string, std::string> kShort{
        {"lr", "learning_rate"},      {"n_envs", "num_envs"},        {"envs", "num_envs"},
        {"timesteps", "steps"},       {"total_timesteps", "steps"},  {"entropy", "entropy_cost"},
        {"ent_coef", "entropy_cost"}, {"batch_size", "minibatches"}, {"n_steps", "rollout_length"},
        {"clip_range", "clip"},       {"gae_lambda", "lambda"}};
    std::string name = option.substr(option.find_first_not_of('-'));
    std::replace(name.begin(), name.end(), '-', '_');
    if (const auto known = kShort.find(name); known != kShort.end()) name = known->second;
    const ConfigSchema& schema = runConfigSchema();
    const auto document = schema.complete({{"env", {{"id", envRegistry().ids().front()}}}});
    if (!document) return "";
    std::string found;
    bool live = false;
    schema.visit(*document, [&](const std::string& key, const FieldInfo& field) {
        if (!found.empty() || !key.ends_with("." + name) || key.starts_with("env.")) return;
        found = key;
        live = field.live;
    });
    if (found.empty()) return "";
    return only_live && !live ? "; " + found + " of a run cannot change"
                              : "; did you mean '--" + found + "'?";
}

// Reports the first unexpected option or argument.
Result<int> unexpectedArgument(const Command& command, const CLI::App& cli) {
    const std::string help = "; 'seedbed " + command.id + " --help' lists the options";
    std::vector<std::string> options;
    for (const CLI::Option* option : cli.get_options([](const CLI::Option*) { return true; }))
        for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    const std::vector<std::string> rest = cli.remaining();
    for (const std::string& word : rest)
        if (word.size() > 1 && word.starts_with("-")) {
            const std::string name = word.substr(0, word.find('='));
            const std::string setting = command.takes_settings
                                            ? settingHint(name, command.id == "resume" || command.id == "set")
                                            : "";
            return fail(ErrorCode::usage, "'seedbed " + command.id + "' has no option '" + name + "'" +
                                              (setting.empty() ? suggestion(name, options) : setting) + help);
        }
    return fail(ErrorCode::usage,
                "unexpected argument '" + (rest.empty() ? std::string() : rest.front()) + "'" + help);
}

// Reports an option without its value that would take the option after it as the value.
Result<> checkValues(const CLI::App& cli, const std::vector<std::string>& arguments,
                     const std::set<std::string>& before_settings) {
    for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
        const CLI::Option* const option =
            looksLikeOption(arguments[i]) ? cli.get_option_no_throw(arguments[i]) : nullptr;
        if (option == nullptr || option->get_items_expected_min() == 0) continue;
        if (before_settings.contains(arguments[i]))
            return fail(ErrorCode::usage, "'" + arguments[i] + "' needs a value, but a setting follows");
        if (++i == arguments.size()) break;  // CLI11 reports it
        const std::string name = arguments[i].substr(0, arguments[i].find('='));
        if (looksLikeOption(name) && cli.get_option_no_throw(name) != nullptr)
            return needsValue(arguments[i - 1], arguments[i]);
    }
    return {};
}

Result<int> runCommand(const Command& command, std::vector<std::string> arguments,
                       const std::set<std::string>& before_settings, Context context) {
    CLI::App cli(command.summary, "seedbed " + command.id);
    CommonOptions common;
    const Action action = defineCommand(command, cli, common);
    if (!context.settings.empty() && !command.takes_settings)
        return fail(ErrorCode::usage, "'seedbed " + command.id + "' does not accept settings such as '--" +
                                          context.settings.front().first + "'");
    SEEDBED_TRY(checkValues(cli, arguments, before_settings));
    try {
        std::reverse(arguments.begin(), arguments.end());  // CLI11 expects the words in reverse order
        cli.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        std::printf("%s", helpText(cli).c_str());
        return kOk;
    } catch (const CLI::ExtrasError&) {
        return unexpectedArgument(command, cli);
    } catch (const CLI::ParseError& error) {
        return fail(ErrorCode::usage,
                    std::string(error.what()) + "; 'seedbed " + command.id + " --help' lists the options");
    }
    context.json = common.json;
    context.quiet = common.quiet;
    log::configure({.level = context.quiet ? std::optional(log::Level::error) : std::nullopt, .json = false});
    SEEDBED_ASSIGN(const UserFolders folders, userFolders(common.data));
    SEEDBED_TRY(checkDataFolder(folders.data));
    context.data_folder = folders.data;
    usePacksOf(folders.data);
    return action(context);
}

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // so that a closed pipe is a write error and does not kill a training run
    bool json = false;
    for (int i = 1; i < argc; ++i) json |= std::strcmp(argv[i], "--json") == 0;
    auto split = splitSettings(argc, argv);
    if (!split) return report(split.error(), json);
    std::vector<std::string>& arguments = split->arguments;
    moveLeadingOptions(arguments);
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
        printOverview();
        return kOk;
    }
    if (arguments[0] == "--version") {
        std::printf("seedbed %s (commit %s)\n", kVersion, kCommit);
        return kOk;
    }
    const auto [command, words] = findCommand(arguments);
    Result<int> result =
        command == nullptr
            ? unknownCommand(arguments)
            : runCommand(*command, {arguments.begin() + static_cast<std::ptrdiff_t>(words), arguments.end()},
                         split->before_settings,
                         Context{.data_folder = {},
                                 .json = false,
                                 .quiet = false,
                                 .settings = std::move(split->settings)});
    // A full disk behind stdout is detected only here. A reader that closed the pipe (| head) is not
    // reported.
    if (result && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && errno != EPIPE)
        result = fail(std::string("cannot write the results: ") + std::strerror(errno));
    return result ? *result : report(result.error(), json);
}

}  // namespace
}  // namespace seedbed::app

int main(int argc, char** argv) {
    seedbed::app::filterStandardStreams();
    seedbed::returnLargeBlocks();
    seedbed::prepareUnwinding();
    // Last resort for exceptions thrown by libraries, mainly std::bad_alloc.
    try {
        return seedbed::app::main(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "seedbed: out of memory\n");
        return seedbed::exitCode(seedbed::ErrorCode::out_of_memory);
    } catch (const std::exception&) {
        const seedbed::Error error = seedbed::currentException();
        std::fprintf(stderr, "seedbed: %s\n", error.text().c_str());
        return seedbed::exitCode(error.code);
    }
}
