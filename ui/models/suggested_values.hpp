// SPDX-License-Identifier: GPL-3.0-or-later
// Values that the form for a new run offers for a setting of which several values are tried.
#pragma once

#include <QString>
#include <QStringList>

namespace seedbed::ui {

class ConfigForm;

// At most three valid values near the setting's value, as given on the command line: a third and three times
// the value, the same distances to an upper end of 1, or a step of 0.1; values of lists halved and doubled.
// Values of the preset and the defaults are included. Empty for choices, texts and unknown keys.
QStringList suggestedValues(const ConfigForm& form, const QString& key);

}  // namespace seedbed::ui
