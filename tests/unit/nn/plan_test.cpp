// SPDX-License-Identifier: Apache-2.0
// Plans, their layout and initialisation; invalid specifications and their error messages.
#include <set>

#include "core/nn/encoder.hpp"
#include "core/nn/normaliser.hpp"
#include "core/nn/params.hpp"
#include "tests/unit/nn/nn_util.hpp"

namespace seedbed::testing_nn {

namespace {

std::vector<NetSpec> manySpecs() {
    std::vector<NetSpec> specs;
    const Spaces spaces{.obs = {imageLeaf("screen", 3, 40, 44, 255, 2), vectorLeaf("place", 3, 2),
                                discreteLeaf("kind", 2, 3)},
                        .actions = {choice("move", 3), box("steer", {-1, -2}, {1, 2})},
                        .has_mask = true};
    for (const std::string encoder :
         {"auto", "flat", "board", "minatar_conv", "nature", "impala_shallow", "impala_deep"}) {
        for (const std::string core : {"none", "lstm", "gru"}) {
            NetworkParams params;
            params.encoder = encoder;
            params.core = core;
            params.core_size = 7;
            params.previous_action = params.previous_reward = core != "none";
            params.hidden = {6};
            params.layer_norm = core == "gru";
            params.normalise_obs = core == "lstm";
            params.separate_critic = core != "gru";
            params.log_std = core == "gru" ? "network" : "parameter";
            params.initial_log_std = -0.5;
            params.activation = "elu";
            specs.push_back(specOf(spaces, params));
        }
    }
    NetworkParams params;
    specs.push_back(specOf({.obs = {vectorLeaf("obs", 4)}, .actions = {choice("move", 5)}}, params,
                           {{"q", "q", 0, true}}));
    return specs;
}

TEST(NetSpec, IsRestoredFromJsonWithTheSameLayout) {
    for (const NetSpec& spec : manySpecs()) {
        const auto read = netSpecFromJson(Json::parse(toJson(spec).dump()));
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(*read, spec);
        const NetPlan a = planOf(spec), b = planOf(*read);
        ASSERT_EQ(a.params.size(), b.params.size());
        for (std::size_t i = 0; i < a.params.size(); ++i) {
            EXPECT_EQ(a.params[i].name, b.params[i].name);
            EXPECT_EQ(a.params[i].shape, b.params[i].shape);
            EXPECT_EQ(a.params[i].offset, b.params[i].offset);
        }
        EXPECT_EQ(a.param_floats, b.param_floats);
        EXPECT_EQ(initialParams(a, 7).sha256(), initialParams(b, 7).sha256());
    }
}

TEST(NetPlan, AlignsParametersToCacheLinesAndNamesThemUniquely) {
    for (const NetSpec& spec : manySpecs()) {
        const NetPlan plan = planOf(spec);
        std::set<std::string> names;
        std::size_t end = 0;
        for (const ParamEntry& entry : plan.params) {
            EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
            EXPECT_EQ(entry.offset % 16, 0u);
            EXPECT_GE(entry.offset, end);
            std::size_t count = 1;
            for (const int size : entry.shape) count *= static_cast<std::size_t>(size);
            EXPECT_EQ(entry.count, count);
            EXPECT_EQ(plan.param(entry.name), &entry);
            end = entry.offset + entry.count;
        }
        EXPECT_GE(plan.param_floats, end);
        EXPECT_LT(plan.param_floats, end + 16);
    }
}

TEST(NetPlan, HeadsFollowTheActionSpace) {
    const NetPlan plan = planOf(manySpecs()[1]);
    // choice of 3, then two means and two log standard deviations, then the value.
    ASSERT_NE(plan.head("policy"), nullptr);
    EXPECT_EQ(plan.head("policy")->width, 7);
    EXPECT_EQ(plan.head("value")->begin, 7);
    EXPECT_EQ(plan.head_words, 8);
    EXPECT_EQ(plan.head("nothing"), nullptr);
    EXPECT_EQ(plan.state_words, 2 * 2 * 7) << "two LSTM cores";
    ASSERT_NE(plan.param("head.policy.log_std.steer"), nullptr);
    EXPECT_EQ(plan.param("head.policy.log_std.steer")->gain, -0.5);
}

TEST(NetPlan, SharesOrSeparatesTheCritic) {
    NetworkParams params;
    const Spaces spaces{.obs = {vectorLeaf("obs", 4)}, .actions = {choice("move", 2)}};
    const NetPlan separate = planOf(specOf(spaces, params));
    EXPECT_NE(separate.param("policy.hidden0.weight"), nullptr);
    EXPECT_NE(separate.param("value.hidden1.bias"), nullptr);
    EXPECT_DOUBLE_EQ(separate.macsPerRow(), 2 * (4 * 64 + 64 * 64) + 64 * 3);
    params.separate_critic = false;
    const NetPlan shared = planOf(specOf(spaces, params));
    EXPECT_NE(shared.param("trunk.hidden0.weight"), nullptr);
    EXPECT_DOUBLE_EQ(shared.macsPerRow(), 4 * 64 + 64 * 64 + 64 * 3);
    // In a network with only a value head there is nothing to separate.
    params.separate_critic = true;
    EXPECT_NE(planOf(specOf(spaces, params, {{"value", "value", 1, false}})).param("trunk.hidden0.weight"),
              nullptr);
}

// Own observations, and the same of three others for the value only.
Spaces spacesWithOthers() {
    Spaces spaces{.obs = {vectorLeaf("place", 2), discreteLeaf("kind", 1, 3)},
                  .actions = {choice("move", 3)}};
    for (const ObsLeaf& own : std::vector(spaces.obs)) {
        ObsLeaf& others = spaces.obs.emplace_back(own);
        others.name = "others_" + own.name;
        others.shape[0] *= 3;
        others.critic_only = true;
    }
    return spaces;
}

TEST(NetPlan, OnlyTheValueReadsObservationsThatAreCriticOnly) {
    for (const std::string core : {"none", "lstm"}) {
        NetworkParams params;
        params.hidden = {6};
        params.core = core;
        params.normalise_obs = true;
        GradientProbe probe(planOf(specOf(spacesWithOthers(), params)), 4, core == "none" ? 1 : 3, 5);
        EXPECT_EQ(probe.plan.param("policy.hidden0.weight")->shape[1], 2 + 3);
        EXPECT_EQ(probe.plan.param("value.hidden0.weight")->shape[1], 4 * (2 + 3));
        probe.expectGradients();

        probe.loss(probe.blob);
        const std::vector<double> before = probe.heads;
        auto* others = reinterpret_cast<float*>(probe.panel.obs[2].data());
        for (std::size_t i = 0; i < probe.panel.obs[2].size() / sizeof(float); ++i) others[i] += 1;
        probe.loss(probe.blob);
        const PlanHead &policy = *probe.plan.head("policy"), &value = *probe.plan.head("value");
        for (std::size_t i = 0; i < before.size(); ++i) {
            const int column = static_cast<int>(i) % probe.plan.head_words;
            if (column == value.begin) EXPECT_NE(probe.heads[i], before[i]);
            else EXPECT_EQ(probe.heads[i], before[i]);
        }
        for (const PlanHead* head : {&policy, &value}) {
            for (std::size_t i = 0; i < probe.head_weights.size(); ++i) {
                const int column = static_cast<int>(i) % probe.plan.head_words;
                const bool is_part = column >= head->begin && column < head->begin + head->width;
                probe.head_weights[i] = is_part ? 1 : 0;
            }
            const std::vector<double> lane = probe.gradient();
            for (const char* part : {"policy", "value"}) {
                const ParamEntry& entry = *probe.plan.param(std::string(part) + ".hidden0.weight");
                double sum = 0;
                for (std::size_t i = 0; i < entry.count; ++i) sum += std::abs(lane[entry.offset + i]);
                EXPECT_EQ(sum > 0, head->name == part) << head->name << " and " << part;
            }
        }
    }
}

TEST(NetPlan, RefusesCriticOnlyObservationsWithoutASeparateCritic) {
    const auto message = [](const Spaces& spaces, bool separate, std::vector<HeadSpec> heads) {
        NetworkParams params;
        params.separate_critic = separate;
        const auto plan = buildPlan(specOf(spaces, params, std::move(heads)));
        return plan ? "" : plan.error().text();
    };
    const std::vector<HeadSpec> both{{"policy", "policy", 0, false}, {"value", "value", 1, false}};
    const Spaces spaces = spacesWithOthers();
    EXPECT_EQ(message(spaces, true, both), "");
    const std::string shared = message(spaces, false, both);
    EXPECT_NE(shared.find("'others_place'"), std::string::npos) << shared;
    EXPECT_NE(shared.find("network.separate_critic=true"), std::string::npos) << shared;
    EXPECT_NE(message(spaces, true, {{"q", "q", 0, true}}).find("such as ppo"), std::string::npos);
    EXPECT_NE(message(spaces, true, {{"policy", "policy", 0, false}}), "");
    EXPECT_EQ(message(spaces, true, {{"value", "value", 1, false}}), "") << "a critic reads everything";
    EXPECT_EQ(message(spaces, true, {{"numbers", "parameter", 1, false}}), "");
    Spaces only = spaces;
    only.obs = {spaces.obs[2]};
    EXPECT_NE(message(only, true, both).find("not for value estimates only"), std::string::npos);
}

TEST(NetSpec, StoresCriticOnlyOnlyIfItIsSet) {
    const Json json = toJson(spacesWithOthers());
    EXPECT_FALSE(json.at("obs")[0].contains("critic_only")) << "stored runs and their hashes stay the same";
    EXPECT_EQ(*spacesFromJson(json), spacesWithOthers());
}

TEST(Encoder, AutoDependsOnKindAndSize) {
    const auto chosen = [](const ObsLeaf& leaf) {
        return specOf({.obs = {leaf}, .actions = {choice("move", 2)}}, {}).encoders[0].kind;
    };
    EXPECT_EQ(chosen(vectorLeaf("obs", 4)), "flat");
    EXPECT_EQ(chosen(discreteLeaf("obs", 1, 9)), "flat");
    EXPECT_EQ(chosen(imageLeaf("obs", 3, 3, 3)), "flat");
    EXPECT_EQ(chosen(imageLeaf("obs", 4, 10, 10, 1)), "minatar_conv");
    EXPECT_EQ(chosen(imageLeaf("obs", 3, 40, 40)), "impala_shallow");
    EXPECT_EQ(chosen(imageLeaf("obs", 1, 84, 84, 255, 4)), "nature");
}

TEST(Encoder, ExactlyOneIsAutomaticForEverySize) {
    for (int size = 1; size < 300; ++size) {
        int automatic = 0;
        for (const std::string& id : encoderRegistry().ids())
            automatic += encoderRegistry().find(id)->automatic(imageLeaf("obs", 1, size, size + 3));
        EXPECT_EQ(automatic, 1) << size;
    }
}

// Number of parameters of the published convolutional part, counted by hand.
TEST(Encoder, HasThePublishedNumberOfParameters) {
    const auto count = [](const std::string& encoder, const ObsLeaf& leaf, const char* part = "trunk.") {
        NetworkParams params;
        params.encoder = encoder;
        params.hidden = {};
        const NetPlan plan = planOf(
            specOf({.obs = {leaf}, .actions = {choice("move", 2)}}, params, {{"value", "value", 1, false}}));
        std::size_t sum = 0;
        for (const ParamEntry& entry : plan.params)
            if (entry.name.starts_with(part)) sum += entry.count;
        return sum;
    };
    const ObsLeaf atari = imageLeaf("obs", 1, 84, 84, 255, 4);
    EXPECT_EQ(count("nature", atari),
              (4u * 64 + 1) * 32 + (32 * 16 + 1) * 64 + (64 * 9 + 1) * 64 + (64 * 7 * 7 + 1) * 512);
    EXPECT_EQ(count("impala_shallow", atari),
              (4u * 64 + 1) * 16 + (16 * 16 + 1) * 32 + (32 * 9 * 9 + 1) * 256);
    EXPECT_EQ(count("impala_deep", atari), (4u * 9 + 1) * 16 + 4 * (16 * 9 + 1) * 16 + (16 * 9 + 1) * 32 +
                                               9 * (32 * 9 + 1) * 32 + (32 * 11 * 11 + 1) * 256);
    EXPECT_EQ(count("minatar_conv", imageLeaf("obs", 4, 10, 10, 1)), (4u * 9 + 1) * 16);
    EXPECT_EQ(count("flat", vectorLeaf("obs", 4)), 0u);
    const ObsLeaf board = imageLeaf("obs", 2, 6, 7, 1);
    EXPECT_EQ(count("board", board), (2u * 9 + 1) * 16 + (16 * 9 + 1) * 16);
    // Only the last convolution has no padding: the value head reads 16 x 4 x 5 features.
    EXPECT_EQ(count("board", board, ""), count("board", board) + 16 * 4 * 5 + 1);
}

std::string refusal(const Result<NetPlan>& plan) {
    if (plan) return "";
    EXPECT_EQ(plan.error().code, ErrorCode::config);
    return plan.error().message;
}

TEST(NetPlan, RejectsInvalidSpecsAndNamesThePart) {
    const Spaces spaces{.obs = {imageLeaf("screen", 1, 12, 12)}, .actions = {choice("move", 2)}};
    NetworkParams params;
    params.encoder = "nature";
    const auto small = makeNetSpec(spaces, params, {});
    ASSERT_FALSE(small);
    EXPECT_NE(small.error().message.find(
                  "'nature' does not fit observation 'screen': it needs an image of at least 36 x 36"),
              std::string::npos)
        << small.error().message;
    params.encoder = "natur";
    const auto unknown = makeNetSpec(spaces, params, {});
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("did you mean 'nature'"), std::string::npos)
        << unknown.error().message;
    params.encoder = "minatar_conv";
    const auto nowhere =
        makeNetSpec({.obs = {vectorLeaf("obs", 3)}, .actions = {choice("move", 2)}}, params, {});
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().message.find("supports none of the observations"), std::string::npos)
        << nowhere.error().message;

    const NetSpec good = specOf(spaces, {});
    const auto changed = [&](const std::function<void(NetSpec&)>& change) {
        NetSpec spec = good;
        change(spec);
        return refusal(buildPlan(spec));
    };
    EXPECT_EQ(changed([](NetSpec&) {}), "");
    EXPECT_NE(changed([](NetSpec& s) { s.activation = "tahn"; }).find("did you mean 'tanh'"),
              std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) { s.hidden = {64, 0}; }).find("hidden1"), std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) { s.hidden = {2'000'000'000, 2'000'000'000}; }), "");
    EXPECT_NE(changed([](NetSpec& s) {
                  s.core = {"lstm", 1 << 30, false, false};
              }).find("recurrent core"),
              std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) { s.core.previous_reward = true; }).find("recurrent core"),
              std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) { s.heads.push_back(s.heads[0]); }).find("two"), std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) { s.heads[1].width = 0; }).find("width"), std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) { s.heads[1].kind = "valu"; }).find("unknown kind"), std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) { s.encoders.clear(); }).find("one encoder"), std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) {
                  s.encoders[0].params = Json{{"filtres", 3}};
              }).find("filters"),
              std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) { s.spaces.obs[0].high = 0; }).find("upper bound"), std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) {
                  s.squash = true;
                  s.spaces.actions.push_back(box("steer", {0}, {std::numeric_limits<double>::infinity()}));
              }).find("no finite bounds"),
              std::string::npos);
    EXPECT_NE(changed([](NetSpec& s) {
                  s.heads = {{"q", "q", 0, false}};
                  s.spaces.actions.push_back(choice("more", 2));
              }).find("single discrete"),
              std::string::npos);
}

TEST(NetSpec, RejectsMalformedDocumentsWithoutACrash) {
    const Json good = toJson(manySpecs()[4]);
    for (const auto& [key, value] : good.items()) {
        for (const Json& bad :
             {Json(nullptr), Json("text"), Json(Json::array({1, "a"})), Json(Json::object())}) {
            if (bad == value || (key == "activation" || key == "log_std") == bad.is_string()) continue;
            Json document = good;
            document[key] = bad;
            const auto read = netSpecFromJson(document);
            // An empty object or list may be well-formed; the plan then either rejects or supports it.
            if (read) static_cast<void>(buildPlan(*read));
            else EXPECT_FALSE(read.error().message.empty());
        }
        Json document = good;
        document.erase(key);
        EXPECT_FALSE(netSpecFromJson(document)) << key;
    }
    EXPECT_FALSE(netSpecFromJson(Json("text")));
}

TEST(InitialParams, WeightsAreOrthogonalWithTheirGainAndBiasesZero) {
    for (const NetSpec& spec : manySpecs()) {
        const NetPlan plan = planOf(spec);
        const Params params = initialParams(plan, 3);
        for (const ParamEntry& entry : plan.params) {
            const float* w = params.at(entry);
            if (entry.init != ParamEntry::Init::orthogonal) {
                const double expected = entry.init == ParamEntry::Init::zero  ? 0
                                        : entry.init == ParamEntry::Init::one ? 1
                                                                              : entry.gain;
                for (std::size_t i = 0; i < entry.count; ++i)
                    ASSERT_EQ(w[i], static_cast<float>(expected)) << entry.name;
                continue;
            }
            // The shorter side is orthonormal times gain: products of its vectors, in double, are off by
            // float rounding only.
            const auto rows = static_cast<std::size_t>(entry.shape[0]), columns = entry.count / rows;
            const bool by_rows = rows <= columns;
            const std::size_t vectors = std::min(by_rows ? rows : columns, std::size_t{40}),
                              length = by_rows ? columns : rows;
            const auto at = [&](std::size_t v, std::size_t k) {
                return static_cast<double>(by_rows ? w[v * columns + k] : w[k * columns + v]);
            };
            for (std::size_t a = 0; a < vectors; ++a) {
                for (std::size_t b = 0; b <= a; ++b) {
                    double product = 0;
                    for (std::size_t k = 0; k < length; ++k) product += at(a, k) * at(b, k);
                    ASSERT_NEAR(product, a == b ? entry.gain * entry.gain : 0, 1e-6 * entry.gain * entry.gain)
                        << entry.name;
                }
            }
        }
    }
}

TEST(InitialParams, DependOnSeedAndLayerOnly) {
    const NetPlan plan = planOf(manySpecs()[0]);
    EXPECT_EQ(initialParams(plan, 1).sha256(), initialParams(plan, 1).sha256());
    EXPECT_NE(initialParams(plan, 1).sha256(), initialParams(plan, 2).sha256());
    // Policy and critic have different initial parameters.
    const NetPlan mlp = planOf(specOf({.obs = {vectorLeaf("obs", 4)}, .actions = {choice("move", 2)}}, {}));
    const Params params = initialParams(mlp, 1);
    const ParamEntry &p = *mlp.param("policy.hidden0.weight"), &v = *mlp.param("value.hidden0.weight");
    EXPECT_FALSE(std::equal(params.at(p), params.at(p) + p.count, params.at(v)));
}

TEST(Params, HashIsThatOfTheBytes) {
    // sha256sum of the eight bytes 00 00 80 3f 00 00 00 c0.
    EXPECT_EQ(Params({1.0f, -2.0f}, 3).sha256(),
              "ee4ac73c2bd27756ab82780f27c73a7bc4d3f0bb6acb37e008bc27eccd7e588b");
}

TEST(Normaliser, MergedStatisticsEqualTwoPassStatistics) {
    NetworkParams network;
    network.normalise_obs = true;
    const NetPlan plan =
        planOf(specOf({.obs = {vectorLeaf("a", 3), discreteLeaf("kind", 1, 2), vectorLeaf("b", 2, 3)},
                       .actions = {choice("move", 2)}},
                      network));
    const Params initial = initialParams(plan, 1);
    std::vector<float> blob(initial.blob().begin(), initial.blob().end());
    const std::vector<float> before = blob;
    Rng rng(testSeed(12), RngPurpose::test);
    // Large means with small deviations, and batches of very different sizes.
    std::vector<std::vector<float>> all(2);
    for (const std::size_t rows : {1u, 1000u, 3u, 257u, 4096u}) {
        for (const int leaf : {0, 1, 2}) {
            const int elements = leaf == 0 ? 3 : leaf == 1 ? 1 : 2;
            std::vector<float> values;
            for (std::size_t i = 0; i < rows * static_cast<std::size_t>(elements); ++i)
                values.push_back(
                    static_cast<float>(100 * (i % static_cast<std::size_t>(elements)) +
                                       (1 + 0.1 * static_cast<double>(rows % 10)) * rng.normal()));
            updateNormaliser(plan, blob, leaf, values.data(), rows);
            if (leaf != 1)
                all[leaf == 0 ? 0 : 1].insert(all[leaf == 0 ? 0 : 1].end(), values.begin(), values.end());
        }
    }
    for (const std::string name : {"a", "b"}) {
        const std::vector<float>& values = all[name == "a" ? 0 : 1];
        const std::size_t elements = name == "a" ? 3 : 2, frames = name == "a" ? 1 : 3,
                          rows = values.size() / elements;
        const auto buffer = [&](const std::string& which) {
            return &blob[plan.param("normaliser." + name + "." + which)->offset];
        };
        EXPECT_EQ(*buffer("count"), static_cast<float>(rows));
        for (std::size_t e = 0; e < elements; ++e) {
            double mean = 0, var = 0;
            for (std::size_t r = 0; r < rows; ++r) mean += static_cast<double>(values[r * elements + e]);
            mean /= static_cast<double>(rows);
            for (std::size_t r = 0; r < rows; ++r)
                var += std::pow(static_cast<double>(values[r * elements + e]) - mean, 2);
            var /= static_cast<double>(rows);
            for (std::size_t frame = 0; frame < frames; ++frame) {
                // The buffers are floats: the mean (up to 200) is rounded at each of five merges, by up to
                // 200 * 6e-8 each time.
                EXPECT_NEAR(buffer("mean")[frame * elements + e], mean, 1e-4) << name << " " << e;
                EXPECT_NEAR(buffer("var")[frame * elements + e], var, 1e-5 * var) << name << " " << e;
            }
        }
    }
    // Nothing else changed.
    for (const ParamEntry& entry : plan.params) {
        if (entry.role == ParamEntry::Role::buffer) continue;
        EXPECT_TRUE(
            std::equal(&before[entry.offset], &before[entry.offset] + entry.count, &blob[entry.offset]))
            << entry.name;
    }
}

TEST(NetworkParams, DescribesEveryEncoderAsAChoice) {
    const FieldInfo* field = NetworkParams::describe().schema().find("encoder");
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->choices.size(), encoderRegistry().ids().size() + 1);
}

}  // namespace

}  // namespace seedbed::testing_nn
