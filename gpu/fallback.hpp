// SPDX-License-Identifier: Apache-2.0
// A network that continues on the CPU when its device fails or has no memory left. No row is lost: the failed
// call is repeated on the CPU. A learner continues with the parameters that it had after its last update.
#pragma once

#include <atomic>
#include <memory>

#include "core/base/mutex.hpp"
#include "core/nn/learn_device.hpp"

namespace seedbed::gpu {

class FallbackNet final : public EngineNet, public LearnsOnDevice {
public:
    explicit FallbackNet(std::unique_ptr<EngineNet> device) : device_(std::move(device)) {}
    const NetPlan& plan() const override { return device_->plan(); }
    std::unique_ptr<NetContext> context() override;
    std::string takeNotice() override SEEDBED_EXCLUDES(mutex_);
    std::unique_ptr<LearnDevice> learnDevice(Optimiser* optimiser) override;

    // A context on the CPU, after a call failed with `error`. error: `error` itself if the CPU cannot run the
    // network.
    Result<std::unique_ptr<NetContext>> replacement(const Error& error) SEEDBED_EXCLUDES(mutex_);
    // The blob of the parameters whose newest contents only the device has; null for none. Calls with them
    // cannot be repeated on the CPU: they return the error, and the learner repeats its minibatch.
    std::atomic<const float*> only_on_device{nullptr};

private:
    std::unique_ptr<EngineNet> device_;
    Mutex mutex_;
    std::unique_ptr<EngineNet> cpu_ SEEDBED_GUARDED_BY(mutex_);
    std::string notice_ SEEDBED_GUARDED_BY(mutex_);
};

}  // namespace seedbed::gpu
