// SPDX-License-Identifier: Apache-2.0
// A device that fails leaves all networks, their optimisers and the followers in the state of one moment.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/learn/net_steps.hpp"
#include "core/nn/learn_device.hpp"
#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using testing::ToyOptions;

// Counts down with each read; the read at 0 fails.
struct Fault {
    int reads = -1;
    bool has_failed = false;
};

// Each step adds 1 to all parameters and to the first moment.
class CountingDevice final : public LearnDevice {
public:
    CountingDevice(Optimiser* optimiser, Fault& fault) : optimiser_(optimiser), fault_(fault) {}
    Result<> requireLanes(std::size_t) override { return {}; }
    Result<> clearLanes() override { return {}; }
    Result<> backward(NetContext&, const float*, std::size_t, const std::vector<float*>*) override {
        return {};
    }
    Result<Optimiser::StepInfo> sum(std::size_t) override { return Optimiser::StepInfo{.grad_norm = 1}; }
    Result<> load(const Params& params) override {
        if (params_.empty()) params_.assign(params.blob().begin(), params.blob().end());
        return {};
    }
    Result<> loadMoments() override { return {}; }
    Result<> step(const Optimiser::Factors&) override {
        for (float& each : params_) each += 1;
        ++steps_;
        return {};
    }
    Result<> follow(LearnDevice& other, double) override {
        params_ = dynamic_cast<CountingDevice&>(other).params_;
        return {};
    }
    void rename(const Params&, const Params&) override {}
    Result<> read(float* blob) override {
        if (fault_.reads-- == 0) {
            fault_.has_failed = true;
            return fail(ErrorCode::device, "the device was lost");
        }
        std::copy(params_.begin(), params_.end(), blob);
        if (optimiser_ != nullptr) optimiser_->state().first[0] = steps_;
        return {};
    }
    bool canLeave() const override { return true; }
    bool hasFailed() const override { return fault_.has_failed; }

private:
    Optimiser* optimiser_;
    Fault& fault_;
    std::vector<float> params_;
    float steps_ = 0;
};

class CountingNet final : public EngineNet, public LearnsOnDevice {
public:
    CountingNet(std::shared_ptr<EngineNet> net, Fault& fault) : net_(std::move(net)), fault_(fault) {}
    const NetPlan& plan() const override { return net_->plan(); }
    std::unique_ptr<NetContext> context() override { return net_->context(); }
    std::unique_ptr<LearnDevice> learnDevice(Optimiser* optimiser) override {
        return std::make_unique<CountingDevice>(optimiser, fault_);
    }

private:
    std::shared_ptr<EngineNet> net_;
    Fault& fault_;
};

// Two trained networks, and one that becomes a copy of the first after every second step.
struct Trio {
    Fault fault;
    ToyOptions options;
    std::unique_ptr<Algorithm> algorithm = testing::toyPpo(options, Json::object());
    std::vector<LearnerNet> nets;
    std::vector<LearningNet> states;
    Shards shards{{}, 1, nullptr};
    LearnerCounters counters;
    WorkerPool pool{1};
    std::unique_ptr<NetSteps> steps;

    Trio() {
        auto engine = testing::toyEngine(options, {{"policy", "policy"}, {"value", "value", 1}});
        for (const auto& [name, follow] :
             {std::pair{"policy", std::optional<Follow>()},
              {"critic", std::optional<Follow>()},
              {"target", std::optional(Follow{.of = 0, .tau = 1, .every = 2})}}) {
            NetworkDecl decl{.name = name, .heads = {}, .trained = !follow, .follow = follow};
            nets.push_back({decl, std::make_shared<CountingNet>(engine, fault), {}});
            states.emplace_back(engine->plan(), decl.trained, OptimiserParams{});
            states.back().set(Params(std::vector<float>(engine->plan().param_floats, 0.0F), 0),
                              counters.version);
        }
        steps = std::make_unique<NetSteps>(nets, states, shards, counters);
        steps->useDevices({});
    }
    void update(int count) {
        steps->begin();
        for (int i = 0; i < count; ++i)
            ASSERT_TRUE(steps->step(*algorithm, {}, counters.optimiser_steps, pool));
    }
    void expectState(float trained, float target) {
        for (std::size_t net = 0; net < 3; ++net)
            EXPECT_EQ(states[net].working()[0], net == 2 ? target : trained) << "network " << net;
        for (std::size_t net = 0; net < 2; ++net) {
            EXPECT_EQ(states[net].optimiser->steps(), static_cast<std::uint64_t>(trained));
            EXPECT_EQ(states[net].optimiser->state().first[0], trained);
        }
        EXPECT_EQ(counters.optimiser_steps, static_cast<std::uint64_t>(trained));
    }
};

TEST(NetSteps, KeepNetworksOnTheDeviceBetweenFetches) {
    Trio trio;
    trio.update(3);
    EXPECT_EQ(trio.states[0].working()[0], 0);
    ASSERT_TRUE(trio.steps->fetch());
    trio.expectState(3, 2);
}

TEST(NetSteps, AFailedFetchLeavesTheStateOfTheOneBefore) {
    for (int failing = 0; failing < 3; ++failing) {
        SCOPED_TRACE(failing);
        Trio trio;
        trio.update(3);
        ASSERT_TRUE(trio.steps->fetch());
        trio.update(3);
        trio.fault.reads = failing;
        const Result<> fetched = trio.steps->fetch();
        ASSERT_FALSE(fetched);
        ASSERT_TRUE(trio.steps->leaveDevice(fetched.error()));
        trio.expectState(3, 2);
        EXPECT_EQ(trio.states[0].device(), nullptr);
    }
}

TEST(NetSteps, FollowersThatWereDueInLostStepsAreDueAgain) {
    Trio trio;
    trio.update(3);
    ASSERT_TRUE(trio.steps->fetch());
    trio.update(1);  // the follower moves after the fourth step
    trio.fault.has_failed = true;
    ASSERT_TRUE(trio.steps->leaveDevice({ErrorCode::device, "the device was lost"}));
    trio.expectState(3, 2);
    for (LearningNet& state : trio.states) ASSERT_TRUE(state.requireLanes(1));
    ASSERT_TRUE(trio.steps->step(*trio.algorithm, {}, 3, trio.pool));
    EXPECT_EQ(trio.states[2].working(), trio.states[0].working());
    EXPECT_EQ(trio.counters.optimiser_steps, 4U);
}

TEST(NetSteps, StayOnTheDeviceIfTheMemoryOfTheHostIsExhausted) {
    Trio trio;
    EXPECT_FALSE(trio.steps->leaveDevice({ErrorCode::out_of_memory, "no memory"}));
    EXPECT_NE(trio.states[0].device(), nullptr);
    trio.fault.has_failed = true;
    EXPECT_TRUE(trio.steps->leaveDevice({ErrorCode::out_of_memory, "no memory of the device"}));
}

}  // namespace
}  // namespace seedbed
