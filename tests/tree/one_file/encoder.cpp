// SPDX-License-Identifier: Apache-2.0
// A new encoder, following the recipe in CONTRIBUTING.md: only this file is needed. It uses the new
// operation.
#include "core/nn/encoder.hpp"

namespace seedbed {
namespace {

const Schema& noParams() {
    static const Schema empty{
        .name = "one_file_encoder", .help = "An encoder that is one file.", .fields = {}};
    return empty;
}

[[maybe_unused]] const bool registered = registerEncoder({
    .id = "one_file_encoder",
    .help = "An encoder that is one file.",
    .params = &noParams(),
    .misfit = [](const ObsLeaf&) { return std::string(); },
    .automatic = [](const ObsLeaf&) { return false; },
    .build = [](PlanBuilder& builder, int x,
                const Json&) { return builder.add("one_file_operation", {.inputs = {x}}); },
});

}  // namespace
}  // namespace seedbed
