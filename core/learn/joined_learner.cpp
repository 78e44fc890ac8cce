// SPDX-License-Identifier: Apache-2.0
#include "core/learn/joined_learner.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/learn/size.hpp"

namespace seedbed {
namespace {

// The part of `windows` that belongs to the seats of a policy: a window for each run of neighbouring seats of
// an environment.
std::vector<Window> windowsOfPolicy(std::span<const Window> windows,
                                    const std::vector<std::uint16_t>& of_seat, std::size_t policy) {
    const int agents = static_cast<int>(of_seat.size());
    std::vector<Window> own;
    for (const Window& window : windows) {
        SEEDBED_CHECK(window.column % agents == 0 && window.columns % agents == 0,
                      "windows contain whole environments");
        for (int env = window.column; env < window.column + window.columns; env += agents)
            for (int seat = 0, end = 0; seat < agents; seat = end) {
                for (end = seat; end < agents && of_seat[size(end)] == of_seat[size(seat)];) ++end;
                if (of_seat[size(seat)] != policy) continue;
                own.push_back({window.group, window.t0, window.length, env + seat, end - seat});
            }
    }
    return own;
}

// The passes of an update, for one policy.
class PolicyWindows final : public WindowSource {
public:
    PolicyWindows(const std::vector<TakenWindows>& passes, std::span<const Window> entered,
                  const std::vector<std::uint16_t>& of_seat, std::size_t policy)
        : entered_(windowsOfPolicy(entered, of_seat, policy)) {
        for (const TakenWindows& pass : passes)
            passes_.push_back(
                {.windows = windowsOfPolicy(pass.windows, of_seat, policy), .repeat = pass.repeat});
    }
    const TakenWindows* take() override { return next_ < passes_.size() ? &passes_[next_++] : nullptr; }
    std::span<const Window> entered() const override { return entered_; }

private:
    std::vector<TakenWindows> passes_;
    std::vector<Window> entered_;
    std::size_t next_ = 0;
};

// The means of metrics, in the order in which they were added first.
class MeanMetrics {
public:
    void add(const std::string& name, double value) {
        auto found = std::ranges::find(sums_, name, &Sum::name);
        if (found == sums_.end()) found = sums_.insert(sums_.end(), Sum{name});
        found->sum += value;
        ++found->count;
    }
    void appendTo(std::vector<std::pair<std::string, double>>& metrics) const {
        for (const Sum& each : sums_) metrics.emplace_back(each.name, each.sum / each.count);
    }

private:
    struct Sum {
        std::string name;
        double sum = 0;
        int count = 0;
    };
    std::vector<Sum> sums_;
};

class JoinedLearner final : public Learner {
public:
    JoinedLearner(SeatPolicies policies, std::vector<std::unique_ptr<Learner>> learners)
        : policies_(std::move(policies)), learners_(std::move(learners)) {
        for (std::size_t policy = 0; policy < learners_.size(); ++policy)
            for (std::size_t net = 0; net < learners_[policy]->networkCount(); ++net) {
                NetworkDecl decl = learners_[policy]->network(net);
                decl.name = policies_.networkName(policy, decl.name);
                networks_.push_back({policy, net, std::move(decl)});
            }
    }

    void begin(const std::vector<Ring*>& rings, WindowSource& source, const Progress& progress,
               WorkerPool& pool, std::uint64_t oldest_version, const StopGrace* grace) override {
        SEEDBED_CHECK(windows_ == nullptr, "the previous update has not ended");
        // Versions of different policies cannot be compared with one limit.
        SEEDBED_CHECK(oldest_version == 0);
        rings_ = &rings;
        progress_ = progress;
        pool_ = &pool;
        passes_.clear();
        while (const TakenWindows* taken = source.take()) {
            SEEDBED_CHECK(taken->weights.empty() && taken->relabels.empty(), "rows come from a rollout");
            passes_.push_back(*taken);
            source.done({});
        }
        const std::span<const Window> entered = source.entered();
        entered_.assign(entered.begin(), entered.end());
        stats_ = {};
        means_ = {};
        beginPolicy(0, grace);
    }

    Result<std::optional<UpdateStats>> pump(const TimeBudget& budget) override {
        SEEDBED_CHECK(windows_ != nullptr, "no update has begun");
        while (true) {
            auto updated = learners_[current_]->pump(budget);
            if (!updated) {
                windows_.reset();
                return tl::unexpected<Error>(
                    std::move(updated).error().withContext("policy '" + policies_.names[current_] + "'"));
            }
            if (!*updated) return std::optional<UpdateStats>();
            add(std::move(**updated));
            if (current_ + 1 == learners_.size()) break;
            beginPolicy(current_ + 1, nullptr);
            if (!budget.fits(std::chrono::nanoseconds(0))) return std::optional<UpdateStats>();
        }
        windows_.reset();
        means_.appendTo(stats_.metrics);
        return std::optional(std::move(stats_));
    }

    void endCut() override {
        for (auto& learner : learners_) learner->endCut();
    }
    std::uint64_t optimiserSteps() const override {
        std::uint64_t steps = 0;
        for (const auto& learner : learners_) steps = std::max(steps, learner->optimiserSteps());
        return steps;
    }
    Params params(std::size_t index) override {
        return learners_[networks_[index].policy]->params(networks_[index].net);
    }
    const Algorithm& algorithm() const override { return learners_.front()->algorithm(); }
    std::size_t networkCount() const override { return networks_.size(); }
    const NetworkDecl& network(std::size_t index) const override { return networks_[index].decl; }
    const NetPlan& networkPlan(std::size_t index) const override {
        return learners_[networks_[index].policy]->networkPlan(networks_[index].net);
    }
    void archive(Archive& archive) override {
        for (auto& learner : learners_) learner->archive(archive);
    }
    void setParams(std::size_t index, Params params) override {
        learners_[networks_[index].policy]->setParams(networks_[index].net, std::move(params));
    }
    void setLive(const Json& algo_params) override {
        for (auto& learner : learners_) learner->setLive(algo_params);
    }

private:
    struct Network {
        std::size_t policy, net;  // `net`: its number within the learner of the policy
        NetworkDecl decl;
    };

    void beginPolicy(std::size_t policy, const StopGrace* grace) {
        current_ = policy;
        windows_ = std::make_unique<PolicyWindows>(passes_, entered_, policies_.of_seat, policy);
        learners_[policy]->begin(*rings_, *windows_, progress_, *pool_, 0, grace);
    }

    void add(UpdateStats update) {
        for (const auto& [name, value] : update.metrics) {
            means_.add(name, value);
            stats_.metrics.emplace_back(policies_.names[current_] + "/" + name, value);
        }
        for (double UpdateStats::*seconds :
             {&UpdateStats::gather_s, &UpdateStats::targets_s, &UpdateStats::forward_s, &UpdateStats::loss_s,
              &UpdateStats::backward_s, &UpdateStats::optimiser_s})
            stats_.*seconds += update.*seconds;
        stats_.minibatches += update.minibatches;
        stats_.stepped |= update.stepped;
        update.passes.resize(learners_[current_]->networkCount());
        stats_.passes.insert(stats_.passes.end(), update.passes.begin(), update.passes.end());
    }

    SeatPolicies policies_;
    std::vector<std::unique_ptr<Learner>> learners_;  // by policy
    std::vector<Network> networks_;

    // State of the current update.
    const std::vector<Ring*>* rings_ = nullptr;
    Progress progress_;
    WorkerPool* pool_ = nullptr;
    std::vector<TakenWindows> passes_;
    std::vector<Window> entered_;
    std::size_t current_ = 0;                 // the policy that learns
    std::unique_ptr<PolicyWindows> windows_;  // of this policy; null: no update has begun
    UpdateStats stats_;
    MeanMetrics means_;
};

}  // namespace

std::unique_ptr<Learner> joinLearners(SeatPolicies policies, std::vector<std::unique_ptr<Learner>> learners) {
    SEEDBED_CHECK(policies.names.size() == learners.size() && !learners.empty(),
                  "every policy has a learner");
    return std::make_unique<JoinedLearner>(std::move(policies), std::move(learners));
}

}  // namespace seedbed
