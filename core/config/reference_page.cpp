// SPDX-License-Identifier: Apache-2.0
// The reference page of all settings, from their descriptions.
#include <algorithm>

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

Rows rowsOf(const Schema& schema, const std::string& prefix) {
    Rows rows;
    schema.visit(
        [&](const std::string& key, const FieldInfo& field) {
            rows.push_back("| `" + key + "` | `" + cell(field.default_value.dump()) + "` | " +
                           cell(allowedText(field)) + " | " + cell(field.unit) + " | " +
                           (field.live ? "yes" : "") + " | " + cell(field.help) + " |\n");
        },
        prefix);
    return rows;
}

std::string table(const Rows& rows) {
    std::string text =
        "| setting | default | allowed | unit | live | what it does |\n|---|---|---|---|---|---|\n";
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
        "(`--algo.gamma 0.99`). A live setting may change while the run is going.\n";
    for (const auto& section : sections_) {
        text += "\n## " + section.name + "\n\n" + section.help + "\n";
        if (section.schema != nullptr) {
            text += "\n" + table(rowsOf(*section.schema, section.name));
            continue;
        }
        text += "\nChosen by `" + section.name + ".id`" +
                (section.default_id.empty() ? "" : ", `" + section.default_id + "` unless told") + ".\n";
        // What all variants share stands once.
        Rows shared;
        if (section.variants.size() > 1) {
            shared = rowsOf(*section.variants.begin()->second.schema, section.name);
            for (const auto& [id, variant] : section.variants) {
                const Rows rows = rowsOf(*variant.schema, section.name);
                std::erase_if(shared, [&](const std::string& row) { return !contains(rows, row); });
            }
        }
        if (!shared.empty()) text += "\n### every " + section.name + "\n\n" + table(shared);
        for (const auto& [id, variant] : section.variants) {
            text += "\n### " + section.name + " `" + id + "`\n\n" + variant.schema->help + "\n";
            if (!variant.aliases.empty()) text += "\nAlso called `" + join(variant.aliases, "`, `") + "`.\n";
            Rows rows = rowsOf(*variant.schema, section.name);
            std::erase_if(rows, [&](const std::string& row) { return contains(shared, row); });
            if (!rows.empty()) text += "\n" + table(rows);
            else if (shared.empty()) text += "\nNo settings.\n";
        }
    }
    return text;
}

}  // namespace seedbed
