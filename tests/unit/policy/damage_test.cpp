// SPDX-License-Identifier: Apache-2.0
// Damaged, incomplete, mismatched or hostile checkpoints are rejected with the file and the reason, and the
// previous one is used; every single file operation of saving fails in turn.
#include <cstring>
#include <limits>

#include "core/base/rng.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/policy/manifest.hpp"
#include "core/policy/tensor_file.hpp"
#include "tests/unit/policy/policy_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;
using Steps = std::vector<std::int64_t>;

constexpr std::uint64_t kSeed = 31337;

class DamagedCheckpoint : public testing::PolicyTest {
protected:
    void SetUp() override {
        must(store().save(checkpoint(1)));
        must(store().save(checkpoint(2)));
    }
    std::vector<Path> filesOfNewest() {
        std::vector<Path> paths;
        for (const auto& info : must(files_.list(folderOf("2")))) paths.push_back(folderOf("2") / info.name);
        return paths;
    }
};

class FailingOperations : public testing::PolicyTest {};
class TensorFiles : public ::testing::Test {};

TEST_F(DamagedCheckpoint, AnyFlippedBitIsFoundAndThePreviousOneIsUsed) {
    Rng rng(kSeed, RngPurpose::test);
    const std::vector<Path> paths = filesOfNewest();
    ASSERT_EQ(paths.size(), 5u);
    for (const Path& path : paths) {
        const std::string whole = read(path);
        if (whole.empty()) continue;
        // Flips each bit at the beginning, which contains the headers, and random bits of the rest.
        const std::size_t begin = std::min<std::size_t>(whole.size(), 80) * 8;
        for (std::size_t i = 0; i < begin + 300; ++i) {
            const std::size_t bit = i < begin ? i : rng.below(static_cast<std::uint32_t>(whole.size() * 8));
            std::string damaged = whole;
            damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
            overwrite(path, damaged);
            const auto exact = loadCheckpoint(files_, folderOf("2"));
            ASSERT_FALSE(exact) << path << " bit " << bit << ", seed " << kSeed;
            ASSERT_NE(exact.error().message.find(path.filename().string()), std::string::npos)
                << exact.error().message;
            if (i % 50 != 0) continue;
            const LoadedCheckpoint used = must(store().load());
            ASSERT_EQ(used.info.step, 1);
            ASSERT_EQ(used.notices.size(), 1u);
            ASSERT_NE(used.notices[0].find("step 1 is used instead"), std::string::npos) << used.notices[0];
        }
        overwrite(path, whole);
    }
    EXPECT_EQ(must(store().load()).info.step, 2);
}

TEST_F(DamagedCheckpoint, TruncatedLongerAndMissingFilesAreFound) {
    for (const Path& path : filesOfNewest()) {
        const std::string whole = read(path);
        for (const std::size_t size : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
            if (size >= whole.size()) continue;
            overwrite(path, whole.substr(0, size));
            EXPECT_FALSE(loadCheckpoint(files_, folderOf("2"))) << path << " " << size;
        }
        overwrite(path, whole + "x");
        EXPECT_FALSE(loadCheckpoint(files_, folderOf("2"))) << path;
        must(files_.remove(path));
        EXPECT_FALSE(loadCheckpoint(files_, folderOf("2"))) << path;
        EXPECT_EQ(must(store().load()).info.step, 1);
        must(writeFileAtomically(files_, path, whole));
    }
    EXPECT_TRUE(loadCheckpoint(files_, folderOf("2")));
}

TEST_F(DamagedCheckpoint, IfNoneIsUsableAllReasonsAreNamed) {
    for (const char* step : {"1", "2"}) overwrite(folderOf(step) / "params.safetensors", "x");
    const auto none = store().load();
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("1/params.safetensors"), std::string::npos);
    EXPECT_NE(none.error().message.find("2/params.safetensors"), std::string::npos);
    EXPECT_FALSE(store().load("2"));
}

TEST_F(DamagedCheckpoint, ADamagedOneIsRemovedOnceNewerOnesReplaceIt) {
    overwrite(folderOf("2") / kManifestName, "{}");
    EXPECT_EQ(steps(), Steps{1});
    must(store().prune());
    EXPECT_EQ(names(), (std::vector<std::string>{"1", "2"}));
    for (const std::int64_t step : {3, 4, 5}) must(store().save(checkpoint(step)));
    must(store().prune());
    EXPECT_EQ(names(), (std::vector<std::string>{"3", "4", "5"}));
}

TEST_F(DamagedCheckpoint, ManifestsThatPointElsewhereAreRejected) {
    const std::string outside = "secret";
    must(writeFileAtomically(files_, data() / "secret", outside));
    for (const char* name : {"../../../secret", "/etc/passwd", "", ".", "..", "a/b", ".hidden",
                             "manifest.json", "a b", "a\\b"}) {
        must(removeTree(files_, folderOf("9")));
        must(files_.makeFolder(folderOf("9")));
        Json json = {
            {"format", "seedbed-checkpoint"},
            {"version", 1},
            {"files", {{{"name", name}, {"bytes", outside.size()}, {"sha256", sha256Hex(outside)}}}}};
        json["sha256"] = sha256Hex(json.dump(2) + "\n");
        must(writeFileAtomically(files_, folderOf("9") / kManifestName, json.dump(2) + "\n"));
        const auto refused = readManifest(files_, folderOf("9"));
        ASSERT_FALSE(refused) << name;
        EXPECT_NE(refused.error().message.find("not allowed"), std::string::npos) << refused.error().message;
    }
}

TEST_F(DamagedCheckpoint, NestedAndHugeManifestsAreRejected) {
    std::string deep = "{\"sha256\":\"\",\"x\":";
    for (int i = 0; i < 200'000; ++i) deep += '[';
    overwrite(folderOf("2") / kManifestName, deep);
    EXPECT_FALSE(readManifest(files_, folderOf("2")));
    overwrite(folderOf("2") / kManifestName, std::string(3 << 20, ' '));
    EXPECT_FALSE(readManifest(files_, folderOf("2")));
}

// A folder with correct hashes but inconsistent contents.
TEST_F(DamagedCheckpoint, ConsistentFoldersWithWrongContentsAreRejected) {
    const std::string policy = read(folderOf("2") / "policy.json"),
                      params = read(folderOf("2") / "params.safetensors");
    const auto with = [&](const std::string& name, const std::string& new_policy,
                          const std::string& new_params) {
        FolderWriter writer = must(FolderWriter::create(files_, folderOf(name)));
        must(writer.add("policy.json", std::as_bytes(std::span(new_policy.data(), new_policy.size()))));
        must(
            writer.add("params.safetensors", std::as_bytes(std::span(new_params.data(), new_params.size()))));
        must(writer.finish({{"format", "seedbed-policy"}, {"version", 1}}));
        return loadPolicy(files_, folderOf(name));
    };
    EXPECT_TRUE(with("20", policy, params));
    const auto changed = [&](const auto& change) {
        Json json = Json::parse(policy);
        change(json);
        return json.dump();
    };
    EXPECT_FALSE(with("21", changed([](Json& json) { json["format"] = "other"; }), params));
    EXPECT_FALSE(with("22", changed([](Json& json) { json["version"] = 99; }), params));
    EXPECT_FALSE(
        with("23", changed([](Json& json) { json["networks"][0]["spec"]["hidden"] = {9}; }), params));
    EXPECT_FALSE(with("24", changed([](Json& json) { json["networks"][0]["name"] = "policy/x"; }), params));
    EXPECT_FALSE(with("25", changed([](Json& json) { json["networks"].erase(1); }), params));
    EXPECT_FALSE(with("26", changed([](Json& json) { json["networks"] = Json::array(); }), params));
    EXPECT_FALSE(with("27", changed([](Json& json) { json.erase("squash"); }), params));
    EXPECT_FALSE(with("28", changed([](Json& json) { json["networks"][1] = json["networks"][0]; }), params));
    EXPECT_FALSE(with("29", "not json", params));
    std::string not_a_number = params;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::uint64_t header_bytes = 0;
    std::memcpy(&header_bytes, params.data(), sizeof header_bytes);
    std::memcpy(not_a_number.data() + sizeof header_bytes + header_bytes, &nan, sizeof nan);
    const auto refused = with("30", policy, not_a_number);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("not finite"), std::string::npos) << refused.error().message;
}

// Makes each operation fail in turn: afterwards either the old or the new checkpoint is complete, and a
// failed save is never reported as successful.
TEST_F(FailingOperations, SavingSurvivesEveryOperationFailingOnceAndPermanently) {
    for (const testing::FileFault& fault : testing::kFileFaults) {
        SCOPED_TRACE(nameOf(fault));
        bool untouched = false;
        int failures = 0;
        for (int n = 1; !untouched; ++n) {
            ASSERT_LT(n, 1000);
            must(removeTree(files_, checkpointsFolder(data(), 3)));
            must(store().save(checkpoint(1)));
            testing::FailingFiles failing;
            failing.failAt(n, fault);
            const auto saved = store(failing).save(checkpoint(2));
            untouched = failing.count() < n;
            failures += !saved;

            const LoadedCheckpoint there = must(store().load());
            ASSERT_TRUE(there.notices.empty()) << n;
            if (saved) {
                ASSERT_EQ(there.info.step, 2) << n;
            } else {
                // Only the last sync can fail after the rename: the new checkpoint is complete, although
                // save() failed.
                ASSERT_EQ(there.info.step, failing.renames() > 0 ? 2 : 1) << n;
            }
            expectSame(there.data, checkpoint(there.info.step));
            ASSERT_EQ(must(loadCheckpoint(files_, folderOf("1"))).info.step, 1);

            // The next attempt works, and no incomplete folder counts as a checkpoint.
            must(store().save(checkpoint(2)));
            ASSERT_EQ(steps(), (Steps{1, 2})) << n;
            expectSame(must(store().load()).data, checkpoint(2));
        }
        EXPECT_GT(failures, 30);
    }
}

TEST_F(FailingOperations, ReplacingMarkingPruningAndSupersedingLeaveALoadableCheckpoint) {
    const Path begun = checkpointsFolder(data(), 3), kept = data() / "kept";
    for (const std::int64_t step : {1, 2, 3, 4}) must(store().save(checkpoint(step)));
    std::filesystem::rename(begun, kept);
    for (const testing::FileFault& fault : testing::kFileFaults) {
        SCOPED_TRACE(nameOf(fault));
        bool untouched = false;
        for (int n = 1; !untouched; ++n) {
            ASSERT_LT(n, 2000);
            must(removeTree(files_, begun));
            std::filesystem::copy(kept, begun, std::filesystem::copy_options::recursive);
            testing::FailingFiles failing;
            failing.failAt(n, fault);
            CheckpointStore under_test = store(failing);
            bool all = under_test.save(checkpoint(4)).has_value();
            all = under_test.markBest(2, 3.0).has_value() && all;
            all = under_test.prune({2}).has_value() && all;
            all = under_test.supersedeAfter(3).has_value() && all;
            untouched = failing.count() < n;

            const LoadedCheckpoint there = must(store().load());
            ASSERT_GE(there.info.step, 3) << n;
            ASSERT_TRUE(there.notices.empty()) << n;
            expectSame(there.data, checkpoint(there.info.step));
            if (all) {
                ASSERT_EQ(must(store().find("best")).step, 2) << n;
                ASSERT_EQ(there.info.step, 3) << n;
            }
        }
    }
}

TEST_F(FailingOperations, AReadFailureIsNotDamageAndDoesNotSelectAnOlderOne) {
    for (const std::int64_t step : {1, 2}) must(store().save(checkpoint(step, static_cast<double>(step))));
    int failures = 0;
    for (const char* selector : {"", "best"}) {
        for (int n = 1;; ++n) {
            ASSERT_LT(n, 1000);
            testing::FailingFiles failing;
            failing.failAt(n, false);
            const auto loaded = store(failing).load(selector);
            const auto policy = [&] {
                failing.failAt(n, false);
                return store(failing).loadPolicy(selector);
            }();
            failures += !loaded;
            ASSERT_TRUE(!loaded || loaded->info.step == 2) << n << " '" << selector << "'";
            ASSERT_TRUE(!policy || policy->info.step == 2) << n << " '" << selector << "'";
            if (failing.count() < n && loaded) break;
        }
    }
    EXPECT_GT(failures, 20);
    EXPECT_EQ(steps(), (Steps{1, 2}));
}

TEST_F(FailingOperations, LoadingReportsEveryFailingOperation) {
    must(store().save(checkpoint(1)));
    bool untouched = false;
    for (int n = 1; !untouched; ++n) {
        ASSERT_LT(n, 1000);
        testing::FailingFiles failing;
        failing.failAt(n, true);
        const auto loaded = loadCheckpoint(failing, folderOf("1"));
        untouched = failing.count() < n;
        ASSERT_EQ(loaded.has_value(), untouched) << n;
    }
}

TEST_F(TensorFiles, HeadersThatViolateTheFormatAreRejected) {
    const auto parsed = [](const std::string& header, std::uint64_t bytes) {
        return parseTensorHeader(header, bytes, "file");
    };
    const std::string good = R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})";
    ASSERT_TRUE(parsed(good, 24));
    EXPECT_EQ(parsed(good, 24)->tensors[0].shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_TRUE(parsed("{}", 0));
    EXPECT_TRUE(parsed(R"({"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})", 4));
    EXPECT_TRUE(parsed(R"({"e":{"dtype":"F32","shape":[0,5],"data_offsets":[0,0]}})", 0));
    for (
        const auto& [header, bytes] : std::vector<std::pair<std::string, std::uint64_t>>{
            {good, 23},
            {good, 28},
            {"", 0},
            {"[]", 0},
            {" " + good, 24},
            {good + "x", 24},
            {good.substr(0, 20), 24},
            {R"({"a":{"dtype":"F16","shape":[6],"data_offsets":[0,24]}})", 24},
            {R"({"a":{"dtype":"F32","shape":[-6],"data_offsets":[0,24]}})", 24},
            {R"({"a":{"dtype":"F32","shape":[6.0],"data_offsets":[0,24]}})", 24},
            {R"({"a":{"dtype":"F32","shape":[6],"data_offsets":[0,24,48]}})", 24},
            {R"({"a":{"dtype":"F32","shape":[6],"data_offsets":[24,0]}})", 24},
            {R"({"a":{"dtype":"F32","shape":[6],"data_offsets":[0,24],"extra":1}})", 24},
            {R"({"a":{"dtype":"F32","shape":[6]}})", 24},
            {R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,0]}})", 0},
            {R"({"a":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,24]}})", 24},
            {R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,6],"data_offsets":[0,24]}})", 24},
            {R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},"a":{"dtype":"F32","shape":[3],"data_offsets":[12,24]}})",
             24},
            {R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},"b":{"dtype":"F32","shape":[4],"data_offsets":[8,24]}})",
             24},
            {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[3],"data_offsets":[12,24]}})",
             24},
            {R"({"__metadata__":{"x":1}})", 0},
            {R"({"__metadata__":[]})", 0},
            {R"({"a":[[[[[]]]]]})", 0}})
        EXPECT_FALSE(parsed(header, bytes)) << header << " " << bytes;
}

TEST_F(TensorFiles, MutatedHeadersNeverExceedTheFile) {
    Rng rng(kSeed, RngPurpose::test, 7);
    const std::string good =
        R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"F32","shape":[2],"data_offsets":[24,32]}})";
    int accepted = 0;
    for (int round = 0; round < 50'000; ++round) {
        std::string header = good;
        for (std::uint32_t i = rng.below(4); i-- > 0;) {
            const auto at = rng.below(static_cast<std::uint32_t>(header.size()));
            if (rng.bernoulli(0.5)) header[at] = "0123456789[]{},:\"aF"[rng.below(19)];
            else header.erase(at, 1 + rng.below(3));
        }
        const auto parsed = parseTensorHeader(header, 32, "file");
        if (!parsed) continue;
        ++accepted;
        std::uint64_t floats = 0;
        for (const auto& tensor : parsed->tensors) floats += tensor.count;
        ASSERT_EQ(floats, 8u) << header << ", seed " << kSeed << " round " << round;
    }
    EXPECT_GT(accepted, 100);
}

TEST_F(TensorFiles, WrittenTensorsAreReadBack) {
    const std::vector<float> a{1, 2, 3, 4, 5, 6}, b{7};
    const TensorView tensors[] = {{"x/a", {2, 3}, a}, {"x/b", {}, b}};
    std::string bytes;
    must(writeTensors(tensors, {{"format", "test"}}, [&](std::span<const std::byte> part) -> Result<> {
        bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
        return {};
    }));
    std::size_t at = 0;
    const ByteSource source = [&](std::span<std::byte> into) -> Result<> {
        if (bytes.size() - at < into.size()) return fail("end");
        std::copy_n(reinterpret_cast<const std::byte*>(bytes.data()) + at, into.size(), into.begin());
        at += into.size();
        return {};
    };
    const TensorHeader header = must(readTensorHeader(bytes.size(), source, "file"));
    ASSERT_EQ(header.tensors.size(), 2u);
    EXPECT_EQ(header.tensors[1].name, "x/b");
    EXPECT_EQ(header.metadata.at("format"), "test");
    EXPECT_EQ(at % 8, 0u);
    EXPECT_EQ(bytes.size() - at, 28u);
    const std::string whole = bytes;
    for (std::size_t size = 0; size < whole.size() - 28; ++size) {
        at = 0;
        bytes = whole.substr(0, size);
        EXPECT_FALSE(readTensorHeader(size, source, "file")) << size;
    }
}

}  // namespace
}  // namespace seedbed
