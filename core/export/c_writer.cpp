// SPDX-License-Identifier: Apache-2.0
#include "core/export/c_writer.hpp"

#include "core/export/c_text.hpp"

namespace seedbed {

Registry<COperation>& cOperationRegistry() {
    static Registry<COperation> registry;
    return registry;
}

bool registerCOperation(const std::string& id,
                        std::string (*write)(CWriter& writer, const PlanOp& op, const std::string& title)) {
    cOperationRegistry().add({.id = id, .write = write});
    return true;
}

CWriter::CWriter(const PolicyModel& model, const std::string& prefix)
    : model_(model),
      plan_(model.plan),
      names_(model, prefix),
      pointers_(plan_.values.size()),
      uses_(plan_.values.size(), 0),
      places_(plan_.values.size(), 0) {}

void CWriter::countUses(const std::vector<char>& needed) {
    for (std::size_t i = 0; i < needed.size(); ++i)
        for (const int x : plan_.ops[i].inputs) uses_[static_cast<std::size_t>(x)] += needed[i] ? 1 : 0;
}

Result<std::string> CWriter::writeOps(const std::vector<char>& needed) {
    std::string text;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        if (!needed[i]) continue;
        const PlanOp& op = plan_.ops[i];
        const COperation* operation = cOperationRegistry().find(op.kind);
        if (operation == nullptr) return unsupportedOperation(plan_, op, "this policy cannot be exported: C");
        text += operation->write(*this, op, layerOf(plan_, op));
        for (const int x : op.inputs) used(x);
    }
    return text;
}

std::string CWriter::copyOut(int value, const std::string& to, int words) {
    const std::string text =
        block("results", pointer(value), to,
              "        int i;\n" + loop(static_cast<std::size_t>(words), "y[i] = x[i];"));
    used(value);
    return text;
}

std::string CWriter::arrays() const {
    std::string text;
    for (const auto& [name, array_text] : arrays_) text += array_text;
    return text;
}

std::string CWriter::helpers() const {
    std::string text = cHelpers();
    for (const auto& [name, helper_text] : helpers_) text += helper_text;
    return text;
}

const ParamEntry& CWriter::entry(const PlanOp& op, std::size_t i) const {
    return plan_.params[static_cast<std::size_t>(op.params[i])];
}

void CWriter::setPointer(int value, const std::string& expression) {
    pointers_[static_cast<std::size_t>(value)] = expression;
}

std::string CWriter::place(int value) {
    const std::size_t at = work_.take(sizeOf(value));
    places_[static_cast<std::size_t>(value)] = at + 1;
    return pointers_[static_cast<std::size_t>(value)] = work(at);
}

std::string CWriter::work(std::size_t at) { return "(p->work + " + std::to_string(at) + ")"; }

std::string CWriter::array(const std::string& member, const std::vector<float>& values) {
    const std::string& name = names_.array(member);
    if (std::string& text = arrays_[name]; text.empty()) text = floatArray(name, values);
    return name;
}

std::string CWriter::param(const PlanOp& op, std::size_t i) {
    const ParamEntry& e = entry(op, i);
    const float* values = model_.params().at(e);
    return array("w_" + e.name, {values, values + e.count});
}

std::string CWriter::transposed(const PlanOp& op, std::size_t i) {
    const ParamEntry& e = entry(op, i);
    const float* values = model_.params().at(e);
    const auto out = static_cast<std::size_t>(e.shape[0]), in = e.count / out;
    std::vector<float> matrix(e.count);
    for (std::size_t o = 0; o < out; ++o)
        for (std::size_t k = 0; k < in; ++k) matrix[k * out + o] = values[o * in + k];
    return array("w_" + e.name, matrix);
}

std::string CWriter::previousAction() {
    // policy_act has overwritten p->previous_action before policy_value runs.
    action_before_ = action_before_ || judging_;
    return judging_ ? "p->action_before" : "p->previous_action";
}

std::string CWriter::block(const std::string& title, const std::string& x, const std::string& y,
                           const std::string& body) {
    std::string text = "    { /* " + commentText(title) + " */\n";
    if (!x.empty()) text += "        const float *POLICY_RESTRICT x = " + x + ";\n";
    if (!y.empty()) text += "        float *POLICY_RESTRICT y = " + y + ";\n";
    return text + body + "    }\n";
}

std::string CWriter::loop(std::size_t count, const std::string& statement, const char* index) {
    const std::string n = std::to_string(count), i = index;
    return "        for (" + i + " = 0; " + i + " < " + n + "; " + i + "++) " + statement + "\n";
}

std::string CWriter::activation(Activation kind, std::size_t count) {
    switch (kind) {
        case Activation::none: return "";
        case Activation::tanh: return loop(count, "y[i] = policy_tanh(y[i]);");
        case Activation::relu: return loop(count, "y[i] = y[i] < 0.0f ? 0.0f : y[i];");
        case Activation::elu: return loop(count, "y[i] = y[i] < 0.0f ? expm1f(y[i]) : y[i];");
    }
    return "";
}

std::string CWriter::addProduct(std::size_t in, std::size_t out, const std::string& weight) {
    const std::string n = std::to_string(out);
    return loop(in,
                "{\n            const float a = x[j];\n            const float *w = " + weight + " + j * " +
                    n + ";\n            for (i = 0; i < " + n + "; i++) y[i] += a * w[i];\n        }",
                "j");
}

std::string CWriter::product(std::size_t in, std::size_t out, const std::string& weight,
                             const std::string& bias) {
    return "        int i, j;\n" + loop(out, "y[i] = " + bias + "[i];") + addProduct(in, out, weight);
}

std::string CWriter::window(const PlanOp& op) const {
    const PlanValue &from = shape(op.inputs[0]), &to = shape(op.output);
    std::string text;
    for (const int n : {from.channels, from.height, from.width, to.channels, to.height, to.width, op.kernel,
                        op.stride, op.pad})
        text += ", " + std::to_string(n);
    return text;
}

std::string CWriter::state(std::size_t at) { return "(p->state + " + std::to_string(at) + ")"; }

void CWriter::used(int value) {
    const auto v = static_cast<std::size_t>(value);
    if (--uses_[v] > 0 || places_[v] == 0) return;
    work_.release(places_[v] - 1);
    places_[v] = 0;
}

}  // namespace seedbed
