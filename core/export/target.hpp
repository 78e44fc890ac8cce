// SPDX-License-Identifier: Apache-2.0
// The export target seam: one file of core/export/targets per form that a policy can leave in, registered by its last line.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/base/registry.hpp"
#include "core/export/executor.hpp"

namespace seedbed {

// A file of an export folder.
struct ExportFile {
    std::string name;
    std::vector<std::uint8_t> bytes;
};
ExportFile textFile(std::string name, const std::string& text);

// What the user chose; stored in the folder, so that `verify` can make the same files again.
struct TargetOptions {
    std::string profile = "plain";    // names and shapes of ONNX inputs and outputs: plain | unity | godot
    bool with_value = true;           // with the value estimate
    std::string licence = "unknown";  // of the weights, an identifier of the Hugging Face Hub
    bool operator==(const TargetOptions&) const = default;
};
Json toJson(const TargetOptions& options);
// error: config.
Result<TargetOptions> targetOptionsFromJson(const Json& json);

// Something that can run the files of a target, and what it needs for that.
struct ExecutorRequest {
    const PolicyModel& model;  // outlives the executor
    TargetOptions options;
    Path folder;           // holds the target's files and the bundle
    std::string python;    // interpreter to use; "" looks for one (SEEDBED_PYTHON, python3, python)
    std::string compiler;  // "" looks for one (CC, cc, gcc, clang)
};
struct ExecutorEntry {
    std::string id;  // onnxruntime, interpreter, c, numpy, reference
    // error: why it cannot be used here, and what to do about it.
    std::function<Result<std::unique_ptr<Executor>>(const ExecutorRequest&)> open;
};

struct ExportTarget {
    std::string id;  // onnx | safetensors | c
    std::vector<std::string> aliases{};
    std::string help;  // one sentence
    // The same model and options give the same bytes. error: config; names what the form has no place for.
    std::function<Result<std::vector<ExportFile>>(const PolicyModel& model, const TargetOptions& options)> write;
    std::vector<ExecutorEntry> executors{};  // the best proof first; the first one that opens is used
};

Registry<ExportTarget>& exportTargetRegistry();

}  // namespace seedbed

#define SEEDBED_REGISTER_EXPORT_TARGET(name, ...) \
    [[maybe_unused]] static const bool seedbed_export_##name = (::seedbed::exportTargetRegistry().add(__VA_ARGS__), true)
