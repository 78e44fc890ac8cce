// SPDX-License-Identifier: Apache-2.0
// seedbed completion: shell scripts for completion. The scripts call 'seedbed complete WORD...', so that
// runs, settings and environments are up to date.
#include <algorithm>
#include <cstdio>
#include <set>

#include "app/command_help.hpp"
#include "app/configuration.hpp"
#include "app/imported_policies.hpp"
#include "core/algo/algorithm.hpp"
#include "core/base/text.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/scripted_player.hpp"
#include "core/export/target.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

// clang-format off
// bash splits words at ':' and '=' (COMP_WORDBREAKS), but the program does not. The script therefore joins
// the parts and removes the part before the split from the completions. No quotes are added to a word that is
// already quoted.
constexpr const char* kBash = R"sh(# bash completion for seedbed: source <(seedbed completion bash)
_seedbed() {
    local words=() word glue="" current prefix candidate
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ( $glue == yes || $word == [:=]* ) ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        glue=no
        [[ $word == [:=] ]] && glue=yes
    done
    current=${words[-1]}
    prefix=${current%"${current##*[:=]}"}
    local quoted=no
    [[ $current == [\"\']* ]] && quoted=yes
    words=("${words[@]//[\"\'\\]/}")
    COMPREPLY=()
    while IFS= read -r candidate; do
        candidate=${candidate#"$prefix"}
        [[ $quoted == yes ]] || printf -v candidate %q "$candidate"
        COMPREPLY+=("$candidate")
    done < <(seedbed complete -- "${words[@]}" 2>/dev/null)
}
complete -o default -F _seedbed seedbed
)sh";

constexpr const char* kZsh = R"sh(#compdef seedbed
# zsh completion for seedbed: source <(seedbed completion zsh), or save as _seedbed in a folder of $fpath
_seedbed() {
    local -a candidates
    candidates=(${(f)"$(seedbed complete -- "${(@Q)words[2,$CURRENT]}" 2>/dev/null)"})
    if (( ${#candidates} )); then compadd -- $candidates; else _files; fi
}
if [[ $funcstack[1] == _seedbed ]]; then _seedbed "$@"; else compdef _seedbed seedbed; fi
)sh";

constexpr const char* kFish = R"sh(# fish completion for seedbed: seedbed completion fish | source
function __seedbed_complete
    set -l words (commandline -opc) (commandline -ct)
    seedbed complete -- $words[2..-1] 2>/dev/null
end
complete -c seedbed -f -a '(__seedbed_complete)'
)sh";
// clang-format on

// The parts of the command line that completions depend on.
struct Typed {
    std::string word;                      // the word to complete
    std::vector<std::string> positionals;  // positionals before the word
    const Context& context;
};

// Ids and names of all runs; empty without a database.
std::vector<std::string> runNames(const Context& context) {
    std::vector<std::string> names;
    auto reader = StoreReader::open(context.data_folder);
    if (!reader) return names;
    const auto runs = reader->runs();
    if (!runs) return names;
    for (const RunRecord& run : *runs) {
        if (run.in_trash) continue;
        names.push_back(std::to_string(run.id));
        if (!run.name.empty()) names.push_back(run.name);
    }
    return names;
}

// Runs and imported policies, or after "RUN:" the checkpoints of the run.
std::vector<std::string> policyNames(const Typed& typed) {
    const auto colon = typed.word.rfind(':');
    if (colon == std::string::npos) {
        std::vector<std::string> names = runNames(typed.context);
        RealFileSystem files;
        if (const auto imported = importedPolicies(files, typed.context.data_folder))
            names.insert(names.end(), imported->begin(), imported->end());
        return names;
    }
    const std::string run = typed.word.substr(0, colon);
    auto reader = StoreReader::open(typed.context.data_folder);
    const auto id = reader ? reader->resolveRun(run) : Result<RunId>(fail(""));
    const auto checkpoints = id ? reader->checkpoints(*id) : Result<std::vector<CheckpointRecord>>(fail(""));
    std::vector<std::string> names;
    if (!checkpoints) return names;
    for (const CheckpointRecord& checkpoint : *checkpoints) {
        if (checkpoint.removed) continue;
        if (checkpoint.best) names.push_back(run + ":best");
        names.push_back(run + ":" + std::to_string(checkpoint.step));
    }
    return names;
}

std::vector<std::string> metricNames(const Typed& typed) {
    auto reader = StoreReader::open(typed.context.data_folder);
    const auto id = reader && !typed.positionals.empty() ? reader->resolveRun(typed.positionals.front())
                                                         : Result<RunId>(fail(""));
    auto names = id ? reader->metricNames(*id) : Result<std::vector<std::string>>(fail(""));
    return names ? *names : std::vector<std::string>();
}

std::vector<std::string> tagNames(const Context& context) {
    auto reader = StoreReader::open(context.data_folder);
    const auto runs = reader ? reader->runs() : Result<std::vector<RunRecord>>(fail(""));
    std::set<std::string> tags;
    if (runs)
        for (const RunRecord& run : *runs) tags.insert(run.tags.begin(), run.tags.end());
    return {tags.begin(), tags.end()};
}

// The values of CLI::IsMember, from its description "{best,median,worst}".
std::vector<std::string> valuesOfCheck(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const auto open = type.find('{'), close = type.rfind('}');
    if (open == std::string::npos || close == std::string::npos || close < open) return {};
    return split(type.substr(open + 1, close - open - 1), ',');
}

// Candidates for the value of an option or positional.
std::vector<std::string> valuesFor(const CLI::Option& option, const Typed& typed) {
    const std::string name =
        option.get_positional() ? option.get_name(true) : "--" + option.get_lnames().front();
    if (name == "ENV" || name == "--env") return envRegistry().ids();
    std::vector<std::string> players;
    if (name == "--opponent" || option.get_description().find("scripted player") != std::string::npos)
        players = scriptedPlayerRegistry().ids();
    if (name == "--opponent") return players;
    // Options that accept checkpoints are recognised by their help text.
    if (option.get_description().find("RUN:best") != std::string::npos) {
        std::vector<std::string> names = policyNames(typed);
        names.insert(names.end(), players.begin(), players.end());
        return names;
    }
    if (name.starts_with("RUN") || name == "--baseline" || name == "--run") return runNames(typed.context);
    if (name == "METRIC") return metricNames(typed);
    if (name == "--tag" || name == "--untag") return tagNames(typed.context);
    if (name == "--to" && valuesOfCheck(option).empty()) return exportTargetRegistry().ids();
    if (name == "--preset" || name == "PRESET") {
        std::vector<std::string> names;
        if (name == "--preset") names.emplace_back("none");
        if (const auto library = presetLibrary())
            for (const Preset* preset : library->all()) names.push_back(preset->name);
        return names;
    }
    if (auto values = valuesOfCheck(option); !values.empty()) return values;
    return shortOptionChoices(name);
}

// The configuration of the run or environment on the command line, otherwise of an arbitrary environment.
Json documentFor(const Typed& typed) {
    if (!typed.positionals.empty())
        if (auto reader = StoreReader::open(typed.context.data_folder))
            if (const auto id = reader->resolveRun(typed.positionals.front()))
                if (const auto config = reader->configOf(*id)) return config->first;
    ConfigurationRequest request;
    request.needs_goal = false;
    request.env = !typed.positionals.empty() && envRegistry().find(typed.positionals.front()) != nullptr
                      ? typed.positionals.front()
                      : envRegistry().ids().front();
    const auto configuration = makeConfiguration(request);
    return configuration ? configuration->config.document : Json::object();
}

// Adds all settings as options.
void addSettings(std::vector<std::string>& candidates, const Typed& typed) {
    runConfigSchema().visit(documentFor(typed), [&](const std::string& key, const FieldInfo&) {
        candidates.push_back("--" + key);
    });
}

// The values of a setting with fixed choices.
std::vector<std::string> valuesOfSetting(const std::string& option, const Typed& typed) {
    const FieldInfo* field = runConfigSchema().find(documentFor(typed), option.substr(2));
    if (field == nullptr) return shortOptionChoices("--" + option.substr(option.rfind('.') + 1));
    if (field->type == FieldType::boolean) return {"true", "false"};
    return field->choices.empty() && option == "--run.engine" ? shortOptionChoices("--engine")
                                                              : field->choices;
}

// First words of commands, or second words after the first.
std::vector<std::string> commandWords(const std::vector<std::string>& before) {
    std::set<std::string> words;
    for (const Command* command : listedCommands()) {
        const std::string& id = command->id;
        const std::size_t space = id.find(' ');
        if (before.empty()) words.insert(id.substr(0, space));
        else if (space != std::string::npos && id.substr(0, space) == before.front())
            words.insert(id.substr(space + 1));
    }
    return {words.begin(), words.end()};
}

// The option before the word, if its value is missing; `option` is null for a setting or an unknown option.
struct OpenOption {
    const CLI::Option* option = nullptr;
    std::string name;  // empty: the word is an option or a positional
};

// Reads the words between the command and the word to complete; adds positionals to `typed`.
OpenOption readWords(const CLI::App& cli, const std::vector<std::string>& words, Typed& typed) {
    OpenOption open;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const CLI::Option* option = words[i].starts_with("--") ? cli.get_option_no_throw(words[i]) : nullptr;
        const bool takes_value =
            option != nullptr ? option->get_items_expected() > 0 : words[i].starts_with("--");
        if (!takes_value) {
            if (!words[i].starts_with("-")) typed.positionals.push_back(words[i]);
        } else if (i + 1 < words.size()) {
            ++i;
        } else {
            open = {option, words[i]};
        }
    }
    return open;
}

std::vector<std::string> optionNames(const Command& command, const std::vector<CLI::Option*>& options,
                                     const Typed& typed) {
    std::vector<std::string> names;
    for (const CLI::Option* option : options) {
        if (!isListed(*option)) continue;
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    if (command.takes_settings) addSettings(names, typed);
    return names;
}

std::vector<std::string> candidatesFor(const std::vector<std::string>& words, const Context& context) {
    const std::vector<std::string> before(words.begin(), words.end() - 1);
    const Command* command = nullptr;
    std::size_t used = 0;
    if (before.size() >= 2) {
        command = commandRegistry().find(before[0] + " " + before[1]);
        used = 2;
    }
    if (command == nullptr && !before.empty()) {
        command = commandRegistry().find(before[0]);
        used = 1;
    }
    if (command == nullptr) return before.size() <= 1 ? commandWords(before) : std::vector<std::string>{};

    CLI::App cli;
    CommonOptions common;
    defineCommand(*command, cli, common);
    const std::vector<CLI::Option*> options = cli.get_options([](const CLI::Option*) { return true; });
    Typed typed{words.back(), {}, context};
    const auto first = before.begin() + static_cast<std::ptrdiff_t>(used);
    const OpenOption open = readWords(cli, {first, before.end()}, typed);
    if (open.option != nullptr) return valuesFor(*open.option, typed);
    if (!open.name.empty())
        return command->takes_settings && open.name.find('.') != std::string::npos
                   ? valuesOfSetting(open.name, typed)
                   : std::vector<std::string>();
    if (words.back().starts_with("-")) return optionNames(*command, options, typed);
    std::vector<const CLI::Option*> positionals;
    for (const CLI::Option* option : options)
        if (option->get_positional()) positionals.push_back(option);
    if (positionals.empty()) return {};
    return valuesFor(*positionals[std::min(typed.positionals.size(), positionals.size() - 1)], typed);
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

SEEDBED_REGISTER_COMMAND(completion, {.id = "completion",
                                      .summary = "Print the completion script for a shell",
                                      .examples = {"source <(seedbed completion bash)",
                                                   "seedbed completion fish | source"},
                                      .define = [](CLI::App& cli) -> Action {
                                          auto shell = std::make_shared<std::string>();
                                          cli.add_option("SHELL", *shell, "bash, zsh or fish")
                                              ->required()
                                              ->check(CLI::IsMember({"bash", "zsh", "fish"}));
                                          return [shell](const Context&) { return completion(*shell); };
                                      }});

SEEDBED_REGISTER_COMMAND(complete, {.id = "complete",
                                    .summary = "Print completions for the last word",
                                    .hidden = true,
                                    .define = [](CLI::App& cli) -> Action {
                                        auto words = std::make_shared<std::vector<std::string>>();
                                        cli.add_option("WORD", *words, "Words of the command line");
                                        return [words](const Context& context) {
                                            return complete(*words, context);
                                        };
                                    }});

}  // namespace
}  // namespace seedbed::app
