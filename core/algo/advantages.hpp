// SPDX-License-Identifier: Apache-2.0
// Advantages and value targets of an update, with the correction for data from older parameters and the
// intrinsic reward. Shared by the on-policy algorithms.
#pragma once

#include <string>
#include <vector>

#include "core/algo/forced_rows.hpp"
#include "core/algo/novelty.hpp"
#include "core/algo/policy_terms.hpp"

namespace seedbed {

struct AdvantageParams {
    std::string advantages = "gae";
    int n_step = 0;
    double gamma = 0.99;
    double lambda = 0.95;
    std::string correction = "auto";
    double rho_bar = 1;
    double c_bar = 1;
    bool popart = false;
    bool skip_forced = false;
};

template <class P>
AdvantageParams advantagesOf(const P& params) {
    return {params.advantages, params.n_step, params.gamma,  params.lambda,     params.correction,
            params.rho_bar,    params.c_bar,  params.popart, params.skip_forced};
}

template <class P>
void describePopArt(Description<P>& d) {
    d.field(&P::popart, "popart",
            "Learn values in units of the running standard deviation of their targets, for rewards of any "
            "size (PopArt, van Hasselt et al. 2016).",
            {.level = Level::recipe})
        .field(&P::popart_rate, "popart_rate",
               "Step size of the running statistics per update; the first updates take larger steps.",
               {.min = 0, .max = 1});
}

// Describes the fields of P that advantagesOf() reads.
template <class P>
void describeAdvantages(Description<P>& d) {
    d.field(&P::gamma, "gamma", "Discount factor per decision.", {.min = 0, .max = 1, .level = Level::recipe})
        .field(&P::advantages, "advantages",
               "Estimator of advantages and value targets: gae (Schulman et al. 2016), n_step returns, or "
               "vtrace, which is gae that always corrects for data from older parameters.",
               {.choices = {"gae", "n_step", "vtrace"}, .level = Level::recipe})
        .field(
            &P::lambda, "lambda",
            "Decay of generalised advantage estimation; 1 sums all rewards, 0 relies on the value estimate.",
            {.min = 0, .max = 1, .level = Level::recipe})
        .field(&P::n_step, "n_step",
               "Rewards of an n-step return before it continues with a value estimate; 0: all until the end "
               "of the rollout.",
               {.unit = "steps", .min = 0, .max = 1e6})
        .field(
            &P::correction, "correction",
            "Correction for data from older parameters (asynchronous runs): V-trace or none; auto: V-trace "
            "if such data can occur.",
            {.choices = {"auto", "none", "vtrace"}})
        .field(&P::rho_bar, "rho_bar", "V-trace: upper limit of the importance weights in the targets.",
               {.min = 0, .max = 1e9})
        .field(&P::c_bar, "c_bar", "V-trace: upper limit of the importance weights in the traces.",
               {.min = 0, .max = 1e9})
        .field(&P::skip_forced, "skip_forced",
               "Do not learn from rows in which the mask allows one action only, such as waiting for the "
               "opponent's move; values are then those of an agent's own decisions.");
}

// Thread: the algorithm's.
class Advantages {
public:
    // Whether advantages include the row's own importance weight, clipped at rho_bar; needed by losses that
    // do not multiply by the probability ratio themselves.
    enum class OwnRatio : std::uint8_t { excluded, included };

    // `first_network` as for Novelty.
    Advantages(AdvantageParams params, NoveltyParams novelty, const ActionDistribution& distribution,
               OwnRatio own_ratio, std::size_t first_network = 1);

    Novelty& novelty() { return novelty_; }
    const Novelty& novelty() const { return novelty_; }
    std::size_t batchBytes(const NetPlan& acting, std::size_t rows, bool lagging) const;

    // Sets batch.advantage and batch.target, and batch.second_target with an intrinsic reward. Values come
    // from the batch, or from the current network 0 if the data are corrected.
    Result<> prepare(Batch& batch, const EvaluateNetwork& evaluate);
    // For losses that compute the advantages and targets of the task's reward themselves; call it if
    // needsOwn(). Sets batch.advantage to the weighted advantages of the intrinsic reward, always corrected
    // for older parameters, and sets batch.second_target.
    Result<> prepareOwn(Batch& batch, const EvaluateNetwork& evaluate);
    bool needsOwn() const { return novelty_.isOn() || params_.popart; }
    // See Algorithm::targetMoments().
    const std::vector<TargetMoments>& targetMoments() const { return moments_; }

private:
    bool corrects(const Batch& batch) const;
    Result<const float*> evaluateRatios(const Batch& batch, const EvaluateNetwork& evaluate);
    void includeOwnRatio(Batch& batch, const float* log_ratio) const;
    ReturnInput currentValues(const Batch& batch) const;
    void measureTargets(const Batch& batch, const std::vector<float>& target);

    AdvantageParams params_;
    Estimator estimator_;
    Novelty novelty_;
    ForcedRows forced_;
    Spaces spaces_;
    PolicyEvaluator policy_;
    OwnRatio own_ratio_;
    std::vector<float> heads_, values_;   // outputs of the current network
    std::vector<float> own_target_;       // scratch of prepareOwn()
    std::vector<TargetMoments> moments_;  // per shard
};

}  // namespace seedbed
