// SPDX-License-Identifier: Apache-2.0
// Replaces core/base/thread.hpp for the WebAssembly module, which has one thread: a pool is a plain loop.
#pragma once

#include <cstddef>
#include <functional>

#include "core/base/error.hpp"

namespace seedbed {

class WorkerPool {
public:
    using Body = std::function<Result<>(std::size_t index, int worker)>;
    int threads() const { return 1; }
    Result<> run(std::size_t count, const Body& body) {
        for (std::size_t index = 0; index < count; ++index) SEEDBED_TRY(body(index, 0));
        return {};
    }
};

}  // namespace seedbed
