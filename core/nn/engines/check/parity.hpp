// SPDX-License-Identifier: Apache-2.0
// Compares the results of two engines, for tests, `doctor` and the check engine.
#pragma once

#include <string>

#include "core/nn/engine.hpp"

namespace seedbed {

// Largest allowed errors. Outputs in float have a relative error of about 1e-7 per layer. Gradients are sums
// over many rows, so their error is relative to norms.
struct ParityTolerance {
    double forward = 1e-5;   // relative to max(1, largest output)
    double gradient = 1e-4;  // relative to a parameter's gradient norm, or to a hundredth of the whole
                             // gradient's norm if that is larger

    // The defaults, except that the gradient tolerance is 1e-2 if the rows have more than 10^4 ReLUs and
    // pooled maxima: rounding may put an input on different sides of a kink in two correct engines.
    static ParityTolerance forRows(const NetPlan& plan, int rows);
};

struct ParityReport {
    double forward = 0, gradient = 0;  // errors in the units of ParityTolerance
    std::string worst_output;          // "head 'value', row 3"
    std::string worst_gradient;        // name of a parameter

    void include(const ParityReport& other);
    // error: parity, with the engine's `name`, the differences and their positions.
    Result<> check(const ParityTolerance& tolerance, const std::string& name) const;
};

ParityReport compareHeads(const NetPlan& plan, int rows, const float* truth, const float* tested);
ParityReport compareStates(const NetPlan& plan, int sequences, const float* truth, const float* tested);
ParityReport compareGradients(const NetPlan& plan, const std::vector<float>& truth,
                              const std::vector<float>& tested);
// Compares the `count` gradients of the observation leaf `leaf`; the error is relative to their norm.
ParityReport compareInputGradients(const NetPlan& plan, std::size_t leaf, std::size_t count,
                                   const float* truth, const float* tested);

// Runs both engines on random inputs and parameters, forward and backward, and again with only the gradients
// of inputs. error: from the engines.
Result<ParityReport> measureParity(EngineNet& truth, EngineNet& tested, int sequences, int steps,
                                   std::uint64_t seed);

}  // namespace seedbed
