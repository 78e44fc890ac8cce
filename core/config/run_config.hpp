// SPDX-License-Identifier: Apache-2.0
// The configuration of one run: a complete document and where each of its values came from.
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

// A value; made by ConfigLayers, or from the document of a stored run by create(). Thread: any.
class RunConfig {
public:
    // Checks and completes a stored document; what it does not name gets today's defaults. error: config.
    static Result<RunConfig> create(const ConfigSchema& schema, const Json& document);

    const Json& document() const { return document_; }
    // A section that the schema does not have is a bug.
    const Json& section(const std::string& name) const;
    // The chosen id of a section with variants.
    std::string id(const std::string& section_name) const;
    // The section as its struct; T has `static const Description<T>& describe()`.
    template <class T>
    T get(const std::string& section_name) const {
        return T::describe().read(section(section_name));
    }
    // "preset cartpole", "command line", ...; "default" for a key that nothing set.
    std::string origin(const std::string& key) const;
    std::string hash() const { return hashOf(document_); }

private:
    friend class ConfigLayers;
    RunConfig(Json document, std::map<std::string, std::string> origins)
        : document_(std::move(document)), origins_(std::move(origins)) {}

    Json document_;
    std::map<std::string, std::string> origins_;  // only keys that a layer set
};

// Lays layers over each other, first the defaults, then in the order of the calls (preset, file, command
// line). The schema must outlive it.
class ConfigLayers {
public:
    explicit ConfigLayers(const ConfigSchema& schema) : schema_(&schema) {}

    // `origin` is what RunConfig::origin() and errors call the layer.
    Result<> addDocument(const std::string& origin, const Json& document);
    // Command-line pairs (key without leading dashes, text). Ids are set first, whatever their place; else a
    // later pair wins.
    Result<> addSettings(const std::string& origin,
                         const std::vector<std::pair<std::string, std::string>>& settings);
    // The document as it is now; anything may be missing.
    const Json& document() const { return document_; }
    Result<RunConfig> resolve() const;

private:
    void noteOrigins(const Json& before, const Json& named, const std::string& origin);

    const ConfigSchema* schema_;
    Json document_ = Json::object();
    std::map<std::string, std::string> origins_;
};

}  // namespace seedbed
