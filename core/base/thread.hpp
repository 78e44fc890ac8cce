// SPDX-License-Identifier: Apache-2.0
// Threads that cannot take the process down silently: named, guarded, joined by their owner. And the pool for
// data-parallel work.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/error.hpp"

namespace seedbed {

// Name of the calling thread as given to NamedThread; "main" for any other.
const std::string& currentThreadName();

// One thread with a name (at most 15 letters are shown by the system). The body gets a stop token; an Error
// it returns or an exception that escapes it is handed to `on_failure` with the thread's name (on that
// thread; an empty on_failure logs it). The destructor requests stop and joins.
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

private:
    std::jthread thread_;
};

// A fixed team of threads for data-parallel loops. `run` hands out indices 0..count-1 one at a time to all
// threads, the caller among them, and returns when all are done; which thread does which index is not
// determined, so results must not depend on it. Thread: run() by one owner at a time. Between short runs the
// threads spin briefly, then sleep.
class WorkerPool {
public:
    explicit WorkerPool(int threads);  // >= 1, the caller counts as one
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    int threads() const;
    // body(index, worker), worker in [0, threads()), 0 = the caller. After an error or exception, indices not
    // yet begun are skipped; when those in flight are done, the error of the lowest index is returned. Never
    // nested. Allocates nothing unless something fails.
    Result<> run(std::size_t count, const std::function<Result<>(std::size_t index, int worker)>& body);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
