// SPDX-License-Identifier: Apache-2.0
#include "core/embed/host_env.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "core/base/finite.hpp"
#include "core/base/mutex.hpp"
#include "core/embed/host_batch.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed {
namespace {

struct NoParams {
    static const Description<NoParams>& describe() {
        static const Description<NoParams> description("env", "An environment of a host program.");
        return description;
    }
};

const EnvSchema& hostSchema() {
    static const EnvSchema schema(NoParams::describe().schema(), Json::object());
    return schema;
}

struct HostEnvs {
    Mutex mutex;
    std::map<std::string, std::shared_ptr<HostEnv>> by_name SEEDBED_GUARDED_BY(mutex);
};

// Never destroyed, so that trainers may outlive static objects.
HostEnvs& hostEnvs() {
    static auto* const envs = new HostEnvs;
    return *envs;
}

Result<std::shared_ptr<HostEnv>> hostEnv(const std::string& name) {
    HostEnvs& envs = hostEnvs();
    const MutexLock lock(envs.mutex);
    const auto found = envs.by_name.find(name);
    if (found == envs.by_name.end())
        return fail(ErrorCode::config,
                    "the environment 'host:" + name +
                        "' belongs to a host program that uses libseedbed; train it there");
    return found->second;
}

Result<EnvSpec> hostSpec(const std::string& name, const Json& params) {
    SEEDBED_ASSIGN(const Json complete, hostSchema().all.complete(params));
    SEEDBED_ASSIGN(const auto env, hostEnv(name));
    return hostSchema().finishSpec(env->spec(), "host:" + name, complete);
}

// Wrappers that change steps need the host's callbacks.
Result<> checkReportedWrappers(const WrapperParams& wrap) {
    if (wrap.sticky_actions == 0 && wrap.action_repeat == 1 && wrap.noop_starts == 0 && wrap.step_ms == 0 &&
        !wrap.central_critic)
        return {};
    return fail(ErrorCode::config,
                "env.wrap.sticky_actions, action_repeat, noop_starts, step_ms and central_critic need an "
                "environment with callbacks");
}

Result<std::unique_ptr<EnvBatch>> hostBatch(const std::string& name, const Json& params, int count) {
    SEEDBED_ASSIGN(const Json complete, hostSchema().all.complete(params));
    SEEDBED_ASSIGN(const auto env, hostEnv(name));
    if (count != env->columns())
        return fail(ErrorCode::config, "the host's environment has " + std::to_string(env->columns()) +
                                           " columns; actor.num_envs cannot differ");
    SEEDBED_ASSIGN(EnvSpec spec, hostSchema().finishSpec(env->spec(), "host:" + name, complete));
    if (!env->hasCallbacks()) {
        SEEDBED_TRY(checkReportedWrappers(WrapperParams::describe().read(complete.at("wrap"))));
        return reportedBatch(env, std::move(spec));
    }
    return hostSchema().decorate(callbackBatch(env), std::move(spec), complete);
}

Result<EnvEntry> hostEntry(const std::string& name) {
    EnvEntry entry;
    entry.id = "host:" + name;
    entry.params = &hostSchema().all;
    entry.spec = [name](const Json& params) { return hostSpec(name, params); };
    entry.make = [name](const Json& params, int count) { return hostBatch(name, params, count); };
    return entry;
}

[[maybe_unused]] const bool registered = [] {
    envSchemes().add({.id = "host", .aliases = {}, .entry = hostEntry});
    return true;
}();

// Whether the values of one column are allowed; the reason if not.
std::string problemOf(const ObsLeaf& leaf, const std::uint8_t* bytes) {
    if (leaf.dtype == DType::f32) {
        std::vector<float> values(leaf.elements());
        std::memcpy(values.data(), bytes, leaf.bytes());
        const std::size_t at = firstNonFinite(values.data(), values.size());
        return at == values.size() ? ""
                                   : "element " + std::to_string(at) + " of observation '" + leaf.name +
                                         "' is " + nonFiniteName(values[at]);
    }
    return isObservation(leaf, bytes) ? ""
                                      : "observation '" + leaf.name + "' has an element outside 0 to " +
                                            std::to_string(leaf.cardinality - 1);
}

}  // namespace

HostEnv::HostEnv(EnvSpec spec, int columns, HostCallbacks callbacks)
    : spec_(std::move(spec)), columns_(columns), callbacks_(std::move(callbacks)) {
    const auto count = static_cast<std::size_t>(columns);
    for (const ObsLeaf& leaf : spec_.spaces.obs) observations_.emplace_back(count * leaf.bytes());
    mask_.assign(count * static_cast<std::size_t>(spec_.spaces.maskBytes()), 1);
    flags_.assign(count, 0);
    rewards_.assign(count, 0);
}

tl::unexpected<Error> HostEnv::failure(std::string message) {
    has_failed_ = true;
    return fail(std::move(message));
}

Result<> HostEnv::checkObservations(const void* const* observations, const unsigned char* mask) const {
    if (observations == nullptr) return fail("observations is NULL");
    const auto columns = static_cast<std::size_t>(columns_);
    const auto mask_bytes = static_cast<std::size_t>(spec_.spaces.maskBytes());
    for (std::size_t i = 0; i < spec_.spaces.obs.size(); ++i) {
        const ObsLeaf& leaf = spec_.spaces.obs[i];
        if (observations[i] == nullptr) return fail("observation '" + leaf.name + "' is NULL");
        const auto* bytes = static_cast<const std::uint8_t*>(observations[i]);
        for (std::size_t column = 0; column < columns; ++column)
            if (const std::string problem = problemOf(leaf, bytes + column * leaf.bytes()); !problem.empty())
                return fail("column " + std::to_string(column) + ": " + problem);
    }
    if (mask == nullptr || mask_bytes == 0) return {};
    for (std::size_t column = 0; column < columns; ++column)
        if (const std::string problem = maskProblem(spec_.spaces, mask + column * mask_bytes);
            !problem.empty())
            return fail("column " + std::to_string(column) + ": " + problem);
    return {};
}

Result<> HostEnv::checkOutcome(const HostOutcome& outcome) const {
    SEEDBED_TRY(checkObservations(outcome.observations, outcome.mask));
    if (outcome.rewards == nullptr) return fail("rewards is NULL");
    for (int column = 0; column < columns_; ++column) {
        const std::string name = "column " + std::to_string(column) + ": ";
        if (command(column) == EnvCommand::reset) continue;
        if (!std::isfinite(outcome.rewards[column]))
            return fail(name + "the reward is " + nonFiniteName(outcome.rewards[column]));
        for (const unsigned char* ends : {outcome.terminated, outcome.truncated})
            if (ends != nullptr && ends[column] > 1)
                return fail(name + "terminated and truncated are 0 or 1, not " +
                            std::to_string(ends[column]));
    }
    return {};
}

void HostEnv::keep(const void* const* observations, const unsigned char* mask) {
    for (std::size_t i = 0; i < observations_.size(); ++i)
        std::memcpy(observations_[i].data(), observations[i], observations_[i].size());
    if (mask != nullptr) std::copy_n(mask, mask_.size(), mask_.begin());
    else std::fill(mask_.begin(), mask_.end(), std::uint8_t{1});
}

Result<> HostEnv::offer(const void* const* observations, const unsigned char* mask) {
    SEEDBED_TRY(checkObservations(observations, mask));
    keep(observations, mask);
    is_offered_ = true;
    return {};
}

Result<> HostEnv::report(const HostOutcome& outcome) {
    SEEDBED_TRY(checkOutcome(outcome));
    keep(outcome.observations, outcome.mask);
    for (int column = 0; column < columns_; ++column) {
        const auto at = static_cast<std::size_t>(column);
        const bool is_reset = command(column) == EnvCommand::reset;
        const bool terminated = !is_reset && outcome.terminated != nullptr && outcome.terminated[column] != 0;
        const bool truncated = !is_reset && outcome.truncated != nullptr && outcome.truncated[column] != 0;
        rewards_[at] = is_reset ? 0 : outcome.rewards[column];
        flags_[at] = 0;
        if (terminated) flags_[at] = column_flag::terminated | (outcome.keeps_last ? 0 : column_flag::first);
        else if (is_reset) flags_[at] = column_flag::first;
        else if (truncated) flags_[at] = column_flag::truncated;
    }
    is_reported_ = true;
    return {};
}

Result<std::shared_ptr<void>> registerHostEnv(const std::string& name, std::shared_ptr<HostEnv> env) {
    HostEnvs& envs = hostEnvs();
    const MutexLock lock(envs.mutex);
    if (!envs.by_name.emplace(name, std::move(env)).second)
        return fail(ErrorCode::config, "another trainer of this process has an environment named '" + name +
                                           "'; give each a different name");
    return std::shared_ptr<void>(nullptr, [name](void*) {
        HostEnvs& all = hostEnvs();
        const MutexLock locked(all.mutex);
        all.by_name.erase(name);
    });
}

}  // namespace seedbed
