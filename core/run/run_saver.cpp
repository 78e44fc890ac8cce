// SPDX-License-Identifier: Apache-2.0
// Intervals, retries and warnings of a run's checkpoints.
#include "core/run/run_saver.hpp"

#include <algorithm>
#include <utility>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr double kShortest = 1;           // seconds between two checkpoints, unless every_s is shorter
constexpr double kRetrySeconds = 2;       // while saving fails
constexpr std::uint64_t kSpaceAhead = 3;  // warned of below this many checkpoints of free space

std::uint64_t bytesOf(const CheckpointData& data) {
    std::uint64_t bytes = std::uint64_t{1} << 20;  // for descriptions and folders
    for (const auto& network : data.networks) bytes += network.params.blob().size_bytes();
    for (const auto& file : data.files) bytes += file.bytes.size();
    return bytes;
}

}  // namespace

RunSaver::RunSaver(FileSystem& files, RunClock& clock, RunWriter& writer, std::filesystem::path data_folder, RunId run)
    : files_(files), clock_(clock), writer_(writer), data_folder_(std::move(data_folder)), run_(run), last_(clock.now()) {}

Result<> RunSaver::begin() {
    CheckpointStore folder(files_, data_folder_, run_);
    SEEDBED_TRY(folder.clean());
    // Rows first: a run that comes back to this checkpoint must find every row before it.
    checkpoints_ = std::make_unique<CheckpointWriter>(
        std::move(folder), Retention{}, [this](const Result<CheckpointSaved>& saved) { done(saved); }, [this] { return writer_.flush(); });
    return {};
}

// On the checkpoint thread.
void RunSaver::done(const Result<CheckpointSaved>& saved) {
    {
        const std::scoped_lock guard(mutex_);
        const bool was_failing = std::exchange(failing_, !saved);
        if (!saved && !was_failing)
            notices_.push_back("a checkpoint could not be saved, earlier ones are untouched and training goes on: " + saved.error().text());
        if (saved && was_failing) notices_.push_back("checkpoints are saved again");
        if (!saved) return;
        cost_ = saved->seconds;
    }
    writer_.checkpoint(CheckpointRecord{.step = saved->info.step,
                                        .time = saved->info.time,
                                        .updates = saved->info.updates,
                                        .folder = saved->info.folder.lexically_relative(data_folder_).string(),
                                        .bytes = static_cast<std::int64_t>(saved->info.bytes),
                                        .params_sha256 = saved->info.params_sha256,
                                        .score = saved->info.score,
                                        .best = saved->info.best,
                                        .milestone = saved->info.milestone});
    if (!saved->removed.empty()) writer_.checkpointsRemoved(saved->removed);
}

double RunSaver::secondsUntilDue(const CheckpointSettings& settings) const {
    double interval = 0;
    {
        const std::scoped_lock guard(mutex_);
        const double share = settings.time_share;
        interval = failing_ ? kRetrySeconds : share > 0 ? std::min(settings.every_s, std::max(kShortest, cost_ / share)) : settings.every_s;
    }
    return std::max(0.0, interval - (clock_.now() - last_));
}

void RunSaver::keepBest(Result<CheckpointData> best) {
    if (best) best_ = std::move(*best);
    else done(tl::unexpected<Error>(std::move(best).error()));
}

bool RunSaver::saveIfDue(const CheckpointSettings& settings, bool now, const std::function<Result<CheckpointData>()>& snapshot) {
    if (!now && !best_ && secondsUntilDue(settings) > 0) return false;
    if (checkpoints_->busy()) return false;  // one at a time; the next update asks again
    const double begin = clock_.now();
    if (!best_ && begin < not_before_) return false;
    const bool best = best_.has_value();
    // A best state that a milestone, a request or a newer snapshot would have to wait for goes first; the next update asks again.
    Result<CheckpointData> data = best ? Result<CheckpointData>(*std::exchange(best_, std::nullopt)) : snapshot();
    if (!data) {
        done(tl::unexpected<Error>(std::move(data).error()));
        last_ = clock_.now(), not_before_ = last_ + kRetrySeconds;
        return false;
    }
    checkSpace(bytesOf(*data));
    SEEDBED_CHECK(checkpoints_->trySubmit(std::move(*data), best));
    last_ = clock_.now();
    stalls_.push_back(last_ - begin);
    return true;
}

void RunSaver::saveFirst(Result<CheckpointData> data) {
    if (!data) return done(tl::unexpected<Error>(std::move(data).error()));
    checkSpace(bytesOf(*data));
    (void)checkpoints_->saveNow(std::move(*data));  // done() has told what went wrong
    last_ = clock_.now();
}

Result<> RunSaver::saveLast(CheckpointData data) {
    const bool best_is_newest = best_ && best_->step == data.step;
    if (best_ && !best_is_newest) SEEDBED_TRY(checkpoints_->saveNow(*std::exchange(best_, std::nullopt), true));
    best_.reset();
    SEEDBED_TRY(checkpoints_->saveNow(std::move(data), best_is_newest));
    return {};
}

// Says so before a checkpoint fails, once until there is room again.
void RunSaver::checkSpace(std::uint64_t bytes) {
    const auto free = files_.freeBytes(data_folder_);
    if (!free) return;
    const bool short_of = *free < kSpaceAhead * bytes;
    if (short_of && !std::exchange(warned_of_space_, true)) {
        const std::scoped_lock guard(mutex_);
        notices_.push_back("the disk is nearly full: a checkpoint needs " + formatBytes(bytes) + " and " + formatBytes(*free) +
                           " are free in '" + data_folder_.string() + "'; free some space");
    }
    if (*free > (kSpaceAhead + 1) * bytes) warned_of_space_ = false;
}

std::vector<std::string> RunSaver::takeNotices() {
    const std::scoped_lock guard(mutex_);
    return std::exchange(notices_, {});
}

bool RunSaver::failing() const {
    const std::scoped_lock guard(mutex_);
    return failing_;
}

}  // namespace seedbed
