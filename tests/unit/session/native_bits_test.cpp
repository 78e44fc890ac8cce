// SPDX-License-Identifier: Apache-2.0
// With the native engine, the result of the sync schedule does not depend on the number of threads, for each
// kind of network and instruction set.
#include <gtest/gtest.h>

#include "tests/unit/nn_native/isa_util.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

struct NetworkKind {
    std::string name, env;
    Json network;
};

const std::vector<NetworkKind>& networkKinds() {
    static const std::vector<NetworkKind> list{
        {"mlp", "cartpole", {{"hidden", {24, 16}}, {"separate_critic", true}}},
        {"bits", "minatar_breakout", {{"encoder", "flat"}, {"hidden", {24}}}},
        {"convolution",
         "minatar_breakout",
         {{"encoder", "minatar_conv"}, {"hidden", {32}}, {"separate_critic", false}}},
        {"padded_convolution",
         "minatar_breakout",
         {{"encoder", "impala_deep"}, {"hidden", {16}}, {"separate_critic", false}}},
        {"lstm", "catch", {{"core", "lstm"}, {"core_size", 12}, {"previous_action", true}}},
        {"gru", "cartpole", {{"core", "gru"}, {"core_size", 12}}},
        {"layer_norm", "pendulum", {{"layer_norm", true}, {"activation", "elu"}, {"normalise_obs", true}}},
    };
    return list;
}

class NativeBits : public testing::TestWithParam<std::tuple<std::size_t, Isa>> {};

std::string hashAfter(const NetworkKind& kind, int threads, int updates) {
    const auto session = test::makeSession(test::smallConfig(
        kind.env, {{"run", {{"engine", "native"}, {"threads", threads}}}, {"network", kind.network}}));
    for (int i = 0; i < updates; ++i) {
        const auto stats = session->iterate();
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
    }
    return session->learner().params().sha256();
}

TEST_P(NativeBits, AreTheSameForOneTwoAndFourThreads) {
    const auto& [number, isa] = GetParam();
    SEEDBED_NEEDS_ISA(isa);
    const testing_native::IsaLimit limit(isa);
    const NetworkKind& kind = networkKinds()[number];
    const std::string once = hashAfter(kind, 1, 8);
    EXPECT_EQ(once, hashAfter(kind, 1, 8)) << "a second run differs";
    EXPECT_EQ(once, hashAfter(kind, 2, 8));
    EXPECT_EQ(once, hashAfter(kind, 4, 8));
    EXPECT_NE(once, hashAfter(kind, 1, 7)) << "the last update changed nothing";
}

INSTANTIATE_TEST_SUITE_P(EveryKind, NativeBits,
                         testing::Combine(testing::Range<std::size_t>(0, networkKinds().size()),
                                          testing::Values(Isa::base, Isa::avx2, Isa::avx512)),
                         [](const auto& kind) {
                             return networkKinds()[std::get<0>(kind.param)].name + "_" +
                                    nameOf(std::get<1>(kind.param));
                         });

}  // namespace
}  // namespace seedbed
