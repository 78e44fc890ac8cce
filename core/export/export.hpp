// SPDX-License-Identifier: Apache-2.0
// Export with proof: writes the forms that were asked for, runs each beside the trained network, and only
// then lets the folder appear.
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
inline constexpr const char* kExportFormat =
    "seedbed-export";  // in the manifest of a folder that exportPolicy() wrote
inline constexpr int kExportVersion = 1;

// What a dialog or a command line asks for.
struct ExportRequest {
    PolicyBundle bundle;
    std::string source;                        // what the user named: "3:best"
    std::vector<std::string> targets{"onnx"};  // registered ones, each once
    TargetOptions options;
    Path folder;                       // must not exist, or be empty
    std::string engine = "reference";  // the trained network's side of the proof
    std::string executor;              // "" takes the best one that is here
    std::string python, compiler;      // "" looks for them
    ParityOptions parity;
    bool replay = true;  // replay.gif and thumbnail.png, when the environment is here
};

struct ExportedFile {
    std::string name;
    std::uint64_t bytes = 0;
};

// What to show afterwards; `parity` is parity.json.
struct ExportOutcome {
    Path folder;
    std::vector<ExportedFile> files;
    Json parity;
    std::vector<std::string> notices;  // one sentence each: executors passed over, no replay
    double seconds = 0;
};

// One call for command line and window; progress comes through request.parity.progress on the calling thread.
// error: parity (7) when a form differs; config, device, disk_full, interrupted and others with cause and
// remedy. In all these cases nothing was written.
Result<ExportOutcome> exportPolicy(FileSystem& files, const ExportRequest& request);

struct VerifyRequest {
    Path folder;
    std::string engine = "reference";
    std::string executor, python, compiler;
    // Runs model files even when this program would have written other bytes: a C header is compiled and run.
    // Only for folders from people you trust.
    bool trust = false;
    ParityOptions parity;
};

struct VerifyOutcome {
    Json parity;  // as parity.json, made now
    std::vector<std::string> notices;
    std::size_t files = 0;  // whose bytes were checked
};

// Repeats the proof of a folder that exportPolicy() wrote, wherever it is: sizes and SHA-256 of all files,
// then golden vectors and episodes for each form. error: parity when a byte was changed or a form differs
// (names file or output); config when it is no export.
Result<VerifyOutcome> verifyExport(FileSystem& files, const VerifyRequest& request);

}  // namespace seedbed
