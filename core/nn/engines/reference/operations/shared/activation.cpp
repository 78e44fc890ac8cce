// SPDX-License-Identifier: Apache-2.0
// Loops that apply the activations to arrays.
#include "core/nn/engines/reference/operations/shared/activation.hpp"

#include <cmath>

#include "core/nn/fast_math.hpp"

namespace seedbed::reference {

namespace {

SEEDBED_INLINE float tanhOf(float x) { return tanhF(x); }
SEEDBED_INLINE double tanhOf(double x) { return std::tanh(x); }
SEEDBED_INLINE float sigmoidOf(float x) { return sigmoidF(x); }
SEEDBED_INLINE double sigmoidOf(double x) { return 1 / (1 + std::exp(-x)); }
// e^x - 1 for x <= 0 as 2 tanh(x/2) / (1 - tanh(x/2)), which keeps the relative error small for x near 0.
SEEDBED_INLINE float expm1Of(float x) {
    const float half = tanhF(0.5f * x);
    return 2.0f * half / (1.0f - half);
}
SEEDBED_INLINE double expm1Of(double x) { return std::expm1(x); }

template <class F>
SEEDBED_INLINE void activateLoop(Activation activation, F* y, std::size_t count) {
    switch (activation) {
        case Activation::none: break;
        case Activation::tanh:
            for (std::size_t i = 0; i < count; ++i) y[i] = tanhOf(y[i]);
            break;
        case Activation::relu:
            // NaN stays NaN.
            for (std::size_t i = 0; i < count; ++i) y[i] = y[i] < F(0) ? F(0) : y[i];
            break;
        case Activation::elu:
            for (std::size_t i = 0; i < count; ++i) {
                const F negative = expm1Of(y[i] < F(0) ? y[i] : F(0));
                y[i] = y[i] < F(0) ? negative : y[i];
            }
            break;
    }
}

template <class F>
SEEDBED_INLINE void deactivateLoop(Activation activation, const F* y, F* gradient, std::size_t count) {
    switch (activation) {
        case Activation::none: break;
        case Activation::tanh:
            for (std::size_t i = 0; i < count; ++i) gradient[i] *= F(1) - y[i] * y[i];
            break;
        case Activation::relu:
            for (std::size_t i = 0; i < count; ++i) gradient[i] = y[i] > F(0) ? gradient[i] : F(0);
            break;
        case Activation::elu:
            for (std::size_t i = 0; i < count; ++i) gradient[i] *= y[i] > F(0) ? F(1) : y[i] + F(1);
            break;
    }
}

template <class F>
SEEDBED_INLINE void sigmoidLoop(F* y, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) y[i] = sigmoidOf(y[i]);
}

SEEDBED_VERSIONED(activateFloat, activateLoop, (Activation activation, float* y, std::size_t count),
                  (activation, y, count))
SEEDBED_VERSIONED(deactivateFloat, deactivateLoop,
                  (Activation activation, const float* y, float* gradient, std::size_t count),
                  (activation, y, gradient, count))
SEEDBED_VERSIONED(sigmoidFloat, sigmoidLoop, (float* y, std::size_t count), (y, count))

}  // namespace

void activate(Activation activation, float* y, std::size_t count) { activateFloat(activation, y, count); }
void activate(Activation activation, double* y, std::size_t count) { activateLoop(activation, y, count); }
void deactivate(Activation activation, const float* y, float* gradient, std::size_t count) {
    deactivateFloat(activation, y, gradient, count);
}
void deactivate(Activation activation, const double* y, double* gradient, std::size_t count) {
    deactivateLoop(activation, y, gradient, count);
}
void sigmoid(float* y, std::size_t count) { sigmoidFloat(y, count); }
void sigmoid(double* y, std::size_t count) { sigmoidLoop(y, count); }

}  // namespace seedbed::reference
