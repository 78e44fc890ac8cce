// SPDX-License-Identifier: Apache-2.0
// Compares two JSON values recursively.
#include "core/env/json_difference.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed {
namespace {

constexpr double kSmallest = 1e-3;  // magnitude below which the tolerance is absolute, since sums near 0 have
                                    // rounding errors

bool isNumeric(const Json& value) { return value.is_number() || value.is_boolean(); }
double numberOf(const Json& value) {
    return value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>();
}

// Counts the real numbers that are not integers. Returns false if a number is not representable as float32.
bool countFractions(const Json& value, std::size_t& fractions) {
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (static_cast<double>(static_cast<float>(number)) != number) return false;
        if (number != std::floor(number)) ++fractions;
        return true;
    }
    if (!value.is_structured()) return true;
    return std::all_of(value.begin(), value.end(),
                       [&](const Json& part) { return countFractions(part, fractions); });
}

}  // namespace

bool sameNumber(const Json& expected, double got, double relative) {
    const double number = numberOf(expected);
    if (!expected.is_number_float()) return number == got;
    return std::abs(got - number) <= relative * std::max(std::abs(number), kSmallest);
}

std::optional<JsonDifference> firstDifference(const Json& expected, const Json& got, double relative,
                                              const std::string& path) {
    const auto different = [&] { return JsonDifference{path, expected.dump(), got.dump()}; };
    if (expected.is_object()) {
        if (!got.is_object()) return different();
        for (const auto& [key, value] : expected.items()) {
            const std::string inner = path + "." + key;
            const auto found = got.find(key);
            if (found == got.end()) return JsonDifference{inner, value.dump(), "nothing"};
            if (auto difference = firstDifference(value, *found, relative, inner)) return difference;
        }
        return std::nullopt;
    }
    if (expected.is_array()) {
        if (!got.is_array() || got.size() != expected.size()) return different();
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (auto difference =
                    firstDifference(expected[i], got[i], relative, path + "[" + std::to_string(i) + "]"))
                return difference;
        return std::nullopt;
    }
    if (isNumeric(expected)) {
        if (!isNumeric(got) || !sameNumber(expected, numberOf(got), relative)) return different();
        return std::nullopt;
    }
    return expected == got ? std::nullopt : std::optional(different());
}

bool isFloat32(const Json& value) {
    std::size_t fractions = 0;
    return countFractions(value, fractions) && fractions > 0;
}

}  // namespace seedbed
