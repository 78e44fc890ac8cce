// SPDX-License-Identifier: GPL-3.0-or-later
// Reports when a list that is read with commands of `seedbed` must be read again.
#pragma once

#include <cstdint>

#include <QObject>
#include <QTimer>

namespace seedbed::ui {

class RunStore;

// Thread: GUI.
class DatabaseWatch : public QObject {
    Q_OBJECT

public:
    explicit DatabaseWatch(RunStore& runs, QObject* parent = nullptr);

    enum class Database { unknown, missing, present };
    // Commands would create a missing database, so a list is not read from one.
    Database database() const;

    // While it is watched, due() is emitted within seconds after a change of the database by any program.
    void setWatched(bool watched);
    // While a command of the window works, due() is emitted more often.
    void setWorking(bool working);
    bool isWatched() const { return is_watched_; }
    // Call before reading: changes until now are contained in what is read.
    void beginReading();

Q_SIGNALS:
    void due();
    // The database was opened or disappeared.
    void stateChanged();

private:
    void restart();

    RunStore& runs_;
    QTimer timer_;
    bool is_watched_ = false, is_working_ = false;
    std::int64_t seen_changes_ = -1;
};

}  // namespace seedbed::ui
