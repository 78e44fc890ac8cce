// SPDX-License-Identifier: GPL-3.0-or-later
// The recommendation of an algorithm for the form of a new run, from `seedbed config ENV --algo auto`.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

namespace seedbed::ui {

class ConfigForm;
class Launcher;

struct Recommended {
    QString problem;  // error message; the other members are then empty
    QString algo, preset, why;
    std::vector<std::pair<QString, QString>> settings;  // to set in the form
};

// The data of the entry "recommended" in a list of algorithms.
inline const QString kRecommended = QStringLiteral("auto");

// Requests a recommendation for environment `env` with the user's changes to its settings. `done` is not
// called if `context` has been destroyed. Returns a ticket for Launcher::cancel().
quint64 askForRecommendation(Launcher& launcher, QObject* context, const QString& env, const ConfigForm& form,
                             std::function<void(const Recommended&)> done);

}  // namespace seedbed::ui
