// SPDX-License-Identifier: Apache-2.0
// Every network type x action space x core x profile: onnxruntime, Python safetensors with numpy, the
// compiled C header, the reference interpreter and libseedbed_policy agree with the training engine. A test
// has all cores of a network and an action space. Starting Python and a compiler takes most of the time, so
// outside the long form they get every network with every core, every action space with every core, and
// between the two of them every network with every action space.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

#include "tests/unit/export/export_fixture.hpp"

#include "core/algo/algorithm.hpp"
#include "core/env/env_registry.hpp"
#include "core/export/bundle_files.hpp"
#include "core/export/executors/compiled_c.hpp"
#include "core/export/executors/interpreter.hpp"
#include "core/export/executors/programs.hpp"
#include "core/export/executors/python.hpp"
#include "core/export/onnx/policy_graph.hpp"
#include "core/export/provenance_text.hpp"
#include "core/policy/networks.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/export/runtime_executor.hpp"

namespace seedbed::testing {
namespace {

struct Case {
    std::string network, actions, core;
    bool compiled = true, python = true;  // whether the short form has it for them
};
std::string nameOf(const Case& c) { return c.network + "_" + c.actions + "_" + c.core; }

// The cases of a network and an action space.
struct Group {
    std::string name;
    std::vector<Case> cases;
};
void PrintTo(const Group& group, std::ostream* out) { *out << group.name; }

Spaces spacesOf(const Case& c) {
    Spaces spaces;
    if (c.network == "minatar") spaces.obs = {imageLeaf(4, 8, 1)};
    else if (c.network == "nature") spaces.obs = {imageLeaf(1, 36, 255, 4)};
    else if (c.network == "impala_shallow" || c.network == "impala_deep")
        spaces.obs = {imageLeaf(3, 20, 255)};
    else if (c.network == "leaves") spaces.obs = {vectorLeaf(3), discreteLeaf(2, 5), imageLeaf(2, 6, 9)};
    else if (c.network == "stacked") spaces.obs = {vectorLeaf(3)};
    else spaces.obs = {vectorLeaf(5)};
    if (c.network == "stacked") spaces.obs[0].stack = 3;
    const std::map<std::string, std::vector<ActionLeaf>> actions{
        {"discrete", {choiceLeaf(4)}},
        {"masked", {choiceLeaf(4), choiceLeaf(3, "second")}},
        {"multi_discrete", {choiceLeaf(2), choiceLeaf(5, "second"), choiceLeaf(3, "third")}},
        {"box", {boxLeaf({-1, -0.2, -INFINITY}, {1, 0.3, INFINITY})}},
        {"squashed", {boxLeaf({-2, 0}, {2, 0.5})}},
        {"mixed", {choiceLeaf(3), boxLeaf({-1}, {1}), choiceLeaf(2, "second")}},
    };
    spaces.actions = actions.at(c.actions);
    spaces.has_mask = c.actions == "masked";
    return spaces;
}

// A core is "lstm" or, for example, "gru_action_reward_separate": its additional inputs, and whether the
// critic has a separate core.
NetSpec specOfCase(const Case& c) {
    const auto core = [&](const char* part) { return c.core.find(part) != std::string::npos; };
    NetworkParams params;
    params.hidden = {24, 16};
    params.core = c.core.substr(0, c.core.find('_'));
    params.core_size = 12;
    params.previous_action = core("action");
    params.previous_reward = core("reward");
    params.squash = c.actions == "squashed";
    params.scale_actions = c.network != "relu";
    params.separate_critic = core("separate") || c.network == "tanh" || c.network == "minatar";
    if (core("shared")) params.separate_critic = false;
    params.normalise_obs = c.network != "elu";
    params.log_std = c.network == "relu" ? "network" : "parameter";
    params.initial_log_std = -0.5;
    params.activation = c.network == "relu" || c.network == "elu" ? c.network : "tanh";
    params.layer_norm = c.network == "norm" || c.network == "impala_shallow";
    Json encoder = Json::object();
    if (c.network == "minatar") params.encoder = "minatar_conv";
    if (c.network == "nature" || c.network.starts_with("impala"))
        params.encoder = c.network, encoder = {{"features", 32}};
    if (c.network == "impala_deep") encoder["sections"] = {4, 8};
    std::vector<HeadSpec> heads{{"policy", "policy", 0, false}, {"value", "value", 1, false}};
    heads[1].popart = c.network == "relu";
    if (c.network == "q" || c.network == "dueling" || c.network == "ensemble") {
        const bool is_ensemble = c.network == "ensemble";
        heads = {{"q", "q", 0, c.network != "q", is_ensemble ? 3 : 1, is_ensemble ? 2.0 : 0.0}};
        params.separate_critic = false;
    }
    if (c.network == "sac" || c.network == "td3") {
        algorithmRegistry().find(c.network)->require(params);
        heads = {{"policy", "policy", 0, false}};
    }
    return must(makeNetSpec(spacesOf(c), params, heads, encoder));
}

class Matrix : public ::testing::TestWithParam<Group> {
protected:
    void forEachCase(const std::function<void(const Case&)>& check, bool Case::*in_short_form = nullptr) {
        for (const Case& c : GetParam().cases) {
            if (in_short_form != nullptr && !(c.*in_short_form) && !test::isLong()) continue;
            SCOPED_TRACE(nameOf(c));
            prepare(c);
            check(c);
            if (HasFatalFailure()) return;
        }
    }
    void prepare(const Case& c) {
        trainer_.reset();
        net_.reset();
        folder_ = temporary_.path() / nameOf(c);
        PolicyBundle bundle = bundleOf(specOfCase(c));
        bundle.reward = {0.25f, 1.5f};
        model_ = std::make_unique<PolicyModel>(must(makePolicyModel(std::move(bundle))));
        net_ = must(compileNet("native", model_->plan, EngineOptions{}));
        trainer_ = engineExecutor(*model_, *net_, "native");
        golden_ = must(makeGolden(*model_, *trainer_));
        RealFileSystem files;
        FolderWriter writer = must(FolderWriter::create(files, folder()));
        must(addNetworks(writer, std::span(&model_->bundle.network, 1), model_->bundle.squash,
                         model_->bundle.reward, model_->bundle.provenance,
                         {kExportedPolicyName, kExportedParamsName}));
        must(writer.finish({{"format", "test"}}));
    }
    Path folder() const { return folder_; }
    // Contains the files of all targets.
    ExecutorRequest request(TargetOptions options = {}) const {
        ExecutorRequest request{
            *model_, options, {textFile(kSpecName, specOf(*model_).dump())}, python(), kStrictCompiler};
        RealFileSystem files;
        for (const char* name : {kExportedPolicyName, kExportedParamsName})
            request.files.push_back(textFile(name, must(readFile(files, folder() / name))));
        for (const char* target : {"onnx", "safetensors", "c"})
            for (ExportFile& file : must(exportTargetRegistry().find(target)->write(*model_, options)))
                request.files.push_back(std::move(file));
        return request;
    }
    static std::string python() {
        return std::filesystem::exists(SEEDBED_EXPORT_PYTHON) ? SEEDBED_EXPORT_PYTHON : "";
    }
    // Profiles that support this policy, each also without the value estimate.
    std::vector<TargetOptions> otherOptions() const {
        std::vector<TargetOptions> list;
        for (const auto& [name, profile] : {std::pair{"plain", onnx::Profile::plain},
                                            {"unity", onnx::Profile::unity},
                                            {"godot", onnx::Profile::godot}})
            for (const bool value : {true, false})
                if (onnx::buildPolicyGraph(*model_, profile, value))
                    list.push_back({.profile = name, .with_value = value});
        return list;
    }

    FormReport report(Executor& executor) {
        FormReport report =
            must(checkParity(*model_, golden_, *trainer_, executor, ParityOptions{.episodes = 0}));
        EXPECT_EQ(report.failure(), "") << executor.id() << " " << executor.version();
        return report;
    }
    void expectParity(Executor& executor) {
        const FormReport reported = report(executor);
        // Outputs were compared, and are not constants near zero, which every executor would match.
        EXPECT_GE(reported.differences.size(), 3u);
        for (const OutputDifference& d : reported.differences)
            if (d.rows == "ordinary") {
                EXPECT_GT(d.scale, 1e-3) << d.output;
            }
    }

    // Warnings in the header are errors here, but not for a user's compiler.
    static constexpr const char* kStrictCompiler = "cc -Wall -Wextra -Wpedantic -Wconversion -Werror";
    TemporaryFolder temporary_;
    Path folder_;
    std::unique_ptr<PolicyModel> model_;
    std::unique_ptr<EngineNet> net_;
    std::unique_ptr<Executor> trainer_;
    GoldenVectors golden_;
};

TEST_P(Matrix, InterpreterAgreesInEveryProfile) {
    forEachCase([&](const Case&) {
        for (const TargetOptions& options : otherOptions()) {
            SCOPED_TRACE(options.profile + (options.with_value ? "" : " without value"));
            expectParity(*must(openInterpreter(request(options))));
        }
    });
}

TEST_P(Matrix, LibraryAgrees) {
    forEachCase([&](const Case&) {
        RuntimeExecutor library(*model_, folder());
        report(library);
    });
}

TEST_P(Matrix, CompiledHeaderAgrees) {
    if (const auto compiler = findCompiler(""); !compiler) GTEST_SKIP() << compiler.error().message;
    const auto check = [&](const Case& c) {
        expectParity(*must(openCompiledC(request())));
        // One network per core is also exported without the value estimate and with different names.
        if (c.network == "tanh" && c.actions == "mixed")
            expectParity(*must(openCompiledC(request({.with_value = false, .prefix = "left"}))));
    };
    forEachCase(check, &Case::compiled);
}

TEST_P(Matrix, PythonAgrees) {
    if (python().empty())
        GTEST_SKIP() << "no Python with onnxruntime and safetensors: the package index could not be reached";
    const auto check = [&](const Case& c) {
        expectParity(*must(openOnnxRuntime(request())));
        expectParity(*must(openNumpy(request())));
        // The profiles differ only in names and shapes of inputs and outputs, so two networks with all kinds
        // of leaves represent the others.
        if (c.network != "leaves" && c.network != "minatar") return;
        for (const TargetOptions& options : otherOptions()) {
            SCOPED_TRACE(options.profile + (options.with_value ? "" : " without value"));
            if (options.profile != "plain" && options.with_value)
                expectParity(*must(openOnnxRuntime(request(options))));
        }
    };
    forEachCase(check, &Case::python);
}

std::vector<Case> allCases() {
    std::vector<Case> cases;
    const std::vector<const char*> networks{"tanh",   "relu",    "elu",    "norm",           "stacked",
                                            "leaves", "minatar", "nature", "impala_shallow", "impala_deep"};
    const std::vector<const char*> all_actions{"discrete", "multi_discrete", "box",
                                               "squashed", "masked",         "mixed"};
    const std::vector<const char*> cores{"none", "lstm", "gru"};
    for (std::size_t n = 0; n < networks.size(); ++n)
        for (std::size_t a = 0; a < all_actions.size(); ++a)
            for (std::size_t core = 0; core < cores.size(); ++core) {
                Case one{networks[n], all_actions[a], cores[core]};
                one.compiled = a == (n + core) % 6 || (one.network == "tanh" && one.actions == "mixed");
                // PythonAgrees tests the profiles of this network.
                one.python = a == (n + core + 3) % 6 || (one.network == "leaves" && one.core == "none");
                cases.push_back(std::move(one));
            }
    // Which inputs from the previous row the core gets, and which network it belongs to. Half of them contain
    // all pairs.
    bool odd_core = false;
    for (const char* core : {"lstm", "gru"}) {
        for (const char* seen : {"action", "reward", "action_reward"}) {
            bool odd_critic = false;
            for (const char* critic : {"shared", "separate"}) {
                bool odd_actions = false;
                for (const char* actions : {"mixed", "squashed"}) {
                    Case one{"relu", actions, std::string(core) + "_" + seen + "_" + critic};
                    one.compiled = (odd_core != odd_critic) == odd_actions;
                    one.python = !one.compiled;
                    cases.push_back(std::move(one));
                    odd_actions = true;
                }
                odd_critic = true;
            }
        }
        odd_core = true;
    }
    for (const char* actions : {"discrete", "multi_discrete", "box", "masked"})
        cases.push_back({"tanh", actions, "lstm_action_reward"});
    for (const char* network : {"q", "dueling", "ensemble"})
        for (const char* core : {"none", "gru_action"}) cases.push_back({network, "discrete", core});
    for (const char* network : {"sac", "td3"})
        for (const char* core : {"none", "lstm", "gru_action_reward"})
            cases.push_back({network, "squashed", core});
    return cases;
}
std::vector<Group> allGroups() {
    std::vector<Group> groups;
    for (const Case& c : allCases()) {
        const std::string name = c.network + "_" + c.actions;
        const auto found = std::ranges::find(groups, name, &Group::name);
        if (found != groups.end()) found->cases.push_back(c);
        else groups.push_back({name, {c}});
    }
    return groups;
}

INSTANTIATE_TEST_SUITE_P(All, Matrix, ::testing::ValuesIn(allGroups()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace seedbed::testing
