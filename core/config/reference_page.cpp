// SPDX-License-Identifier: Apache-2.0
// The reference page of all settings, from their descriptions.
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

std::string table(const Schema& schema, const std::string& prefix) {
    if (schema.fields.empty()) return "No settings.\n";
    std::string text = "| setting | default | allowed | unit | live | what it does |\n|---|---|---|---|---|---|\n";
    schema.visit(
        [&](const std::string& key, const FieldInfo& field) {
            text += "| `" + key + "` | `" + cell(field.default_value.dump()) + "` | " + cell(allowedText(field)) + " | " +
                    cell(field.unit) + " | " + (field.live ? "yes" : "") + " | " + cell(field.help) + " |\n";
        },
        prefix);
    return text;
}

}  // namespace

std::string ConfigSchema::toMarkdown() const {
    std::string text =
        "# Settings\n\nEvery setting of a run, as written in a configuration file (`{\"algo\": {\"gamma\": 0.99}}`) or on the command line "
        "(`--algo.gamma 0.99`). A live setting may change while the run is going.\n";
    for (const auto& section : sections_) {
        text += "\n## " + section.name + "\n\n" + section.help + "\n";
        if (section.schema != nullptr) {
            text += "\n" + table(*section.schema, section.name);
            continue;
        }
        text += "\nChosen by `" + section.name + ".id`" + (section.default_id.empty() ? "" : ", `" + section.default_id + "` unless told") +
                ".\n";
        for (const auto& [id, variant] : section.variants) {
            text += "\n### " + section.name + " `" + id + "`\n\n" + variant.schema->help + "\n";
            if (!variant.aliases.empty()) text += "\nAlso called `" + join(variant.aliases, "`, `") + "`.\n";
            text += "\n" + table(*variant.schema, section.name);
        }
    }
    return text;
}

}  // namespace seedbed
