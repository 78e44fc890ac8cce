// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the settings of a new run with a dry run, and estimates its memory and time.
#pragma once

#include <cstdint>

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace seedbed::ui {

class ConfigForm;
class Launcher;

// Thread: GUI. Does not block.
class RunEstimate : public QObject {
    Q_OBJECT

public:
    // `launcher` must outlive this object.
    explicit RunEstimate(Launcher& launcher, QObject* parent = nullptr);

    // Starts a dry run shortly after the last of several calls, then measures the speed. arguments: as for
    // `seedbed train`.
    void start(const QStringList& arguments);
    // Cancels running commands and discards their results.
    void reset();
    // Why the dry run failed; "" if it succeeded or has not finished.
    const QString& problem() const { return problem_; }
    // "About 913 KiB of memory per run", or "Estimating memory and time…"; "" if the dry run failed.
    QString memoryText() const;
    // The time of one run, or "Measuring the speed…"; "" before the measurement, or if the dry run failed.
    QString timeText() const;
    // "about 2 min" for this many consecutive runs; "" if the time is unknown.
    QString totalText(int runs) const;

Q_SIGNALS:
    void changed();

private:
    enum class State : std::uint8_t { idle, estimating, measuring };
    void check();
    void measureSpeed();
    QString secondsOf(int runs) const;

    Launcher& launcher_;
    QStringList arguments_;
    QTimer timer_;
    quint64 check_ticket_ = 0, speed_ticket_ = 0;  // tickets of Launcher::run; 0: none
    QString problem_;
    State state_ = State::idle;
    qint64 memory_bytes_ = 0, steps_ = 0;  // 0 if unknown; steps of one run
    double steps_per_s_ = 0;               // 0 if not measured
};

// For forms without a preset: explains that the settings are defaults, and when training stops. "" if the
// form is not loaded. has_presets: the environment has presets, of which none is chosen.
QString noPresetNote(const ConfigForm& form, bool has_presets);

}  // namespace seedbed::ui
