// SPDX-License-Identifier: GPL-3.0-or-later
// Includes qcustomplot.h, which needs Qt's keyword macros, and undefines them afterwards.
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
