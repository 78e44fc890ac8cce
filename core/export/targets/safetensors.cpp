// SPDX-License-Identifier: Apache-2.0
// Target `safetensors`: the tensors and the description that every export folder contains, and a Python
// program that runs them.
#include "core/export/executors/numpy_policy.hpp"
#include "core/export/executors/python.hpp"
#include "core/export/executors/reread.hpp"

namespace seedbed {

namespace {

constexpr const char* kNumpyName = "policy.py";

Result<std::vector<ExportFile>> writeSafetensors(const PolicyModel&, const TargetOptions&) {
    return std::vector<ExportFile>{textFile(kNumpyName, kNumpyPolicy)};
}

}  // namespace

SEEDBED_REGISTER_EXPORT_TARGET(
    safetensors,
    {.id = "safetensors",
     .aliases = {"tensors"},
     .order = 2,
     .title = "safetensors: other training programs, and import into Seedbed",
     .sentence = "Plain weights with a description of the network, and a Python program that runs them.",
     .files = {kNumpyName},
     .write = writeSafetensors,
     .executors = {
         {"numpy", openNumpy, "", true},
         {"reference", openReread, "policy.py was not run, only the tensors and their description"}}});

}  // namespace seedbed
