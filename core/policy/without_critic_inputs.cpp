// SPDX-License-Identifier: Apache-2.0
#include "core/policy/without_critic_inputs.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/nn/net_plan.hpp"

namespace seedbed {

Result<PolicyBundle> withoutCriticInputs(PolicyBundle bundle) {
    NamedNetwork& network = bundle.network;
    const std::vector<ObsLeaf> leaves = network.spec.spaces.obs;
    const auto is_critic_only = [](const ObsLeaf& leaf) { return leaf.critic_only; };
    if (std::none_of(leaves.begin(), leaves.end(), is_critic_only)) return bundle;
    SEEDBED_ASSIGN(const NetPlan from, buildPlan(network.spec));
    if (network.params.empty() || network.params.blob().size() != from.param_floats)
        return fail(ErrorCode::config, "the parameters of the policy do not match its network");

    NetSpec& spec = network.spec;
    spec.spaces = withoutCriticOnly(std::move(spec.spaces));
    const std::vector<ObsLeaf>& kept = spec.spaces.obs;
    std::erase_if(spec.encoders, [&](const EncoderSpec& encoder) {
        return std::none_of(kept.begin(), kept.end(),
                            [&](const ObsLeaf& leaf) { return leaf.name == encoder.leaf; });
    });
    std::erase_if(spec.heads, [](const HeadSpec& head) { return head.kind == "value"; });
    SEEDBED_ASSIGN(const NetPlan to, buildPlan(spec));
    const auto convert = [&](Params& params) {
        std::vector<float> blob(to.param_floats, 0.0f);
        for (const ParamEntry& entry : to.params) {
            // Without a critic, the layers of the policy are the trunk.
            constexpr std::string_view kTrunk = "trunk.";
            const ParamEntry* source = from.param(entry.name);
            if (source == nullptr && entry.name.starts_with(kTrunk))
                source = from.param("policy." + entry.name.substr(kTrunk.size()));
            SEEDBED_CHECK(source != nullptr && source->shape == entry.shape, "no source for " + entry.name);
            std::copy_n(params.at(*source), entry.count,
                        blob.begin() + static_cast<std::ptrdiff_t>(entry.offset));
        }
        params = Params(std::move(blob), params.version());
    };
    convert(network.params);
    for (Params& params : bundle.others) convert(params);

    Json& env = bundle.provenance.env_params;
    if (env.is_object() && env.contains("wrap") && env["wrap"].is_object())
        env["wrap"]["central_critic"] = false;
    return bundle;
}

}  // namespace seedbed
