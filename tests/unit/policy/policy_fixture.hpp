// SPDX-License-Identifier: Apache-2.0
// Small networks and checkpoints for tests.
#pragma once

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/os/files.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/nn/net_plan.hpp"
#include "tests/unit/base/failing_files.hpp"
#include "tests/unit/base/must.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed::testing {

class PolicyTest : public ::testing::Test {
protected:
    Path data() const { return temporary_.path() / "data"; }
    CheckpointStore store(FileSystem& files) const { return {files, data(), 3}; }
    CheckpointStore store() { return store(files_); }
    Path folderOf(const std::string& name) const { return checkpointsFolder(data(), 3) / name; }

    static NetSpec spec(int inputs = 4) {
        ObsLeaf obs;
        obs.name = "obs";
        obs.kind = ObsLeaf::Kind::vector;
        obs.shape = {inputs};
        obs.low = -1;
        obs.high = 1;
        ActionLeaf action;
        action.n = 2;
        Spaces spaces;
        spaces.obs = {obs};
        spaces.actions = {action};
        NetworkParams params;
        params.hidden = {8};
        params.normalise_obs = true;
        return must(
            makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}}));
    }
    static NamedNetwork network(const std::string& name, std::uint64_t seed) {
        const NetPlan plan = must(buildPlan(spec()));
        const Params initial = initialParams(plan, seed);
        return {name, plan.spec, Params({initial.blob().begin(), initial.blob().end()}, seed)};
    }
    // A checkpoint whose parameters and state depend on the step.
    static CheckpointData checkpoint(std::int64_t step, std::optional<double> score = {}) {
        CheckpointData data;
        data.step = step;
        data.updates = step / 10;
        data.score = score;
        data.networks = {network("policy", static_cast<std::uint64_t>(step)),
                         network("target", static_cast<std::uint64_t>(step) + 1)};
        data.squash = true;
        data.reward = {0.1f, 5};
        data.provenance.env = "cartpole", data.provenance.algo = "ppo", data.provenance.steps = step,
        data.provenance.build = "test";
        data.provenance.config = {{"gamma", 0.99}};
        data.files = {{"optimiser.bin", std::vector<std::uint8_t>(3000, static_cast<std::uint8_t>(step))},
                      {"state.bin", {}}};
        data.info = {{"note", "x"}};
        return data;
    }
    static void expectSame(const CheckpointData& a, const CheckpointData& b) {
        EXPECT_EQ(a.step, b.step);
        EXPECT_EQ(a.updates, b.updates);
        EXPECT_EQ(a.squash, b.squash);
        EXPECT_EQ(a.reward, b.reward);
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
    // A crash leaves files with hidden names behind.
    std::vector<std::string> names() {
        std::vector<std::string> names;
        for (const auto& info : must(files_.list(checkpointsFolder(data(), 3)))) names.push_back(info.name);
        return names;
    }
    std::string read(const Path& path) { return must(readFile(files_, path)); }
    // Overwrites the file non-atomically, like real damage.
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
