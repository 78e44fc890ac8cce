// SPDX-License-Identifier: Apache-2.0
// Strict parsing by the parser's callback, which is called for every value.
#include "core/base/strict_json.hpp"

#include <set>
#include <string>
#include <vector>

namespace seedbed {

Json parseStrictJson(std::string_view text, int max_depth) {
    std::vector<std::set<std::string>> keys;
    bool refused = false;
    Json json = Json::parse(
        text,
        [&](int depth, Json::parse_event_t event, Json& parsed) {
            if (depth > max_depth) refused = true;
            if (refused) return false;
            if (event == Json::parse_event_t::object_start) keys.emplace_back();
            if (event == Json::parse_event_t::object_end) keys.pop_back();
            if (event == Json::parse_event_t::key)
                refused = !keys.back().insert(parsed.get<std::string>()).second;
            return !refused;
        },
        false);
    return refused ? Json(Json::value_t::discarded) : json;
}

}  // namespace seedbed
