// SPDX-License-Identifier: Apache-2.0
#include "core/learn/learner_checks.hpp"

#include "core/base/finite.hpp"

namespace seedbed {

Result<> checkLearnerNets(const Algorithm& algorithm, std::vector<LearnerNet>& nets) {
    const std::vector<NetworkDecl> decls = algorithm.networks();
    SEEDBED_CHECK(decls.size() == nets.size(), "the algorithm declares a different number of networks");
    const LearnPlan plan = algorithm.plan();
    if (plan.rollout_length < 1 || plan.epochs < 1 || plan.minibatches < 1)
        return fail(ErrorCode::config, "rollout_length, epochs and minibatches must be at least 1");
    SEEDBED_CHECK(plan.replay ? plan.epochs == 1 && plan.minibatches == 1 : plan.rows_ahead < 2,
                  "a replay requires one epoch with one minibatch; other plans allow one row ahead");
    for (std::size_t i = 0; i < nets.size(); ++i) {
        SEEDBED_CHECK(nets[i].engine != nullptr && nets[i].decl.name == decls[i].name, decls[i].name);
        const std::optional<Follow>& follow = decls[i].follow;
        SEEDBED_CHECK(!follow || (!decls[i].trained && follow->of < nets.size() && follow->every > 0 &&
                                  nets[follow->of].engine->plan().spec == nets[i].engine->plan().spec),
                      "a network can only follow a network of the same shape");
        SEEDBED_CHECK(decls[i].every >= 1 &&
                      nets[i].engine->plan().spec.action_input == decls[i].action_input);
        nets[i].decl = decls[i];
        const NetPlan& net = nets[i].engine->plan();
        for (const HeadSpec& head : decls[i].heads)
            if (net.head(head.name) == nullptr)
                return fail(ErrorCode::config,
                            "network '" + decls[i].name + "' has no head '" + head.name + "'");
        if (nets[i].params.empty() || nets[i].params.blob().size() != net.param_floats)
            return fail(ErrorCode::config, "the parameters given for network '" + decls[i].name +
                                               "' have the wrong size: the network has " +
                                               std::to_string(net.param_floats) + " floats");
    }
    return {};
}

Result<> checkLearnerOptions(const LearnerOptions& options) {
    if (options.chunk_rows < 1 || options.lanes < 1)
        return fail(ErrorCode::config, "chunk_rows and lanes must be at least 1");
    const int ranks = options.collective ? options.collective->ranks() : 1;
    if (options.shards < 1 || (options.shards & (options.shards - 1)) != 0 || options.shards % ranks != 0)
        return fail(ErrorCode::config,
                    "learner.shards must be a power of two and at least the number of "
                    "ranks");
    return {};
}

std::string nonFiniteEntry(const NetPlan& plan, const std::vector<float>& gradient) {
    for (const ParamEntry& entry : plan.params)
        if (firstNonFinite(gradient.data() + entry.offset, entry.count) != entry.count) return entry.name;
    return "?";
}

}  // namespace seedbed
