// SPDX-License-Identifier: Apache-2.0
// Every kind of operation occurs in at least one of these networks.
#include "tests/unit/nn_torch/networks.hpp"

#include <limits>

#include "core/nn/net_spec.hpp"

namespace seedbed::testing_torch {

namespace {

ObsLeaf vectorLeaf(const std::string& name, int n, int stack = 1) {
    constexpr double open = std::numeric_limits<double>::infinity();
    return {.name = name,
            .kind = ObsLeaf::Kind::vector,
            .dtype = DType::f32,
            .shape = {n},
            .low = -open,
            .high = open,
            .stack = stack,
            .labels = {}};
}
ObsLeaf imageLeaf(int channels, int side, double high = 255, int stack = 1) {
    return {.name = "image",
            .kind = ObsLeaf::Kind::image,
            .dtype = DType::u8,
            .shape = {channels, side, side},
            .high = high,
            .stack = stack,
            .labels = {}};
}
ObsLeaf discreteLeaf(int n, int cardinality) {
    return {.name = "card",
            .kind = ObsLeaf::Kind::discrete,
            .dtype = DType::i32,
            .shape = {n},
            .high = cardinality - 1.0,
            .cardinality = cardinality,
            .labels = {}};
}
ActionLeaf choice(int n, const std::string& name = "choice") {
    return {.name = name, .kind = ActionLeaf::Kind::discrete, .n = n, .low = {}, .high = {}, .labels = {}};
}
ActionLeaf box(std::size_t n) {
    return {.name = "force",
            .kind = ActionLeaf::Kind::box,
            .low = std::vector<double>(n, -1),
            .high = std::vector<double>(n, 1),
            .labels = {}};
}

const std::vector<std::pair<int, int>> kRows{{1, 1}, {2, 1}, {7, 1}, {8, 1}, {33, 1}, {128, 1}, {257, 1}};
const std::vector<std::pair<int, int>> kImages{{1, 1}, {3, 1}, {17, 1}};
const std::vector<std::pair<int, int>> kSequences{{1, 1}, {5, 1}, {1, 9}, {3, 5}, {16, 16}, {33, 2}};

class Cases {
public:
    void add(std::string name, Spaces spaces, const NetworkParams& params,
             std::vector<std::pair<int, int>> shapes,
             std::vector<HeadSpec> heads = {{"policy", "policy", 0, false}, {"value", "value", 1, false}}) {
        auto spec = makeNetSpec(spaces, params, std::move(heads));
        SEEDBED_CHECK(spec.has_value(), name + ": " + spec.error().text());
        auto plan = buildPlan(*spec);
        SEEDBED_CHECK(plan.has_value(), name + ": " + plan.error().text());
        list.push_back({std::move(name), std::move(*plan), std::move(shapes)});
    }
    std::vector<NetworkCase> list;
};

void addVectors(Cases& cases) {
    const Spaces small{.obs = {vectorLeaf("obs", 4)}, .actions = {choice(2)}};
    for (const char* activation : {"tanh", "relu", "elu"}) {
        cases.add(std::string("mlp_") + activation + "_separate", small,
                  {.activation = activation, .separate_critic = true}, kRows);
        cases.add(std::string("mlp_") + activation + "_shared", small,
                  {.activation = activation, .separate_critic = false}, kRows);
    }
    cases.add("mlp_layer_norm", small, {.hidden = {48, 32}, .activation = "elu", .layer_norm = true}, kRows);
    cases.add("mlp_wide", small, {.hidden = {300}, .activation = "relu", .separate_critic = false}, kRows);
    cases.add("no_hidden_layer", small, {.hidden = {}}, kRows);
    const Spaces continuous{.obs = {vectorLeaf("obs", 11)}, .actions = {box(3)}};
    cases.add("box_parameter", continuous, {.log_std = "parameter", .initial_log_std = -0.5}, kRows);
    cases.add("box_network", continuous, {.separate_critic = false, .log_std = "network"}, kRows);
    cases.add("normalised", continuous, {.normalise_obs = true}, kRows);
    const Spaces mixed{.obs = {vectorLeaf("position", 3, 4), discreteLeaf(2, 13), vectorLeaf("speed", 1)},
                       .actions = {choice(3), box(2), choice(5, "target")}};
    cases.add("several_leaves", mixed, {.normalise_obs = true}, kRows);
    cases.add("several_leaves_shared", mixed, {.separate_critic = false}, kRows);
    cases.add("dueling", small, {}, kRows, {{"q", "q", 0, true}});
    for (const bool dueling : {false, true})
        cases.add(dueling ? "q_of_dueling_parts" : "q_of_parts", small, {}, kRows,
                  {{"q", "q", 0, dueling, 5}});
    cases.add("q_with_prior", small, {}, kRows, {{"q", "q", 0, false, 4, 3.0}});
    // A critic whose input includes an action, and learned numbers without inputs.
    const Result<Spaces> with_action = withActionInput(continuous);
    SEEDBED_CHECK(with_action.has_value());
    cases.add("critic", *with_action, {.hidden = {40, 24}, .activation = "relu"}, kRows,
              {{"q", "value", 1, false}});
    cases.add("numbers", continuous, {}, kRows, {{"numbers", "parameter", 3, false}});
    cases.add("popart", small, {}, kRows,
              {{"policy", "policy", 0, false}, {"value", "value", 1, false, 1, 0, true}});
    cases.add("wide_value", small, {.separate_critic = false}, kRows,
              {{"policy", "policy", 0, false}, {"value", "value", 7, false}});
}

// Observations that only the value reads.
Spaces withOthers(Spaces spaces) {
    for (const ObsLeaf& own : std::vector(spaces.obs)) {
        ObsLeaf& others = spaces.obs.emplace_back(own);
        others.name = "others_" + own.name;
        others.shape[0] *= 3;
        others.critic_only = true;
    }
    return spaces;
}

void addImages(Cases& cases) {
    const Spaces minatar{.obs = {imageLeaf(6, 10, 1)}, .actions = {choice(6)}};
    cases.add("minatar_conv", minatar,
              {.encoder = "minatar_conv", .hidden = {128}, .activation = "relu", .separate_critic = false},
              kRows);
    cases.add("minatar_conv_separate", minatar,
              {.encoder = "minatar_conv", .hidden = {32}, .separate_critic = true}, kImages);
    cases.add("flat_image", minatar, {.encoder = "flat"}, kRows);
    const Spaces atari{.obs = {imageLeaf(1, 84, 255, 4)}, .actions = {choice(6)}};
    cases.add("nature", atari,
              {.encoder = "nature", .hidden = {}, .activation = "relu", .separate_critic = false}, kImages);
    cases.add("impala_shallow", {.obs = {imageLeaf(3, 40)}, .actions = {choice(3)}},
              {.encoder = "impala_shallow", .hidden = {}, .activation = "relu", .separate_critic = false},
              kImages);
    cases.add("impala_deep", {.obs = {imageLeaf(3, 24)}, .actions = {choice(3)}},
              {.encoder = "impala_deep", .hidden = {}, .activation = "relu", .separate_critic = false},
              kImages);
    cases.add("image_of_others", withOthers({.obs = {imageLeaf(2, 10, 255, 2)}, .actions = {choice(4)}}),
              {.encoder = "minatar_conv"}, kImages);
    cases.add("image_and_vector",
              {.obs = {imageLeaf(2, 10, 255, 2), vectorLeaf("inventory", 5)}, .actions = {choice(4)}},
              {.encoder = "minatar_conv", .normalise_obs = true}, kImages);
}

void addRecurrent(Cases& cases) {
    const Spaces small{.obs = {vectorLeaf("obs", 5)}, .actions = {choice(3), box(2)}};
    const Spaces several = withOthers(
        {.obs = {vectorLeaf("position", 3, 2), discreteLeaf(2, 5)}, .actions = {choice(3), box(2)}});
    cases.add("central_critic", several, {.normalise_obs = true}, kRows);
    cases.add("central_critic_lstm", several, {.core = "lstm", .core_size = 16, .normalise_obs = true},
              kSequences);
    for (const char* core : {"lstm", "gru"}) {
        cases.add(std::string(core) + "_shared", small,
                  {.core = core, .core_size = 24, .separate_critic = false}, kSequences);
        cases.add(std::string(core) + "_separate", small,
                  {.core = core, .core_size = 16, .separate_critic = true}, kSequences);
        cases.add(std::string(core) + "_previous", small,
                  {.core = core,
                   .core_size = 20,
                   .previous_action = true,
                   .previous_reward = true,
                   .separate_critic = false},
                  kSequences);
    }
    cases.add("lstm_image", {.obs = {imageLeaf(4, 10, 1)}, .actions = {choice(3)}},
              {.encoder = "minatar_conv",
               .hidden = {32},
               .core = "lstm",
               .core_size = 16,
               .previous_action = true,
               .separate_critic = false},
              {{2, 3}, {5, 4}});
}

}  // namespace

const std::vector<NetworkCase>& networkCases() {
    static const std::vector<NetworkCase> list = [] {
        Cases cases;
        addVectors(cases);
        addImages(cases);
        addRecurrent(cases);
        return std::move(cases.list);
    }();
    return list;
}

const NetPlan& planNamed(const std::string& name) {
    for (const NetworkCase& network : networkCases())
        if (network.name == name) return network.plan;
    SEEDBED_CHECK(false, name);
    std::abort();
}

}  // namespace seedbed::testing_torch
