// SPDX-License-Identifier: Apache-2.0
// The table of export targets and the options they share.
#include "core/export/target.hpp"

namespace seedbed {

ExportFile textFile(std::string name, const std::string& text) { return {std::move(name), {text.begin(), text.end()}}; }

Json toJson(const TargetOptions& options) {
    return {{"profile", options.profile}, {"with_value", options.with_value}, {"licence", options.licence}};
}

Result<TargetOptions> targetOptionsFromJson(const Json& json) try {
    TargetOptions options;
    json.at("profile").get_to(options.profile);
    json.at("with_value").get_to(options.with_value);
    json.at("licence").get_to(options.licence);
    return options;
} catch (const Json::exception&) {
    return fail(ErrorCode::config, "the options of this export are malformed");
}

Registry<ExportTarget>& exportTargetRegistry() {
    static Registry<ExportTarget> registry;
    return registry;
}

}  // namespace seedbed
