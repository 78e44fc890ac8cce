// SPDX-License-Identifier: Apache-2.0
// The configuration of a run: a complete document, and the origin of each value.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/config/config_schema.hpp"

namespace seedbed {

// A complete configuration. Thread: any.
class RunConfig {
public:
    // Checks a stored document and completes it with the current defaults. error: config.
    static Result<RunConfig> create(const ConfigSchema& schema, const Json& document);

    const Json& document() const { return document_; }
    // The section's values. An unknown section is a bug.
    const Json& section(const std::string& name) const;
    // The chosen id of a section with variants.
    std::string id(const std::string& section_name) const;
    // The section as a struct. T has `static const Description<T>& describe()`.
    template <class T>
    T get(const std::string& section_name) const {
        return T::describe().read(section(section_name));
    }
    // The source of the value: "preset cartpole", "command line", ...; "default" if no layer set it.
    std::string origin(const std::string& key) const;
    std::string hash() const { return hashOf(document_); }

private:
    friend class ConfigLayers;
    RunConfig(Json document, std::map<std::string, std::string> origins)
        : document_(std::move(document)), origins_(std::move(origins)) {}

    Json document_;
    std::map<std::string, std::string> origins_;  // only keys that a layer set
};

// Combines layers into a configuration: the defaults, then the layers in the order of the calls (preset,
// file, command line). The schema must outlive this object.
class ConfigLayers {
public:
    explicit ConfigLayers(const ConfigSchema& schema) : schema_(&schema) {}

    // Adds a document. RunConfig::origin() and errors name it `origin`.
    Result<> addDocument(const std::string& origin, const Json& document);
    // Adds pairs of key (without leading dashes) and text from the command line. Ids of
    // sections with variants (env, algo) are set first, regardless of position; if a key is repeated, the
    // last value wins.
    Result<> addSettings(const std::string& origin,
                         const std::vector<std::pair<std::string, std::string>>& settings);
    // The combined document so far; may be incomplete.
    const Json& document() const { return document_; }
    Result<RunConfig> resolve() const;

private:
    void noteOrigins(const Json& before, const Json& named, const std::string& origin);

    const ConfigSchema* schema_;
    Json document_ = Json::object();
    std::map<std::string, std::string> origins_;
};

}  // namespace seedbed
