// SPDX-License-Identifier: Apache-2.0
// Common parts of actor-critic algorithms with one network that has a policy head and a value head.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/algo/algorithm.hpp"
#include "core/base/describe.hpp"

namespace seedbed {

// A network "policy" with the heads "policy" and "value".
NetworkDecl actorCriticNetwork(bool popart = false);

// The remaining fraction of a linear schedule over `horizon` steps: 1 at the start, 0 from step `horizon` on.
double remainingFraction(const Progress& progress, std::int64_t horizon);

// The learning rate of the linear schedule. Params must have learning_rate, lr_end and lr_horizon.
template <class Params>
double linearRate(const Params& params, const Progress& progress) {
    return params.lr_end +
           (params.learning_rate - params.lr_end) * remainingFraction(progress, params.lr_horizon);
}

// Describes the fields of P that linearRate() reads, and lr_schedule.
template <class P>
void describeLinearRate(Description<P>& d) {
    d.field(&P::learning_rate, "learning_rate", "Initial step size of the optimiser.",
            {.min = 0, .max = 10, .level = Level::recipe, .live = true})
        .field(&P::lr_schedule, "lr_schedule",
               "Whether the learning rate is constant or decreases linearly over lr_horizon.",
               {.choices = {"constant", "linear"}, .level = Level::recipe})
        .field(&P::lr_horizon, "lr_horizon",
               "Length of the linear schedule, independent of when the run stops or resumes.",
               {.unit = "steps", .min = 1, .level = Level::recipe, .live = true})
        .field(&P::lr_end, "lr_end", "Learning rate at the end of the linear schedule and after it.",
               {.min = 0, .max = 10});
}

// The position of the value in the head outputs [rows, stride].
struct ValueColumn {
    std::size_t stride = 0;
    std::size_t begin = 0;

    explicit ValueColumn(const NetPlan& plan);
    // Copies the values of `rows` rows to `values` [rows].
    void copy(const float* heads, std::size_t rows, float* values) const;
};

// `rows`, rounded up to a multiple of PolicyEvaluator::kRowLanes.
std::size_t paddedRows(std::size_t rows);

// Uninitialised scratch memory of at least `floats` floats; one per thread, valid until the next call.
float* algorithmScratch(std::size_t floats);

// kColumns arrays of paddedRows(rows) floats in the thread's scratch memory.
template <std::size_t kColumns>
std::array<float*, kColumns> scratchColumns(std::size_t rows) {
    const std::size_t padded = paddedRows(rows);
    float* next = algorithmScratch(kColumns * padded);
    std::array<float*, kColumns> columns{};
    for (float*& column : columns) column = std::exchange(next, next + padded);
    return columns;
}

// Copies the live fields of `changed`, a checked and complete document, to `params`.
template <class Params>
void setLiveFields(Params& params, const Json& changed) {
    Json all = Params::describe().write(params);
    for (const FieldInfo& field : Params::describe().schema().fields)
        if (field.live) all[field.name] = changed.at(field.name);
    params = Params::describe().read(all);
}

// Creates an algorithm of class T from checked parameters; missing parameters have their defaults.
template <class Params, class T>
std::unique_ptr<Algorithm> makeAlgorithm(const Json& params, const ActionDistribution& distribution) {
    auto parsed = Params::describe().parse(params);
    SEEDBED_CHECK(parsed.has_value(), parsed.error().text());
    return std::make_unique<T>(std::move(*parsed), distribution);
}

}  // namespace seedbed
