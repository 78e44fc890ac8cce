// SPDX-License-Identifier: Apache-2.0
#include "core/run/run.hpp"

#include <utility>

#include "core/run/training_run.hpp"

namespace seedbed {

Result<RunOutcome> trainRun(const RunRequest& request, RunObserver& observer, std::stop_token stop,
                            FileSystem& files, const Clock& clock) {
    TrainingRun run(request.data_folder, observer, std::move(stop), files, clock, request.row_queue_bytes);
    return run.train(request);
}

Result<RunOutcome> resumeRun(const ResumeRequest& request, RunObserver& observer, std::stop_token stop,
                             FileSystem& files, const Clock& clock) {
    TrainingRun run(request.data_folder, observer, std::move(stop), files, clock,
                    RunWriterOptions{}.queue_bytes);
    return run.resume(request);
}

}  // namespace seedbed
