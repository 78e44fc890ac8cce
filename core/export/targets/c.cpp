// SPDX-License-Identifier: Apache-2.0
// Target `c`: one C99 header with the weights, and a small example that uses it.
#include "core/export/c_source.hpp"
#include "core/export/executors/compiled_c.hpp"

namespace seedbed {

namespace {

Result<std::vector<ExportFile>> writeC(const PolicyModel& model, const TargetOptions& options) {
    // A compiler needs some hundred bytes of memory for each number of an array.
    constexpr std::size_t kMostNumbers = 20'000'000;
    if (model.plan.param_floats > kMostNumbers)
        return fail(
            ErrorCode::config,
            "the network has more than 20 million numbers, too many for a C header; export it to onnx");
    return std::vector<ExportFile>{textFile(kHeaderName, cHeader(model, options)),
                                   textFile("policy_example.c", cExample(model, options))};
}

}  // namespace

SEEDBED_REGISTER_EXPORT_TARGET(
    c, {.id = "c",
        .aliases = {"c-header"},
        .help = "One C99 header with the weights, for everything that has a C compiler.",
        .write = writeC,
        .executors = {{"c", openCompiledC}}});

}  // namespace seedbed
