// SPDX-License-Identifier: Apache-2.0
// Verified exports: writes the requested targets, compares each with the trained network, and only then
// creates the folder.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/export/parity.hpp"
#include "core/export/target.hpp"

namespace seedbed {

inline constexpr const char* kParityName = "parity.json";
inline constexpr const char* kCardName = "README.md";
// Value of `format` in the manifest of an export folder.
inline constexpr const char* kExportFormat = "seedbed-export";
inline constexpr int kExportVersion = 1;

// The policy to export and the options of the export.
struct ExportRequest {
    PolicyBundle bundle;
    std::string source;                        // name given by the user: "3:best"
    std::vector<std::string> targets{"onnx"};  // ids of registered targets
    TargetOptions options;
    Path folder;                       // must be empty if it exists
    std::string engine = "reference";  // runs the trained network for the comparison
    std::string executor;              // "": the best available engine
    std::string python, compiler;      // paths; "": search for them
    ParityOptions parity;
    bool replay = true;  // write replay.gif and thumbnail.png, if this program has the environment
};

struct ExportedFile {
    std::string name;
    std::uint64_t bytes = 0;
};

// The result; `parity` is the contents of parity.json.
struct ExportOutcome {
    Path folder;
    std::vector<ExportedFile> files;
    Json parity;
    std::vector<std::string> notices;  // one sentence each, for example executors that could not be used
    double seconds = 0;
};

// Exports a policy; calls request.parity.progress on the calling thread. error: parity (exit code 7) if a
// target differs; config, device, disk_full, interrupted and others, with cause and remedy. After an error
// the folder does not exist.
Result<ExportOutcome> exportPolicy(FileSystem& files, const ExportRequest& request);

struct VerifyRequest {
    Path folder;
    std::string engine = "reference";
    std::string executor, python, compiler;
    // Runs programs from the folder (a C header, policy.py), and runs model files in other programs
    // (onnxruntime), even if this version would have written different bytes. Only for trusted folders. If
    // false, Seedbed's own interpreter runs a model file that differs.
    bool trust = false;
    ParityOptions parity;
};

struct VerifyOutcome {
    Json parity;  // contents of a new parity.json
    std::vector<std::string> notices;
    std::size_t files = 0;  // number of checked files
};

// Repeats the verification of a folder that exportPolicy() wrote: checks sizes and SHA-256 of all files, then
// golden vectors and episodes for each target. error: parity, with file or output, if a byte was changed or a
// target differs; config if the folder is not an export.
Result<VerifyOutcome> verifyExport(FileSystem& files, const VerifyRequest& request);

}  // namespace seedbed
