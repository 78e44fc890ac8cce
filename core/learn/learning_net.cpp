// SPDX-License-Identifier: Apache-2.0
// Versions and publishing of a network's parameters.
#include "core/learn/learning_net.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace seedbed {

LearningNet::LearningNet(const NetPlan& plan, bool trained, const OptimiserParams& params)
    : lanes(plan.param_floats), working_(std::make_shared<std::vector<float>>(plan.param_floats)) {
    if (trained) optimiser = std::make_unique<Optimiser>(plan, params);
}

void LearningNet::set(Params params, std::uint64_t& newest) {
    const auto blob = params.blob();
    SEEDBED_CHECK(blob.size() == working_->size(), "the parameters belong to another network");
    // A version number that may belong to different contents must not be reused.
    const bool same = params.version() == current_.version() && std::ranges::equal(blob, *working_);
    const bool fresh = current_.empty() || params.version() > current_.version() || same;
    std::copy(blob.begin(), blob.end(), working_->begin());
    newest = fresh ? std::max(newest, params.version()) : newest + 1;
    current_ = Params(std::shared_ptr<const std::vector<float>>(working_), fresh ? params.version() : newest);
    published_ = std::move(params);
    spare_.clear();
    is_published_ = true;
    is_stale_ = false;
}

void LearningNet::renumber(std::uint64_t& newest) {
    Params next(std::shared_ptr<const std::vector<float>>(working_), ++newest);
    if (device_ != nullptr) device_->rename(current_, next);
    current_ = std::move(next);
    is_published_ = false;
}

void LearningNet::changed(std::uint64_t& newest) {
    SEEDBED_CHECK(!is_stale_, "the device has newer parameters");
    current_ = Params(std::shared_ptr<const std::vector<float>>(working_), ++newest);
    is_published_ = false;
}

void LearningNet::revert(std::uint64_t version) {
    const auto published = published_.blob();
    std::copy(published.begin(), published.end(), working_->begin());
    current_ = Params(std::shared_ptr<const std::vector<float>>(working_), version);
    is_published_ = true;
    is_stale_ = false;
}

void LearningNet::approach(const std::vector<float>& other, double tau) {
    if (tau == 1) {
        std::copy(other.begin(), other.end(), working_->begin());
        return;
    }
    const auto part = static_cast<float>(tau);
    for (std::size_t i = 0; i < working_->size(); ++i) {
        float& own = (*working_)[i];
        own += part * (other[i] - own);
    }
}

void LearningNet::publish() {
    if (is_published_) return;
    SEEDBED_CHECK(!is_stale_, "the device has newer parameters");
    // Keeps the published version until the memory for its successor has been allocated, since the allocation
    // may fail.
    std::shared_ptr<std::vector<float>> blob;
    for (auto& candidate : spare_) {
        const bool is_published = candidate->data() == published_.blob().data();
        if (candidate.use_count() != (is_published ? 2 : 1)) continue;
        if (is_published) published_ = Params();
        // Taking a reference and dropping it orders the writes below after the last reader's release.
        const std::shared_ptr<std::vector<float>> acquire = candidate;
        blob = candidate;
        break;
    }
    if (blob == nullptr) blob = spare_.emplace_back(std::make_shared<std::vector<float>>(working_->size()));
    std::copy(working_->begin(), working_->end(), blob->begin());
    published_ = Params(std::shared_ptr<const std::vector<float>>(blob), current_.version());
    is_published_ = true;
}

Result<> LearningNet::requireLanes(std::size_t count) {
    if (device_ != nullptr) return device_->requireLanes(count);
    lanes.require(count);
    return {};
}

Result<> LearningNet::clearLanes() {
    if (device_ != nullptr) return device_->clearLanes();
    lanes.clear();
    return {};
}

LaneRef LearningNet::lane(std::size_t index) {
    if (device_ != nullptr) return {.device = device_.get(), .index = index};
    return {.host = lanes.lane(index)};
}

Result<> LearningNet::stepOnDevice(double learning_rate, double grad_norm, std::uint64_t& newest) {
    SEEDBED_TRY(device_->load(current_));
    if (moments_on_host_) SEEDBED_TRY(device_->loadMoments());
    moments_on_host_ = false;
    is_stale_ = true;
    SEEDBED_TRY(device_->step(optimiser->beginStep(learning_rate, grad_norm)));
    renumber(newest);
    return {};
}

Result<> LearningNet::approachOnDevice(LearningNet& other, double tau, std::uint64_t& newest) {
    SEEDBED_TRY(device_->load(current_));
    SEEDBED_TRY(other.device_->load(other.current_));
    is_stale_ = true;
    SEEDBED_TRY(device_->follow(*other.device_, tau));
    renumber(newest);
    return {};
}

void LearningNet::useDevice(std::unique_ptr<LearnDevice> device) { device_ = std::move(device); }

void LearningNet::momentsChanged() {
    moments_on_host_ = true;
    fetched_steps_ = optimiser->steps();
}

Result<> LearningNet::fetch() {
    before_.has_changed = false;
    if (!is_stale_) return {};
    before_.params = *working_;
    before_.steps = fetched_steps_;
    if (optimiser) {
        const Optimiser::State state = optimiser->state();
        before_.first.assign(state.first.begin(), state.first.end());
        before_.second.assign(state.second.begin(), state.second.end());
    }
    SEEDBED_TRY(device_->read(working_->data()));
    if (optimiser) fetched_steps_ = optimiser->steps();
    is_stale_ = false;
    before_.has_changed = true;
    return {};
}

void LearningNet::undoFetch() {
    if (!std::exchange(before_.has_changed, false)) return;
    *working_ = before_.params;
    fetched_steps_ = before_.steps;
    is_stale_ = true;
    if (!optimiser) return;
    const Optimiser::State state = optimiser->state();
    std::copy(before_.first.begin(), before_.first.end(), state.first.begin());
    std::copy(before_.second.begin(), before_.second.end(), state.second.begin());
}

void LearningNet::leaveDevice(std::uint64_t& newest) {
    if (device_ == nullptr) return;
    device_.reset();
    if (std::exchange(is_stale_, false) && optimiser) optimiser->state().steps = fetched_steps_;
    changed(newest);
}

}  // namespace seedbed
