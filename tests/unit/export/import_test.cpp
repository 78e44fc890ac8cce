// SPDX-License-Identifier: Apache-2.0
// Import of valid and hostile files.
#include <filesystem>
#include <fstream>

#include "tests/unit/export/export_fixture.hpp"

#include "core/checkpoint/checkpoint_name.hpp"
#include "core/export/bundle_files.hpp"
#include "core/export/import.hpp"

namespace seedbed::testing {
namespace {

class Import : public ExportTest {
protected:
    void SetUp() override {
        must(exportPolicy(files_, request(cartpoleBundle(), {"safetensors"})));
        std::filesystem::create_directories(loose());
        for (const char* name : {"config.json", "model.safetensors"})
            std::filesystem::copy(folder() / name, loose() / name);
    }
    Path loose() const { return temporary_.path() / "loose"; }
    Path data() const { return temporary_.path() / "data"; }
    std::string read(const Path& path) { return must(readFile(files_, path)); }
    void put(const Path& path, const std::string& text) {
        std::filesystem::remove(path);
        std::ofstream(path, std::ios::binary) << text;
    }
    // The tensor file with a different header.
    void putTensors(const Json& header, const std::string& body) {
        const std::string text = header.dump();
        const std::uint64_t length = text.size();
        std::string file(8, '\0');
        std::memcpy(file.data(), &length, 8);
        put(loose() / "model.safetensors", file + text + body);
    }
    std::string failure(const Path& source) {
        const auto imported = importPolicy(files_, {source, "x", data()});
        EXPECT_FALSE(imported);
        EXPECT_FALSE(std::filesystem::exists(data() / "policies" / "x")) << "no incomplete folder";
        return imported ? "" : imported.error().text();
    }
    void expectRefused(const Path& source, const std::string& shows_text) {
        const std::string reported = failure(source);
        EXPECT_NE(reported.find(shows_text), std::string::npos) << reported;
    }
    Json header() {
        const std::string file = read(folder() / "model.safetensors");
        std::uint64_t length = 0;
        std::memcpy(&length, file.data(), 8);
        return Json::parse(file.substr(8, length));
    }
    std::string body() {
        const std::string file = read(folder() / "model.safetensors");
        std::uint64_t length = 0;
        std::memcpy(&length, file.data(), 8);
        return file.substr(8 + length);
    }
};

TEST_F(Import, FoldersFilesAndImportedOnesGiveTheSamePolicy) {
    const ImportedPolicy a = must(importPolicy(files_, {folder(), "a", data()}));
    const ImportedPolicy b = must(importPolicy(files_, {loose() / "model.safetensors", "b", data()}));
    const ImportedPolicy c = must(importPolicy(files_, {a.folder, "", temporary_.path() / "data2"}));
    EXPECT_EQ(c.name, "a");
    const std::string sha = cartpoleBundle().network.params.sha256();
    for (const auto* policy : {&a, &b, &c}) EXPECT_EQ(policy->bundle.network.params.sha256(), sha);
    const RunResolver no_runs = [](std::string_view) -> Result<std::int64_t> { return fail("no such run"); };
    EXPECT_EQ(must(loadPolicy(files_, data(), "b", no_runs)).bundle.network.params.sha256(), sha);
    const RunResolver a_run = [](std::string_view) -> Result<std::int64_t> { return 1; };
    const auto both = loadPolicy(files_, data(), "b", a_run);
    ASSERT_FALSE(both);
    EXPECT_NE(both.error().message.find("both a run and an imported policy"), std::string::npos);
}

TEST_F(Import, InvalidNamesAreRejected) {
    for (const char* name : {"12", "../x", "a/b", ".hidden", "a b"}) {
        const auto imported = importPolicy(files_, {folder(), name, data()});
        ASSERT_FALSE(imported) << name;
        EXPECT_EQ(imported.error().code, ErrorCode::config);
    }
    must(importPolicy(files_, {folder(), "x", data()}));
    EXPECT_FALSE(importPolicy(files_, {folder(), "x", data()}));
}

TEST_F(Import, ProgramsAndArchivesAreRejected) {
    for (const char* name : {"model.pt", "model.pth", "model.pkl", "policy.onnx", "a.zip"}) {
        put(loose() / name, "PK");
        expectRefused(loose() / name, "only safetensors");
    }
    expectRefused(temporary_.path() / "nowhere", "does not exist");
    std::filesystem::remove(loose() / "config.json");
    expectRefused(loose() / "model.safetensors", "config.json");
}

TEST_F(Import, LinksAndSpecialFilesAreRejected) {
    std::filesystem::remove(loose() / "model.safetensors");
    std::filesystem::create_symlink(folder() / "model.safetensors", loose() / "model.safetensors");
    expectRefused(loose() / "model.safetensors", "not a regular file");
    std::filesystem::remove(folder() / "config.json");
    std::filesystem::create_symlink(loose() / "config.json", folder() / "config.json");
    expectRefused(folder(), "link");
    std::filesystem::create_directory(loose() / "d.safetensors");
    expectRefused(loose() / "d.safetensors", "");
}

TEST_F(Import, HostileTensorFilesAreRejected) {
    const Json good = header();
    const std::string numbers = body();
    putTensors(good, numbers);
    must(importPolicy(files_, {loose() / "model.safetensors", "good", data()}));
    const std::string first = [&] {
        for (const auto& [name, value] : good.items())
            if (name != "__metadata__") return name;
        return std::string();
    }();
    const auto with = [&](const std::function<void(Json&)>& change) {
        Json changed = good;
        change(changed);
        putTensors(changed, numbers);
        EXPECT_NE(failure(loose() / "model.safetensors"), "");
    };
    with([&](Json& h) { h[first]["dtype"] = "F64"; });
    with([&](Json& h) { h[first]["shape"] = {1 << 30, 1 << 30, 1 << 30}; });
    with([&](Json& h) { h[first]["shape"] = {-1}; });
    with([&](Json& h) { h[first]["data_offsets"] = {0, numbers.size() + 4}; });
    with([&](Json& h) { h[first]["data_offsets"] = {8, 4}; });
    with([&](Json& h) { h[first]["data_offsets"][1] = std::uint64_t{1} << 63; });
    with([&](Json& h) { h.erase(first); });
    with([&](Json& h) { h["../../etc/passwd"] = h[first], h.erase(first); });
    with([&](Json& h) {
        h["more"] = {{"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {0, 4}}};
    });  // overlaps
    // Weights that are not finite.
    for (const float bad : {NAN, INFINITY}) {
        std::string poisoned = numbers;
        std::memcpy(poisoned.data() + numbers.size() / 8 * 4, &bad, 4);
        putTensors(good, poisoned);
        expectRefused(loose() / "model.safetensors", "not finite");
    }
    putTensors(good, numbers + "more");
    expectRefused(loose() / "model.safetensors", "belong to no tensor");
    putTensors(good, numbers.substr(0, numbers.size() - 4));
    EXPECT_NE(failure(loose() / "model.safetensors"), "");
    // A header with a duplicate name, one with an invalid length, and a file that is too short.
    std::string twice = good.dump();
    twice.insert(twice.size() - 1, ",\"" + first + "\":" + good[first].dump());
    const std::uint64_t length = twice.size();
    std::string file(8, '\0');
    std::memcpy(file.data(), &length, 8);
    put(loose() / "model.safetensors", file + twice + numbers);
    expectRefused(loose() / "model.safetensors", "duplicate names");
    put(loose() / "model.safetensors", std::string(8, '\xff') + numbers);
    expectRefused(loose() / "model.safetensors", "invalid length");
    put(loose() / "model.safetensors", "abc");
    expectRefused(loose() / "model.safetensors", "too short");
}

TEST_F(Import, HostileDescriptionsAreRejected) {
    const Json good = Json::parse(read(folder() / "config.json"));
    const auto with = [&](const std::function<void(Json&)>& change) {
        Json changed = good;
        change(changed);
        put(loose() / "config.json", changed.dump());
        EXPECT_NE(failure(loose() / "model.safetensors"), "") << changed.dump();
    };
    with([](Json& c) { c["networks"][0]["spec"]["hidden"] = {1 << 30, 1 << 30}; });
    with([](Json& c) { c["networks"][0]["spec"]["hidden"] = {-5}; });
    with([](Json& c) { c["networks"][0]["name"] = "../x"; });
    with([](Json& c) { c["networks"][0]["spec"]["spaces"]["obs"][0]["shape"] = {1 << 28, 1 << 28}; });
    with([](Json& c) { c["networks"][0]["spec"]["encoders"][0]["kind"] = "python"; });
    with([](Json& c) { c["networks"] = Json::array(); });
    with([](Json& c) { c["version"] = 99; });
    with([](Json& c) { c["format"] = "other"; });
    put(loose() / "config.json", std::string(100'000, '['));
    EXPECT_NE(failure(loose() / "model.safetensors"), "");
}

TEST_F(Import, PoliciesThatCannotActAreRejectedOnImport) {
    const Json good = Json::parse(read(folder() / "config.json"));
    const auto with = [&](const char* shows_text, const std::function<void(Json&)>& change) {
        Json changed = good;
        change(changed);
        put(loose() / "config.json", changed.dump());
        expectRefused(loose() / "model.safetensors", shows_text);
    };
    const auto spaces = [](Json& c) -> Json& { return c["networks"][0]["spec"]["spaces"]; };
    // Names that would inject code into a C program.
    for (const char* name : {"a */ extern int system(const char *); /* ", "a\nb", "", "a\"b", "a/b"}) {
        with("name of a leaf", [&](Json& c) { spaces(c)["actions"][0]["name"] = name; });
        with("name of a leaf", [&](Json& c) { spaces(c)["obs"][0]["name"] = name; });
        with("name of a head", [&](Json& c) { c["networks"][0]["spec"]["heads"][1]["name"] = name; });
    }
    with("name of a leaf", [&](Json& c) { spaces(c)["obs"][0]["name"] = std::string(65, 'a'); });
    with("rewards", [&](Json& c) { c["reward"] = {{"scale", "much"}, {"clip", 0}}; });
    with("rewards", [&](Json& c) { c["reward"] = {{"scale", 1}, {"clip", -1}}; });
}

TEST_F(Import, ANegativeVarianceIsRejected) {
    const Json tensors = header();
    for (const char* name : {"var", "count"}) {
        std::string poisoned = body();
        for (const auto& [tensor, value] : tensors.items()) {
            if (!tensor.ends_with(std::string(".") + name)) continue;
            const float negative = -1;
            std::memcpy(poisoned.data() + value["data_offsets"][0].get<std::size_t>(), &negative, 4);
        }
        ASSERT_NE(poisoned, body());
        putTensors(tensors, poisoned);
        expectRefused(loose() / "model.safetensors", "is negative");
    }
}

TEST_F(Import, OldDescriptionsUseTheRewardScalingOfTheWrappers) {
    Json config = Json::parse(read(folder() / "config.json"));
    config.erase("reward");
    config["provenance"]["env_params"] = {{"wrap", {{"reward_scale", 0.25}, {"reward_clip", 2}}}};
    put(loose() / "config.json", config.dump());
    EXPECT_EQ(must(importPolicy(files_, {loose() / "model.safetensors", "old", data()})).bundle.reward,
              (RewardView{0.25f, 2}));
}

TEST_F(Import, TheDefaultNameIsThatOfTheFolder) {
    EXPECT_EQ(must(importName({loose() / "model.safetensors", "", data()})), "loose");
    EXPECT_EQ(must(importName({loose() / "My Weights.safetensors", "", data()})), "my-weights");
    EXPECT_EQ(must(importName({loose() / "", "", data()})), "loose");
}

TEST_F(Import, AChangedByteOfAnExportIsFound) {
    const std::string file = read(folder() / "model.safetensors");
    std::string changed = file;
    changed[changed.size() - 3] = static_cast<char>(changed[changed.size() - 3] ^ 1);
    put(folder() / "model.safetensors", changed);
    expectRefused(folder(), "SHA-256");
    put(folder() / "model.safetensors", file);
    // A change in a file that the import does not need is an error, too: the folder is not the exported one.
    std::string golden = read(folder() / "golden.safetensors");
    golden[golden.size() / 2] = static_cast<char>(golden[golden.size() / 2] ^ 1);
    put(folder() / "golden.safetensors", golden);
    expectRefused(folder(), "golden.safetensors");
}

}  // namespace
}  // namespace seedbed::testing
