// SPDX-License-Identifier: Apache-2.0
#include "core/env/task_traits.hpp"

#include <map>

#include "core/base/error.hpp"

namespace seedbed {
namespace {

using TraitsOf = TaskTraits (*)(const Json& params);

// Filled before main and read-only afterwards.
std::map<std::string, TraitsOf>& declared() {
    static std::map<std::string, TraitsOf> traits;
    return traits;
}

}  // namespace

TaskTraits taskTraits(const std::string& id, const Json& params) {
    const auto found = declared().find(id);
    return found == declared().end() ? TaskTraits{} : found->second(params);
}

bool registerTaskTraits(const std::vector<std::string>& ids, TaskTraits (*of)(const Json& params)) {
    for (const std::string& id : ids) SEEDBED_CHECK(declared().emplace(id, of).second, id);
    return true;
}

}  // namespace seedbed
