// SPDX-License-Identifier: Apache-2.0
#include "core/run/tensorboard/live_events.hpp"

#include <algorithm>
#include <exception>

#include "core/tensorboard/event_log.hpp"

namespace seedbed {
namespace {

constexpr double kFlushInterval = 1;          // seconds
constexpr double kRetryInterval = 30;         // seconds
constexpr std::size_t kFlushBytes = 1 << 20;  // for many points per second
constexpr std::size_t kMaxNameBytes = 80;

}  // namespace

std::string eventFolderName(std::int64_t run, const std::string& env, const std::string& algo) {
    std::string name = "run-" + std::to_string(run) + "-" + env.substr(env.rfind('/') + 1) + "-" + algo;
    for (char& letter : name) {
        const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' ||
                           letter == '.';
        if (!plain) letter = '_';
    }
    if (name.size() > kMaxNameBytes) name.resize(kMaxNameBytes);
    return name;
}

void LiveEvents::open(const Path& folder, std::int64_t step) {
    close();
    folder_ = folder;
    failing_ = false;
    if (folder_.empty()) return;
    if (step > 0) findRepeated(step);
    openFile(step);
}

// A process that was killed during the evaluation after its checkpoint may have written points at the step of
// the checkpoint, which the resumed run computes again.
void LiveEvents::findRepeated(std::int64_t step) {
    resumed_at_ = step;
    repeated_.clear();
    const auto curves = tensorboard::readCurves(files_, folder_);
    if (!curves) return;  // a new folder, or a file that readers refuse anyway
    for (const tensorboard::ScalarCurve& curve : *curves)
        if (std::ranges::binary_search(curve.steps, step)) repeated_.insert(curve.tag);
}

void LiveEvents::openFile(std::int64_t step) {
    try {
        const double time = clock_.rowTime();
        auto file = tensorboard::EventFile::create(files_, folder_, time);
        if (!file) return failed(file.error().text());
        file_.emplace(std::move(*file));
        // The points at `step` itself are older than the restart and stay valid.
        if (step > 0) file_->addRestart(time, step + 1);
        if (auto written = file_->flush(); !written) return failed(written.error().text());
        flushed_ = clock_.now();
    } catch (const std::exception& error) {
        return failed(error.what());
    }
    if (std::exchange(failing_, false))
        notices_.push_back("TensorBoard files are written again, in " + folder_.string() +
                           "; 'seedbed metrics RUN --to tensorboard' writes the missing points");
}

void LiveEvents::add(std::int64_t step, double time, std::span<const MetricValue> values) {
    if (folder_.empty()) return;
    if (!file_ && clock_.now() >= retry_) openFile(step - 1);
    if (!file_) return;
    try {
        std::vector<tensorboard::NamedValue> named;
        named.reserve(values.size());
        for (const MetricValue& value : values)
            if (step != resumed_at_ || !repeated_.contains(value.name))
                named.push_back({value.name, value.value});
        if (named.empty()) return;
        file_->addScalars(time, step, named);
        const bool due = clock_.now() - flushed_ >= kFlushInterval || file_->buffered() >= kFlushBytes;
        if (!due) return;
        flushed_ = clock_.now();
        if (auto written = file_->flush(); !written) failed(written.error().text());
    } catch (const std::exception& error) {
        failed(error.what());
    }
}

void LiveEvents::close() {
    if (file_)
        if (auto closed = file_->close(); !closed) failed(closed.error().text());
    file_.reset();
    folder_.clear();
}

void LiveEvents::failed(const std::string& reason) {
    file_.reset();
    retry_ = clock_.now() + kRetryInterval;
    if (std::exchange(failing_, true)) return;
    notices_.push_back("TensorBoard files cannot be written; training continues: " + reason);
}

}  // namespace seedbed
