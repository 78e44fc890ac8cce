// SPDX-License-Identifier: Apache-2.0
// Checks the structures of the C API and converts them.
#pragma once

#include <cstddef>

#include "core/embed/seedbed.h"
#include "core/embed/trainer.hpp"

namespace seedbed {

// An error of the C API: a code of seedbed.h and its text.
struct ApiError {
    int code = SEEDBED_FAILED;
    std::string text;
};
template <class T = void>
using ApiResult = tl::expected<T, ApiError>;

// Copies a versioned structure. A smaller one, of an older program, leaves the new members at the values of
// `defaults`.
template <class T>
ApiResult<T> versioned(const T* given, T defaults, std::size_t least, const char* name);

// error: a member is not allowed.
ApiResult<TrainerRequest> trainerRequest(const seedbed_options& options);
// The code for an error of the core.
ApiError apiError(const Error& error);

}  // namespace seedbed

#include "core/embed/options_inl.hpp"
