// SPDX-License-Identifier: Apache-2.0
// The command table and the output of results.
#include "app/command.hpp"

#include <algorithm>
#include <cstdio>

#include "core/base/text.hpp"

namespace seedbed::app {

Registry<Command>& commandRegistry() {
    static Registry<Command> registry;
    return registry;
}

Action defineCommand(const Command& command, CLI::App& cli, CommonOptions& common) {
    std::string examples = "Examples:\n";
    for (const std::string& example : command.examples) examples += "  " + example + "\n";
    cli.description(command.examples.empty() ? command.summary : examples + "\n" + command.summary);
    if (command.takes_settings)
        cli.footer(
            "Settings: --SECTION.NAME VALUE changes any setting, for example --algo.gamma 0.98; 'seedbed "
            "config' "
            "lists them all.");
    cli.add_option("--data", common.data, "Data folder (default: $SEEDBED_DATA, or the XDG data folder)")
        ->type_name("DIR");
    cli.add_flag("--json", common.json, "Print results as JSON");
    cli.add_flag("--quiet", common.quiet, "Print results and errors only");
    return command.define(cli);
}

CLI::Validator notEmpty() {
    return CLI::Validator(
        [](std::string& text) { return text.empty() ? std::string("must not be empty") : std::string(); },
        "");
}

CLI::Validator notNegative() {
    return CLI::Validator(
        [](std::string& text) {
            return text.starts_with('-') ? std::string("must not be negative") : std::string();
        },
        "");
}

std::string countText(std::int64_t count, const std::string& noun) {
    return formatCount(count) + " " + noun + (count == 1 ? "" : "s");
}

void printJson(const Json& json) {
    // Replaces invalid UTF-8, which names may contain, so that the document can be printed.
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
}

namespace {

// Returns the number of terminal columns of UTF-8 text, assuming one per code point.
std::size_t displayWidth(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

}  // namespace

void printTable(const std::vector<std::vector<std::string>>& rows) {
    if (rows.empty()) return;
    std::vector<std::size_t> widths(rows.front().size());
    std::vector<bool> numeric(widths.size(), true);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < rows[r].size(); ++c) {
            widths[c] = std::max(widths[c], displayWidth(rows[r][c]));
            std::string digits = rows[r][c];
            std::erase(digits, ',');
            if (r > 0 && !digits.empty() && digits != "-" && !parseNumber(digits)) numeric[c] = false;
        }
    }
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string padding(widths[c] - displayWidth(row[c]), ' ');
            line += (c > 0 ? "  " : "") + (numeric[c] ? padding + row[c] : row[c] + padding);
        }
        while (!line.empty() && line.back() == ' ') line.pop_back();
        std::printf("%s\n", line.c_str());
    }
}

}  // namespace seedbed::app
