// SPDX-License-Identifier: Apache-2.0
// One function per operation of a plan. Recurrent cells are written out for one step; normalisation layers
// too, so that every runtime of opset 15 has all operators.
#include "core/export/onnx/layers.hpp"

#include "core/nn/acting_head.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace seedbed::onnx {

namespace {

Attribute integerAttribute(const std::string& name, std::int64_t value) {
    return {.name = name, .kind = Attribute::Kind::integer, .integer = value};
}
Attribute listAttribute(const std::string& name, std::vector<std::int64_t> values) {
    return {.name = name, .kind = Attribute::Kind::integers, .integers = std::move(values)};
}

class Layers {
public:
    Layers(const PolicyModel& policy, const LayerInputs& inputs, GraphWriter& writer)
        : policy_(policy),
          plan_(policy.plan),
          inputs_(inputs),
          writer_(writer),
          names_(plan_.values.size()) {}

    Result<> write(const std::vector<char>& needed, std::string& state_out) {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            if (!needed[i]) continue;
            const PlanOp& op = plan_.ops[i];
            writer_.setScope(scopeOf(op));
            std::string y = writeOp(op);
            if (y.empty())
                return fail(ErrorCode::config,
                            "this policy cannot be exported: ONNX has no form of operation " +
                                std::string("'") + nameOf(op.kind) + "' in '" + scopeOf(op) + "'");
            // Convolutions and pictures go on as they are; everything else is a matrix.
            names_[static_cast<std::size_t>(op.output)] = std::move(y);
        }
        writer_.setScope("state");
        state_out = joinState();
        return {};
    }
    std::vector<std::string> takeNames() { return std::move(names_); }

private:
    const ParamEntry& entry(const PlanOp& op, std::size_t i) const {
        return plan_.params[static_cast<std::size_t>(op.params[i])];
    }
    // "policy.hidden0": the layer that the first parameter belongs to.
    std::string scopeOf(const PlanOp& op) const {
        if (op.params.empty()) return "network";
        const std::string& name = entry(op, 0).name;
        return name.substr(0, name.rfind('.'));
    }
    const PlanValue& shape(int value) const { return plan_.values[static_cast<std::size_t>(value)]; }
    static bool isPicture(const PlanValue& value) { return value.height * value.width > 1; }

    // The value as it is.
    const std::string& value(int index) const { return names_[static_cast<std::size_t>(index)]; }
    // The value as a matrix [batch, n].
    std::string matrix(int index) {
        if (!isPicture(shape(index))) return value(index);
        std::string& flat = flattened_[index];
        if (flat.empty()) flat = writer_.node("Flatten", {value(index)}, {integerAttribute("axis", 1)});
        return flat;
    }
    // A matrix in the form of the value `index`.
    std::string shaped(const std::string& x, int index) {
        const PlanValue& to = shape(index);
        return isPicture(to) ? writer_.reshape(x, {to.channels, to.height, to.width}) : x;
    }
    // Pictures of 1 x 1 are kept as matrices, convolutions need four dimensions.
    std::string picture(int index) {
        const PlanValue& from = shape(index);
        return isPicture(from) ? value(index) : writer_.reshape(value(index), {from.channels, 1, 1});
    }
    std::string fromPicture(const std::string& y, int index) {
        return isPicture(shape(index)) ? y : writer_.node("Flatten", {y}, {integerAttribute("axis", 1)});
    }

    std::string param(const PlanOp& op, std::size_t i) {
        const ParamEntry& e = entry(op, i);
        if (!written_[e.name]) {
            const float* values = policy_.params().at(e);
            writer_.constant(e.name, {e.shape.begin(), e.shape.end()}, {values, values + e.count});
            written_[e.name] = true;
        }
        return e.name;
    }

    std::string activated(const std::string& x, Activation activation) {
        switch (activation) {
            case Activation::none: return x;
            case Activation::tanh: return writer_.node("Tanh", {x});
            case Activation::relu: return writer_.node("Relu", {x});
            case Activation::elu: return writer_.node("Elu", {x});
        }
        return x;
    }

    std::string writeOp(const PlanOp& op) {
        switch (op.kind) {
            case OpKind::input: return input(op);
            case OpKind::normalise: return normalise(op);
            case OpKind::previous_action: return previousAction();
            case OpKind::previous_reward: return inputs_.previous_reward;
            case OpKind::linear:
                return activated(gemm(matrix(op.inputs[0]), param(op, 0), param(op, 1)), op.activation);
            case OpKind::conv2d: return conv2d(op);
            case OpKind::layer_norm: return layerNorm(op);
            case OpKind::activation: return activated(value(op.inputs[0]), op.activation);
            case OpKind::max_pool: return maxPool(op);
            case OpKind::add:
                return shaped(writer_.node("Add", {matrix(op.inputs[0]), matrix(op.inputs[1])}), op.output);
            case OpKind::concat: {
                std::vector<std::string> parts;
                for (const int x : op.inputs) parts.push_back(matrix(x));
                return writer_.concat(parts);
            }
            case OpKind::lstm: return lstm(op);
            case OpKind::gru: return gru(op);
            case OpKind::parameter_rows: return parameterRows(op);
            case OpKind::dueling: {
                const std::string a = matrix(op.inputs[1]);
                return writer_.node("Add", {matrix(op.inputs[0]), writer_.node("Sub", {a, mean(a)})});
            }
        }
        return "";
    }

    std::string input(const PlanOp& op) {
        const ObsLeaf& leaf = policy_.spaces().obs[static_cast<std::size_t>(op.leaf)];
        const std::string& x = inputs_.obs[static_cast<std::size_t>(op.leaf)];
        if (leaf.kind == ObsLeaf::Kind::vector) return x;
        if (leaf.kind == ObsLeaf::Kind::discrete)
            return writer_.oneHot(x, static_cast<int>(policy_.obsWords(static_cast<std::size_t>(op.leaf))),
                                  leaf.cardinality);
        const float divisor = inputs_.divisor[static_cast<std::size_t>(op.leaf)];
        const std::string scaled = divisor == 1.0f ? x : writer_.node("Div", {x, writer_.scalar(divisor)});
        return fromPicture(scaled, op.output);
    }

    std::string normalise(const PlanOp& op) {
        // clip((x - mean) / sqrt(var + 1e-8)), with the division as a product as engines do it.
        const ParamEntry& var = entry(op, 1);
        std::vector<float> scale;
        for (std::size_t i = 0; i < var.count; ++i)
            scale.push_back(1.0f / std::sqrt(policy_.params().at(var)[i] + 1e-8f));
        const std::string scale_name = scopeOf(op) + ".scale";
        writer_.constant(scale_name, {static_cast<std::int64_t>(var.count)}, std::move(scale));
        const std::string centred = writer_.node("Sub", {matrix(op.inputs[0]), param(op, 0)});
        const auto clip = static_cast<float>(op.clip);
        return writer_.node("Clip", {writer_.node("Mul", {centred, scale_name}), writer_.scalar(-clip),
                                     writer_.scalar(clip)});
    }

    std::string previousAction() {
        std::vector<std::string> parts;
        std::int64_t at = 0;
        for (const ActionLeaf& leaf : policy_.spaces().actions) {
            const std::string words = writer_.columns(inputs_.previous_action, at, at + leaf.words());
            parts.push_back(leaf.kind == ActionLeaf::Kind::discrete ? writer_.oneHot(words, 1, leaf.n)
                                                                    : words);
            at += leaf.words();
        }
        return writer_.concat(parts);
    }

    // x W^T + b, or x W^T without b.
    std::string gemm(const std::string& x, const std::string& weight, const std::string& bias) {
        return writer_.node("Gemm", {x, weight, bias}, {integerAttribute("transB", 1)});
    }

    std::string conv2d(const PlanOp& op) {
        const std::string y = writer_.node("Conv", {picture(op.inputs[0]), param(op, 0), param(op, 1)},
                                           {listAttribute("kernel_shape", {op.kernel, op.kernel}),
                                            listAttribute("strides", {op.stride, op.stride}),
                                            listAttribute("pads", {op.pad, op.pad, op.pad, op.pad})});
        return fromPicture(activated(y, op.activation), op.output);
    }

    std::string maxPool(const PlanOp& op) {
        return fromPicture(writer_.node("MaxPool", {picture(op.inputs[0])},
                                        {listAttribute("kernel_shape", {op.kernel, op.kernel}),
                                         listAttribute("strides", {op.stride, op.stride}),
                                         listAttribute("pads", {op.pad, op.pad, op.pad, op.pad})}),
                           op.output);
    }

    std::string mean(const std::string& x) {
        return writer_.node("ReduceMean", {x}, {listAttribute("axes", {1}), integerAttribute("keepdims", 1)});
    }

    std::string layerNorm(const PlanOp& op) {
        const std::string x = matrix(op.inputs[0]);
        const std::string centred = writer_.node("Sub", {x, mean(x)});
        const std::string variance = mean(writer_.node("Mul", {centred, centred}));
        const std::string deviation =
            writer_.node("Sqrt", {writer_.node("Add", {variance, writer_.scalar(1e-5f)})});
        const std::string normalised = writer_.node("Div", {centred, deviation});
        const std::string y =
            writer_.node("Add", {writer_.node("Mul", {normalised, param(op, 0)}), param(op, 1)});
        return shaped(activated(y, op.activation), op.output);
    }

    std::string stateColumns(int begin, int size) {
        return writer_.columns(inputs_.state, begin, begin + size);
    }
    std::string gate(const std::string& gates, int index, int size, const char* op) {
        return writer_.node(
            op, {writer_.columns(gates, std::int64_t{index} * size, std::int64_t{index + 1} * size)});
    }

    std::string lstm(const PlanOp& op) {
        const int size = static_cast<int>(shape(op.output).size());
        const std::string h = stateColumns(op.state_offset, size),
                          c = stateColumns(op.state_offset + size, size);
        const std::string gates = writer_.node("Add", {gemm(matrix(op.inputs[0]), param(op, 0), param(op, 2)),
                                                       gemm(h, param(op, 1), param(op, 3))});
        const std::string i = gate(gates, 0, size, "Sigmoid"), f = gate(gates, 1, size, "Sigmoid"),
                          g = gate(gates, 2, size, "Tanh"), o = gate(gates, 3, size, "Sigmoid");
        const std::string c_after =
            writer_.node("Add", {writer_.node("Mul", {f, c}), writer_.node("Mul", {i, g})});
        const std::string h_after = writer_.node("Mul", {o, writer_.node("Tanh", {c_after})});
        state_[op.state_offset] = {size, h_after};
        state_[op.state_offset + size] = {size, c_after};
        return h_after;
    }

    std::string gru(const PlanOp& op) {
        const int size = static_cast<int>(shape(op.output).size());
        const std::string h = stateColumns(op.state_offset, size);
        const std::string from_x = gemm(matrix(op.inputs[0]), param(op, 0), param(op, 2)),
                          from_h = gemm(h, param(op, 1), param(op, 3));
        const auto part = [&](const std::string& gates, int index) {
            return writer_.columns(gates, std::int64_t{index} * size, std::int64_t{index + 1} * size);
        };
        const std::string r =
            writer_.node("Sigmoid", {writer_.node("Add", {part(from_x, 0), part(from_h, 0)})});
        const std::string z =
            writer_.node("Sigmoid", {writer_.node("Add", {part(from_x, 1), part(from_h, 1)})});
        const std::string n = writer_.node(
            "Tanh", {writer_.node("Add", {part(from_x, 2), writer_.node("Mul", {r, part(from_h, 2)})})});
        const std::string fresh = writer_.node("Mul", {writer_.node("Sub", {writer_.scalar(1.0f), z}), n});
        const std::string h_after = writer_.node("Add", {fresh, writer_.node("Mul", {z, h})});
        state_[op.state_offset] = {size, h_after};
        return h_after;
    }

    // The vector for every row: the batch size comes from an input.
    std::string parameterRows(const PlanOp& op) {
        const std::string shape_of = writer_.node("Shape", {inputs_.obs[0]});
        const std::string batch = writer_.node(
            "Slice", {shape_of, writer_.integers({0}), writer_.integers({1}), writer_.integers({0})});
        const std::string dims =
            writer_.node("Concat", {batch, writer_.integers({static_cast<std::int64_t>(entry(op, 0).count)})},
                         {integerAttribute("axis", 0)});
        return writer_.node("Expand", {param(op, 0), dims});
    }

    std::string joinState() {
        if (plan_.state_words == 0) return "";
        std::vector<std::string> parts;
        int at = 0;
        for (const auto& [offset, part] : state_) {
            if (offset > at) parts.push_back(stateColumns(at, offset - at));
            parts.push_back(part.second);
            at = offset + part.first;
        }
        if (at < plan_.state_words) parts.push_back(stateColumns(at, plan_.state_words - at));
        return writer_.concat(parts);
    }

    const PolicyModel& policy_;
    const NetPlan& plan_;
    const LayerInputs& inputs_;
    GraphWriter& writer_;
    std::vector<std::string> names_;
    std::map<int, std::string> flattened_;
    std::map<std::string, bool> written_;
    std::map<int, std::pair<int, std::string>> state_;  // offset -> size, name
};

}  // namespace

Result<std::vector<std::string>> writeLayers(const PolicyModel& policy, const LayerInputs& inputs,
                                             const std::vector<int>& wanted, GraphWriter& writer,
                                             std::string& state_out) {
    Layers layers(policy, inputs, writer);
    SEEDBED_TRY(layers.write(operationsFor(policy.plan, wanted), state_out));
    return layers.takeNames();
}

}  // namespace seedbed::onnx
