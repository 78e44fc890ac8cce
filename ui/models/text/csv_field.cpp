// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/csv_field.hpp"

namespace seedbed::ui {

QString csvField(QString text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
        !text.contains(QLatin1Char('\n')))
        return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

}  // namespace seedbed::ui
