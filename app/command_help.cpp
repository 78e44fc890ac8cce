// SPDX-License-Identifier: Apache-2.0
#include "app/command_help.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace seedbed::app {
namespace {

constexpr std::size_t kNameColumns = 30;
constexpr std::size_t kHelpColumns = 100;

// Splits CLI11's type name: "INT:INT in [1 - 1000]" gives {"INT", "INT in [1 - 1000]"}.
std::pair<std::string, std::string> typeParts(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const auto colon = type.find(':');
    return {type.substr(0, colon), colon == std::string::npos ? "" : type.substr(colon + 1)};
}

// Converts "{best,worst}" to "best|worst"; empty for other checks.
std::string choicesText(const std::string& check) {
    if (!check.starts_with('{') || !check.ends_with('}')) return "";
    return join(split(check.substr(1, check.size() - 2), ','), "|");
}

// Converts "INT in [1 - 1000]" to "1 to 1,000"; empty for other checks.
std::string rangeText(const std::string& check) {
    const auto open = check.find(" in ["), dash = check.find(" - "), close = check.rfind(']');
    if (open == std::string::npos || dash == std::string::npos || close == std::string::npos) return "";
    const auto bound = [&](std::size_t begin, std::size_t end) {
        const std::string text = check.substr(begin, end - begin);
        if (const auto whole = parseInteger(text)) return formatCount(*whole);
        const auto number = parseNumber(text);
        return number ? formatNumber(*number) : text;
    };
    return bound(open + 5, dash) + " to " + bound(dash + 3, close);
}

std::string valueText(const CLI::Option& option) {
    if (option.get_items_expected() == 0) return "";
    const auto [type, check] = typeParts(option);
    if (const std::string choices = choicesText(check); !choices.empty()) return choices;
    if (type == "INT" || type == "UINT") return "N";
    return type == "FLOAT" ? "X" : type;
}

std::string nameText(const CLI::Option& option) {
    if (option.get_positional()) return option.get_name(true);
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    const std::string value = valueText(option);
    return join(names, ", ") + (value.empty() ? "" : " " + value);
}

std::string descriptionText(const CLI::Option& option) {
    std::vector<std::string> notes;
    if (option.get_required() && !option.get_positional()) notes.emplace_back("required");
    if (const std::string range = rangeText(typeParts(option).second); !range.empty()) notes.push_back(range);
    if (!option.get_default_str().empty()) notes.push_back("default: " + option.get_default_str());
    std::string text = option.get_description();
    if (notes.empty()) return text;
    // A colon introduces a list of values on the following lines.
    std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0 && text[end - 1] == ':') --end;
    const std::size_t open = text.rfind('(', end);
    if (end > 0 && text[end - 1] == ')') text.insert(open + 1, join(notes, "; ") + "; ");
    else text.insert(end, " (" + join(notes, "; ") + ")");
    return text;
}

// Wraps lines at spaces. Existing line breaks are kept; continuations of an indented line are indented
// further.
std::string wrapped(const std::string& text, std::size_t columns) {
    std::string result;
    for (const std::string& line : split(text, '\n')) {
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        std::string current(indent, ' ');
        if (!result.empty()) result += '\n';
        bool empty = true;
        for (const std::string& word : split(line.substr(indent), ' ')) {
            if (!empty && current.size() + 1 + word.size() > columns) {
                result += current + '\n';
                current.assign(indent > 0 ? indent + 2 : 0, ' ');
                empty = true;
            }
            current += (empty ? "" : " ") + word;
            empty = false;
        }
        result += current;
    }
    return result;
}

class HelpFormatter final : public CLI::Formatter {
public:
    HelpFormatter() { column_width(kNameColumns); }
    std::string make_option_name(const CLI::Option* option, bool) const override { return nameText(*option); }
    std::string make_option_opts(const CLI::Option*) const override { return ""; }
    std::string make_option_desc(const CLI::Option* option) const override {
        return wrapped(descriptionText(*option), kHelpColumns - kNameColumns);
    }
};

std::vector<OptionHelp> describeOptions(const CLI::App& cli) {
    std::vector<OptionHelp> all;
    for (const CLI::Option* option : cli.get_options([](const CLI::Option*) { return true; }))
        if (isListed(*option))
            all.push_back({nameText(*option), descriptionText(*option), option->get_positional()});
    return all;
}

}  // namespace

bool isListed(const CLI::Option& option) { return !option.get_group().empty(); }

std::string helpText(CLI::App& cli) {
    cli.formatter(std::make_shared<HelpFormatter>());
    std::string text = cli.help();
    while (text.ends_with("\n\n")) text.pop_back();  // hidden options in a group leave empty lines
    return text;
}

std::vector<const Command*> listedCommands() {
    std::vector<const Command*> commands;
    for (const std::string& id : commandRegistry().ids())
        if (const Command* command = commandRegistry().find(id); !command->hidden)
            commands.push_back(command);
    return commands;
}

std::vector<OptionHelp> describeCommonOptions() {
    CLI::App cli;
    CommonOptions common;
    defineCommand(Command{.id = "", .summary = "", .define = [](CLI::App&) { return Action(); }}, cli,
                  common);
    return describeOptions(cli);
}

CommandHelp describeCommand(const Command& command) {
    CLI::App cli;
    CommonOptions common;
    defineCommand(command, cli, common);
    CommandHelp help{.usage = "seedbed " + command.id, .options = {}};
    for (const CLI::Option* option :
         cli.get_options([](const CLI::Option* o) { return o->get_positional(); })) {
        const std::string name = option->get_name(true) + (option->get_expected_max() > 1 ? "..." : "");
        help.usage += " " + (option->get_required() ? name : "[" + name + "]");
    }
    const std::vector<OptionHelp> common_options = describeCommonOptions();
    for (OptionHelp& option : describeOptions(cli)) {
        const bool is_common =
            std::any_of(common_options.begin(), common_options.end(),
                        [&](const OptionHelp& other) { return other.name == option.name; });
        if (!is_common) help.options.push_back(std::move(option));
    }
    std::stable_partition(help.options.begin(), help.options.end(),
                          [](const OptionHelp& option) { return option.positional; });
    const bool has_options = std::any_of(help.options.begin(), help.options.end(),
                                         [](const OptionHelp& option) { return !option.positional; });
    if (has_options) help.usage += " [OPTIONS]";
    if (command.takes_settings) help.usage += " [--SECTION.NAME VALUE]...";
    return help;
}

const std::vector<ExitCode>& exitCodes() {
    static const std::vector<ExitCode> codes{
        {kOk, "ok", ""},
        {exitCode(ErrorCode::failure), "failure", "a file or database error, a full disk, a failed run"},
        {exitCode(ErrorCode::usage), "usage", "an unknown command or option, a missing argument"},
        {exitCode(ErrorCode::config), "bad configuration",
         "an unknown setting, environment, preset or run; a value out of range"},
        {exitCode(ErrorCode::device), "device unavailable", "no such device, or its engine is not installed"},
        {exitCode(ErrorCode::out_of_memory), "out of memory", "the run needs more memory than is available"},
        {kGoalNotReached, "goal not reached", "the last evaluation is below --fail-below"},
        {exitCode(ErrorCode::parity), "parity failed",
         "an exported policy or environment differs from the original"},
        {kInterrupted, "interrupted", "Ctrl-C or a signal; the state of a run is saved"}};
    return codes;
}

std::string exitCodeLine() {
    std::vector<std::string> parts;
    for (const ExitCode& entry : exitCodes())
        parts.push_back(std::to_string(entry.code) + " " + entry.meaning);
    return join(parts, ", ");
}

}  // namespace seedbed::app
