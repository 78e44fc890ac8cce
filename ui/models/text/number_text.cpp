// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/number_text.hpp"

#include <array>
#include <cmath>

#include <QDateTime>
#include <QLocale>

#include "core/base/text.hpp"

namespace seedbed::ui {

namespace {

int digitsOf(double value) { return std::abs(value) >= 1000 && std::abs(value) < 1e6 ? 6 : 4; }

QString withDigits(double value, int digits) {
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    // Avoids "-0"; the exponent is in lower case.
    return locale.toString(value == 0 ? 0.0 : value, 'g', digits).replace(QLatin1Char('E'), QLatin1Char('e'));
}

}  // namespace

QString shortNumber(double value) {
    if (std::isnan(value)) return QStringLiteral("–");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    return withDigits(value, digitsOf(value));
}

std::pair<QString, QString> rangeTexts(double low, double high) {
    std::pair<QString, QString> texts{shortNumber(low), shortNumber(high)};
    constexpr int kMaxDigits = 9;  // maximum number of digits, more than the precision of float
    if (std::isfinite(low) && std::isfinite(high) && low != high)
        for (int digits = digitsOf(high) + 1; texts.first == texts.second && digits <= kMaxDigits; ++digits)
            texts = {withDigits(low, digits), withDigits(high, digits)};
    return texts;
}

QString signedNumber(double value) {
    if (std::isnan(value) || value == 0) return shortNumber(value);
    return (value > 0 ? QStringLiteral("+") : QStringLiteral("−")) + shortNumber(std::abs(value));
}

QString intervalText(double low, double high) {
    const bool comma = QLocale().decimalPoint() == QLatin1String(",");
    return QStringLiteral("[%1%2 %3]")
        .arg(shortNumber(low), comma ? QStringLiteral(";") : QStringLiteral(","), shortNumber(high));
}

QString countText(std::int64_t count) { return QLocale().toString(static_cast<qlonglong>(count)); }

QString compactCount(double count) {
    static constexpr std::array<std::pair<double, char>, 3> kUnits{{{1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}}};
    if (!(std::abs(count) >= 1e3) || std::isinf(count)) return shortNumber(count);
    // Round to three digits first, since the result may need the next larger unit.
    const double last_digit = std::pow(10, std::floor(std::log10(std::abs(count))) - 2),
                 rounded = std::round(count / last_digit) * last_digit;
    for (const auto& [unit, letter] : kUnits)
        if (std::abs(rounded) >= unit) {
            QLocale locale;
            locale.setNumberOptions(QLocale::OmitGroupSeparator);
            return locale.toString(rounded / unit, 'g', std::abs(rounded) >= 1000 * unit ? 6 : 3) +
                   QLatin1Char(letter);
        }
    return shortNumber(count);
}

QString durationText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return QStringLiteral("–");
    return QString::fromStdString(formatDuration(seconds))
        .replace(QLatin1Char('.'), QLocale().decimalPoint());
}

QString timeText(double seconds) {
    if (!(seconds > 0)) return {};
    const QLocale locale;
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(seconds * 1000));
    if (locale.language() == QLocale::C) return time.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    return locale.toString(time, QLocale::ShortFormat);
}

QString briefTimeText(double seconds) {
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(seconds * 1000));
    if (!(seconds > 0) || time.date() != QDate::currentDate()) return timeText(seconds);
    const QLocale locale;
    return locale.language() == QLocale::C ? time.toString(QStringLiteral("HH:mm"))
                                           : locale.toString(time.time(), QLocale::ShortFormat);
}

QString readableNumber(double value) {
    if (!std::isfinite(value)) return exactNumber(value);
    if (value == std::round(value) && std::abs(value) < 1e15)
        return QString::number(value == 0 ? 0.0 : value, 'f', 0);
    return QString::number(value, 'g', digitsOf(value));
}

QString exactNumber(double value) {
    if (std::isnan(value)) return {};
    if (std::isinf(value)) return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
    return QString::fromStdString(formatNumber(value));
}

}  // namespace seedbed::ui
