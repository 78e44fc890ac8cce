// SPDX-License-Identifier: Apache-2.0
#include "core/session/acting_params.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/mutex.hpp"

namespace seedbed {

void ActingParams::publish(const Params& params, const ActingRule& rule,
                           std::shared_ptr<const Opponents> opponents) {
    const bool same_opponents = opponents_ == opponents;
    opponents_ = std::move(opponents);
    if (!versions_.empty() && versions_.back() == params.version()) {
        if (kept_.back().rule == rule && same_opponents) return;
        kept_.back().rule = rule;
        return choose();
    }
    versions_.push_back(params.version());
    if (versions_.size() > kRemembered) {
        versions_.pop_front();
        ++forgotten_;
    }
    kept_.push_back({params, rule, nullptr, forgotten_ + versions_.size()});
    while (kept_.size() > forced_lag_ + 1) kept_.pop_front();
    choose();
}

void ActingParams::choose() {
    Acting chosen = kept_.front();
    chosen.opponents = opponents_;
    {
        const MutexLock lock(mutex_);
        std::swap(current_, chosen);
        generation_.fetch_add(1, std::memory_order_release);
    }
}

std::uint64_t ActingParams::lagOf(std::uint64_t version) const {
    // A version belongs to the newest publication whose version is not higher.
    const auto above = std::upper_bound(versions_.begin(), versions_.end(), version);
    if (above == versions_.begin()) return forgotten_ + versions_.size();
    return static_cast<std::uint64_t>(versions_.end() - above);
}

std::uint64_t ActingParams::oldestWithin(std::uint64_t lag) const {
    if (lag >= versions_.size()) return forgotten_ == 0 || versions_.empty() ? 0 : versions_.front();
    return versions_[versions_.size() - 1 - static_cast<std::size_t>(lag)];
}

const Acting& ActingParams::Reader::acting() {
    if (seen_ != source_->generation_.load(std::memory_order_acquire)) {
        const MutexLock lock(source_->mutex_);
        acting_ = source_->current_;
        seen_ = source_->generation_.load(std::memory_order_relaxed);
    }
    return acting_;
}

void ActingParams::archive(Archive& archive) {
    std::vector<std::uint64_t> versions(versions_.begin(), versions_.end());
    archive.list("versions", versions, kRemembered).any(forgotten_);
    // The learner stores the newest parameters; older ones exist only here.
    auto older = static_cast<std::uint64_t>(kept_.empty() ? 0 : kept_.size() - 1);
    archive.field("older parameters", older, range(0, kRemembered));
    std::deque<Acting> kept;
    const std::size_t size = kept_.empty() ? 0 : kept_.back().params.blob().size();
    for (std::uint64_t i = 0; i < older && !archive.failed(); ++i) {
        std::vector<float> blob;
        std::uint64_t version = 0;
        if (!archive.isLoading()) {
            const Params& params = kept_[static_cast<std::size_t>(i)].params;
            blob.assign(params.blob().begin(), params.blob().end());
            version = params.version();
        }
        archive.list("older parameters", blob, size, kFinite<float>).any(version);
        archive.require(blob.size() == size, "older parameters have a different size");
        if (archive.isLoading()) kept.push_back({Params(std::move(blob), version), kept_.back().rule});
    }
    if (!archive.isLoading() || archive.failed()) return;
    // The newest parameters were published before loading, with their current version.
    versions_.assign(versions.begin(), versions.end());
    if (kept_.empty()) return;
    const Acting newest = kept_.back();
    if (versions_.empty()) versions_.push_back(newest.params.version());
    else versions_.back() = newest.params.version();
    kept.push_back(newest);
    kept_ = std::move(kept);
    while (kept_.size() > forced_lag_ + 1) kept_.pop_front();
    const std::uint64_t publications = forgotten_ + versions_.size();
    for (std::size_t i = 0; i < kept_.size(); ++i)
        kept_[i].publication = publications - (kept_.size() - 1 - i);
    choose();
}

}  // namespace seedbed
