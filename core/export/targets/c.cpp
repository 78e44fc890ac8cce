// SPDX-License-Identifier: Apache-2.0
// Target `c`: one C99 header with the weights, and a small example that uses it.
#include "core/export/c_programs.hpp"
#include "core/export/c_source.hpp"
#include "core/export/executors/compiled_c.hpp"

namespace seedbed {

namespace {

constexpr const char* kExampleName = "policy_example.c";

Result<std::vector<ExportFile>> writeC(const PolicyModel& model, const TargetOptions& options) {
    // Compilers need a few hundred bytes of memory per array element.
    constexpr std::size_t kMaxNumbers = 20'000'000;
    if (model.plan.param_floats > kMaxNumbers)
        return fail(
            ErrorCode::config,
            "the network has more than 20 million parameters, too many for a C header; export it to onnx");
    SEEDBED_ASSIGN(const std::string header, cHeader(model, options));
    return std::vector<ExportFile>{textFile(kHeaderName, header),
                                   textFile(kExampleName, cExample(model, options))};
}

}  // namespace

SEEDBED_REGISTER_EXPORT_TARGET(c, {.id = "c",
                                   .aliases = {"c-header"},
                                   .order = 3,
                                   .title = "C header: microcontrollers and programs without libraries",
                                   .sentence = "One C99 file that allocates no memory and needs only math.h.",
                                   .files = {kHeaderName, kExampleName},
                                   .options = {valueEstimateOption(),
                                               {.id = "prefix",
                                                .argument = "--prefix",
                                                .kind = ExportOption::Kind::text,
                                                .title = "Prefix of the names",
                                                .help = "Prefix of all names in the C header",
                                                .default_value = TargetOptions{}.prefix,
                                                .pattern = "[A-Za-z][A-Za-z0-9_]{0,39}"}},
                                   .write = writeC,
                                   .executors = {{"c", openCompiledC}}});

}  // namespace seedbed
