// SPDX-License-Identifier: Apache-2.0
// Validates the untrusted files and writes a new bundle.
#include "core/export/import.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/export/bundle_files.hpp"
#include "core/export/export.hpp"
#include "core/export/policy_model.hpp"
#include "core/policy/manifest.hpp"
#include "core/policy/networks.hpp"
#include "core/policy/without_critic_inputs.hpp"

namespace seedbed {

// The name is not a number and contains no colon, so it cannot be confused with a run or a checkpoint.
Result<std::string> importName(const ImportRequest& request) {
    std::string name = request.name;
    std::error_code error;
    if (name.empty()) {
        Path source = std::filesystem::absolute(request.source, error).lexically_normal();
        if (source.filename().empty()) source = source.parent_path();
        // Downloaded files are usually named model.safetensors, so the folder's name is used instead.
        if (source.filename() == kExportedParamsName) source = source.parent_path();
        name = lowered(source.extension() == ".safetensors" ? source.stem().string()
                                                            : source.filename().string());
        std::replace_if(
            name.begin(), name.end(), [](char letter) { return letter == ' ' || letter == '.'; }, '-');
    }
    const bool number =
        std::all_of(name.begin(), name.end(), [](char letter) { return letter >= '0' && letter <= '9'; });
    if (!isPlainFileName(name) || number || name.size() > 64)
        return fail(ErrorCode::config, "'" + name +
                                           "' cannot be the name of a policy: letters, digits, '_', '.' and "
                                           "'-', not only digits" +
                                           (request.name.empty() ? "; choose one with --name" : ""));
    return name;
}

namespace {

constexpr const char* kImportable = "an exported folder, the folder of a checkpoint, or FILE.safetensors";

tl::unexpected<Error> isDataFolder(const Path& source) {
    return fail(ErrorCode::config, "'" + source.string() +
                                       "' contains runs: 'seedbed db import' imports them; this command "
                                       "imports " +
                                       kImportable);
}

// Rejects other known formats with a remedy.
Result<> refuseOtherFormats(const Path& source) {
    const std::string extension = lowered(source.extension().string());
    for (const char* other :
         {".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin", ".onnx", ".zip", ".h5", ".npz"})
        if (extension == other)
            return fail(ErrorCode::config,
                        "'" + source.string() +
                            "' cannot be imported: only safetensors files can, because '" + extension +
                            "' files can run code or do not contain weights; save the tensors with "
                            "safetensors.numpy.save_file and write a config.json");
    if (extension == ".db") return isDataFolder(source);
    if (extension != ".safetensors")
        return fail(ErrorCode::config,
                    "'" + source.string() + "' is not a policy: this command imports " + kImportable);
    return {};
}

Result<> checkAllFiles(FileSystem& files, const Path& folder, const Manifest& manifest) {
    for (const ManifestFile& file : manifest.files) {
        SEEDBED_ASSIGN(CheckedFile checked, CheckedFile::open(files, folder, file));
        if (auto whole = checked.finish(); !whole) {
            Error error = std::move(whole).error();
            error.message +=
                "; the folder has changed since the export, so nothing was imported: download or copy it "
                "again";
            return tl::unexpected<Error>(std::move(error));
        }
    }
    return {};
}

Result<PolicyBundle> readFolder(FileSystem& files, const Path& folder) {
    SEEDBED_ASSIGN(const auto manifest_file, files.info(folder / kManifestName));
    if (!manifest_file) {
        SEEDBED_ASSIGN(const auto runs, files.info(folder / "seedbed.db"));
        if (runs) return isDataFolder(folder);
        SEEDBED_ASSIGN(const auto config, files.info(folder / "config.json"));
        if (!config)
            return fail(ErrorCode::config,
                        "'" + folder.string() + "' contains no policy: this command imports " + kImportable);
        return loadExportedNetworks(files, folder);
    }
    SEEDBED_ASSIGN(const Manifest manifest, readManifest(files, folder));
    for (const ManifestFile& file : manifest.files) {
        SEEDBED_ASSIGN(const auto info, files.info(folder / file.name));
        if (info && info->is_link)
            return fail("'" + (folder / file.name).string() +
                        "' is a link; policies are imported only from regular files");
    }
    // Only the policy of a checkpoint is used. All files of an export are checked, because the other files
    // describe the weights.
    if (manifest.header.value("format", Json()) == kExportFormat)
        SEEDBED_TRY(checkAllFiles(files, folder, manifest));
    SEEDBED_ASSIGN(PolicyBundle bundle, loadPolicy(files, folder));
    return onePolicy(std::move(bundle));
}

Result<PolicyBundle> readSource(FileSystem& files, const Path& source) {
    SEEDBED_ASSIGN(const auto info, files.info(source));
    if (!info) return fail(ErrorCode::config, "'" + source.string() + "' does not exist");
    if (info->kind == FileInfo::Kind::folder) return readFolder(files, source);
    SEEDBED_TRY(refuseOtherFormats(source));
    return loadExportedNetworks(files, source.parent_path().empty() ? Path(".") : source.parent_path(),
                                source.filename().string());
}

}  // namespace

Result<ImportedPolicy> importPolicy(FileSystem& files, const ImportRequest& request) {
    SEEDBED_ASSIGN(const std::string name, importName(request));
    const Path folder = policiesFolder(request.data_folder) / name;
    SEEDBED_ASSIGN(const auto existing, files.info(folder));
    if (existing)
        return fail(ErrorCode::config, "a policy named '" + name + "' already exists (" + folder.string() +
                                           "); choose another name with --name");
    SEEDBED_ASSIGN(PolicyBundle stored, readSource(files, request.source));
    SEEDBED_ASSIGN(PolicyBundle bundle, withoutCriticInputs(std::move(stored)));
    // Checks that the policy can act before it is stored.
    SEEDBED_ASSIGN([[maybe_unused]] const PolicyModel model, makePolicyModel(bundle));
    SEEDBED_TRY(savePolicy(files, folder, bundle));
    return ImportedPolicy{name, folder, std::move(bundle)};
}

}  // namespace seedbed
