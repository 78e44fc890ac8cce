// SPDX-License-Identifier: Apache-2.0
// Environments by name. The last line of a file in envs/ registers it: SEEDBED_REGISTER_ENV(cartpole,
// CartPole, "CartPole-v1")
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/registry.hpp"
#include "core/env/env.hpp"
#include "core/env/wrappers.hpp"

namespace seedbed {

struct EnvEntry {
    std::string id;
    std::vector<std::string> aliases;  // the upstream id, a trace file's name
    const Schema* params =
        nullptr;  // the environment's parameters and a section `wrap`; lives as long as the entry
    // `params` is an object of that schema; what is missing has its default. spec: must be valid. make:
    // error: config.
    std::function<EnvSpec(const Json& params)> spec;
    std::function<Result<std::unique_ptr<EnvBatch>>(const Json& params, int count)> make;
    // The `wrap` section of `params`. error: config.
    Result<WrapperParams> wrapperParams(const Json& params) const;
    // The defaults with every wrapper and a parameter `sticky_actions` off: the bare environment that golden
    // traces were recorded with.
    Json bareParams() const;
};

Registry<EnvEntry>& envRegistry();

// Makes the entry of a class T, which is an Env with `explicit T(const Params&)` or an EnvBatch with `T(const
// Params&, int count)`, and has
//   struct Params, described; static EnvSpec spec(const Params&).
// `id` is the entry's id, spec().id when empty. `overrides` changes defaults of the parameters ({"size": 8,
// "wrap": {"sticky_actions": 0.1}}), so that several ids can come from one class. spec() of the entry and of
// what it makes carries the entry's id.
template <class T>
EnvEntry envEntry(std::vector<std::string> aliases = {}, const Json& overrides = Json::object(),
                  std::string id = "");

}  // namespace seedbed

#include "core/env/env_registry_inl.hpp"

// Registers class `Class` as `name`; further arguments are aliases. Variants of one class:
// SEEDBED_REGISTER_ENV_AS(name, Class, overrides,
// ...), with the overrides in one pair of parentheses: (Json{{"size", 8}}).
#define SEEDBED_REGISTER_ENV(name, Class, ...)              \
    [[maybe_unused]] static const bool seedbed_env_##name = \
        ::seedbed::registerEnv(::seedbed::envEntry<Class>({__VA_ARGS__}, ::seedbed::Json::object(), #name));
#define SEEDBED_REGISTER_ENV_AS(name, Class, overrides, ...) \
    [[maybe_unused]] static const bool seedbed_env_##name =  \
        ::seedbed::registerEnv(::seedbed::envEntry<Class>({__VA_ARGS__}, overrides, #name));
