// SPDX-License-Identifier: Apache-2.0
// Small networks and checkpoints for tests, and a file system whose operations can be made to fail.
#pragma once

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/files.hpp"
#include "core/nn/net_plan.hpp"
#include "core/policy/checkpoint.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed::testing {

template <class T>
T must(Result<T> result) {
    if (!result) ADD_FAILURE() << result.error().text();
    return std::move(result).value();
}
inline void must(const Result<>& result) { EXPECT_TRUE(result) << result.error().text(); }

// Counts the operations on the real file system and makes them fail on demand; long writes and reads are cut short all the time. Syncs are
// only counted: no test can take away the power.
class FailingFiles final : public FileSystem {
public:
    // Operation number `at` (from 1) fails, and all after it when `forever`; 0: none.
    void failAt(int at, bool forever) { fail_at_ = at, forever_ = forever, count_ = 0; }
    int count() const { return count_; }
    int renames() const { return renames_; }  // that succeeded

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        SEEDBED_TRY(step());
        SEEDBED_ASSIGN(auto file, real_.open(path, mode));
        return std::unique_ptr<File>(std::make_unique<FailingFile>(*this, std::move(file), path.filename().string()));
    }
    Result<std::optional<FileInfo>> info(const Path& path) override {
        return guarded([&] { return real_.info(path); });
    }
    Result<std::vector<FileInfo>> list(const Path& folder) override {
        return guarded([&] { return real_.list(folder); });
    }
    Result<> rename(const Path& from, const Path& to) override {
        log.push_back("rename to " + to.filename().string());
        auto renamed = guarded([&] { return real_.rename(from, to); });
        renames_ += renamed.has_value();
        return renamed;
    }
    Result<> remove(const Path& path) override {
        return guarded([&] { return real_.remove(path); });
    }
    Result<> makeFolder(const Path& path) override {
        return guarded([&] { return real_.makeFolder(path); });
    }
    Result<> syncFolder(const Path& folder) override {
        log.push_back("sync folder " + folder.filename().string());
        return step();
    }
    Result<std::uint64_t> freeBytes(const Path& path) override {
        SEEDBED_TRY(step());
        return free_bytes ? Result<std::uint64_t>(*free_bytes) : real_.freeBytes(path);
    }

    std::optional<std::uint64_t> free_bytes;
    std::vector<std::string> log;  // syncs and renames

private:
    class FailingFile final : public File {
    public:
        FailingFile(FailingFiles& files, std::unique_ptr<File> inner, std::string name)
            : files_(files), inner_(std::move(inner)), name_(std::move(name)) {}
        Result<std::size_t> read(std::span<std::byte> into) override {
            return files_.guarded([&] { return inner_->read(into.first(std::min<std::size_t>(into.size(), 3000))); });
        }
        Result<std::size_t> write(std::span<const std::byte> from) override {
            return files_.guarded([&] { return inner_->write(from.first(std::min<std::size_t>(from.size(), 3000))); });
        }
        Result<> sync() override {
            files_.log.push_back("sync " + name_);
            return files_.step();
        }
        Result<> close() override {
            return files_.guarded([&] { return inner_->close(); });
        }

    private:
        FailingFiles& files_;
        std::unique_ptr<File> inner_;
        std::string name_;
    };

    Result<> step() {
        ++count_;
        if (fail_at_ != 0 && (count_ == fail_at_ || (forever_ && count_ > fail_at_)))
            return tl::unexpected<Error>(systemError(count_ % 2 == 0 ? ENOSPC : EIO, "operation " + std::to_string(count_)));
        return {};
    }
    template <class Call>
    auto guarded(const Call& call) -> decltype(call()) {
        SEEDBED_TRY(step());
        return call();
    }

    RealFileSystem real_;
    int fail_at_ = 0;
    bool forever_ = false;
    int count_ = 0;
    int renames_ = 0;
};

class PolicyTest : public ::testing::Test {
protected:
    Path data() const { return temporary_.path() / "data"; }
    CheckpointStore store(FileSystem& files) const { return {files, data(), 3}; }
    CheckpointStore store() { return store(files_); }
    Path folderOf(const std::string& name) const { return checkpointsFolder(data(), 3) / name; }

    static NetSpec spec(int inputs = 4) {
        ObsLeaf obs;
        obs.name = "obs", obs.kind = ObsLeaf::Kind::vector, obs.shape = {inputs}, obs.low = -1, obs.high = 1;
        ActionLeaf action;
        action.n = 2;
        Spaces spaces;
        spaces.obs = {obs}, spaces.actions = {action};
        NetworkParams params;
        params.hidden = {8}, params.normalise_obs = true;
        return must(makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}}));
    }
    static NamedNetwork network(const std::string& name, std::uint64_t seed) {
        const NetPlan plan = must(buildPlan(spec()));
        const Params initial = initialParams(plan, seed);
        return {name, plan.spec, Params({initial.blob().begin(), initial.blob().end()}, seed)};
    }
    // Its parameters and state depend on the step.
    static CheckpointData checkpoint(std::int64_t step, std::optional<double> score = {}) {
        CheckpointData data;
        data.step = step, data.updates = step / 10, data.score = score;
        data.networks = {network("policy", static_cast<std::uint64_t>(step)), network("target", static_cast<std::uint64_t>(step) + 1)};
        data.squash = true;
        data.provenance.env = "cartpole", data.provenance.algo = "ppo", data.provenance.steps = step, data.provenance.build = "test";
        data.provenance.config = {{"gamma", 0.99}};
        data.files = {{"optimiser.bin", std::vector<std::uint8_t>(3000, static_cast<std::uint8_t>(step))}, {"state.bin", {}}};
        data.info = {{"note", "x"}};
        return data;
    }
    static void expectSame(const CheckpointData& a, const CheckpointData& b) {
        EXPECT_EQ(a.step, b.step);
        EXPECT_EQ(a.updates, b.updates);
        EXPECT_EQ(a.squash, b.squash);
        EXPECT_EQ(a.provenance, b.provenance);
        EXPECT_EQ(a.info, b.info);
        EXPECT_EQ(a.milestone, b.milestone);
        ASSERT_EQ(a.networks.size(), b.networks.size());
        for (std::size_t i = 0; i < a.networks.size(); ++i) {
            EXPECT_EQ(a.networks[i].name, b.networks[i].name);
            EXPECT_EQ(a.networks[i].spec, b.networks[i].spec);
            EXPECT_EQ(a.networks[i].params.sha256(), b.networks[i].params.sha256());
            EXPECT_EQ(a.networks[i].params.version(), b.networks[i].params.version());
        }
        ASSERT_EQ(a.files.size(), b.files.size());
        for (std::size_t i = 0; i < a.files.size(); ++i) {
            EXPECT_EQ(a.files[i].name, b.files[i].name);
            EXPECT_EQ(a.files[i].bytes, b.files[i].bytes);
        }
    }
    std::vector<std::int64_t> steps() {
        std::vector<std::int64_t> steps;
        for (const auto& info : must(store().list())) steps.push_back(info.step);
        return steps;
    }
    // Hidden names are what a crash leaves behind.
    std::vector<std::string> names() {
        std::vector<std::string> names;
        for (const auto& info : must(files_.list(checkpointsFolder(data(), 3)))) names.push_back(info.name);
        return names;
    }
    std::string read(const Path& path) { return must(readFile(files_, path)); }
    // Not atomically, as damage happens.
    void overwrite(const Path& path, const std::string& text) {
        must(files_.remove(path));
        const auto file = must(files_.open(path, OpenMode::create));
        must(writeAll(*file, std::as_bytes(std::span(text.data(), text.size()))));
    }

    FailingFiles files_;

private:
    TemporaryFolder temporary_;
};

}  // namespace seedbed::testing
