// SPDX-License-Identifier: Apache-2.0
// Interface of export targets. Each file in core/export/targets registers one target.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/os/files.hpp"
#include "core/base/registry.hpp"
#include "core/base/version.hpp"
#include "core/export/executor.hpp"
#include "core/export/export_option.hpp"
#include "core/export/golden.hpp"

namespace seedbed {

// Describes the interface and the operations of the network; present in every export folder.
inline constexpr const char* kSpecName = "spec.json";

// A file of an export folder.
struct ExportFile {
    std::string name;
    std::vector<std::uint8_t> bytes;
};
ExportFile textFile(std::string name, const std::string& text);
// error: the file is missing.
Result<const ExportFile*> findFile(std::span<const ExportFile> files, const std::string& name);

// Options that the user chose; stored in the folder, so that `verify` can recreate the same files.
struct TargetOptions {
    std::string profile = "plain";    // names and shapes of ONNX inputs and outputs: plain | unity | godot
    bool with_value = true;           // include the value estimate
    std::string licence = "unknown";  // licence of the weights, a Hugging Face Hub identifier
    std::string prefix = "policy";    // prefix of all names in a C header, so that a program can include
                                      // several: [a-z][a-z0-9_]*
    std::string written_by = kVersion;
    std::string environment_version{};
    bool operator==(const TargetOptions&) const = default;
};
Json toJson(const TargetOptions& options);
// error: config.
Result<TargetOptions> targetOptionsFromJson(const Json& json);
// error: config; names the invalid option.
Result<> checkTargetOptions(const TargetOptions& options);

// Input for opening an executor.
struct ExecutorRequest {
    const PolicyModel& model;  // must outlive the executor
    TargetOptions options;
    std::vector<ExportFile> files;  // files of the target, config.json, model.safetensors and spec.json;
                                    // other files are not used
    std::string python;             // interpreter; "" searches for one (SEEDBED_PYTHON, python3, python)
    std::string compiler;           // command with options, split at spaces; "" searches for one (CC, cc,
                                    // gcc, clang)
    std::stop_token stop{};
};
struct ExecutorEntry {
    std::string id;  // onnxruntime, interpreter, c, numpy, reference
    // error: why the executor cannot be used on this machine, with a remedy.
    std::function<Result<std::unique_ptr<Executor>>(const ExecutorRequest&)> open;
    std::string not_proven{};  // sentence for parity.json about the parts that this executor does not verify
    bool needs_python = false;
    bool needs_trust =
        false;  // uses another program, which runs files not written by Seedbed only with --trust
};

struct ExportTarget {
    std::string id;  // onnx | safetensors | c
    std::vector<std::string> aliases{};
    int order = 0;                        // sort key in displayed lists
    std::string title;                    // name and purpose
    std::string sentence;                 // one line of help
    std::vector<std::string> files{};     // files that this target writes, in addition to those in every
                                          // folder
    std::vector<ExportOption> options{};  // options in addition to commonExportOptions()
    // Deterministic: the same model and options give the same bytes. error: config; names what the target
    // does not support.
    std::function<Result<std::vector<ExportFile>>(const PolicyModel& model, const TargetOptions& options)>
        write;
    // Adds the golden vectors to the files of `write`, for files that compare themselves; may be empty.
    std::function<Result<>(const PolicyModel& model, const GoldenVectors& golden,
                           std::vector<ExportFile>& files)>
        add_golden{};
    std::vector<ExecutorEntry> executors{};  // the strongest check first; the first one that opens is used
    bool is_data = false;  // the files are data; otherwise they are programs, which are compiled or loaded
};

Registry<ExportTarget>& exportTargetRegistry();
// All targets by `order`.
std::vector<const ExportTarget*> exportTargets();
// {id, aliases, title, sentence, files, options}; `options` includes the common ones.
Json toJson(const ExportTarget& target);
// The option with this id, which must exist, of any target or common to all targets.
const ExportOption& exportOption(const std::string& id);

}  // namespace seedbed

#define SEEDBED_REGISTER_EXPORT_TARGET(name, ...)              \
    [[maybe_unused]] static const bool seedbed_export_##name = \
        (::seedbed::exportTargetRegistry().add(__VA_ARGS__), true)
