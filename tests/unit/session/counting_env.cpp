// SPDX-License-Identifier: Apache-2.0
// The counting environment terminates at every 7th step and truncates at every 11th.
#include "tests/unit/session/counting_env.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/env/batch_decorator.hpp"

#include "tests/unit/env/small_spec.hpp"

namespace seedbed::test {

EnvSpec CountingEnv::spec(const Params&) {
    return smallSpec("counting", {.shape = {2}, .low = 0, .high = kCountingSpan});
}

void CountingEnv::reset(Rng&) {
    CountingControls& controls = countingControls();
    if (controls.block_reset.load() == instance_) {
        controls.blocked.fetch_add(1);
        controls.block_reset.wait(instance_);
        controls.blocked.fetch_sub(1);
    }
    if (controls.throw_instance.load() == instance_ && controls.reset_throws.load() > 0) {
        controls.reset_throws.fetch_sub(1);
        throw std::runtime_error("the counting environment failed on request in its reset");
    }
}

StepResult CountingEnv::step(const float*, float* rewards, Rng&) {
    CountingControls& controls = countingControls();
    if (controls.in_step) controls.in_step(instance_);
    if (controls.throw_instance.load() == instance_ && controls.throws.fetch_sub(1) > 0)
        throw std::runtime_error("the counting environment failed on request");
    if (controls.block_instance.load() == instance_) {
        controls.blocked.fetch_add(1);
        controls.block_instance.wait(instance_);
        controls.blocked.fetch_sub(1);
    }
    if (params_.busy_us > 0) {
        const auto end =
            std::chrono::steady_clock::now() + std::chrono::duration<double, std::micro>(params_.busy_us);
        while (std::chrono::steady_clock::now() < end) {
        }
    }
    StepResult result;
    result.reward = rewards[0] = static_cast<float>(instance_ * kCountingSpan + count_);
    ++count_;
    result.terminated = count_ % 7 == 0;
    result.truncated = !result.terminated && count_ % 11 == 0;
    return result;
}

SEEDBED_REGISTER_ENV(counting, CountingEnv)

namespace {

class SupervisedBatch final : public BatchDecorator {
public:
    explicit SupervisedBatch(std::unique_ptr<LocalBatch> inner)
        : BatchDecorator(std::move(inner), CountingEnv::spec({})) {}
    bool isSupervised() const override { return true; }
};

[[maybe_unused]] const bool registered = [] {
    EnvEntry entry = envEntry<CountingEnv>({}, Json::object(), "counting_supervised");
    entry.make = [make = entry.makeLocal](const Json& params,
                                          int count) -> Result<std::unique_ptr<EnvBatch>> {
        SEEDBED_ASSIGN(auto batch, make(params, count));
        return std::make_unique<SupervisedBatch>(std::move(batch));
    };
    registerEnv(std::move(entry));
    return true;
}();

}  // namespace

}  // namespace seedbed::test
