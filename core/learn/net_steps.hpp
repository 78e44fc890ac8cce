// SPDX-License-Identifier: Apache-2.0
// The optimiser steps after a minibatch, on the CPU or on a device: sums of gradients, steps, and networks
// that follow others.
#pragma once

#include "core/learn/learner.hpp"
#include "core/learn/learning_net.hpp"
#include "core/learn/shards.hpp"
#include "core/learn/update_backup.hpp"

namespace seedbed {

// Thread: the learner's.
class NetSteps {
public:
    // All must outlive this object; one element per network.
    NetSteps(const std::vector<LearnerNet>& nets, std::vector<LearningNet>& states, Shards& shards,
             LearnerCounters& counters)
        : nets_(nets), states_(states), shards_(shards), counters_(counters) {}

    // Trains on the device of the networks, if their engine can do that. Ranks and shards add their gradients
    // in a tree on the CPU, so that their number does not change the result.
    void useDevices(const LearnerOptions& options);
    // Call before the first step of an update.
    void begin() { fetched_steps_ = counters_.optimiser_steps; }
    // LearningNet::fetch() of all networks, or of none if there is an error.
    Result<> fetch();
    // Returns false unless `error` is a failure of the device after which training may continue. Then the
    // networks have the state of the last fetch().
    bool leaveDevice(const Error& error);
    // As fetch(), after an update has failed. If the device has failed, the networks leave it and keep the
    // state of the last fetch().
    void endFailed();

    // Checks the gradients of all networks that step after `optimiser_step` before it changes any of them.
    // Returns the norm of all gradients. error: kNonFinite, device, out_of_memory; kRankLost.
    Result<double> step(const Algorithm& algorithm, const Progress& progress, std::uint64_t optimiser_step,
                        WorkerPool& pool);

private:
    void leaveDevices();
    Result<> sum(std::size_t net, WorkerPool& pool);
    Result<double> stepOne(std::size_t net, double rate, WorkerPool& pool);
    Result<> follow();

    const std::vector<LearnerNet>& nets_;
    std::vector<LearningNet>& states_;
    Shards& shards_;
    LearnerCounters& counters_;
    bool on_device_ = false;
    std::uint64_t fetched_steps_ = 0;  // counters_.optimiser_steps at the last fetch()
    std::vector<double> norms_;        // of the sums on a device, by network
};

}  // namespace seedbed
