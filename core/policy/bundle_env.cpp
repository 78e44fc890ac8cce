// SPDX-License-Identifier: Apache-2.0
#include "core/policy/bundle_env.hpp"

#include "core/env/host_id.hpp"

namespace seedbed {

Result<BundleEnv> environmentOf(const PolicyBundle& bundle) {
    const Provenance& from = bundle.provenance;
    BundleEnv env;
    const auto entry = findEnv(from.env);
    if (!entry)
        return fail(ErrorCode::config,
                    "the environment of the policy is not available: " + entry.error().message);
    env.entry = *entry;
    if (isOfHost(env.entry->id))
        return fail(ErrorCode::config, "the environment of the policy belongs to a host program");
    auto params = env.entry->params->complete(from.env_params, "env");
    if (!params)
        return fail(ErrorCode::config, "the policy was trained with settings that '" + from.env +
                                           "' does not have in this version: " + params.error().message);
    env.params = std::move(*params);
    SEEDBED_ASSIGN(env.spec, env.entry->spec(env.params));
    if (withoutLabels(env.spec.spaces) != withoutLabels(bundle.spaces()))
        return fail(ErrorCode::config, "the observations or actions of the policy differ from those of '" +
                                           from.env + "' in this version");
    if (bundle.policies.isUsed() &&
        bundle.policies.of_seat.size() != static_cast<std::size_t>(env.spec.agents))
        return fail(ErrorCode::config, "the policies play " + std::to_string(bundle.policies.of_seat.size()) +
                                           " seats; '" + from.env + "' has " +
                                           std::to_string(env.spec.agents) + " in this version");
    return env;
}

}  // namespace seedbed
