// SPDX-License-Identifier: Apache-2.0
// A folder contains policy.json, params.safetensors, the caller's files and manifest.json.
#include "core/checkpoint/checkpoint_folder.hpp"

#include "core/base/text.hpp"
#include "core/policy/manifest.hpp"
#include "core/policy/networks.hpp"

namespace seedbed {

namespace {

constexpr const char* kFormat = "seedbed-checkpoint";
constexpr int kVersion = 1;
constexpr std::uint64_t kSpareBytes = 1 << 20;  // margin for descriptions and folders

Json headerOf(const CheckpointInfo& info, const Json& values, const std::string& build) {
    return {{"format", kFormat},
            {"version", kVersion},
            {"build", build},
            {"step", info.step},
            {"updates", info.updates},
            {"time", info.time},
            {"milestone", info.milestone},
            {"score", info.score ? Json(*info.score) : Json()},
            {"params_sha256", info.params_sha256},
            {"info", values}};
}

bool hasNewerVersion(const Manifest& manifest) {
    const Json version = manifest.header.value("version", Json());
    return manifest.header.value("format", Json()) == kFormat && version.is_number_integer() &&
           version > kVersion;
}

Result<CheckpointInfo> infoFrom(const Path& folder, const Manifest& manifest) {
    const Json& json = manifest.header;
    const auto bad = [&](const std::string& why) {
        return fail("'" + (folder / kManifestName).string() + "' cannot be used: " + why);
    };
    if (json.value("format", Json()) != kFormat) return fail("'" + folder.string() + "' is not a checkpoint");
    const Json version = json.value("version", Json());
    if (!version.is_number_integer()) return bad("it has no version");
    if (hasNewerVersion(manifest)) return bad("it was written by a newer version of Seedbed");
    const auto is = [&](const char* key, bool (Json::*check)() const noexcept) {
        return json.contains(key) && (json[key].*check)();
    };
    if (!is("step", &Json::is_number_integer) || !is("updates", &Json::is_number_integer) ||
        !is("time", &Json::is_number) || !is("milestone", &Json::is_boolean) ||
        !is("params_sha256", &Json::is_string) ||
        !(is("score", &Json::is_null) || is("score", &Json::is_number)))
        return bad("step, updates, time, milestone, score or params_sha256 is missing");
    CheckpointInfo info{folder,
                        json["step"].get<std::int64_t>(),
                        json["updates"].get<std::int64_t>(),
                        json["time"].get<double>(),
                        manifest.bytes(),
                        json["params_sha256"].get<std::string>(),
                        json["milestone"].get<bool>(),
                        false,
                        {}};
    if (json["score"].is_number()) info.score = json["score"].get<double>();
    return info;
}

// Reports a full disk before filling it, if the file system reports its free space.
Result<> checkFreeSpace(FileSystem& files, const Path& place, std::uint64_t need) {
    const auto free = files.freeBytes(place.parent_path());
    if (!free || *free >= need) return {};
    return fail(ErrorCode::disk_full, "the disk is full: a checkpoint needs " + formatBytes(need) + " and " +
                                          formatBytes(*free) + " is free in '" +
                                          place.parent_path().string() +
                                          "'; earlier checkpoints are untouched; free some space");
}

std::uint64_t bytesOf(const CheckpointData& data) {
    std::uint64_t bytes = kSpareBytes;
    for (const auto& network : data.networks)
        bytes += network.params.empty() ? 0 : network.params.blob().size_bytes();
    for (const auto& file : data.files) bytes += file.bytes.size();
    return bytes;
}

}  // namespace

Result<CheckpointInfo> writeCheckpointFolder(const System& system, const Path& place,
                                             const CheckpointData& data, bool milestone) {
    FileSystem& files = *system.files;
    CheckpointInfo info{place,     data.step, data.updates, system.wallSeconds(), 0, {},
                        milestone, false,     data.score};
    SEEDBED_ASSIGN(FolderWriter folder, FolderWriter::create(files, place));
    SEEDBED_TRY(checkFreeSpace(files, place, bytesOf(data)));
    SEEDBED_TRY(
        addNetworks(folder, data.networks, data.squash, data.reward, data.provenance, {}, data.policies));
    for (const auto& file : data.files) {
        SEEDBED_CHECK(isPlainFileName(file.name) && file.name != kManifestName && file.name != kPolicyName &&
                          file.name != kParamsName,
                      file.name);
        SEEDBED_TRY(folder.add(file.name, std::as_bytes(std::span(file.bytes))));
    }
    info.bytes = folder.bytes();
    info.params_sha256 = data.networks.front().params.sha256();
    SEEDBED_TRY(folder.finish(headerOf(info, data.info, data.provenance.build)));
    return info;
}

Result<CheckpointInfo> readCheckpointInfo(FileSystem& files, const Path& folder, bool* damaged) {
    SEEDBED_ASSIGN(const Manifest manifest, readManifest(files, folder, damaged));
    auto info = infoFrom(folder, manifest);
    if (!info && damaged) *damaged = !hasNewerVersion(manifest);
    return info;
}

bool isOfNewerVersion(FileSystem& files, const Path& folder) {
    const auto manifest = readManifest(files, folder);
    return manifest && hasNewerVersion(*manifest);
}

Result<LoadedCheckpoint> loadCheckpoint(FileSystem& files, const Path& folder) {
    SEEDBED_ASSIGN(const Manifest manifest, readManifest(files, folder));
    LoadedCheckpoint loaded;
    SEEDBED_ASSIGN(loaded.info, infoFrom(folder, manifest));
    SEEDBED_ASSIGN(StoredNetworks stored, readNetworks(files, folder, manifest, false));
    CheckpointData& data = loaded.data;
    data.step = loaded.info.step;
    data.updates = loaded.info.updates;
    data.milestone = loaded.info.milestone;
    data.score = loaded.info.score;
    data.networks = std::move(stored.networks);
    data.squash = stored.squash;
    data.reward = stored.reward;
    data.provenance = std::move(stored.provenance);
    data.policies = std::move(stored.policies);
    data.info = manifest.header.value("info", Json::object());
    for (const auto& file : manifest.files) {
        if (file.name == kPolicyName || file.name == kParamsName) continue;
        SEEDBED_ASSIGN(auto bytes, readChecked(files, folder, file));
        data.files.push_back({file.name, std::move(bytes)});
    }
    return loaded;
}

Result<> copyCheckpoint(FileSystem& files, const Path& from, const Path& to, FileFilter wanted,
                        const std::stop_token& stop) {
    SEEDBED_ASSIGN(const Manifest manifest, readManifest(files, from, nullptr, wanted));
    SEEDBED_ASSIGN(const CheckpointInfo info, infoFrom(from, manifest));
    SEEDBED_ASSIGN(FolderWriter folder, FolderWriter::create(files, to));
    SEEDBED_TRY(checkFreeSpace(files, to, manifest.bytes() + kSpareBytes));
    // Reads files in parts, so that a manifest with wrong sizes cannot exhaust the memory.
    for (const auto& file : manifest.files) {
        if (wanted != nullptr && !wanted(file.name)) continue;
        SEEDBED_TRY(folder.add(file.name, [&](const ByteSink& sink) {
            return copyChecked(files, from, file, [&](std::span<const std::byte> bytes) -> Result<> {
                if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
                return sink(bytes);
            });
        }));
    }
    return folder.finish(manifest.header);
}

Result<LoadedPolicy> readPolicyFolder(FileSystem& files, const Path& folder) {
    SEEDBED_ASSIGN(const Manifest manifest, readManifest(files, folder));
    SEEDBED_ASSIGN(StoredNetworks stored, readNetworks(files, folder, manifest, true));
    LoadedPolicy loaded;
    SEEDBED_ASSIGN(loaded.bundle, std::move(stored).acting());
    if (manifest.header.value("format", Json()) == kFormat) {
        SEEDBED_ASSIGN(loaded.info, infoFrom(folder, manifest));
        return loaded;
    }
    loaded.info.folder = folder;
    loaded.info.bytes = manifest.bytes();
    loaded.info.step = loaded.bundle.provenance.steps;
    loaded.info.updates = loaded.bundle.provenance.updates;
    loaded.info.params_sha256 = loaded.bundle.network.params.sha256();
    return loaded;
}

}  // namespace seedbed
