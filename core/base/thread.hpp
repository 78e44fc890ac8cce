// SPDX-License-Identifier: Apache-2.0
// Named threads, whose failures are reported instead of terminating the process, and a thread pool for
// data-parallel loops.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <stop_token>
#include <string>
#include <thread>

#include <pthread.h>

#include "core/base/error.hpp"

namespace seedbed {

// The name of the calling thread, as given to NamedThread; "main" for other threads.
const std::string& currentThreadName();

// The calling thread's own T: value-initialised at the first call and destroyed when the thread exits (never
// for the main thread). All callers share one object per thread and T. Use it instead of a thread_local with
// a destructor: if there is no memory to register the destructor, glibc terminates the process, whereas this
// function throws std::bad_alloc.
template <class T>
T& perThread() {
    static const pthread_key_t key = [] {
        pthread_key_t created;
        if (pthread_key_create(&created, [](void* value) { delete static_cast<T*>(value); }) != 0)
            throw std::bad_alloc();
        return created;
    }();
    if (void* value = pthread_getspecific(key)) return *static_cast<T*>(value);
    auto value = std::make_unique<T>();
    if (pthread_setspecific(key, value.get()) != 0) throw std::bad_alloc();
    return *value.release();
}

// A named thread. The system shows at most 15 characters of the name. The destructor requests a stop and
// joins.
//
// If the body returns an Error or throws, `on_failure` is called on that thread with the name and the error;
// an empty `on_failure` logs it.
class NamedThread {
public:
    using Body = std::function<Result<>(std::stop_token)>;
    using OnFailure = std::function<void(const std::string& name, const Error&)>;

    NamedThread() = default;
    NamedThread(std::string name, Body body, OnFailure on_failure);
    NamedThread(NamedThread&&) = default;
    NamedThread& operator=(NamedThread&&) = default;

    void requestStop() { thread_.request_stop(); }
    void join() {
        if (thread_.joinable()) thread_.join();
    }
    // Detaches a thread that may never return. Its body must own everything that it uses.
    void detach() {
        if (thread_.joinable()) thread_.detach();
    }

private:
    std::jthread thread_;
};

// A fixed number of threads for data-parallel loops. The threads spin briefly between runs, then sleep.
// Thread: one owner at a time.
class WorkerPool {
public:
    explicit WorkerPool(int threads);  // >= 1, including the calling thread
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    int threads() const;
    // Calls body(index, worker) for every index in [0, count) and waits for all calls. `worker` is in [0,
    // threads()); 0 is the calling thread. Results must not depend on it. After an error, skips indices that
    // have not started and returns the error of the lowest failed index. Must not be nested. Allocates
    // nothing unless a call fails.
    using Body = std::function<Result<>(std::size_t index, int worker)>;
    Result<> run(std::size_t count, const Body& body);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
