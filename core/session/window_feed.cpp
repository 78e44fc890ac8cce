// SPDX-License-Identifier: Apache-2.0
#include "core/session/window_feed.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/mutex.hpp"

namespace seedbed {

WindowFeed::WindowFeed(std::vector<Ring*> rings, int length, int target_columns)
    : rings_(std::move(rings)),
      length_(static_cast<std::uint64_t>(length)),
      target_columns_(target_columns),
      oldest_(rings_.size(), 0),
      taken_(rings_.size(), 0),
      ended_(rings_.size()) {
    pinAll();
}

void WindowFeed::pinAll() {
    for (std::size_t g = 0; g < rings_.size(); ++g) pins_.push_back(rings_[g]->pin(oldest_[g]));
}

void WindowFeed::unpinAll() { pins_.clear(); }

void WindowFeed::filled(int group, std::vector<EpisodeEnd>& ended) {
    const auto g = static_cast<std::size_t>(group);
    const MutexLock lock(mutex_);
    queue_.push_back(group);
    columns_ += rings_[g]->columns();
    ended_[g].insert(ended_[g].end(), ended.begin(), ended.end());
    ended.clear();
}

bool WindowFeed::enough() const {
    const MutexLock lock(mutex_);
    return columns_ >= target_columns_;
}

bool WindowFeed::empty() const {
    const MutexLock lock(mutex_);
    return queue_.empty();
}

std::size_t WindowFeed::queued() const {
    const MutexLock lock(mutex_);
    return queue_.size();
}

WindowFeed::Taken WindowFeed::take() {
    Taken taken;
    const MutexLock lock(mutex_);
    int columns = 0;
    while (!queue_.empty() && columns < target_columns_) {
        const int group = queue_.front();
        const auto g = static_cast<std::size_t>(group);
        queue_.pop_front();
        columns += rings_[g]->columns();
        taken.windows.push_back(Window{group, taken_[g], static_cast<int>(length_), 0, rings_[g]->columns()});
        taken_[g] += length_;
        while (!ended_[g].empty() && ended_[g].front().row < taken_[g]) {
            taken.episodes.emplace_back(group, ended_[g].front());
            ended_[g].pop_front();
        }
    }
    columns_ -= columns;
    std::sort(taken.windows.begin(), taken.windows.end(), [](const Window& a, const Window& b) {
        return std::tie(a.group, a.t0) < std::tie(b.group, b.t0);
    });
    return taken;
}

void WindowFeed::release(const std::vector<Window>& windows) {
    for (const Window& window : windows) {
        const auto g = static_cast<std::size_t>(window.group);
        oldest_[g] = std::max(oldest_[g], window.t0 + length_);
        pins_[g].moveTo(oldest_[g]);
    }
}

void WindowFeed::archiveNone(Archive& archive) const {
    std::vector<int> queue;
    std::vector<std::uint64_t> oldest;
    for (const Ring* ring : rings_) oldest.push_back(nextWindow(ring->head()));
    archive(queue)(oldest);
    std::vector<EpisodeEnd> ends;
    for (std::size_t g = 0; g < rings_.size(); ++g) archive(ends);
}

Result<> WindowFeed::archive(Archive& archive) {
    const MutexLock lock(mutex_);
    std::vector<int> queue(queue_.begin(), queue_.end());
    archive(queue)(oldest_);
    if (archive.isLoading() && (archive.failed() || oldest_.size() != rings_.size()))
        return fail("the saved windows are incomplete");
    if (archive.isLoading()) {
        queue_.clear();
        columns_ = 0;
        for (const int group : queue) {
            if (group < 0 || group >= static_cast<int>(rings_.size()))
                return fail("a saved window belongs to no group");
            queue_.push_back(group);
            columns_ += rings_[static_cast<std::size_t>(group)]->columns();
        }
        taken_ = oldest_;
        pins_.clear();
        pinAll();
    }
    for (auto& ended : ended_) {
        std::vector<EpisodeEnd> ends(ended.begin(), ended.end());
        archive(ends);
        ended.assign(ends.begin(), ends.end());
    }
    return {};
}

}  // namespace seedbed
