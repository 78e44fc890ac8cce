// SPDX-License-Identifier: Apache-2.0
// Merges layers and records the origin of each value.
#include "core/config/run_config.hpp"

#include <algorithm>

namespace seedbed {

Result<RunConfig> RunConfig::create(const ConfigSchema& schema, const Json& document) {
    SEEDBED_ASSIGN(Json complete, schema.complete(document));
    return RunConfig(std::move(complete), {});
}

const Json& RunConfig::section(const std::string& name) const {
    const auto found = document_.find(name);
    SEEDBED_CHECK(found != document_.end(), name);
    return *found;
}

std::string RunConfig::id(const std::string& section_name) const {
    const Json& values = section(section_name);
    SEEDBED_CHECK(values.contains("id"), section_name + " has no variants");
    return values["id"].get<std::string>();
}

std::string RunConfig::origin(const std::string& key) const {
    const auto found = origins_.find(key);
    return found == origins_.end() ? "default" : found->second;
}

Result<> ConfigLayers::addDocument(const std::string& origin, const Json& document) {
    const Json before = document_;
    if (auto merged = schema_->merge(document_, document); !merged)
        return tl::unexpected<Error>(std::move(merged.error()).withContext("applying " + origin));
    noteOrigins(before, document, origin);
    return {};
}

Result<> ConfigLayers::addSettings(const std::string& origin,
                                   const std::vector<std::pair<std::string, std::string>>& settings) {
    auto ordered = settings;
    std::stable_partition(ordered.begin(), ordered.end(),
                          [&](const auto& setting) { return schema_->choosesVariant(setting.first); });
    const Json before = document_;
    Json after = document_, named = Json::object();
    for (const auto& [key, text] : ordered) {
        SEEDBED_TRY(schema_->set(after, key, text));
        // Record the key even if its value did not change. A key without a dot is an id.
        std::string pointer = "/" + key + (key.find('.') == std::string::npos ? "/id" : "");
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        std::replace(pointer.begin(), pointer.end(), '-', '_');
        named[Json::json_pointer(pointer)] = true;
    }
    document_ = std::move(after);
    noteOrigins(before, named, origin);
    return {};
}

void ConfigLayers::noteOrigins(const Json& before, const Json& named, const std::string& origin) {
    // Values removed because their section's id changed.
    const Json changes = difference(before, document_), set_keys = difference(Json::object(), named);
    for (const auto& [key, sides] : changes.items())
        if (sides[1].is_null()) origins_.erase(key);
    for (const auto& [key, sides] : set_keys.items()) {
        const bool short_form = key.find('.') == std::string::npos && schema_->choosesVariant(key);
        origins_[short_form ? key + ".id" : key] = origin;
    }
}

Result<RunConfig> ConfigLayers::resolve() const {
    SEEDBED_ASSIGN(Json complete, schema_->complete(document_));
    return RunConfig(std::move(complete), origins_);
}

}  // namespace seedbed
