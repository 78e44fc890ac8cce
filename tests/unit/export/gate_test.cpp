// SPDX-License-Identifier: Apache-2.0
// The parity check and the export folder: a file that differs from the policy is never written, failed
// exports leave nothing behind, and every changed byte is found.
#include <chrono>
#include <fstream>
#include <thread>

#include "core/base/os/temporary_files.hpp"
#include "tests/unit/export/export_fixture.hpp"

#include "core/export/executors/float_pipe.hpp"
#include "core/export/executors/interpreter.hpp"
#include "core/export/executors/programs.hpp"
#include "core/export/onnx/encode.hpp"
#include "core/export/onnx/policy_graph.hpp"
#include "core/export/provenance_text.hpp"

namespace seedbed {
namespace {

// A target whose writer changes one number of the weights, as a bug in an exporter would.
int broken_by = 0;  // which parameter entry, counted from the end; -1: none
Result<std::vector<ExportFile>> writeBroken(const PolicyModel& model, const TargetOptions& options) {
    PolicyModel other = model;
    std::vector<float> blob(model.params().blob().begin(), model.params().blob().end());
    if (broken_by >= 0)
        blob[model.plan.params[model.plan.params.size() - 1 - static_cast<std::size_t>(broken_by)].offset] +=
            0.01f;
    other.bundle.network.params = Params(std::move(blob), 0);
    SEEDBED_ASSIGN(const onnx::PolicyGraph graph,
                   onnx::buildPolicyGraph(other, onnx::Profile::plain, options.with_value));
    return std::vector<ExportFile>{{kOnnxName, onnx::encode(graph.model)}};
}

// Stands in for a program that runs files of this target, such as onnxruntime.
int other_program_ran = 0;
Result<std::unique_ptr<Executor>> openOtherProgram(const ExecutorRequest& request) {
    ++other_program_ran;
    return openInterpreter(request);
}
// A different version writes different bytes.
bool another_version = false;
Result<std::vector<ExportFile>> writeVersioned(const PolicyModel& model, const TargetOptions& options) {
    SEEDBED_ASSIGN(onnx::PolicyGraph graph,
                   onnx::buildPolicyGraph(model, onnx::Profile::plain, options.with_value));
    if (another_version) graph.model.doc += "!";
    return std::vector<ExportFile>{{kOnnxName, onnx::encode(graph.model)}};
}

}  // namespace

SEEDBED_REGISTER_EXPORT_TARGET(versioned, {.id = "versioned",
                                           .title = "Versioned",
                                           .sentence = "Read by another program.",
                                           .write = writeVersioned,
                                           .executors = {{"other", openOtherProgram, {}, false, true},
                                                         {"interpreter", openInterpreter}},
                                           .is_data = true});

SEEDBED_REGISTER_EXPORT_TARGET(broken, {.id = "broken",
                                        .title = "Broken",
                                        .sentence = "Not the policy.",
                                        .write = writeBroken,
                                        .executors = {{"interpreter", openInterpreter}}});

namespace testing {
namespace {

using Gate = ExportTest;

TEST_F(Gate, WrongWeightsFailWithParityAndLeaveNothing) {
    const std::size_t entries = must(buildPlan(cartpoleBundle().network.spec)).params.size();
    int failed = 0;
    for (std::size_t entry = 0; entry < entries; ++entry) {
        broken_by = static_cast<int>(entry);
        ExportRequest wanted = request(cartpoleBundle(), {"broken"});
        wanted.executor = "interpreter";
        const auto outcome = exportPolicy(files_, wanted);
        // The count of normalised observations is the only number that does not affect decisions.
        if (outcome) {
            must(removeTree(files_, folder()));
            continue;
        }
        ++failed;
        EXPECT_EQ(outcome.error().code, ErrorCode::parity);
        EXPECT_EQ(exitCode(outcome.error().code), 7);
        EXPECT_NE(outcome.error().message.find("nothing was written"), std::string::npos)
            << outcome.error().message;
        EXPECT_TRUE(names(temporary_.path()).empty());
    }
    EXPECT_EQ(failed, static_cast<int>(entries) - 1);
    // The same writer passes with the correct weights, so the weights were the cause.
    broken_by = -1;
    ExportRequest right = request(cartpoleBundle(), {"broken"});
    right.executor = "interpreter";
    EXPECT_TRUE(exportPolicy(files_, right));
}

TEST_F(Gate, FolderAppearsCompleteWithProofAndVerifies) {
    for (const char* target : {"onnx", "safetensors"}) {
        const ExportOutcome outcome = must(exportPolicy(files_, request(cartpoleBundle(), {target})));
        EXPECT_EQ(names(temporary_.path()), std::vector<std::string>{"out"});
        std::vector<std::string> listed;
        for (const ExportedFile& file : outcome.files) listed.push_back(file.name);
        std::sort(listed.begin(), listed.end());
        EXPECT_EQ(listed, names(folder())) << "every file in the folder is listed, including the manifest";
        const Json& proof = outcome.parity.at("targets").at(0);
        EXPECT_TRUE(proof.at("passed").get<bool>());
        EXPECT_EQ(proof.at("closed_loop").at("episodes"), 4);
        EXPECT_EQ(proof.at("closed_loop").at("equal"), proof.at("closed_loop").at("compared"));
        VerifyRequest again;
        again.folder = folder(), again.executor = proof.at("executor").at("id").get<std::string>(),
        again.parity.episodes = 2;
        EXPECT_TRUE(must(verifyExport(files_, again)).parity.at("targets").at(0).at("passed").get<bool>());
        must(removeTree(files_, folder()));
    }
}

TEST_F(Gate, OnlyTrustRunsOtherProgramsOnBytesThatSeedbedDidNotWrite) {
    must(exportPolicy(files_, request(cartpoleBundle(), {"versioned"})));
    VerifyRequest again;
    again.folder = folder();
    again.parity.episodes = 1;
    const auto executorOf = [&] {
        return must(verifyExport(files_, again)).parity.at("targets").at(0).at("executor").at("id");
    };
    other_program_ran = 0;
    (void)executorOf();
    EXPECT_EQ(other_program_ran, 1) << "this version of Seedbed writes the same bytes";
    another_version = true;
    other_program_ran = 0;
    EXPECT_EQ(executorOf(), "interpreter");
    EXPECT_EQ(other_program_ran, 0);
    again.executor = "other";
    const auto refused = verifyExport(files_, again);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("--trust"), std::string::npos) << refused.error().text();
    again.trust = true;
    (void)executorOf();
    EXPECT_EQ(other_program_ran, 1);
    another_version = false;
}

TEST_F(Gate, AnyFailingFileOperationLeavesNothing) {
    ExportRequest wanted = request(cartpoleBundle());
    wanted.parity.episodes = 0;
    must(exportPolicy(files_, wanted));
    must(removeTree(files_, folder()));
    for (int at = 1;; ++at) {
        files_.failAt(at, true);
        const auto outcome = exportPolicy(files_, wanted);
        const bool reached = files_.count() >= at;
        files_.failAt(0, false);
        if (!reached) {
            EXPECT_TRUE(outcome);
            break;
        }
        ASSERT_LT(at, 1000);
        if (outcome) {
            must(removeTree(files_, folder()));
            continue;  // a failed query (free space) does not affect the result
        }
        // If every operation fails, the cleanup fails too: a hidden folder may be left, but never one with
        // the final name, unless only the last sync failed.
        if (const auto there = must(files_.info(folder()))) {
            EXPECT_TRUE(must(files_.info(folder() / "manifest.json")));
            must(removeTree(files_, folder()));
        }
        must(removeStaleFiles(files_, temporary_.path()));
        EXPECT_TRUE(names(temporary_.path()).empty());
    }
}

TEST_F(Gate, ParentFoldersAndLeftoversOfAKilledProcessAreRemoved) {
    broken_by = 0;
    ExportRequest wanted = request(cartpoleBundle(), {"broken"});
    wanted.executor = "interpreter";
    wanted.folder = temporary_.path() / "x" / "y" / "z";
    EXPECT_FALSE(exportPolicy(files_, wanted));
    EXPECT_TRUE(names(temporary_.path()).empty());
    broken_by = -1;
    // The largest process id, which no running process has.
    must(files_.makeFolder(temporary_.path() / ".z.4194303-5-0.tmp"));
    must(files_.makeFolder(temporary_.path() / ".other.4194303-5-0.tmp"));
    wanted.folder = Path(temporary_.path().string() + "/z/");
    must(exportPolicy(files_, wanted));
    EXPECT_EQ(names(temporary_.path()), (std::vector<std::string>{".other.4194303-5-0.tmp", "z"}));
}

TEST_F(Gate, CompilerErrorsAreQuotedAndCompilersMayHaveOptions) {
    if (const auto compiler = findCompiler(""); !compiler) GTEST_SKIP() << compiler.error().message;
    ExportRequest wanted = request(cartpoleBundle(), {"c"});
    wanted.parity.episodes = 0;
    wanted.compiler = "cc -include /no/such/header.h";
    const auto outcome = exportPolicy(files_, wanted);
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("/no/such/header.h"), std::string::npos)
        << outcome.error().message;
    wanted.compiler = "cc -O0 -DNDEBUG";
    must(exportPolicy(files_, wanted));
}

TEST_F(Gate, TheRequestedExecutorRunsTheFormsItSupports) {
    if (const auto compiler = findCompiler(""); !compiler) GTEST_SKIP() << compiler.error().message;
    ExportRequest wanted = request(cartpoleBundle(), {"onnx", "c"});
    wanted.parity.episodes = 0;
    wanted.executor = "interpreter";
    const Json parity = must(exportPolicy(files_, wanted)).parity;
    EXPECT_EQ(parity.at("targets").at(0).at("executor").at("id"), "interpreter");
    EXPECT_EQ(parity.at("targets").at(1).at("executor").at("id"), "c");
}

TEST_F(Gate, AProgramThatDoesNotReadCanBeInterrupted) {
    std::stop_source stop;
    FloatPipe pipe =
        must(FloatPipe::start({"/bin/sh", "-c", "echo ok 1; exec sleep 100"}, "", stop.get_token()));
    const std::vector<float> much(1 << 20);
    const std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    const auto done = pipe.exchange(1, {&much}, {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::interrupted);
}

TEST_F(Gate, AFullDiskIsReportedBeforeAnythingIsWritten) {
    files_.free_bytes = 1000;
    const auto outcome = exportPolicy(files_, request(cartpoleBundle()));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::disk_full);
    EXPECT_NE(outcome.error().message.find("free some space"), std::string::npos);
    files_.free_bytes.reset();
    EXPECT_TRUE(names(temporary_.path()).empty());
}

TEST_F(Gate, PartsThatAProfileCannotRepresentAreNamed) {
    NetworkParams recurrent;
    recurrent.core = "lstm";
    recurrent.previous_action = true;
    ExportRequest wanted = request(cartpoleBundle(recurrent));
    const std::pair<const char*, const char*> expected[] = {{"unity", "previous action"},
                                                            {"godot", "previous action"}};
    for (const auto& [profile, part] : expected) {
        wanted.options.profile = profile;
        const auto outcome = exportPolicy(files_, wanted);
        ASSERT_FALSE(outcome);
        EXPECT_NE(outcome.error().message.find(part), std::string::npos) << outcome.error().message;
        EXPECT_NE(outcome.error().message.find("--profile plain"), std::string::npos);
    }
    recurrent.previous_action = false;
    wanted.bundle = cartpoleBundle(recurrent);
    wanted.options.profile = "godot";
    const auto outcome = exportPolicy(files_, wanted);
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("recurrent state"), std::string::npos);
    EXPECT_TRUE(names(temporary_.path()).empty());
}

TEST_F(Gate, ANetworkWithoutAnActingHeadOrWithNanIsNamed) {
    ExportRequest wanted = request(cartpoleBundle());
    NetSpec spec = wanted.bundle.network.spec;
    spec.heads = {{"value", "value", 1, false}};
    wanted.bundle.network.spec = spec;
    wanted.bundle.network.params = initialParams(must(buildPlan(spec)), 1);
    auto outcome = exportPolicy(files_, wanted);
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("no head that chooses actions"), std::string::npos);
    wanted = request(cartpoleBundle());
    std::vector<float> blob(wanted.bundle.network.params.blob().begin(),
                            wanted.bundle.network.params.blob().end());
    const NetPlan plan = must(buildPlan(wanted.bundle.network.spec));
    blob[plan.param("policy.hidden0.weight")->offset] = NAN;
    wanted.bundle.network.params = Params(std::move(blob), 0);
    outcome = exportPolicy(files_, wanted);
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("policy.hidden0.weight"), std::string::npos);
}

TEST_F(Gate, AQNetworkSelectsItsLargestValue) {
    ExportRequest wanted = request(cartpoleBundle());
    NetSpec spec = wanted.bundle.network.spec;
    spec.heads = {{"q", "q", 0, true}};
    spec.separate_critic = false;
    wanted.bundle.network = {"policy", spec, randomParams(must(buildPlan(spec)), 8)};
    for (const char* target : {"onnx", "safetensors"}) {
        wanted.targets = {target},
        wanted.executor = std::string(target) == "onnx" ? "interpreter" : "reference";
        EXPECT_TRUE(must(exportPolicy(files_, wanted)).parity.at("targets").at(0).at("passed").get<bool>());
        must(removeTree(files_, folder()));
    }
}

TEST_F(Gate, GoldenVectorsHaveEnoughRowsAndCanBeReadBack) {
    NetworkParams recurrent;
    recurrent.core = "gru";
    const PolicyModel model = must(makePolicyModel(cartpoleBundle(recurrent)));
    const auto net = must(compileNet("reference", model.plan, EngineOptions{}));
    const auto trainer = engineExecutor(model, *net, "reference");
    const GoldenVectors golden = must(makeGolden(model, *trainer));
    EXPECT_GE(golden.batch.rows, 32);
    EXPECT_EQ(golden.sequence.rows, 20);
    float largest = 0;
    for (const float x : golden.batch.obs[0]) largest = std::max(largest, std::abs(x));
    EXPECT_GE(largest, 1e6f);  // an extreme value of an unbounded element
    const auto bytes = must(encodeGolden(model, golden));
    const GoldenVectors again = must(decodeGolden(model, bytes));
    EXPECT_EQ(again.batch.obs, golden.batch.obs);
    EXPECT_EQ(again.batch_result.policy, golden.batch_result.policy);
    EXPECT_EQ(again.sequence_result.state, golden.sequence_result.state);
    for (std::size_t size = 0; size < bytes.size(); size += 97)
        EXPECT_FALSE(decodeGolden(model, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}));
}

TEST_F(Gate, MetadataAndCardStateTheOriginOfThePolicy) {
    const PolicyModel model = must(makePolicyModel(cartpoleBundle()));
    // The export records the version of the environment, so that a later version of the program can reproduce
    // it.
    const ExportOutcome outcome = must(exportPolicy(files_, request(cartpoleBundle())));
    const Json options = Json::parse(must(readFile(files_, folder() / "manifest.json"))).at("options");
    EXPECT_EQ(options.at("environment_version"),
              envRegistry().find("cartpole")->spec(Json::object())->upstream);
    EXPECT_EQ(options.at("written_by"), kVersion);
    const auto reported = metadataOf(model, must(targetOptionsFromJson(options)));
    EXPECT_EQ(reported.at("seedbed.environment"), "cartpole");
    EXPECT_EQ(reported.at("seedbed.training_steps"), "1234");
    EXPECT_EQ(reported.at("seedbed.weights_sha256"), model.params().sha256());
    EXPECT_EQ(reported.at("seedbed.config_sha256").size(), 64u);
    EXPECT_NE(reported.at("seedbed.evaluation").find("\"iqm\":12.25"), std::string::npos);
    EXPECT_FALSE(reported.at("seedbed.environment_version").empty());
}

}  // namespace
}  // namespace testing
}  // namespace seedbed
