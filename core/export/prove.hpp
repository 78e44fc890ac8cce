// SPDX-License-Identifier: Apache-2.0
// The proof of all forms in one folder: opens an executor for each and runs the gate. Inner part of
// core/export.
#pragma once

#include <string>
#include <vector>

#include "core/export/parity.hpp"
#include "core/export/target.hpp"

namespace seedbed {

// A form and its files, as they lie in the folder: checked, or just written.
struct ProofTarget {
    const ExportTarget* target = nullptr;
    std::vector<ExportFile> files;  // its own
};

struct ProofRequest {
    const PolicyModel& model;
    TargetOptions options;
    std::vector<ProofTarget> targets;
    std::vector<ExportFile> bundle;  // config.json, model.safetensors, spec.json
    std::string engine, executor, python, compiler;
    ParityOptions parity;
};

// Compares with `golden`; parity.json. error: parity when a form differs, failure when no executor can be
// opened (says why).
Result<Json> prove(const ProofRequest& request, const GoldenVectors& golden, Executor& trainer,
                   std::vector<std::string>& notices);

}  // namespace seedbed
