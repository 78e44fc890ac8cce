// SPDX-License-Identifier: Apache-2.0
// Verifies all targets of a folder: opens an executor for each and checks parity. Internal to core/export.
#pragma once

#include <string>
#include <vector>

#include "core/export/parity.hpp"
#include "core/export/target.hpp"

namespace seedbed {

// A target and its files, as read from the folder.
struct ProofTarget {
    const ExportTarget* target = nullptr;
    std::vector<ExportFile> files;
    bool foreign = false;  // differs from the bytes that this version writes, and the user does not trust the
                           // folder
};

struct ProofRequest {
    const PolicyModel& model;
    TargetOptions options;
    std::vector<ProofTarget> targets;
    std::vector<ExportFile> bundle;  // config.json, model.safetensors, spec.json
    std::string engine, executor, python, compiler;
    ParityOptions parity;
};

// Returns the contents of parity.json. error: parity if a target differs; failure, with the reasons, if no
// executor of a target can be opened.
Result<Json> prove(const ProofRequest& request, const GoldenVectors& golden, Executor& trainer,
                   std::vector<std::string>& notices);

}  // namespace seedbed
