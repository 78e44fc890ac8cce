// SPDX-License-Identifier: Apache-2.0
// Guarded threads, and the pool that distributes the indices of a loop.
#include "core/base/thread.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <vector>

#include <pthread.h>

#include "core/base/log.hpp"
#include "core/base/mutex.hpp"

namespace seedbed {

namespace {

thread_local const std::string* thread_name = nullptr;

Result<> guarded(const NamedThread::Body& body, std::stop_token stop) try {
    return body(std::move(stop));
} catch (...) {
    return tl::unexpected<Error>(currentException());
}

}  // namespace

const std::string& currentThreadName() {
    static const std::string main = "main";
    return thread_name ? *thread_name : main;
}

NamedThread::NamedThread(std::string name, Body body, OnFailure on_failure) {
    thread_ = std::jthread([name = std::move(name), body = std::move(body),
                            on_failure = std::move(on_failure)](std::stop_token stop) {
        thread_name = &name;
        pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
        const Result<> result = guarded(body, std::move(stop));
        if (!result && on_failure) on_failure(name, result.error());
        if (!result && !on_failure)
            log::error("a thread failed", {{"thread_name", name}, {"error", result.error().text()}});
        thread_name = nullptr;  // destructors that run later in this thread may log
    });
}

namespace {

// A short run is often followed by another within microseconds, and waking a sleeping core of a virtual
// machine takes 50 us or more. With more threads than cores, spinning would only delay other threads.
constexpr std::chrono::microseconds kSpin{200};

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

template <class Ready>
bool spinUntil(const Ready& ready, std::chrono::nanoseconds limit) {
    if (ready()) return true;
    if (limit.count() == 0) return false;
    const auto end = std::chrono::steady_clock::now() + limit;
    do {
        for (int i = 0; i < 16; ++i) {
            pause();
            if (ready()) return true;
        }
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

}  // namespace

// A run publishes body and count, then sets remaining = count. The thread that decrements remaining from r
// owns index count - r, and only owners read body and count. run() returns when done has reached count, so
// the next run cannot change them while an owner uses them. A thread that wakes up late finds remaining = 0
// or participates in a later run.
struct WorkerPool::Impl {
    const Body* body = nullptr;
    std::size_t count = 0;
    alignas(64) std::atomic<std::size_t> remaining{0};
    alignas(64) std::atomic<std::uint32_t> done{0};        // 32 bits: the size a futex can wait on
    alignas(64) std::atomic<std::uint32_t> generation{0};  // one per run; the workers wait for a change
    std::atomic<bool> stopping{false};
    std::atomic<bool> running{false};

    Mutex error_mutex;  // locked on failure only
    std::optional<Error> error SEEDBED_GUARDED_BY(error_mutex);
    std::size_t error_index SEEDBED_GUARDED_BY(error_mutex) = 0;

    std::chrono::nanoseconds spin{0};
    std::vector<NamedThread> threads;

    // Claims an index; returns its number counted from the end, or 0 if no index is left.
    std::size_t claim() {
        std::size_t left = remaining.load(std::memory_order_acquire);
        while (left != 0 && !remaining.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel,
                                                             std::memory_order_acquire)) {
        }
        return left;
    }

    void recordError(std::size_t index, Error failure) {
        const MutexLock lock(error_mutex);
        if (!error || index < error_index) {
            error = std::move(failure);
            error_index = index;
        }
    }

    void work(int worker) {
        std::uint32_t finished = 0;
        std::size_t total = 0;
        while (const std::size_t left = claim()) {
            total = count;
            const std::size_t index = total - left;
            Result<> result;
            try {
                result = (*body)(index, worker);
            } catch (...) {
                result = tl::unexpected<Error>(currentException());
            }
            ++finished;
            if (!result) [[unlikely]] {
                recordError(index, std::move(result).error());
                finished += static_cast<std::uint32_t>(remaining.exchange(0, std::memory_order_acq_rel));
            }
        }
        if (finished != 0 && done.fetch_add(finished, std::memory_order_acq_rel) + finished == total)
            done.notify_one();
    }

    void workerLoop(int worker) {
        std::uint32_t seen = 0;
        while (true) {
            const auto changed = [&] { return generation.load(std::memory_order_acquire) != seen; };
            if (!spinUntil(changed, spin)) generation.wait(seen, std::memory_order_acquire);
            seen = generation.load(std::memory_order_acquire);
            if (stopping.load(std::memory_order_acquire)) return;
            work(worker);
        }
    }

    void wakeWorkers() {
        generation.fetch_add(1, std::memory_order_release);
        generation.notify_all();
    }
};

WorkerPool::WorkerPool(int threads) : impl_(std::make_unique<Impl>()) {
    SEEDBED_CHECK(threads >= 1, std::to_string(threads));
    if (threads <= static_cast<int>(std::thread::hardware_concurrency())) impl_->spin = kSpin;
    for (int worker = 1; worker < threads; ++worker)
        impl_->threads.emplace_back(
            "worker " + std::to_string(worker),
            [impl = impl_.get(), worker](const std::stop_token&) -> Result<> {
                impl->workerLoop(worker);
                return {};
            },
            nullptr);
}

WorkerPool::~WorkerPool() {
    impl_->stopping.store(true, std::memory_order_release);
    impl_->wakeWorkers();
    impl_->threads.clear();
}

int WorkerPool::threads() const { return static_cast<int>(impl_->threads.size()) + 1; }

Result<> WorkerPool::run(std::size_t count, const Body& body) {
    Impl& impl = *impl_;
    SEEDBED_CHECK(!impl.running.exchange(true, std::memory_order_acquire),
                  "WorkerPool::run was called concurrently or from within itself");
    SEEDBED_CHECK(count <= UINT32_MAX);

    if (count != 0) {
        impl.body = &body;
        impl.count = count;
        impl.done.store(0, std::memory_order_relaxed);
        impl.remaining.store(count, std::memory_order_release);
        if (count > 1 && !impl.threads.empty()) impl.wakeWorkers();
        impl.work(0);
        const auto finished = [&] { return impl.done.load(std::memory_order_acquire) == count; };
        while (!spinUntil(finished, impl.spin)) {
            const std::uint32_t done = impl.done.load(std::memory_order_acquire);
            if (done != count) impl.done.wait(done, std::memory_order_acquire);
        }
    }

    Result<> result;
    const MutexLock lock(impl.error_mutex);
    if (impl.error) {
        result = tl::unexpected<Error>(std::move(*impl.error));
        impl.error.reset();
    }
    impl.running.store(false, std::memory_order_release);
    return result;
}

}  // namespace seedbed
