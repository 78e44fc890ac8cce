// SPDX-License-Identifier: Apache-2.0
// Writes the C header: one block of plain loops per operation of the plan, sizes as literals so that
// compilers unroll and vectorise them.
#include "core/export/c_source.hpp"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "core/base/text.hpp"
#include "core/export/c_buffers.hpp"
#include "core/export/c_text.hpp"
#include "core/export/provenance_text.hpp"
#include "core/nn/acting_head.hpp"

namespace seedbed {

namespace {

class HeaderWriter {
public:
    HeaderWriter(const PolicyModel& model, const TargetOptions& options)
        : model_(model),
          plan_(model.plan),
          options_(options),
          pointers_(plan_.values.size()),
          uses_(plan_.values.size(), 0),
          places_(plan_.values.size()) {}

    std::string write() {
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
        countUses(acting), countUses(judging);
        ++uses_[static_cast<std::size_t>(policy_value_)];
        if (critic_value_ >= 0) ++uses_[static_cast<std::size_t>(critic_value_)];
        // One after the other: a place is known when what fills it was written.
        std::string act = writeOps(acting);
        act += copyOut(policy_value_, "p->policy", model_.policy_words);
        act += chooseActions();
        judging_ = true;
        std::string value = writeOps(judging);
        if (critic_value_ >= 0) value += copyOut(critic_value_, "p->value", model_.value_words);
        std::string weights;
        for (const auto& [name, text] : weights_) weights += text;
        if (action_before_)
            act = block("for policy_value", "p->previous_action", "p->action_before",
                        "        int i;\n" +
                            loop(static_cast<std::size_t>(model_.spaces().actionWords()), "y[i] = x[i];")) +
                  act;
        return heading() + guard() + weights + declarations() + functions(act, value) + guardEnd();
    }

private:
    void countUses(const std::vector<char>& needed) {
        for (std::size_t i = 0; i < needed.size(); ++i)
            for (const int x : plan_.ops[i].inputs) uses_[static_cast<std::size_t>(x)] += needed[i] ? 1 : 0;
    }

    std::size_t sizeOf(int value) const { return plan_.values[static_cast<std::size_t>(value)].size(); }
    const std::string& pointer(int value) const { return pointers_[static_cast<std::size_t>(value)]; }
    static std::string work(std::size_t at) { return "(p->work + " + std::to_string(at) + ")"; }

    // A place for the output of an operation.
    std::string place(int value) {
        const std::size_t at = work_.take(sizeOf(value));
        places_[static_cast<std::size_t>(value)] = at + 1;
        return pointers_[static_cast<std::size_t>(value)] = work(at);
    }
    void used(int value) {
        const auto v = static_cast<std::size_t>(value);
        if (--uses_[v] > 0 || places_[v] == 0) return;
        work_.giveBack(places_[v] - 1);
        places_[v] = 0;
    }

    std::string writeOps(const std::vector<char>& needed) {
        std::string text;
        for (std::size_t i = 0; i < needed.size(); ++i) {
            if (!needed[i]) continue;
            const PlanOp& op = plan_.ops[i];
            text += writeOp(op);
            for (const int x : op.inputs) used(x);
        }
        return text;
    }

    std::string array(const std::string& name, const std::vector<float>& values) {
        if (std::string& text = weights_[name]; text.empty()) text = floatArray(name, values);
        return name;
    }
    const ParamEntry& entry(const PlanOp& op, std::size_t i) const {
        return plan_.params[static_cast<std::size_t>(op.params[i])];
    }
    std::string param(const PlanOp& op, std::size_t i) {
        const ParamEntry& e = entry(op, i);
        const float* values = model_.params().at(e);
        return array("policy_w_" + identifier(e.name), {values, values + e.count});
    }
    // A matrix [out, in] as [in, out], so that the inner loop runs over outputs.
    std::string turned(const PlanOp& op, std::size_t i) {
        const ParamEntry& e = entry(op, i);
        const float* values = model_.params().at(e);
        const auto out = static_cast<std::size_t>(e.shape[0]), in = e.count / out;
        std::vector<float> matrix(e.count);
        for (std::size_t o = 0; o < out; ++o)
            for (std::size_t k = 0; k < in; ++k) matrix[k * out + o] = values[o * in + k];
        return array("policy_w_" + identifier(e.name), matrix);
    }

    static std::string block(const std::string& title, const std::string& x, const std::string& y,
                             const std::string& body) {
        std::string text = "    { /* " + commentText(title) + " */\n";
        if (!x.empty()) text += "        const float *POLICY_RESTRICT x = " + x + ";\n";
        if (!y.empty()) text += "        float *POLICY_RESTRICT y = " + y + ";\n";
        return text + body + "    }\n";
    }
    static std::string loop(std::size_t count, const std::string& statement, const char* index = "i") {
        const std::string n = std::to_string(count), i = index;
        return "        for (" + i + " = 0; " + i + " < " + n + "; " + i + "++) " + statement + "\n";
    }
    static std::string activation(Activation kind, std::size_t count) {
        switch (kind) {
            case Activation::none: return "";
            case Activation::tanh: return loop(count, "y[i] = policy_tanh(y[i]);");
            case Activation::relu: return loop(count, "y[i] = y[i] < 0.0f ? 0.0f : y[i];");
            case Activation::elu: return loop(count, "y[i] = y[i] < 0.0f ? expm1f(y[i]) : y[i];");
        }
        return "";
    }
    // y = b + x W, y and x declared.
    static std::string product(std::size_t in, std::size_t out, const std::string& weight,
                               const std::string& bias) {
        const std::string n = std::to_string(out);
        return "        int i, j;\n" + loop(out, "y[i] = " + bias + "[i];") +
               loop(in,
                    "{\n            const float a = x[j];\n            const float *w = " + weight +
                        " + j * " + n + ";\n            for (i = 0; i < " + n +
                        "; i++) y[i] += a * w[i];\n        }",
                    "j");
    }

    std::string writeOp(const PlanOp& op) {
        const std::string title =
            op.params.empty() ? "" : entry(op, 0).name.substr(0, entry(op, 0).name.rfind('.'));
        const std::size_t size = sizeOf(op.output);
        switch (op.kind) {
            case OpKind::input: return input(op);
            case OpKind::normalise: return normalise(op, title);
            case OpKind::previous_action: return previousAction(op);
            case OpKind::previous_reward: return previousReward(op);
            case OpKind::linear: {
                const std::string x = pointer(op.inputs[0]), y = place(op.output);
                return block(title, x, y,
                             product(sizeOf(op.inputs[0]), size, turned(op, 0), param(op, 1)) +
                                 activation(op.activation, size));
            }
            case OpKind::conv2d: return conv2d(op, title);
            case OpKind::layer_norm: {
                const std::string x = pointer(op.inputs[0]), y = place(op.output);
                return block(title, x, y,
                             "        int i;\n        policy_layer_norm(x, " + param(op, 0) + ", " +
                                 param(op, 1) + ", y, " + std::to_string(size) + ");\n" +
                                 (op.activation == Activation::none ? "        (void)i;\n"
                                                                    : activation(op.activation, size)));
            }
            case OpKind::activation: {
                const std::string x = pointer(op.inputs[0]), y = place(op.output);
                return block(
                    "activation", x, y,
                    "        int i;\n" + loop(size, "y[i] = x[i];") + activation(op.activation, size));
            }
            case OpKind::max_pool: return maxPool(op);
            case OpKind::add: {
                const std::string x = pointer(op.inputs[0]), x2 = pointer(op.inputs[1]), y = place(op.output);
                return block("add", x, y,
                             "        const float *POLICY_RESTRICT x2 = " + x2 + ";\n        int i;\n" +
                                 loop(size, "y[i] = x[i] + x2[i];"));
            }
            case OpKind::concat: return concat(op);
            case OpKind::lstm: return lstm(op, title);
            case OpKind::gru: return gru(op, title);
            case OpKind::parameter_rows: {
                const std::string y = place(op.output);
                return block(title, "", y,
                             "        int i;\n" + loop(size, "y[i] = " + param(op, 0) + "[i];"));
            }
            case OpKind::dueling: {
                const std::string v = pointer(op.inputs[0]), x = pointer(op.inputs[1]), y = place(op.output);
                return block("dueling", x, y,
                             "        float mean = 0.0f;\n        int i;\n" + loop(size, "mean += x[i];") +
                                 "        mean /= " + std::to_string(size) + ".0f;\n" +
                                 loop(size, "y[i] = " + v + "[0] + x[i] - mean;"));
            }
        }
        return "";
    }

    std::string input(const PlanOp& op) {
        const ObsLeaf& leaf = model_.spaces().obs[static_cast<std::size_t>(op.leaf)];
        const std::string x = "obs_" + identifier(leaf.name);
        const std::size_t size = sizeOf(op.output);
        if (leaf.kind == ObsLeaf::Kind::vector || (leaf.kind == ObsLeaf::Kind::image && leaf.high == 1)) {
            pointers_[static_cast<std::size_t>(op.output)] = x;
            return "";
        }
        const std::string y = place(op.output);
        if (leaf.kind == ObsLeaf::Kind::image)
            return block("pixels of " + leaf.name, x, y,
                         "        int i;\n" +
                             loop(size, "y[i] = x[i] / " + floatText(static_cast<float>(leaf.high)) + ";"));
        const std::string n = std::to_string(leaf.cardinality);
        return block("one-hot " + leaf.name, x, y,
                     "        int i;\n" +
                         loop(size, "y[i] = x[i / " + n + "] == (float)(i % " + n + ") ? 1.0f : 0.0f;"));
    }

    std::string normalise(const PlanOp& op, const std::string& title) {
        const ParamEntry& var = entry(op, 1);
        std::vector<float> scale;
        for (std::size_t i = 0; i < var.count; ++i)
            scale.push_back(1.0f / std::sqrt(model_.params().at(var)[i] + 1e-8f));
        const std::string name = array("policy_w_" + identifier(title) + "_scale", scale);
        const std::string x = pointer(op.inputs[0]), y = place(op.output),
                          clip = floatText(static_cast<float>(op.clip));
        return block(
            title, x, y,
            "        int i;\n" +
                loop(sizeOf(op.output), "{\n            const float z = (x[i] - " + param(op, 0) + "[i]) * " +
                                            name + "[i];\n            y[i] = z < -" + clip + " ? -" + clip +
                                            " : z > " + clip + " ? " + clip + " : z;\n        }"));
    }

    std::string previousAction(const PlanOp& op) {
        action_before_ = action_before_ || judging_;  // policy_act has put its own action there by then
        const std::string y = place(op.output);
        std::string body = "        int i;\n";
        std::size_t from = 0, to = 0;
        for (const ActionLeaf& leaf : model_.spaces().actions) {
            const auto words = static_cast<std::size_t>(leaf.words());
            const bool choice = leaf.kind == ActionLeaf::Kind::discrete;
            const std::size_t width = choice ? static_cast<std::size_t>(leaf.n) : words;
            const std::string source = std::string(judging_ ? "p->action_before[" : "p->previous_action[") +
                                       std::to_string(from) + (choice ? "]" : " + i]");
            body += loop(width, "y[" + std::to_string(to) + " + i] = " + source +
                                    (choice ? " == (float)i ? 1.0f : 0.0f;" : ";"));
            from += words, to += width;
        }
        return block("previous action", "", y, body);
    }

    std::string previousReward(const PlanOp& op) {
        const RewardView& view = model_.bundle.reward;
        std::string body = "        y[0] = previous_reward;\n";
        if (view.clip > 0) {
            const std::string clip = floatText(view.clip);
            body += "        y[0] = y[0] < -" + clip + " ? -" + clip + " : y[0] > " + clip + " ? " + clip +
                    " : y[0];\n";
        }
        if (view.scale != 1) body += "        y[0] *= " + floatText(view.scale) + ";\n";
        return block("previous reward, as in training", "", place(op.output), body);
    }

    static std::string window(const PlanOp& op, const PlanValue& from, const PlanValue& to) {
        std::string text;
        for (const int n : {from.channels, from.height, from.width, to.channels, to.height, to.width,
                            op.kernel, op.stride, op.pad})
            text += ", " + std::to_string(n);
        return text;
    }
    std::string conv2d(const PlanOp& op, const std::string& title) {
        const std::string x = pointer(op.inputs[0]), y = place(op.output);
        const PlanValue &from = plan_.values[static_cast<std::size_t>(op.inputs[0])],
                        &to = plan_.values[static_cast<std::size_t>(op.output)];
        uses_conv_ = true;
        const bool plain = op.activation == Activation::none;
        return block(title, x, y,
                     std::string(plain ? "" : "        int i;\n") + "        policy_conv(x, " + param(op, 0) +
                         ", " + param(op, 1) + ", y" + window(op, from, to) + ");\n" +
                         activation(op.activation, sizeOf(op.output)));
    }
    std::string maxPool(const PlanOp& op) {
        const std::string x = pointer(op.inputs[0]), y = place(op.output);
        const PlanValue &from = plan_.values[static_cast<std::size_t>(op.inputs[0])],
                        &to = plan_.values[static_cast<std::size_t>(op.output)];
        uses_pool_ = true;
        return block("max pooling", x, y, "        policy_max_pool(x, y" + window(op, from, to) + ");\n");
    }

    std::string concat(const PlanOp& op) {
        const std::string y = place(op.output);
        std::string body = "        int i;\n";
        std::size_t at = 0;
        for (const int x : op.inputs) {
            body += loop(sizeOf(x), "y[" + std::to_string(at) + " + i] = " + pointer(x) + "[i];");
            at += sizeOf(x);
        }
        return block("concatenation", "", y, body);
    }

    // y = bias + bias2, then += x W and += h U, in a place of their own.
    std::string gates(const PlanOp& op, std::size_t width, const std::string& to, const std::string& h,
                      std::size_t size, bool apart) {
        const std::size_t in = sizeOf(op.inputs[0]);
        const std::string first = block("from the input", pointer(op.inputs[0]), to,
                                        product(in, width, turned(op, 0), param(op, 2)));
        if (apart) return first;
        const std::string n = std::to_string(width);
        return first + block("from the state", h, to,
                             "        int i, j;\n" + loop(width, "y[i] += " + param(op, 3) + "[i];") +
                                 loop(size,
                                      "{\n            const float a = x[j];\n            const float *w = " +
                                          turned(op, 1) + " + j * " + n + ";\n            for (i = 0; i < " +
                                          n + "; i++) y[i] += a * w[i];\n        }",
                                      "j"));
    }

    std::string lstm(const PlanOp& op, const std::string& title) {
        const std::size_t size = sizeOf(op.output), scratch = work_.take(4 * size);
        const std::string h = "(p->state + " + std::to_string(op.state_offset) + ")";
        const std::string c = "(p->state + " +
                              std::to_string(static_cast<std::size_t>(op.state_offset) + size) + ")",
                          n = std::to_string(size);
        std::string text = gates(op, 4 * size, work(scratch), h, size, false);
        text += block(title, work(scratch), "",
                      "        float *POLICY_RESTRICT h = " + h + ", *POLICY_RESTRICT c = " + c +
                          ";\n        int i;\n" +
                          loop(size, "{\n            c[i] = policy_sigmoid(x[" + n +
                                         " + i]) * c[i] + policy_sigmoid(x[i]) * policy_tanh(x[2 * " + n +
                                         " + i]);\n            h[i] = policy_sigmoid(x[3 * " + n +
                                         " + i]) * policy_tanh(c[i]);\n        }"));
        work_.giveBack(scratch);
        pointers_[static_cast<std::size_t>(op.output)] = h;
        return text;
    }

    std::string gru(const PlanOp& op, const std::string& title) {
        const std::size_t size = sizeOf(op.output), from_x = work_.take(3 * size),
                          from_h = work_.take(3 * size);
        const std::string h = "(p->state + " + std::to_string(op.state_offset) + ")",
                          n = std::to_string(size);
        std::string text = gates(op, 3 * size, work(from_x), h, size, true);
        text +=
            block("from the state", h, work(from_h), product(size, 3 * size, turned(op, 1), param(op, 3)));
        text += block(
            title, work(from_x), "",
            "        const float *POLICY_RESTRICT u = " + work(from_h) +
                ";\n        float *POLICY_RESTRICT h = " + h + ";\n        int i;\n" +
                loop(size,
                     "{\n            const float r = policy_sigmoid(x[i] + u[i]), z = policy_sigmoid(x[" + n +
                         " + i] + u[" + n + " + i]);\n            h[i] = (1.0f - z) * policy_tanh(x[2 * " +
                         n + " + i] + r * u[2 * " + n + " + i]) + z * h[i];\n        }"));
        work_.giveBack(from_x), work_.giveBack(from_h);
        pointers_[static_cast<std::size_t>(op.output)] = h;
        return text;
    }

    std::string copyOut(int value, const std::string& to, int words) {
        const std::string text =
            block("results", pointer(value), to,
                  "        int i;\n" + loop(static_cast<std::size_t>(words), "y[i] = x[i];"));
        used(value);
        return text;
    }

    // From the distribution's parameters in p->policy to `action`.
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
                at += static_cast<std::size_t>(leaf.n), mask_at += static_cast<std::size_t>(leaf.n), ++word;
                continue;
            }
            text += boxAction(leaf, at, word);
            at += 2 * static_cast<std::size_t>(leaf.words()), word += static_cast<std::size_t>(leaf.words());
        }
        return text;
    }
    std::string boxAction(const ActionLeaf& leaf, std::size_t at, std::size_t word) {
        std::vector<float> low, high, centre, half;
        constexpr double kMost = std::numeric_limits<float>::max();
        for (std::size_t i = 0; i < leaf.low.size(); ++i) {
            low.push_back(static_cast<float>(std::clamp(leaf.low[i], -kMost, kMost)));
            high.push_back(static_cast<float>(std::clamp(leaf.high[i], -kMost, kMost)));
            centre.push_back(static_cast<float>((leaf.low[i] + leaf.high[i]) / 2));
            half.push_back(static_cast<float>((leaf.high[i] - leaf.low[i]) / 2));
        }
        const std::string name = "policy_action_" + identifier(leaf.name), to = std::to_string(word);
        std::string value = "x[i]";
        if (model_.bundle.squash)
            value = array(name + "_centre", centre) + "[i] + " + array(name + "_half_range", half) +
                    "[i] * policy_tanh(x[i])";
        std::string body = "        int i;\n        for (i = 0; i < " + std::to_string(leaf.low.size()) +
                           "; i++) {\n            float a = " + value + ";\n";
        if (model_.wants_previous_action) body += "            p->previous_action[" + to + " + i] = a;\n";
        body += "            a = a < " + array(name + "_low", low) + "[i] ? " + name + "_low[i] : a;\n";
        body += "            action[" + to + " + i] = a > " + array(name + "_high", high) + "[i] ? " + name +
                "_high[i] : a;\n        }\n";
        return block("action " + leaf.name, "p->policy + " + std::to_string(at), "", body);
    }

    std::string parameters() const {
        std::string text = options_.prefix + " *p";
        for (const ObsLeaf& leaf : model_.spaces().obs) text += ", const float *obs_" + identifier(leaf.name);
        if (model_.spaces().has_mask) text += ", const unsigned char *mask";
        if (model_.wants_previous_reward) text += ", float previous_reward";
        return text;
    }

    std::string heading() const {
        std::string text = "/* A policy for " + commentText(model_.bundle.provenance.env) +
                           ", exported by Seedbed " + commentText(options_.written_by) +
                           ": plain C99, no allocation, nothing but math.h.\n *\n";
        for (const auto& [key, value] : metadataOf(model_, options_))
            if (key != "seedbed.spaces" && key != "seedbed.profile" && key != "seedbed.seedbed_version")
                text += " * " + key.substr(8) + ": " + commentText(value) + "\n";
        text +=
            " *\n * policy_reset(&p) at the start of every episode, then policy_act(&p, ...) once per "
            "decision:\n";
        for (std::size_t leaf = 0; leaf < model_.spaces().obs.size(); ++leaf) {
            const ObsLeaf& spec = model_.spaces().obs[leaf];
            text += " *   obs_" + identifier(spec.name) + "[" + std::to_string(model_.obsWords(leaf)) + "]";
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
            text +=
                " *   previous_reward, of the decision before, as the environment gave it; 0 after a reset\n";
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
    // Included twice is fine; two policies of one name are not.
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
    // Whether the critic remembers by itself: then its memory moves on in policy_value.
    bool criticRemembers() const {
        const std::vector<char> acting = operationsFor(plan_, {policy_value_}),
                                judging = operationsFor(plan_, {critic_value_});
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            if (judging[i] && !acting[i] &&
                (plan_.ops[i].kind == OpKind::lstm || plan_.ops[i].kind == OpKind::gru))
                return true;
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
        if (model_.wants_previous_action)
            text += field("previous_action", static_cast<std::size_t>(model_.spaces().actionWords()));
        if (action_before_)
            text += field("action_before", static_cast<std::size_t>(model_.spaces().actionWords()));
        text += field("work", work_.size());
        return text + "} " + options_.prefix + ";\n\n";
    }

    std::string functions(const std::string& act, const std::string& value) const {
        std::string text = cHelpers(uses_conv_, uses_pool_);
        text += "static inline void policy_reset(" + options_.prefix + " *p)\n{\n";
        std::string body;
        if (model_.stateWords() > 0)
            body += loop(static_cast<std::size_t>(model_.stateWords()), "p->state[i] = 0.0f;");
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
                (criticRemembers() ? ", exactly once for every decision: the critic has a memory of its own"
                                   : "") +
                ". */\nstatic inline void policy_value(" + parameters() + ")\n{\n" + unusedParameters(value) +
                value + "}\n\n";
        return text;
    }
    // Arguments that this function does not look at.
    std::string unusedParameters(const std::string& body) const {
        std::string text;
        const auto mention = [&](const std::string& name) {
            if (body.find(name) == std::string::npos) text += "    (void)" + name + ";\n";
        };
        for (const ObsLeaf& leaf : model_.spaces().obs) mention("obs_" + identifier(leaf.name));
        if (model_.spaces().has_mask) mention("mask");
        if (model_.wants_previous_reward) mention("previous_reward");
        return text;
    }

    const PolicyModel& model_;
    const NetPlan& plan_;
    const TargetOptions& options_;
    int policy_value_ = 0, critic_value_ = -1;
    std::vector<std::string> pointers_;
    std::vector<int> uses_;
    std::vector<std::size_t> places_;  // place + 1, 0 for none
    WorkArray work_;
    std::map<std::string, std::string>
        weights_;  // by name, so that their order does not depend on the order of calls
    bool judging_ = false,
         action_before_ = false;  // the value is being written; it looks at the previous action
    bool uses_conv_ = false, uses_pool_ = false;
};

}  // namespace

std::string cHeader(const PolicyModel& model, const TargetOptions& options) {
    return withPrefix(HeaderWriter(model, options).write(), options.prefix);
}

}  // namespace seedbed
