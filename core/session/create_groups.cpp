// SPDX-License-Identifier: Apache-2.0
#include "core/session/create_groups.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "core/base/mutex.hpp"
#include "core/base/stop_grace.hpp"
#include "core/base/text.hpp"
#include "core/base/thread.hpp"
#include "core/env/host_id.hpp"

namespace seedbed {
namespace {

using Groups = std::vector<std::unique_ptr<ActorGroup>>;

constexpr double kStartFactor = 6;  // starting an environment may take longer than a step
constexpr std::chrono::milliseconds kPollInterval{20};

// Shared with the thread, which may outlive the caller.
struct Creation {
    std::vector<GroupSpec> specs;
    std::shared_ptr<EngineNet> net;
    Mutex mutex;
    ConditionVariable changed;
    Groups groups SEEDBED_GUARDED_BY(mutex);
    Result<> result SEEDBED_GUARDED_BY(mutex);
    bool done SEEDBED_GUARDED_BY(mutex) = false;

    Result<> createAll(const std::stop_token& stop);
};

Result<> Creation::createAll(const std::stop_token& stop) try {
    for (const GroupSpec& spec : specs) {
        if (stop.stop_requested()) return {};
        SEEDBED_ASSIGN(auto group, ActorGroup::create(spec));
        {
            const MutexLock lock(mutex);
            groups.push_back(std::move(group));
        }
        changed.notifyAll();
    }
    return {};
} catch (...) {
    return tl::unexpected<Error>(currentException());
}

// The environments of a host program expect calls on its own thread.
Result<Groups> createHere(const std::vector<GroupSpec>& specs) try {
    Groups groups;
    for (const GroupSpec& spec : specs) {
        SEEDBED_ASSIGN(auto group, ActorGroup::create(spec));
        groups.push_back(std::move(group));
    }
    return groups;
} catch (...) {
    return tl::unexpected<Error>(currentException());
}

}  // namespace

Result<Groups> createGroups(std::vector<GroupSpec> specs, std::shared_ptr<EngineNet> net, double stall_s,
                            const std::stop_token& stop) {
    if (!specs.empty() && isOfHost(specs.front().env->id)) return createHere(specs);
    const auto creation = std::make_shared<Creation>();
    creation->specs = std::move(specs);
    for (GroupSpec& spec : creation->specs) spec.stop = stop;
    creation->net = std::move(net);
    NamedThread thread(
        "environments",
        [creation](const std::stop_token& leave) -> Result<> {
            Result<> result = creation->createAll(leave);
            {
                const MutexLock lock(creation->mutex);
                creation->result = std::move(result);
                creation->done = true;
            }
            creation->changed.notifyAll();
            return {};
        },
        nullptr);
    const std::chrono::duration<double> limit(kStartFactor * stall_s);
    const StopGrace grace(stop, kStopGrace);
    MutexLock lock(creation->mutex);
    while (!creation->done) {
        const std::size_t before = creation->groups.size();
        const auto begin = std::chrono::steady_clock::now();
        const auto progressed = [&]() SEEDBED_REQUIRES(creation->mutex) {
            return creation->done || creation->groups.size() > before;
        };
        while (!creation->changed.waitFor(lock, kPollInterval, progressed) && !grace.isOver() &&
               std::chrono::steady_clock::now() - begin < limit) {
        }
        if (progressed()) continue;
        thread.requestStop();
        thread.detach();
        if (grace.isOver())
            return fail(ErrorCode::interrupted, "stopped while the environments were created");
        const GroupSpec& spec = creation->specs[before];
        return fail(ErrorCode::stalled, "environments " + std::to_string(spec.first_env) + " to " +
                                            std::to_string(spec.first_env + spec.envs - 1) +
                                            " did not start within " + formatNumber(limit.count()) +
                                            " s (six times actor.stall_s)");
    }
    SEEDBED_TRY(Result<>(creation->result));
    return std::move(creation->groups);
}

}  // namespace seedbed
