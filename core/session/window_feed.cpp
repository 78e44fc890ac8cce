// SPDX-License-Identifier: Apache-2.0
#include "core/session/window_feed.hpp"

#include <algorithm>
#include <limits>
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
    filled_columns_ += static_cast<std::uint64_t>(rings_[g]->columns());
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

std::uint64_t WindowFeed::filledColumns() const {
    const MutexLock lock(mutex_);
    return filled_columns_;
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

void WindowFeed::putBack(Taken taken) {
    const MutexLock lock(mutex_);
    for (auto window = taken.windows.rbegin(); window != taken.windows.rend(); ++window) {
        const auto g = static_cast<std::size_t>(window->group);
        queue_.push_front(window->group);
        columns_ += rings_[g]->columns();
        taken_[g] -= length_;
    }
    for (auto episode = taken.episodes.rbegin(); episode != taken.episodes.rend(); ++episode)
        ended_[static_cast<std::size_t>(episode->first)].push_front(episode->second);
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
    archive.list("windows", queue, 0).fixed("groups", oldest);
    std::vector<EpisodeEnd> ends;
    for (std::size_t g = 0; g < rings_.size(); ++g) archiveEpisodes(archive, ends, 0);
}

// The queued windows are complete, and every row from the oldest on can be read.
Result<> WindowFeed::checkRows(std::size_t g, std::uint64_t windows) const {
    const std::uint64_t head = rings_[g]->head(), oldest = oldest_[g];
    if (oldest % length_ != 0 || oldest < rings_[g]->tail() || oldest > head + length_)
        return fail("the saved windows of group " + std::to_string(g) + " begin at an invalid row");
    if (windows > 0 && (oldest > head || windows > (head - oldest) / length_))
        return fail("the saved windows of group " + std::to_string(g) + " are incomplete");
    return {};
}

std::uint64_t WindowFeed::endOfQueue(int group) const {
    const MutexLock lock(mutex_);
    const auto windows = static_cast<std::uint64_t>(std::count(queue_.begin(), queue_.end(), group));
    return taken_[static_cast<std::size_t>(group)] + windows * length_;
}

Result<> WindowFeed::archive(Archive& archive) {
    const MutexLock lock(mutex_);
    std::vector<int> queue(queue_.begin(), queue_.end());
    archive.list("windows", queue, std::numeric_limits<std::uint32_t>::max()).fixed("groups", oldest_);
    SEEDBED_TRY(archive.status());
    if (archive.isLoading()) {
        queue_.clear();
        columns_ = 0;
        for (const int group : queue) {
            if (group < 0 || group >= static_cast<int>(rings_.size()))
                return fail("a saved window belongs to no group");
            queue_.push_back(group);
            columns_ += rings_[static_cast<std::size_t>(group)]->columns();
        }
        for (std::size_t g = 0; g < rings_.size(); ++g) {
            const auto windows =
                static_cast<std::uint64_t>(std::count(queue.begin(), queue.end(), static_cast<int>(g)));
            SEEDBED_TRY(checkRows(g, windows));
        }
        taken_ = oldest_;
        pins_.clear();
        pinAll();
    }
    for (auto& ended : ended_) {
        std::vector<EpisodeEnd> ends(ended.begin(), ended.end());
        archiveEpisodes(archive, ends, rings_[static_cast<std::size_t>(&ended - ended_.data())]->columns());
        ended.assign(ends.begin(), ends.end());
    }
    return archive.status();
}

}  // namespace seedbed
