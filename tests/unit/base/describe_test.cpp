// SPDX-License-Identifier: Apache-2.0
// Described structs: defaults, checks, command-line strings, differences and suggestions.
#include "core/base/describe.hpp"

#include <gtest/gtest.h>

namespace seedbed {
namespace {

struct Inner {
    double gamma = 0.99;
    std::vector<int> hidden{64, 64};
    static const Description<Inner>& describe() {
        static const Description<Inner> description = [] {
            Description<Inner> d("inner", "An inner struct.");
            d.field(&Inner::gamma, "gamma", "Discount.", {.min = 0, .max = 1, .live = true});
            d.field(&Inner::hidden, "hidden", "Widths of the layers.", {.min = 1});
            return d;
        }();
        return description;
    }
};

struct Outer {
    bool enabled = true;
    int num_envs = 8;
    std::int64_t steps = 1'000'000;
    double rate = 3e-4;
    float scale = 1;
    std::string title = "untitled";
    std::string mode = "sync";
    std::vector<double> bounds{0.5};
    Inner inner;
    static const Description<Outer>& describe() {
        static const Description<Outer> description = [] {
            Description<Outer> d("outer", "An outer struct.");
            d.field(&Outer::enabled, "enabled", "A switch.");
            d.field(&Outer::num_envs, "num_envs", "A count.", {.min = 1, .max = 4096});
            d.field(&Outer::steps, "steps", "A budget.", {.unit = "steps", .min = 0});
            d.field(&Outer::rate, "rate", "A rate.", {.min = 0});
            d.field(&Outer::scale, "scale", "A factor.");
            d.field(&Outer::title, "title", "A text.");
            d.field(&Outer::mode, "mode", "A choice.", {.choices = {"sync", "async"}});
            d.field(&Outer::bounds, "bounds", "Numbers.");
            d.section(&Outer::inner, "inner", "A section.");
            return d;
        }();
        return description;
    }
};

const Schema& schema() { return Outer::describe().schema(); }

std::string errorOf(const Json& object) {
    const auto result = schema().complete(object);
    EXPECT_FALSE(result) << object;
    if (result) return "";
    EXPECT_EQ(result.error().code, ErrorCode::config);
    return result.error().message;
}

std::string errorOfSetting(std::string_view key, std::string_view text) {
    Json object = schema().defaults();
    const auto result = schema().set(object, key, text);
    EXPECT_FALSE(result) << key << " " << text;
    EXPECT_EQ(object, schema().defaults()) << "a rejected value must not change the object";
    return result ? "" : result.error().message;
}

Json afterSetting(std::string_view key, std::string_view text) {
    Json object = Json::object();
    const auto result = schema().set(object, key, text);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return object;
}

TEST(Describe, EmptyObjectBecomesTheDefaultsInOrder) {
    const Json complete = schema().complete(Json::object()).value();
    EXPECT_EQ(
        complete.dump(),
        R"({"enabled":true,"num_envs":8,"steps":1000000,"rate":0.0003,"scale":1.0,"title":"untitled","mode":"sync",)"
        R"("bounds":[0.5],"inner":{"gamma":0.99,"hidden":[64,64]}})");
}

TEST(Describe, StructConvertsToJsonAndBack) {
    Outer value;
    value.num_envs = 3;
    value.inner.hidden = {7};
    value.mode = "async";
    value.scale = 0.25f;
    const Outer read = Outer::describe().parse(Outer::describe().write(value)).value();
    EXPECT_EQ(read.num_envs, 3);
    EXPECT_EQ(read.inner.hidden, std::vector<int>{7});
    EXPECT_EQ(read.mode, "async");
    EXPECT_EQ(read.scale, 0.25f);
}

TEST(Describe, EqualValuesWrittenDifferentlyBecomeEqualText) {
    const Json a = schema().complete(Json::parse(R"({"steps": 1e6, "rate": 1})")).value();
    const Json b = schema().complete(Json::parse(R"({"rate": 1.0, "steps": 1000000})")).value();
    EXPECT_EQ(a.dump(), b.dump());
}

TEST(Describe, UnknownKeyNamesTheMostSimilarSibling) {
    EXPECT_EQ(errorOf({{"num_env", 1}}), "unknown setting 'num_env'; did you mean 'num_envs'?");
    EXPECT_EQ(errorOf({{"inner", {{"gama", 1}}}}),
              "unknown setting 'inner.gama'; did you mean 'inner.gamma'?");
    EXPECT_EQ(errorOf({{"hidden", 1}}), "unknown setting 'hidden'; did you mean 'inner.hidden'?");
    EXPECT_EQ(errorOf({{"zzzzzzzz", 1}}), "unknown setting 'zzzzzzzz'");
}

TEST(Describe, ValueOutOfRangeNamesKeyValueAndRange) {
    EXPECT_EQ(errorOf({{"num_envs", 0}}), "'num_envs' cannot be 0; allowed: a whole number, 1 to 4096");
    EXPECT_EQ(errorOf({{"inner", {{"gamma", 1.5}}}}),
              "'inner.gamma' cannot be 1.5; allowed: a number, 0 to 1");
    EXPECT_EQ(errorOf({{"inner", {{"hidden", {64, 0}}}}}),
              "'inner.hidden' cannot be [64,0]; allowed: a list of whole numbers, 1 or more");
    EXPECT_EQ(errorOf({{"steps", -1}}), "'steps' cannot be -1; allowed: a whole number, 0 or more [steps]");
}

TEST(Describe, WrongTypesAreRejected) {
    errorOf({{"enabled", 1}});
    errorOf({{"num_envs", 1.5}});
    errorOf({{"num_envs", "8"}});
    errorOf({{"steps", 1e300}});
    errorOf({{"steps", 18446744073709551615ull}});
    errorOf({{"rate", nullptr}});
    errorOf({{"title", 3}});
    errorOf({{"bounds", 1.0}});
    errorOf({{"inner", 3}});
    EXPECT_NE(schema().complete(Json::array()).error().message.find("must be an object"), std::string::npos);
}

TEST(Describe, NumbersThatDoNotFitTheMemberAreRejected) {
    struct Narrow {
        int value = 0;
    };
    Description<Narrow> d("narrow", "An int without a range.");
    d.field(&Narrow::value, "value", "Any int.");
    EXPECT_FALSE(d.parse({{"value", 3'000'000'000}}));
    EXPECT_EQ(d.parse({{"value", 2'147'483'647}}).value().value, 2'147'483'647);
    EXPECT_EQ(allowedText(d.schema().fields[0]), "");
}

TEST(Describe, TheErrorOfANumberTooLargeForItsTypeNamesTheLimit) {
    struct Limits {
        int narrow = 0;
        std::int64_t wide = 0;
        int bounded = 0;
    };
    Description<Limits> d("limits", "Integers.");
    d.field(&Limits::narrow, "narrow", "Any int.");
    d.field(&Limits::wide, "wide", "A seed.", {.min = 0});
    d.field(&Limits::bounded, "bounded", "A share.", {.min = 0, .max = 5});
    const auto error = [&](const char* key, const char* text) {
        Json document = Json::object();
        const auto set = d.schema().set(document, key, text);
        return set ? std::string() : set.error().text();
    };
    EXPECT_EQ(error("wide", "99999999999999999999"),
              "'wide' cannot be '99999999999999999999'; allowed: a whole number, 0 or more, at most "
              "9,223,372,036,854,775,807");
    EXPECT_EQ(error("wide", "-1"), "'wide' cannot be '-1'; allowed: a whole number, 0 or more");
    EXPECT_EQ(error("narrow", "3e9"),
              "'narrow' cannot be '3e9'; allowed: a whole number, at most 2,147,483,647");
    EXPECT_EQ(error("bounded", "6"), "'bounded' cannot be '6'; allowed: a whole number, 0 to 5");
    EXPECT_EQ(error("wide", "9223372036854775807"), "");
}

TEST(Describe, ChoiceErrorListsChoicesAndTheMostSimilar) {
    EXPECT_EQ(errorOf({{"mode", "asynch"}}),
              "'mode' cannot be 'asynch'; allowed: one of sync, async; did you mean 'async'?");
}

TEST(Describe, CommandLineTextsOfEveryType) {
    EXPECT_EQ(afterSetting("steps", "1e6")["steps"], 1'000'000);
    EXPECT_EQ(afterSetting("steps", "1_000_000")["steps"], 1'000'000);
    EXPECT_TRUE(afterSetting("steps", "1e6")["steps"].is_number_integer());
    EXPECT_EQ(afterSetting("rate", "3e-4")["rate"], 3e-4);
    EXPECT_EQ(afterSetting("enabled", "off")["enabled"], false);
    EXPECT_EQ(afterSetting("enabled", "Yes")["enabled"], true);
    EXPECT_EQ(afterSetting("inner.hidden", "64,32")["inner"]["hidden"], Json({64, 32}));
    EXPECT_EQ(afterSetting("inner.hidden", "[64, 32]")["inner"]["hidden"], Json({64, 32}));
    EXPECT_EQ(afterSetting("inner.hidden", "")["inner"]["hidden"], Json::array());
    EXPECT_EQ(afterSetting("bounds", "1e-3,2")["bounds"], Json({1e-3, 2.0}));
    EXPECT_EQ(afterSetting("title", "a, b")["title"], "a, b");
    EXPECT_EQ(afterSetting("mode", "async")["mode"], "async");
    EXPECT_EQ(afterSetting("num-envs", "4")["num_envs"], 4);
}

TEST(Describe, CommandLineErrorsNameTheKeyAndDoNotChangeTheObject) {
    EXPECT_EQ(errorOfSetting("num_envs", "many"),
              "'num_envs' cannot be 'many'; allowed: a whole number, 1 to 4096");
    EXPECT_EQ(errorOfSetting("inner.gamma", "1.1"),
              "'inner.gamma' cannot be '1.1'; allowed: a number, 0 to 1");
    EXPECT_EQ(errorOfSetting("inner.gama", "1"), "unknown setting 'inner.gama'; did you mean 'inner.gamma'?");
    errorOfSetting("rate", "nan");
    errorOfSetting("rate", "inf");
    errorOfSetting("rate", "1e400");
    errorOfSetting("inner.hidden", "64,,64");
    errorOfSetting("inner", "3");
    errorOfSetting("rate.x", "3");
    errorOfSetting("", "3");
    errorOfSetting("enabled", "maybe");
}

TEST(Describe, FieldsThatAreNotDescribedKeepTextsThatAreNotExactlyTheirJson) {
    Schema schema;
    schema.open = true;
    const std::vector<std::pair<const char*, Json>> cases{
        {"5", 5},         {"0.5", 0.5},       {"true", true},   {"[1,2]", {1, 2}},    {"\"5\"", "5"},
        {"1.50", "1.50"}, {"1e-3", "1e-3"},   {"True", "True"}, {"[1, 2]", "[1, 2]"}, {"{}", "{}"},
        {"null", "null"}, {"1.1.2", "1.1.2"}, {"", ""},
    };
    for (const auto& [text, value] : cases) {
        Json object = Json::object();
        ASSERT_TRUE(schema.set(object, "field", text)) << text;
        EXPECT_EQ(object["field"], value) << text;
    }
}

TEST(Describe, DifferenceNamesDottedKeysOnly) {
    Json left = schema().defaults(), right = schema().defaults();
    EXPECT_EQ(schema().difference(left, right), Json::object());
    right["inner"]["gamma"] = 0.9;
    right["mode"] = "async";
    EXPECT_EQ(schema().difference(left, right).dump(),
              R"({"mode":["sync","async"],"inner.gamma":[0.99,0.9]})");
}

TEST(Describe, KeysAreInTheOrderOfDescription) {
    EXPECT_EQ(schema().keys("run").front(), "run.enabled");
    EXPECT_EQ(schema().keys().back(), "inner.hidden");
}

TEST(DescribeDeathTest, DefaultOutsideItsRangeAndSecondFieldOfANameAreBugs) {
    struct Bad {
        int value = 0;
    };
    EXPECT_DEATH(Description<Bad>("bad", "x").field(&Bad::value, "value", "x", {.min = 1}), "default of bad");
    EXPECT_DEATH(Description<Bad>("bad", "x").field(&Bad::value, "a", "x").field(&Bad::value, "a", "x"),
                 "described twice");
}

TEST(NearestNames, ForgiveCaseDashesSwapsAndMissingParts) {
    const std::vector<std::string> known{"cartpole",         "CartPole-v1",  "acrobot",
                                         "minatar_breakout", "mountain_car", "pendulum"};
    const auto first = [&](std::string_view name) {
        const auto near = nearestNames(name, known);
        return near.empty() ? "" : near.front();
    };
    EXPECT_EQ(first("Cart-Pole"), "cartpole");
    EXPECT_EQ(first("cartpoel"), "cartpole");
    EXPECT_EQ(first("cartpole-v1"), "CartPole-v1");
    EXPECT_EQ(first("MountainCar"), "mountain_car");
    EXPECT_EQ(first("breakout"), "minatar_breakout");
    EXPECT_EQ(first("pendlum"), "pendulum");
    EXPECT_EQ(first("doom"), "");
    EXPECT_EQ(first(""), "");
    EXPECT_EQ(nearestNames("cartpole", known, 2).size(), 2u);
    // A partial name consists of whole words, or of at least half of the letters.
    EXPECT_TRUE(nearestNames("foo", {"football_academy_empty_goal"}).empty());
    EXPECT_EQ(nearestNames("HalfCheetah", {"mujoco_half_cheetah_v4"}).size(), 1u);
    EXPECT_EQ(nearestNames("cart", {"cartpole"}).size(), 1u);
}

TEST(NearestNames, HugeNamesAreCheap) {
    const std::string huge(10'000'000, 'x');
    EXPECT_TRUE(nearestNames(huge, {"cartpole", "acrobot"}).empty());
}

}  // namespace
}  // namespace seedbed
