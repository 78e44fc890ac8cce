// SPDX-License-Identifier: Apache-2.0
// A new export target, following the recipe in CONTRIBUTING.md: only this file is needed.
#include "core/export/executors/reread.hpp"
#include "core/export/target.hpp"

namespace seedbed {
namespace {

Result<std::vector<ExportFile>> writeOneFile(const PolicyModel&, const TargetOptions&) {
    return std::vector<ExportFile>{textFile("one_file.txt", "one file\n")};
}

SEEDBED_REGISTER_EXPORT_TARGET(one_file_target, {.id = "one_file_target",
                                                 .aliases = {},
                                                 .order = 99,
                                                 .title = "One file",
                                                 .sentence = "A target that is one file.",
                                                 .files = {"one_file.txt"},
                                                 .write = writeOneFile,
                                                 .executors = {{"reference", openReread}}});

}  // namespace
}  // namespace seedbed
