// SPDX-License-Identifier: Apache-2.0
// Operators that work element by element or move elements. Definitions: github.com/onnx/onnx,
// docs/Operators.md, versions of operator set 15.
#include "core/export/onnx/kernels.hpp"

#include <algorithm>
#include <cmath>

#include "core/export/onnx/products.hpp"

namespace seedbed::onnx {

namespace {

using Inputs = std::vector<const Value*>;

const Attribute* needed(const Node& node, const char* name) { return node.find(name); }

// Strides (in elements) of an operand that is broadcast to `dims`; 0 for dimensions in which the operand has
// one element.
Result<std::vector<std::int64_t>> stridesTo(const std::vector<std::int64_t>& from,
                                            const std::vector<std::int64_t>& dims) {
    std::vector<std::int64_t> strides(dims.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::size_t at = from.size() - 1 - i, to = dims.size() - 1 - i;
        if (from[at] != dims[to] && from[at] != 1) return fail("has operands with incompatible shapes");
        strides[to] = from[at] == 1 ? 0 : stride;
        stride *= from[at];
    }
    return strides;
}

Result<std::vector<std::int64_t>> broadcast(const Inputs& inputs) {
    std::vector<std::int64_t> dims;
    for (const Value* input : inputs) {
        if (input->dims.size() > dims.size()) dims.insert(dims.begin(), input->dims.size() - dims.size(), 1);
        for (std::size_t i = 0; i < input->dims.size(); ++i) {
            std::int64_t& dim = dims[dims.size() - 1 - i];
            const std::int64_t other = input->dims[input->dims.size() - 1 - i];
            if (dim == 1) dim = other;
            else if (other != 1 && other != dim) return fail("has operands with incompatible shapes");
        }
    }
    SEEDBED_ASSIGN([[maybe_unused]] const std::size_t count, elementsOf(dims));
    return dims;
}

// Calls visit(index of the result, index in each operand) for all elements of `dims`.
template <class Visit>
Result<> forBroadcast(const Inputs& inputs, const std::vector<std::int64_t>& dims, const Visit& visit) {
    std::vector<std::vector<std::int64_t>> strides;
    for (const Value* input : inputs) {
        SEEDBED_ASSIGN(std::vector<std::int64_t> of_input, stridesTo(input->dims, dims));
        strides.push_back(std::move(of_input));
    }
    SEEDBED_ASSIGN(const std::size_t count, elementsOf(dims));
    std::vector<std::int64_t> position(dims.size(), 0), at(inputs.size(), 0);
    for (std::size_t i = 0; i < count; ++i) {
        visit(i, at);
        for (std::size_t d = dims.size(); d-- > 0;) {
            ++position[d];
            for (std::size_t k = 0; k < at.size(); ++k) at[k] += strides[k][d];
            if (position[d] < dims[d]) break;
            for (std::size_t k = 0; k < at.size(); ++k) at[k] -= strides[k][d] * dims[d];
            position[d] = 0;
        }
    }
    return {};
}

template <class F>
Kernel unary(F f) {
    return [f](const Node&, const Inputs& inputs) -> Result<Value> {
        if (inputs.size() != 1 || inputs[0]->type != Type::float32) return fail("needs one float input");
        Value y = *inputs[0];
        for (float& x : y.floats) x = f(x);
        return y;
    };
}

template <class F>
Kernel binary(F f) {
    return [f](const Node&, const Inputs& inputs) -> Result<Value> {
        if (inputs.size() != 2 || inputs[0]->type != Type::float32 || inputs[1]->type != Type::float32)
            return fail("needs two float inputs");
        SEEDBED_ASSIGN(std::vector<std::int64_t> dims, broadcast(inputs));
        SEEDBED_ASSIGN(Value y, floatValue(std::move(dims)));
        SEEDBED_TRY(forBroadcast(inputs, y.dims, [&](std::size_t i, const std::vector<std::int64_t>& at) {
            y.floats[i] = f(inputs[0]->floats[static_cast<std::size_t>(at[0])],
                            inputs[1]->floats[static_cast<std::size_t>(at[1])]);
        }));
        return y;
    };
}

template <class F>
Kernel comparison(F f) {
    return [f](const Node& node, const Inputs& inputs) -> Result<Value> {
        SEEDBED_ASSIGN(const Value y,
                       binary([f](float a, float b) { return f(a, b) ? 1.0f : 0.0f; })(node, inputs));
        return Value{Type::boolean, y.dims, {}, {y.floats.begin(), y.floats.end()}};
    };
}

Result<Value> runWhere(const Node&, const Inputs& inputs) {
    if (inputs.size() != 3 || inputs[0]->type != Type::boolean || inputs[1]->type != Type::float32 ||
        inputs[2]->type != Type::float32)
        return fail("needs a condition and two float inputs");
    SEEDBED_ASSIGN(std::vector<std::int64_t> dims, broadcast(inputs));
    SEEDBED_ASSIGN(Value y, floatValue(std::move(dims)));
    SEEDBED_TRY(forBroadcast(inputs, y.dims, [&](std::size_t i, const std::vector<std::int64_t>& at) {
        const int branch = inputs[0]->ints[static_cast<std::size_t>(at[0])] != 0 ? 1 : 2;
        y.floats[i] = inputs[static_cast<std::size_t>(branch)]
                          ->floats[static_cast<std::size_t>(at[static_cast<std::size_t>(branch)])];
    }));
    return y;
}

Result<Value> runClip(const Node&, const Inputs& inputs) {
    if (inputs.size() != 3 || inputs[0]->type != Type::float32 || inputs[1]->floats.size() != 1 ||
        inputs[2]->floats.size() != 1)
        return fail("needs a float input and two bounds");
    Value y = *inputs[0];
    const float low = inputs[1]->floats[0], high = inputs[2]->floats[0];
    for (float& x : y.floats) x = std::min(std::max(x, low), high);
    return y;
}

Result<Value> runCast(const Node& node, const Inputs& inputs) {
    const Attribute* to = needed(node, "to");
    if (inputs.size() != 1 || to == nullptr) return fail("has no attribute `to`");
    const Value& x = *inputs[0];
    if (to->integer == static_cast<std::int64_t>(Type::float32)) {
        if (x.type == Type::float32) return x;
        Value y{Type::float32, x.dims, {}, {}};
        for (const std::int64_t i : x.ints) y.floats.push_back(static_cast<float>(i));
        return y;
    }
    return fail("casts to a type that policies do not use");
}

Result<Value> runShape(const Node&, const Inputs& inputs) {
    return Value{Type::int64, {static_cast<std::int64_t>(inputs[0]->dims.size())}, {}, inputs[0]->dims};
}

Result<Value> runReshape(const Node&, const Inputs& inputs) {
    if (inputs.size() != 2 || inputs[1]->type != Type::int64) return fail("needs a shape");
    Value y = *inputs[0];
    y.dims = inputs[1]->ints;
    for (std::size_t i = 0; i < y.dims.size(); ++i)
        if (y.dims[i] == 0 && i < inputs[0]->dims.size()) y.dims[i] = inputs[0]->dims[i];
    SEEDBED_ASSIGN(const std::size_t count, elementsOf(y.dims));
    if (count != y.count()) return fail("changes the number of elements");
    return y;
}

Result<Value> runFlatten(const Node& node, const Inputs& inputs) {
    const Attribute* axis = needed(node, "axis");
    if (axis == nullptr || axis->integer != 1 || inputs[0]->dims.empty())
        return fail("must keep the first dimension");
    Value y = *inputs[0];
    std::int64_t rest = 1;
    for (std::size_t i = 1; i < y.dims.size(); ++i) rest *= y.dims[i];
    y.dims = {y.dims[0], rest};
    return y;
}

// Copies a range of columns in each of `outer` rows, for Concat and Slice along one axis.
template <class T>
void copyColumns(const std::vector<T>& from, std::int64_t outer, std::int64_t width, std::int64_t begin,
                 std::int64_t count, std::vector<T>& to, std::int64_t to_width, std::int64_t to_begin) {
    for (std::int64_t o = 0; o < outer; ++o)
        std::copy_n(from.begin() + o * width + begin, count, to.begin() + o * to_width + to_begin);
}

Result<Value> runConcat(const Node& node, const Inputs& inputs) {
    const Attribute* axis = needed(node, "axis");
    if (axis == nullptr || inputs.empty() || axis->integer < 0 ||
        axis->integer != static_cast<std::int64_t>(inputs[0]->dims.size()) - 1)
        return fail("must concatenate along the last dimension");
    const auto last = static_cast<std::size_t>(axis->integer);
    Value y{inputs[0]->type, inputs[0]->dims, {}, {}};
    y.dims[last] = 0;
    for (const Value* input : inputs) {
        if (input->type != y.type || input->dims.size() != y.dims.size() ||
            !std::equal(input->dims.begin(), input->dims.begin() + axis->integer, y.dims.begin()))
            return fail("has parts with incompatible shapes");
        y.dims[last] += input->dims[last];
    }
    SEEDBED_ASSIGN(const std::size_t count, elementsOf(y.dims));
    const std::int64_t outer = y.dims[last] == 0 ? 0 : static_cast<std::int64_t>(count) / y.dims[last];
    (y.type == Type::float32 ? static_cast<void>(y.floats.resize(count))
                             : static_cast<void>(y.ints.resize(count)));
    std::int64_t at = 0;
    for (const Value* input : inputs) {
        const std::int64_t width = input->dims[last];
        if (y.type == Type::float32)
            copyColumns(input->floats, outer, width, 0, width, y.floats, y.dims[last], at);
        else copyColumns(input->ints, outer, width, 0, width, y.ints, y.dims[last], at);
        at += width;
    }
    return y;
}

Result<Value> runSlice(const Node&, const Inputs& inputs) {
    if (inputs.size() != 4) return fail("needs begin, end and axis");
    for (std::size_t i = 1; i < 4; ++i)
        if (inputs[i]->ints.size() != 1) return fail("must slice along one axis");
    const Value& x = *inputs[0];
    const std::int64_t begin = inputs[1]->ints[0], end = inputs[2]->ints[0], axis = inputs[3]->ints[0];
    if (x.dims.empty() || axis != static_cast<std::int64_t>(x.dims.size()) - 1 || begin < 0 || end < begin ||
        end > x.dims.back())
        return fail("must slice within the last dimension");
    Value y{x.type, x.dims, {}, {}};
    const std::int64_t width = x.dims.back(), count = end - begin;
    y.dims.back() = count;
    const std::int64_t outer = width == 0 ? 0 : static_cast<std::int64_t>(x.count()) / width;
    const auto size = static_cast<std::size_t>(outer * count);
    if (x.type == Type::float32) {
        y.floats.resize(size);
        copyColumns(x.floats, outer, width, begin, count, y.floats, count, 0);
    } else {
        y.ints.resize(size);
        copyColumns(x.ints, outer, width, begin, count, y.ints, count, 0);
    }
    return y;
}

Result<Value> runExpand(const Node&, const Inputs& inputs) {
    if (inputs.size() != 2 || inputs[0]->type != Type::float32 || inputs[1]->type != Type::int64)
        return fail("needs a float input and a shape");
    const Value shape{Type::float32, inputs[1]->ints, {}, {}};
    SEEDBED_ASSIGN(std::vector<std::int64_t> dims, broadcast({inputs[0], &shape}));
    SEEDBED_ASSIGN(Value y, floatValue(std::move(dims)));
    SEEDBED_TRY(forBroadcast({inputs[0]}, y.dims, [&](std::size_t i, const std::vector<std::int64_t>& at) {
        y.floats[i] = inputs[0]->floats[static_cast<std::size_t>(at[0])];
    }));
    return y;
}

// The numbers of rows and columns of a matrix whose rows are each reduced to one value.
Result<std::pair<std::int64_t, std::int64_t>> reducedMatrix(const Node& node, const Inputs& inputs) {
    const Attribute *keep = needed(node, "keepdims"), *axes = needed(node, "axes"),
                    *axis = needed(node, "axis");
    const bool along_columns = (axes != nullptr && axes->integers == std::vector<std::int64_t>{1}) ||
                               (axis != nullptr && axis->integer == 1);
    if (inputs.size() != 1 || inputs[0]->type != Type::float32 || inputs[0]->dims.size() != 2 ||
        inputs[0]->dims[1] < 1 || !along_columns || keep == nullptr || keep->integer != 1 ||
        needed(node, "select_last_index") != nullptr)
        return fail("must reduce the columns of a matrix to one column");
    return std::pair(inputs[0]->dims[0], inputs[0]->dims[1]);
}

Result<Value> runReduceMean(const Node& node, const Inputs& inputs) {
    SEEDBED_ASSIGN(const auto size, reducedMatrix(node, inputs));
    SEEDBED_ASSIGN(Value y, floatValue({size.first, 1}));
    for (std::int64_t row = 0; row < size.first; ++row) {
        double sum = 0;
        for (std::int64_t i = 0; i < size.second; ++i)
            sum += static_cast<double>(inputs[0]->floats[static_cast<std::size_t>(row * size.second + i)]);
        y.floats[static_cast<std::size_t>(row)] = static_cast<float>(sum / static_cast<double>(size.second));
    }
    return y;
}

// The index of the maximum; the first one of equal maxima.
Result<std::vector<std::int64_t>> largest(const Node& node, const Inputs& inputs) {
    SEEDBED_ASSIGN(const auto size, reducedMatrix(node, inputs));
    std::vector<std::int64_t> best;
    for (std::int64_t row = 0; row < size.first; ++row) {
        const float* x = inputs[0]->floats.data() + row * size.second;
        best.push_back(std::max_element(x, x + size.second) - x);
    }
    return best;
}

Result<Value> runReduceMax(const Node& node, const Inputs& inputs) {
    SEEDBED_ASSIGN(const std::vector<std::int64_t> best, largest(node, inputs));
    Value y{Type::float32, {inputs[0]->dims[0], 1}, {}, {}};
    for (std::size_t row = 0; row < best.size(); ++row)
        y.floats.push_back(inputs[0]->floats[row * static_cast<std::size_t>(inputs[0]->dims[1]) +
                                             static_cast<std::size_t>(best[row])]);
    return y;
}

Result<Value> runArgMax(const Node& node, const Inputs& inputs) {
    SEEDBED_ASSIGN(std::vector<std::int64_t> best, largest(node, inputs));
    return Value{Type::int64, {inputs[0]->dims[0], 1}, {}, std::move(best)};
}

// Rejects calls without an argument, so that operators may read the first one.
Kernel guarded(Kernel kernel) {
    return [kernel = std::move(kernel)](const Node& node, const Inputs& inputs) -> Result<Value> {
        if (inputs.empty()) return fail("has no input");
        return kernel(node, inputs);
    };
}

std::map<std::string, Kernel> makeKernels() {
    std::map<std::string, Kernel> all{
        {"Identity", [](const Node&, const Inputs& inputs) -> Result<Value> { return *inputs[0]; }},
        {"Add", binary([](float a, float b) { return a + b; })},
        {"Sub", binary([](float a, float b) { return a - b; })},
        {"Mul", binary([](float a, float b) { return a * b; })},
        {"Div", binary([](float a, float b) { return a / b; })},
        {"Max", binary([](float a, float b) { return std::max(a, b); })},
        {"Min", binary([](float a, float b) { return std::min(a, b); })},
        {"Equal", comparison([](float a, float b) { return a == b; })},
        {"Greater", comparison([](float a, float b) { return a > b; })},
        {"Sqrt", unary([](float x) { return std::sqrt(x); })},
        {"Tanh", unary([](float x) { return std::tanh(x); })},
        {"Sigmoid",
         unary([](float x) { return static_cast<float>(1 / (1 + std::exp(-static_cast<double>(x)))); })},
        {"Relu", unary([](float x) { return std::max(x, 0.0f); })},
        {"Elu", unary([](float x) { return x < 0 ? std::expm1(x) : x; })},
        {"Where", runWhere},
        {"Clip", runClip},
        {"Cast", runCast},
        {"Shape", runShape},
        {"Reshape", runReshape},
        {"Flatten", runFlatten},
        {"Concat", runConcat},
        {"Slice", runSlice},
        {"Expand", runExpand},
        {"ReduceMean", runReduceMean},
        {"ReduceMax", runReduceMax},
        {"ArgMax", runArgMax},
        {"Gemm", runGemm},
        {"Conv", runConv},
        {"MaxPool", runMaxPool},
    };
    for (auto& [name, kernel] : all) kernel = guarded(std::move(kernel));
    return all;
}

}  // namespace

const std::map<std::string, Kernel>& kernels() {
    static const std::map<std::string, Kernel> table = makeKernels();
    return table;
}

}  // namespace seedbed::onnx
