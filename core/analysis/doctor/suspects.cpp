// SPDX-License-Identifier: Apache-2.0
// The strength of a suspect is the size of the change in powers of ten, weighted by the sensitivity of
// training to the setting, plus 1 if the metrics show the effect of such a change. Weights are rules of
// thumb.
#include "core/analysis/doctor/suspects.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/doctor/measures.hpp"
#include "core/analysis/doctor/replay_rules.hpp"
#include "core/analysis/run_settings.hpp"

namespace seedbed::doctor {
namespace {

// Facts from the metrics that support a suspicion.
struct Symptoms {
    bool frozen = false;     // the policy hardly changes
    bool leaps = false;      // updates change the policy by large steps
    bool certain = false;    // the entropy is near 0
    bool undecided = false;  // the entropy stays at its maximum
    bool no_critic = false;  // the value estimate does not explain returns
    bool improving = false;
    bool greedy_differs = false;  // evaluations are far below training
    bool q_diverges = false;      // Q values beyond every possible return
    bool stale = false;           // many optimiser steps on a small replay buffer
};

Symptoms symptomsOf(const RunView& run) {
    Symptoms s;
    const Outcome outcome = outcomeOf(run);
    s.improving = outcome.improving;
    s.greedy_differs = outcome.way && outcome.training_way && *outcome.training_way - *outcome.way > 0.3;
    const auto kl = medianOf(run, "policy/kl", 0.5, 1), early_kl = medianOf(run, "policy/kl", 0, 0.25);
    const auto clipped = medianOf(run, "policy/clip_fraction", 0, 0.5);
    s.frozen = kl && early_kl && *kl < 1e-6 && *early_kl < 1e-6;
    s.leaps = (early_kl && *early_kl > 0.1) || (kl && *kl > 0.1) || (clipped && *clipped > 0.4);
    const auto begin = medianOf(run, "policy/entropy", 0, 0.02),
               end = medianOf(run, "policy/entropy", 0.8, 1);
    s.certain = run.discrete_actions && end && *end < 0.02;
    s.undecided = run.discrete_actions && begin && end && *end > 0.97 * *begin;
    const auto explained = medianOf(run, "value/explained_variance", 0.5, 1);
    s.no_critic = explained && *explained < 0.05;
    s.q_diverges = qDiverges(run);
    s.stale = replayIsStale(run);
    return s;
}

// Factor between two values in powers of ten; a change from or to 0 counts as three.
double decades(double a, double b) {
    if (a == b) return 0;
    if (a * b < 0) return 4;
    if (a == 0 || b == 0) return 3;
    return std::abs(std::log10(b / a));
}

// A change to one setting: the input of the rules.
struct Change {
    const RunView& run;
    const Symptoms& symptoms;
    const Json &from, &to;

    double a() const { return from.is_number() ? from.get<double>() : 0; }
    double b() const { return to.is_number() ? to.get<double>() : 0; }
    bool up() const { return b() > a(); }
    double size() const { return decades(a(), b()); }
    static double add(bool symptom) { return symptom ? 1 : 0; }
};

struct Mechanism {
    const char* key;  // a setting, or a prefix that ends with "."
    // Strength; 0: this mechanism does not fit the change.
    double (*strength)(const Change& c);
    const char* rule;
    const char* title;
    const char* cause;
    bool diverges = false;
};

double widthOf(const Json& layers) {
    double sum = 0;
    if (layers.is_array())
        for (const Json& layer : layers) sum += layer.get<double>();
    return sum;
}

// Powers of ten.
constexpr double kFarFromDefault = 0.9;
constexpr double kOther = 0.3;  // strength of a change without a specific rule

// Among the mechanisms of a key, the first one with a strength above 0 is used.
constexpr std::array kMechanisms{
    Mechanism{
        "algo.learning_rate",
        [](const Change& c) {
            return c.up() ? c.size() + c.add(c.symptoms.leaps || c.symptoms.certain || c.symptoms.q_diverges)
                          : 0.0;
        },
        "learning_rate_high", SEEDBED_TEXT("The learning rate is too high."),
        SEEDBED_TEXT("each update moves the network so far that it destroys what it had learned"), true},
    Mechanism{"algo.learning_rate",
              [](const Change& c) { return c.size() + c.add(c.symptoms.frozen || c.symptoms.undecided); },
              "learning_rate_low", SEEDBED_TEXT("The learning rate is too low."),
              SEEDBED_TEXT("each update changes the network so little that the run would need more steps")},
    Mechanism{"algo.lr_horizon", [](const Change& c) { return c.up() ? 0.1 : c.size(); }, "schedule_short",
              SEEDBED_TEXT("The learning rate decreases too early."),
              SEEDBED_TEXT("the schedule ends before training does")},
    Mechanism{"algo.entropy_cost",
              [](const Change& c) {
                  return c.up() ? 0.7 * decades(std::max(c.a(), 1e-3), c.b()) + c.add(c.symptoms.undecided)
                                : 0.0;
              },
              "entropy_cost_high", SEEDBED_TEXT("The entropy bonus outweighs the rewards."),
              SEEDBED_TEXT("the policy is rewarded for acting at random")},
    Mechanism{"algo.entropy_cost",
              [](const Change& c) {
                  if (c.up()) return 0.0;
                  return 0.3 * c.size() + c.add(c.symptoms.certain) +
                         c.add(!c.symptoms.leaps && !c.symptoms.undecided);
              },
              "no_exploration", SEEDBED_TEXT("The agent does not explore enough."),
              SEEDBED_TEXT("nothing rewards trying other actions, so the policy settles before it has seen "
                           "the goal")},
    Mechanism{
        "algo.gamma",
        [](const Change& c) {
            return 1.2 * decades(1.0001 - c.a(), 1.0001 - c.b());  // change of the horizon 1 / (1 - gamma),
                                                                   // in powers of ten
        },
        "discount", SEEDBED_TEXT("The discount does not suit the task."),
        SEEDBED_TEXT("if it is too low, later rewards do not count; if it is too high, the value estimate "
                     "cannot converge")},
    Mechanism{
        "algo.lambda", [](const Change& c) { return decades(1.01 - c.a(), 1.01 - c.b()); }, "lambda",
        SEEDBED_TEXT("The decay of the advantage estimate does not suit the task."),
        SEEDBED_TEXT("if it is too low, the estimate relies on values that are still wrong; if it is too "
                     "high, it is noisy")},
    Mechanism{"env.wrap.reward_clip",
              [](const Change& c) {
                  const double largest = std::max(std::abs(c.run.reward_low), std::abs(c.run.reward_high));
                  if (c.b() <= 0) return c.size() * 0.5;
                  if (largest > 0 && c.b() >= largest) return 0.0;
                  return 0.5 + (largest > 0 ? std::log10(largest / c.b()) : 1.0);
              },
              "rewards_clipped", SEEDBED_TEXT("Clipping makes good and bad rewards equal."),
              SEEDBED_TEXT("the learner sees all rewards beyond the limit as equal")},
    Mechanism{
        "env.wrap.reward_scale",
        [](const Change& c) { return c.b() <= 0 ? 5 : 0.8 * c.size() + c.add(c.symptoms.no_critic); },
        "reward_scale", SEEDBED_TEXT("The scale of the rewards does not suit the learner."),
        SEEDBED_TEXT("a factor of 0 or less removes or reverses the task; returns far from 1 to 10 make "
                     "one part of the loss dominate the others"),
        true},
    Mechanism{"algo.epochs",
              [](const Change& c) {
                  return c.up() ? c.size() + c.add(c.symptoms.leaps || c.symptoms.certain) : 0.7 * c.size();
              },
              "epochs", SEEDBED_TEXT("The number of epochs does not suit the data."),
              SEEDBED_TEXT("too many epochs fit the policy to one batch; too few waste its experience")},
    Mechanism{"algo.minibatches", [](const Change& c) { return 0.8 * c.size(); }, "minibatches",
              SEEDBED_TEXT("The size of the minibatches does not suit the data."),
              SEEDBED_TEXT("large minibatches give few optimiser steps, small ones noisy gradients")},
    Mechanism{"actor.num_envs", [](const Change& c) { return c.up() ? 0.7 * c.size() : 1.2 * c.size(); },
              "environments", SEEDBED_TEXT("The number of environments does not suit the task."),
              SEEDBED_TEXT("with few environments, each update uses a small amount of similar experience; "
                           "with many, there are few updates")},
    Mechanism{"algo.rollout_length", [](const Change& c) { return c.size(); }, "rollout_length",
              SEEDBED_TEXT("The length of the rollouts does not suit the task."),
              SEEDBED_TEXT("short rollouts separate rewards from the actions that earned them and give small "
                           "batches; long ones give few updates")},
    Mechanism{"algo.replay_ratio",
              [](const Change& c) { return c.up() ? c.size() + c.add(c.symptoms.stale) : 0.7 * c.size(); },
              "stale_replay", SEEDBED_TEXT("The replay ratio does not suit the size of the replay."),
              SEEDBED_TEXT("if it is too high, the network fits a few old decisions; if it is too low, it "
                           "learns little from each")},
    Mechanism{
        "algo.replay_size",
        [](const Change& c) { return c.up() ? 0.2 * c.size() : 0.7 * c.size() + c.add(c.symptoms.stale); },
        "stale_replay", SEEDBED_TEXT("The size of the replay does not suit the task."),
        SEEDBED_TEXT("a small replay contains similar decisions, which the network fits and then "
                     "forgets")},
    Mechanism{"algo.target_period",
              [](const Change& c) { return 0.7 * c.size() + c.add(!c.up() && c.symptoms.q_diverges); },
              "target_network", SEEDBED_TEXT("The target network changes at the wrong pace."),
              SEEDBED_TEXT("if it changes too fast, values follow themselves and diverge; if it changes too "
                           "slowly, values lag behind")},
    Mechanism{"algo.target_rate",
              [](const Change& c) { return 0.7 * c.size() + c.add(c.up() && c.symptoms.q_diverges); },
              "target_network", SEEDBED_TEXT("The target network changes at the wrong pace."),
              SEEDBED_TEXT("if it changes too fast, values follow themselves and diverge; if it changes too "
                           "slowly, values lag behind")},
    Mechanism{"algo.epsilon_end", [](const Change& c) { return c.up() ? 10 * (c.b() - c.a()) : 0.3; },
              "random_actions", SEEDBED_TEXT("The share of random actions does not suit the task."),
              SEEDBED_TEXT("too many random actions keep the agent from reaching states that it must learn "
                           "about; too few do not explore")},
    Mechanism{"algo.epsilon_horizon", [](const Change& c) { return 0.7 * c.size(); }, "random_actions",
              SEEDBED_TEXT("The share of random actions does not suit the task."),
              SEEDBED_TEXT("too many random actions keep the agent from reaching states that it must learn "
                           "about; too few do not explore")},
    Mechanism{"algo.clip",
              [](const Change& c) {
                  return c.up() ? c.size() + c.add(c.symptoms.leaps) : c.size() + c.add(c.symptoms.frozen);
              },
              "clip", SEEDBED_TEXT("The clip range does not suit the algorithm."),
              SEEDBED_TEXT("near 0 it stops learning; near 1 it does not limit changes to the policy")},
    Mechanism{
        "algo.value_cost",
        [](const Change& c) {
            return c.up() ? 0.5 * c.size() : 0.7 * c.size() + c.add(c.symptoms.no_critic);
        },
        "value_cost", SEEDBED_TEXT("The weight of the value loss is wrong."),
        SEEDBED_TEXT("if it is too low, the critic does not learn; if it is too high, it dominates a shared "
                     "network")},
    Mechanism{"optimiser.max_grad_norm",
              [](const Change& c) {
                  if (c.b() <= 0) return 1.0 + c.add(c.symptoms.leaps);
                  return c.up() ? 0.3 * c.size() : 0.5 * c.size() + c.add(c.symptoms.frozen);
              },
              "gradient_limit", SEEDBED_TEXT("The limit on the gradient norm is wrong."),
              SEEDBED_TEXT("if it is too low, it removes the gradient; if it is disabled or too high, one "
                           "bad batch can destroy the network"),
              true},
    Mechanism{"optimiser.kind", [](const Change&) { return 2.0; }, "optimiser",
              SEEDBED_TEXT("The optimiser does not suit the learning rate."),
              SEEDBED_TEXT("optimisers need learning rates of different orders of magnitude"), true},
    Mechanism{"optimiser.epsilon", [](const Change& c) { return 0.5 * c.size() + c.add(c.symptoms.frozen); },
              "optimiser", SEEDBED_TEXT("The optimiser's epsilon is wrong."),
              SEEDBED_TEXT("a large epsilon shrinks every step")},
    Mechanism{"optimiser.weight_decay",
              [](const Change& c) { return c.up() ? 1.0 + decades(std::max(c.a(), 0.01), c.b()) : 0.2; },
              "weight_decay", SEEDBED_TEXT("Weight decay shrinks the network faster than it learns."),
              SEEDBED_TEXT("parameters are pulled to 0 at every step")},
    Mechanism{"network.core", [](const Change& c) { return c.to == "none" ? 3 : 0.5; }, "no_memory",
              SEEDBED_TEXT("The network lacks the memory that the task needs."),
              SEEDBED_TEXT("one observation does not determine the best action, and without memory earlier "
                           "ones are forgotten")},
    Mechanism{
        "network.hidden",
        [](const Change& c) {
            const double size = decades(widthOf(c.from), widthOf(c.to));
            return widthOf(c.to) < widthOf(c.from) ? 1.2 * size : 0.5 * size;
        },
        "network_size", SEEDBED_TEXT("The network has the wrong size."),
        SEEDBED_TEXT("a network that is too small cannot represent a good policy; one that is too large "
                     "needs more data")},
    Mechanism{
        "network.core_size", [](const Change& c) { return 0.8 * c.size(); }, "network_size",
        SEEDBED_TEXT("The network has the wrong size."),
        SEEDBED_TEXT("a network that is too small cannot represent a good policy; one that is too large "
                     "needs more data")},
    Mechanism{
        "network.initial_log_std",
        [](const Change& c) { return std::abs(c.b() - c.a()) / std::log(10) + c.add(c.symptoms.leaps); },
        "action_spread", SEEDBED_TEXT("The initial spread of the actions is wrong."),
        SEEDBED_TEXT(
            "if it is too wide, most actions are cut off at their bounds; if it is too narrow, the agent "
            "does not explore, and every update is a large change"),
        true},
    Mechanism{"network.normalise_obs", [](const Change&) { return 1.0; }, "normaliser",
              SEEDBED_TEXT("Observations are not normalised as the task requires."),
              SEEDBED_TEXT("observations of very different scales reach the network")},
    Mechanism{"algo.normalise_advantages", [](const Change&) { return 1.0; }, "normaliser",
              SEEDBED_TEXT("Advantages are not normalised as the algorithm requires."),
              SEEDBED_TEXT("the size of the rewards then scales every step of the policy")},
    Mechanism{"algo.target_kl",
              [](const Change& c) { return c.b() > 0 ? 0.5 + std::max(0.0, -2 - std::log10(c.b())) : 0.5; },
              "updates_cut_short", SEEDBED_TEXT("Updates end after a few minibatches."),
              SEEDBED_TEXT("the permitted change to the policy is so small that most data are not used")},
    Mechanism{"run.forced_lag", [](const Change& c) { return c.up() ? 1 + 0.5 * c.size() : 0.1; }, "lag",
              SEEDBED_TEXT("Actors use parameters that are too old."),
              SEEDBED_TEXT("the experience comes from a policy much older than the learner's")},
    Mechanism{"run.steps",
              [](const Change& c) {
                  return c.up() || c.b() <= 0 ? 0.0 : 1.5 * c.size() + 0.5 * c.add(c.symptoms.improving);
              },
              "too_few_steps", SEEDBED_TEXT("The run has too few steps."),
              SEEDBED_TEXT("it ends before the goal can be reached")},
    Mechanism{
        "eval.greedy", [](const Change& c) { return 0.5 + c.add(c.symptoms.greedy_differs); },
        "evaluation_differs", SEEDBED_TEXT("Evaluations do not select actions as the preset's goal assumes."),
        SEEDBED_TEXT("sampled actions score lower than the most probable ones while the policy explores")},
    Mechanism{"env.wrap.action_repeat", [](const Change& c) { return 1 + c.size(); }, "task_changed",
              SEEDBED_TEXT("A changed environment makes the task harder."),
              SEEDBED_TEXT("the agent decides too rarely")},
    Mechanism{"env.wrap.sticky_actions",
              [](const Change& c) { return c.up() ? 0.5 + 2 * (c.b() - c.a()) : 0.2; }, "task_changed",
              SEEDBED_TEXT("A changed environment makes the task harder."),
              SEEDBED_TEXT("actions are often replaced by earlier ones")},
    Mechanism{"env.wrap.time_limit", [](const Change&) { return 2.0; }, "task_changed",
              SEEDBED_TEXT("A changed environment makes the task harder."),
              SEEDBED_TEXT("episodes end before the goal can be reached, or never")},
    Mechanism{"env.", [](const Change&) { return 1.5; }, "task_changed",
              SEEDBED_TEXT("A changed environment makes the task harder."),
              SEEDBED_TEXT("the preset is tuned for other parameters of the environment")},
    Mechanism{"",
              [](const Change& c) {
                  return c.from.is_number() && c.to.is_number()
                             ? std::min(2.0, std::max(kOther, 0.5 * c.size()))
                             : kOther;
              },
              "changed_setting", SEEDBED_TEXT("A changed setting is the likely reason."),
              SEEDBED_TEXT("the run misses its goal with a value that the preset does not use")},
};

// Settings that do not affect learning. They include settings of the machine, and budgets larger than
// planned.
constexpr std::array kHarmless{
    "env.id",          "algo.id",           "run.seed",         "run.threads",   "run.device",
    "run.engine",      "run.horizon",       "run.minutes",      "run.inference", "run.keep_awake",
    "run.tensorboard", "run.target_return", "eval.every_steps", "eval.episodes", "eval.final_episodes",
    "env.wrap.step_ms"};
constexpr std::array kHarmlessSections{
    "checkpoint.",  "infer.",        "learner.c",          "learner.max_policy_lag",
    "actor.groups", "actor.threads", "actor.open_windows", "actor.restarts",
    "actor.stall_s"};

bool isHarmless(const std::string& key) {
    return std::find(kHarmless.begin(), kHarmless.end(), key) != kHarmless.end() ||
           std::any_of(kHarmlessSections.begin(), kHarmlessSections.end(),
                       [&](const char* section) { return key.starts_with(section); });
}

bool applies(const Mechanism& mechanism, const std::string& key) {
    const std::string_view own = mechanism.key;
    return own.empty() || own.ends_with('.') ? key.starts_with(own) : key == own;
}

}  // namespace

std::vector<Suspect> suspectsOf(const RunView& run) {
    std::vector<Suspect> suspects;
    if (!run.base.is_object()) return suspects;
    const Symptoms symptoms = symptomsOf(run);
    std::vector<std::pair<std::string, Json>> fields;
    flatten(run.config, "", fields);
    for (const auto& [key, to] : fields) {
        const Json from = settingOf(run.base, key);
        if (isHarmless(key) || from.is_null() || from == to) continue;
        const Change change{run, symptoms, from, to};
        // Defaults do not suit every task: only large differences from them are suspect.
        if (!hasPreset(run) && change.size() < kFarFromDefault && from.is_number()) continue;
        // Mechanisms of one key are adjacent. General ones are last and apply to keys without a specific
        // mechanism.
        const auto first = std::find_if(kMechanisms.begin(), kMechanisms.end(),
                                        [&](const Mechanism& m) { return applies(m, key); });
        for (auto m = first; m != kMechanisms.end() && std::string_view(m->key) == first->key; ++m) {
            const double strength = m->strength(change);
            if (!(strength > 0)) continue;
            suspects.push_back({key, from, to, strength, m->rule, m->title, m->cause, m->diverges});
            break;
        }
    }
    std::stable_sort(suspects.begin(), suspects.end(),
                     [](const Suspect& a, const Suspect& b) { return a.strength > b.strength; });
    return suspects;
}

Finding blame(const RunView& run, const Suspect& suspect) {
    const Outcome outcome = outcomeOf(run);
    Finding f = found(suspect.rule, Finding::Severity::warning, suspect.title);
    const bool preset = hasPreset(run);
    const std::string from = settingText(suspect.from), to = settingText(suspect.to);
    if (outcome.score && run.goal) {
        const char* evaluated =
            preset ? SEEDBED_TEXT("the last evaluation is %1 and the goal %2; %3 is %4 (in the preset: %5)")
                   : SEEDBED_TEXT("the last evaluation is %1 and the goal %2; %3 is %4 (by default: %5)");
        const char* trained =
            preset ? SEEDBED_TEXT("the training return is %1 and the goal %2; %3 is %4 (in the preset: %5)")
                   : SEEDBED_TEXT("the training return is %1 and the goal %2; %3 is %4 (by default: %5)");
        f.evidence = {outcome.evaluated ? evaluated : trained,
                      {shortNumber(*outcome.score), shortNumber(*run.goal), suspect.key, to, from}};
    } else {
        f.evidence = {
            preset ? SEEDBED_TEXT("%1 is %2 (in the preset: %3)") : SEEDBED_TEXT("%1 is %2 (by default: %3)"),
            {suspect.key, to, from}};
    }
    f.cause = suspect.cause;
    f.remedy = preset ? SEEDBED_TEXT("the preset's value") : SEEDBED_TEXT("the default value");
    f.blames = {suspect.key};
    f.settings = {{suspect.key, suspect.from}};
    if (suspect.key == "run.steps" && run.saved_step > 0) {
        f.resume = true;
        f.remedy = preset ? SEEDBED_TEXT("continue the run up to the preset's number of steps")
                          : SEEDBED_TEXT("continue the run up to the default number of steps");
    }
    return f;
}

}  // namespace seedbed::doctor
