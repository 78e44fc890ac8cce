// SPDX-License-Identifier: Apache-2.0
// The schema of a run's configuration: named sections, each a described struct or one of several variants
// chosen by "id". The application fills it from the registries.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/describe.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace seedbed {

// Describes, checks and merges configuration documents: {"run": {...}, "env": {"id": "cartpole",
// ...parameters of that environment}, ...}.
//
// A document is complete if it has every section and key, normalised, in schema order. Keys are dotted
// ("algo.gamma"); "algo" alone means "algo.id". Thread: any, once filled. All errors are ErrorCode::config
// and name the most similar known name or the allowed range.
class ConfigSchema {
public:
    // One variant of a section. The schema must outlive this object.
    struct Variant {
        const Schema* schema = nullptr;
        std::vector<std::string> aliases{};  // accepted instead of the id, and replaced by it
    };

    // A variant that is not listed, such as an environment of another program. FindUnlisted returns its id
    // and schema, or nullopt if it does not recognise the name. error: config, such as a missing file. The
    // schema must outlive this object.
    struct Unlisted {
        std::string id;
        const Schema* schema = nullptr;
    };
    using FindUnlisted = std::function<std::optional<Result<Unlisted>>(const std::string& name)>;

    void addSection(std::string name, std::string help, const Schema* schema);
    // If `default_id` is empty, a document must choose a variant.
    void addVariants(std::string name, std::string help, std::map<std::string, Variant> variants,
                     std::string default_id = "", FindUnlisted unlisted = {});

    Result<Json> complete(const Json& document) const;
    // Overwrites the values of `document` that `layer` contains; both may be incomplete. Choosing a different
    // id drops the section's other values. On error `document` is unchanged.
    Result<> merge(Json& document, const Json& layer) const;
    // Sets one value from command-line text. Set ids first: they determine which other keys a section has.
    Result<> set(Json& document, std::string_view key, std::string_view text) const;
    // Whether `key` is the id of a section with variants.
    bool choosesVariant(std::string_view key) const;

    // The description of `key` in the variants that `document` chooses; nullptr for unknown keys and for ids.
    const FieldInfo* find(const Json& document, std::string_view key) const;
    // Calls `visitor` with every key (except ids) and its description, for the variants that `document`
    // chooses.
    void visit(const Json& document,
               const std::function<void(const std::string& key, const FieldInfo& field)>& visitor) const;
    // The keys of the complete `document` whose values differ from the defaults of its ids, as {key:
    // [default, value]}; an id that is not the default appears as {"env.id": [null, "cartpole"]}.
    Json changed(const Json& document) const;
    // Fails if the complete documents differ in keys that are not live, and names those keys.
    Result<> checkLiveChanges(const Json& before, const Json& after) const;

    // The reference page (docs/reference/settings.md): one table per section and variant.
    std::string toMarkdown() const;

private:
    struct Section {
        std::string name, help;
        const Schema* schema = nullptr;  // fixed section
        std::map<std::string, Variant> variants;
        std::string default_id;
        FindUnlisted unlisted;
    };

    const Section* section(std::string_view name) const;
    Result<const Section*> known(std::string_view name, const Json& document) const;
    // The id with this name or alias.
    Result<std::string> resolveId(const Section& section, const std::string& name) const;
    // The section's id in the document, or its default id, which may be "".
    std::string chosenId(const Section& section, const Json& document) const;
    // nullptr if no variant has this id.
    static const Schema* schemaOf(const Section& section, const std::string& id);
    const Schema* chosenSchema(const Section& section, const Json& document) const;
    // The id chosen in a section of a document ("" if none), and the section's other values.
    Result<std::pair<std::string, Json>> splitId(const Section& section, const Json& part) const;
    // Null if no variant is chosen and nothing is given.
    Result<Json> completeSection(const Section& section, const Json& given) const;
    Result<> mergeSection(Json& document, const Section& section, const Json& layer) const;

    std::vector<Section> sections_;
};

// The keys whose values differ, as {key: [left, right]}; null for a missing key.
Json difference(const Json& left, const Json& right);
// SHA-256 of the compact JSON text with sorted keys: equal for documents that differ only in the order of
// keys.
std::string hashOf(const Json& document);

}  // namespace seedbed
