// SPDX-License-Identifier: Apache-2.0
// Writes the C header: one block of plain loops per operation of the plan. Sizes are literals, so that
// compilers can unroll and vectorise the loops.
#include "core/export/c_source.hpp"

#include <algorithm>
#include <limits>

#include "core/base/text.hpp"
#include "core/export/c_text.hpp"
#include "core/export/c_writer.hpp"
#include "core/export/provenance_text.hpp"
#include "core/nn/acting_head.hpp"
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

class HeaderWriter {
public:
    HeaderWriter(const PolicyModel& model, const TargetOptions& options)
        : model_(model), plan_(model.plan), options_(options), writer_(model, options.prefix) {}

    Result<std::string> write() {
        for (const PlanHead& head : plan_.heads) {
            if (head.begin == model_.policy_begin) policy_value_ = head.value;
            else if (options_.with_value && model_.value_words > 0 && head.begin == model_.value_begin)
                critic_value_ = head.value;
        }
        const std::vector<char> acting = operationsFor(plan_, {policy_value_});
        std::vector<char> judging(plan_.ops.size(), 0);
        if (critic_value_ >= 0) {
            judging = operationsFor(plan_, {critic_value_});
            for (std::size_t i = 0; i < judging.size(); ++i) judging[i] = judging[i] && !acting[i];
        }
        writer_.countUses(acting);
        writer_.countUses(judging);
        writer_.addUse(policy_value_);
        if (critic_value_ >= 0) writer_.addUse(critic_value_);
        // These calls must stay in this order, because the location of a value is known only after the
        // operation that computes it has been written.
        SEEDBED_ASSIGN(std::string act, writer_.writeOps(acting));
        act += writer_.copyOut(policy_value_, "p->policy", model_.policy_words);
        act += chooseActions();
        writer_.beginValue();
        SEEDBED_ASSIGN(std::string value, writer_.writeOps(judging));
        if (critic_value_ >= 0) value += writer_.copyOut(critic_value_, "p->value", model_.value_words);
        if (writer_.usesActionBefore())
            act = CWriter::block("for policy_value", "p->previous_action", "p->action_before",
                                 "        int i;\n" + CWriter::loop(actionWords(), "y[i] = x[i];")) +
                  act;
        // The heading contains text of the environment, which withPrefix() would change.
        return heading() +
               withPrefix(guard() + writer_.arrays() + declarations() + functions(act, value) + guardEnd(),
                          options_.prefix);
    }

private:
    std::size_t actionWords() const { return static_cast<std::size_t>(model_.spaces().actionWords()); }

    // Writes the code that computes `action` from the distribution's parameters in p->policy.
    std::string chooseActions() {
        std::string text;
        std::size_t at = 0, mask_at = 0, word = 0;
        for (const ActionLeaf& leaf : model_.spaces().actions) {
            const std::string to = std::to_string(word), from = std::to_string(at);
            if (leaf.kind == ActionLeaf::Kind::discrete) {
                const std::string n = std::to_string(leaf.n);
                if (model_.spaces().has_mask)
                    text += "    policy_mask(p->policy + " + from + ", mask + " + std::to_string(mask_at) +
                            ", " + n + ");\n";
                text += "    action[" + to + "] = policy_best(p->policy + " + from + ", " + n + ");\n";
                if (model_.wants_previous_action)
                    text += "    p->previous_action[" + to + "] = action[" + to + "];\n";
                at += static_cast<std::size_t>(leaf.n);
                mask_at += static_cast<std::size_t>(leaf.n);
                ++word;
                continue;
            }
            text += boxAction(leaf, at, word);
            at += 2 * static_cast<std::size_t>(leaf.words());
            word += static_cast<std::size_t>(leaf.words());
        }
        return text;
    }
    std::string boxAction(const ActionLeaf& leaf, std::size_t at, std::size_t word) {
        std::vector<float> low, high, centre, half;
        constexpr double kMost = std::numeric_limits<float>::max();
        for (std::size_t i = 0; i < leaf.low.size(); ++i) {
            low.push_back(static_cast<float>(std::clamp(leaf.low[i], -kMost, kMost)));
            high.push_back(static_cast<float>(std::clamp(leaf.high[i], -kMost, kMost)));
            const ActionRange range = rangeOf(leaf, i);
            centre.push_back(static_cast<float>(range.centre));
            half.push_back(static_cast<float>(range.half));
        }
        const std::string member = "action_" + leaf.name, to = std::to_string(word);
        std::string value = "x[i]";
        if (model_.bundle.squash || leaf.scaled)
            value = writer_.array(member + "_centre", centre) + "[i] + " +
                    writer_.array(member + "_half_range", half) +
                    (model_.bundle.squash ? "[i] * policy_tanh(x[i])" : "[i] * x[i]");
        std::string body = "        int i;\n        for (i = 0; i < " + std::to_string(leaf.low.size()) +
                           "; i++) {\n            float a = " + value + ";\n";
        if (model_.wants_previous_action) body += "            p->previous_action[" + to + " + i] = a;\n";
        const std::string least = writer_.array(member + "_low", low),
                          most = writer_.array(member + "_high", high);
        body += "            a = a < " + least + "[i] ? " + least + "[i] : a;\n";
        body +=
            "            action[" + to + " + i] = a > " + most + "[i] ? " + most + "[i] : a;\n        }\n";
        return CWriter::block("action " + leaf.name, "p->policy + " + std::to_string(at), "", body);
    }

    std::string parameters() const {
        std::string text = options_.prefix + " *p";
        for (std::size_t leaf = 0; leaf < model_.spaces().obs.size(); ++leaf)
            text += ", const float *" + writer_.names().obs(leaf);
        if (model_.spaces().has_mask) text += ", const unsigned char *mask";
        if (model_.wants_previous_reward) text += ", float previous_reward";
        return text;
    }

    std::string heading() const {
        std::string text = "/* A policy for " + commentText(publicId(model_.bundle.provenance.env)) +
                           ", exported by Seedbed " + commentText(options_.written_by) +
                           ": plain C99, no allocation, nothing but math.h.\n *\n";
        for (const auto& [key, value] : metadataOf(model_, options_))
            if (key != "seedbed.spaces" && key != "seedbed.profile" && key != "seedbed.seedbed_version")
                text += " * " + key.substr(8) + ": " + commentText(value) + "\n";
        text += " *\n * " + options_.prefix + "_reset(&p) at the start of every episode, then " +
                options_.prefix + "_act(&p, ...) once per decision:\n";
        for (std::size_t leaf = 0; leaf < model_.spaces().obs.size(); ++leaf) {
            const ObsLeaf& spec = model_.spaces().obs[leaf];
            const std::string& name = writer_.names().obs(leaf);
            text += " *   " + name + "[" + std::to_string(model_.obsWords(leaf)) + "]";
            if (name != "obs_" + identifier(spec.name))
                text += ", the observation '" + commentText(spec.name) + "'";
            if (spec.stack > 1)
                text += ", " + std::to_string(spec.stack) +
                        " frames, oldest first; before the first frame it is repeated";
            if (spec.kind == ObsLeaf::Kind::image)
                text += ", pixels 0 to " + std::to_string(static_cast<int>(spec.high));
            if (spec.kind == ObsLeaf::Kind::discrete)
                text += ", numbers 0 to " + std::to_string(spec.cardinality - 1);
            text += "\n";
        }
        if (model_.spaces().has_mask)
            text += " *   mask[" + std::to_string(model_.spaces().maskBytes()) +
                    "], 1 for choices that are allowed, 0 for forbidden ones\n";
        if (model_.wants_previous_reward)
            text += " *   previous_reward, the raw reward of the previous decision; 0 after a reset\n";
        text += " *   action[" + std::to_string(model_.spaces().actionWords()) +
                "] is written: numbers of choices, box words within their bounds\n";
        text +=
            " * Afterwards p.policy holds the distribution's parameters. Use one struct per agent; threads "
            "may use different ones.\n */\n";
        return text + "/* SPDX-License-Identifier: " +
               (options_.licence == "unknown" ? std::string("LicenseRef-unknown")
                                              : commentText(options_.licence)) +
               " */\n";
    }
    // The header can be included twice, but two policies with the same name conflict.
    std::string guardName() const { return "SEEDBED_POLICY_" + raised(options_.prefix) + "_H"; }
    std::string weightsNumber() const { return "0x" + model_.params().sha256().substr(0, 8) + "UL"; }
    std::string guard() const {
        return "#ifndef " + guardName() + "\n#define " + guardName() + " " + weightsNumber() +
               "\n\n#include <math.h>\n\n#ifdef __cplusplus\n#define POLICY_RESTRICT "
               "__restrict\n#else\n#define POLICY_RESTRICT "
               "restrict\n#endif\n\n";
    }
    std::string guardEnd() const {
        return "#elif " + guardName() + " != " + weightsNumber() +
               "\n#error \"another exported policy has the same names: export one of them with --prefix "
               "NAME\"\n#endif\n";
    }
    // Whether the critic has separate recurrent memory, which policy_value then updates.
    bool criticRemembers() const {
        const std::vector<char> acting = operationsFor(plan_, {policy_value_}),
                                judging = operationsFor(plan_, {critic_value_});
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            if (judging[i] && !acting[i] && stateWords(plan_, plan_.ops[i]) > 0) return true;
        return false;
    }

    std::string declarations() const {
        const auto field = [](const char* name, std::size_t size) {
            return size == 0 ? std::string()
                             : "    float " + std::string(name) + "[" + std::to_string(size) + "];\n";
        };
        std::string text = "typedef struct " + options_.prefix + " {\n";
        text += field("policy", static_cast<std::size_t>(model_.policy_words));
        if (critic_value_ >= 0) text += field("value", static_cast<std::size_t>(model_.value_words));
        text += field("state", static_cast<std::size_t>(model_.stateWords()));
        if (model_.wants_previous_action) text += field("previous_action", actionWords());
        if (writer_.usesActionBefore()) text += field("action_before", actionWords());
        text += field("work", writer_.workFloats());
        return text + "} " + options_.prefix + ";\n\n";
    }

    std::string functions(const std::string& act, const std::string& value) const {
        std::string text = writer_.helpers();
        text += "static inline void policy_reset(" + options_.prefix + " *p)\n{\n";
        std::string body;
        if (model_.stateWords() > 0)
            body += CWriter::loop(static_cast<std::size_t>(model_.stateWords()), "p->state[i] = 0.0f;");
        if (model_.wants_previous_action) {
            int word = 0;
            for (const ActionLeaf& leaf : model_.spaces().actions)
                for (int i = 0; i < leaf.words(); ++i)
                    body += "        p->previous_action[" + std::to_string(word++) +
                            "] = " + (leaf.kind == ActionLeaf::Kind::discrete ? "-1.0f" : "0.0f") + ";\n";
        }
        if (model_.stateWords() > 0) text += "    {\n        int i;\n" + body + "    }\n}\n\n";
        else text += "    (void)p;\n}\n\n";
        text += "static inline void policy_act(" + parameters() + ", float *action)\n{\n" +
                unusedParameters(act) + act + "}\n\n";
        if (!value.empty())
            text +=
                std::string("/* The value estimate in p->value; after policy_act, with the same arguments") +
                (criticRemembers() ? ", exactly once for every decision: the critic has its own memory"
                                   : "") +
                ". */\nstatic inline void policy_value(" + parameters() + ")\n{\n" + unusedParameters(value) +
                value + "}\n\n";
        return text;
    }
    // Lists the arguments that the function with this body does not use.
    std::string unusedParameters(const std::string& body) const {
        std::string text;
        const auto mention = [&](const std::string& name) {
            if (!usesName(body, name)) text += "    (void)" + name + ";\n";
        };
        for (std::size_t leaf = 0; leaf < model_.spaces().obs.size(); ++leaf)
            mention(writer_.names().obs(leaf));
        if (model_.spaces().has_mask) mention("mask");
        if (model_.wants_previous_reward) mention("previous_reward");
        return text;
    }

    const PolicyModel& model_;
    const NetPlan& plan_;
    const TargetOptions& options_;
    int policy_value_ = 0, critic_value_ = -1;
    CWriter writer_;
};

}  // namespace

Result<std::string> cHeader(const PolicyModel& model, const TargetOptions& options) {
    return HeaderWriter(model, options).write();
}

}  // namespace seedbed
