// SPDX-License-Identifier: GPL-3.0-or-later
// Formats numbers in the user's locale, and for files.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <QString>

namespace seedbed::ui {

// Four significant digits: "187.5", "1,2e-05". A dash for NaN.
QString shortNumber(double value);
// Like shortNumber, but with a sign, for differences: "+3.2", "−0.5".
QString signedNumber(double value);
// "[8.7, 9.9]"; "[8,7; 9,9]" if a comma is the decimal separator.
QString intervalText(double low, double high);
// With the locale's thousands separators: "1,234,567".
QString countText(std::int64_t count);
// "950", "12.3k", "4.1M", "2.0G": for axes and narrow columns.
QString compactCount(double count);
// "12 s", "3 min 05 s", "2 h 07 min".
QString durationText(double seconds);
// Local date and time of seconds since 1970, in the locale's short format, or "2026-11-22 00:53" for the C
// locale. "" for 0.
QString timeText(double seconds);
// Like timeText, but without the date if it is today; for narrow columns.
QString briefTimeText(double seconds);
// The ends of an axis with enough digits to distinguish them.
std::pair<QString, QString> rangeTexts(double low, double high);
// For tables in files: decimal point in every locale, integers in full, others with four to six digits.
QString readableNumber(double value);
// For data files: decimal point in every locale, the shortest text that parses to the same number; "" for
// NaN.
QString exactNumber(double value);

}  // namespace seedbed::ui
