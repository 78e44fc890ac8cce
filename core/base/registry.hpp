// SPDX-License-Identifier: Apache-2.0
// Tables from names to entries, filled by static objects: the last line of a file registers the file's
// implementation.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/describe.hpp"
#include "core/base/error.hpp"

namespace seedbed {

// Entry has `std::string id` and `std::vector<std::string> aliases`. Filled before main and read-only
// afterwards. Thread: any.
template <class Entry>
class Registry {
public:
    // A duplicate name or alias is a bug.
    void add(Entry entry) {
        for (const auto& alias : entry.aliases)
            SEEDBED_CHECK(aliases_.emplace(alias, entry.id).second, alias);
        const std::string id = entry.id;
        SEEDBED_CHECK(!aliases_.contains(id) && entries_.emplace(id, std::move(entry)).second, id);
    }
    const Entry* find(std::string_view name) const {
        if (const auto alias = aliases_.find(std::string(name)); alias != aliases_.end())
            name = alias->second;
        const auto entry = entries_.find(std::string(name));
        return entry == entries_.end() ? nullptr : &entry->second;
    }
    // Returns the entry with this id or alias. error: config, with the most similar name. `what` is the noun
    // in the message, for example "environment".
    Result<const Entry*> get(std::string_view name, std::string_view what) const {
        if (const Entry* entry = find(name)) return entry;
        std::vector<std::string> known = ids();
        for (const auto& [alias, id] : aliases_) known.push_back(alias);
        std::string hint = suggestion(name, known);
        if (hint.empty() && entries_.size() <= 12) {
            for (const std::string& id : ids()) hint += (hint.empty() ? "; available: " : ", ") + id;
        }
        return fail(ErrorCode::config,
                    "unknown " + std::string(what) + " '" + std::string(name) + "'" + hint);
    }
    // The ids, sorted.
    std::vector<std::string> ids() const {
        std::vector<std::string> names;
        for (const auto& [id, entry] : entries_) names.push_back(id);
        return names;
    }

private:
    std::map<std::string, Entry> entries_;
    std::map<std::string, std::string> aliases_;
};

}  // namespace seedbed
