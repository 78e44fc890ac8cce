// SPDX-License-Identifier: Apache-2.0
// The JSON type of the project. Object keys keep their insertion order. Reading a number that does not fit
// the requested integer type throws.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace seedbed {

// nlohmann casts 1e31 to an int, which is undefined behaviour, and untrusted files may contain such numbers.
template <class T, class = void>
struct JsonSerializer : nlohmann::adl_serializer<T> {};

template <std::integral T>
    requires(!std::same_as<T, bool>)
struct JsonSerializer<T> : nlohmann::adl_serializer<T> {
    // Throws Json::out_of_range for a number that T cannot represent, Json::type_error for any other type.
    template <class AnyJson>
    static void from_json(const AnyJson& json, T& value) {
        if (json.is_number_float()) {
            // Both limits are exact powers of two. The comparison is false for NaN.
            constexpr double kLimit = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
            const double number = *json.template get_ptr<const typename AnyJson::number_float_t*>();
            const bool fits =
                std::is_signed_v<T> ? number >= -kLimit && number < kLimit : number > -1 && number < kLimit;
            if (!fits)
                throw AnyJson::out_of_range::create(406, "the number is outside the range of an integer",
                                                    &json);
        }
        nlohmann::adl_serializer<T>::from_json(json, value);
    }
};

using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t,
                                  std::uint64_t, double, std::allocator, JsonSerializer>;

}  // namespace seedbed
