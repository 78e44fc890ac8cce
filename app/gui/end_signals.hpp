// SPDX-License-Identifier: GPL-3.0-or-later
// Closes the window cleanly on SIGTERM, SIGINT and SIGHUP (log-out, kill, Ctrl+C in its terminal).
#pragma once

#include <functional>

#include <QSocketNotifier>

namespace seedbed {

// At most one exists at a time, while the QApplication exists. The handler only writes a byte to a pipe; a
// second signal terminates the process immediately.
class EndSignals {
public:
    // `on_signal` is called in the QApplication's thread.
    explicit EndSignals(std::function<void()> on_signal);
    ~EndSignals();
    EndSignals(const EndSignals&) = delete;
    EndSignals& operator=(const EndSignals&) = delete;

private:
    int read_end_ = -1;
    QSocketNotifier notifier_;
};

}  // namespace seedbed
