// SPDX-License-Identifier: Apache-2.0
// Checkpoint folders: the first byte selects what the input represents: an unchanged manifest, a manifest
// with a corrected hash and corrected sizes and hashes of files, policy.json, params.safetensors, or a
// state file. The last three get a matching manifest, as an attacker would write it, so that changes pass all
// hash checks.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/base/sha256.hpp"
#include "core/base/strict_json.hpp"
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

constexpr const char* kStateName = "session.bin";

// The manifest in the format that readManifest() hashes, with the hash that it checks first.
std::string signedText(Json manifest) {
    const auto text = [](const Json& json) {
        return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    };
    manifest.erase("sha256");
    manifest["sha256"] = sha256Hex(text(manifest));
    return text(manifest);
}

Json manifestFor(const MemoryFiles& files) {
    Json list = Json::array();
    for (const auto& [path, text] : files.contents)
        list.push_back(
            {{"name", Path(path).filename().string()}, {"bytes", text.size()}, {"sha256", sha256Hex(text)}});
    return Json{{"format", "seedbed-checkpoint"},
                {"version", 1},
                {"build", "fuzz"},
                {"step", 1},
                {"updates", 1},
                {"time", 1.0},
                {"milestone", false},
                {"score", nullptr},
                {"params_sha256", std::string(64, '0')},
                {"info", Json::object()},
                {"files", list}};
}

// The input as a manifest with correct hashes. Sizes and hashes of listed files are corrected.
std::string repairedManifest(const std::string& text, const MemoryFiles& files) {
    Json manifest = parseStrictJson(text);
    if (!manifest.is_object()) return text;
    if (const auto list = manifest.find("files"); list != manifest.end() && list->is_array())
        for (Json& file : *list) {
            if (!file.is_object() || !file.contains("name") || !file["name"].is_string()) continue;
            const auto known = files.contents.find("/c/" + file["name"].get<std::string>());
            if (known == files.contents.end()) continue;
            if (file.contains("bytes")) file["bytes"] = known->second.size();
            if (file.contains("sha256")) file["sha256"] = sha256Hex(known->second);
        }
    return signedText(std::move(manifest));
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
    constexpr const char* kParts[] = {"manifest", "manifest-with-right-hashes", "policy", "params", "state"};
    const int choice = data[0] % 5;
    files.contents[folder + kPolicyName] = choice == 2 ? text : policy;
    files.contents[folder + kParamsName] = choice == 3 ? text : params;
    files.contents[folder + kStateName] = choice == 4 ? text : "state";
    const std::string manifest = choice == 0   ? text
                                 : choice == 1 ? repairedManifest(text, files)
                                               : signedText(manifestFor(files));
    files.contents[folder + kManifestName] = manifest;
    const auto loaded = loadCheckpoint(files, "/c");
    noteOutcome(kParts[choice], loaded);
    (void)loadPolicy(files, "/c");
    (void)readCheckpointInfo(files, "/c");
    // State is opaque here: with correct hashes it is always accepted unchanged.
    if (choice == 4 && (!loaded || loaded->data.files.size() != 1)) std::abort();
    if (!loaded) return 0;
    for (const NamedNetwork& network : loaded->data.networks)
        for (const float value : network.params.blob())
            if (!std::isfinite(value)) std::abort();
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    const auto& [policy, params] = validFiles();
    MemoryFiles files;
    files.contents[std::string("/c/") + kPolicyName] = policy;
    files.contents[std::string("/c/") + kParamsName] = params;
    files.contents[std::string("/c/") + kStateName] = "state";
    const std::string manifest = signedText(manifestFor(files));
    files.contents[std::string("/c/") + kManifestName] = manifest;
    const auto loaded = loadCheckpoint(files, "/c");
    SEEDBED_CHECK(loaded.has_value(), loaded.error().text());  // otherwise every mutation would be rejected
    return {inputOf(manifest, 0), inputOf(manifest, 1), inputOf(policy, 2), inputOf(params, 3),
            inputOf("state", 4)};
}
