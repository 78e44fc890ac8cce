// SPDX-License-Identifier: GPL-3.0-or-later
// Formatting of numbers for people and for files.
#include "ui/models/number_text.hpp"

#include <array>
#include <cmath>

#include <QDateTime>
#include <QLocale>

#include "core/base/text.hpp"

namespace seedbed::ui {

QString shortNumber(double value) {
    if (std::isnan(value)) return QStringLiteral("–");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    // No "-0".
    return locale.toString(value == 0 ? 0.0 : value, 'g', std::abs(value) >= 1000 && std::abs(value) < 1e6 ? 6 : 4);
}

QString signedNumber(double value) {
    if (std::isnan(value) || value == 0) return shortNumber(value);
    return (value > 0 ? QStringLiteral("+") : QStringLiteral("−")) + shortNumber(std::abs(value));
}

QString countText(std::int64_t count) { return QLocale().toString(static_cast<qlonglong>(count)); }

QString compactCount(double count) {
    static constexpr std::array<std::pair<double, char>, 3> kUnits{{{1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}}};
    if (!(std::abs(count) >= 1e3) || std::isinf(count)) return shortNumber(count);
    // To three digits first: what rounds up to the next unit is written in it.
    const double last_digit = std::pow(10, std::floor(std::log10(std::abs(count))) - 2),
                 rounded = std::round(count / last_digit) * last_digit;
    for (const auto& [unit, letter] : kUnits)
        if (std::abs(rounded) >= unit) {
            QLocale locale;
            locale.setNumberOptions(QLocale::OmitGroupSeparator);
            return locale.toString(rounded / unit, 'g', std::abs(rounded) >= 1000 * unit ? 6 : 3) + QLatin1Char(letter);
        }
    return shortNumber(count);
}

QString durationText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return QStringLiteral("–");
    return QString::fromStdString(formatDuration(seconds)).replace(QLatin1Char('.'), QLocale().decimalPoint());
}

QString timeText(double seconds) {
    if (!(seconds > 0)) return {};
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(seconds * 1000)), QLocale::ShortFormat);
}

QString exactNumber(double value) {
    if (std::isnan(value)) return {};
    if (std::isinf(value)) return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
    return QString::fromStdString(formatNumber(value));
}

}  // namespace seedbed::ui
