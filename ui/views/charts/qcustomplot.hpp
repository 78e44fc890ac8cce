// SPDX-License-Identifier: GPL-3.0-or-later
// QCustomPlot's header, which needs Qt's keywords; they are gone again afterwards.
#pragma once

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef signals
#undef slots
#undef emit
#undef foreach
