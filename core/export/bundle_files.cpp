// SPDX-License-Identifier: Apache-2.0
// Builds a manifest from the files, so that the strict bundle reader can read them.
#include "core/export/bundle_files.hpp"

#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/policy/manifest.hpp"
#include "core/policy/networks.hpp"

namespace seedbed {

namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 30;
constexpr std::size_t kStep = 1 << 16;

Result<ManifestFile> describeFile(FileSystem& files, const Path& folder, const std::string& name) {
    const std::string where = "'" + (folder / name).string() + "'";
    if (!isPlainFileName(name))
        return fail(where + " has a name that is not accepted; use letters, digits, '_', '.' and '-'");
    SEEDBED_ASSIGN(const auto info, files.info(folder / name));
    if (!info) return fail(where + " is missing");
    if (info->is_link || info->kind != FileInfo::Kind::file) return fail(where + " is not a regular file");
    if (info->bytes > kMaxBytes) return fail(where + " is larger than " + formatBytes(kMaxBytes));
    SEEDBED_ASSIGN(const auto file, files.open(folder / name, OpenMode::read));
    Sha256 hash;
    ManifestFile described{name, 0, {}};
    std::vector<std::byte> part(kStep);
    for (;;) {
        SEEDBED_ASSIGN(const std::size_t count, file->read(part));
        if (count == 0) break;
        described.bytes += count;
        if (described.bytes > kMaxBytes) return fail(where + " is larger than " + formatBytes(kMaxBytes));
        hash.update(std::span(part).first(count));
    }
    described.sha256 = hash.hex();
    return described;
}

}  // namespace

Result<PolicyBundle> loadExportedNetworks(FileSystem& files, const Path& folder, const std::string& tensors,
                                          const std::string& config) {
    Manifest manifest;
    for (const std::string& name : {config, tensors}) {
        SEEDBED_ASSIGN(ManifestFile file, describeFile(files, folder, name));
        manifest.files.push_back(std::move(file));
    }
    SEEDBED_ASSIGN(StoredNetworks stored,
                   readNetworks(files, folder, manifest, true, NetworkFiles{config, tensors}));
    return std::move(stored).acting();
}

}  // namespace seedbed
