// SPDX-License-Identifier: Apache-2.0
// Configuration: sections and variants, layering with provenance, helpful errors, and the reference page.
#include <gtest/gtest.h>

#include "core/config/config_schema.hpp"
#include "core/config/run_config.hpp"

namespace seedbed {
namespace {

struct RunSettings {
    std::int64_t seed = 1;
    int num_envs = 8;
    static const Description<RunSettings>& describe() {
        static const Description<RunSettings> description = [] {
            Description<RunSettings> d("run", "The run as a whole.");
            d.field(&RunSettings::seed, "seed", "Seed for all random numbers.", {.min = 0});
            d.field(&RunSettings::num_envs, "num_envs", "Environments | side by side.",
                    {.min = 1, .max = 65536});
            return d;
        }();
        return description;
    }
};

struct Optimiser {
    double learning_rate = 3e-4;
    static const Description<Optimiser>& describe() {
        static const Description<Optimiser> description = [] {
            Description<Optimiser> d("optimiser", "How parameters move.");
            d.field(&Optimiser::learning_rate, "learning_rate", "Step size.", {.min = 0, .live = true});
            return d;
        }();
        return description;
    }
};

struct Ppo {
    double gamma = 0.99;
    int epochs = 4;
    std::string schedule = "constant";
    Optimiser optimiser;
    static const Description<Ppo>& describe() {
        static const Description<Ppo> description = [] {
            Description<Ppo> d("ppo", "Proximal policy optimisation.");
            d.field(&Ppo::gamma, "gamma", "Discount.", {.min = 0, .max = 1});
            d.field(&Ppo::epochs, "epochs", "Passes over a batch.", {.min = 1});
            d.field(&Ppo::schedule, "schedule", "Learning rate over time.",
                    {.choices = {"constant", "linear"}});
            d.section(&Ppo::optimiser, "optimiser", "Optimiser.");
            return d;
        }();
        return description;
    }
};

struct Vtrace {
    double gamma = 0.95;
    double rho = 1;
    static const Description<Vtrace>& describe() {
        static const Description<Vtrace> description = [] {
            Description<Vtrace> d("vtrace", "V-trace actor-critic.");
            d.field(&Vtrace::gamma, "gamma", "Discount.", {.min = 0, .max = 1});
            d.field(&Vtrace::rho, "rho", "Clip of importance weights.", {.min = 0});
            return d;
        }();
        return description;
    }
};

const Schema kCartPole{"cartpole", "Balance a pole.", {}};

ConfigSchema someSchema() {
    ConfigSchema schema;
    schema.addSection("run", "The run.", &RunSettings::describe().schema());
    schema.addVariants("env", "The environment.",
                       {{"cartpole", {&kCartPole, {"CartPole-v1"}}}, {"acrobot", {&kCartPole, {}}}});
    schema.addVariants("algo", "The algorithm.",
                       {{"ppo", {&Ppo::describe().schema()}}, {"vtrace", {&Vtrace::describe().schema()}}},
                       "ppo");
    return schema;
}

class Config : public ::testing::Test {
protected:
    std::string completeError(const Json& document) {
        const auto result = schema.complete(document);
        EXPECT_FALSE(result) << document;
        if (result) return "";
        EXPECT_EQ(result.error().code, ErrorCode::config);
        return result.error().message;
    }
    std::string setError(const Json& document, const std::string& key, const std::string& text) {
        Json changed = document;
        const auto result = schema.set(changed, key, text);
        EXPECT_FALSE(result) << key;
        EXPECT_EQ(changed, document) << "a rejected setting must not change the document";
        return result ? "" : result.error().message;
    }

    ConfigSchema schema = someSchema();
    const Json cartpole{{"env", {{"id", "cartpole"}}}};
};

TEST_F(Config, CompleteFillsSectionsInOrderAndResolvesAliases) {
    const Json complete =
        schema.complete({{"algo", {{"gamma", 1}}}, {"env", {{"id", "CartPole-v1"}}}}).value();
    EXPECT_EQ(
        complete.dump(),
        R"({"run":{"seed":1,"num_envs":8},"env":{"id":"cartpole"},"algo":{"id":"ppo","gamma":1.0,"epochs":4,)"
        R"("schedule":"constant","optimiser":{"learning_rate":0.0003}}})");
    EXPECT_EQ(schema.complete(complete).value(), complete) << "completing twice changes nothing";
}

TEST_F(Config, ANameAloneChoosesTheVariant) {
    EXPECT_EQ(schema.complete({{"env", "acrobot"}, {"algo", "vtrace"}}).value()["algo"]["id"], "vtrace");
    EXPECT_EQ(completeError({{"env", Json::object()}}), "'env.id' must be chosen; known: acrobot, cartpole");
    EXPECT_EQ(completeError({{"env", {{"x", 1}}}}), "'env.id' must be chosen before its other settings");
    EXPECT_EQ(completeError({{"env", {{"id", 3}}}}), "'env.id' must be a name");
}

TEST_F(Config, UnknownKeysAtAnyDepthNameTheMostSimilar) {
    EXPECT_EQ(completeError({{"env", "cartpole"}, {"rnu", Json::object()}}),
              "unknown setting 'rnu'; did you mean 'run'?");
    EXPECT_EQ(completeError({{"env", "cartpole"}, {"run", {{"sed", 1}}}}),
              "unknown setting 'run.sed'; did you mean 'run.seed'?");
    EXPECT_EQ(completeError({{"env", "cartpole"}, {"algo", {{"optimiser", {{"learning_rat", 1}}}}}}),
              "unknown setting 'algo.optimiser.learning_rat'; did you mean 'algo.optimiser.learning_rate'?");
    EXPECT_EQ(completeError({{"env", "cartpol"}}), "unknown env 'cartpol'; did you mean 'cartpole'?");
    EXPECT_EQ(completeError({{"env", "doom"}}), "unknown env 'doom'; known: acrobot, cartpole");
    EXPECT_EQ(completeError(Json::object()), "'env.id' must be chosen; known: acrobot, cartpole");
    EXPECT_EQ(setError(cartpole, "gama", "1"), "unknown setting 'gama'; did you mean 'algo.gamma'?");
    EXPECT_EQ(setError(cartpole, "learning-rate", "1"),
              "unknown setting 'learning_rate'; did you mean 'algo.optimiser.learning_rate'?");
}

TEST_F(Config, KeysOfAnotherVariantAreUnknown) {
    EXPECT_EQ(completeError({{"env", "cartpole"}, {"algo", {{"rho", 1}}}}), "unknown setting 'algo.rho'");
    EXPECT_TRUE(schema.complete({{"env", "cartpole"}, {"algo", {{"id", "vtrace"}, {"rho", 1}}}}));
}

TEST_F(Config, OutOfRangeNamesKeyValueAndRange) {
    EXPECT_EQ(completeError({{"env", "cartpole"}, {"algo", {{"gamma", 2}}}}),
              "'algo.gamma' cannot be 2; allowed: a number, 0 to 1");
    EXPECT_EQ(setError(cartpole, "algo.epochs", "0"),
              "'algo.epochs' cannot be '0'; allowed: a whole number, 1 or more");
}

TEST_F(Config, MalformedDocumentsAreRejected) {
    for (const char* text :
         {"[]", "3", R"({"run": 3})", R"({"run": []})", R"({"env": {"id": 3}})", R"({"env": 3})",
          R"({"env": null})", R"({"env": "cartpole", "algo": {"optimiser": 3}})",
          R"({"env": {"id": "cartpole", "x": 1}})"})
        EXPECT_FALSE(schema.complete(Json::parse(text))) << text;
    EXPECT_NE(setError(cartpole, "run", "3").find("group of settings"), std::string::npos);
    EXPECT_NE(setError(Json::object(), "env.x", "3").find("must be chosen before"), std::string::npos);
    setError(cartpole, "", "3");
    setError(cartpole, ".", "3");
    setError(cartpole, "algo.", "3");
    setError(cartpole, "algo.gamma.x", "3");
    setError(cartpole, "algo.optimiser", "3");
}

TEST_F(Config, LayersAreMergedAndRecordTheOriginOfValues) {
    ConfigLayers layers(schema);
    ASSERT_TRUE(layers.addDocument("preset cartpole",
                                   {{"env", "cartpole"}, {"algo", {{"gamma", 0.98}, {"epochs", 10}}}}));
    ASSERT_TRUE(layers.addDocument("file a.json", {{"algo", {{"epochs", 20}}}, {"run", {{"num_envs", 16}}}}));
    ASSERT_TRUE(layers.addSettings(
        "command line",
        {{"run.num-envs", "32"}, {"algo.optimiser.learning_rate", "1e-3"}, {"run.num-envs", "64"}}));
    const RunConfig config = layers.resolve().value();
    const Ppo ppo = config.get<Ppo>("algo");
    EXPECT_EQ(ppo.gamma, 0.98);
    EXPECT_EQ(ppo.epochs, 20);
    EXPECT_EQ(ppo.optimiser.learning_rate, 1e-3);
    EXPECT_EQ(config.get<RunSettings>("run").num_envs, 64);
    EXPECT_EQ(config.id("env"), "cartpole");
    EXPECT_EQ(config.origin("env.id"), "preset cartpole");
    EXPECT_EQ(config.origin("algo.gamma"), "preset cartpole");
    EXPECT_EQ(config.origin("algo.epochs"), "file a.json");
    EXPECT_EQ(config.origin("run.num_envs"), "command line");
    EXPECT_EQ(config.origin("algo.optimiser.learning_rate"), "command line");
    EXPECT_EQ(config.origin("run.seed"), "default");
}

TEST_F(Config, AnotherAlgorithmDropsTheValuesOfTheOldOne) {
    ConfigLayers layers(schema);
    ASSERT_TRUE(layers.addDocument(
        "preset", {{"env", "cartpole"}, {"algo", {{"id", "ppo"}, {"gamma", 0.5}, {"epochs", 10}}}}));
    // The id is applied first, although it comes last.
    ASSERT_TRUE(layers.addSettings("command line", {{"algo.rho", "2"}, {"algo", "vtrace"}}));
    const RunConfig config = layers.resolve().value();
    EXPECT_EQ(config.get<Vtrace>("algo").gamma, 0.95);
    EXPECT_EQ(config.get<Vtrace>("algo").rho, 2);
    EXPECT_EQ(config.origin("algo.gamma"), "default");
    EXPECT_EQ(config.origin("algo.id"), "command line");
}

TEST_F(Config, TheSameIdAgainKeepsTheValues) {
    ConfigLayers layers(schema);
    ASSERT_TRUE(layers.addDocument("preset", {{"env", "cartpole"}, {"algo", {{"gamma", 0.5}}}}));
    ASSERT_TRUE(layers.addSettings("command line", {{"env.id", "CartPole-v1"}, {"algo", "ppo"}}));
    EXPECT_EQ(layers.resolve().value().get<Ppo>("algo").gamma, 0.5);
}

TEST_F(Config, ARejectedLayerChangesNothingAndIsNamed) {
    ConfigLayers layers(schema);
    ASSERT_TRUE(layers.addDocument("preset x", cartpole));
    const auto refused = layers.addDocument("file b.json", {{"algo", {{"gamma", 0.5}, {"epochs", -1}}}});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("while applying file b.json"), std::string::npos);
    EXPECT_FALSE(layers.addSettings("command line", {{"algo.gamma", "0.5"}, {"algo.epochs", "-1"}}));
    EXPECT_EQ(layers.resolve().value().get<Ppo>("algo").gamma, 0.99);
}

TEST_F(Config, ChangedShowsWhatIsNotDefault) {
    const Json complete = schema.complete({{"env", "cartpole"}, {"run", {{"seed", 5}}}}).value();
    EXPECT_EQ(schema.changed(complete).dump(), R"({"env.id":[null,"cartpole"],"run.seed":[1,5]})");
    const Json other = schema.complete({{"env", "cartpole"}, {"algo", "vtrace"}}).value();
    EXPECT_EQ(schema.changed(other).dump(), R"({"env.id":[null,"cartpole"],"algo.id":["ppo","vtrace"]})");
}

TEST_F(Config, DifferenceOfVariantsShowsBothSides) {
    const Json a = schema.complete({{"env", "cartpole"}, {"algo", {{"epochs", 3}}}}).value();
    const Json b = schema.complete({{"env", "cartpole"}, {"algo", "vtrace"}}).value();
    const Json both = difference(a, b);
    EXPECT_EQ(both["algo.id"], Json({"ppo", "vtrace"}));
    EXPECT_EQ(both["algo.epochs"], Json({3, nullptr}));
    EXPECT_EQ(both["algo.rho"], Json({nullptr, 1.0}));
    EXPECT_FALSE(both.contains("run.seed"));
    EXPECT_EQ(difference(a, a), Json::object());
}

TEST_F(Config, HashDependsOnValuesNotOnOrder) {
    EXPECT_EQ(hashOf(Json::parse(R"({"a":1,"b":{"c":2,"d":3}})")),
              hashOf(Json::parse(R"({"b":{"d":3,"c":2},"a":1})")));
    EXPECT_NE(hashOf(Json::parse(R"({"a":1})")), hashOf(Json::parse(R"({"a":2})")));
    EXPECT_NE(hashOf(Json::parse(R"({"a":[1,2]})")), hashOf(Json::parse(R"({"a":[2,1]})")));
    const auto one = RunConfig::create(schema, {{"env", "CartPole-v1"}}),
               two = RunConfig::create(schema, {{"env", "cartpole"}, {"algo", "ppo"}});
    EXPECT_EQ(one->hash(), two->hash());
}

TEST_F(Config, OnlyLiveFieldsMayChangeInARun) {
    const Json before = schema.complete(cartpole).value();
    Json after = before;
    ASSERT_TRUE(schema.set(after, "algo.optimiser.learning_rate", "1e-5"));
    EXPECT_TRUE(schema.checkLiveChanges(before, after));
    EXPECT_TRUE(schema.find(before, "algo.optimiser.learning_rate")->live);
    ASSERT_TRUE(schema.set(after, "algo.epochs", "9"));
    const auto refused = schema.checkLiveChanges(before, after);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("algo.epochs cannot change"), std::string::npos);
    EXPECT_FALSE(schema.checkLiveChanges(before, schema.complete({{"env", "acrobot"}}).value()));
}

TEST_F(Config, ReferencePageNamesEverySettingOfEveryVariant) {
    const std::string page = schema.toMarkdown();
    for (const char* text :
         {"## run", "### algo `ppo`", "### algo `vtrace`", "### env `cartpole`", "Alias: `CartPole-v1`",
          "| `algo.optimiser.learning_rate` | `0.0003` | 0 or more |  | yes | Step size. |",
          "Environments \\| side by side.", "one of constant, linear", "default: `ppo`", "No settings."})
        EXPECT_NE(page.find(text), std::string::npos) << text << " in\n" << page;
}

}  // namespace
}  // namespace seedbed
