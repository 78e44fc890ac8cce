// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_segment.hpp"

#include <chrono>
#include <functional>
#include <utility>

#include "core/run/build_info.hpp"
#include "core/run/saving/catch_up.hpp"
#include "core/store/store.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::milliseconds kOwnerTimeout{1000};      // maximum wait for the run's owner
constexpr std::chrono::milliseconds kShortLockTimeout{1000};  // maximum wait for the database lock

}  // namespace

RunSegment::RunSegment(std::filesystem::path data_folder, const System& system, RunClock& clock,
                       std::stop_token stop, const StopBudget& stop_budget, std::size_t row_queue_bytes)
    : data_folder_(std::move(data_folder)),
      system_(system),
      clock_(clock),
      stop_(std::move(stop)),
      stop_budget_(stop_budget),
      row_queue_bytes_(row_queue_bytes),
      events_(event_files_, clock) {}

void RunSegment::own(RunId id, std::optional<RunLock> lock) {
    id_ = id;
    lock_ = std::move(lock);
    is_recorded_ = true;
}

Result<> RunSegment::acquire(RunId id) {
    id_ = id;
    SEEDBED_ASSIGN(lock_, RunLock::acquireWithin(kOwnerTimeout, data_folder_, id, system_));
    return catchUp(system_, data_folder_, *lock_);
}

Result<> RunSegment::open(const RunProgress& begin, const SessionPlan& plan, const Json& document) {
    // While a segment is open, the caller can apply requests between two attempts.
    std::function<bool(std::chrono::milliseconds)> keep_waiting;
    if (isOpen()) keep_waiting = [](auto waited) { return waited < kShortLockTimeout; };
    SEEDBED_ASSIGN(Store store, Store::open(data_folder_, std::move(keep_waiting), system_));
    ProcessInfo process = processInfo(plan.threads);
    process.other["engine"] = plan.engine.id;
    SEEDBED_ASSIGN([[maybe_unused]] const SegmentRecord segment,
                   store.beginSegment(*lock_, begin.steps, process, document, SettingSource::resume, begin));
    is_recorded_ = true;
    close();

    RunWriterOptions options;
    options.system = system_;
    options.stop = stop_;
    options.stop_budget = &stop_budget_;
    options.queue_bytes = row_queue_bytes_;
    options.on_health = writer_notices_.listener();
    const TrainingConfig& config = plan.config;
    if (!config.run.tensorboard.empty()) {
        events_.open(Path(config.run.tensorboard) / eventFolderName(id_, config.env_id, config.algo_id),
                     begin.steps);
        options.on_points = [this](std::int64_t step, double time, std::span<const MetricValue> values) {
            events_.add(step, time, values);
        };
    }
    SEEDBED_ASSIGN(writer_, RunWriter::open(data_folder_, *lock_, options));
    saver_ = std::make_unique<RunSaver>(*system_.files, clock_, *writer_, data_folder_, id_);
    return {};
}

Result<> RunSegment::openAfter(CheckpointStore& folder, const RunProgress& begin, const SessionPlan& plan,
                               const Json& document) {
    SEEDBED_ASSIGN(const auto superseded, folder.supersedeAfter(begin.steps));
    Result<> opened = open(begin, plan, document);
    if (opened) return opened;
    if (auto restored = folder.restoreSuperseded(superseded); !restored)
        opened.error().message +=
            "; newer checkpoints of the run keep the suffix '.superseded': " + restored.error().text();
    return opened;
}

void RunSegment::close() {
    saver_.reset();
    writer_.reset();
    events_.close();
}

std::vector<std::string> RunSegment::takeNotices() {
    std::vector<std::string> notices = saver_->takeNotices();
    for (std::string& text : writer_notices_.take()) notices.push_back(std::move(text));
    for (std::string& text : events_.takeNotices()) notices.push_back(std::move(text));
    return notices;
}

void RunSegment::recordFailure(const std::string& text) {
    if (!is_recorded_) return;
    close();
    lock_.reset();  // required because the store changes an owned run only through its writer
    if (auto store = Store::open(data_folder_, {}, system_))
        (void)store->setStatus(id_, RunStatus::failed, text);
}

}  // namespace seedbed
