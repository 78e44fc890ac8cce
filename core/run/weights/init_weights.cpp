// SPDX-License-Identifier: Apache-2.0
#include "core/run/weights/init_weights.hpp"

#include <vector>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

// The names of the parts that differ, for example "spaces, hidden".
std::string differentParts(const NetSpec& left, const NetSpec& right) {
    const Json l = toJson(left);
    const Json r = toJson(right);
    std::vector<std::string> names;
    for (const auto& [name, value] : l.items())
        if (!r.contains(name) || r.at(name) != value) names.push_back(name);
    return join(names, ", ");
}

}  // namespace

Result<> checkInitWeights(const LoadedPolicy& loaded, const std::string& name, const NetSpec& net) {
    if (Result<PolicyBundle> one = onePolicy(loaded.bundle); !one)
        return tl::unexpected<Error>(
            std::move(one).error().withContext("using the weights of '" + name + "'"));
    if (loaded.bundle.network.spec == net) return {};
    return fail(ErrorCode::config, "'" + name + "' (" + loaded.bundle.provenance.env +
                                       ") has a different network than this configuration; these parts "
                                       "differ: " +
                                       differentParts(loaded.bundle.network.spec, net));
}

Result<> initWeights(const LoadedPolicy& loaded, const std::string& name, Session& session) {
    SEEDBED_TRY(checkInitWeights(loaded, name, session.plan().net));
    const NamedNetwork& network = loaded.bundle.network;
    Learner& learner = session.learner();
    for (std::size_t i = 0; i < learner.networkCount(); ++i)
        if (learner.networkPlan(i).spec == network.spec)
            learner.setParams(
                i, Params(std::vector<float>(network.params.blob().begin(), network.params.blob().end()), 0));
    return {};
}

}  // namespace seedbed
