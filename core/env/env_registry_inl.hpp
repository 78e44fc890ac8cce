// SPDX-License-Identifier: Apache-2.0
// Implementation of envEntry(). Included by env_registry.hpp only.
#pragma once

#include <type_traits>
#include <utility>

#include "core/env/env_batch_inl.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed {

// The schema of an environment: its own fields and the section `wrap`, with the defaults in `overrides`. An
// unknown key or a value out of range is a bug in the registering file.
struct EnvSchema {
    Schema own;  // the environment's fields only
    Schema wrap;
    Schema all;
    EnvSchema(const Schema& params, const Json& overrides);
    EnvSchema(const EnvSchema&) = delete;
    EnvSchema& operator=(const EnvSchema&) = delete;
    // The environment's own fields of a complete object.
    Json ownPart(const Json& complete) const;
    // The spec of entry `id` with the wrappers in `complete`. random_return is kept only for the default
    // wrappers. error: config, if the wrappers do not fit the environment.
    Result<EnvSpec> finishSpec(EnvSpec spec, const std::string& id, const Json& complete) const;
    // Wraps `batch` with the wrappers in `complete`. `spec` comes from finishSpec().
    std::unique_ptr<LocalBatch> decorate(std::unique_ptr<LocalBatch> batch, EnvSpec spec,
                                         const Json& complete) const;
};
bool registerEnv(EnvEntry entry);

template <class T>
EnvEntry envEntry(std::vector<std::string> aliases, const Json& overrides, std::string id) {
    using EnvParams = typename T::Params;
    const auto schema = std::make_shared<const EnvSchema>(EnvParams::describe().schema(), overrides);
    const auto own = [schema](const Json& complete) {
        return EnvParams::describe().read(schema->ownPart(complete));
    };
    EnvEntry entry;
    entry.id = id.empty() ? T::spec(own(schema->all.defaults())).id : std::move(id);
    entry.aliases = std::move(aliases);
    entry.params = &schema->all;
    entry.spec = [schema, own, name = entry.id](const Json& params) -> Result<EnvSpec> {
        SEEDBED_ASSIGN(const Json complete, schema->all.complete(params));
        return schema->finishSpec(T::spec(own(complete)), name, complete);
    };
    entry.makeLocal = [schema, own, name = entry.id](const Json& params,
                                                     int count) -> Result<std::unique_ptr<LocalBatch>> {
        SEEDBED_ASSIGN(const Json complete, schema->all.complete(params));
        const EnvParams typed = own(complete);
        EnvSpec spec = T::spec(typed);
        std::unique_ptr<LocalBatch> batch;
        if constexpr (std::is_base_of_v<LocalBatch, T>) {
            batch = std::make_unique<T>(typed, count);
        } else {
            std::vector<std::unique_ptr<T>> envs;
            for (int env = 0; env < count; ++env) envs.push_back(std::make_unique<T>(typed));
            batch = std::make_unique<BatchOf<T>>(spec, std::move(envs));
        }
        SEEDBED_ASSIGN(EnvSpec finished, schema->finishSpec(std::move(spec), name, complete));
        return schema->decorate(std::move(batch), std::move(finished), complete);
    };
    entry.make = entry.makeLocal;
    return entry;
}

}  // namespace seedbed
