// SPDX-License-Identifier: Apache-2.0
#include "core/embed/export_policy.hpp"

#include <utility>

#include "core/export/export.hpp"
#include "core/export/target.hpp"

namespace seedbed {

Result<> exportTo(const Path& folder, const std::string& target, PolicyBundle bundle) {
    SEEDBED_ASSIGN(const ExportTarget* known, exportTargetRegistry().get(target, "export target"));
    ExportRequest request;
    request.bundle = std::move(bundle);
    request.source = "the trainer of a host program";
    request.targets = {known->id};
    request.folder = folder;
    request.engine = "native";
    for (const ExecutorEntry& executor : known->executors)
        if (!executor.needs_python && request.executor.empty()) request.executor = executor.id;
    request.parity.episodes = 0;  // the host's environment cannot be played separately
    request.replay = false;
    RealFileSystem files(FileAccess::umask);
    SEEDBED_ASSIGN([[maybe_unused]] const ExportOutcome outcome, exportPolicy(files, request));
    return {};
}

}  // namespace seedbed
