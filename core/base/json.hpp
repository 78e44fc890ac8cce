// SPDX-License-Identifier: Apache-2.0
// The JSON type of the project. Object keys keep their insertion order. Reading a number that the requested
// integer type cannot represent throws.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

// A separate namespace, so that the operators below do not apply to every type that converts to Json.
namespace seedbed::json_types {

// nlohmann casts 1e31 to an int, which is undefined behaviour, and untrusted files may contain such numbers.
template <class T, class = void>
struct JsonSerializer : nlohmann::adl_serializer<T> {};

template <std::integral T>
    requires(!std::same_as<T, bool>)
struct JsonSerializer<T> : nlohmann::adl_serializer<T> {
    // Throws Json::out_of_range for a number that T cannot represent, and Json::type_error for any other
    // type.
    template <class AnyJson>
    static void from_json(const AnyJson& json, T& value) {
        if (json.is_number_float()) {
            // Both limits are exact powers of two. The comparison is false for NaN.
            constexpr T kHalf = std::numeric_limits<T>::max() / 2 + 1;
            constexpr double kLimit = 2.0 * static_cast<double>(kHalf);
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

// nlohmann's own operators are noexcept but allocate memory.
inline bool operator==(const Json& json, const char* text) noexcept {
    const auto* string = json.get_ptr<const std::string*>();
    return string != nullptr && *string == text;
}
inline bool operator!=(const Json& json, const char* text) noexcept { return !(json == text); }

}  // namespace seedbed::json_types

namespace seedbed {

using json_types::Json;

}  // namespace seedbed

// nlohmann's own definition allocates memory to avoid recursion, and a destructor that runs out of memory
// terminates the process. parseStrictJson() limits the depth.
template <>
inline void seedbed::Json::json_value::destroy(seedbed::Json::value_t type) {
    const auto release = [](auto* value) {
        std::destroy_at(value);
        std::allocator<std::remove_pointer_t<decltype(value)>>().deallocate(value, 1);
    };
    if (type == value_t::object) release(object);
    if (type == value_t::array) release(array);
    if (type == value_t::string) release(string);
    if (type == value_t::binary) release(binary);
}
