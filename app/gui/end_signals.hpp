// SPDX-License-Identifier: GPL-3.0-or-later
// SIGTERM, SIGINT and SIGHUP (log-out, kill, Ctrl+C in the terminal it was started from) close the window as
// its user would.
#pragma once

#include <functional>

#include <QSocketNotifier>

namespace seedbed {

// One at a time, while the QApplication exists. The handler only writes a byte into a pipe; a second signal
// ends the process at once.
class EndSignals {
public:
    explicit EndSignals(std::function<void()> wanted);
    ~EndSignals();
    EndSignals(const EndSignals&) = delete;
    EndSignals& operator=(const EndSignals&) = delete;

private:
    int read_end_ = -1;
    QSocketNotifier notifier_;
};

}  // namespace seedbed
