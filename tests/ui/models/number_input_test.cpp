// SPDX-License-Identifier: Apache-2.0
// Tests parsing of typed numbers.
#include <gtest/gtest.h>

#include <QLocale>

#include "ui/models/text/number_input.hpp"

namespace seedbed::testing {
namespace {

using ui::numberFromText;

TEST(NumberInput, UnitsExponentsAndSpacesAreAccepted) {
    EXPECT_EQ(numberFromText(QStringLiteral("1500")), 1500);
    EXPECT_EQ(numberFromText(QStringLiteral(" 20k ")), 20e3);
    EXPECT_EQ(numberFromText(QStringLiteral("1.5M")), 1.5e6);
    EXPECT_EQ(numberFromText(QStringLiteral("2 G")), 2e9);
    EXPECT_EQ(numberFromText(QStringLiteral("1e6")), 1e6);
    EXPECT_EQ(numberFromText(QStringLiteral("-0.25")), -0.25);
    EXPECT_EQ(numberFromText(QStringLiteral("90 s")), 90);
    EXPECT_EQ(numberFromText(QStringLiteral("5 min")), 300);
    EXPECT_EQ(numberFromText(QStringLiteral("2h")), 7200);
}

TEST(NumberInput, AnythingElseIsNotANumber) {
    for (const char* text : {"", " ", "k", "many", "1.5.2", "20 kilo", "nan", "inf", "1e400", "5m"})
        EXPECT_FALSE(numberFromText(QLatin1String(text))) << text;
}

TEST(NumberInput, TheLocalesDecimalSignAndAPointAreAccepted) {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_EQ(numberFromText(QStringLiteral("1,5M")), 1.5e6);
    EXPECT_EQ(numberFromText(QStringLiteral("0.25")), 0.25);
    QLocale::setDefault(before);
}

}  // namespace
}  // namespace seedbed::testing
