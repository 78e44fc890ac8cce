// SPDX-License-Identifier: Apache-2.0
// Sections and variants of described structs.
#include "core/config/config_schema.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/sha256.hpp"
#include "core/base/text.hpp"

namespace seedbed {

namespace {

std::vector<std::string> namesOf(const std::map<std::string, ConfigSchema::Variant>& variants,
                                 bool with_aliases) {
    std::vector<std::string> names;
    for (const auto& [id, variant] : variants) {
        names.push_back(id);
        if (with_aliases) names.insert(names.end(), variant.aliases.begin(), variant.aliases.end());
    }
    return names;
}

std::string underscored(std::string_view text) {
    std::string result(text);
    std::replace(result.begin(), result.end(), '-', '_');
    return result;
}

// The members of `complete` whose keys are in `given`.
Json onlyGiven(const Json& complete, const Json& given) {
    if (!complete.is_object() || !given.is_object()) return complete;
    Json result = Json::object();
    for (const auto& [key, value] : given.items()) result[key] = onlyGiven(complete.at(key), value);
    return result;
}

void layOver(Json& target, const Json& layer) {
    if (!target.is_object() || !layer.is_object()) {
        target = layer;
        return;
    }
    for (const auto& [key, value] : layer.items()) layOver(target[key], value);
}

// The value of a section in which no variant is chosen: null if none of its settings is given, otherwise an
// error.
Result<Json> variantMissing(const std::string& section, const Json& given) {
    if (given.is_object() && given.empty()) return Json();
    return fail(ErrorCode::config, "'" + section + ".id' must be chosen before its other settings");
}

// Converts to pairs of dotted key and value, in document order.
void flatten(const Json& value, const std::string& prefix,
             std::vector<std::pair<std::string, Json>>& result) {
    if (!value.is_object()) {
        result.emplace_back(prefix, value);
        return;
    }
    for (const auto& [key, inner] : value.items())
        flatten(inner, prefix.empty() ? key : prefix + "." + key, result);
}

}  // namespace

void ConfigSchema::addSection(std::string name, std::string help, const Schema* schema) {
    SEEDBED_CHECK(section(name) == nullptr && schema != nullptr, name);
    sections_.push_back({std::move(name), std::move(help), schema, {}, {}, {}});
}

void ConfigSchema::addVariants(std::string name, std::string help, std::map<std::string, Variant> variants,
                               std::string default_id, FindUnlisted unlisted) {
    SEEDBED_CHECK(section(name) == nullptr && !variants.empty(), name);
    SEEDBED_CHECK(default_id.empty() || variants.contains(default_id), name + "." + default_id);
    std::set<std::string> names;
    for (const auto& taken : namesOf(variants, true))
        SEEDBED_CHECK(names.insert(taken).second, name + "." + taken);
    for (const auto& [id, variant] : variants)
        SEEDBED_CHECK(variant.schema != nullptr && variant.schema->find("id") == nullptr, name + "." + id);
    sections_.push_back({std::move(name), std::move(help), nullptr, std::move(variants),
                         std::move(default_id), std::move(unlisted)});
}

const ConfigSchema::Section* ConfigSchema::section(std::string_view name) const {
    for (const auto& section : sections_)
        if (section.name == name) return &section;
    return nullptr;
}

Result<const ConfigSchema::Section*> ConfigSchema::known(std::string_view name, const Json& document) const {
    if (const Section* found = section(name)) return found;
    // A misspelt section, or a key without its section.
    std::vector<std::string> names;
    for (const auto& section : sections_) names.push_back(section.name);
    auto near = nearestNames(name, names);
    if (near.empty()) {
        std::vector<std::string> keys, last_parts;
        visit(document, [&](const std::string& key, const FieldInfo&) {
            keys.push_back(key);
            last_parts.push_back(split(key, '.').back());
        });
        if (const auto part = nearestNames(name, last_parts); !part.empty())
            near = {keys[static_cast<std::size_t>(
                std::find(last_parts.begin(), last_parts.end(), part.front()) - last_parts.begin())]};
    }
    return fail(ErrorCode::config, "unknown setting '" + std::string(name) + "'" +
                                       (near.empty() ? "" : "; did you mean '" + near.front() + "'?"));
}

Result<std::string> ConfigSchema::resolveId(const Section& section, const std::string& name) const {
    for (const auto& [id, variant] : section.variants)
        if (id == name ||
            std::find(variant.aliases.begin(), variant.aliases.end(), name) != variant.aliases.end())
            return id;
    if (section.unlisted)
        if (const auto found = section.unlisted(name))
            return found->map([](const Unlisted& variant) { return variant.id; });
    std::string hint = suggestion(name, namesOf(section.variants, true));
    if (hint.empty()) hint = "; known: " + join(namesOf(section.variants, false), ", ");
    return fail(ErrorCode::config, "unknown " + section.name + " '" + name + "'" + hint);
}

std::string ConfigSchema::chosenId(const Section& section, const Json& document) const {
    if (document.is_object())
        if (const auto found = document.find(section.name); found != document.end() && found->is_object())
            if (const auto id = found->find("id"); id != found->end() && id->is_string())
                if (const auto resolved = resolveId(section, id->get<std::string>())) return *resolved;
    return section.default_id;
}

const Schema* ConfigSchema::schemaOf(const Section& section, const std::string& id) {
    if (const auto variant = section.variants.find(id); variant != section.variants.end())
        return variant->second.schema;
    if (!section.unlisted) return nullptr;
    const auto found = section.unlisted(id);
    return found && *found ? (*found)->schema : nullptr;
}

const Schema* ConfigSchema::chosenSchema(const Section& section, const Json& document) const {
    return section.schema != nullptr ? section.schema : schemaOf(section, chosenId(section, document));
}

Result<Json> ConfigSchema::complete(const Json& document) const {
    if (!document.is_object())
        return fail(ErrorCode::config, "a configuration must be an object of sections");
    Json given = Json::object(), result = Json::object();
    // Growing copies all members.
    given.get_ref<Json::object_t&>().reserve(document.size());
    result.get_ref<Json::object_t&>().reserve(sections_.size());
    for (const auto& [name, value] : document.items()) {
        SEEDBED_ASSIGN(const Section* found, known(name, given));
        SEEDBED_ASSIGN(given[name], completeSection(*found, value));
    }
    for (const auto& section : sections_) {
        Json& completed = result[section.name];
        if (const auto found = given.find(section.name); found != given.end()) {
            completed = std::move(*found);
        } else {
            SEEDBED_ASSIGN(completed, completeSection(section, Json::object()));
        }
        if (completed.is_null())
            return fail(ErrorCode::config, "'" + section.name + ".id' must be chosen; known: " +
                                               join(namesOf(section.variants, false), ", "));
    }
    return result;
}

Result<std::pair<std::string, Json>> ConfigSchema::splitId(const Section& section, const Json& part) const {
    // "algo": "ppo" means "algo": {"id": "ppo"}.
    const bool has_id = part.is_string() || (part.is_object() && part.contains("id"));
    if (section.schema != nullptr || !has_id) return std::pair{std::string(), part};
    const Json& name = part.is_string() ? part : part.at("id");
    if (!name.is_string()) return fail(ErrorCode::config, "'" + section.name + ".id' must be a name");
    SEEDBED_ASSIGN(std::string id, resolveId(section, name.get<std::string>()));
    Json values = Json::object();
    if (part.is_object())
        for (const auto& [key, value] : part.items())
            if (key != "id") values[key] = value;
    return std::pair{std::move(id), std::move(values)};
}

Result<Json> ConfigSchema::completeSection(const Section& section, const Json& given) const {
    if (section.schema != nullptr) return section.schema->complete(given, section.name);
    SEEDBED_ASSIGN(const auto part, splitId(section, given));
    const std::string& id = part.first.empty() ? section.default_id : part.first;
    const Schema* schema = schemaOf(section, id);
    if (schema == nullptr) return variantMissing(section.name, part.second);
    SEEDBED_ASSIGN(Json values, schema->complete(part.second, section.name));
    Json result = Json{{"id", id}};
    auto& members = result.get_ref<Json::object_t&>();
    members.reserve(values.size() + 1);
    for (auto& [key, value] : values.get_ref<Json::object_t&>()) members.emplace_back(key, std::move(value));
    return result;
}

Result<> ConfigSchema::merge(Json& document, const Json& layer) const {
    if (!layer.is_object()) return fail(ErrorCode::config, "a configuration must be an object of sections");
    Json result = document;
    for (const auto& [name, value] : layer.items()) {
        SEEDBED_ASSIGN(const Section* found, known(name, result));
        SEEDBED_TRY(mergeSection(result, *found, value));
    }
    document = std::move(result);
    return {};
}

Result<> ConfigSchema::mergeSection(Json& document, const Section& section, const Json& layer) const {
    SEEDBED_ASSIGN(const auto part, splitId(section, layer));
    const auto& [id, given] = part;
    if (!id.empty()) {
        if (id != chosenId(section, document) || !document.contains(section.name))
            document[section.name] = Json{{"id", id}};
        else document[section.name]["id"] = id;
    }
    const Schema* schema = chosenSchema(section, document);
    if (schema == nullptr) return variantMissing(section.name, given).map([](const Json&) {});
    SEEDBED_ASSIGN(const Json completed, schema->complete(given, section.name));
    layOver(document[section.name], onlyGiven(completed, given));
    return {};
}

bool ConfigSchema::choosesVariant(std::string_view key) const {
    const std::string name = underscored(key.substr(0, key.find('.')));
    const Section* found = section(name);
    return found != nullptr && found->schema == nullptr &&
           (key.size() == name.size() || key.substr(name.size()) == ".id");
}

Result<> ConfigSchema::set(Json& document, std::string_view key, std::string_view text) const {
    const std::size_t dot = key.find('.');
    const std::string name = underscored(key.substr(0, dot));
    SEEDBED_ASSIGN(const Section* found, known(name, document));
    if (choosesVariant(key)) return merge(document, Json{{name, Json{{"id", std::string(text)}}}});
    if (dot == std::string_view::npos)
        return fail(ErrorCode::config, "'" + name + "' is a group of settings, not a single setting");
    const Schema* schema = chosenSchema(*found, document);
    if (schema == nullptr)
        return fail(ErrorCode::config, "'" + name + ".id' must be chosen before '" + std::string(key) + "'");
    Json values = document.contains(name) ? document[name] : Json::object();
    SEEDBED_TRY(schema->set(values, key.substr(dot + 1), text, name));
    document[name] = std::move(values);
    return {};
}

const FieldInfo* ConfigSchema::find(const Json& document, std::string_view key) const {
    const FieldInfo* result = nullptr;
    visit(document, [&](const std::string& known_key, const FieldInfo& field) {
        if (known_key == key) result = &field;
    });
    return result;
}

void ConfigSchema::visit(
    const Json& document,
    const std::function<void(const std::string& key, const FieldInfo& field)>& visitor) const {
    for (const auto& section : sections_)
        if (const Schema* schema = chosenSchema(section, document)) schema->visit(visitor, section.name);
}

Json ConfigSchema::changed(const Json& document) const {
    Json ids = Json::object();
    for (const auto& section : sections_)
        if (section.schema == nullptr) ids[section.name] = Json{{"id", chosenId(section, document)}};
    const auto defaults = complete(ids);
    SEEDBED_CHECK(defaults, "changed() requires a complete document");
    Json result = Json::object();
    for (const auto& section : sections_)
        if (section.schema == nullptr && chosenId(section, document) != section.default_id)
            result[section.name + ".id"] =
                Json::array({section.default_id.empty() ? Json() : Json(section.default_id),
                             chosenId(section, document)});
    result.update(difference(*defaults, document));
    return result;
}

Result<> ConfigSchema::checkLiveChanges(const Json& before, const Json& after) const {
    std::vector<std::string> fixed;
    const Json differing = difference(before, after);
    for (const auto& [key, sides] : differing.items()) {
        const FieldInfo* field = find(after, key);
        if (field == nullptr || !field->live) fixed.push_back(key);
    }
    if (fixed.empty()) return {};
    return fail(
        ErrorCode::config,
        join(fixed, ", ") +
            " cannot change while a run is in progress or when it is resumed; start a new run instead");
}

Json difference(const Json& left, const Json& right) {
    std::vector<std::pair<std::string, Json>> left_values, right_values;
    flatten(left, "", left_values);
    flatten(right, "", right_values);
    const std::map<std::string, Json> of_left(left_values.begin(), left_values.end());
    const std::map<std::string, Json> of_right(right_values.begin(), right_values.end());
    Json result = Json::object();
    for (const auto& [key, value] : left_values) {
        const auto other = of_right.find(key);
        if (other == of_right.end()) result[key] = Json::array({value, nullptr});
        else if (other->second != value) result[key] = Json::array({value, other->second});
    }
    for (const auto& [key, value] : right_values)
        if (!of_left.contains(key)) result[key] = Json::array({nullptr, value});
    return result;
}

std::string hashOf(const Json& document) {
    // nlohmann::json sorts its keys, so their order in the document does not matter.
    return sha256Hex(nlohmann::json::parse(document.dump()).dump());
}

// The reference page of all settings.
namespace {

// An unescaped '|' or line break would end the table cell.
std::string cell(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '|') result += "\\|";
        else result += c == '\n' ? ' ' : c;
    }
    return result;
}

using Rows = std::vector<std::string>;

// True if the default is a sentinel such as -1e30. The help text ends with its meaning: "...; -1e30: never.".
bool hasSentinelDefault(const FieldInfo& field) {
    return field.default_value.is_number() && std::abs(field.default_value.get<double>()) >= 1e29 &&
           field.help.rfind("; ") != std::string::npos;
}

std::string defaultCell(const FieldInfo& field) {
    if (!hasSentinelDefault(field)) return "`" + cell(field.default_value.dump()) + "`";
    const std::string meaning = field.help.substr(field.help.rfind(": ") + 2);
    return cell(meaning.substr(0, meaning.find('.')));
}

std::string helpCell(const FieldInfo& field) {
    return cell(hasSentinelDefault(field) ? field.help.substr(0, field.help.rfind("; ")) + "." : field.help);
}

Rows rowsOf(const Schema& schema, const std::string& prefix) {
    Rows rows;
    schema.visit(
        [&](const std::string& key, const FieldInfo& field) {
            rows.push_back("| `" + key + "` | " + defaultCell(field) + " | " + cell(allowedText(field)) +
                           " | " + cell(field.unit) + " | " + (field.live ? "yes" : "") + " | " +
                           helpCell(field) + " |\n");
        },
        prefix);
    return rows;
}

std::string table(const Rows& rows) {
    std::string text =
        "| setting | default | allowed | unit | live | description |\n|---|---|---|---|---|---|\n";
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
        "(`--algo.gamma 0.99`). Live settings can be changed while a run is in progress.\n";
    for (const auto& section : sections_) {
        text += "\n## " + section.name + "\n\n" + section.help + "\n";
        if (section.schema != nullptr) {
            text += "\n" + table(rowsOf(*section.schema, section.name));
            continue;
        }
        text += "\nChosen by `" + section.name + ".id`" +
                (section.default_id.empty() ? "" : "; default: `" + section.default_id + "`") + ".\n";
        // Settings of all variants are listed once.
        Rows shared;
        if (section.variants.size() > 1) {
            shared = rowsOf(*section.variants.begin()->second.schema, section.name);
            for (const auto& [id, variant] : section.variants) {
                const Rows rows = rowsOf(*variant.schema, section.name);
                std::erase_if(shared, [&](const std::string& row) { return !contains(rows, row); });
            }
        }
        if (!shared.empty()) text += "\n### " + section.name + ": shared settings\n\n" + table(shared);
        for (const auto& [id, variant] : section.variants) {
            text += "\n### " + section.name + " `" + id + "`\n\n" + variant.schema->help + "\n";
            if (!variant.aliases.empty()) text += "\nAlias: `" + join(variant.aliases, "`, `") + "`.\n";
            Rows rows = rowsOf(*variant.schema, section.name);
            std::erase_if(rows, [&](const std::string& row) { return contains(shared, row); });
            if (!rows.empty()) text += "\n" + table(rows);
            else if (shared.empty()) text += "\nNo settings.\n";
        }
    }
    return text;
}

}  // namespace seedbed
