// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_segment.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "core/run/build_info.hpp"
#include "core/run/saving/catch_up.hpp"
#include "core/store/store.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::milliseconds kOwnerTimeout{1000}, kOwnerPollInterval{20};

}  // namespace

RunSegment::RunSegment(std::filesystem::path data_folder, const System& system, RunClock& clock,
                       std::stop_token stop, std::size_t row_queue_bytes)
    : data_folder_(std::move(data_folder)),
      system_(system),
      clock_(clock),
      stop_(std::move(stop)),
      row_queue_bytes_(row_queue_bytes) {}

void RunSegment::own(RunId id, std::optional<RunLock> lock) {
    id_ = id;
    lock_ = std::move(lock);
    is_recorded_ = true;
}

Result<> RunSegment::acquire(RunId id) {
    id_ = id;
    // A command that shows the run may own it briefly in order to write rows of its checkpoints.
    const auto end = std::chrono::steady_clock::now() + kOwnerTimeout;
    for (;;) {
        auto lock = RunLock::acquire(data_folder_, id, system_);
        if (lock) {
            lock_ = std::move(*lock);
            return catchUp(system_, data_folder_, *lock_);
        }
        if (std::chrono::steady_clock::now() >= end) return tl::unexpected<Error>(std::move(lock).error());
        std::this_thread::sleep_for(kOwnerPollInterval);
    }
}

Result<> RunSegment::open(std::int64_t step, const SessionPlan& plan, const Json& document,
                          SettingSource source) {
    SEEDBED_ASSIGN(Store store, Store::open(data_folder_, {}, system_));
    ProcessInfo process = processInfo(plan.threads);
    process.other["engine"] = plan.engine.id;
    SEEDBED_ASSIGN([[maybe_unused]] const SegmentRecord segment,
                   store.beginSegment(*lock_, step, process, document, source));
    is_recorded_ = true;

    RunWriterOptions options;
    options.system = system_;
    options.stop = stop_;
    options.queue_bytes = row_queue_bytes_;
    options.on_health = writer_notices_.listener();
    SEEDBED_ASSIGN(writer_, RunWriter::open(data_folder_, *lock_, options));
    saver_ = std::make_unique<RunSaver>(*system_.files, clock_, *writer_, data_folder_, id_);
    return {};
}

Result<> RunSegment::openAfter(CheckpointStore& folder, std::int64_t step, const SessionPlan& plan,
                               const Json& document, SettingSource source) {
    SEEDBED_ASSIGN(const auto superseded, folder.supersedeAfter(step));
    Result<> opened = open(step, plan, document, source);
    if (opened) return opened;
    if (auto restored = folder.restoreSuperseded(superseded); !restored)
        opened.error().message +=
            "; newer checkpoints of the run keep the suffix '.superseded': " + restored.error().text();
    return opened;
}

void RunSegment::close() {
    saver_.reset();
    writer_.reset();
}

std::vector<std::string> RunSegment::takeNotices() {
    std::vector<std::string> notices = saver_->takeNotices();
    for (std::string& text : writer_notices_.take()) notices.push_back(std::move(text));
    return notices;
}

void RunSegment::recordFailure(const std::string& text) {
    if (!is_recorded_) return;
    close();
    lock_.reset();  // the store changes an owned run only through its writer
    if (auto store = Store::open(data_folder_, {}, system_))
        (void)store->setStatus(id_, RunStatus::failed, text);
}

}  // namespace seedbed
