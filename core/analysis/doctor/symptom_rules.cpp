// SPDX-License-Identifier: Apache-2.0
// Thresholds are rules of thumb unless a source is given.
#include "core/analysis/doctor/symptom_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace seedbed::doctor {
namespace {

using Severity = Finding::Severity;

// Settings whose linear schedule has the length algo.lr_horizon.
constexpr std::array kSchedules{"algo.lr_schedule", "algo.clip_schedule", "algo.entropy_schedule"};

std::optional<Finding> entropyCollapse(const RunView& run) {
    const std::vector<double> entropy = valuesOf(run, "policy/entropy");
    // The entropy of continuous actions can be negative, so its ratios are meaningless.
    if (!run.discrete_actions || entropy.size() < kMinPoints) return std::nullopt;
    const double begin = entropy.front(), end = medianOf(entropy, 0.9, 1);
    if (begin <= 0 || end > 0.05 * begin) return std::nullopt;
    const double cost = setting(run, "algo.entropy_cost", 0);
    Finding f = found("entropy_collapse", Severity::warning, SEEDBED_TEXT("The policy stopped exploring."));
    f.evidence = {SEEDBED_TEXT("entropy fell from %1 to %2 nats, and the return is below the reference"),
                  {shortNumber(begin), shortNumber(end)}};
    f.cause = SEEDBED_TEXT("the policy became deterministic before it found good behaviour");
    f.remedy = SEEDBED_TEXT("a larger entropy cost");
    suggest(f, run, "algo.entropy_cost", cost > 0 ? 3 * cost : 0.01);
    return f;
}

std::optional<Finding> klTooHigh(const RunView& run) {
    const std::vector<double> kl = valuesOf(run, "policy/kl");
    if (kl.size() < kMinPoints) return std::nullopt;
    const double recent = medianOf(kl, 0.75, 1);
    // PPO implementations have a target of 0.01 to 0.03 per update; ten times as much is a large step.
    if (recent < 0.1) return std::nullopt;
    Finding f =
        found("kl_too_high", Severity::warning, SEEDBED_TEXT("Each update changes the policy too much."));
    f.evidence = {SEEDBED_TEXT("the KL divergence per update is %1 (median of the last quarter)"),
                  {shortNumber(recent)}};
    f.cause = SEEDBED_TEXT("the learning rate is too high, or there are too many epochs on the same data");
    f.remedy = SEEDBED_TEXT("half the learning rate");
    if (const double rate = setting(run, "algo.learning_rate", 0); rate > 0)
        suggest(f, run, "algo.learning_rate", rate / 2);
    return f;
}

std::optional<Finding> manyClipped(const RunView& run) {
    const std::vector<double> clipped = valuesOf(run, "policy/clip_fraction");
    if (clipped.size() < kMinPoints) return std::nullopt;
    const double recent = medianOf(clipped, 0.75, 1);
    if (recent < 0.4) return std::nullopt;
    Finding f = found("many_clipped", Severity::warning,
                      SEEDBED_TEXT("Most decisions no longer contribute to learning."));
    f.evidence = {SEEDBED_TEXT("%1 % of the probability ratios are clipped (median of the last quarter)"),
                  {percent(recent)}};
    f.cause = SEEDBED_TEXT("too many epochs or too high a learning rate for the size of the batch");
    f.remedy = SEEDBED_TEXT("fewer epochs, or a lower learning rate");
    if (const double epochs = setting(run, "algo.epochs", 1); epochs >= 2)
        suggest(f, run, "algo.epochs", std::floor(epochs / 2));
    return f;
}

std::optional<Finding> valueExplainsNothing(const RunView& run) {
    const std::vector<double> explained = valuesOf(run, "value/explained_variance");
    if (explained.size() < kMinPoints) return std::nullopt;
    const double recent = medianOf(explained, 0.75, 1);
    if (recent > 0) return std::nullopt;
    Finding f = found("value_explains_nothing", Severity::warning,
                      SEEDBED_TEXT("The value estimate does not predict the returns."));
    f.evidence = {
        SEEDBED_TEXT(
            "its explained variance is %1 (median of the last quarter; 1 is perfect, 0 a constant guess)"),
        {shortNumber(recent)}};
    f.cause = SEEDBED_TEXT(
        "observations that do not predict the return, a value loss dominated by other losses, or rewards "
        "that are very rare or very large");
    const Json::json_pointer separate("/network/separate_critic");
    if (run.config.contains(separate) && run.config.at(separate) == true) {
        f.remedy = SEEDBED_TEXT(
            "scale the rewards so that returns are of the order of 1 to 10, or add information to the "
            "observations");
    } else {
        f.remedy = SEEDBED_TEXT("a separate network for the value estimate");
        f.settings = {{"network.separate_critic", true}};
        f.blames = {"network.separate_critic"};
    }
    return f;
}

std::optional<Finding> gradientAtTheClip(const RunView& run) {
    const std::vector<double> norm = valuesOf(run, "grad/norm");
    const double limit = setting(run, "optimiser.max_grad_norm", 0);
    if (norm.size() < kMinPoints || limit <= 0) return std::nullopt;
    const auto begin = norm.begin() + static_cast<std::ptrdiff_t>(norm.size() * 3 / 4);
    const double share =
        static_cast<double>(std::count_if(begin, norm.end(), [&](double n) { return n > limit; })) /
        static_cast<double>(norm.end() - begin);
    if (share < 0.95 || medianOf(norm, 0.75, 1) < 4 * limit) return std::nullopt;
    Finding f =
        found("gradient_at_the_clip", Severity::note, SEEDBED_TEXT("Nearly every gradient is clipped."));
    f.evidence = {SEEDBED_TEXT("%1 % of the last updates have a gradient norm above %2; the median is %3"),
                  {percent(share), shortNumber(limit), shortNumber(medianOf(norm, 0.75, 1))}};
    f.cause = SEEDBED_TEXT("large losses: clipping then determines the size of the steps");
    f.remedy = SEEDBED_TEXT("scale the rewards down");
    if (const double scale = setting(run, "env.wrap.reward_scale", 1); scale > 0)
        suggest(f, run, "env.wrap.reward_scale", scale * 0.1);
    return f;
}

std::optional<Finding> valueScale(const RunView& run) {
    const std::vector<double> loss = valuesOf(run, "loss/value");
    if (loss.size() < kMinPoints) return std::nullopt;
    const double recent = medianOf(loss, 0.75, 1);
    if (recent < 100) return std::nullopt;
    Finding f =
        found("value_scale", Severity::warning, SEEDBED_TEXT("Returns are too large for the network."));
    f.evidence = {SEEDBED_TEXT("the value loss is %1 (median of the last quarter)"), {shortNumber(recent)}};
    f.cause = SEEDBED_TEXT("large rewards, whose errors dominate all other parts of the loss");
    f.remedy = SEEDBED_TEXT("scale the rewards so that returns are of the order of 1 to 10");
    // The loss is computed from rewards that are already scaled.
    if (const double scale = setting(run, "env.wrap.reward_scale", 1); scale > 0)
        suggest(f, run, "env.wrap.reward_scale",
                scale * std::pow(10.0, -std::round(std::log10(std::sqrt(recent)))));
    return f;
}

// Whether a new policy, which chooses numbers near 0 with a deviation near 1, can find good actions between
// these bounds.
bool fitsNewPolicy(double low, double high) {
    constexpr double kLarge = 10;
    const double centre = (low + high) / 2, half = (high - low) / 2;
    return low == high || (half <= kLarge && half >= 1 / kLarge && std::abs(centre) <= half);
}

std::optional<Finding> unfitActions(const RunView& run) {
    // sac and td3 always squash.
    const Json algo = settingOf(run.config, "algo.id");
    if (algo == "sac" || algo == "td3" || settingOf(run.config, "network.squash") == true)
        return std::nullopt;
    const bool scaled = settingOf(run.config, "network.scale_actions") == true;
    for (const ActionLeaf& leaf : run.actions)
        for (std::size_t i = 0; i < leaf.low.size(); ++i) {
            const bool bounded = std::isfinite(leaf.low[i]) && std::isfinite(leaf.high[i]);
            if (bounded && (scaled || fitsNewPolicy(leaf.low[i], leaf.high[i]))) continue;
            Finding f = found("unfit_actions", bounded ? Severity::warning : Severity::note,
                              bounded ? SEEDBED_TEXT("The policy's actions do not fit their bounds.")
                                      : SEEDBED_TEXT("Actions without bounds may be far from good ones."));
            f.cause = SEEDBED_TEXT(
                "a new policy chooses numbers near 0 with a deviation near 1, in the environment's units");
            if (bounded) {
                f.evidence = {
                    SEEDBED_TEXT("number %1 of action '%2' is between %3 and %4"),
                    {std::to_string(i + 1), leaf.name, shortNumber(leaf.low[i]), shortNumber(leaf.high[i])}};
                f.remedy = SEEDBED_TEXT("choose actions in units of their bounds");
                f.settings = {{"network.scale_actions", true}};
                f.blames = {"network.scale_actions"};
            } else {
                f.evidence = {SEEDBED_TEXT("number %1 of action '%2' has no finite bounds"),
                              {std::to_string(i + 1), leaf.name}};
                f.remedy = SEEDBED_TEXT("give the action space of the environment finite bounds");
            }
            return f;
        }
    return std::nullopt;
}

std::optional<Finding> collapse(const RunView& run) {
    std::optional<Collapse> training;
    if (const auto at = run.metrics.find("episode/return"); at != run.metrics.end()) {
        const std::vector<double> floor =
            run.random_return ? std::vector{*run.random_return} : std::vector<double>();
        training = findCollapse(at->second, std::max(kMinPoints, at->second.size() / 10), floor);
    }
    const std::optional<Collapse> evaluated = findCollapse(run.evaluations, run.random_return);
    if (!training && !evaluated) return std::nullopt;
    Finding f = found("collapse", Severity::warning, SEEDBED_TEXT("The agent lost what it had learned."));
    if (training && evaluated)
        f.evidence = {
            SEEDBED_TEXT("the training return was %1 around step %2 and is %3 now (means of %4 "
                         "updates); the mean of three evaluations was %5 around step %6 and is %7 now"),
            {shortNumber(training->best), stepText(training->best_x), shortNumber(training->now),
             std::to_string(training->window), shortNumber(evaluated->best), stepText(evaluated->best_x),
             shortNumber(evaluated->now)}};
    else if (training)
        f.evidence = {
            SEEDBED_TEXT("the training return was %1 around step %2 and is %3 now (means of %4 updates)"),
            {shortNumber(training->best), stepText(training->best_x), shortNumber(training->now),
             std::to_string(training->window)}};
    else
        f.evidence = {
            SEEDBED_TEXT("the mean of three evaluations was %1 around step %2 and is %3 now"),
            {shortNumber(evaluated->best), stepText(evaluated->best_x), shortNumber(evaluated->now)}};
    f.cause = SEEDBED_TEXT(
        "updates that are too large for a policy that is already good: after one bad step, the collected "
        "experience is bad too");
    f.remedy = SEEDBED_TEXT(
        "half the learning rate; the best checkpoint of this run is kept and can be watched, exported and "
        "trained further");
    if (const double rate = setting(run, "algo.learning_rate", 0); rate > 0)
        suggest(f, run, "algo.learning_rate", rate / 2);
    return f;
}

std::optional<Finding> stalled(const RunView& run) {
    const std::vector<double> returns = valuesOf(run, "episode/return");
    // A separate rule reports a collapse.
    if (returns.size() < 4 * kMinPoints || collapse(run)) return std::nullopt;
    const double third = medianOf(returns, 0.4, 0.6), end = medianOf(returns, 0.8, 1);
    const auto [low, high] = std::minmax_element(returns.begin(), returns.end());
    if (end - third > 0.02 * (*high - *low)) return std::nullopt;
    Finding f =
        found("stalled", Severity::note, SEEDBED_TEXT("The return has not improved for a long time."));
    f.evidence = {SEEDBED_TEXT("the training return was %1 in the middle of the run and is %2 now"),
                  {shortNumber(third), shortNumber(end)}};
    f.cause = SEEDBED_TEXT(
        "a local optimum or the best possible score, a learning rate that has become too small, or a task "
        "that needs more exploration");
    f.remedy = SEEDBED_TEXT("another seed first; then a larger entropy cost or more environments");
    if (const double envs = setting(run, "actor.num_envs", 0); envs > 0)
        suggest(f, run, "actor.num_envs", 2 * envs);
    return f;
}

// Whether reaching the time limit is probably a failure: the return is no better than random (if unknown:
// than at the beginning), and episodes can end in other ways, because some did or because all returns are
// equal, as in tasks that reward only reaching a goal.
bool limitIsAFailure(const RunView& run, const std::vector<double>& returns) {
    const auto [low, high] = std::minmax_element(returns.begin(), returns.end());
    const double begin = run.random_return ? *run.random_return : medianOf(returns, 0, 0.1);
    const double spread = *high - *low;
    if (medianOf(returns, 0.9, 1) > begin + 0.05 * spread) return false;
    const std::vector<double> lengths = valuesOf(run, "episode/length");
    const bool some_ended = std::any_of(lengths.begin(), lengths.end(),
                                        [&](double l) { return l < static_cast<double>(run.horizon); });
    return some_ended || spread <= 1e-6 * std::max(std::abs(*low), std::abs(*high));
}

std::optional<Finding> allTruncated(const RunView& run) {
    if (run.horizon <= 0 || run.episode_lengths.size() < kMinPoints) return std::nullopt;
    const auto at_horizon = std::count_if(run.episode_lengths.begin(), run.episode_lengths.end(),
                                          [&](std::int64_t length) { return length >= run.horizon; });
    const double share = static_cast<double>(at_horizon) / static_cast<double>(run.episode_lengths.size());
    const std::vector<double> returns = valuesOf(run, "episode/return");
    if (share < 0.95 || returns.size() < kMinPoints || !limitIsAFailure(run, returns)) return std::nullopt;
    Finding f = found("all_truncated", Severity::note, SEEDBED_TEXT("Every episode ends at the time limit."));
    f.evidence = {run.random_return ? SEEDBED_TEXT("%1 % of the last %2 episodes lasted %3 steps, and the "
                                                   "training return is %4, no better than random")
                                    : SEEDBED_TEXT("%1 % of the last %2 episodes lasted %3 steps, and the "
                                                   "training return is %4, no better than at the beginning"),
                  {percent(share), std::to_string(run.episode_lengths.size()), std::to_string(run.horizon),
                   shortNumber(medianOf(returns, 0.9, 1))}};
    f.cause = SEEDBED_TEXT("the goal is never reached: exploration does not find it within the limit");
    f.remedy = SEEDBED_TEXT("more exploration");
    suggest(f, run, "algo.entropy_cost", std::max(0.01, 3 * setting(run, "algo.entropy_cost", 0)));
    return f;
}

std::optional<Finding> evaluationDiffers(const RunView& run) {
    const Outcome outcome = outcomeOf(run);
    if (!outcome.over || outcome.good || !outcome.training_way || *outcome.training_way < 0.8 ||
        *outcome.way > 0.5)
        return std::nullopt;
    const bool greedy = settingOf(run.config, "eval.greedy") != false;
    Finding f = found("evaluation_differs", Severity::warning,
                      SEEDBED_TEXT("Evaluations are far below the training returns."));
    f.evidence = {SEEDBED_TEXT("the last evaluation is %1, and training episodes return %2"),
                  {shortNumber(*outcome.score), shortNumber(*outcome.training)}};
    f.cause = greedy
                  ? SEEDBED_TEXT("always taking the most probable action gets stuck where sampling succeeds")
                  : SEEDBED_TEXT("evaluation episodes differ from those of training");
    f.remedy = greedy ? SEEDBED_TEXT("sample actions in evaluations too, or train longer")
                      : SEEDBED_TEXT("evaluate greedily");
    f.settings = {{"eval.greedy", !greedy}};
    f.blames = {"eval.greedy"};
    return f;
}

bool hasLinearSchedule(const RunView& run) {
    return std::any_of(kSchedules.begin(), kSchedules.end(),
                       [&](const char* key) { return settingOf(run.config, key) == "linear"; });
}

}  // namespace

std::vector<Finding> symptomFindings(const RunView& run) {
    static constexpr std::array kRules{
        evaluationDiffers, entropyCollapse, klTooHigh, manyClipped, valueExplainsNothing, gradientAtTheClip,
        valueScale,        unfitActions,    collapse,  stalled,     allTruncated};
    std::vector<Finding> findings;
    for (const auto& rule : kRules)
        if (auto finding = rule(run)) findings.push_back(std::move(*finding));
    return findings;
}

Finding missedGoal(const RunView& run, const Outcome& outcome) {
    Finding f = found("goal_missed", outcome.random ? Severity::warning : Severity::note,
                      outcome.random ? SEEDBED_TEXT("The run is no better than random play.")
                                     : SEEDBED_TEXT("The run missed its goal."));
    f.evidence = {outcome.evaluated ? SEEDBED_TEXT("the last evaluation is %1 and the goal %2")
                                    : SEEDBED_TEXT("the training return is %1 and the goal %2"),
                  {shortNumber(*outcome.score), shortNumber(run.goal.value_or(*run.reference_score))}};
    if (!hasPreset(run) && !run.env_preset.empty()) {
        f.cause = SEEDBED_TEXT("the default settings are not tuned for this environment");
        f.remedy = SEEDBED_TEXT("start from the preset of the environment");
        f.settings = {{"preset", run.env_preset}};
        return f;
    }
    f.cause = SEEDBED_TEXT("too few steps, or an unlucky seed");
    f.remedy = SEEDBED_TEXT("more steps, or another seed");
    if (const double steps = setting(run, "run.steps", 0); steps > 0) {
        f.settings = {{"run.steps", std::llround(2 * steps)}};
        if (hasLinearSchedule(run) && setting(run, "algo.lr_horizon", 0) < 2 * steps)
            f.settings["algo.lr_horizon"] = std::llround(2 * steps);
        else f.resume = run.saved_step > 0;
    }
    return f;
}

}  // namespace seedbed::doctor
