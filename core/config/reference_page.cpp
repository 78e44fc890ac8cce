// SPDX-License-Identifier: Apache-2.0
// The reference page of all settings, from their descriptions.
#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/config/config_schema.hpp"

namespace seedbed {

namespace {

// A bar or a line break would end the table cell.
std::string cell(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '|') result += "\\|";
        else result += c == '\n' ? ' ' : c;
    }
    return result;
}

using Rows = std::vector<std::string>;

// True if the default is a sentinel such as -1e30. Its meaning ends the help: "...; -1e30: never.".
bool hasSentinelDefault(const FieldInfo& field) {
    return field.default_value.is_number() && std::abs(field.default_value.get<double>()) >= 1e29 &&
           field.help.rfind("; ") != std::string::npos;
}

std::string defaultCell(const FieldInfo& field) {
    if (!hasSentinelDefault(field)) return "`" + cell(field.default_value.dump()) + "`";
    const std::string meaning = field.help.substr(field.help.rfind(": ") + 2);
    return cell(meaning.substr(0, meaning.find('.')));
}

std::string helpCell(const FieldInfo& field) {
    return cell(hasSentinelDefault(field) ? field.help.substr(0, field.help.rfind("; ")) + "." : field.help);
}

Rows rowsOf(const Schema& schema, const std::string& prefix) {
    Rows rows;
    schema.visit(
        [&](const std::string& key, const FieldInfo& field) {
            rows.push_back("| `" + key + "` | " + defaultCell(field) + " | " + cell(allowedText(field)) +
                           " | " + cell(field.unit) + " | " + (field.live ? "yes" : "") + " | " +
                           helpCell(field) + " |\n");
        },
        prefix);
    return rows;
}

std::string table(const Rows& rows) {
    std::string text =
        "| setting | default | allowed | unit | live | description |\n|---|---|---|---|---|---|\n";
    for (const std::string& row : rows) text += row;
    return text;
}

bool contains(const Rows& rows, const std::string& row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

}  // namespace

std::string ConfigSchema::toMarkdown() const {
    std::string text =
        "# Settings\n\nEvery setting of a run, as written in a configuration file (`{\"algo\": {\"gamma\": "
        "0.99}}`) or on the command line "
        "(`--algo.gamma 0.99`). Live settings can be changed while a run is running.\n";
    for (const auto& section : sections_) {
        text += "\n## " + section.name + "\n\n" + section.help + "\n";
        if (section.schema != nullptr) {
            text += "\n" + table(rowsOf(*section.schema, section.name));
            continue;
        }
        text += "\nChosen by `" + section.name + ".id`" +
                (section.default_id.empty() ? "" : "; default: `" + section.default_id + "`") + ".\n";
        // Settings of all variants are listed once.
        Rows shared;
        if (section.variants.size() > 1) {
            shared = rowsOf(*section.variants.begin()->second.schema, section.name);
            for (const auto& [id, variant] : section.variants) {
                const Rows rows = rowsOf(*variant.schema, section.name);
                std::erase_if(shared, [&](const std::string& row) { return !contains(rows, row); });
            }
        }
        if (!shared.empty()) text += "\n### " + section.name + ": shared settings\n\n" + table(shared);
        for (const auto& [id, variant] : section.variants) {
            text += "\n### " + section.name + " `" + id + "`\n\n" + variant.schema->help + "\n";
            if (!variant.aliases.empty()) text += "\nAlias: `" + join(variant.aliases, "`, `") + "`.\n";
            Rows rows = rowsOf(*variant.schema, section.name);
            std::erase_if(rows, [&](const std::string& row) { return contains(shared, row); });
            if (!rows.empty()) text += "\n" + table(rows);
            else if (shared.empty()) text += "\nNo settings.\n";
        }
    }
    return text;
}

}  // namespace seedbed
