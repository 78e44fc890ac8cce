// SPDX-License-Identifier: Apache-2.0
#include "core/session/run_watched.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::milliseconds kWatchInterval{20};

// Shared with the thread, which may outlive the call.
struct Watched {
    Mutex mutex;
    ConditionVariable changed;
    std::optional<Result<>> result SEEDBED_GUARDED_BY(mutex);
};

void runInto(Watched& shared, const std::function<Result<>()>& work) {
    Result<> result;
    try {
        result = work();
    } catch (const LeftBehind&) {
        return;
    } catch (...) {
        result = tl::unexpected<Error>(currentException());
    }
    {
        const MutexLock lock(shared.mutex);
        shared.result = std::move(result);
    }
    shared.changed.notifyAll();
}

}  // namespace

Result<> runWatched(Session& session, std::function<Result<>()> work) {
    const auto shared = std::make_shared<Watched>();
    NamedThread thread(
        "training",
        [shared, work = std::move(work)](const std::stop_token&) -> Result<> {
            runInto(*shared, work);
            return {};
        },
        nullptr);
    while (true) {
        {
            MutexLock lock(shared->mutex);
            if (shared->changed.waitFor(lock, kWatchInterval, [&shared]() SEEDBED_REQUIRES(shared->mutex) {
                    return shared->result.has_value();
                }))
                break;
        }
        if (std::optional<Error> left = session.watch()) {
            thread.detach();
            return tl::unexpected<Error>(std::move(*left));
        }
    }
    thread.join();
    const MutexLock lock(shared->mutex);
    return std::move(*shared->result);
}

}  // namespace seedbed
