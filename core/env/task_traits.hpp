// SPDX-License-Identifier: Apache-2.0
// Properties of a task that its spec does not contain, for the choice of an algorithm (--algo auto).
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

struct TaskTraits {
    bool needs_memory = false;   // good actions depend on earlier observations
    bool sparse_reward = false;  // random play almost always gets the same reward
};

// The traits of the built-in environment `id` with complete parameters; no traits if it declares none.
// Thread: any.
TaskTraits taskTraits(const std::string& id, const Json& params);

// Declares the traits of environments. Call it before main, as SEEDBED_TASK_TRAITS does; a second declaration
// is a bug.
bool registerTaskTraits(const std::vector<std::string>& ids, TaskTraits (*of)(const Json& params));

}  // namespace seedbed

// The last line of an environment's file: a name, a TaskTraits expression of `params`, and the ids.
#define SEEDBED_TASK_TRAITS(name, traits, ...)                                                \
    [[maybe_unused]] static const bool seedbed_traits_##name = ::seedbed::registerTaskTraits( \
        {__VA_ARGS__}, [](const ::seedbed::Json& params) -> ::seedbed::TaskTraits {           \
            static_cast<void>(params);                                                        \
            return traits;                                                                    \
        });
