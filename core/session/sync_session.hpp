// SPDX-License-Identifier: Apache-2.0
// The sync schedule: all threads collect experience, then all threads learn. The same configuration and seed
// give the same parameters for any number of threads, with inline and central inference (on engines that
// compute rows independently).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/os/clock.hpp"
#include "core/session/actor_crew.hpp"
#include "core/session/inference_devices.hpp"
#include "core/session/session.hpp"

namespace seedbed {

class SyncSession final : public Session {
public:
    static Result<std::unique_ptr<Session>> create(Parts parts);
    ~SyncSession() override;

    // Completes a rollout that has begun: a stop request takes effect before the next iteration.
    Result<IterationStats> iterate(std::stop_token stop) override;
    using Session::archive;
    Result<> archive(Archive& archive, Archive* windows) override;

private:
    explicit SyncSession(Parts parts) : Session(std::move(parts)) {}
    Result<> rollOutInline();
    Result<> rollOutCentral();
    PhaseSums workerSeconds() const;

    RealClock clock_;
    std::optional<Error> failed_;                // of a rollout; every later iterate() returns it
    std::vector<ActingParams::Reader> readers_;  // per group
    std::vector<std::vector<EpisodeEnd>> ended_;
    std::vector<std::unique_ptr<ThreadTimes>>
        times_;  // per group with inline, per thread with central inference
    // With central inference:
    std::unique_ptr<ActorCrew> crew_;
    Mutex failure_mutex_;
    std::optional<Error> failure_ SEEDBED_GUARDED_BY(failure_mutex_);  // of inference
    std::unique_ptr<InferenceDevices> inference_;
};

}  // namespace seedbed
