// SPDX-License-Identifier: Apache-2.0
// Every hostile policy is rejected with a reason or imported as data, and the process makes no call that
// could run other code, use the network or write elsewhere.
#include "tests/unit/import/hostile_policies.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/export/export.hpp"
#include "core/export/import.hpp"
#include "core/export/onnx/decode.hpp"
#include "core/export/onnx/interpreter.hpp"
#include "core/policy/manifest.hpp"
#include "core/policy/networks.hpp"
#include "tests/unit/export/export_fixture.hpp"
#include "tests/unit/import/confined.hpp"

namespace seedbed::testing {

GoodPolicy goodPolicy() {
    RealFileSystem files;
    const TemporaryFolder temporary;
    const Path folder = temporary.path() / "good";
    const PolicyBundle bundle = cartpoleBundle();
    auto writer = must(FolderWriter::create(files, folder));
    must(addNetworks(writer, std::span(&bundle.network, 1), bundle.squash, bundle.reward, bundle.provenance,
                     {kExportedPolicyName, kExportedParamsName}));
    must(writer.finish({{"format", kExportFormat}, {"version", 1}}));
    GoodPolicy good;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        good.files[entry.path().filename()] = must(readFile(files, entry.path()));
    return good;
}

namespace {

namespace fs = std::filesystem;

// Memory in addition to that of an idle process. The largest case is a description of 2 MiB.
constexpr long kMostKib = 64 * 1024;
// The values of a model, plus one value that is too large (core/export/onnx/products.hpp).
constexpr long kMostModelKib = 3 * 512 * 1024;

std::set<std::string> treeOf(const Path& folder) {
    std::set<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        paths.insert(entry.path().lexically_relative(folder).string());
    return paths;
}

std::string joined(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& one : list) text += one + "; ";
    return text;
}

class HostilePolicies : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string problem = confinementProblem(); !problem.empty()) GTEST_SKIP() << problem;
        idle_kib_ = runConfined(data(), [] { return std::string(); }).peak_kib;
    }
    Path data() const {
        const Path folder = temporary_.path() / "data";
        fs::create_directories(folder);
        return folder;
    }
    Path trace() const { return temporary_.path() / "trace"; }
    Path place(const HostilePolicy& policy) const {
        const Path folder = temporary_.path() / "offered";
        fs::remove_all(folder);
        fs::create_directories(folder);
        for (const auto& [name, bytes] : policy.files)
            std::ofstream(folder / name, std::ios::binary) << bytes;
        for (const auto& [name, target] : policy.links) fs::create_symlink(target, folder / name);
        return folder;
    }
    // Imports the policy in a confined process: "imported", or the error.
    ConfinedRun import(const Path& source) const {
        return runConfined(data(), [&]() -> std::string {
            RealFileSystem files;
            const auto imported = importPolicy(files, {source, "x", data()});
            return imported ? "imported" : imported.error().text();
        });
    }
    void expectNoEffect(const ConfinedRun& run, const std::string& name) const {
        EXPECT_EQ(joined(run.forbidden), "") << name;
        EXPECT_TRUE(run.returned) << name << ": signal " << run.signal;
        EXPECT_FALSE(fs::exists(trace())) << name << " ran a program";
        EXPECT_FALSE(fs::exists("/tmp/escaped")) << name;
        EXPECT_LE(run.peak_kib - idle_kib_, kMostKib) << name;
    }
    // Returns whether it was rejected.
    bool check(const HostilePolicy& policy) const {
        const Path offered = place(policy);
        const auto before = treeOf(offered);
        const ConfinedRun run = import(policy.source.empty() ? offered : offered / policy.source);
        expectNoEffect(run, policy.name);
        EXPECT_EQ(treeOf(offered), before) << policy.name;
        const auto made = treeOf(data());
        if (policy.harmless) {
            EXPECT_EQ(run.report, "imported") << policy.name;
            EXPECT_EQ(made,
                      (std::set<std::string>{"policies", "policies/x", "policies/x/manifest.json",
                                             "policies/x/params.safetensors", "policies/x/policy.json"}))
                << policy.name;
        } else {
            EXPECT_NE(run.report, "imported") << policy.name;
            EXPECT_NE(run.report.find(policy.reason), std::string::npos) << policy.name << ": " << run.report;
            EXPECT_GT(run.report.size(), 20u) << policy.name << ": " << run.report;
            EXPECT_EQ(made, std::set<std::string>()) << policy.name;
        }
        fs::remove_all(data());
        return run.report != "imported";
    }
    void checkAll(const std::vector<HostilePolicy>& policies, std::size_t refused, std::size_t imported = 0) {
        std::set<std::string> names;
        std::size_t count = 0;
        for (const HostilePolicy& policy : policies) {
            EXPECT_TRUE(names.insert(policy.name).second) << policy.name << " occurs twice";
            count += check(policy);
        }
        std::printf("%zu of %zu files refused, %zu imported as data\n", count, policies.size(),
                    policies.size() - count);
        EXPECT_GE(count, refused);
        EXPECT_EQ(policies.size() - count, imported);
    }

    TemporaryFolder temporary_;
    long idle_kib_ = 0;
};

TEST_F(HostilePolicies, ProgramsAndArchivesAreNeverLoaded) {
    checkAll(hostilePrograms(goodPolicy(), trace()), 90);
}

TEST_F(HostilePolicies, WrongTensorsAreRefused) { checkAll(hostileTensors(goodPolicy()), 40); }

TEST_F(HostilePolicies, WrongDescriptionsAreRefusedAndCommandsInThemAreText) {
    checkAll(hostileDescriptions(goodPolicy(), trace()), 45, 4);
}

TEST_F(HostilePolicies, FoldersThatPointElsewhereAreRefusedAndTheirProgramsIgnored) {
    checkAll(hostileFolders(goodPolicy(), trace()), 30, 1);
}

TEST_F(HostilePolicies, WrongOnnxModelsAreRefusedUnderAnyName) {
    const std::string config = goodPolicy().files.at("config.json");
    const std::vector<HostileModel> models = hostileModels();
    EXPECT_GE(models.size(), 45u);
    for (const HostileModel& model : models) {
        check({model.name, {{"policy.onnx", model.bytes}}, {}, "policy.onnx", "only safetensors"});
        check({model.name, {{"model.safetensors", model.bytes}, {"config.json", config}}});
        // Reads the model as `seedbed verify` does.
        const ConfinedRun run = runConfined(data(), [&]() -> std::string {
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(model.bytes.data());
            auto decoded = onnx::decode({bytes, model.bytes.size()});
            if (!decoded) return decoded.error().text();
            const auto interpreter = onnx::Interpreter::create(std::move(*decoded));
            if (!interpreter) return interpreter.error().text();
            const auto results = interpreter->run({{"x", {onnx::Type::float32, {1, 2}, {1, 2}, {}}}});
            if (!results) return results.error().text();
            return results->contains("y") ? "ran" : "it has no output y";
        });
        EXPECT_EQ(joined(run.forbidden), "") << model.name;
        EXPECT_TRUE(run.returned) << model.name << ": signal " << run.signal;
        EXPECT_NE(run.report, "ran") << model.name;
        EXPECT_LE(run.peak_kib - idle_kib_, kMostModelKib + kMostKib) << model.name;
        EXPECT_NE(run.report.find(model.reason), std::string::npos) << model.name << ": " << run.report;
    }
}

// The base of the cases is valid, so they are rejected because of their changes.
TEST_F(HostilePolicies, TheSamePolicyWithoutAChangeIsImported) {
    const GoodPolicy good = goodPolicy();
    HostilePolicy policy{"good", good.files, {}, ""};
    policy.harmless = true;
    EXPECT_FALSE(check(policy));
    policy.files.erase("manifest.json");
    policy.source = "model.safetensors";
    EXPECT_FALSE(check(policy));
    policy.files["model.safetensors"] = tensorFile(good.header().dump(), good.body());
    EXPECT_FALSE(check(policy));
}

// Shows that the tests above would detect the calls that they forbid.
TEST_F(HostilePolicies, ForbiddenCallsAreSeen) {
    const Path outside = temporary_.path() / "outside";
    fs::create_symlink(temporary_.path(), data() / "link");
    std::ofstream(temporary_.path() / "present") << "x";
    const auto opened = [](const Path& path, int flags) {
        (void)::open(path.c_str(), flags | O_NOFOLLOW, 0600);
    };
    const std::vector<std::pair<const char*, std::function<void()>>> calls{
        {"clone",
         [] {
             if (::fork() == 0) ::_exit(0);
         }},
        {"clone",
         [] {
             try {
                 std::thread([] {}).join();
             } catch (const std::system_error&) {
             }
         }},
        {"execve", [] { ::execl("/bin/true", "true", nullptr); }},
        {"socket", [] { (void)::socket(AF_INET, SOCK_STREAM, 0); }},
        {"mmap",
         [] { (void)::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }},
        {"mprotect",
         [] {
             void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
             (void)::mprotect(page, 4096, PROT_READ | PROT_EXEC);
         }},
        {"openat", [&] { opened(outside, O_WRONLY | O_CREAT); }},
        {"openat", [&] { opened(data() / ".." / "outside", O_RDWR | O_CREAT); }},
        {"openat", [&] { opened(data() / "link" / "outside", O_WRONLY | O_CREAT); }},
        {"openat", [&] { opened("/etc/passwd", O_WRONLY); }},
        {"through links", [&] { (void)::open((data() / "link").c_str(), O_WRONLY | O_CREAT, 0600); }},
        {"rename", [&] { (void)::rename((temporary_.path() / "present").c_str(), (data() / "x").c_str()); }},
        {"unlink", [&] { (void)::unlink((temporary_.path() / "present").c_str()); }},
        {"mkdir", [&] { (void)::mkdir(outside.c_str(), 0700); }},
        {"symlink", [&] { (void)::symlink("/etc", (data() / "y").c_str()); }},
        {"link", [&] { (void)::link("/etc/passwd", (data() / "z").c_str()); }},
        {"memfd_create", [] { (void)::memfd_create("x", 0); }},
        {"another call", [] { (void)::getsid(0); }}};
    for (const auto& [name, call] : calls) {
        const ConfinedRun run = runConfined(data(), [&] {
            call();
            return std::string("done");
        });
        // The C library blocks signals while it creates processes, so the kernel kills this process instead.
        const std::string seen = run.signal == SIGSYS ? "clone" : joined(run.forbidden);
        EXPECT_NE(seen.find(name), std::string::npos) << name << ": " << seen;
        EXPECT_EQ(run.returned, run.signal == 0);
    }
    EXPECT_FALSE(fs::exists(outside));
    EXPECT_TRUE(fs::exists(temporary_.path() / "present"));
    EXPECT_EQ(treeOf(data()), (std::set<std::string>{"link"}));
    const ConfinedRun allowed = runConfined(data(), [&] {
        opened(data() / "file", O_WRONLY | O_CREAT);
        (void)::mkdir((data() / "folder").c_str(), 0700);
        (void)::rename((data() / "file").c_str(), (data() / "folder" / "file").c_str());
        return std::string("done");
    });
    EXPECT_EQ(joined(allowed.forbidden), "");
    EXPECT_TRUE(fs::exists(data() / "folder" / "file"));
}

// Also detects memory above the limit and processes that end early, for example by a forbidden call while
// signals are blocked.
TEST_F(HostilePolicies, CrashesAndMemoryAreSeen) {
    const ConfinedRun crash = runConfined(data(), []() -> std::string {
        __builtin_trap();
        return "returned";
    });
    EXPECT_FALSE(crash.returned);
    const ConfinedRun command = runConfined(data(), [] { return std::to_string(std::system("true")); });
    EXPECT_FALSE(command.returned && command.forbidden.empty());
    const ConfinedRun large = runConfined(data(), [] {
        std::vector<char> memory(std::size_t{80} << 20, 'x');
        return std::string(1, memory[memory.size() / 2]);
    });
    EXPECT_GT(large.peak_kib - idle_kib_, kMostKib);
}

}  // namespace
}  // namespace seedbed::testing
