// SPDX-License-Identifier: Apache-2.0
#include "core/base/strict_json.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace seedbed {
namespace {

// Objects with more members are searched for duplicates once, when they end; searching for each new member
// would take quadratic time.
constexpr std::size_t kManyMembers = 32;

bool hasDuplicates(const Json::object_t& members) {
    std::vector<const std::string*> names;
    names.reserve(members.size());
    for (const auto& [name, value] : members) names.push_back(&name);
    const auto by_text = [](const std::string* a, const std::string* b) { return *a < *b; };
    std::sort(names.begin(), names.end(), by_text);
    return std::adjacent_find(names.begin(), names.end(), [](const std::string* a, const std::string* b) {
               return *a == *b;
           }) != names.end();
}

// Doubles the room for members. The vector itself would copy the values, because it cannot move the constant
// names.
void grow(Json::object_t& members) {
    Json::object_t larger;
    larger.reserve(2 * members.size() + 2);
    for (auto& [name, value] : members) larger.emplace_back(name, std::move(value));
    members.swap(larger);
}

// Builds a document from the parser's events, and stops the parser at the first one that is not allowed.
class StrictBuilder final : public Json::json_sax_t {
public:
    StrictBuilder(Json& root, int max_depth, std::size_t max_values)
        : root_(root),
          max_depth_(static_cast<std::size_t>(std::max(max_depth, 0))),
          max_values_(max_values) {}

    bool null() override { return add(Json()) != nullptr; }
    bool boolean(bool value) override { return add(value) != nullptr; }
    bool number_integer(std::int64_t value) override { return add(value) != nullptr; }
    bool number_unsigned(std::uint64_t value) override { return add(value) != nullptr; }
    bool number_float(double value, const std::string&) override { return add(value) != nullptr; }
    bool string(std::string& value) override { return add(std::move(value)) != nullptr; }
    bool binary(Json::binary_t&) override { return false; }  // JSON text contains no binary values
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

    bool key(std::string& name) override {
        key_ = std::move(name);
        const Json& parent = *open_.back();
        return open_.size() <= max_depth_ && (parent.size() > kManyMembers || !parent.contains(key_));
    }

private:
    // Null if the value is nested too deeply, or the document too large.
    Json* add(Json value) {
        if (open_.size() > max_depth_ || ++values_ > max_values_) return nullptr;
        if (open_.empty()) return &(root_ = std::move(value));
        Json& parent = *open_.back();
        if (parent.is_array()) return &parent.get_ref<Json::array_t&>().emplace_back(std::move(value));
        // key() or close() checks that the key is new; operator[] would search for it again.
        auto& members = parent.get_ref<Json::object_t&>();
        if (members.size() == members.capacity()) grow(members);
        return &members.emplace_back(std::move(key_), std::move(value)).second;
    }

    bool open(Json container) {
        Json* const added = add(std::move(container));
        if (added != nullptr) open_.push_back(added);
        return added != nullptr;
    }

    bool close() {
        const Json& closed = *open_.back();
        open_.pop_back();
        return !closed.is_object() || closed.size() <= kManyMembers ||
               !hasDuplicates(closed.get_ref<const Json::object_t&>());
    }

    Json& root_;
    std::size_t max_depth_, max_values_;
    std::size_t values_ = 0;
    std::vector<Json*> open_;  // the containers around the next value, outermost first
    std::string key_;
};

}  // namespace

Json parseStrictJson(std::string_view text, int max_depth, std::size_t max_values) {
    Json json;
    StrictBuilder builder(json, max_depth, max_values);
    // The library stops at a zero byte and would accept anything after it.
    const bool valid = text.find('\0') == std::string_view::npos && Json::sax_parse(text, &builder);
    return valid ? std::move(json) : Json(Json::value_t::discarded);
}

}  // namespace seedbed
