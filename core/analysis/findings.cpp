// SPDX-License-Identifier: Apache-2.0
// Thresholds are rules of thumb unless a source is given.
#include "core/analysis/findings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace seedbed {
namespace {

using Severity = Finding::Severity;

// Fewer points do not show a trend.
constexpr std::size_t kMinPoints = 20;

std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string percent(double part) { return shortNumber(100 * part); }

Finding found(const char* rule, Severity severity, const char* title) {
    Finding finding;
    finding.rule = rule;
    finding.severity = severity;
    finding.title = title;
    return finding;
}

// The finite values of a metric.
std::vector<double> valuesOf(const RunView& run, const std::string& metric) {
    std::vector<double> values;
    const auto at = run.metrics.find(metric);
    if (at == run.metrics.end()) return values;
    for (const double y : at->second.y)
        if (std::isfinite(y)) values.push_back(y);
    return values;
}

// Median of the part [from, to) of a list, as fractions of its length.
double medianOf(const std::vector<double>& values, double from, double to) {
    const auto at = [&](double part) {
        return static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size()));
    };
    std::vector<double> part(values.begin() + at(from), values.begin() + std::max(at(to), at(from) + 1));
    const auto middle = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
    std::nth_element(part.begin(), middle, part.end());
    return *middle;
}

// A numeric setting by its JSON pointer, as "/algo/epochs".
double setting(const RunView& run, const char* pointer, double otherwise) {
    const Json::json_pointer at(pointer);
    return run.config.contains(at) && run.config.at(at).is_number() ? run.config.at(at).get<double>()
                                                                    : otherwise;
}

bool reachedReference(const RunView& run) {
    const std::vector<double> returns = valuesOf(run, "episode/return");
    return run.reference_score && !returns.empty() && medianOf(returns, 0.9, 1) >= *run.reference_score;
}

std::optional<Finding> notANumber(const RunView& run) {
    for (const auto& [name, curve] : run.metrics) {
        const auto bad =
            std::find_if(curve.y.begin(), curve.y.end(), [](double y) { return !std::isfinite(y); });
        if (bad == curve.y.end()) continue;
        const double rate = setting(run, "/algo/learning_rate", 0);
        Finding f = found("not_a_number", Severity::problem, SEEDBED_TEXT("A metric is not a number."));
        f.evidence = {SEEDBED_TEXT("%1 at step %2"),
                      {name, shortNumber(curve.x[static_cast<std::size_t>(bad - curve.y.begin())])}};
        f.cause = SEEDBED_TEXT(
            "a step so large that the network diverged, or observations or rewards of enormous size");
        f.remedy = SEEDBED_TEXT("halve the learning rate, and switch on normalisation of observations");
        if (rate > 0) f.settings = {{"algo.learning_rate", rate / 2}, {"network.normalise_obs", true}};
        return f;
    }
    return std::nullopt;
}

std::optional<Finding> entropyCollapse(const RunView& run) {
    const std::vector<double> entropy = valuesOf(run, "policy/entropy");
    // The entropy of real-valued actions can be negative, so ratios of it have no meaning.
    if (!run.discrete_actions || entropy.size() < kMinPoints || reachedReference(run)) return std::nullopt;
    const double begin = entropy.front(), end = medianOf(entropy, 0.9, 1);
    if (begin <= 0 || end > 0.05 * begin) return std::nullopt;
    const double cost = setting(run, "/algo/entropy_cost", 0);
    Finding f = found("entropy_collapse", Severity::warning, SEEDBED_TEXT("The policy stopped exploring."));
    f.evidence = {SEEDBED_TEXT("entropy fell from %1 to %2 nats, and the return is not at the reference"),
                  {shortNumber(begin), shortNumber(end)}};
    f.cause = SEEDBED_TEXT("the policy became deterministic before it found good behaviour");
    f.remedy = SEEDBED_TEXT("a larger entropy cost");
    f.settings = {{"algo.entropy_cost", cost > 0 ? 3 * cost : 0.01}};
    return f;
}

std::optional<Finding> klTooHigh(const RunView& run) {
    const std::vector<double> kl = valuesOf(run, "policy/kl");
    if (kl.size() < kMinPoints) return std::nullopt;
    const double recent = medianOf(kl, 0.75, 1);
    // PPO implementations aim at 0.01 to 0.03 per update; ten times that is a large step.
    if (recent < 0.1) return std::nullopt;
    Finding f =
        found("kl_too_high", Severity::warning, SEEDBED_TEXT("Each update changes the policy very much."));
    f.evidence = {SEEDBED_TEXT("the KL divergence per update is %1 (median of the last quarter)"),
                  {shortNumber(recent)}};
    f.cause = SEEDBED_TEXT("the learning rate is too high, or there are too many epochs on the same data");
    f.remedy = SEEDBED_TEXT("half the learning rate");
    if (const double rate = setting(run, "/algo/learning_rate", 0); rate > 0)
        f.settings = {{"algo.learning_rate", rate / 2}};
    return f;
}

std::optional<Finding> manyClipped(const RunView& run) {
    const std::vector<double> clipped = valuesOf(run, "policy/clip_fraction");
    if (clipped.size() < kMinPoints) return std::nullopt;
    const double recent = medianOf(clipped, 0.75, 1);
    if (recent < 0.4) return std::nullopt;
    Finding f =
        found("many_clipped", Severity::warning, SEEDBED_TEXT("Most decisions no longer teach anything."));
    f.evidence = {SEEDBED_TEXT("%1 % of the probability ratios are clipped (median of the last quarter)"),
                  {percent(recent)}};
    f.cause = SEEDBED_TEXT("too many epochs or too high a learning rate for the size of the batch");
    f.remedy = SEEDBED_TEXT("fewer epochs, or a lower learning rate");
    if (const double epochs = setting(run, "/algo/epochs", 1); epochs >= 2)
        f.settings = {{"algo.epochs", std::floor(epochs / 2)}};
    return f;
}

std::optional<Finding> valueExplainsNothing(const RunView& run) {
    const std::vector<double> explained = valuesOf(run, "value/explained_variance");
    if (explained.size() < kMinPoints || reachedReference(run)) return std::nullopt;
    const double recent = medianOf(explained, 0.75, 1);
    if (recent > 0) return std::nullopt;
    Finding f = found("value_explains_nothing", Severity::warning,
                      SEEDBED_TEXT("The value estimate predicts nothing."));
    f.evidence = {
        SEEDBED_TEXT(
            "its explained variance is %1 (median of the last quarter; 1 is perfect, 0 a constant guess)"),
        {shortNumber(recent)}};
    f.cause = SEEDBED_TEXT(
        "observations that do not predict the return, a value loss dominated by other losses, or rewards "
        "that "
        "are very rare or very large");
    const Json::json_pointer separate("/network/separate_critic");
    if (run.config.contains(separate) && run.config.at(separate) == true) {
        f.remedy =
            SEEDBED_TEXT("scale the rewards so that returns are of the order of 1 to 10, or observe more");
    } else {
        f.remedy = SEEDBED_TEXT("a separate network for the value estimate");
        f.settings = {{"network.separate_critic", true}};
    }
    return f;
}

std::optional<Finding> gradientAtTheClip(const RunView& run) {
    const std::vector<double> norm = valuesOf(run, "grad/norm");
    const double limit = setting(run, "/optimiser/max_grad_norm", 0);
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
    f.cause = SEEDBED_TEXT("losses of a large scale: the clip then acts as the learning rate");
    f.remedy = SEEDBED_TEXT("scale the rewards down");
    if (const double scale = setting(run, "/env/wrap/reward_scale", 1); scale > 0)
        f.settings = {{"env.wrap.reward_scale", scale * 0.1}};
    return f;
}

std::optional<Finding> valueScale(const RunView& run) {
    const std::vector<double> loss = valuesOf(run, "loss/value");
    if (loss.size() < kMinPoints) return std::nullopt;
    const double recent = medianOf(loss, 0.75, 1);
    if (recent < 100) return std::nullopt;
    Finding f = found("value_scale", Severity::warning, SEEDBED_TEXT("Returns are large for the network."));
    f.evidence = {SEEDBED_TEXT("the value loss is %1 (median of the last quarter)"), {shortNumber(recent)}};
    f.cause = SEEDBED_TEXT("rewards of a large scale; their errors dominate every other part of the loss");
    f.remedy = SEEDBED_TEXT("scale the rewards so that returns are of the order of 1 to 10");
    // The loss is computed from rewards that are already scaled.
    if (const double scale = setting(run, "/env/wrap/reward_scale", 1); scale > 0)
        f.settings = {
            {"env.wrap.reward_scale", scale * std::pow(10.0, -std::round(std::log10(std::sqrt(recent))))}};
    return f;
}

std::string stepText(double step) { return std::to_string(std::llround(step)); }

std::optional<Finding> collapse(const RunView& run) {
    if (reachedReference(run)) return std::nullopt;
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
        f.evidence = {SEEDBED_TEXT("the return was %1 around step %2 and is %3 now (means of %4 updates); "
                                   "evaluations gave %5 around step %6 "
                                   "and give %7 now (means of three)"),
                      {shortNumber(training->best), stepText(training->best_x), shortNumber(training->now),
                       std::to_string(training->window), shortNumber(evaluated->best),
                       stepText(evaluated->best_x), shortNumber(evaluated->now)}};
    else if (training)
        f.evidence = {SEEDBED_TEXT("the return was %1 around step %2 and is %3 now (means of %4 updates)"),
                      {shortNumber(training->best), stepText(training->best_x), shortNumber(training->now),
                       std::to_string(training->window)}};
    else
        f.evidence = {
            SEEDBED_TEXT("evaluations gave %1 around step %2 and give %3 now (means of three)"),
            {shortNumber(evaluated->best), stepText(evaluated->best_x), shortNumber(evaluated->now)}};
    f.cause = SEEDBED_TEXT(
        "updates that are too large for a policy that is already good: after one bad step, the collected "
        "experience is bad too");
    f.remedy = SEEDBED_TEXT(
        "half the learning rate; the best checkpoint of this run is kept and can be watched, exported and "
        "trained on");
    if (const double rate = setting(run, "/algo/learning_rate", 0); rate > 0)
        f.settings = {{"algo.learning_rate", rate / 2}};
    return f;
}

std::optional<Finding> stalled(const RunView& run) {
    const std::vector<double> returns = valuesOf(run, "episode/return");
    // A collapse is reported by its own rule.
    if (returns.size() < 4 * kMinPoints || reachedReference(run) || collapse(run)) return std::nullopt;
    const double third = medianOf(returns, 0.4, 0.6), end = medianOf(returns, 0.8, 1);
    const auto [low, high] = std::minmax_element(returns.begin(), returns.end());
    if (end - third > 0.02 * (*high - *low)) return std::nullopt;
    Finding f =
        found("stalled", Severity::note, SEEDBED_TEXT("The return has not improved for a long time."));
    f.evidence = {SEEDBED_TEXT("it was %1 in the middle of the run and is %2 now"),
                  {shortNumber(third), shortNumber(end)}};
    f.cause = SEEDBED_TEXT(
        "a local optimum, a learning rate that has run out, or a task that needs more exploration");
    f.remedy = SEEDBED_TEXT("another seed first; then a larger entropy cost or more environments");
    if (const double envs = setting(run, "/actor/num_envs", 0); envs > 0)
        f.settings = {{"actor.num_envs", 2 * envs}};
    return f;
}

// Whether reaching the time limit is probably a failure: the return is no better than random (if unknown:
// than at the beginning), and episodes can end otherwise, because some did or because all returns are equal,
// as in tasks that reward only a goal.
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
    if (run.horizon <= 0 || run.episode_lengths.size() < kMinPoints || reachedReference(run))
        return std::nullopt;
    const auto at_horizon = std::count_if(run.episode_lengths.begin(), run.episode_lengths.end(),
                                          [&](std::int64_t length) { return length >= run.horizon; });
    const double share = static_cast<double>(at_horizon) / static_cast<double>(run.episode_lengths.size());
    const std::vector<double> returns = valuesOf(run, "episode/return");
    if (share < 0.95 || returns.size() < kMinPoints || !limitIsAFailure(run, returns)) return std::nullopt;
    Finding f = found("all_truncated", Severity::note, SEEDBED_TEXT("Every episode ends by the time limit."));
    f.evidence = {run.random_return ? SEEDBED_TEXT("%1 % of the last %2 episodes lasted %3 steps, and the "
                                                   "return is %4, no better than random")
                                    : SEEDBED_TEXT("%1 % of the last %2 episodes lasted %3 steps, and the "
                                                   "return is %4, no better than at the beginning"),
                  {percent(share), std::to_string(run.episode_lengths.size()), std::to_string(run.horizon),
                   shortNumber(medianOf(returns, 0.9, 1))}};
    f.cause = SEEDBED_TEXT("the goal is never reached: exploration does not find it within the limit");
    f.remedy = SEEDBED_TEXT("more exploration");
    f.settings = {{"algo.entropy_cost", std::max(0.01, 3 * setting(run, "/algo/entropy_cost", 0))}};
    return f;
}

std::optional<Finding> throughputFall(const RunView& run) {
    const std::vector<double> speed = valuesOf(run, "speed/env_steps_per_s");
    if (speed.size() < 4 * kMinPoints) return std::nullopt;
    const double before = medianOf(speed, 0.25, 0.5), now = medianOf(speed, 0.75, 1);
    if (now > 0.5 * before) return std::nullopt;
    Finding f = found("throughput_fall", Severity::note, SEEDBED_TEXT("Training became slower."));
    f.evidence = {SEEDBED_TEXT("%1 steps/s earlier, %2 steps/s now"),
                  {shortNumber(before), shortNumber(now)}};
    f.cause = SEEDBED_TEXT(
        "another program uses the processor, the machine is hot, or episodes became more costly to simulate");
    f.remedy = SEEDBED_TEXT("check what else is running; 'seedbed show' names the busiest part of the run");
    return f;
}

}  // namespace

const char* nameOf(Severity severity) {
    switch (severity) {
        case Severity::note: return "note";
        case Severity::warning: return "warning";
        case Severity::problem: return "problem";
    }
    return "?";
}

std::vector<Finding> diagnose(const RunView& run) {
    static constexpr std::array kRules{
        notANumber, entropyCollapse, klTooHigh, manyClipped,  valueExplainsNothing, gradientAtTheClip,
        valueScale, collapse,        stalled,   allTruncated, throughputFall};
    std::vector<Finding> findings;
    for (const auto& rule : kRules)
        if (auto finding = rule(run)) findings.push_back(std::move(*finding));
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return findings;
}

}  // namespace seedbed
