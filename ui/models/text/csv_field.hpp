// SPDX-License-Identifier: GPL-3.0-or-later
// Quotes CSV fields.
#pragma once

#include <QString>

namespace seedbed::ui {

// Quotes a field if it contains a comma, a quote or a line break (RFC 4180).
QString csvField(QString text);

}  // namespace seedbed::ui
