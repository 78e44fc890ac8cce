// SPDX-License-Identifier: Apache-2.0
// GAE, n-step returns and V-trace: backward recursions over time, vectorised over blocks of columns.
#include "core/algo/returns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace seedbed {
namespace {

// Columns per block; their accumulators are on the stack.
constexpr int kBlock = 64;
// Bound on log ratios before exp.
constexpr double kMaxLogRatio = 20;

// One row of a block of columns.
struct BlockRow {
    std::size_t offset;  // offset of its first element in the [T, N] arrays
    int width;
};

template <class Start, class Row>
void backward(const ReturnInput& input, const Start& start, const Row& row) {
    for (int column = 0; column < input.columns; column += kBlock) {
        const int width = std::min(kBlock, input.columns - column);
        start(input.last_value + column, width);
        for (int t = input.steps - 1; t >= 0; --t)
            row(BlockRow{static_cast<std::size_t>(t) * static_cast<std::size_t>(input.columns) +
                             static_cast<std::size_t>(column),
                         width},
                t);
    }
}

}  // namespace

void gae(const ReturnInput& input, double lambda, float* advantage, float* target) {
    double accumulated[kBlock], next_value[kBlock];
    const auto start = [&](const float* last_value, int width) {
        for (int i = 0; i < width; ++i) {
            accumulated[i] = 0;
            next_value[i] = last_value[i];
        }
    };
    backward(input, start, [&](BlockRow row, int) {
        const float *reward = input.reward + row.offset, *discount = input.discount + row.offset,
                    *value = input.value + row.offset;
        const std::uint8_t* valid = input.valid + row.offset;
        for (int i = 0; i < row.width; ++i) {
            const double v = value[i], carried = input.gamma * discount[i];
            const double difference = reward[i] + carried * next_value[i] - v;
            accumulated[i] = valid[i] != 0 ? difference + carried * lambda * accumulated[i] : 0.0;
            next_value[i] = v;
            advantage[row.offset + static_cast<std::size_t>(i)] = static_cast<float>(accumulated[i]);
            target[row.offset + static_cast<std::size_t>(i)] = static_cast<float>(accumulated[i] + v);
        }
    });
}

NStepReturn nStepReturn(const float* reward, const float* discount, const std::uint8_t* valid,
                        std::size_t stride, int n, double gamma) {
    NStepReturn result{.rows = 0, .reward = 0, .discount = 1};
    while (true) {
        const std::size_t at = static_cast<std::size_t>(result.rows) * stride;
        // After a truncation, the return bootstraps from the value of the extra row.
        if (result.rows == n || (result.rows > 0 && valid[at] == 0)) return result;
        result.reward += result.discount * static_cast<double>(reward[at]);
        result.discount *= gamma * static_cast<double>(discount[at]);
        ++result.rows;
        if (discount[at] == 0) return result;
    }
}

void nStepReturns(const ReturnInput& input, int n, float* target) {
    const auto stride = static_cast<std::size_t>(input.columns);
    double result[kBlock];
    const float* last = nullptr;
    // With n >= T, each return extends the return of the next row; otherwise each starts from its own
    // bootstrap value.
    const bool chained = n >= input.steps;
    const auto start = [&](const float* last_value, int width) {
        last = last_value;
        for (int i = 0; i < width; ++i) result[i] = last_value[i];
    };
    const auto step = [&](std::size_t offset, int width) {
        const float *reward = input.reward + offset, *discount = input.discount + offset,
                    *value = input.value + offset;
        const std::uint8_t* valid = input.valid + offset;
        for (int i = 0; i < width; ++i)
            result[i] = valid[i] != 0 ? reward[i] + input.gamma * discount[i] * result[i]
                                      : static_cast<double>(value[i]);
    };
    backward(input, start, [&](BlockRow row, int t) {
        if (chained) {
            step(row.offset, row.width);
        } else {
            const int count = std::min(n, input.steps - t);
            const float* bootstrap = t + count == input.steps ? last
                                                              : input.value + row.offset +
                                                                    static_cast<std::size_t>(count) * stride;
            for (int i = 0; i < row.width; ++i) result[i] = bootstrap[i];
            for (int k = count - 1; k >= 0; --k)
                step(row.offset + static_cast<std::size_t>(k) * stride, row.width);
        }
        for (int i = 0; i < row.width; ++i)
            target[row.offset + static_cast<std::size_t>(i)] = static_cast<float>(result[i]);
    });
}

namespace {

// The targets of V-trace. advantage_of(ratio, td_error, gamma_s (v_{s+1} - V(x_{s+1}))) is a row's advantage.
template <class AdvantageOf>
void vtraceRows(const ReturnInput& input, const float* log_ratio, const VtraceParams& params, float* target,
                float* advantage, const AdvantageOf& advantage_of) {
    double accumulated[kBlock], next_value[kBlock], gain[kBlock];
    const float* last = nullptr;
    const auto bootstrap = [&](const float* value, int width) {
        for (int i = 0; i < width; ++i) {
            accumulated[i] = 0;
            next_value[i] = value[i];
        }
    };
    const auto start = [&](const float* last_value, int width) {
        last = last_value;
        bootstrap(last_value, width);
    };
    const auto step = [&](std::size_t offset, int width) {
        const float *reward = input.reward + offset, *discount = input.discount + offset,
                    *value = input.value + offset;
        const std::uint8_t* valid = input.valid + offset;
        double ratio[kBlock];
        for (int i = 0; i < width; ++i)
            ratio[i] =
                std::exp(std::clamp(static_cast<double>(log_ratio[offset + static_cast<std::size_t>(i)]),
                                    -kMaxLogRatio, kMaxLogRatio));
        for (int i = 0; i < width; ++i) {
            const double v = value[i], carried = input.gamma * discount[i];
            const double rho = std::min(params.rho_bar, ratio[i]),
                         c = params.lambda * std::min(params.c_bar, ratio[i]);
            const double difference = reward[i] + carried * next_value[i] - v;
            gain[i] = advantage_of(ratio[i], difference, carried * accumulated[i]);
            // v_s - V(x_s), the sum in eq. 1.
            accumulated[i] = valid[i] != 0 ? rho * difference + carried * c * accumulated[i] : 0.0;
            next_value[i] = v;
        }
    };
    const int n = params.n == 0 ? input.steps : params.n;
    const auto stride = static_cast<std::size_t>(input.columns);
    backward(input, start, [&](BlockRow row, int t) {
        if (n < input.steps) {
            const int count = std::min(n, input.steps - t);
            const std::size_t end = row.offset + static_cast<std::size_t>(count) * stride;
            bootstrap(t + count == input.steps ? last : input.value + end, row.width);
            for (int k = count - 1; k > 0; --k)
                step(row.offset + static_cast<std::size_t>(k) * stride, row.width);
        }
        step(row.offset, row.width);
        const std::uint8_t* valid = input.valid + row.offset;
        for (int i = 0; i < row.width; ++i) {
            target[row.offset + static_cast<std::size_t>(i)] =
                static_cast<float>(next_value[i] + accumulated[i]);
            advantage[row.offset + static_cast<std::size_t>(i)] =
                valid[i] != 0 ? static_cast<float>(gain[i]) : 0.0f;
        }
    });
}

}  // namespace

void vtrace(const ReturnInput& input, const float* log_ratio, const VtraceParams& params, float* target,
            float* advantage) {
    // Uses v_{s+1}, not V(x_{s+1}) (appendix E.3).
    vtraceRows(input, log_ratio, params, target, advantage,
               [&](double ratio, double difference, double later) {
                   return std::min(params.pg_rho_bar, ratio) * (difference + later);
               });
}

void vtraceGae(const ReturnInput& input, const float* log_ratio, const VtraceParams& params, float* target,
               float* advantage) {
    vtraceRows(input, log_ratio, params, target, advantage,
               [&](double, double difference, double later) { return difference + params.lambda * later; });
}

void estimateAdvantages(const ReturnInput& input, const Estimator& estimator, const float* log_ratio,
                        float* advantage, float* target) {
    if (log_ratio != nullptr)
        return vtraceGae(input, log_ratio,
                         {.lambda = estimator.n > 0 ? 1 : estimator.lambda,
                          .rho_bar = estimator.rho_bar,
                          .c_bar = estimator.c_bar,
                          .n = estimator.n},
                         target, advantage);
    if (estimator.n == 0) return gae(input, estimator.lambda, advantage, target);
    nStepReturns(input, estimator.n, target);
    const auto rows = static_cast<std::size_t>(input.steps) * static_cast<std::size_t>(input.columns);
    for (std::size_t row = 0; row < rows; ++row) advantage[row] = target[row] - input.value[row];
}

}  // namespace seedbed
