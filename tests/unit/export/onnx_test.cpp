// SPDX-License-Identifier: Apache-2.0
// The ONNX format and the interpreter: written models can be read, damaged ones are rejected, and operators
// compute what their definitions require.
#include "tests/unit/export/export_fixture.hpp"

#include "core/export/c_text.hpp"
#include "core/export/onnx/decode.hpp"
#include "core/export/onnx/encode.hpp"
#include "core/export/onnx/interpreter.hpp"
#include "core/export/onnx/policy_graph.hpp"
#include "core/export/work_array.hpp"

namespace seedbed::testing {
namespace {

using namespace onnx;

Model cartpoleModel() {
    const PolicyModel policy = must(makePolicyModel(cartpoleBundle()));
    return must(buildPolicyGraph(policy, Profile::plain, true)).model;
}

TEST(Onnx, WrittenModelsAreReadBack) {
    Model model = cartpoleModel();
    model.metadata = {{"a", "b"}, {"long", std::string(300, 'x')}};
    const auto bytes = encode(model);
    const Model again = must(decode(bytes));
    EXPECT_EQ(encode(again), bytes);
    EXPECT_EQ(again.opset, 15);
    EXPECT_EQ(again.ir_version, 8);
    EXPECT_EQ(again.metadata, model.metadata);
    EXPECT_EQ(again.inputs[0].dims, (std::vector<std::int64_t>{-1, 4}));
}

TEST(Onnx, DamagedBytesAreRejectedOrReadSafely) {
    const auto bytes = encode(cartpoleModel());
    for (std::size_t size = 0; size < bytes.size(); size += 13) (void)decode({bytes.data(), size});
    Rng rng(1, RngPurpose::test);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        auto damaged = bytes;
        for (int i = 0; i < 3; ++i)
            damaged[rng.below(static_cast<std::uint32_t>(damaged.size()))] =
                static_cast<std::uint8_t>(rng.below(256));
        auto model = decode(damaged);
        if (!model || !Interpreter::create(std::move(*model))) ++refused;
    }
    EXPECT_GT(refused, 30);
}

TEST(Onnx, ExternalDataAndOtherDomainsAreRejected) {
    // A constant with data_location and external_data (fields 14 and 13) instead of its numbers.
    const std::vector<std::uint8_t> tensor{0x08, 0x01, 0x10, 0x01, 0x42, 0x01, 'w',
                                           0x6a, 0x02, 0x0a, 0x00, 0x70, 0x01};
    std::vector<std::uint8_t> graph{0x2a, static_cast<std::uint8_t>(tensor.size())};
    graph.insert(graph.end(), tensor.begin(), tensor.end());
    std::vector<std::uint8_t> model{0x3a, static_cast<std::uint8_t>(graph.size())};
    model.insert(model.end(), graph.begin(), graph.end());
    EXPECT_FALSE(decode(model));
    const std::vector<std::uint8_t> domain{0x42, 0x04, 0x0a, 0x02, 'a', 'i'};
    EXPECT_FALSE(decode(domain));
}

// One operator on floats.
Value run(const std::string& op, const std::vector<Value>& inputs, std::vector<Attribute> attributes = {}) {
    std::vector<const Value*> pointers;
    for (const Value& value : inputs) pointers.push_back(&value);
    return must(kernels().at(op)({op, op, {}, {"y"}, std::move(attributes)}, pointers));
}
Value floats(std::vector<std::int64_t> dims, std::vector<float> values) {
    return {Type::float32, std::move(dims), std::move(values), {}};
}
Value integers(std::vector<std::int64_t> values) {
    return {Type::int64, {static_cast<std::int64_t>(values.size())}, {}, std::move(values)};
}
Attribute list(const char* name, std::vector<std::int64_t> values) {
    return {.name = name, .kind = Attribute::Kind::integers, .integers = std::move(values)};
}
Attribute one(const char* name, std::int64_t value) {
    return {.name = name, .kind = Attribute::Kind::integer, .integer = value};
}

TEST(OnnxOperators, FollowTheirDefinitions) {
    EXPECT_EQ(
        run("Gemm", {floats({1, 2}, {1, 2}), floats({3, 2}, {1, 0, 0, 1, 1, 1}), floats({3}, {10, 20, 30})},
            {one("transB", 1)})
            .floats,
        (std::vector<float>{11, 22, 33}));
    EXPECT_EQ(run("Add", {floats({2, 1}, {1, 2}), floats({3}, {10, 20, 30})}).floats,
              (std::vector<float>{11, 21, 31, 12, 22, 32}));
    EXPECT_EQ(run("Slice", {floats({2, 3}, {1, 2, 3, 4, 5, 6}), integers({1}), integers({3}), integers({1})})
                  .floats,
              (std::vector<float>{2, 3, 5, 6}));
    EXPECT_EQ(run("ArgMax", {floats({2, 3}, {1, 3, 3, 5, 4, 5})}, {one("axis", 1), one("keepdims", 1)}).ints,
              (std::vector<std::int64_t>{1, 0}));
    EXPECT_EQ(run("Expand", {floats({2}, {7, 8}), integers({2, 2})}).floats,
              (std::vector<float>{7, 8, 7, 8}));
    EXPECT_EQ(run("Concat", {floats({2, 1}, {1, 2}), floats({2, 2}, {3, 4, 5, 6})}, {one("axis", 1)}).floats,
              (std::vector<float>{1, 3, 4, 2, 5, 6}));
    const std::vector<Attribute> window{list("kernel_shape", {2, 2}), list("strides", {2, 2}),
                                        list("pads", {1, 1, 1, 1})};
    EXPECT_EQ(run("MaxPool", {floats({1, 1, 2, 2}, {-1, -2, -3, -4})}, window).floats,
              (std::vector<float>{-1, -2, -3, -4}));
    EXPECT_EQ(run("Conv",
                  {floats({1, 1, 2, 2}, {1, 2, 3, 4}), floats({1, 1, 2, 2}, {1, 10, 100, 1000}),
                   floats({1}, {0.5f})},
                  window)
                  .floats,
              (std::vector<float>{1000.5f, 200.5f, 30.5f, 4.5f}));
    EXPECT_EQ(run("Reshape", {floats({2, 3}, {1, 2, 3, 4, 5, 6}), integers({0, 3, 1})}).dims,
              (std::vector<std::int64_t>{2, 3, 1}));
    EXPECT_EQ(
        run("Where", {Value{Type::boolean, {2}, {}, {1, 0}}, floats({2}, {1, 2}), floats({}, {9})}).floats,
        (std::vector<float>{1, 9}));
}

TEST(CText, TanhOfTheHeaderIsWithinOneMillionth) {
    // Tests the formula; the matrix test compiles and tests the generated C code.
    const auto header_tanh = [](float x) {
        const float a = std::clamp(x, -7.9f, 7.9f), s = a * a;
        float n = -2.76076847742355e-16f, d = 1.19825839466702e-06f;
        for (const float c : {2.00018790482477e-13f, -8.60467152213735e-11f, 5.12229709037114e-08f,
                              1.48572235717979e-05f, 6.37261928875436e-04f, 4.89352455891786e-03f})
            n = n * s + c;
        for (const float c : {1.18534705686654e-04f, 2.26843463243900e-03f, 4.89352518554385e-03f})
            d = d * s + c;
        return a * n / d;
    };
    for (double x = -12; x <= 12; x += 1e-4) {
        const double expected = std::tanh(static_cast<double>(static_cast<float>(x)));
        ASSERT_NEAR(static_cast<double>(header_tanh(static_cast<float>(x))), expected, 1e-6) << x;
    }
}

TEST(CText, LiteralsAreReadBackAsTheSameFloat) {
    Rng rng(2, RngPurpose::test);
    for (int i = 0; i < 10000; ++i) {
        const auto x = static_cast<float>(std::exp(rng.uniform(-80, 80)) * (rng.bernoulli(0.5) ? 1 : -1));
        EXPECT_EQ(std::strtof(floatText(x).c_str(), nullptr), x);
    }
    EXPECT_EQ(floatText(1), "1.0f");
    EXPECT_EQ(floatText(0), "0.0f");
    EXPECT_EQ(commentText("a*/b/*c\n"), "a* b/ c ");
    EXPECT_EQ(identifier("a b-c"), "a_b_c");
}

TEST(CText, ValuesNeededAtTheSameTimeDoNotOverlap) {
    WorkArray array;
    const std::size_t a = array.take(10), b = array.take(5);
    EXPECT_EQ(b, a + 10);
    array.release(a);
    EXPECT_EQ(array.take(11), 15u);
    EXPECT_EQ(array.take(4), 0u);
    EXPECT_EQ(array.size(), 26u);
}

}  // namespace
}  // namespace seedbed::testing
