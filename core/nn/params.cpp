// SPDX-License-Identifier: Apache-2.0
// Params and the initialisation of parameters.
#include "core/nn/params.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/rng.hpp"
#include "core/base/sha256.hpp"
#include "core/base/simd.hpp"

namespace seedbed {

namespace {

// Dot product with eight partial sums in a fixed order, so the result is the same, bit for bit, on every
// instruction set.
SEEDBED_INLINE void dotLoop(const double* a, const double* b, std::size_t count, double* result) {
    double part[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t j = 0; j < 8; ++j) part[j] += a[i + j] * b[i + j];
    for (; i < count; ++i) part[i % 8] += a[i] * b[i];
    *result = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}
SEEDBED_VERSIONED(dot, dotLoop, (const double* a, const double* b, std::size_t count, double* result),
                  (a, b, count, result))

SEEDBED_INLINE void subtractLoop(double* a, const double* b, double factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) a[i] -= factor * b[i];
}
SEEDBED_VERSIONED(subtract, subtractLoop, (double* a, const double* b, double factor, std::size_t count),
                  (a, b, factor, count))

// A random [rows, columns] matrix whose rows or columns, whichever are fewer, are orthonormal, times gain
// (Saxe et al. 2014). Modified Gram-Schmidt on Gaussian vectors gives the factor Q of a QR decomposition in
// which R has a positive diagonal; this Q is uniformly distributed.
void fillOrthogonal(Rng& rng, std::size_t rows, std::size_t columns, double gain, float* weight) {
    const std::size_t vectors = std::min(rows, columns), length = std::max(rows, columns);
    std::vector<double> q(vectors * length);
    for (double& x : q) x = rng.normal();
    for (std::size_t i = 0; i < vectors; ++i) {
        double* v = &q[i * length];
        double product = 0;
        for (std::size_t j = 0; j < i; ++j) {
            dot(&q[j * length], v, length, &product);
            subtract(v, &q[j * length], product, length);
        }
        dot(v, v, length, &product);
        const double scale = 1 / std::sqrt(product);
        for (std::size_t k = 0; k < length; ++k) v[k] *= scale;
    }
    const bool wide = columns >= rows;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            weight[r * columns + c] =
                static_cast<float>(gain * (wide ? q[r * length + c] : q[c * length + r]));
}

}  // namespace

Params::Params(std::vector<float> blob, std::uint64_t version)
    : blob_(std::make_shared<const std::vector<float>>(std::move(blob))), version_(version) {}

Params::Params(std::shared_ptr<const std::vector<float>> blob, std::uint64_t version)
    : blob_(std::move(blob)), version_(version) {}

std::string Params::sha256() const { return sha256Hex(std::as_bytes(blob())); }

Params initialParams(const NetPlan& plan, std::uint64_t seed, std::uint32_t network) {
    std::vector<float> blob(plan.param_floats, 0.0f);
    for (std::size_t i = 0; i < plan.params.size(); ++i) {
        const ParamEntry& entry = plan.params[i];
        float* values = &blob[entry.offset];
        switch (entry.init) {
            case ParamEntry::Init::zero: break;
            case ParamEntry::Init::one: std::fill_n(values, entry.count, 1.0f); break;
            case ParamEntry::Init::constant:
                std::fill_n(values, entry.count, static_cast<float>(entry.gain));
                break;
            case ParamEntry::Init::orthogonal: {
                Rng rng(seed, RngPurpose::parameters, static_cast<std::uint32_t>(i) + (network << 16));
                const auto rows = static_cast<std::size_t>(entry.shape[0]);
                fillOrthogonal(rng, rows, entry.count / rows, entry.gain, values);
                break;
            }
        }
    }
    return Params(std::move(blob), 0);
}

}  // namespace seedbed
