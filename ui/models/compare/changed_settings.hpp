// SPDX-License-Identifier: GPL-3.0-or-later
// The changed settings of all runs, as `seedbed list` prints them. The window does not have the environments
// that are needed to complete a preset, so the program compares the settings, in its own process.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include "core/store/records.hpp"

namespace seedbed::ui {

class Launcher;
class RunStore;

// By run: "learning_rate=0.0003" and so on, first those that distinguish it from other runs.
using ChangedTexts = std::shared_ptr<const std::unordered_map<RunId, QStringList>>;
// Empty for a run that is not known yet.
QStringList changedOf(const ChangedTexts& changed, RunId run);
// "learning_rate=0.0003, gamma=0.9, steps=1000, +2": at most three, as in the terminal.
QString briefChanges(const QStringList& changed);

// Thread: GUI.
class ChangedSettings : public QObject {
    Q_OBJECT
public:
    ChangedSettings(RunStore& runs, Launcher& launcher, QObject* parent = nullptr);

    // Null until the first answer.
    const ChangedTexts& texts() const { return texts_; }
    // Asks the program if runs were added or removed since the last answer, or if their states have changed;
    // at most a tenth of the time.
    void refresh();

Q_SIGNALS:
    void changed();

private:
    RunStore& runs_;
    Launcher& launcher_;
    ChangedTexts texts_;
    std::vector<std::pair<RunId, RunStatus>> known_;  // at the last question
    bool asking_ = false;
    QElapsedTimer asked_;
    QTimer pause_;
};

}  // namespace seedbed::ui
