// SPDX-License-Identifier: Apache-2.0
// Weights from elsewhere into every network that has their shape.
#include "core/run/init_weights.hpp"

#include <vector>

#include "core/run/run_facts.hpp"

namespace seedbed {

Result<> initWeights(const LoadedPolicy& loaded, const std::string& name, Session& session) {
    const NamedNetwork& network = loaded.bundle.network;
    if (!(network.spec == session.plan().net))
        return fail(ErrorCode::config, "'" + name + "' (" + loaded.bundle.provenance.env +
                                           ") has another network than this configuration: different are " +
                                           differentParts(network.spec, session.plan().net));
    Learner& learner = session.learner();
    for (std::size_t i = 0; i < learner.networkCount(); ++i)
        if (learner.networkPlan(i).spec == network.spec)
            learner.setParams(
                i, Params(std::vector<float>(network.params.blob().begin(), network.params.blob().end()), 0));
    return {};
}

}  // namespace seedbed
