// SPDX-License-Identifier: Apache-2.0
// Tests formatting of numbers and times.
#include <gtest/gtest.h>

#include <QDateTime>
#include <QLocale>

#include "ui/models/text/number_text.hpp"

namespace seedbed::testing {
namespace {

class NumberText : public ::testing::Test {
protected:
    ~NumberText() override { QLocale::setDefault(before_); }

private:
    const QLocale before_;
};

TEST_F(NumberText, TimesUseTheLocaleOrTheFormatOfTheCommandLine) {
    const QDateTime time(QDate(2026, 11, 22), QTime(0, 53, 30));
    const auto seconds = static_cast<double>(time.toSecsSinceEpoch());
    QLocale::setDefault(QLocale::c());
    EXPECT_EQ(ui::timeText(seconds), QStringLiteral("2026-11-22 00:53"));
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_EQ(ui::timeText(seconds), QStringLiteral("22.11.26 00:53"));
    EXPECT_EQ(ui::timeText(0), QString());
}

TEST_F(NumberText, TodayIsShownAsATimeOnly) {
    QLocale::setDefault(QLocale::c());
    const QDateTime now = QDateTime::currentDateTime(), noon(now.date(), QTime(12, 0)),
                    before = noon.addDays(-2);
    // The day may change between the two calls.
    if (QDate::currentDate() == now.date())
        EXPECT_EQ(ui::briefTimeText(static_cast<double>(noon.toSecsSinceEpoch())), QStringLiteral("12:00"));
    EXPECT_EQ(ui::briefTimeText(static_cast<double>(before.toSecsSinceEpoch())),
              before.toString(QStringLiteral("yyyy-MM-dd HH:mm")));
}

TEST_F(NumberText, TheEndsOfAnAxisAreDistinguishable) {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    EXPECT_EQ(ui::rangeTexts(10.0051, 10.0112),
              std::make_pair(QStringLiteral("10.005"), QStringLiteral("10.011")));
    EXPECT_EQ(ui::rangeTexts(-1, 3.5), std::make_pair(QStringLiteral("-1"), QStringLiteral("3.5")));
    EXPECT_EQ(ui::rangeTexts(2, 2).first, QStringLiteral("2"));
}

TEST_F(NumberText, IntervalsUseASemicolonWithDecimalCommas) {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_EQ(ui::intervalText(-8.759, 9.951), QStringLiteral("[-8,759; 9,951]"));
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    EXPECT_EQ(ui::intervalText(-8.759, 9.951), QStringLiteral("[-8.759, 9.951]"));
}

TEST_F(NumberText, ExponentsAreSmallAndNumbersInTablesOfFilesShort) {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    EXPECT_EQ(ui::shortNumber(1.98112e-6), QStringLiteral("1.981e-06"));
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_EQ(ui::readableNumber(15.285714285714286), QStringLiteral("15.29"));
    EXPECT_EQ(ui::readableNumber(1234567), QStringLiteral("1234567"));
    EXPECT_EQ(ui::readableNumber(0.0), QStringLiteral("0"));
}

}  // namespace
}  // namespace seedbed::testing
