// SPDX-License-Identifier: Apache-2.0
// Configuration files: positions in errors, limits and presets.
#include <random>

#include <gtest/gtest.h>

#include "core/config/config_schema.hpp"
#include "core/config/json_text.hpp"
#include "core/config/presets.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

std::string errorOf(const std::string& text) {
    const auto result = parseJsonText(text, "a.json");
    EXPECT_FALSE(result) << text;
    if (result) return "";
    EXPECT_EQ(result.error().code, ErrorCode::config);
    return result.error().message;
}

TEST(JsonText, ErrorsNameFileLineAndColumn) {
    EXPECT_EQ(errorOf("{\n  \"a\": 1,\n  \"b\": x\n}").find("'a.json', line 3, column 8: "), 0u)
        << errorOf("{\n  \"a\": 1,\n  \"b\": x\n}");
    EXPECT_EQ(errorOf("{\"ä\": x}").find("'a.json', line 1, column 7: "), 0u) << errorOf("{\"ä\": x}");
    EXPECT_EQ(errorOf("").find("'a.json', line 1, column 1: "), 0u) << errorOf("");
    EXPECT_EQ(errorOf("{}\n{}").find("'a.json', line 2, column 1: "), 0u) << errorOf("{}\n{}");
}

TEST(JsonText, HostileTextsAreRejectedWithoutACrash) {
    EXPECT_NE(errorOf(std::string(100'000, '[')).find("nested deeper"), std::string::npos);
    EXPECT_NE(errorOf(R"({"a": {"b": 1, "b": 2}})").find("'b' occurs twice"), std::string::npos);
    EXPECT_NE(errorOf("\"" + std::string(kMaxConfigBytes, 'x') + "\"").find("longer than"),
              std::string::npos);
    errorOf("\"\xff\"");
    errorOf("{\"a\": 1e999}");
    errorOf(std::string("{\0}", 3));
    EXPECT_EQ(parseJsonText(R"({"a": {"b": 1}, "c": {"b": 2}})", "x").value()["c"]["b"], 2);
}

TEST(JsonText, RandomDamageNeverEscapesAsAnException) {
    const std::uint64_t seed = std::random_device{}();
    RecordProperty("seed", std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::string good =
        R"({"name": "x", "budget": {"steps": 1e6}, "list": [1, 2.5, true, null, "tä\n"]})";
    for (int i = 0; i < 5000; ++i) {
        std::string bad = good;
        for (std::uint64_t changes = 1 + random() % 4; changes > 0; --changes)
            bad[random() % bad.size()] = static_cast<char>(random());
        const auto result = parseJsonText(bad, "x");
        if (!result) {
            EXPECT_EQ(result.error().message.find("'x'"), 0u) << "seed " << seed << ": " << bad;
        }
    }
}

TEST(JsonText, MissingFileIsAConfigErrorThatNamesIt) {
    RealFileSystem files;
    const auto result = readJsonFile(files, "/nonexistent/a.json");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::config);
    EXPECT_NE(result.error().message.find("/nonexistent/a.json"), std::string::npos);
}

class Presets : public ::testing::Test {
protected:
    Json presetJson(const std::string& name, const std::string& env) {
        return {{"name", name},
                {"title", "Title"},
                {"when_to_use", "Always."},
                {"env", env},
                {"budget", {{"steps", 1e5}}},
                {"expects", {{"score", 475}, {"reference", 500}, {"source", "paper, table 1"}}},
                {"config", {{"algo", {{"gamma", 0.98}}}}}};
    }
    void put(const std::string& below, const std::string& name, const std::string& text) {
        ASSERT_TRUE(makeFolders(files, folder.path() / below));
        ASSERT_TRUE(writeFileAtomically(files, folder.path() / below / name, std::string_view(text)));
    }

    testing::TemporaryFolder folder;
    RealFileSystem files;
};

TEST_F(Presets, AreLoadedWithTheEnvironmentInTheirConfig) {
    put("a", "cartpole.json", presetJson("cartpole", "cartpole").dump(4));
    const auto library = PresetLibrary::load(files, {folder.path() / "a", folder.path() / "missing"});
    ASSERT_TRUE(library) << library.error().text();
    const Preset& preset = **library->get("cartpole");
    EXPECT_EQ(preset.budget_steps, 100'000);
    EXPECT_EQ(preset.expected_score, 475);
    EXPECT_EQ(preset.reference_score, 500);
    EXPECT_EQ(preset.source, "paper, table 1");
    EXPECT_TRUE(preset.isMeasured());
    Preset other = preset;
    other.source = "not yet measured; paper, table 1";
    EXPECT_FALSE(other.isMeasured());
    EXPECT_EQ(preset.config["env"]["id"], "cartpole");
    EXPECT_EQ(preset.config["algo"]["gamma"], 0.98);
}

TEST_F(Presets, AnUnsolvedOneNamesItsBestScore) {
    Json json = presetJson("cartpole", "cartpole");
    const Preset solved = presetFromJson(json, "cartpole").value();
    EXPECT_TRUE(solved.isSolved());
    json["expects"]["solved"] = false;
    json["expects"]["best"] = 300;
    const Preset unsolved = presetFromJson(json, "cartpole").value();
    EXPECT_FALSE(unsolved.isSolved());
    EXPECT_TRUE(unsolved.isMeasured());
    EXPECT_EQ(unsolved.best_score, 300);
    EXPECT_EQ(unsolved.expected_score, 475);
    EXPECT_EQ(unsolved.hash, solved.hash) << "the hash covers what is run";
    json["budget"]["steps"] = 2e5;
    EXPECT_NE(presetFromJson(json, "cartpole")->hash, solved.hash);
}

TEST_F(Presets, DefaultOfAnEnvironmentIsTheOneOfItsName) {
    put("a", "cartpole.json", presetJson("cartpole", "cartpole").dump());
    put("a", "a_fast_cartpole.json", presetJson("a_fast_cartpole", "cartpole").dump());
    put("a", "z_acrobot.json", presetJson("z_acrobot", "acrobot").dump());
    const auto library = PresetLibrary::load(files, {folder.path() / "a"}).value();
    EXPECT_EQ(library.defaultFor("cartpole")->name, "cartpole");
    EXPECT_EQ(library.defaultFor("acrobot")->name, "z_acrobot");
    EXPECT_EQ(library.defaultFor("pong"), nullptr);
    EXPECT_EQ(library.defaultFor("cartpole", "ppo")->name, "cartpole");
    EXPECT_EQ(library.defaultFor("cartpole", "vtrace"), nullptr);
    EXPECT_EQ(library.all().size(), 3u);
    const auto unknown = library.get("cartpol");
    EXPECT_EQ(unknown.error().code, ErrorCode::config);
    EXPECT_EQ(unknown.error().message, "unknown preset 'cartpol'; did you mean 'cartpole'?");
}

TEST_F(Presets, ABetterResultReplacesAMissedOneAsTheDefault) {
    const auto chosen = [&](std::optional<double> own, std::optional<double> other, bool measured) {
        Json with_name = presetJson("cartpole", "cartpole"), another = presetJson("a_cartpole", "cartpole");
        if (own) with_name["expects"].update({{"solved", false}, {"best", *own}});
        if (other) another["expects"].update({{"solved", false}, {"best", *other}});
        if (!measured) another["expects"]["source"] = "not yet measured";
        put("a", "cartpole.json", with_name.dump());
        put("a", "a_cartpole.json", another.dump());
        const auto library = PresetLibrary::load(files, {folder.path() / "a"}).value();
        return library.defaultFor("cartpole")->name;
    };
    EXPECT_EQ(chosen(300, 400, true), "a_cartpole");
    EXPECT_EQ(chosen(300, {}, true), "a_cartpole") << "solved";
    EXPECT_EQ(chosen(300, 200, true), "cartpole");
    EXPECT_EQ(chosen(300, {}, false), "cartpole");
    EXPECT_EQ(chosen({}, {}, true), "cartpole");
}

TEST_F(Presets, DefaultOfAnAlgorithmIsAmongItsOwn) {
    Json vtrace = presetJson("cartpole_vtrace", "cartpole");
    vtrace["config"]["algo"] = {{"id", "vtrace"}};
    put("a", "cartpole.json", presetJson("cartpole", "cartpole").dump());
    put("a", "cartpole_vtrace.json", vtrace.dump());
    const auto library = PresetLibrary::load(files, {folder.path() / "a"}).value();
    EXPECT_EQ(library.defaultFor("cartpole")->name, "cartpole");
    EXPECT_EQ(library.defaultFor("cartpole", "vtrace")->name, "cartpole_vtrace");
    EXPECT_EQ(library.defaultFor("cartpole", "ppo")->name, "cartpole")
        << "a preset without an algorithm uses PPO";
}

TEST_F(Presets, OneIsReadWithoutTheOthers) {
    Json own = presetJson("cartpole", "cartpole");
    own["title"] = "Mine";
    put("a", "cartpole.json", presetJson("cartpole", "cartpole").dump());
    put("a", "broken.json", "{");
    put("b", "cartpole.json", own.dump());
    const std::vector<Path> folders{folder.path() / "a", folder.path() / "b", folder.path() / "missing"};
    EXPECT_EQ((*PresetLibrary::read(files, folders, "cartpole"))->title, "Mine");
    EXPECT_FALSE(PresetLibrary::read(files, folders, "cartpol").value().has_value());
    EXPECT_FALSE(PresetLibrary::read(files, folders, "../b/cartpole").value().has_value());
    EXPECT_FALSE(PresetLibrary::read(files, folders, ".hidden").value().has_value());
    EXPECT_FALSE(PresetLibrary::read(files, folders, "broken"));
}

TEST_F(Presets, TheUsersFolderReplacesByName) {
    Json own = presetJson("cartpole", "cartpole");
    own["title"] = "Mine";
    put("a", "cartpole.json", presetJson("cartpole", "cartpole").dump());
    put("b", "cartpole.json", own.dump());
    EXPECT_EQ(
        (*PresetLibrary::load(files, {folder.path() / "a", folder.path() / "b"}).value().get("cartpole"))
            ->title,
        "Mine");
}

TEST_F(Presets, EveryFieldMustBeGivenAndConsistent) {
    const Json good = presetJson("cartpole", "cartpole");
    ASSERT_TRUE(presetFromJson(good, "cartpole"));
    for (const char* pointer : {"/name", "/title", "/when_to_use", "/env", "/budget", "/budget/steps",
                                "/expects/score", "/expects/reference", "/expects/source", "/config"}) {
        Json bad = good.flatten();
        Json kept = Json::object();
        for (const auto& [key, value] : bad.items())
            if (key.rfind(pointer, 0) != 0) kept[key] = value;
        const auto result = presetFromJson(kept.unflatten(), "cartpole");
        EXPECT_FALSE(result) << pointer;
    }
    const auto refused = [&](const char* pointer, const Json& value) {
        Json bad = good;
        bad[Json::json_pointer(pointer)] = value;
        const auto result = presetFromJson(bad, "cartpole");
        EXPECT_FALSE(result) << pointer;
        if (!result) {
            EXPECT_NE(result.error().text().find("reading preset 'cartpole'"), std::string::npos);
        }
    };
    refused("/name", "other");
    refused("/budget/steps", 0);
    refused("/title", "");
    refused("/titel", "x");
    refused("/config", 3);
    refused("/config/env", {{"id", "acrobot"}});
    refused("/config/env", "acrobot");
    refused("/config/env", 3);
    refused("/expects/solved", false);  // "solved": false requires the best score
    refused("/expects/best", 300);      // solved presets must not have a best score
    refused("/expects/solved", "no");
    EXPECT_FALSE(presetFromJson(3, "cartpole"));
    Json short_form = good;
    short_form["config"]["env"] = "cartpole";
    EXPECT_EQ(presetFromJson(short_form, "cartpole")->config["env"], Json({{"id", "cartpole"}}));
}

TEST_F(Presets, ABrokenFileIsNamed) {
    put("a", "broken.json", "{");
    const auto library = PresetLibrary::load(files, {folder.path() / "a"});
    ASSERT_FALSE(library);
    EXPECT_NE(library.error().text().find("broken.json', line 1"), std::string::npos)
        << library.error().text();
}

}  // namespace
}  // namespace seedbed
