// SPDX-License-Identifier: Apache-2.0
#include "core/run/init_weights.hpp"

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

Result<> initWeights(const LoadedPolicy& loaded, const std::string& name, Session& session) {
    const NamedNetwork& network = loaded.bundle.network;
    if (!(network.spec == session.plan().net))
        return fail(ErrorCode::config,
                    "'" + name + "' (" + loaded.bundle.provenance.env +
                        ") has a different network than this configuration; these parts differ: " +
                        differentParts(network.spec, session.plan().net));
    Learner& learner = session.learner();
    for (std::size_t i = 0; i < learner.networkCount(); ++i)
        if (learner.networkPlan(i).spec == network.spec)
            learner.setParams(
                i, Params(std::vector<float>(network.params.blob().begin(), network.params.blob().end()), 0));
    return {};
}

}  // namespace seedbed
