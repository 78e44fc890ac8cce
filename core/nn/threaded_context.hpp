// SPDX-License-Identifier: Apache-2.0
// Contexts that can divide one call among threads. This is useful for large networks and calls with few rows.
#pragma once

#include "core/base/thread.hpp"
#include "core/nn/engine.hpp"

namespace seedbed {

class ThreadedContext {
public:
    virtual ~ThreadedContext() = default;
    // A forward pass with fewer rows than `pool` has threads uses the pool; null: only the caller's thread.
    // Results are the same, bit for bit. The pool must be valid until the context is destroyed or this
    // function is called again, and must not be used for anything else during a forward pass.
    virtual void useThreads(WorkerPool* pool) = 0;
};

// Returns false if the context's engine cannot divide calls.
inline bool useThreads(NetContext& context, WorkerPool* pool) {
    auto* threaded = dynamic_cast<ThreadedContext*>(&context);
    if (threaded != nullptr) threaded->useThreads(pool);
    return threaded != nullptr;
}

}  // namespace seedbed
