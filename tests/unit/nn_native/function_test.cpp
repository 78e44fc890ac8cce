// SPDX-License-Identifier: Apache-2.0
// The vectorised functions stay within the errors stated in functions.inl, over the whole range of floats and
// on every instruction set.
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/nn/fast_math.hpp"
#include "tests/unit/nn_native/isa_util.hpp"

namespace seedbed::testing_native {

namespace {

class Functions : public testing::TestWithParam<Isa> {};

// Floats of all sizes and both signs: every 1021st bit pattern, so that no part of the range is omitted.
const std::vector<float>& floats() {
    static const std::vector<float> list = [] {
        std::vector<float> values;
        for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 1021)
            if (const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits)); std::isfinite(x))
                values.push_back(x);
        return values;
    }();
    return list;
}

// The largest error of `apply` compared with `truth` for inputs in [low, high]; relative to max(|truth|,
// floor).
template <class Apply, class Truth>
double largestError(const Apply& apply, const Truth& truth, float low, float high, double floor) {
    std::vector<float> y = floats();
    apply(y.data(), y.size());
    double worst = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const float x = floats()[i];
        if (x < low || x > high) continue;
        const double exact = truth(static_cast<double>(x));
        const double error = std::abs(static_cast<double>(y[i]) - exact) / std::max(std::abs(exact), floor);
        if (!(error <= worst)) worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
    return worst;
}

constexpr float kMost = std::numeric_limits<float>::max();
// Results below this are subnormal, where relative errors have no meaning.
constexpr double kNormal = std::numeric_limits<float>::min();

TEST_P(Functions, TanhIsWithinFourTimesTenToTheMinusSevenEverywhere) {
    SEEDBED_NEEDS_ISA(GetParam());
    const auto* kernels = native::kernelsOf(GetParam());
    const auto apply = [&](float* y, std::size_t n) { kernels->activate(Activation::tanh, y, n); };
    EXPECT_LT(largestError(
                  apply, [](double x) { return std::tanh(x); }, -kMost, kMost, kNormal),
              4e-7);
}

TEST_P(Functions, SigmoidKeepsItsRelativeErrorWhereItIsANormalNumber) {
    SEEDBED_NEEDS_ISA(GetParam());
    const auto* kernels = native::kernelsOf(GetParam());
    const auto apply = [&](float* y, std::size_t n) { kernels->sigmoid(y, n); };
    EXPECT_LT(largestError(
                  apply, [](double x) { return 1 / (1 + std::exp(-x)); }, -80.0f, kMost, kNormal),
              4e-7);
    // Over the whole range, the absolute error stays below 4e-7.
    EXPECT_LT(largestError(
                  apply, [](double x) { return 1 / (1 + std::exp(-x)); }, -kMost, kMost, 1.0),
              4e-7);
}

TEST_P(Functions, ExponentialKeepsItsRelativeErrorInItsRange) {
    SEEDBED_NEEDS_ISA(GetParam());
    const auto* kernels = native::kernelsOf(GetParam());
    const auto apply = [&](float* y, std::size_t n) { kernels->exponential(y, n); };
    EXPECT_LT(largestError(
                  apply, [](double x) { return std::exp(x); }, -87.0f, 88.0f, kNormal),
              3e-7);
}

TEST_P(Functions, EluKeepsItsRelativeErrorEverywhere) {
    SEEDBED_NEEDS_ISA(GetParam());
    const auto* kernels = native::kernelsOf(GetParam());
    const auto apply = [&](float* y, std::size_t n) { kernels->activate(Activation::elu, y, n); };
    // For x < 0 the result is 2 t / (1 - t) with t = tanh(x / 2), which does not amplify the relative error
    // of t; the rest of the tolerance is for rounding.
    EXPECT_LT(largestError(
                  apply, [](double x) { return x < 0 ? std::expm1(x) : x; }, -kMost, kMost, kNormal),
              1.5e-6);
}

TEST_P(Functions, NanStaysNan) {
    SEEDBED_NEEDS_ISA(GetParam());
    const auto* kernels = native::kernelsOf(GetParam());
    for (const Activation activation :
         {Activation::none, Activation::tanh, Activation::relu, Activation::elu}) {
        for (const std::size_t count : {std::size_t{1}, std::size_t{16}, std::size_t{19}}) {
            std::vector<float> y(count, std::numeric_limits<float>::quiet_NaN());
            kernels->activate(activation, y.data(), count);
            for (const float x : y) EXPECT_TRUE(std::isnan(x));
        }
    }
    std::vector<float> y(19, std::numeric_limits<float>::quiet_NaN());
    kernels->sigmoid(y.data(), y.size());
    for (const float x : y) EXPECT_TRUE(std::isnan(x));
}

INSTANTIATE_TEST_SUITE_P(EveryIsa, Functions, testing::Values(Isa::base, Isa::avx2, Isa::avx512),
                         [](const auto& isa) { return nameOf(isa.param); });

}  // namespace

}  // namespace seedbed::testing_native
