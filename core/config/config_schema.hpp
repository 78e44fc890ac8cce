// SPDX-License-Identifier: Apache-2.0
// What a run's configuration may contain: named sections, each a described struct or one of several chosen by
// "id". The composition root fills it from the registries; everything else asks it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/describe.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace seedbed {

// A document is {"run": {...}, "env": {"id": "cartpole", ...parameters of that environment}, ...}. *Complete*
// means: every section, every key, normalised values, in the order of description. Keys are dotted
// ("algo.gamma"); "algo" alone is short for "algo.id". Thread: any, once filled. All errors are
// ErrorCode::config and name the nearest known name or the allowed range.
class ConfigSchema {
public:
    // One choice of a section with variants. The schema must outlive this object.
    struct Variant {
        const Schema* schema = nullptr;
        std::vector<std::string> aliases{};  // accepted for the id, replaced by it
    };

    void addSection(std::string name, std::string help, const Schema* schema);
    // `default_id` may be empty: then a document must choose.
    void addVariants(std::string name, std::string help, std::map<std::string, Variant> variants,
                     std::string default_id = "");

    Result<Json> complete(const Json& document) const;
    // Lays `layer`, a document in which anything may be missing, over `document` (complete or not). Choosing
    // another id drops the section's other values, which belonged to the old one. Only what the layer names
    // is set; `document` is unchanged after an error.
    Result<> merge(Json& document, const Json& layer) const;
    // Sets one value from command-line text. Set ids first: other keys of a section are those of its id.
    Result<> set(Json& document, std::string_view key, std::string_view text) const;
    // True when `key` chooses the variant of a section.
    bool choosesVariant(std::string_view key) const;

    // The description of `key` for the ids that `document` has chosen; nullptr when there is none, also for
    // ids themselves.
    const FieldInfo* find(const Json& document, std::string_view key) const;
    // Every key with its description, without ids, for the ids of `document`.
    void visit(const Json& document,
               const std::function<void(const std::string& key, const FieldInfo& field)>& visitor) const;
    // Keys of the complete `document` whose values differ from the defaults of its ids, as {key: [default,
    // value]}; ids that are no default come as {"env.id": [null, "cartpole"]}.
    Json changed(const Json& document) const;
    // Fails when the complete documents differ in a key that is not live, and names all such keys.
    Result<> checkLiveChanges(const Json& before, const Json& after) const;

    // Reference page: one table per section and variant.
    std::string toMarkdown() const;

private:
    struct Section {
        std::string name, help;
        const Schema* schema = nullptr;  // fixed section
        std::map<std::string, Variant> variants;
        std::string default_id;
    };

    const Section* section(std::string_view name) const;
    Result<const Section*> known(std::string_view name, const Json& document) const;
    // The id for a name or alias.
    Result<std::string> resolveId(const Section& section, const std::string& name) const;
    // The id of the section in the document, or its default; "" when neither.
    std::string chosenId(const Section& section, const Json& document) const;
    const Schema* chosenSchema(const Section& section, const Json& document) const;
    Result<> mergeSection(Json& document, const Section& section, const Json& layer) const;

    std::vector<Section> sections_;
};

// Keys of two documents whose values differ, as {key: [left, right]}; null for a key that one side does not
// have.
Json difference(const Json& left, const Json& right);
// SHA-256 of the text with sorted keys and without blanks: equal for equal documents, whatever the order of
// their keys.
std::string hashOf(const Json& document);

}  // namespace seedbed
