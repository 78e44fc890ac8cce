// SPDX-License-Identifier: Apache-2.0
// The proof of all forms in one folder: opens an executor for each and runs the gate. Inner part of core/export.
#pragma once

#include <string>
#include <vector>

#include "core/export/parity.hpp"
#include "core/export/target.hpp"

namespace seedbed {

struct ProofRequest {
    const PolicyModel& model;
    TargetOptions options;
    std::vector<const ExportTarget*> targets;
    Path folder;  // holds the files
    std::string engine, executor, python, compiler;
    ParityOptions parity;
};

// Compares with `golden`; parity.json. error: parity when a form differs, failure when no executor can be opened (says why).
Result<Json> prove(const ProofRequest& request, const GoldenVectors& golden, Executor& trainer, std::vector<std::string>& notices);

}  // namespace seedbed
