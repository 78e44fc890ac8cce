// SPDX-License-Identifier: Apache-2.0
// A NetSpec compiled to a list of primitive operations on per-row values, and the layout of its parameters.
// Every engine runs the same plan on the same blob, so publishing parameters, saving checkpoints and
// comparing engines need no conversion.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/nn/net_spec.hpp"

namespace seedbed {

// A named range of the parameter blob. Offsets are multiples of 16 floats; the gap floats stay 0.
struct ParamEntry {
    enum class Role : unsigned char { weight, buffer };  // buffers get no gradient (normaliser, fixed layers)
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

struct PlanValue {
    int channels = 0, height = 1, width = 1;  // a vector is [channels, 1, 1]
    std::size_t size() const { return static_cast<std::size_t>(channels) * height * width; }
};

// One operation on rows of f32. Its descriptor (operation.hpp) defines the result.
struct PlanOp {
    std::string kind;                          // id of the descriptor: "linear", "lstm"
    std::vector<int> inputs{};                 // indices into NetPlan::values
    int output = 0;                            // index into NetPlan::values
    std::vector<int> params{};                 // indices into NetPlan::params, in the order of the descriptor
    Activation activation = Activation::none;  // applied to the result
    int leaf = -1;                             // the observation leaf that the operation reads, -1 for none
    int kernel = 0;                            // side of the window, pixels
    int stride = 1;                            // pixels
    int pad = 0;                               // pixels on each side
    int state_offset = 0;                      // first word of the operation's recurrent state in the state
                                               // row
    double clip = 0;                           // bound of the result's absolute value
};

// Fields of PlanOp that only some operations use.
enum class OpField : unsigned char { leaf, window, state_offset, clip };

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
    int state_words = 0;  // recurrent state per column; zeros at the start of an episode

    // Null for an unknown name.
    const PlanHead* head(const std::string& name) const;
    const ParamEntry* param(const std::string& name) const;
    // Multiply-accumulates of the forward pass of one row.
    double macsPerRow() const;
    // Floats of activations that a backward pass needs per row.
    std::size_t tapeFloatsPerRow() const;
};

// "trunk.hidden0": the layer to which the first parameter of the operation belongs; "" if it has no
// parameters.
std::string layerOf(const NetPlan& plan, const PlanOp& op);
// Whether the plan contains an operation of this kind, for example previous_reward.
bool hasOp(const NetPlan& plan, const std::string& kind);
// The error (config) for an operation that `who`, for example "engine 'native'", does not support.
tl::unexpected<Error> unsupportedOperation(const NetPlan& plan, const PlanOp& op, const std::string& who);

// error: config; names the invalid part.
Result<NetPlan> buildPlan(const NetSpec& spec);

}  // namespace seedbed
