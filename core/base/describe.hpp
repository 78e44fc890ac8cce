// SPDX-License-Identifier: Apache-2.0
// Described structs: each field has one description (name, default, range, unit, help) from which JSON,
// command line, validation, forms, differences and the reference page are derived.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace seedbed {

enum class FieldType { boolean, integer, real, text, choice, integers, reals, section };

// The users who see the field in a form: everyone, users who change common settings, or experts.
enum class Level { goal, recipe, everything };

struct Schema;

// The description of one field.
struct FieldInfo {
    std::string name;  // snake_case; the names along the path, joined by dots, are its key
    std::string unit;  // "" if none
    std::string help;  // one sentence
    FieldType type = FieldType::real;
    Json default_value;
    // inclusive; for numbers and for elements of lists
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices;  // type choice
    Level level = Level::everything;
    bool live = false;                // may change while a run is in progress
    const Schema* section = nullptr;  // type section
};

// The allowed values as text: "0 to 1", "1 or more", "one of a, b"; "" without limits.
std::string allowedText(const FieldInfo& field);
// Checks and normalises one value (1e6 becomes an integer for an integer field). error: config, with `key`,
// the value and the allowed range.
Result<Json> checkedValue(const FieldInfo& field, const Json& value, const std::string& key);
// Parses and checks command-line text: 1e6, 1_000_000, true/yes/on, lists such as 64,64. error: as for
// checkedValue().
Result<Json> parsedValue(const FieldInfo& field, std::string_view text, const std::string& key);

// The description of a struct.
struct Schema {
    std::string name;
    std::string help;
    std::vector<FieldInfo> fields;
    bool open = false;  // also accepts fields that are not described: any value but an object

    // A duplicate name or a default outside its own range is a bug.
    void add(FieldInfo field);
    const FieldInfo* find(std::string_view field) const;
    // Calls `visitor` with the dotted key and the description of every field that is not a section, depth
    // first and in the order of the descriptions.
    void visit(const std::function<void(const std::string& key, const FieldInfo& field)>& visitor,
               const std::string& prefix = "") const;
    // The dotted keys of all fields that are not sections.
    std::vector<std::string> keys(const std::string& prefix = "") const;
    // All defaults, as a JSON object.
    Json defaults() const;
    // Fills in missing fields with their defaults and checks the others. error: config; names the key (with
    // `prefix`), the value and the allowed range; for an unknown key, the most similar known one.
    Result<Json> complete(const Json& object, const std::string& prefix = "") const;
    // Sets the dotted `key` in `object` from command-line text. Dashes in the key count as underscores.
    // error: as for complete().
    Result<> set(Json& object, std::string_view key, std::string_view text,
                 const std::string& prefix = "") const;
    // The keys whose values differ, as {key: [left, right]}.
    Json difference(const Json& left, const Json& right) const;
};

// Up to `count` known names similar to `name`, most similar first, ignoring case, dashes and underscores.
// Empty if none is similar.
std::vector<std::string> nearestNames(std::string_view name, const std::vector<std::string>& known,
                                      std::size_t count = 1);
// "; did you mean 'x'?" or "".
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

// The description of the struct T: its schema, and how to read and write each field.
template <class T>
class Description {
public:
    struct Options {
        std::string unit{};
        double min = -std::numeric_limits<double>::infinity();
        double max = std::numeric_limits<double>::infinity();
        std::vector<std::string> choices{};
        Level level = Level::everything;
        bool live = false;
    };

    Description(std::string name, std::string help) {
        schema_.name = std::move(name);
        schema_.help = std::move(help);
    }

    // Adds a field. M is bool, int, std::int64_t, double, float, std::string, std::vector<int> or
    // std::vector<double>. The default is the member's initial value.
    template <class M>
    Description& field(M T::*member, std::string name, std::string help, Options options = {}) {
        FieldInfo info{.name = std::move(name),
                       .unit = options.unit,
                       .help = std::move(help),
                       .type = typeOf<M>(),
                       .default_value = Json(T{}.*member),
                       .min = options.min,
                       .max = options.max,
                       .choices = options.choices,
                       .level = options.level,
                       .live = options.live,
                       .section = nullptr};
        if (!info.choices.empty()) info.type = FieldType::choice;
        // Every value that passes the check can be stored in the member.
        if constexpr (std::is_same_v<M, int> || std::is_same_v<M, std::vector<int>>) {
            info.min = std::max(info.min, static_cast<double>(std::numeric_limits<int>::min()));
            info.max = std::min(info.max, static_cast<double>(std::numeric_limits<int>::max()));
        }
        const std::string key = info.name;
        schema_.add(std::move(info));
        readers_.push_back([member, key](const Json& json, T& value) { json.at(key).get_to(value.*member); });
        writers_.push_back([member, key](const T& value, Json& json) { json[key] = value.*member; });
        return *this;
    }
    // Adds a nested described struct. M has `static const Description<M>& describe()`.
    template <class M>
    Description& section(M T::*member, std::string name, std::string help) {
        FieldInfo info;
        info.name = name;
        info.help = std::move(help);
        info.type = FieldType::section;
        info.section = &M::describe().schema();
        info.default_value = info.section->defaults();
        schema_.add(std::move(info));
        readers_.push_back([member, name](const Json& json, T& value) {
            value.*member = M::describe().read(json.at(name));
        });
        writers_.push_back(
            [member, name](const T& value, Json& json) { json[name] = M::describe().write(value.*member); });
        return *this;
    }

    const Schema& schema() const { return schema_; }
    Json write(const T& value) const {
        Json json = Json::object();
        for (const auto& writer : writers_) writer(value, json);
        return json;
    }
    // Checks and completes `json`, then reads it. error: config.
    Result<T> parse(const Json& json, const std::string& prefix = "") const {
        SEEDBED_ASSIGN(const Json complete, schema_.complete(json, prefix));
        return read(complete);
    }
    // Reads an object that Schema::complete() returned.
    T read(const Json& complete) const {
        T value{};
        for (const auto& reader : readers_) reader(complete, value);
        return value;
    }

private:
    template <class M>
    static constexpr FieldType typeOf() {
        if constexpr (std::is_same_v<M, bool>) return FieldType::boolean;
        else if constexpr (std::is_same_v<M, int> || std::is_same_v<M, std::int64_t>)
            return FieldType::integer;
        else if constexpr (std::is_floating_point_v<M>) return FieldType::real;
        else if constexpr (std::is_same_v<M, std::string>) return FieldType::text;
        else if constexpr (std::is_same_v<M, std::vector<int>>) return FieldType::integers;
        else {
            static_assert(std::is_same_v<M, std::vector<double>>,
                          "a described field has one of the listed types");
            return FieldType::reals;
        }
    }

    Schema schema_;
    std::vector<std::function<void(const Json&, T&)>> readers_;
    std::vector<std::function<void(const T&, Json&)>> writers_;
};

}  // namespace seedbed
