// SPDX-License-Identifier: Apache-2.0
// Turns errors and exceptions into codes of the C API, and keeps their texts.
#pragma once

#include <string>
#include <utility>

#include "core/base/thread.hpp"
#include "core/embed/options.hpp"

namespace seedbed {

// The text of seedbed_error() of this thread.
inline std::string& lastError() { return perThread<std::string>(); }

inline int fails(int code, std::string text) {
    lastError() = std::move(text);
    return code;
}

inline int fails(const ApiError& error) { return fails(error.code, error.text); }

// Runs the body of an API function, which returns a code.
template <class Body>
int guarded(const Body& body) noexcept {
    try {
        lastError().clear();
        return body();
    } catch (...) {
        try {
            return fails(apiError(currentException()));
        } catch (...) {
            return SEEDBED_OUT_OF_MEMORY;
        }
    }
}

inline int invalid(const char* text) noexcept {
    return guarded([&] { return fails(SEEDBED_BAD_ARGUMENT, text); });
}

}  // namespace seedbed
