// SPDX-License-Identifier: Apache-2.0
// What a context may offer besides the engine seam: one call divided among threads, for a row or two of a
// large network, where there are not enough rows to give every thread its own.
#pragma once

#include "core/base/thread.hpp"
#include "core/nn/engine.hpp"

namespace seedbed {

class SharesCalls {
public:
    virtual ~SharesCalls() = default;
    // Forward passes of fewer rows than `pool` has threads may use them all; null: the caller's only. No bit
    // of a result depends on it. Until told otherwise the pool outlives the context and does nothing else
    // during a call.
    virtual void shareCalls(WorkerPool* pool) = 0;
};

// Whether the context's engine can.
inline bool shareCalls(NetContext& context, WorkerPool* pool) {
    auto* shares = dynamic_cast<SharesCalls*>(&context);
    if (shares != nullptr) shares->shareCalls(pool);
    return shares != nullptr;
}

}  // namespace seedbed
