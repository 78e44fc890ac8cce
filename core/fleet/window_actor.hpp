// SPDX-License-Identifier: Apache-2.0
// The work of an actor that chooses the actions: steps a group with a copy of the learner's parameters, and
// sends windows of rows.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "core/fleet/actor_envs.hpp"
#include "core/fleet/link.hpp"
#include "core/fleet/window_messages.hpp"
#include "core/nn/engine.hpp"
#include "core/session/group.hpp"

namespace seedbed {

class WindowActor {
public:
    // `welcome`: the learner's message, which describes the network. error: config: this machine cannot run
    // the network.
    static Result<std::unique_ptr<WindowActor>> create(const Json& welcome, const ActorEnvs& envs,
                                                       const EnvSpec& spec);
    // The seconds of a row, measured with `batch`, which is then replaced by new environments. error: from
    // environments or the network; interrupted.
    Result<double> measureRow(std::unique_ptr<EnvBatch>& batch, const std::stop_token& stop) const;
    // Acts from this row of the learner's ring on until the connection ends, at first in `batch`. Returns
    // the control message that ended it. error: the connection was lost; from the network.
    Result<Json> run(Link& link, const Beginning& beginning, std::unique_ptr<EnvBatch> batch,
                     const std::stop_token& stop);

private:
    WindowActor() = default;
    Result<double> measureRowWith(std::unique_ptr<EnvBatch> batch, const std::stop_token& stop) const;

    ActorEnvs envs_;
    std::unique_ptr<EngineNet> net_;
    GroupSpec spec_;
    int length_ = 1;  // rows of a window
    double stall_s_ = 10;
};

}  // namespace seedbed
