// SPDX-License-Identifier: Apache-2.0
// Descriptors of operations and the engines that register implementations of them.
#include "core/nn/operation.hpp"

#include <gtest/gtest.h>

#include "core/nn/engines/reference/operations/shared/pass.hpp"
#include "tests/unit/nn/nn_util.hpp"

namespace seedbed::testing_nn {
namespace {

constexpr const char* kUnsupported = "test_unsupported";

int buildUnsupported(PlanBuilder& builder, const OpSpec& spec) {
    PlanOp op{.kind = kUnsupported, .inputs = spec.inputs};
    op.params = {builder.param(spec.name + ".weight", {3}, ParamEntry::Init::one, 1)};
    return builder.append(std::move(op), 3);
}

[[maybe_unused]] const bool unsupported_registered = registerOperation({
    .id = kUnsupported,
    .help = "An operation that no engine has.",
    .build = buildUnsupported,
});

TEST(Operation, EveryDescriptorHasReferenceKernelsInBothNumberTypes) {
    const std::vector<std::string> ids = operationRegistry().ids();
    EXPECT_GE(ids.size(), 16U);
    for (const std::string& id : ids) {
        if (id == kUnsupported) continue;
        EXPECT_NE(reference::kernelRegistry<float>().find(id), nullptr) << id;
        EXPECT_NE(reference::kernelRegistry<double>().find(id), nullptr) << id;
    }
}

TEST(Operation, EveryReferenceKernelHasADescriptor) {
    for (const std::string& id : reference::kernelRegistry<float>().ids())
        EXPECT_NE(operationRegistry().find(id), nullptr) << id;
}

TEST(Operation, AnEngineWithoutItNamesOperationAndLayer) {
    NetSpec spec;
    spec.spaces = {.obs = {vectorLeaf("obs", 3)}, .actions = {choice("move", 3)}};
    PlanBuilder builder(spec);
    builder.setScope("trunk");
    const int x = builder.add("input", {.leaf = 0});
    builder.head("out", "value", builder.add(kUnsupported, {.inputs = {x}, .name = "layer"}));
    const auto plan = builder.finish();
    ASSERT_TRUE(plan);
    const auto net = compileNet("reference", *plan, {});
    ASSERT_FALSE(net);
    EXPECT_EQ(net.error().code, ErrorCode::config);
    EXPECT_EQ(net.error().message,
              "engine 'reference' does not support operation 'test_unsupported' (layer 'trunk.layer')");
}

TEST(Operation, AnUnknownIdIsAnErrorOfThePlan) {
    NetSpec spec;
    spec.spaces = {.obs = {vectorLeaf("obs", 3)}, .actions = {choice("move", 3)}};
    PlanBuilder builder(spec);
    builder.add("test_missing", {});
    const auto plan = builder.finish();
    ASSERT_FALSE(plan);
    EXPECT_NE(plan.error().message.find("test_missing"), std::string::npos);
}

}  // namespace
}  // namespace seedbed::testing_nn
