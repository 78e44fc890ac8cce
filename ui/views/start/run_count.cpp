// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/run_count.hpp"

#include <QRegularExpression>
#include <QStringList>

namespace seedbed::ui {

int countSeeds(const QString& text) {
    static const QRegularExpression range(QStringLiteral("^\\s*(\\d{1,18})\\s*\\.\\.\\s*(\\d{1,18})\\s*$"));
    static const QRegularExpression list(QStringLiteral("^\\s*\\d{1,18}(\\s*,\\s*\\d{1,18})*\\s*$"));
    if (const auto match = range.match(text); match.hasMatch()) {
        const qint64 count = match.captured(2).toLongLong() - match.captured(1).toLongLong() + 1;
        return count < 1 || count > 10'000 ? 0 : static_cast<int>(count);
    }
    return list.match(text).hasMatch() ? static_cast<int>(text.count(QLatin1Char(','))) + 1 : 0;
}

int countGrid(const QString& text) {
    static const QRegularExpression item(QStringLiteral("^[a-z_.0-9]+=[^,=]+(,[^,=]+)*$"));
    qint64 count = 1;
    for (const QString& part : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!item.match(part).hasMatch()) return 0;
        count *= part.count(QLatin1Char(',')) + 1;
        if (count > 10'000) return 0;
    }
    return static_cast<int>(count);
}

}  // namespace seedbed::ui
