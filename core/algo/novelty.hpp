// SPDX-License-Identifier: Apache-2.0
// An intrinsic reward for new observations, with a separate value head; an option of on-policy algorithms.
// rnd: Burda et al., "Exploration by Random Network Distillation", ICLR 2019. noveld: Zhang et al., "NovelD:
// A Simple yet Effective Exploration Criterion", NeurIPS 2021.
#pragma once

#include <string>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/algo/returns.hpp"
#include "core/base/describe.hpp"

namespace seedbed {

// The settings, which are fields of the parameters of an algorithm.
struct NoveltyParams {
    std::string novelty = "none";
    double novelty_cost = 0.5;
    double novelty_gamma = 0.99;
    double novelty_share = 0.25;
};

template <class P>
NoveltyParams noveltyOf(const P& params) {
    return {params.novelty, params.novelty_cost, params.novelty_gamma, params.novelty_share};
}

template <class P>
void describeNovelty(Description<P>& d) {
    d.field(&P::novelty, "novelty",
            "Intrinsic reward for new observations, for tasks with sparse rewards. rnd: random network "
            "distillation (Burda et al. 2019); noveld: the increase of that novelty at observations that "
            "are new in the rollout of the episode (Zhang et al. 2021).",
            {.choices = {"none", "rnd", "noveld"}, .level = Level::recipe})
        .field(&P::novelty_cost, "novelty_cost",
               "Weight of the advantages of the intrinsic reward; those of the task have weight 1.",
               {.min = 0, .max = 1e3, .level = Level::recipe, .live = true})
        .field(&P::novelty_gamma, "novelty_gamma",
               "Discount factor of the intrinsic reward, which continues into the next episode.",
               {.min = 0, .max = 1})
        .field(&P::novelty_share, "novelty_share",
               "Share of the rows from which the predictor learns; a smaller share keeps observations new "
               "for longer.",
               {.min = 1e-3, .max = 1});
}

// Differences from the papers: a terminating step has no intrinsic reward, because its last observation is
// not stored; NovelD counts first visits in the window of an episode; the predictor has the shape of its
// target; observations are normalised only if the network normalises them. Thread: the algorithm's.
class Novelty {
public:
    // `first_network`: the number of the target network, after the networks with a policy; the predictor has
    // the next number.
    Novelty(const NoveltyParams& params, std::size_t first_network)
        : params_(params), target_(first_network), predictor_(first_network + 1) {}

    // See Algorithm::shardsProblem().
    std::string shardsProblem() const {
        return isOn() ? "algo.novelty=" + params_.novelty + " scales its rewards by those of all columns"
                      : "";
    }
    bool isOn() const { return params_.novelty != "none"; }
    void setCost(double cost) { params_.novelty_cost = cost; }
    // Adds the value head to the given networks, and then the target and the predictor.
    void declare(std::vector<NetworkDecl>& networks) const;
    // Names of the sums that learn() adds: the predictor's error, which is the reward before its division,
    // and the loss of the value head.
    static std::vector<std::string> metrics();
    // Bytes for a batch of `rows` rows.
    std::size_t batchBytes(const NetPlan& acting, std::size_t rows) const;

    // Computes the intrinsic rewards (Burda et al., section 2.2; Zhang et al., eq. 3), divided by a running
    // standard deviation of their returns (section 2.4), and the values of the batch.
    Result<> measure(const Batch& batch, const EvaluateNetwork& evaluate);
    // Adds the weighted advantages of the intrinsic reward to batch.advantage and sets batch.second_target.
    // `log_ratio` [T*N] as for estimateAdvantages().
    void addAdvantages(Batch& batch, const Estimator& estimator, const float* log_ratio);
    // Adds the gradients of the value head to `gradients` (of the network that computed `heads`), and trains
    // the predictor. sums: as in metrics().
    void learn(Step& step, const Step::Heads& heads, float* gradients, double value_cost, double* sums) const;

    // Saves or loads the running statistics.
    void archive(Archive& archive);

private:
    double noveltyOf(std::size_t row) const;
    bool isNew(std::size_t row);
    void normalise(const Batch& batch);

    NoveltyParams params_;
    std::size_t target_, predictor_;
    // Discounted sums of rewards per column, and the moments of all of them.
    std::vector<double> returns_;
    double count_ = 0, mean_ = 0, squares_ = 0;
    // Outputs for the current batch.
    std::vector<float> target_heads_, predictor_heads_, acting_heads_;
    std::vector<float> reward_, value_, discount_, advantage_;
    std::vector<std::uint64_t> seen_;  // observations of the current episode in the window of a column
};

}  // namespace seedbed
