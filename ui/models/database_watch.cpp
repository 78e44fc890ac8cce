// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/database_watch.hpp"

#include "ui/models/run_store.hpp"

namespace seedbed::ui {
namespace {

// Poll intervals. Each reading starts a process, which takes about 10 ms.
constexpr int kWorkingMs = 700, kWatchedMs = 2500;

}  // namespace

DatabaseWatch::DatabaseWatch(RunStore& runs, QObject* parent) : QObject(parent), runs_(runs) {
    connect(&timer_, &QTimer::timeout, this, [this] {
        if (is_working_ || runs_.changes() != seen_changes_) Q_EMIT due();
    });
    connect(&runs_, &RunStore::stateChanged, this, &DatabaseWatch::stateChanged);
}

DatabaseWatch::Database DatabaseWatch::database() const {
    switch (runs_.state().kind) {
        case StoreState::Kind::opening: return Database::unknown;
        case StoreState::Kind::ready:
        case StoreState::Kind::locked: return Database::present;
        default: return Database::missing;
    }
}

void DatabaseWatch::setWatched(bool watched) {
    is_watched_ = watched;
    restart();
}

void DatabaseWatch::setWorking(bool working) {
    is_working_ = working;
    restart();
}

void DatabaseWatch::beginReading() { seen_changes_ = runs_.changes(); }

void DatabaseWatch::restart() {
    if (!is_watched_) return timer_.stop();
    timer_.start(is_working_ ? kWorkingMs : kWatchedMs);
}

}  // namespace seedbed::ui
