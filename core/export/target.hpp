// SPDX-License-Identifier: Apache-2.0
// The export target seam: one file of core/export/targets per form that a policy can leave in, registered by
// its last line.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/base/registry.hpp"
#include "core/base/version.hpp"
#include "core/export/executor.hpp"
#include "core/export/export_option.hpp"

namespace seedbed {

// What of a policy is more than its weights: interface and operations; every export folder has it.
inline constexpr const char* kSpecName = "spec.json";

// A file of an export folder.
struct ExportFile {
    std::string name;
    std::vector<std::uint8_t> bytes;
};
ExportFile textFile(std::string name, const std::string& text);
// error: names the file that is missing.
Result<const ExportFile*> findFile(std::span<const ExportFile> files, const std::string& name);

// What the user chose; stored in the folder, so that `verify` can make the same files again.
struct TargetOptions {
    std::string profile = "plain";    // names and shapes of ONNX inputs and outputs: plain | unity | godot
    bool with_value = true;           // with the value estimate
    std::string licence = "unknown";  // of the weights, an identifier of the Hugging Face Hub
    std::string prefix =
        "policy";  // of all names in a C header, so that one program can have several: [a-z][a-z0-9_]*
    // Who writes, and where the environment comes from: texts in the files that a later version of Seedbed
    // repeats.
    std::string written_by = kVersion;
    std::string environment_version{};
    bool operator==(const TargetOptions&) const = default;
};
Json toJson(const TargetOptions& options);
// error: config.
Result<TargetOptions> targetOptionsFromJson(const Json& json);
// error: config; names what cannot be.
Result<> checkTargetOptions(const TargetOptions& options);

// Something that can run the files of a target, and what it needs for that.
struct ExecutorRequest {
    const PolicyModel& model;  // outlives the executor
    TargetOptions options;
    std::vector<ExportFile>
        files;  // the target's, the bundle's two and spec.json: all that an executor may see of the folder
    std::string python;    // interpreter to use; "" looks for one (SEEDBED_PYTHON, python3, python)
    std::string compiler;  // with its options, split at blanks; "" looks for one (CC, cc, gcc, clang)
    std::stop_token stop{};
};
struct ExecutorEntry {
    std::string id;  // onnxruntime, interpreter, c, numpy, reference
    // error: why it cannot be used here, and what to do about it.
    std::function<Result<std::unique_ptr<Executor>>(const ExecutorRequest&)> open;
    std::string not_proven{};  // what of the form it leaves unproven, as a sentence; for parity.json
};

struct ExportTarget {
    std::string id;  // onnx | safetensors | c
    std::vector<std::string> aliases{};
    int order = 0;                        // position in lists for people
    std::string title;                    // what it is, and who wants it
    std::string sentence;                 // one line of help
    std::vector<std::string> files{};     // that it writes, besides those of every export folder
    std::vector<ExportOption> options{};  // of its own, besides commonExportOptions()
    // The same model and options give the same bytes. error: config; names what the form has no place for.
    std::function<Result<std::vector<ExportFile>>(const PolicyModel& model, const TargetOptions& options)>
        write;
    std::vector<ExecutorEntry> executors{};  // the best proof first; the first one that opens is used
    bool is_data =
        false;  // its files are read and computed with; the others are programs, compiled or loaded
};

Registry<ExportTarget>& exportTargetRegistry();
// All targets by `order`.
std::vector<const ExportTarget*> exportTargets();
// {id, aliases, title, sentence, files, options}; `options` includes the common ones.
Json toJson(const ExportTarget& target);
// The option of this id, of any target or common; it must exist.
const ExportOption& exportOption(const std::string& id);

}  // namespace seedbed

#define SEEDBED_REGISTER_EXPORT_TARGET(name, ...)              \
    [[maybe_unused]] static const bool seedbed_export_##name = \
        (::seedbed::exportTargetRegistry().add(__VA_ARGS__), true)
