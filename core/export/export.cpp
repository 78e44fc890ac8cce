// SPDX-License-Identifier: Apache-2.0
// Everything is made in a folder beside its place, proven there, and renamed.
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

namespace seedbed {

namespace {

constexpr std::uint64_t kSpareBytes = 8 << 20;  // replay, golden vectors, texts

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
        return fail(ErrorCode::config, "say what to export to: " + join(exportTargetRegistry().ids(), ", "));
    return targets;
}

// "out/" is what the Tab key makes of "out".
Path withoutSlash(const Path& folder) {
    return folder.has_filename() || folder == folder.root_path() ? folder : folder.parent_path();
}

Result<> checkPlace(FileSystem& files, const Path& folder, std::uint64_t need) {
    const std::string where = "'" + folder.string() + "'";
    if (folder.filename().empty() || folder.filename() == "." || folder.filename() == "..")
        return fail(ErrorCode::config,
                    where + " is no name for a new folder; choose one like 'exports/cartpole'");
    SEEDBED_ASSIGN(const auto there, files.info(folder));
    if (there && (there->kind != FileInfo::Kind::folder || there->is_link))
        return fail(ErrorCode::config,
                    where + " exists and is no folder; choose another name, nothing was written");
    if (there) {
        SEEDBED_ASSIGN(const auto entries, files.list(folder));
        if (!entries.empty())
            return fail(
                ErrorCode::config,
                "the folder " + where + " is not empty; choose another one or empty it, nothing was written");
    }
    // The nearest folder above that is there tells how much space there is.
    Path above = folder.parent_path().empty() ? Path(".") : folder.parent_path();
    while (!above.parent_path().empty() && above != above.parent_path()) {
        SEEDBED_ASSIGN(const auto info, files.info(above));
        if (info) break;
        above = above.parent_path();
    }
    const auto free = files.freeBytes(above);
    if (free && *free < need)
        return fail(ErrorCode::disk_full, "the disk is full: the export needs about " + formatBytes(need) +
                                              " and " + formatBytes(*free) + " are free in '" +
                                              above.string() + "'; free some space, nothing was written");
    return {};
}

// Files of a folder as they lie there.
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

// A policy with the engine that stands for its training.
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

Result<ExportOutcome> exportPolicy(FileSystem& files, const ExportRequest& request) {
    const auto begin = std::chrono::steady_clock::now();
    const Path place = withoutSlash(request.folder);
    TargetOptions options = request.options;
    options.written_by = kVersion;
    if (const auto env = environmentOf(request.bundle)) options.environment_version = env->spec.upstream;
    SEEDBED_TRY(checkTargetOptions(options));
    SEEDBED_ASSIGN(const auto targets, findTargets(request.targets));
    const std::uint64_t weights =
        request.bundle.network.params.empty() ? 0 : request.bundle.network.params.blob().size_bytes();
    // The tensors once, and up to five bytes of text for each byte of a weight in a C header.
    SEEDBED_TRY(checkPlace(files, place, (targets.size() * 5 + 1) * weights + kSpareBytes));
    SEEDBED_ASSIGN(const std::unique_ptr<Trained> trained, makeTrained(request.bundle, request.engine));
    const PolicyModel& model = trained->model;
    // Whatever a form has no place for is said before the first byte is written.
    std::vector<ProofTarget> forms;
    for (const ExportTarget* target : targets) {
        SEEDBED_ASSIGN(auto made, target->write(model, options));
        forms.push_back({target, std::move(made)});
    }
    SEEDBED_ASSIGN(const GoldenVectors golden, makeGolden(model, *trained->executor));

    ExportOutcome outcome;
    SEEDBED_ASSIGN(FolderWriter folder, FolderWriter::create(files, place));
    SEEDBED_TRY(addNetworks(folder, std::span(&model.bundle.network, 1), model.bundle.squash,
                            model.bundle.reward, model.bundle.provenance,
                            {kExportedPolicyName, kExportedParamsName}));
    SEEDBED_TRY(addText(folder, kSpecName, jsonText(specOf(model))));
    for (const ProofTarget& form : forms) SEEDBED_TRY(addAll(folder, form.files));
    SEEDBED_ASSIGN(const auto golden_bytes, encodeGolden(model, golden));
    SEEDBED_TRY(addAll(folder, {{kGoldenName, golden_bytes}}));

    // What is proven is what lies on the disk.
    std::vector<std::string> names{kExportedPolicyName, kExportedParamsName, kSpecName, kGoldenName,
                                   kParityName};
    for (ProofTarget& form : forms) {
        std::vector<std::string> own;
        for (const ExportFile& file : form.files) own.push_back(file.name);
        names.insert(names.end(), own.begin(), own.end());
        SEEDBED_ASSIGN(form.files, readBack(files, folder.folder(), own));
    }
    SEEDBED_ASSIGN(auto bundle_files, readBack(files, folder.folder(), bundleFiles()));
    auto parity = prove({model, options, forms, std::move(bundle_files), request.engine, request.executor,
                         request.python, request.compiler, request.parity},
                        golden, *trained->executor, outcome.notices);
    if (!parity) {
        Error error = std::move(parity).error();
        if (error.code == ErrorCode::parity)
            error.message +=
                "; nothing was written. Please report it with the checkpoint; another form may still work "
                "(--to)";
        return tl::unexpected<Error>(std::move(error));
    }
    outcome.parity = std::move(*parity);
    SEEDBED_TRY(addText(folder, kParityName, jsonText(outcome.parity)));
    if (request.replay) {
        auto replay = makeReplay(model, *trained->executor, request.parity.seed);
        if (replay) {
            SEEDBED_TRY(addAll(folder, *replay));
            for (const ExportFile& file : *replay) names.push_back(file.name);
        } else {
            outcome.notices.push_back("there is no replay: " + replay.error().message);
        }
    }
    SEEDBED_TRY(addText(folder, kCardName, modelCard(model, options, outcome.parity, names)));
    std::vector<std::string> target_names;
    for (const ExportTarget* target : targets) target_names.push_back(target->id);
    SEEDBED_TRY(folder.finish({{"format", kExportFormat},
                               {"version", kExportVersion},
                               {"seedbed", kVersion},
                               {"targets", target_names},
                               {"options", toJson(options)}}));
    SEEDBED_ASSIGN(const Manifest manifest, readManifest(files, place));
    for (const ManifestFile& file : manifest.files) outcome.files.push_back({file.name, file.bytes});
    outcome.folder = place, outcome.seconds = since(begin);
    return outcome;
}

namespace {

// A damaged folder is a failed proof: exit code 7, like a form that differs.
template <class T>
Result<T> asParity(Result<T> result, bool damaged) {
    if (result || !damaged) return result;
    Error error = std::move(result).error();
    error.code = ErrorCode::parity;
    error.message += "; this is not what was exported, export it again";
    return tl::unexpected<Error>(std::move(error));
}

// Nothing in the folder but what the manifest names, and nothing there but what an export of these forms
// consists of.
Result<> checkNoStrangers(FileSystem& files, const Path& folder, const Manifest& manifest,
                          const std::vector<ProofTarget>& forms) {
    std::set<std::string> known{kExportedPolicyName, kExportedParamsName, kSpecName,
                                kGoldenName,         kParityName,         kCardName};
    for (const char* name : kReplayNames) known.insert(name);
    for (const ProofTarget& form : forms)
        for (const ExportFile& file : form.files) known.insert(file.name);
    const auto stranger = [&](const std::string& name) {
        return fail(ErrorCode::parity, "'" + (folder / name).string() +
                                           "' is not part of the export; remove it or export again");
    };
    for (const ManifestFile& file : manifest.files)
        if (!known.contains(file.name)) return stranger(file.name);
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    for (const FileInfo& entry : entries)
        if (entry.name != kManifestName && manifest.find(entry.name) == nullptr) return stranger(entry.name);
    return {};
}

// The file of a manifest, every byte checked.
Result<ExportFile> checkedFile(FileSystem& files, const Path& folder, const Manifest& manifest,
                               const std::string& name) {
    const ManifestFile* there = manifest.find(name);
    if (there == nullptr)
        return fail(ErrorCode::parity, "'" + (folder / name).string() + "' is missing; export it again");
    SEEDBED_ASSIGN(auto bytes, asParity(readChecked(files, folder, *there), true));
    return ExportFile{name, std::move(bytes)};
}

}  // namespace

Result<VerifyOutcome> verifyExport(FileSystem& files, const VerifyRequest& request) {
    bool damaged = false;
    auto read = readManifest(files, request.folder, &damaged);
    if (!read && damaged) {
        SEEDBED_ASSIGN(const auto there, files.info(request.folder / kManifestName));
        if (!there)
            return fail(ErrorCode::config, "'" + request.folder.string() + "' is no export: it has no " +
                                               std::string(kManifestName));
    }
    SEEDBED_ASSIGN(const Manifest manifest, asParity(std::move(read), damaged));
    const Json& header = manifest.header;
    if (header.value("format", Json()) != kExportFormat)
        return fail(
            ErrorCode::config,
            "'" + request.folder.string() +
                "' is a checkpoint or a stored policy, not an export; make one with 'seedbed export'");
    const Json version = header.value("version", Json());
    if (!version.is_number_integer() || version > kExportVersion)
        return fail(ErrorCode::config,
                    "'" + request.folder.string() + "' was exported by a newer version of Seedbed (" +
                        header.value("seedbed", std::string("unknown")) + "); update Seedbed to check it");
    // Every byte first: what follows reads no file that is not what the manifest says.
    for (const ManifestFile& file : manifest.files) {
        SEEDBED_ASSIGN(CheckedFile checked, CheckedFile::open(files, request.folder, file));
        SEEDBED_TRY(asParity(checked.finish(), true));
    }
    SEEDBED_ASSIGN(const PolicyBundle bundle, loadPolicy(files, request.folder));
    SEEDBED_ASSIGN(const std::unique_ptr<Trained> trained, makeTrained(bundle, request.engine));
    const PolicyModel& model = trained->model;
    SEEDBED_ASSIGN(const TargetOptions options, targetOptionsFromJson(header.value("options", Json())));
    if (!header.contains("targets") || !header["targets"].is_array())
        return fail(ErrorCode::config, "the export names no forms");
    std::vector<std::string> names;
    for (const Json& name : header["targets"])
        if (name.is_string()) names.push_back(name.get<std::string>());
    SEEDBED_ASSIGN(const auto targets, findTargets(names));

    // What this program would write, and what lies there.
    std::vector<ProofTarget> forms;
    for (const ExportTarget* target : targets) {
        SEEDBED_ASSIGN(auto written, target->write(model, options));
        forms.push_back({target, std::move(written)});
    }
    SEEDBED_TRY(checkNoStrangers(files, request.folder, manifest, forms));
    VerifyOutcome outcome;
    outcome.files = manifest.files.size();
    for (ProofTarget& form : forms) {
        bool same = true;
        for (ExportFile& file : form.files) {
            SEEDBED_ASSIGN(ExportFile there, checkedFile(files, request.folder, manifest, file.name));
            same &= there.bytes == file.bytes;
            file = std::move(there);
        }
        if (same) continue;
        const std::string& id = form.target->id;
        if (!request.trust && !form.target->is_data)
            return fail(ErrorCode::parity,
                        "the files of the form '" + id + "' are programs that this version of Seedbed (" +
                            kVersion + ") writes differently than " + options.written_by +
                            " did, so they were not run; if you trust whoever made them, say --trust");
        outcome.notices.push_back(
            "the form '" + id +
            "' is written differently by this version of Seedbed; it was run all the same, " +
            (form.target->is_data ? "because its files are only data" : "because you trust it"));
    }
    std::vector<ExportFile> bundle_files;
    for (const std::string& name : bundleFiles()) {
        SEEDBED_ASSIGN(ExportFile file, checkedFile(files, request.folder, manifest, name));
        bundle_files.push_back(std::move(file));
    }
    const ManifestFile* golden_file = manifest.find(kGoldenName);
    if (golden_file == nullptr)
        return fail(ErrorCode::parity, "the export has no " + std::string(kGoldenName) + "; export it again");
    SEEDBED_ASSIGN(const auto golden_bytes, readChecked(files, request.folder, *golden_file));
    SEEDBED_ASSIGN(const GoldenVectors golden, decodeGolden(model, golden_bytes));
    SEEDBED_ASSIGN(outcome.parity, prove({model, options, forms, std::move(bundle_files), request.engine,
                                          request.executor, request.python, request.compiler, request.parity},
                                         golden, *trained->executor, outcome.notices));
    return outcome;
}

}  // namespace seedbed
