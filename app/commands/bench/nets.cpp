// SPDX-License-Identifier: Apache-2.0
// The networks for benchmarks of engines.
#include "app/commands/bench/nets.hpp"

#include "core/base/registry.hpp"
#include "core/session/engine_choice.hpp"

namespace seedbed::app {
namespace {

ObsLeaf numbers(int count) {
    ObsLeaf leaf;
    leaf.name = "obs";
    leaf.shape = {count};
    leaf.low = -10;
    leaf.high = 10;
    return leaf;
}

ObsLeaf image(int channels, int side, double high, int stack) {
    ObsLeaf leaf;
    leaf.name = "image";
    leaf.kind = ObsLeaf::Kind::image;
    leaf.dtype = DType::u8;
    leaf.shape = {channels, side, side};
    leaf.high = high;
    leaf.stack = stack;
    return leaf;
}

struct NetEntry {
    const char* name;
    const char* summary;
    ObsLeaf obs;
    int actions;
    NetworkParams params;
};

const std::vector<NetEntry>& table() {
    static const std::vector<NetEntry> entries = [] {
        NetworkParams mlp;
        mlp.separate_critic = false;
        NetworkParams two = mlp, wide = mlp, lstm = mlp, gru = mlp, conv = mlp, flat = mlp, nature = mlp;
        two.separate_critic = true;
        wide.hidden = {128};
        lstm.hidden = {128};
        lstm.core = "lstm";
        lstm.core_size = 128;
        gru = lstm;
        gru.core = "gru";
        conv.encoder = "minatar_conv";
        conv.hidden = {128};
        conv.activation = "relu";
        flat.encoder = "flat";
        flat.separate_critic = true;
        nature.encoder = "nature";
        nature.hidden = {};
        nature.activation = "relu";
        NetworkParams large = mlp;
        large.hidden = {2048, 2048};
        large.activation = "relu";
        NetworkParams shallow = nature, deep = nature;
        shallow.encoder = "impala_shallow";
        deep.encoder = "impala_deep";
        return std::vector<NetEntry>{
            {"mlp64", "4 numbers, 64 x 64 tanh", numbers(4), 2, mlp},
            {"mlp64x2", "mlp64 twice, for policy and value", numbers(4), 2, two},
            {"mlp128", "4 numbers, 128 tanh", numbers(4), 2, wide},
            {"lstm", "4 numbers, 128 tanh, LSTM of 128", numbers(4), 2, lstm},
            {"gru", "4 numbers, 128 tanh, GRU of 128", numbers(4), 2, gru},
            {"minatar", "4 planes 10x10, 16 convolutions 3x3, 128 ReLU", image(4, 10, 1, 1), 6, conv},
            {"minatar-mlp", "4 planes 10x10, 64 x 64 tanh twice", image(4, 10, 1, 1), 6, flat},
            {"mlp2048", "1024 numbers, 2048 x 2048 ReLU", numbers(1024), 6, large},
            {"nature", "4 frames 84x84, Nature CNN", image(1, 84, 255, 4), 6, nature},
            {"impala", "4 frames 84x84, shallow IMPALA CNN", image(1, 84, 255, 4), 6, shallow},
            {"impala-deep", "4 frames 84x84, deep IMPALA CNN", image(1, 84, 255, 4), 6, deep},
        };
    }();
    return entries;
}

}  // namespace

std::vector<std::string> benchNetIds() {
    std::vector<std::string> ids;
    for (const NetEntry& entry : table()) ids.emplace_back(entry.name);
    return ids;
}

std::string benchNetNames() {
    std::string text;
    for (const NetEntry& entry : table()) text += std::string("\n  ") + entry.name + ": " + entry.summary;
    return text;
}

Result<BenchNet> benchNet(const std::string& name) {
    for (const NetEntry& entry : table()) {
        if (name != entry.name) continue;
        Spaces spaces;
        spaces.obs = {entry.obs};
        ActionLeaf action;
        action.n = entry.actions;
        spaces.actions = {action};
        SEEDBED_ASSIGN(const NetSpec spec,
                       makeNetSpec(spaces, entry.params,
                                   {{"policy", "policy", 0, false}, {"value", "value", 1, false}}));
        SEEDBED_ASSIGN(NetPlan plan, buildPlan(spec));
        return BenchNet{entry.name, entry.summary, std::move(plan)};
    }
    return fail(ErrorCode::config, "unknown network '" + name + "'" + suggestion(name, benchNetIds()));
}

Result<BenchEngine> compileBenchNet(const std::string& engine, const std::string& device,
                                    const BenchNet& net) {
    SEEDBED_ASSIGN(const EngineChoice choice, chooseEngine(engine, device));
    SEEDBED_ASSIGN(auto compiled, compileNet(choice.id, net.plan, engineOptions(device)));
    return BenchEngine{std::move(compiled), choice.id, choice.why};
}

}  // namespace seedbed::app
