// SPDX-License-Identifier: Apache-2.0
// Implementation of versioned(). Included by options.hpp only.
#pragma once

#include <cstring>
#include <string>

#include "core/embed/options.hpp"

namespace seedbed {

// A structure of a newer program may have members that this library cannot honour, so it is refused.
template <class T>
ApiResult<T> versioned(const T* given, T defaults, std::size_t least, const char* name) {
    const auto refuse = [&](int code, const std::string& text) {
        return tl::unexpected<ApiError>(ApiError{code, std::string(name) + text});
    };
    if (given == nullptr) return refuse(SEEDBED_BAD_ARGUMENT, " is NULL");
    if (given->struct_size > sizeof(T))
        return refuse(SEEDBED_NEWER_VERSION,
                      ".struct_size is " + std::to_string(given->struct_size) + ", but this library knows " +
                          std::to_string(sizeof(T)) +
                          " bytes: the program was compiled for a newer version of libseedbed");
    if (given->struct_size < least)
        return refuse(SEEDBED_BAD_ARGUMENT,
                      ".struct_size is " + std::to_string(given->struct_size) + "; set it to sizeof");
    std::memcpy(static_cast<void*>(&defaults), given, given->struct_size);
    return defaults;
}

}  // namespace seedbed
