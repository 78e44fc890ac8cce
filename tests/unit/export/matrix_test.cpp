// SPDX-License-Identifier: Apache-2.0
// Every network type x action space x core: onnxruntime, Python safetensors with numpy, the compiled C header and the reference interpreter
// agree with the network that is trained.
#include <filesystem>
#include <map>

#include "tests/unit/export/export_fixture.hpp"

#include "core/env/env_registry.hpp"
#include "core/export/bundle_files.hpp"
#include "core/export/executors/compiled_c.hpp"
#include "core/export/executors/interpreter.hpp"
#include "core/export/executors/programs.hpp"
#include "core/export/executors/python.hpp"
#include "core/export/provenance_text.hpp"
#include "core/policy/networks.hpp"

namespace seedbed::testing {
namespace {

struct Case {
    std::string network, actions, core;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.network << " " << c.actions << " " << c.core; }

Spaces spacesOf(const Case& c) {
    Spaces spaces;
    if (c.network == "minatar") spaces.obs = {imageLeaf(4, 8, 1)};
    else if (c.network == "nature") spaces.obs = {imageLeaf(1, 36, 255, 4)};
    else if (c.network == "impala_shallow" || c.network == "impala_deep") spaces.obs = {imageLeaf(3, 20, 255)};
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

NetSpec specOfCase(const Case& c) {
    NetworkParams params;
    params.hidden = {24, 16}, params.core = c.core == "lstm_previous" ? "lstm" : c.core, params.core_size = 12;
    params.previous_action = params.previous_reward = c.core == "lstm_previous";
    params.squash = c.actions == "squashed";
    params.separate_critic = c.network == "tanh" || c.network == "minatar";
    params.normalise_obs = c.network != "elu";
    params.log_std = c.network == "relu" ? "network" : "parameter", params.initial_log_std = -0.5;
    params.activation = c.network == "relu" || c.network == "elu" ? c.network : "tanh";
    params.layer_norm = c.network == "norm" || c.network == "impala_shallow";
    Json encoder = Json::object();
    if (c.network == "minatar") params.encoder = "minatar_conv";
    if (c.network == "nature" || c.network.starts_with("impala")) params.encoder = c.network, encoder = {{"features", 32}};
    if (c.network == "impala_deep") encoder["sections"] = {4, 8};
    return must(makeNetSpec(spacesOf(c), params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}}, encoder));
}

class Matrix : public ::testing::TestWithParam<Case> {
protected:
    void SetUp() override {
        model_ = std::make_unique<PolicyModel>(must(makePolicyModel(bundleOf(specOfCase(GetParam())))));
        net_ = must(compileNet("reference", model_->plan, EngineOptions{}));
        trainer_ = engineExecutor(*model_, *net_, "reference");
        golden_ = must(makeGolden(*model_, *trainer_));
        RealFileSystem files;
        FolderWriter writer = must(FolderWriter::create(files, folder()));
        must(addNetworks(writer, std::span(&model_->bundle.network, 1), model_->bundle.squash, model_->bundle.provenance,
                         {kExportedPolicyName, kExportedParamsName}));
        must(writer.finish({{"format", "test"}}));
        write("spec.json", specOf(*model_).dump());
        for (const char* target : {"onnx", "safetensors", "c"})
            for (const ExportFile& file : must(exportTargetRegistry().find(target)->write(*model_, options_)))
                write(file.name, {file.bytes.begin(), file.bytes.end()});
    }
    Path folder() const { return temporary_.path() / "out"; }
    void write(const std::string& name, const std::string& text) {
        RealFileSystem files;
        must(writeFileAtomically(files, folder() / name, text));
    }
    ExecutorRequest request() const { return {*model_, options_, folder(), python(), ""}; }
    static std::string python() { return std::filesystem::exists(SEEDBED_EXPORT_PYTHON) ? SEEDBED_EXPORT_PYTHON : ""; }

    void expectParity(Executor& executor) {
        const FormReport report = must(checkParity(*model_, golden_, *trainer_, executor, ParityOptions{.episodes = 0}));
        EXPECT_EQ(report.failure(), "") << executor.id() << " " << executor.version();
        // Outputs were compared, and they are no constants near zero that any executor would match.
        EXPECT_GE(report.differences.size(), 4u);
        for (const OutputDifference& d : report.differences)
            if (d.rows == "ordinary") {
                EXPECT_GT(d.scale, 1e-3) << d.output;
            }
    }

    TemporaryFolder temporary_;
    TargetOptions options_;
    std::unique_ptr<PolicyModel> model_;
    std::unique_ptr<EngineNet> net_;
    std::unique_ptr<Executor> trainer_;
    GoldenVectors golden_;
};

TEST_P(Matrix, InterpreterAgrees) { expectParity(*must(openInterpreter(request()))); }

TEST_P(Matrix, CompiledHeaderAgrees) {
    if (const auto compiler = findCompiler(""); !compiler) GTEST_SKIP() << compiler.error().message;
    expectParity(*must(openCompiledC(request())));
}

TEST_P(Matrix, PythonAgrees) {
    if (python().empty()) GTEST_SKIP() << "no Python with onnxruntime and safetensors: the package index could not be reached";
    expectParity(*must(openOnnxRuntime(request())));
    expectParity(*must(openNumpy(request())));
}

std::vector<Case> allCases() {
    std::vector<Case> cases;
    for (const char* network : {"tanh", "relu", "elu", "norm", "stacked", "leaves", "minatar", "nature", "impala_shallow", "impala_deep"})
        for (const char* actions : {"discrete", "multi_discrete", "box", "squashed", "masked", "mixed"})
            for (const char* core : {"none", "lstm", "gru"}) cases.push_back({network, actions, core});
    for (const char* actions : {"discrete", "multi_discrete", "box", "squashed", "masked", "mixed"})
        cases.push_back({"tanh", actions, "lstm_previous"});
    return cases;
}
std::string nameOf(const ::testing::TestParamInfo<Case>& info) {
    return info.param.network + "_" + info.param.actions + "_" + info.param.core;
}

INSTANTIATE_TEST_SUITE_P(All, Matrix, ::testing::ValuesIn(allCases()), nameOf);

}  // namespace
}  // namespace seedbed::testing
