// SPDX-License-Identifier: Apache-2.0
// seedbed completion: what a shell needs to complete commands, options, settings, environments and runs; seedbed man: the manual page.
// The shells ask the program itself (seedbed complete WORD...), so that runs and settings are those of now.
#include <algorithm>
#include <cstdio>
#include <set>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "core/algo/algorithm.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/env/env_registry.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

constexpr const char* kBash = R"sh(# bash completion for seedbed: source <(seedbed completion bash)
_seedbed() {
    local IFS=$'\n'
    COMPREPLY=($(seedbed complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _seedbed seedbed
)sh";

constexpr const char* kZsh = R"sh(#compdef seedbed
# zsh completion for seedbed: source <(seedbed completion zsh)
_seedbed() {
    local -a candidates
    candidates=(${(f)" $(seedbed complete-- "${(@)words[2,$CURRENT]}" 2 > / dev / null) "})
    if ((${#candidates}));
then compadd-- $candidates;
else _files; fi
}
compdef _seedbed seedbed
)sh";

constexpr const char* kFish = R"sh(# fish completion for seedbed: seedbed completion fish | source
function __seedbed_complete
    set -l words (commandline -opc) (commandline -ct)
    seedbed complete -- $words[2..-1] 2>/dev/null
end
complete -c seedbed -f -a '(__seedbed_complete)'
)sh";

// Ids and names of the runs there are; none without a database.
std::vector<std::string> runNames(const Context& context) {
    std::vector<std::string> names;
    auto reader = StoreReader::open(context.data_folder);
    if (!reader) return names;
    const auto runs = reader->runs();
    if (!runs) return names;
    for (const RunRecord& run : *runs) {
        if (run.in_bin) continue;
        names.push_back(std::to_string(run.id));
        if (!run.name.empty()) names.push_back(run.name);
    }
    return names;
}

// What may stand where an option or positional takes a value of this name.
std::vector<std::string> valuesNamed(const std::string& name, const Context& context) {
    if (name == "ENV") return envRegistry().ids();
    if (name.starts_with("RUN") || name == "--baseline" || name == "--init-from") return runNames(context);
    if (name == "--algo") return algorithmRegistry().ids();
    if (name == "--preset") {
        std::vector<std::string> names{"none"};
        if (const auto library = presetLibrary())
            for (const Preset* preset : library->all()) names.push_back(preset->name);
        return names;
    }
    if (name == "SHELL") return {"bash", "fish", "zsh"};
    return {};
}

// Settings that begin with what was typed, as options.
void addSettings(std::vector<std::string>& candidates) {
    ConfigurationRequest request;
    request.env = "cartpole", request.needs_goal = false;
    const auto configuration = makeConfiguration(request);
    if (!configuration) return;
    runConfigSchema().visit(configuration->config.document,
                            [&](const std::string& key, const FieldInfo&) { candidates.push_back("--" + key); });
}

// The commands, or second words of commands, that may stand here.
std::vector<std::string> commandWords(const std::vector<std::string>& before) {
    std::set<std::string> words;
    for (const std::string& id : commandRegistry().ids()) {
        if (commandRegistry().find(id)->hidden) continue;
        const std::size_t space = id.find(' ');
        if (before.empty()) words.insert(id.substr(0, space));
        else if (space != std::string::npos && id.substr(0, space) == before.front()) words.insert(id.substr(space + 1));
    }
    return {words.begin(), words.end()};
}

std::vector<std::string> candidatesFor(const std::vector<std::string>& words, const Context& context) {
    const std::vector<std::string> before(words.begin(), words.end() - 1);
    const Command* command = nullptr;
    std::size_t used = 0;
    if (before.size() >= 2) command = commandRegistry().find(before[0] + " " + before[1]), used = 2;
    if (command == nullptr && !before.empty()) command = commandRegistry().find(before[0]), used = 1;
    if (command == nullptr) return before.size() <= 1 ? commandWords(before) : std::vector<std::string>{};

    CLI::App cli;
    CommonOptions common;
    defineCommand(*command, cli, common);
    const std::vector<CLI::Option*> options = cli.get_options([](const CLI::Option*) { return true; });
    if (words.back().starts_with("-")) {
        std::vector<std::string> names;
        for (const CLI::Option* option : options)
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        if (command->takes_settings) addSettings(names);
        return names;
    }
    // The value of an option, or the next positional.
    std::size_t positional = 0;
    const CLI::Option* open = nullptr;
    for (std::size_t i = used; i < before.size(); ++i) {
        const CLI::Option* option = before[i].starts_with("--") ? cli.get_option_no_throw(before[i]) : nullptr;
        const bool takes_value = option != nullptr ? option->get_items_expected() > 0 : before[i].starts_with("--");
        if (!takes_value) positional += before[i].starts_with("-") ? 0 : 1;
        else if (i + 1 < before.size()) ++i;
        else if (open = option; open == nullptr) return {};
    }
    if (open != nullptr) return valuesNamed(open->get_name(), context);
    std::vector<const CLI::Option*> positionals;
    for (const CLI::Option* option : options)
        if (option->get_positional()) positionals.push_back(option);
    if (positionals.empty()) return {};
    return valuesNamed(positionals[std::min(positional, positionals.size() - 1)]->get_name(true), context);
}

Result<int> complete(std::vector<std::string> words, const Context& context) {
    if (words.empty()) words.emplace_back();
    for (const std::string& candidate : candidatesFor(words, context))
        if (candidate.starts_with(words.back())) std::printf("%s\n", candidate.c_str());
    return kOk;
}

Result<int> completion(const std::string& shell) {
    std::fputs(shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish, stdout);
    return kOk;
}

// Text for roff: backslashes and leading dots would be commands.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += std::string("\\&") + c;
        else out += c;
    }
    return out;
}

Result<int> manual() {
    std::printf(
        ".TH SEEDBED 1 \"\" \"Seedbed %s\" \"User Commands\"\n.SH NAME\nseedbed \\- train reinforcement\\-learning agents on this "
        "computer\n",
        kVersion);
    std::printf(
        ".SH SYNOPSIS\n.B seedbed\n.I COMMAND\n[\\fIARGUMENTS\\fR] [\\fB\\-\\-data\\fR \\fIDIR\\fR] [\\fB\\-\\-json\\fR] "
        "[\\fB\\-\\-quiet\\fR]\n");
    std::printf(".SH COMMANDS\n");
    for (const std::string& id : commandRegistry().ids()) {
        const Command& command = *commandRegistry().find(id);
        if (command.hidden) continue;
        CLI::App cli;
        CommonOptions common;
        defineCommand(command, cli, common);
        std::string usage = "seedbed " + id, described;
        for (const CLI::Option* option : cli.get_options([](const CLI::Option*) { return true; })) {
            const std::string name = option->get_name(true);
            if (option->get_positional()) usage += " " + (option->get_required() ? name : "[" + name + "]");
            const std::vector<std::string> long_names = option->get_lnames();
            if (!option->get_positional() && !long_names.empty() &&
                (long_names[0] == "data" || long_names[0] == "json" || long_names[0] == "quiet" || long_names[0] == "help"))
                continue;
            described += ".RS\n.TP\n.B " + roff(option->get_positional() ? name : option->get_name(false, true)) + "\n" +
                         roff(option->get_description()) + "\n.RE\n";
        }
        std::printf(".TP\n.B %s%s\n%s\n%s", roff(usage).c_str(), command.takes_settings ? " [\\-\\-SECTION.NAME VALUE]" : "",
                    roff(command.summary + ".").c_str(), described.c_str());
    }
    std::printf(
        ".SH EXIT STATUS\n0 ok, 1 failure, 2 usage, 3 bad configuration, 4 device unavailable, 5 out of memory, 6 goal not reached, 7 "
        "parity "
        "failed, 130 interrupted.\n"
        ".SH ENVIRONMENT\n.TP\n.B SEEDBED_DATA\nData folder, instead of the one in the XDG data folder.\n.TP\n.B SEEDBED_ISA\nHighest "
        "instruction set that kernels use: base, avx2 or avx512.\n"
        ".SH EXAMPLES\n.nf\nseedbed train cartpole\nseedbed list\nseedbed eval 1\n.fi\n");
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    completion, {.id = "completion",
                 .summary = "Completion of commands, settings, environments and runs for a shell",
                 .examples = {"source <(seedbed completion bash)", "seedbed completion fish | source"},
                 .define = [](CLI::App& cli) -> Action {
                     auto shell = std::make_shared<std::string>();
                     cli.add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
                     return [shell](const Context&) { return completion(*shell); };
                 }});

SEEDBED_REGISTER_COMMAND(complete, {.id = "complete",
                                    .summary = "What may stand where the last of the words does",
                                    .hidden = true,
                                    .define = [](CLI::App& cli) -> Action {
                                        auto words = std::make_shared<std::vector<std::string>>();
                                        cli.add_option("WORD", *words, "The words so far");
                                        return [words](const Context& context) { return complete(*words, context); };
                                    }});

SEEDBED_REGISTER_COMMAND(manual, {.id = "man",
                                  .summary = "The manual page, for man(1)",
                                  .examples = {"seedbed man | man -l -"},
                                  .define = [](CLI::App&) -> Action { return [](const Context&) { return manual(); }; }});

}  // namespace
}  // namespace seedbed::app
