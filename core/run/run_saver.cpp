// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_saver.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/mutex.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/resume.hpp"
#include "core/run/run_recorder.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::milliseconds kFlushTimeout{500};  // timeout for writing rows; a working database needs
                                                         // only a few milliseconds
constexpr double kMinInterval = 1;                // seconds between checkpoints, unless every_s is shorter
constexpr double kRetryInterval = 2;              // seconds, while saving fails
constexpr double kNextUpdateFactor = 1.25;        // margin, since the next update may take longer than this
                                                  // one
constexpr std::size_t kSmallBuffer = 1 << 20;     // bytes; smaller buffers are not reused
constexpr std::uint64_t kMinFreeCheckpoints = 3;  // warns when less space is free

std::uint64_t bytesOf(const CheckpointData& data) {
    std::uint64_t bytes = std::uint64_t{1} << 20;  // margin for descriptions and folders
    for (const auto& network : data.networks) bytes += network.params.blob().size_bytes();
    for (const auto& file : data.files) bytes += file.bytes.size();
    return bytes;
}

void removeFile(CheckpointData& data, const std::string& name) {
    std::erase_if(data.files, [&](const CheckpointFile& file) { return file.name == name; });
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
    checkpoints_ = std::make_unique<CheckpointWriter>(
        std::move(folder), Retention{},
        [this](const Result<CheckpointSaved>& saved, CheckpointJob job) { finished(saved, std::move(job)); },
        [this](CheckpointData& data) { addUnsavedRows(data); });
    return {};
}

// Runs on the checkpoint thread. A run that resumes from this checkpoint needs every row before it.
void RunSaver::addUnsavedRows(CheckpointData& data) {
    removeFile(data, kRowsFile);  // removes rows that an earlier attempt added
    if (writer_.health().saving && writer_.flushWithin(kFlushTimeout)) return;
    auto rows = writer_.unsavedRows();
    if (!rows.empty()) data.files.push_back({kRowsFile, std::move(rows)});
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

// Runs on the checkpoint thread.
void RunSaver::finished(const Result<CheckpointSaved>& saved, CheckpointJob job) {
    updateHealth(saved ? Result<>() : Result<>(tl::unexpected<Error>(saved.error())));
    {
        const MutexLock lock(mutex_);
        if (!saved) {
            // Queues the state again, unless a better one is already queued.
            if (job.mark_best && !queued_) queued_ = std::move(job);
            else milestone_failed_ = milestone_failed_ || job.data.milestone;
            return;
        }
        cost_ = saved->seconds;
    }
    for (CheckpointFile& file : job.data.files) {
        provideMemory(file);
        keepBuffer(file);
    }
    writer_.checkpoint(checkpointRecord(saved->info, data_folder_));
    if (!saved->removed.empty()) writer_.checkpointsRemoved(saved->removed);
}

// Touches the memory for the next snapshot in advance, so that training does not wait for the kernel to map
// it: all reserved memory for open windows, which are empty at first, and 1.25 times the last size of the
// session's file.
void RunSaver::provideMemory(CheckpointFile& file) {
    std::vector<std::uint8_t>& bytes = file.bytes;
    if (file.name == kWindowsFile) bytes.resize(bytes.capacity());
    if (file.name == kSessionFile) bytes.resize(std::min(bytes.capacity(), bytes.size() + bytes.size() / 4));
}

void RunSaver::keepBuffer(CheckpointFile& file) {
    const bool is_session = file.name == kSessionFile;
    if (file.bytes.size() < kSmallBuffer || (!is_session && file.name != kWindowsFile)) return;
    const MutexLock lock(mutex_);
    (is_session ? buffers_.session : buffers_.windows) = std::move(file.bytes);
}

SnapshotBuffers RunSaver::takeBuffers() {
    const MutexLock lock(mutex_);
    return std::exchange(buffers_, {});
}

double RunSaver::secondsUntilDue(const CheckpointSettings& settings) const {
    double interval = 0;
    {
        const MutexLock lock(mutex_);
        const double share = settings.time_share;
        // Starts early by the expected writing time (at most half of every_s), so that the checkpoint is
        // complete in time.
        const double longest = settings.every_s - std::min(cost_, settings.every_s / 2);
        interval = failing_    ? kRetryInterval
                   : share > 0 ? std::min(longest, std::max(kMinInterval, cost_ / share))
                               : longest;
    }
    return std::max(0.0, interval - (clock_.now() - last_));
}

void RunSaver::keepBest(Result<CheckpointData> best) {
    if (!best) return updateHealth(tl::unexpected<Error>(std::move(best).error()));
    const MutexLock lock(mutex_);
    best->milestone = best->milestone || (queued_ && queued_->data.milestone);
    queued_ = CheckpointJob{std::move(*best), true};
}

void RunSaver::keepMilestone(CheckpointData milestone) {
    const MutexLock lock(mutex_);
    if (queued_) milestone_failed_ = true;
    else queued_ = CheckpointJob{std::move(milestone), false};
}

bool RunSaver::hasQueued() const {
    const MutexLock lock(mutex_);
    return queued_.has_value();
}

void RunSaver::dropSnapshots() {
    (void)takeQueued();
    (void)takeBuffers();
}

std::optional<CheckpointJob> RunSaver::takeQueued() {
    const MutexLock lock(mutex_);
    return std::exchange(queued_, std::nullopt);
}

RunSaver::Taken RunSaver::saveIfDue(const CheckpointSettings& settings, bool now,
                                    const std::function<Result<CheckpointData>()>& snapshot) {
    const double begin = clock_.now();
    // On the first call, measures from the time when the first state was saved.
    const double update = begin - (called_ >= 0 ? called_ : last_);
    called_ = begin;
    if (checkpoints_->busy()) return Taken::nothing;  // one at a time
    // A queued state is saved before a requested one. While saving fails, the newest state is more important
    // than the queued one.
    std::optional<CheckpointJob> queued = isFailing() ? std::nullopt : takeQueued();
    const bool best = queued && queued->mark_best;
    // The next call is after another update. If every_s would be exceeded then, the checkpoint is due now.
    const bool too_late_then = begin + kNextUpdateFactor * update - last_ > settings.every_s && !isFailing();
    if (!now && !queued && !too_late_then && secondsUntilDue(settings) > 0) return Taken::nothing;
    if (!queued && begin < not_before_) return Taken::nothing;
    Result<CheckpointData> data = queued ? Result<CheckpointData>(std::move(queued->data)) : snapshot();
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
    if (data->milestone) {
        for (CheckpointFile& file : data->files)
            if (file.name == kWindowsFile) keepBuffer(file);
        removeFile(*data, kWindowsFile);
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
    (void)checkpoints_->saveNow(std::move(*data));  // ignored, because finished() adds a notice on failure
    last_ = clock_.now();
}

Result<> RunSaver::saveLast(CheckpointData data, bool is_best) {
    checkpoints_->wait();
    std::optional<CheckpointJob> queued = takeQueued();
    {
        const MutexLock lock(mutex_);
        data.milestone = std::exchange(milestone_failed_, false) || data.milestone;
    }
    if (queued && queued->data.step == data.step) {  // this state is queued
        is_best = is_best || queued->mark_best;
        data.milestone = data.milestone || queued->data.milestone;
        queued.reset();
    }
    // The last state is saved first: the run can resume from it even if saving the queued state fails.
    const auto last = checkpoints_->saveNow(std::move(data), is_best);
    const Result<> result = last.map([](const CheckpointSaved&) {});
    if (!queued) return result;
    const std::string name =
        (queued->mark_best ? "the state of the best evaluation (step " : "a milestone (step ") +
        std::to_string(queued->data.step) + ")";
    const auto saved = checkpoints_->saveNow(std::move(queued->data), queued->mark_best);
    if (saved) return result;
    const std::string lost = name + " could not be saved: " + saved.error().text();
    return result ? fail(saved.error().code, "the newest state is saved, but " + lost)
                  : fail(result.error().code, result.error().text() + "; also " + lost);
}

// Warns once when a checkpoint may soon fail for lack of space, and again only after space was freed.
void RunSaver::checkSpace(std::uint64_t bytes) {
    const auto free = files_.freeBytes(data_folder_);
    if (!free) return;
    const bool short_of = *free < kMinFreeCheckpoints * bytes;
    if (short_of && !std::exchange(warned_of_space_, true)) {
        const MutexLock lock(mutex_);
        notices_.push_back("the disk is nearly full: a checkpoint needs " + formatBytes(bytes) + " and " +
                           formatBytes(*free) + " is free in '" + data_folder_.string() +
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
    return failing_ || queued_ || checkpoints_->busy();
}

}  // namespace seedbed
