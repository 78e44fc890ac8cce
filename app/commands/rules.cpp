// SPDX-License-Identifier: Apache-2.0
// seedbed rules: when the runs of a data folder pause, or train at low priority, for the person at the
// computer.
#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "app/command.hpp"
#include "core/base/text.hpp"
#include "core/neighbour/decision.hpp"

namespace seedbed::app {
namespace {

using Values = std::map<std::string, std::string>;  // of the options that were given, by name of the setting

std::string optionOf(const FieldInfo& field) {
    std::string option = "--" + field.name;
    std::replace(option.begin(), option.end(), '_', '-');
    return option;
}

void print(const Json& json, const NeighbourDecision& now, const Context& context) {
    std::vector<std::vector<std::string>> rows{{"RULE", "VALUE", "EFFECT"}};
    for (const FieldInfo& field : NeighbourRules::describe().schema().fields) {
        const Json& value = json.at(field.name);
        std::string text = value.is_string() ? value.get<std::string>()
                           : value == 0      ? "no limit"
                                             : formatCount(value.get<std::int64_t>()) + " " + field.unit;
        if (text.empty()) text = "none";
        rows.push_back({field.name, std::move(text), field.help});
    }
    printTable(rows);
    if (!context.quiet)
        std::fprintf(stderr, "Now: %s\n", now.text.empty() ? "no rule applies" : now.sentence().c_str());
}

Result<int> rules(const Values& values, const Context& context) {
    const auto& description = NeighbourRules::describe();
    RealFileSystem files;
    const auto stored = readNeighbourRules(files, context.data_folder);
    if (!stored) std::fprintf(stderr, "seedbed: %s\n", stored.error().text().c_str());
    Json json = description.write(stored.value_or(NeighbourRules()));
    for (const auto& [name, text] : values) SEEDBED_TRY(description.schema().set(json, name, text));
    SEEDBED_ASSIGN(const NeighbourRules changed, description.parse(json));
    if (!values.empty()) SEEDBED_TRY(writeNeighbourRules(files, context.data_folder, changed));
    const NeighbourDecision now =
        decide(neighbourFindings(readNeighbours(changed, files, context.data_folder), changed));
    if (context.json) {
        json["now"] = {{"action", nameOf(now.action)}, {"reason", now.text}};
        json["programs_not_found"] = programsNotFound(changed);
        printJson(json);
    } else {
        print(json, now, context);
        if (const auto missing = programsNotFound(changed); !missing.empty() && !context.quiet)
            std::fprintf(stderr, "Not running and not in PATH, so check the spelling: %s\n",
                         join(missing, ", ").c_str());
    }
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    rules, {.id = "rules",
            .summary = "Show or change when runs pause for battery, games, other programs, memory or disk",
            .examples = {"seedbed rules", "seedbed rules --battery pause --programs blender,obs",
                         "seedbed rules --game ignore --min-memory 500"},
            .define = [](CLI::App& cli) -> Action {
                auto values = std::make_shared<Values>();
                for (const FieldInfo& field : NeighbourRules::describe().schema().fields)
                    cli.add_option_function<std::string>(
                           optionOf(field),
                           [values, name = field.name](const std::string& text) { (*values)[name] = text; },
                           field.help)
                        ->type_name(!field.choices.empty() ? join(field.choices, "|")
                                    : field.unit.empty()   ? "NAMES"
                                                           : field.unit);
                return [values](const Context& context) { return rules(*values, context); };
            }});

}  // namespace
}  // namespace seedbed::app
