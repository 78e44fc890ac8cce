// SPDX-License-Identifier: Apache-2.0
#include "core/worker/pack_state.hpp"

#include "core/base/os/temporary_files.hpp"
#include "core/config/json_text.hpp"

namespace seedbed {

namespace {

constexpr const char* kManifest = "pack.json";
constexpr int kFormat = 1;

std::string installText(const std::string& name) {
    return "'seedbed pack install " + name + "' installs it again";
}

// Throws if a field is missing or has a different type.
InstalledPack manifestFromJson(const Json& json, const Path& folder) {
    InstalledPack pack;
    pack.folder = folder;
    pack.name = json.at("name").get<std::string>();
    pack.document_hash = json.at("document_sha256").get<std::string>();
    pack.python = json.at("python").get<std::string>();
    pack.python_version = json.at("python_version").get<std::string>();
    pack.uses_python_packages = json.at("uses_python_packages").get<bool>();
    pack.bytes = json.at("bytes").get<std::uint64_t>();
    for (const auto& [name, version] : json.at("packages").items())
        pack.packages.emplace_back(name, version.get<std::string>());
    return pack;
}

Result<InstalledPack> parseManifest(const Json& json, const Path& folder) {
    if (!json.is_object() || json.value("format", Json()) != kFormat)
        return fail(ErrorCode::config, "pack.json has an unknown format");
    try {
        return manifestFromJson(json, folder);
    } catch (const Json::exception& error) {
        return fail(ErrorCode::config, std::string("pack.json is damaged: ") + error.what());
    }
}

Result<> checkManifest(FileSystem& files, const InstalledPack& pack, const std::string& name) {
    if (pack.name != name)
        return fail(ErrorCode::config, "pack.json belongs to the pack '" + pack.name + "'");
    SEEDBED_ASSIGN(const auto python, files.info(pack.python));
    if (!python || python->kind != FileInfo::Kind::file)
        return fail(ErrorCode::config, "its Python " + pack.python_version + " (" + pack.python +
                                           ") is no longer on this computer");
    SEEDBED_ASSIGN(const auto site, files.info(pack.site()));
    if (!site) return fail(ErrorCode::config, "the folder '" + pack.site().string() + "' is missing");
    return {};
}

}  // namespace

Path packsFolder(const Path& data_folder) { return data_folder / "packs"; }

Result<> writeInstalledPack(FileSystem& files, const Path& folder, const InstalledPack& pack) {
    Json packages = Json::object();
    for (const auto& [name, version] : pack.packages) packages[name] = version;
    const Json json{{"format", kFormat},
                    {"name", pack.name},
                    {"document_sha256", pack.document_hash},
                    {"python", pack.python},
                    {"python_version", pack.python_version},
                    {"uses_python_packages", pack.uses_python_packages},
                    {"bytes", pack.bytes},
                    {"packages", packages}};
    return writeFileAtomically(files, folder / kManifest, json.dump(2) + "\n");
}

Result<std::optional<InstalledPack>> readInstalledPack(FileSystem& files, const Path& data_folder,
                                                       const std::string& name) {
    const Path folder = packsFolder(data_folder) / name;
    SEEDBED_ASSIGN(const auto info, files.info(folder));
    if (!info) return std::optional<InstalledPack>();
    const auto read = [&]() -> Result<InstalledPack> {
        SEEDBED_ASSIGN(const Json json, readJsonFile(files, folder / kManifest));
        SEEDBED_ASSIGN(InstalledPack pack, parseManifest(json, folder));
        SEEDBED_TRY(checkManifest(files, pack, name));
        return pack;
    };
    auto pack = read();
    if (!pack)
        return fail(pack.error().code, "the pack '" + name + "' cannot be used: " + pack.error().text() +
                                           "; " + installText(name));
    return std::optional<InstalledPack>(std::move(*pack));
}

std::string nameOf(PackState state) {
    switch (state) {
        case PackState::not_installed: return "not installed";
        case PackState::installed: return "installed";
        case PackState::outdated: return "outdated";
        case PackState::damaged: return "damaged";
    }
    return "";
}

PackStatus packStatus(FileSystem& files, const Path& data_folder, const PackDocument& pack) {
    auto installed = readInstalledPack(files, data_folder, pack.name);
    if (!installed) return {PackState::damaged, std::nullopt, installed.error().text()};
    if (!*installed) return {PackState::not_installed, std::nullopt, ""};
    const bool is_current = (*installed)->document_hash == pack.hash;
    return {is_current ? PackState::installed : PackState::outdated, std::move(*installed), ""};
}

Result<> removePack(FileSystem& files, const Path& data_folder, const std::string& name) {
    const Path folder = packsFolder(data_folder) / name;
    SEEDBED_ASSIGN(const auto info, files.info(folder));
    if (!info) return fail(ErrorCode::config, "the pack '" + name + "' is not installed");
    // Renamed first, so that a partly removed folder is never mistaken for a pack.
    const Path temporary = temporaryPathFor(folder);
    SEEDBED_TRY(files.rename(folder, temporary));
    return removeTree(files, temporary);
}

}  // namespace seedbed
