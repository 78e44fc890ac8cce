// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as the window shows them, in the user's locale.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <QString>

namespace seedbed::ui {

// Four significant digits, decimal sign of the locale: "187.5", "1,2e-05". Not-a-number is a dash.
QString shortNumber(double value);
// As shortNumber with a sign, for differences: "+3.2", "−0.5".
QString signedNumber(double value);
// "[8.7, 9.9]"; "[8,7; 9,9]" where a comma is the decimal sign.
QString intervalText(double low, double high);
// Digits grouped as the locale does: "1,234,567".
QString countText(std::int64_t count);
// "950", "12.3k", "4.1M", "2.0G": for axes and narrow columns.
QString compactCount(double count);
// "12 s", "3 min 05 s", "2 h 07 min".
QString durationText(double seconds);
// Date and time of seconds since 1970 in the local time zone, short, as the locale writes it; without one as
// the command line does: "2026-11-22 00:53". "" for 0.
QString timeText(double seconds);
// As timeText, of today only the time: for narrow columns.
QString briefTimeText(double seconds);
// The lowest and the highest number of an axis with as many digits as tell them apart.
std::pair<QString, QString> rangeTexts(double low, double high);
// A number for tables that people read in files: with a point in every locale, whole numbers in full, others
// with four digits or six.
QString readableNumber(double value);
// The text of a number for files: always with a point, shortest form that reads back as the same number; ""
// for not-a-number.
QString exactNumber(double value);

}  // namespace seedbed::ui
