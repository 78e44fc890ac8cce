// SPDX-License-Identifier: Apache-2.0
#include "core/export/export_option.hpp"

#include "core/export/target.hpp"

namespace seedbed {

const std::vector<ExportOption>& commonExportOptions() {
    static const std::vector<ExportOption> options{
        {.id = "licence",
         .argument = "--licence",
         .kind = ExportOption::Kind::text,
         .title = "Licence of the weights",
         .help = "Licence of the weights: an identifier of the Hugging Face Hub, such as apache-2.0",
         .default_value = TargetOptions{}.licence,
         .pattern = ".+"},
        {.id = "replay",
         .argument = "--no-replay",
         .kind = ExportOption::Kind::on_off,
         .title = "Replay as an animated picture, and a thumbnail",
         .help = "Do not write replay.gif and thumbnail.png"},
    };
    return options;
}

ExportOption valueEstimateOption() {
    return {.id = "with_value",
            .argument = "--without-value",
            .kind = ExportOption::Kind::on_off,
            .title = "Value estimate as an additional output",
            .help = "Omit the value estimate, which is not needed to act"};
}

Json toJson(const ExportOption& option) {
    Json json{
        {"id", option.id}, {"argument", option.argument}, {"title", option.title}, {"help", option.help}};
    switch (option.kind) {
        case ExportOption::Kind::choice:
            json["kind"] = "choice";
            json["default"] = option.default_value;
            json["choices"] = Json::array();
            for (const ExportOption::Choice& choice : option.choices)
                json["choices"].push_back({{"value", choice.value}, {"title", choice.title}});
            break;
        case ExportOption::Kind::text:
            json["kind"] = "text";
            json["default"] = option.default_value;
            json["pattern"] = option.pattern;
            break;
        case ExportOption::Kind::on_off:
            json["kind"] = "on_off";
            json["default"] = true;
            break;
    }
    return json;
}

}  // namespace seedbed
