// SPDX-License-Identifier: Apache-2.0
#include "core/learn/net_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/finite.hpp"
#include "core/learn/learner_checks.hpp"

namespace seedbed {

void NetSteps::useDevices(const LearnerOptions& options) {
    if (options.shards > 1 || options.collective != nullptr) return;
    norms_.assign(nets_.size(), 0.0);
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        if (!nets_[net].decl.trained && !nets_[net].decl.follow) continue;
        auto device = learnDevice(*nets_[net].engine, states_[net].optimiser.get());
        // All networks of a run have the same engine.
        if (device == nullptr) return;
        states_[net].useDevice(std::move(device));
        on_device_ = true;
    }
}

Result<> NetSteps::fetch() {
    for (std::size_t net = 0; net < states_.size(); ++net) {
        const Result<> fetched = states_[net].fetch();
        if (fetched) continue;
        for (std::size_t earlier = 0; earlier < net; ++earlier) states_[earlier].undoFetch();
        return fetched;
    }
    fetched_steps_ = counters_.optimiser_steps;
    return {};
}

bool NetSteps::leaveDevice(const Error& error) {
    const bool may_leave = std::ranges::all_of(states_, [](const LearningNet& state) {
        return state.device() == nullptr || state.device()->canLeave();
    });
    if (!on_device_ || !may_leave) return false;
    const bool has_failed = std::ranges::any_of(states_, [](const LearningNet& state) {
        return state.device() != nullptr && state.device()->hasFailed();
    });
    // The memory of the host may be exhausted, too.
    if (error.code != ErrorCode::device && (error.code != ErrorCode::out_of_memory || !has_failed))
        return false;
    leaveDevices();
    return true;
}

void NetSteps::leaveDevices() {
    // Followers that were due after lost steps are due again.
    if (std::exchange(on_device_, false)) counters_.optimiser_steps = fetched_steps_;
    for (LearningNet& state : states_) state.leaveDevice(counters_.version);
}

void NetSteps::endFailed() {
    if (!fetch()) leaveDevices();
}

Result<> NetSteps::sum(std::size_t net, WorkerPool& pool) {
    LearningNet& state = states_[net];
    std::string culprit;
    if (state.device() != nullptr) {
        SEEDBED_ASSIGN(const Optimiser::StepInfo info, state.device()->sum(shards_.lanes().size()));
        norms_[net] = info.grad_norm;
        if (info.finite) return {};
        culprit = info.culprit;
    } else {
        SEEDBED_ASSIGN(const bool finite, shards_.sum(state.lanes, pool));
        if (finite) return {};
        culprit = nonFiniteEntry(nets_[net].engine->plan(), state.lanes.total());
    }
    return failNonFinite("the gradient of parameter '" + culprit + "' of network '" + nets_[net].decl.name +
                         "' is not a finite number");
}

Result<double> NetSteps::stepOne(std::size_t net, double rate, WorkerPool& pool) {
    LearningNet& state = states_[net];
    if (state.device() != nullptr) {
        SEEDBED_TRY(state.stepOnDevice(rate, norms_[net], counters_.version));
        return norms_[net];
    }
    const Optimiser::StepInfo info = state.optimiser->step(state.working(), state.lanes.total(), rate, &pool);
    if (!info.finite)
        return failNonFinite("the gradient of parameter '" + info.culprit + "' of network '" +
                             nets_[net].decl.name + "' is too large");
    state.lanes.clearSum();
    state.changed(counters_.version);
    return info.grad_norm;
}

Result<double> NetSteps::step(const Algorithm& algorithm, const Progress& progress,
                              std::uint64_t optimiser_step, WorkerPool& pool) {
    for (std::size_t net = 0; net < nets_.size(); ++net)
        if (isSteppedAt(nets_[net].decl, optimiser_step)) SEEDBED_TRY(sum(net, pool));
    double squares = 0;
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        if (!isSteppedAt(nets_[net].decl, optimiser_step)) continue;
        SEEDBED_ASSIGN(const double norm, stepOne(net, algorithm.networkRate(net, progress), pool));
        squares += norm * norm;
    }
    SEEDBED_TRY(follow());
    return std::sqrt(squares);
}

Result<> NetSteps::follow() {
    const bool any =
        std::ranges::any_of(nets_, [](const LearnerNet& net) { return net.decl.follow.has_value(); });
    if (!any) return {};
    ++counters_.optimiser_steps;
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        const std::optional<Follow>& rule = nets_[net].decl.follow;
        if (!rule || counters_.optimiser_steps % static_cast<std::uint64_t>(rule->every) != 0) continue;
        LearningNet &own = states_[net], &other = states_[rule->of];
        if (own.device() != nullptr) {
            SEEDBED_TRY(own.approachOnDevice(other, rule->tau, counters_.version));
            continue;
        }
        own.approach(other.working(), rule->tau);
        own.changed(counters_.version);
    }
    return {};
}

}  // namespace seedbed
