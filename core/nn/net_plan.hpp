// SPDX-License-Identifier: Apache-2.0
// A NetSpec compiled to a list of primitive operations on per-row values, and the layout of its parameters.
// Every engine runs the same plan on the same blob, so publishing, checkpoints and engine-to-engine tests
// need no conversion.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/nn/net_spec.hpp"

namespace seedbed {

// A named range of the parameter blob. Offsets are multiples of 16 floats; the gap floats stay 0.
struct ParamEntry {
    enum class Role : unsigned char { weight, buffer };  // buffers get no gradient (normaliser, PopArt)
    enum class Init : unsigned char { orthogonal, zero, one, constant };

    std::string name;        // "policy.hidden0.weight"
    std::vector<int> shape;  // linear [out, in]; conv [out, in, k, k]; row-major
    std::size_t offset = 0;  // floats
    std::size_t count = 0;
    Role role = Role::weight;
    Init init = Init::zero;
    double gain = 1;  // orthogonal: gain; constant: the value
};

enum class Activation : unsigned char { none, tanh, relu, elu };

// Primitive operations. x: first input, y: output, all per row (B rows), f32 unless said otherwise.
enum class OpKind : unsigned char {
    input,  // leaf `leaf` in its own dtype -> f32; u8 divided by ObsLeaf::high; discrete -> one-hot [elements
            // * cardinality]
    normalise,  // clip((x - mean) * rsqrt(var + 1e-8), +-clip); buffers: mean, var (both of the size of x),
                // count (1 float)
    previous_action,  // Rows::previous_action leaf by leaf, one-hot (discrete) or raw (box); zeros at the
                      // first row of an episode
    previous_reward,  // [1]; zero at the first row of an episode
    linear,           // y = W x + b, then `activation`
    conv2d,           // W [out, in, k, k], stride, zero padding `pad`, then `activation`; CHW
    layer_norm,       // over all features, eps 1e-5, gain and bias, then `activation`
    activation,       // on its own
    max_pool,         // kernel, stride, pad with -inf (IMPALA: 3, 2, 1)
    add,              // x + second input
    concat,           // all inputs, flattened
    lstm,  // gates i, f, g, o (torch.nn.LSTMCell order): W_ih [4H, in], W_hh [4H, H], b_ih, b_hh [4H]; state
           // (h, c); y = h
    gru,   // gates r, z, n (torch.nn.GRUCell): W_ih [3H, in], W_hh [3H, H], b_ih, b_hh [3H]; state h; y = h
    parameter_rows,  // y = a learned vector, the same for every row (state-independent log_std)
    dueling,         // inputs V [1], A [n]: y = V + A - mean(A)
};

struct PlanValue {
    int channels = 0, height = 1, width = 1;  // a vector is [channels, 1, 1]
    std::size_t size() const { return static_cast<std::size_t>(channels) * height * width; }
};

struct PlanOp {
    OpKind kind = OpKind::input;
    std::vector<int> inputs{};  // indices into NetPlan::values
    int output = 0;
    std::vector<int>
        params{};  // indices into NetPlan::params, in the order of the OpKind's comment (weight, bias, ...)
    Activation activation = Activation::none;
    int leaf = 0;  // input
    int kernel = 0, stride = 1, pad = 0;
    int state_offset = 0;  // lstm, gru: where its state begins in the state row
    double clip = 0;       // normalise
};

// Columns [begin, begin + width) of the head panel [B, head_words].
struct PlanHead {
    std::string name;
    std::string kind;
    int begin = 0;
    int width = 0;
    int value = 0;  // index into NetPlan::values
};

struct NetPlan {
    NetSpec spec;
    std::vector<ParamEntry> params;
    std::size_t param_floats = 0;  // size of the blob
    std::vector<PlanValue> values;
    std::vector<PlanOp> ops;  // in order of execution
    std::vector<PlanHead> heads;
    int head_words = 0;
    int state_words = 0;  // recurrent state per column, zeros at the start of an episode

    const PlanHead* head(const std::string& name) const;
    const ParamEntry* param(const std::string& name) const;
    // Multiply-accumulates of one forward row, for roofline and memory estimates.
    double macsPerRow() const;
    // Floats of activations per row kept for a backward pass.
    std::size_t tapeFloatsPerRow() const;
};

// error: config (names the part that does not fit).
Result<NetPlan> buildPlan(const NetSpec& spec);

}  // namespace seedbed
