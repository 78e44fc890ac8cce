// SPDX-License-Identifier: Apache-2.0
// Checks, completes and compares described values, and suggests corrections of misspelt names.
#include "core/base/describe.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>

#include "core/base/text.hpp"

namespace seedbed {

namespace {

constexpr int kMaxListLength = 4096;

std::string shown(const Json& value) {
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    // Shortens long values, such as a whole document.
    if (text.size() > 80) text = text.substr(0, 77) + "...";
    return text;
}

std::string typeText(FieldType type) {
    switch (type) {
        case FieldType::boolean: return "true or false";
        case FieldType::integer: return "a whole number";
        case FieldType::real: return "a number";
        case FieldType::text: return "text";
        case FieldType::choice: return "one of a list of names";
        case FieldType::integers: return "a list of whole numbers";
        case FieldType::reals: return "a list of numbers";
        case FieldType::section: return "an object";
    }
    return "?";
}

// The type, the allowed values and the unit as text.
std::string expectation(const FieldInfo& field) {
    std::string allowed = allowedText(field);
    if (field.type == FieldType::choice) return allowed;
    return typeText(field.type) + (allowed.empty() ? "" : ", " + allowed) +
           (field.unit.empty() ? "" : " [" + field.unit + "]");
}

// The limit of an integer's type, which allowedText() omits, if it is the reason why `value` is refused.
std::string typeLimit(const FieldInfo& field, const std::string& value) {
    if (field.type != FieldType::integer || field.max < std::numeric_limits<int>::max()) return "";
    const double number = std::strtod(value.c_str() + (value.starts_with('\'') ? 1 : 0), nullptr);
    if (number <= std::min(field.max, 0x1p63 - 1024)) return "";
    return ", at most " + formatCount(field.max < 0x1p63 ? static_cast<std::int64_t>(field.max)
                                                         : std::numeric_limits<std::int64_t>::max());
}

tl::unexpected<Error> refused(const FieldInfo& field, const std::string& key, const std::string& value) {
    return fail(ErrorCode::config, "'" + key + "' cannot be " + value + "; allowed: " + expectation(field) +
                                       typeLimit(field, value));
}

bool inRange(const FieldInfo& field, double value) { return value >= field.min && value <= field.max; }

// The 64-bit integer that a JSON number represents.
std::optional<std::int64_t> wholeNumber(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    // Above 2^53 a double does not represent every integer.
    const double number = value.get<double>();
    if (!(std::abs(number) <= 0x1p53) || number != std::floor(number)) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

// Normalises a number or an element of a list; nullopt if it is not allowed.
std::optional<Json> checkedNumber(const FieldInfo& field, const Json& value, bool whole) {
    if (whole) {
        const auto number = wholeNumber(value);
        if (!number || !inRange(field, static_cast<double>(*number))) return std::nullopt;
        return Json(*number);
    }
    if (!value.is_number()) return std::nullopt;
    const double number = value.get<double>();
    if (!std::isfinite(number) || !inRange(field, number)) return std::nullopt;
    return Json(number);
}

std::string join(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + "." + name;
}

// The error for an unknown name. Suggests the most similar field of `schema` or, if none is similar, a nested
// key whose last part is this name.
tl::unexpected<Error> unknownKey(const Schema& schema, const std::string& name, const std::string& prefix) {
    std::vector<std::string> siblings;
    for (const auto& field : schema.fields) siblings.push_back(field.name);
    std::string hint;
    if (const auto near = nearestNames(name, siblings); !near.empty()) {
        hint = "; did you mean '" + join(prefix, near.front()) + "'?";
    } else {
        for (const auto& key : schema.keys(prefix))
            if (hint.empty() && key.size() > name.size() && key.ends_with("." + name))
                hint = "; did you mean '" + key + "'?";
    }
    return fail(ErrorCode::config, "unknown setting '" + join(prefix, name) + "'" + hint);
}

void collectDifference(const Schema& schema, const Json& left, const Json& right, const std::string& prefix,
                       Json& result) {
    static const Json nothing;
    const auto member = [](const Json& object, const std::string& name) -> const Json& {
        if (!object.is_object()) return nothing;
        const auto found = object.find(name);
        return found == object.end() ? nothing : *found;
    };
    for (const auto& field : schema.fields) {
        const Json &a = member(left, field.name), &b = member(right, field.name);
        if (field.type == FieldType::section)
            collectDifference(*field.section, a, b, join(prefix, field.name), result);
        else if (a != b) result[join(prefix, field.name)] = Json::array({a, b});
    }
}

}  // namespace

std::string allowedText(const FieldInfo& field) {
    if (field.type == FieldType::choice) return "one of " + seedbed::join(field.choices, ", ");
    const bool whole = field.type == FieldType::integer || field.type == FieldType::integers;
    // Omits limits that are equal to those of the integer type.
    const double width = std::numeric_limits<int>::max();
    const bool has_min = whole ? field.min > -width - 1 : std::isfinite(field.min);
    const bool has_max = whole ? field.max < width : std::isfinite(field.max);
    if (has_min && has_max) return formatNumber(field.min) + " to " + formatNumber(field.max);
    if (has_min) return formatNumber(field.min) + " or more";
    if (has_max) return formatNumber(field.max) + " or less";
    return "";
}

Result<Json> checkedValue(const FieldInfo& field, const Json& value, const std::string& key) {
    const auto refuse = [&] { return refused(field, key, shown(value)); };
    switch (field.type) {
        case FieldType::boolean:
            if (!value.is_boolean()) return refuse();
            return value;
        case FieldType::integer:
        case FieldType::real: {
            const auto number = checkedNumber(field, value, field.type == FieldType::integer);
            if (!number) return refuse();
            return *number;
        }
        case FieldType::integers:
        case FieldType::reals: {
            if (!value.is_array() || value.size() > kMaxListLength) return refuse();
            Json list = Json::array();
            for (const Json& element : value) {
                const auto number = checkedNumber(field, element, field.type == FieldType::integers);
                if (!number) return refuse();
                list.push_back(*number);
            }
            return list;
        }
        case FieldType::text:
            if (!value.is_string()) return refuse();
            return value;
        case FieldType::choice: {
            if (!value.is_string()) return refuse();
            const auto& name = value.get_ref<const std::string&>();
            if (std::find(field.choices.begin(), field.choices.end(), name) != field.choices.end())
                return value;
            return fail(ErrorCode::config, "'" + key + "' cannot be '" + name + "'; allowed: " +
                                               allowedText(field) + suggestion(name, field.choices));
        }
        case FieldType::section: return field.section->complete(value, key);
    }
    return refuse();
}

Result<Json> parsedValue(const FieldInfo& field, std::string_view text, const std::string& key) {
    const auto refuse = [&] { return refused(field, key, "'" + std::string(text) + "'"); };
    const auto number = [&](std::string_view part) -> std::optional<Json> {
        part = trimmed(part);
        const bool whole = field.type == FieldType::integer || field.type == FieldType::integers;
        if (whole) {
            const auto value = parseInteger(part);
            return value ? checkedNumber(field, Json(*value), true) : std::nullopt;
        }
        const auto value = parseNumber(part);
        return value ? checkedNumber(field, Json(*value), false) : std::nullopt;
    };
    switch (field.type) {
        case FieldType::boolean: {
            const auto value = parseBoolean(trimmed(text));
            if (!value) return refuse();
            return Json(*value);
        }
        case FieldType::integer:
        case FieldType::real: {
            const auto value = number(text);
            if (!value) return refuse();
            return *value;
        }
        case FieldType::integers:
        case FieldType::reals: {
            // The JSON form [64,64] is also accepted.
            std::string_view parts = trimmed(text);
            if (parts.starts_with('[') && parts.ends_with(']'))
                parts = trimmed(parts.substr(1, parts.size() - 2));
            Json list = Json::array();
            for (const auto& part : split(parts, ',')) {
                const auto value = number(part);
                if (!value || list.size() >= kMaxListLength) return refuse();
                list.push_back(*value);
            }
            return list;
        }
        case FieldType::text:
        case FieldType::choice: return checkedValue(field, Json(std::string(text)), key);
        case FieldType::section:
            return fail(
                ErrorCode::config,
                "'" + key + "' is a group of settings; name one of them, for example '" +
                    join(key, field.section->fields.empty() ? "..." : field.section->fields.front().name) +
                    "'");
    }
    return refuse();
}

void Schema::add(FieldInfo field) {
    SEEDBED_CHECK(find(field.name) == nullptr, name + "." + field.name + " is described twice");
    SEEDBED_CHECK(!field.help.empty(), name + "." + field.name + " has no help");
    if (const auto checked = checkedValue(field, field.default_value, field.name); !checked)
        SEEDBED_CHECK(false, "default of " + name + ": " + checked.error().message);
    else field.default_value = *checked;
    fields.push_back(std::move(field));
}

const FieldInfo* Schema::find(std::string_view field) const {
    for (const auto& info : fields)
        if (info.name == field) return &info;
    return nullptr;
}

void Schema::visit(const std::function<void(const std::string& key, const FieldInfo& field)>& visitor,
                   const std::string& prefix) const {
    for (const auto& field : fields) {
        if (field.type == FieldType::section) field.section->visit(visitor, join(prefix, field.name));
        else visitor(join(prefix, field.name), field);
    }
}

std::vector<std::string> Schema::keys(const std::string& prefix) const {
    std::vector<std::string> result;
    visit([&](const std::string& key, const FieldInfo&) { result.push_back(key); }, prefix);
    return result;
}

Json Schema::defaults() const {
    Json object = Json::object();
    for (const auto& field : fields) object[field.name] = field.default_value;
    return object;
}

namespace {

// The value of a field that is not described: a number, boolean, list or quoted string if the text is exactly
// its JSON, otherwise the text, so that the owner of the field can still read 1.50 as a version.
Json openValue(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    const bool is_exact = (json.is_number() || json.is_boolean() || json.is_array()) && json.dump() == text;
    return is_exact || json.is_string() ? json : Json(std::string(text));
}

}  // namespace

Result<Json> Schema::complete(const Json& object, const std::string& prefix) const {
    if (!object.is_object())
        return fail(ErrorCode::config, "'" + (prefix.empty() ? name : prefix) +
                                           "' must be an object of settings, not " + shown(object));
    for (const auto& [key, value] : object.items()) {
        if (find(key) != nullptr) continue;
        if (!open) return unknownKey(*this, key, prefix);
        if (value.is_object() || value.is_null())
            return fail(ErrorCode::config,
                        "'" + join(prefix, key) + "' must be a single value or a list, not " + shown(value));
    }
    // Follows the order of the descriptions, so that equal values give equal text.
    Json result = Json::object();
    auto& members = result.get_ref<Json::object_t&>();
    members.reserve(fields.size());
    for (const auto& field : fields) {
        const auto given = object.find(field.name);
        if (given == object.end()) {
            members.emplace_back(field.name, field.default_value);
            continue;
        }
        SEEDBED_ASSIGN(Json value, checkedValue(field, *given, join(prefix, field.name)));
        members.emplace_back(field.name, std::move(value));
    }
    for (const auto& [key, value] : object.items())
        if (find(key) == nullptr) members.emplace_back(key, value);
    return result;
}

Result<> Schema::set(Json& object, std::string_view key, std::string_view text,
                     const std::string& prefix) const {
    const std::size_t dot = key.find('.');
    std::string first(key.substr(0, dot));
    std::replace(first.begin(), first.end(), '-', '_');
    const FieldInfo* field = find(first);
    const std::string full = join(prefix, first);
    if (field == nullptr && open && dot == std::string_view::npos) {
        object[std::string(key)] = openValue(text);
        return {};
    }
    if (field == nullptr) return unknownKey(*this, first, prefix);
    if (dot == std::string_view::npos) {
        SEEDBED_ASSIGN(Json value, parsedValue(*field, text, full));
        object[first] = std::move(value);
        return {};
    }
    const std::string_view rest = key.substr(dot + 1);
    if (field->type != FieldType::section)
        return fail(ErrorCode::config, "unknown setting '" + full + "." + std::string(rest) + "': '" + full +
                                           "' is a single value");
    // Work on a copy, so that a rejected value changes nothing.
    Json inner = object.is_object() && object.contains(first) ? object[first] : Json::object();
    SEEDBED_TRY(field->section->set(inner, rest, text, full));
    object[first] = std::move(inner);
    return {};
}

Json Schema::difference(const Json& left, const Json& right) const {
    Json result = Json::object();
    collectDifference(*this, left, right, "", result);
    return result;
}

namespace {

// Converts to lower case and removes dashes, underscores and spaces.
std::string folded(std::string_view name) {
    std::string result;
    for (const char c : lowered(name))
        if (c != '-' && c != '_' && c != ' ') result += c;
    return result;
}

bool isLetterOrDigit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Whether `part` consists of whole words of `name`, or of at least half of the letters of `name`. Both are
// folded; `original`: the name before folding, whose words are separated by punctuation or spaces.
bool isPart(const std::string& part, const std::string& name, const std::string& original) {
    const std::size_t at = name.find(part);
    if (at == std::string::npos) return false;
    if (2 * part.size() >= name.size()) return true;
    // Position in `original` of each folded character.
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < original.size(); ++i)
        if (original[i] != '-' && original[i] != '_' && original[i] != ' ') places.push_back(i);
    const std::size_t first = places[at], last = places[at + part.size() - 1];
    return (first == 0 || !isLetterOrDigit(original[first - 1])) &&
           (last + 1 == original.size() || !isLetterOrDigit(original[last + 1]));
}

// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours (Damerau,
// 1964), without editing a substring twice.
std::size_t editDistance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    std::iota(above.begin(), above.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
}

}  // namespace

std::vector<std::string> nearestNames(std::string_view name, const std::vector<std::string>& known,
                                      std::size_t count) {
    constexpr std::size_t kMaxLength = 200;  // computing the distance takes quadratic time
    const std::string cut(name.substr(0, kMaxLength)), wanted = folded(cut);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const auto& candidate : known) {
        const std::string other = folded(candidate);
        const std::size_t distance = editDistance(wanted, other),
                          longer = std::max(wanted.size(), other.size());
        // Allows about one mistake per three letters. Partial names (breakout for minatar_breakout) rank
        // after all misspellings.
        const bool part = wanted.size() >= 3 && other.size() >= 3 &&
                          (isPart(wanted, other, candidate) || isPart(other, wanted, cut));
        if (!wanted.empty() && distance <= std::max<std::size_t>(1, longer / 3) && distance < longer)
            near.emplace_back(distance, candidate);
        else if (part) near.emplace_back(kMaxLength + distance, candidate);
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> result;
    for (std::size_t i = 0; i < near.size() && i < count; ++i) result.push_back(near[i].second);
    return result;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
    const auto near = nearestNames(name, known);
    return near.empty() ? "" : "; did you mean '" + near.front() + "'?";
}

}  // namespace seedbed
