// SPDX-License-Identifier: Apache-2.0
// Pack documents that are accepted, and those that are rejected.
#include "core/worker/pack_document.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "core/base/os/files.hpp"

namespace seedbed {
namespace {

const std::string kHash(64, 'a');

Json tiny() {
    return {{"name", "tiny"},
            {"title", "Tiny"},
            {"sentence", "A pack of this test."},
            {"licences", {{{"part", "alpha"}, {"licence", "MIT"}}}},
            {"schemes", {"tiny"}},
            {"envs", {"tiny:one"}},
            {"gymnasium_prefixes", {"Tiny-"}},
            {"modules", {"alpha"}},
            {"platforms", {{"x86_64", {"3.11", "3.12"}}}},
            {"packages",
             {{{"name", "alpha"}, {"version", "1.0"}, {"bytes", 1000}, {"sha256", {kHash}}},
              {{"name", "beta.b"}, {"version", "2!1.0+cpu"}, {"bytes", 24}, {"sha256", {kHash, kHash}}}}},
            {"files", {{"gym/__init__.py", ""}}},
            {"installed_bytes", 5000}};
}

TEST(PackDocument, HasTheFieldsOfItsFile) {
    const auto pack = packFromJson(tiny(), "tiny");
    ASSERT_TRUE(pack) << pack.error().text();
    EXPECT_EQ(pack->downloadBytes(), 1024u);
    EXPECT_EQ(pack->platforms.at("x86_64"), (std::vector<std::string>{"3.11", "3.12"}));
    EXPECT_EQ(pack->packages[1].sha256s.size(), 2u);
    EXPECT_FALSE(pack->isInstalledByUser());
    EXPECT_EQ(pack->hash.size(), 64u);
}

TEST(PackDocument, TheHashDependsOnWhatIsInstalledOnly) {
    const std::string hash = packFromJson(tiny(), "tiny")->hash;
    Json other = tiny();
    other["title"] = "Another title";
    other["installed_bytes"] = 6000;
    EXPECT_EQ(packFromJson(other, "tiny")->hash, hash);
    for (const char* field : {"version", "name"}) {
        Json changed = tiny();
        changed["packages"][0][field] = "7";
        EXPECT_NE(packFromJson(changed, "tiny")->hash, hash) << field;
    }
    Json changed = tiny();
    changed["files"]["gym/__init__.py"] = "pass\n";
    EXPECT_NE(packFromJson(changed, "tiny")->hash, hash);
}

TEST(PackDocument, RefusesWhatPipOrTheFileSystemWouldMisunderstand) {
    const std::pair<const char*, std::function<void(Json&)>> mistakes[] = {
        {"'name' is", [](Json& j) { j["name"] = "../tiny"; }},
        {"'title' is missing", [](Json& j) { j.erase("title"); }},
        {"'licences' is missing", [](Json& j) { j.erase("licences"); }},
        {"'colour' is unknown", [](Json& j) { j["colour"] = "red"; }},
        {"packages: 'name' is \"--index-url\"", [](Json& j) { j["packages"][0]["name"] = "--index-url"; }},
        {"packages: 'name' is \"a b\"", [](Json& j) { j["packages"][0]["name"] = "a b"; }},
        {"packages: 'name' is 3", [](Json& j) { j["packages"][0]["name"] = 3; }},
        {"packages: 'version' is", [](Json& j) { j["packages"][0]["version"] = "1.0\n--pre"; }},
        {"packages: 'sha256' contains", [](Json& j) { j["packages"][0]["sha256"][0] = "abc"; }},
        {"packages: 'sha256' is empty", [](Json& j) { j["packages"][0]["sha256"] = Json::array(); }},
        {"packages: 'bytes' is -1", [](Json& j) { j["packages"][0]["bytes"] = -1; }},
        {"packages: 'bytes' is 1.5", [](Json& j) { j["packages"][0]["bytes"] = 1.5; }},
        {"packages: must be an object", [](Json& j) { j["packages"][0] = "alpha"; }},
        {"'installed_bytes' is 1e+30", [](Json& j) { j["installed_bytes"] = 1e30; }},
        {"'modules' contains", [](Json& j) { j["modules"][0] = "import os"; }},
        {"'modules' is empty", [](Json& j) { j["modules"] = Json::array(); }},
        {"platforms: 'x86_64' contains", [](Json& j) { j["platforms"]["x86_64"][0] = "2.7"; }},
        {"platforms: 'x86_64' contains", [](Json& j) { j["platforms"]["x86_64"][0] = "3.011"; }},
        {"'platforms' is missing", [](Json& j) { j.erase("platforms"); }},
        {"'files' contains '../evil'", [](Json& j) { j["files"]["../evil"] = ""; }},
        {"'files' contains '/evil'", [](Json& j) { j["files"]["/evil"] = ""; }},
        {"'files' contains 'a//b'", [](Json& j) { j["files"]["a//b"] = ""; }},
        {"'files' contains 'big'", [](Json& j) { j["files"]["big"] = std::string(5000, 'x'); }},
        {"'system_packages' contains", [](Json& j) { j["system_packages"] = {"a; rm"}; }},
        {"'writable_folders' contains", [](Json& j) { j["writable_folders"] = {"/home/../etc"}; }},
        {"'packages' or 'instructions'", [](Json& j) { j["instructions"] = "Build it."; }},
        {"'packages' or 'instructions'", [](Json& j) { j["packages"] = Json::array(); }},
    };
    for (const auto& [reason, change] : mistakes) {
        Json json = tiny();
        change(json);
        const auto pack = packFromJson(json, "tiny");
        ASSERT_FALSE(pack) << reason;
        EXPECT_EQ(pack.error().code, ErrorCode::config);
        EXPECT_NE(pack.error().text().find(reason), std::string::npos) << pack.error().text();
        EXPECT_NE(pack.error().text().find("reading pack 'tiny'"), std::string::npos);
    }
    EXPECT_FALSE(packFromJson(Json::array(), "tiny"));
    EXPECT_FALSE(packFromJson(tiny(), "other"));
}

TEST(PackLibrary, NamesTheMostSimilarPack) {
    RealFileSystem files;
    const auto packs = installedPackLibrary(files);
    ASSERT_TRUE(packs) << packs.error().text();
    ASSERT_TRUE(packs->get("atari"));
    const auto unknown = packs->get("attari");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().text().find("did you mean 'atari'"), std::string::npos);
    EXPECT_TRUE(PackLibrary::load(files, "/nowhere/packs")->all().empty());
}

}  // namespace
}  // namespace seedbed
