// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_saver.hpp"

#include <algorithm>
#include <utility>

#include "core/base/mutex.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/resume.hpp"

namespace seedbed {
namespace {

constexpr double kMinInterval = 1;                // seconds between checkpoints, unless every_s is shorter
constexpr double kRetryInterval = 2;              // seconds, while saving fails
constexpr double kNextUpdateFactor = 1.25;        // the next update may take longer than this one
constexpr std::uint64_t kMinFreeCheckpoints = 3;  // warns when less space is free

std::uint64_t bytesOf(const CheckpointData& data) {
    std::uint64_t bytes = std::uint64_t{1} << 20;  // for descriptions and folders
    for (const auto& network : data.networks) bytes += network.params.blob().size_bytes();
    for (const auto& file : data.files) bytes += file.bytes.size();
    return bytes;
}

CheckpointRecord rowOf(const CheckpointInfo& info, const std::filesystem::path& data_folder) {
    return {.step = info.step,
            .time = info.time,
            .updates = info.updates,
            .folder = info.folder.lexically_relative(data_folder).string(),
            .bytes = static_cast<std::int64_t>(info.bytes),
            .params_sha256 = info.params_sha256,
            .score = info.score,
            .best = info.best,
            .milestone = info.milestone};
}

}  // namespace

RunSaver::RunSaver(FileSystem& files, RunClock& clock, RunWriter& writer, std::filesystem::path data_folder,
                   RunId run)
    : files_(files),
      clock_(clock),
      writer_(writer),
      data_folder_(std::move(data_folder)),
      run_(run),
      last_(clock.now()) {}

Result<> RunSaver::begin() {
    CheckpointStore folder(files_, data_folder_, run_, clock_.seam());
    SEEDBED_TRY(folder.clean());
    // Rows first: a run that resumes from this checkpoint needs every row before it.
    checkpoints_ = std::make_unique<CheckpointWriter>(
        std::move(folder), Retention{.spare = kWindowsFile},
        [this](const Result<CheckpointSaved>& saved, CheckpointJob job) { finished(saved, std::move(job)); },
        [this] { return writer_.flush(); });
    return {};
}

void RunSaver::updateHealth(const Result<>& result) {
    const MutexLock lock(mutex_);
    const bool was_failing = std::exchange(failing_, !result);
    if (!result && !was_failing)
        notices_.push_back(
            "a checkpoint could not be saved; earlier ones are intact and training continues: " +
            result.error().text());
    if (result && was_failing) notices_.push_back("checkpoints are saved again");
}

// On the checkpoint thread.
void RunSaver::finished(const Result<CheckpointSaved>& saved, CheckpointJob job) {
    updateHealth(saved ? Result<>() : Result<>(tl::unexpected<Error>(saved.error())));
    {
        const MutexLock lock(mutex_);
        if (!saved) {
            milestone_failed_ = milestone_failed_ || job.data.milestone;
            if (job.mark_best) returned_ = std::move(job.data);
            return;
        }
        cost_ = saved->seconds;
    }
    writer_.checkpoint(rowOf(saved->info, data_folder_));
    for (const CheckpointInfo& info : saved->smaller) writer_.checkpoint(rowOf(info, data_folder_));
    if (!saved->removed.empty()) writer_.checkpointsRemoved(saved->removed);
}

double RunSaver::secondsUntilDue(const CheckpointSettings& settings) const {
    double interval = 0;
    {
        const MutexLock lock(mutex_);
        const double share = settings.time_share;
        // Starts earlier by the expected writing time (at most half of every_s), to be complete in time.
        const double longest = settings.every_s - std::min(cost_, settings.every_s / 2);
        interval = failing_    ? kRetryInterval
                   : share > 0 ? std::min(longest, std::max(kMinInterval, cost_ / share))
                               : longest;
    }
    return std::max(0.0, interval - (clock_.now() - last_));
}

std::optional<std::int64_t> RunSaver::keepBest(Result<CheckpointData> best) {
    std::optional<std::int64_t> given_up;
    if (!best) {
        updateHealth(tl::unexpected<Error>(std::move(best).error()));
        return given_up;
    }
    // A state that is no longer the best may still be a milestone.
    if (best_ && best_->milestone && milestone_) given_up = best_->step;
    else if (best_ && best_->milestone) milestone_ = std::move(best_);
    best_ = std::move(*best);
    return given_up;
}

void RunSaver::keepMilestone(CheckpointData milestone) {
    SEEDBED_CHECK(!milestone_);
    milestone_ = std::move(milestone);
}

// A best state that could not be saved is queued again, unless a better one is.
void RunSaver::requeueReturned() {
    const MutexLock lock(mutex_);
    if (returned_ && !best_) best_ = std::move(returned_);
    returned_.reset();
}

RunSaver::Taken RunSaver::saveIfDue(const CheckpointSettings& settings, bool now,
                                    const std::function<Result<CheckpointData>()>& snapshot) {
    const double begin = clock_.now();
    // The first call: since the first state was saved.
    const double update = begin - (called_ >= 0 ? called_ : last_);
    called_ = begin;
    if (checkpoints_->busy()) return Taken::nothing;  // one at a time
    requeueReturned();
    // Queued states go first, also before a request. While saving fails, the newest state matters most.
    const bool best = best_ && !isFailing();
    const bool milestone = !best && milestone_ && !isFailing();
    const bool queued = best || milestone;
    // The next call comes after another update. If that would exceed every_s, the checkpoint is due now.
    const bool too_late_then = begin + kNextUpdateFactor * update - last_ > settings.every_s && !isFailing();
    if (!now && !queued && !too_late_then && secondsUntilDue(settings) > 0) return Taken::nothing;
    if (!queued && begin < not_before_) return Taken::nothing;
    Result<CheckpointData> data =
        queued ? Result<CheckpointData>(*std::exchange(best ? best_ : milestone_, std::nullopt)) : snapshot();
    if (!data) {
        updateHealth(tl::unexpected<Error>(std::move(data).error()));
        last_ = clock_.now();
        not_before_ = last_ + kRetryInterval;
        return Taken::nothing;
    }
    if (!queued) {
        const MutexLock lock(mutex_);
        data->milestone = std::exchange(milestone_failed_, false) || data->milestone;
    }
    checkSpace(bytesOf(*data));
    SEEDBED_CHECK(checkpoints_->trySubmit(std::move(*data), best));
    last_ = clock_.now();
    stalls_.push_back(last_ - begin);
    return queued ? Taken::queued : Taken::snapshot;
}

void RunSaver::saveFirst(Result<CheckpointData> data) {
    if (!data) return updateHealth(tl::unexpected<Error>(std::move(data).error()));
    checkSpace(bytesOf(*data));
    (void)checkpoints_->saveNow(std::move(*data));  // finished() adds a notice on failure
    last_ = clock_.now();
}

Result<> RunSaver::saveLast(CheckpointData data, bool is_best) {
    checkpoints_->wait();
    requeueReturned();
    {
        const MutexLock lock(mutex_);
        data.milestone = std::exchange(milestone_failed_, false) || data.milestone;
    }
    const std::int64_t step = data.step;
    // Queued states of the same step are this state.
    if (best_ && best_->step == step) {
        is_best = true;
        data.milestone = data.milestone || best_->milestone;
        best_.reset();
    }
    if (milestone_ && milestone_->step == step) {
        data.milestone = true;
        milestone_.reset();
    }
    // The last state first: the run can resume from it whatever happens to the others.
    const auto last = checkpoints_->saveNow(std::move(data), is_best);
    Result<> result = last.map([](const CheckpointSaved&) {});
    const auto saveKept = [&](std::optional<CheckpointData>& kept, bool mark_best, const std::string& what) {
        if (!kept) return;
        const std::string name = what + " (step " + std::to_string(kept->step) + ")";
        const auto saved = checkpoints_->saveNow(*std::exchange(kept, std::nullopt), mark_best);
        if (saved) return;
        const std::string lost = name + " could not be saved: " + saved.error().text();
        result = result ? fail(saved.error().code, "the newest state is saved, but " + lost)
                        : fail(result.error().code, result.error().text() + "; also " + lost);
    };
    saveKept(best_, true, "the state of the best evaluation");
    saveKept(milestone_, false, "a milestone");
    return result;
}

// Warns before a checkpoint fails for lack of space; once, until there is enough again.
void RunSaver::checkSpace(std::uint64_t bytes) {
    const auto free = files_.freeBytes(data_folder_);
    if (!free) return;
    const bool short_of = *free < kMinFreeCheckpoints * bytes;
    if (short_of && !std::exchange(warned_of_space_, true)) {
        const MutexLock lock(mutex_);
        notices_.push_back("the disk is nearly full: a checkpoint needs " + formatBytes(bytes) + " and " +
                           formatBytes(*free) + " are free in '" + data_folder_.string() +
                           "'; free some space");
    }
    if (*free > (kMinFreeCheckpoints + 1) * bytes) warned_of_space_ = false;
}

std::vector<std::string> RunSaver::takeNotices() {
    const MutexLock lock(mutex_);
    return std::exchange(notices_, {});
}

bool RunSaver::isFailing() const {
    const MutexLock lock(mutex_);
    return failing_;
}

bool RunSaver::isPending() const {
    const MutexLock lock(mutex_);
    return failing_ || best_ || milestone_ || returned_ || checkpoints_->busy();
}

}  // namespace seedbed
