// SPDX-License-Identifier: Apache-2.0
// Checkpoint folders: the first byte says which file the input is (manifest, policy.json,
// params.safetensors); for the latter two the manifest is made with the right sizes and hashes, as an
// attacker would.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/base/sha256.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/policy/manifest.hpp"
#include "core/policy/networks.hpp"
#include "tests/fuzz/files/memory_files.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace seedbed;

// A small network, to be mutated in one of its files.
std::pair<std::string, std::string> validFiles() {
    static const auto files = [] {
        const char* temporary = std::getenv("TMPDIR");
        const Path folder = Path(temporary == nullptr ? "/tmp" : temporary) /
                            ("seedbed-fuzz-" + std::to_string(std::uintptr_t(&temporary)));
        RealFileSystem real;
        (void)removeTree(real, folder);
        Spaces spaces;
        ObsLeaf leaf;
        leaf.shape = {3};
        leaf.low = -1;
        leaf.high = 1;
        spaces.obs = {leaf};
        ActionLeaf action;
        action.n = 2;
        spaces.actions = {action};
        NetworkParams params;
        params.hidden = {4};
        const auto spec =
            makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}});
        SEEDBED_CHECK(spec.has_value());
        PolicyBundle bundle{{"policy", *spec, initialParams(*buildPlan(*spec), 1)}, false, {}, {}};
        SEEDBED_CHECK(savePolicy(real, folder, bundle).has_value());
        auto result = std::pair(*readFile(real, folder / kPolicyName), *readFile(real, folder / kParamsName));
        (void)removeTree(real, folder);
        return result;
    }();
    return files;
}

std::string manifestFor(const MemoryFiles& files) {
    Json list = Json::array();
    for (const auto& [path, text] : files.contents)
        list.push_back(
            {{"name", Path(path).filename().string()}, {"bytes", text.size()}, {"sha256", sha256Hex(text)}});
    Json manifest{{"format", "seedbed-checkpoint"},
                  {"version", 1},
                  {"build", "fuzz"},
                  {"step", 1},
                  {"updates", 1},
                  {"time", 1.0},
                  {"milestone", false},
                  {"score", nullptr},
                  {"params_sha256", "0"},
                  {"info", Json::object()},
                  {"files", list}};
    return manifest.dump();
}

std::vector<std::uint8_t> inputOf(const std::string& text, int choice = -1) {
    std::vector<std::uint8_t> bytes(text.begin(), text.end());
    if (choice >= 0) bytes.insert(bytes.begin(), static_cast<std::uint8_t>(choice));
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto& [policy, params] = validFiles();
    MemoryFiles files;
    const std::string folder = "/c/";
    const int choice = data[0] % 3;
    files.contents[folder + kPolicyName] = choice == 1 ? text : policy;
    files.contents[folder + kParamsName] = choice == 2 ? text : params;
    files.contents[folder + kManifestName] = choice == 0 ? text : manifestFor(files);
    noteOutcome("manifest", loadCheckpoint(files, "/c"));
    (void)loadPolicy(files, "/c");
    // The manifest's own hash would stop everything behind it: the networks are read without it too.
    Manifest manifest;
    for (const char* name : {kPolicyName, kParamsName}) {
        const std::string& contents = files.contents[folder + name];
        manifest.files.push_back({name, contents.size(), sha256Hex(contents)});
    }
    const auto networks = readNetworks(files, "/c", manifest, false);
    if (choice != 0) noteOutcome(choice == 1 ? "policy" : "params", networks);
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    const auto& [policy, params] = validFiles();
    MemoryFiles files;
    files.contents[std::string("/c/") + kPolicyName] = policy;
    files.contents[std::string("/c/") + kParamsName] = params;
    return {inputOf(manifestFor(files), 0), inputOf(policy, 1), inputOf(params, 2)};
}
