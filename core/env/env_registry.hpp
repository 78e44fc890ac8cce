// SPDX-License-Identifier: Apache-2.0
// The registry of environments. The last line of a file in envs/ registers its environment:
// SEEDBED_REGISTER_ENV(cartpole, CartPole, "CartPole-v1")
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
    std::vector<std::string> aliases;  // upstream id, name of the trace file
    // The environment's parameters and a section `wrap`. Valid as long as the entry exists.
    const Schema* params = nullptr;
    // These functions take an object described by `params`; missing values get their defaults. error: config;
    // for an environment outside this process, also failures of that environment. spec() may start a process.
    std::function<Result<EnvSpec>(const Json& params)> spec;
    std::function<Result<std::unique_ptr<EnvBatch>>(const Json& params, int count)> make;
    // Like make(), for environments that depend on their index in the run or evaluation, such as those with
    // EnvSpec::tasks. The indices are first to first + count - 1. Empty for other environments.
    std::function<Result<std::unique_ptr<EnvBatch>>(const Json& params, int first, int count)> makeFrom;
    // Like make(), for environments in this process; empty for other environments.
    std::function<Result<std::unique_ptr<LocalBatch>>(const Json& params, int count)> makeLocal;
    // The section `wrap` of the object. error: config.
    Result<WrapperParams> wrapperParams(const Json& params) const;
    // The default parameters with all wrappers and `sticky_actions` disabled: golden traces were recorded in
    // this environment.
    Json bareParams() const;
};

// The built-in environments.
Registry<EnvEntry>& envRegistry();

// A family of external environments, whose ids are SCHEME:NAME.
struct EnvScheme {
    std::string id;  // "gym"
    std::vector<std::string> aliases;
    // The entry of SCHEME:NAME; does not start a process. Its id may differ from the given one, for example
    // because it contains an absolute path. error: config, if no environment can have this name.
    std::function<Result<EnvEntry>(const std::string& name)> entry;
};
Registry<EnvScheme>& envSchemes();

// The built-in or external environment with this id or alias. Entries are never destroyed. error: config,
// with the most similar name. Thread: any.
Result<const EnvEntry*> findEnv(const std::string& id);

// Makes the registry entry of a class T. T is an Env with `explicit T(const Params&)` or a LocalBatch with
// `T(const Params&, int count)`, and has a described `struct Params` and `static EnvSpec spec(const
// Params&)`.
//
// If `id` is empty, the entry's id is spec().id. `overrides` changes parameter defaults ({"size": 8,
// "wrap": {"sticky_actions": 0.1}}), so one class can have several ids.
template <class T>
EnvEntry envEntry(std::vector<std::string> aliases = {}, const Json& overrides = Json::object(),
                  std::string id = "");

}  // namespace seedbed

#include "core/env/env_registry_inl.hpp"

// Registers class `Class` as `name`; further arguments are aliases. SEEDBED_REGISTER_ENV_AS also takes
// overrides, in parentheses: (Json{{"size", 8}}).
#define SEEDBED_REGISTER_ENV(name, Class, ...)              \
    [[maybe_unused]] static const bool seedbed_env_##name = \
        ::seedbed::registerEnv(::seedbed::envEntry<Class>({__VA_ARGS__}, ::seedbed::Json::object(), #name));
#define SEEDBED_REGISTER_ENV_AS(name, Class, overrides, ...) \
    [[maybe_unused]] static const bool seedbed_env_##name =  \
        ::seedbed::registerEnv(::seedbed::envEntry<Class>({__VA_ARGS__}, overrides, #name));
