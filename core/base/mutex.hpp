// SPDX-License-Identifier: Apache-2.0
// Mutexes and condition variables that Clang's thread-safety analysis understands
// (https://clang.llvm.org/docs/ThreadSafetyAnalysis.html). Other compilers ignore the annotations.
//
//     Mutex mutex_;
//     std::deque<Job> jobs_ SEEDBED_GUARDED_BY(mutex_);  // read and written only while mutex_ is held
//     Job takeJob() SEEDBED_REQUIRES(mutex_);            // called only while mutex_ is held
//     changed_.wait(lock, stop, [this]() SEEDBED_REQUIRES(mutex_) { return !jobs_.empty(); });
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

#if defined(__clang__)
#define SEEDBED_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define SEEDBED_THREAD_ATTRIBUTE(x)
#endif

#define SEEDBED_GUARDED_BY(mutex) SEEDBED_THREAD_ATTRIBUTE(guarded_by(mutex))
// For pointers: guards the object pointed to, not the pointer.
#define SEEDBED_PT_GUARDED_BY(mutex) SEEDBED_THREAD_ATTRIBUTE(pt_guarded_by(mutex))
#define SEEDBED_REQUIRES(...) SEEDBED_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
// The function locks the mutex itself, so the caller must not hold it.
#define SEEDBED_EXCLUDES(...) SEEDBED_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
// Disables the analysis for one function; a comment on the function states the reason.
#define SEEDBED_NO_THREAD_SAFETY_ANALYSIS SEEDBED_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace seedbed {

class SEEDBED_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
public:
    Mutex() = default;
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;

    void lock() SEEDBED_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
    void unlock() SEEDBED_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

private:
    friend class MutexLock;
    std::mutex mutex_;
};

// Holds a mutex from construction to destruction, except between unlock() and lock().
class SEEDBED_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
public:
    explicit MutexLock(Mutex& mutex) SEEDBED_THREAD_ATTRIBUTE(acquire_capability(mutex))
        : lock_(mutex.mutex_) {}
    ~MutexLock() SEEDBED_THREAD_ATTRIBUTE(release_capability()) {}
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

    void lock() SEEDBED_THREAD_ATTRIBUTE(acquire_capability()) { lock_.lock(); }
    void unlock() SEEDBED_THREAD_ATTRIBUTE(release_capability()) { lock_.unlock(); }

private:
    template <typename>
    friend class BasicConditionVariable;
    std::unique_lock<std::mutex> lock_;
};

// The wait functions of the standard condition variables, for a MutexLock. Predicates run while the mutex is
// held; annotate the lambda with SEEDBED_REQUIRES. `Variable` is std::condition_variable or
// std::condition_variable_any.
template <typename Variable>
class BasicConditionVariable {
public:
    void notifyOne() { variable_.notify_one(); }
    void notifyAll() { variable_.notify_all(); }

    void wait(MutexLock& lock) { variable_.wait(lock.lock_); }
    template <typename Predicate>
    void wait(MutexLock& lock, Predicate predicate) {
        variable_.wait(lock.lock_, std::move(predicate));
    }
    // Returns the predicate's value: false after a stop request.
    template <typename Predicate>
    bool wait(MutexLock& lock, const std::stop_token& stop, Predicate predicate) {
        return variable_.wait(lock.lock_, stop, std::move(predicate));
    }

    // The timed functions return the predicate's value: false after the timeout or a stop request.
    template <typename Rep, typename Period, typename Predicate>
    bool waitFor(MutexLock& lock, std::chrono::duration<Rep, Period> timeout, Predicate predicate) {
        return variable_.wait_for(lock.lock_, timeout, std::move(predicate));
    }
    template <typename Rep, typename Period, typename Predicate>
    bool waitFor(MutexLock& lock, const std::stop_token& stop, std::chrono::duration<Rep, Period> timeout,
                 Predicate predicate) {
        return variable_.wait_for(lock.lock_, stop, timeout, std::move(predicate));
    }
    template <typename Clock, typename Duration, typename Predicate>
    bool waitUntil(MutexLock& lock, std::chrono::time_point<Clock, Duration> deadline, Predicate predicate) {
        return variable_.wait_until(lock.lock_, deadline, std::move(predicate));
    }
    template <typename Clock, typename Duration, typename Predicate>
    bool waitUntil(MutexLock& lock, const std::stop_token& stop,
                   std::chrono::time_point<Clock, Duration> deadline, Predicate predicate) {
        return variable_.wait_until(lock.lock_, stop, deadline, std::move(predicate));
    }

private:
    Variable variable_;
};

using ConditionVariable = BasicConditionVariable<std::condition_variable>;
// Also accepts a stop token; has a second, internal mutex.
using StoppableConditionVariable = BasicConditionVariable<std::condition_variable_any>;

}  // namespace seedbed
