// SPDX-License-Identifier: Apache-2.0
#include "core/env/several_agents/central_critic.hpp"

#include <cstring>
#include <utility>

#include "core/env/batch_decorator.hpp"

namespace seedbed {
namespace {

// Fills the added leaves of all columns from the leaves of `own`, which come first. flags: column_flag of
// each column, or null.
void fillOthers(const EnvSpec& own, int count, std::uint8_t* const* leaves, const std::uint8_t* flags) {
    const auto agents = static_cast<std::size_t>(own.agents), own_leaves = own.spaces.obs.size();
    for (std::size_t leaf = 0; leaf < own_leaves; ++leaf) {
        const std::size_t bytes = own.spaces.obs[leaf].bytes();
        std::uint8_t* to = leaves[own_leaves + leaf];
        for (std::size_t column = 0; column < static_cast<std::size_t>(count) * agents; ++column) {
            const std::size_t agent = column % agents;
            for (std::size_t next = 1; next < agents; ++next, to += bytes) {
                const std::size_t other = column - agent + (agent + next) % agents;
                if (flags != nullptr && (flags[other] & column_flag::inactive) != 0)
                    std::memset(to, 0, bytes);
                else std::memcpy(to, leaves[leaf] + other * bytes, bytes);
            }
        }
    }
}

class LocalCentralCritic final : public BatchDecorator {
public:
    explicit LocalCentralCritic(std::unique_ptr<LocalBatch> inner) : BatchDecorator(std::move(inner), {}) {
        spec_ = withCentralCritic(inner_->spec());
    }
    void observe(std::uint8_t* const* leaves, std::uint8_t* mask) const override {
        inner_->observe(leaves, mask);
        fillOthers(inner_->spec(), count(), leaves, nullptr);
    }
};

// For environments in other processes.
class CentralCritic final : public EnvBatch {
public:
    explicit CentralCritic(std::unique_ptr<EnvBatch> inner)
        : inner_(std::move(inner)), spec_(withCentralCritic(inner_->spec())) {}

    int count() const override { return inner_->count(); }
    const EnvSpec& spec() const override { return spec_; }
    Result<> begin(const Exchange& exchange) override {
        exchange_ = exchange;
        return inner_->begin(exchange);
    }
    bool ready() override { return inner_->ready(); }
    Result<> await() override {
        SEEDBED_TRY(inner_->await());
        fillOthers(inner_->spec(), count(), exchange_.leaves, exchange_.flags);
        return {};
    }
    std::vector<std::string> takeNotices() override { return inner_->takeNotices(); }
    bool isSupervised() const override { return inner_->isSupervised(); }
    void draw(int env, Scene& scene) const override { inner_->draw(env, scene); }
    bool canArchive() const override { return inner_->canArchive(); }
    void archive(int env, Archive& archive) override { inner_->archive(env, archive); }
    Json state(int env) const override { return inner_->state(env); }
    Result<> setState(int env, const Json& state) override { return inner_->setState(env, state); }

private:
    std::unique_ptr<EnvBatch> inner_;
    EnvSpec spec_;
    Exchange exchange_;
};

std::string nameOfOthers(const ObsLeaf& leaf) { return "others_" + leaf.name; }

}  // namespace

Result<> checkCentralCritic(const EnvSpec& spec) {
    if (spec.agents < 2)
        return fail(ErrorCode::config,
                    "env.wrap.central_critic needs several agents; '" + spec.id + "' has one");
    for (const ObsLeaf& leaf : spec.spaces.obs)
        for (const ObsLeaf& other : spec.spaces.obs)
            if (other.name == nameOfOthers(leaf))
                return fail(ErrorCode::config, "env.wrap.central_critic cannot add the observation '" +
                                                   other.name + "': '" + spec.id +
                                                   "' has one with this name");
    return {};
}

EnvSpec withCentralCritic(EnvSpec spec) {
    for (const ObsLeaf& own : std::vector(spec.spaces.obs)) {
        ObsLeaf others = own;
        others.name = nameOfOthers(own);
        others.critic_only = true;
        others.shape[0] *= spec.agents - 1;
        others.labels.clear();
        for (int next = 1; next < spec.agents; ++next)
            for (const std::string& label : own.labels)
                others.labels.push_back("agent +" + std::to_string(next) + ": " + label);
        spec.spaces.obs.push_back(std::move(others));
    }
    return spec;
}

std::unique_ptr<LocalBatch> withCentralCritic(std::unique_ptr<LocalBatch> batch) {
    return std::make_unique<LocalCentralCritic>(std::move(batch));
}

std::unique_ptr<EnvBatch> withCentralCritic(std::unique_ptr<EnvBatch> batch) {
    return std::make_unique<CentralCritic>(std::move(batch));
}

}  // namespace seedbed
