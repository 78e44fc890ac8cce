// SPDX-License-Identifier: Apache-2.0
#include "core/embed/host_batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/base/finite.hpp"

namespace seedbed {
namespace {

// An error of the host, as an exception because not all functions of a batch return errors.
class HostFailure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Parts that both batches lack: a host draws its environments itself.
template <class Base>
class HostBatch : public Base {
public:
    HostBatch(std::shared_ptr<HostEnv> env, EnvSpec spec) : env_(std::move(env)), spec_(std::move(spec)) {}

    int count() const override { return env_->columns(); }
    const EnvSpec& spec() const override { return spec_; }
    void draw(int, Scene&) const override {}
    bool canArchive() const override { return false; }
    void archive(int, Archive&) override {}
    Json state(int) const override { return Json::object(); }
    Result<> setState(int, const Json&) override {
        return fail("the state of a host's environment cannot be set");
    }

protected:
    std::shared_ptr<HostEnv> env_;
    EnvSpec spec_;
};

class CallbackBatch final : public HostBatch<LocalBatch> {
public:
    explicit CallbackBatch(std::shared_ptr<HostEnv> env)
        : HostBatch(env, env->spec()),
          leaves_(spec_.spaces.obs.size()),
          state_(env->callbacks().state_bytes) {
        has_state_ = !state_.empty() && callbacks().save_state && callbacks().load_state;
    }

    void reset(int env, Rng& rng) override {
        std::uint64_t seed = rng.nextU32();
        seed = seed << 32 | rng.nextU32();
        call("reset", [&] { return callbacks().reset(env, seed); });
    }

    Result<> step(const float* actions, const std::uint8_t* active, Rng*, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        call("step", [&] { return callbacks().step(actions, active, rewards, terminated, truncated); });
        for (int column = 0; column < count(); ++column) {
            if (active[column] == 0) {
                terminated[column] = truncated[column] = 0;
                continue;
            }
            if (!std::isfinite(rewards[column]))
                throwFailure("'step' wrote a reward of " + nonFiniteName(rewards[column]), column);
            if (terminated[column] > 1 || truncated[column] > 1)
                throwFailure("'step' wrote a value other than 0 and 1 to terminated or truncated", column);
        }
        return {};
    }

    void observe(std::uint8_t* const* leaves, std::uint8_t* mask) const override {
        for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) leaves_[leaf] = leaves[leaf];
        call("observe", [&] { return callbacks().observe(leaves_.data(), mask); });
        for (std::size_t i = 0; i < leaves_.size(); ++i) checkLeaf(spec_.spaces.obs[i], leaves[i]);
        const int mask_bytes = spec_.spaces.maskBytes();
        for (int column = 0; column < count() && mask_bytes > 0; ++column)
            if (const std::string problem = maskProblem(spec_.spaces, mask + column * mask_bytes);
                !problem.empty())
                throwFailure("'observe' wrote " + problem, column);
    }

    bool canArchive() const override { return has_state_; }
    void archive(int env, Archive& archive) override {
        if (!archive.isLoading())
            call("save_state", [&] { return callbacks().save_state(env, state_.data()); });
        archive.unchecked(state_.data(), state_.size());
        if (archive.isLoading() && !archive.failed())
            call("load_state", [&] { return callbacks().load_state(env, state_.data()); });
    }

private:
    const HostCallbacks& callbacks() const { return env_->callbacks(); }

    // The group that steps this batch turns exceptions into errors.
    [[noreturn]] void throwFailure(const std::string& what) const {
        throw HostFailure(env_->failure("the environment's callback " + what).value().message);
    }
    [[noreturn]] void throwFailure(const std::string& what, int column) const {
        throwFailure(what + " (column " + std::to_string(column) + ")");
    }
    template <class Call>
    void call(const char* name, const Call& callback) const {
        int code = 0;
        std::string thrown;
        try {
            code = callback();
        } catch (const std::exception& error) {
            thrown = std::string("'") + name + "' threw an exception: " + error.what();
        } catch (...) {
            thrown = std::string("'") + name + "' threw an exception";
        }
        if (!thrown.empty()) throwFailure(thrown);
        if (code != 0) throwFailure(std::string("'") + name + "' returned " + std::to_string(code));
    }
    void checkLeaf(const ObsLeaf& leaf, const std::uint8_t* bytes) const {
        const std::size_t elements = leaf.elements();
        if (leaf.dtype == DType::f32) {
            const auto* values = reinterpret_cast<const float*>(bytes);
            const std::size_t total = elements * static_cast<std::size_t>(count());
            const std::size_t at = firstNonFinite(values, total);
            if (at != total)
                throwFailure("'observe' wrote " + nonFiniteName(values[at]) + " to '" + leaf.name + "'",
                             static_cast<int>(at / elements));
        }
        for (int column = 0; column < count() && leaf.dtype == DType::i32; ++column)
            if (!isObservation(leaf, bytes + static_cast<std::size_t>(column) * leaf.bytes()))
                throwFailure("'observe' wrote a value outside 0 to " + std::to_string(leaf.cardinality - 1) +
                                 " to '" + leaf.name + "'",
                             column);
    }

    mutable std::vector<void*> leaves_;
    std::vector<std::uint8_t> state_;
    bool has_state_ = false;
};

}  // namespace

// A batch whose exchanges the host answers with HostEnv::report().
class ReportedBatch final : public HostBatch<EnvBatch> {
public:
    using HostBatch::HostBatch;
    ~ReportedBatch() override { env_->asked_ = nullptr; }

    Result<> begin(const Exchange& exchange) override {
        exchange_ = exchange;
        env_->asked_ = &exchange_;
        env_->is_reported_ = false;
        return {};
    }

    bool ready() override { return env_->is_reported_; }

    // Without a report, all columns are reset to the observations that the host has offered.
    Result<> await() override {
        HostEnv& host = *env_;
        host.asked_ = nullptr;
        if (!host.is_reported_) {
            if (!std::exchange(host.is_offered_, false))
                return host.failure("the environment must begin new episodes; call seedbed_begin()");
            std::fill(host.flags_.begin(), host.flags_.end(), column_flag::first);
            std::fill(host.rewards_.begin(), host.rewards_.end(), 0.0F);
        }
        host.is_reported_ = false;
        for (std::size_t i = 0; i < host.observations_.size(); ++i)
            std::memcpy(exchange_.leaves[i], host.observations_[i].data(), host.observations_[i].size());
        if (exchange_.mask != nullptr) std::ranges::copy(host.mask_, exchange_.mask);
        std::ranges::copy(host.rewards_, exchange_.rewards);
        std::ranges::copy(host.flags_, exchange_.flags);
        return {};
    }

private:
    Exchange exchange_;
};

std::unique_ptr<LocalBatch> callbackBatch(std::shared_ptr<HostEnv> env) {
    return std::make_unique<CallbackBatch>(std::move(env));
}

std::unique_ptr<EnvBatch> reportedBatch(std::shared_ptr<HostEnv> env, EnvSpec spec) {
    return std::make_unique<ReportedBatch>(std::move(env), std::move(spec));
}

std::string maskProblem(const Spaces& spaces, const std::uint8_t* mask) {
    for (const ActionLeaf& leaf : spaces.actions) {
        if (leaf.kind != ActionLeaf::Kind::discrete) continue;
        const std::uint8_t* end = mask + leaf.n;
        if (std::any_of(mask, end, [](std::uint8_t value) { return value > 1; }))
            return "a mask with a value other than 0 and 1";
        if (std::all_of(mask, end, [](std::uint8_t value) { return value == 0; }))
            return "a mask that forbids every choice of '" + leaf.name + "'";
        mask = end;
    }
    return "";
}

}  // namespace seedbed
