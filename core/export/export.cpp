// SPDX-License-Identifier: Apache-2.0
// Writes all files to a temporary folder, verifies them there, and then renames the folder.
#include "core/export/export.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/export/prove.hpp"
#include "core/export/provenance_text.hpp"
#include "core/export/replay.hpp"
#include "core/policy/bundle_env.hpp"
#include "core/policy/manifest.hpp"
#include "core/policy/networks.hpp"
#include "core/policy/without_critic_inputs.hpp"

namespace seedbed {

namespace {

constexpr std::uint64_t kSpareBytes = 8 << 20;  // space for the replay, golden vectors and text files
constexpr std::size_t kMostNamed = 5;           // maximum number of files that the message about files
                                                // outside the export names

double since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Result<std::vector<const ExportTarget*>> findTargets(const std::vector<std::string>& names) {
    std::vector<const ExportTarget*> targets;
    for (const std::string& name : names) {
        SEEDBED_ASSIGN(const ExportTarget* target, exportTargetRegistry().get(name, "export target"));
        if (std::find(targets.begin(), targets.end(), target) == targets.end()) targets.push_back(target);
    }
    if (targets.empty())
        return fail(ErrorCode::config,
                    "specify at least one target: " + join(exportTargetRegistry().ids(), ", "));
    return targets;
}

// Removes the slash that shells add when they complete a folder's name.
Path withoutSlash(const Path& folder) {
    return folder.has_filename() || folder == folder.root_path() ? folder : folder.parent_path();
}

Result<> checkTargetFolder(FileSystem& files, const Path& folder, std::uint64_t need) {
    const std::string where = "'" + folder.string() + "'";
    if (folder.filename().empty() || folder.filename() == "." || folder.filename() == "..")
        return fail(ErrorCode::config,
                    where + " cannot be the name of a new folder; choose one such as 'exports/cartpole'");
    SEEDBED_ASSIGN(const auto existing, files.info(folder));
    if (existing && (existing->kind != FileInfo::Kind::folder || existing->is_link))
        return fail(ErrorCode::config,
                    where + " exists and is not a folder; choose another name; nothing was written");
    if (existing) {
        SEEDBED_ASSIGN(const auto entries, files.list(folder));
        if (!entries.empty())
            return fail(
                ErrorCode::config,
                "the folder " + where + " is not empty; choose another one or empty it; nothing was written");
    }
    // Uses the free space of the nearest existing parent folder.
    Path above = folder.parent_path().empty() ? Path(".") : folder.parent_path();
    while (!above.parent_path().empty() && above != above.parent_path()) {
        SEEDBED_ASSIGN(const auto info, files.info(above));
        if (info) break;
        above = above.parent_path();
    }
    const auto free = files.freeBytes(above);
    if (free && *free < need)
        return fail(ErrorCode::disk_full, "the disk is full: the export needs about " + formatBytes(need) +
                                              " and " + formatBytes(*free) + " is free in '" +
                                              above.string() + "'; free some space; nothing was written");
    return {};
}

// Reads the named files of a folder.
Result<std::vector<ExportFile>> readBack(FileSystem& files, const Path& folder,
                                         const std::vector<std::string>& names) {
    std::vector<ExportFile> read;
    for (const std::string& name : names) {
        SEEDBED_ASSIGN(const std::string text, readFile(files, folder / name, std::uint64_t{4} << 30));
        read.push_back(textFile(name, text));
    }
    return read;
}

const std::vector<std::string>& bundleFiles() {
    static const std::vector<std::string> names{kExportedPolicyName, kExportedParamsName, kSpecName};
    return names;
}

Result<> addAll(FolderWriter& folder, const std::vector<ExportFile>& files) {
    for (const ExportFile& file : files)
        SEEDBED_TRY(folder.add(file.name, std::as_bytes(std::span(file.bytes))));
    return {};
}
Result<> addText(FolderWriter& folder, const std::string& name, const std::string& text) {
    return folder.add(name, std::as_bytes(std::span(text.data(), text.size())));
}
std::string jsonText(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The trained policy, its network, and the network's executor, which computes the expected results.
struct Trained {
    PolicyModel model;
    std::unique_ptr<EngineNet> net;
    std::unique_ptr<Executor> executor;
};

Result<std::unique_ptr<Trained>> makeTrained(const PolicyBundle& bundle, const std::string& engine) {
    SEEDBED_ASSIGN(PolicyModel model, makePolicyModel(bundle));
    auto trained = std::make_unique<Trained>(Trained{std::move(model), nullptr, nullptr});
    SEEDBED_ASSIGN(trained->net, compileNet(engine, trained->model.plan, EngineOptions{}));
    trained->executor = engineExecutor(trained->model, *trained->net, engine);
    return trained;
}

}  // namespace

namespace {

struct Export {
    const ExportRequest& request;
    TargetOptions options;
    std::vector<ProofTarget> targets;
    std::vector<std::string> names;  // names of all files added so far
};

TargetOptions completeOptions(const ExportRequest& request) {
    TargetOptions options = request.options;
    options.written_by = kVersion;
    if (const auto env = environmentOf(request.bundle)) options.environment_version = env->spec.upstream;
    return options;
}

Result<std::vector<ProofTarget>> writeTargets(const std::vector<const ExportTarget*>& targets,
                                              const PolicyModel& model, const TargetOptions& options) {
    std::vector<ProofTarget> written;
    for (const ExportTarget* target : targets) {
        SEEDBED_ASSIGN(auto files, target->write(model, options));
        written.push_back({target, std::move(files)});
    }
    return written;
}

Result<> addGolden(std::vector<ProofTarget>& targets, const PolicyModel& model, const GoldenVectors& golden) {
    for (ProofTarget& target : targets)
        if (target.target->add_golden) SEEDBED_TRY(target.target->add_golden(model, golden, target.files));
    return {};
}

Result<> addPolicyFiles(FolderWriter& folder, const Trained& trained, const GoldenVectors& golden,
                        Export& the_export) {
    const PolicyModel& model = trained.model;
    SEEDBED_TRY(addNetworks(folder, std::span(&model.bundle.network, 1), model.bundle.squash,
                            model.bundle.reward, publicProvenance(model.bundle.provenance),
                            {kExportedPolicyName, kExportedParamsName}));
    SEEDBED_TRY(addText(folder, kSpecName, jsonText(specOf(model))));
    for (const ProofTarget& target : the_export.targets) SEEDBED_TRY(addAll(folder, target.files));
    SEEDBED_ASSIGN(const auto golden_bytes, encodeGolden(model, golden));
    SEEDBED_TRY(addAll(folder, {{kGoldenName, golden_bytes}}));
    the_export.names = {kExportedPolicyName, kExportedParamsName, kSpecName, kGoldenName, kParityName};
    return {};
}

// Verifies the files after reading them back from the disk.
Result<Json> proveWritten(FileSystem& files, const FolderWriter& folder, const Trained& trained,
                          const GoldenVectors& golden, Export& the_export,
                          std::vector<std::string>& notices) {
    const ExportRequest& request = the_export.request;
    for (ProofTarget& target : the_export.targets) {
        std::vector<std::string> own;
        for (const ExportFile& file : target.files) own.push_back(file.name);
        the_export.names.insert(the_export.names.end(), own.begin(), own.end());
        SEEDBED_ASSIGN(target.files, readBack(files, folder.folder(), own));
    }
    SEEDBED_ASSIGN(auto bundle_files, readBack(files, folder.folder(), bundleFiles()));
    auto parity = prove({trained.model, the_export.options, the_export.targets, std::move(bundle_files),
                         request.engine, request.executor, request.python, request.compiler, request.parity},
                        golden, *trained.executor, notices);
    if (!parity && parity.error().code == ErrorCode::parity)
        parity.error().message +=
            "; nothing was written. Please report it with the checkpoint; another target may still work "
            "(--to)";
    return parity;
}

Result<> addCardAndReplay(FolderWriter& folder, const Trained& trained, Export& the_export,
                          ExportOutcome& outcome) {
    if (the_export.request.replay) {
        auto replay = makeReplay(trained.model, *trained.executor, the_export.request.parity.seed);
        if (replay) {
            SEEDBED_TRY(addAll(folder, *replay));
            for (const ExportFile& file : *replay) the_export.names.push_back(file.name);
        } else {
            outcome.notices.push_back("no replay was written: " + replay.error().message);
        }
    }
    return addText(folder, kCardName,
                   modelCard(trained.model, the_export.options, outcome.parity, the_export.names));
}

}  // namespace

Result<ExportOutcome> exportPolicy(FileSystem& files, const ExportRequest& given) {
    const auto begin = std::chrono::steady_clock::now();
    ExportRequest request = given;
    SEEDBED_ASSIGN(request.bundle, withoutCriticInputs(given.bundle));
    const Path place = withoutSlash(request.folder);
    Export the_export{request, completeOptions(request), {}, {}};
    SEEDBED_TRY(checkTargetOptions(the_export.options));
    SEEDBED_ASSIGN(const auto targets, findTargets(request.targets));
    const std::uint64_t weights =
        request.bundle.network.params.empty() ? 0 : request.bundle.network.params.blob().size_bytes();
    // Space for the tensors, plus up to five bytes of text in a C header per byte of weights.
    SEEDBED_TRY(checkTargetFolder(files, place, (targets.size() * 5 + 1) * weights + kSpareBytes));
    SEEDBED_ASSIGN(const std::unique_ptr<Trained> trained, makeTrained(request.bundle, request.engine));
    // Reports unsupported parts of the policy before the first byte is written.
    SEEDBED_ASSIGN(the_export.targets, writeTargets(targets, trained->model, the_export.options));
    SEEDBED_ASSIGN(const GoldenVectors golden, makeGolden(trained->model, *trained->executor));
    SEEDBED_TRY(addGolden(the_export.targets, trained->model, golden));

    ExportOutcome outcome;
    SEEDBED_ASSIGN(FolderWriter folder, FolderWriter::create(files, place));
    SEEDBED_TRY(addPolicyFiles(folder, *trained, golden, the_export));
    SEEDBED_ASSIGN(outcome.parity,
                   proveWritten(files, folder, *trained, golden, the_export, outcome.notices));
    SEEDBED_TRY(addText(folder, kParityName, jsonText(outcome.parity)));
    SEEDBED_TRY(addCardAndReplay(folder, *trained, the_export, outcome));
    std::vector<std::string> target_names;
    for (const ExportTarget* target : targets) target_names.push_back(target->id);
    SEEDBED_TRY(folder.finish({{"format", kExportFormat},
                               {"version", kExportVersion},
                               {"seedbed", kVersion},
                               {"targets", target_names},
                               {"options", toJson(the_export.options)}}));
    SEEDBED_ASSIGN(const Manifest manifest, readManifest(files, place));
    for (const ManifestFile& file : manifest.files) outcome.files.push_back({file.name, file.bytes});
    SEEDBED_ASSIGN(const auto own, files.info(place / kManifestName));
    outcome.files.push_back({kManifestName, own ? own->bytes : 0});
    outcome.folder = place;
    outcome.seconds = since(begin);
    return outcome;
}

namespace {

// Reports a damaged folder as a failed verification (exit code 7), as for a target that differs.
template <class T>
Result<T> asParity(Result<T> result, bool damaged) {
    if (result || !damaged) return result;
    Error error = std::move(result).error();
    error.code = ErrorCode::parity;
    error.message += "; the folder has changed since the export, so export it again";
    return tl::unexpected<Error>(std::move(error));
}

// Checks that the manifest lists only files of these targets. Other files in the folder, such as programs
// compiled in it, are never read.
Result<> checkNoOtherFiles(FileSystem& files, const Path& folder, const Manifest& manifest,
                           const std::vector<ProofTarget>& forms, std::vector<std::string>& notices) {
    std::set<std::string> known{kExportedPolicyName, kExportedParamsName, kSpecName,
                                kGoldenName,         kParityName,         kCardName};
    for (const char* name : kReplayNames) known.insert(name);
    for (const ProofTarget& form : forms)
        for (const ExportFile& file : form.files) known.insert(file.name);
    for (const ManifestFile& file : manifest.files)
        if (!known.contains(file.name))
            return fail(ErrorCode::parity, "'" + (folder / file.name).string() +
                                               "' is not part of an export to these targets; export again");
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    std::vector<std::string> others;
    for (const FileInfo& entry : entries)
        if (entry.name != kManifestName && manifest.find(entry.name) == nullptr)
            others.push_back("'" + entry.name + "'");
    const std::size_t more = others.size() - std::min(others.size(), kMostNamed);
    others.resize(others.size() - more);
    if (!others.empty())
        notices.push_back("not part of the export, and not checked: " + join(others, ", ") +
                          (more > 0 ? " and " + std::to_string(more) + " more" : ""));
    return {};
}

// Reads a file listed in the manifest and verifies its size and SHA-256.
Result<ExportFile> checkedFile(FileSystem& files, const Path& folder, const Manifest& manifest,
                               const std::string& name) {
    const ManifestFile* file = manifest.find(name);
    if (file == nullptr)
        return fail(ErrorCode::parity, "'" + (folder / name).string() + "' is missing; export it again");
    SEEDBED_ASSIGN(auto bytes, asParity(readChecked(files, folder, *file), true));
    return ExportFile{name, std::move(bytes)};
}

// A folder with golden vectors is an export, because every export contains them.
tl::unexpected<Error> missingManifest(FileSystem& files, const Path& folder) {
    const std::string name = "'" + folder.string() + "'", manifest = kManifestName;
    if (const auto place = files.info(folder); place && !*place)
        return fail(ErrorCode::config, name + " does not exist");
    if (const auto golden = files.info(folder / kGoldenName); golden && *golden)
        return fail(ErrorCode::parity, "'" + (folder / manifest).string() + "' is missing; export it again");
    return fail(ErrorCode::config, name + " is not an export: it has no " + manifest);
}

Result<Manifest> readExportManifest(FileSystem& files, const Path& folder) {
    bool damaged = false;
    auto read = readManifest(files, folder, &damaged);
    if (!read && damaged) {
        SEEDBED_ASSIGN(const auto existing, files.info(folder / kManifestName));
        if (!existing) return missingManifest(files, folder);
    }
    SEEDBED_ASSIGN(Manifest manifest, asParity(std::move(read), damaged));
    const Json& header = manifest.header;
    if (header.value("format", Json()) != kExportFormat)
        return fail(
            ErrorCode::config,
            "'" + folder.string() +
                "' is a checkpoint or a stored policy, not an export; create one with 'seedbed export'");
    const Json version = header.value("version", Json());
    if (!version.is_number_integer() || version > kExportVersion)
        return fail(ErrorCode::config,
                    "'" + folder.string() + "' was exported by a newer version of Seedbed (" +
                        header.value("seedbed", std::string("unknown")) + "); update Seedbed to check it");
    return manifest;
}

Result<std::vector<const ExportTarget*>> targetsOf(const Json& header) {
    if (!header.contains("targets") || !header["targets"].is_array())
        return fail(ErrorCode::config, "the export lists no targets");
    std::vector<std::string> names;
    for (const Json& name : header["targets"])
        if (name.is_string()) names.push_back(name.get<std::string>());
    return findTargets(names);
}

// Replaces the files that this version would write with those in the folder. Programs that differ are not run
// unless the user trusts the folder.
Result<> readTargetFiles(FileSystem& files, const VerifyRequest& request, const Manifest& manifest,
                         const TargetOptions& options, ProofTarget& target,
                         std::vector<std::string>& notices) {
    bool same = true;
    for (ExportFile& file : target.files) {
        SEEDBED_ASSIGN(ExportFile stored, checkedFile(files, request.folder, manifest, file.name));
        same &= stored.bytes == file.bytes;
        file = std::move(stored);
    }
    if (same) return {};
    const std::string& id = target.target->id;
    if (!request.trust && !target.target->is_data)
        return fail(ErrorCode::parity,
                    "the files of the target '" + id + "' are programs that this version of Seedbed (" +
                        kVersion + ") writes differently from " + options.written_by +
                        ", so they were not run; if you trust the author of the folder, use --trust");
    target.foreign = !request.trust;
    notices.push_back("this version of Seedbed writes the target '" + id +
                      "' differently; it was run anyway, " +
                      (target.target->is_data ? "because its files are only data" : "because you trust it"));
    return {};
}

}  // namespace

Result<VerifyOutcome> verifyExport(FileSystem& files, const VerifyRequest& request) {
    SEEDBED_ASSIGN(const Manifest manifest, readExportManifest(files, request.folder));
    // Verifies all files first, so that only files that match the manifest are used.
    for (const ManifestFile& file : manifest.files) {
        SEEDBED_ASSIGN(CheckedFile checked, CheckedFile::open(files, request.folder, file));
        SEEDBED_TRY(asParity(checked.finish(), true));
    }
    SEEDBED_ASSIGN(const PolicyBundle bundle, loadPolicy(files, request.folder));
    SEEDBED_ASSIGN(const std::unique_ptr<Trained> trained, makeTrained(bundle, request.engine));
    const PolicyModel& model = trained->model;
    SEEDBED_ASSIGN(const TargetOptions options,
                   targetOptionsFromJson(manifest.header.value("options", Json())));
    SEEDBED_ASSIGN(const auto named, targetsOf(manifest.header));
    SEEDBED_ASSIGN(auto targets, writeTargets(named, model, options));
    VerifyOutcome outcome;
    SEEDBED_TRY(checkNoOtherFiles(files, request.folder, manifest, targets, outcome.notices));
    outcome.files = manifest.files.size() + 1;  // includes the manifest, which contains its own hash
    const ManifestFile* golden_file = manifest.find(kGoldenName);
    if (golden_file == nullptr)
        return fail(ErrorCode::parity, "the export has no " + std::string(kGoldenName) + "; export it again");
    SEEDBED_ASSIGN(const auto golden_bytes, readChecked(files, request.folder, *golden_file));
    SEEDBED_ASSIGN(const GoldenVectors golden, decodeGolden(model, golden_bytes));
    SEEDBED_TRY(addGolden(targets, model, golden));
    for (ProofTarget& target : targets)
        SEEDBED_TRY(readTargetFiles(files, request, manifest, options, target, outcome.notices));
    std::vector<ExportFile> bundle_files;
    for (const std::string& name : bundleFiles()) {
        SEEDBED_ASSIGN(ExportFile file, checkedFile(files, request.folder, manifest, name));
        bundle_files.push_back(std::move(file));
    }
    SEEDBED_ASSIGN(outcome.parity, prove({model, options, targets, std::move(bundle_files), request.engine,
                                          request.executor, request.python, request.compiler, request.parity},
                                         golden, *trained->executor, outcome.notices));
    return outcome;
}

}  // namespace seedbed
