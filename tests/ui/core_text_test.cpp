// SPDX-License-Identifier: Apache-2.0
// Tests the program's strings in the window's language: sentences with numbers, names of settings, and
// strings without a translation.
#include "ui/models/text/core_text.hpp"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QTranslator>

#include <gtest/gtest.h>

#include "core/analysis/doctor/findings.hpp"
#include "ui/models/charts/metric_title.hpp"
#include "ui/models/text/event_text.hpp"

namespace seedbed::ui {
namespace {

class Dictionary : public QTranslator {
public:
    explicit Dictionary(QHash<QString, QString> texts) : texts_(std::move(texts)) {
        QCoreApplication::installTranslator(this);
    }
    ~Dictionary() override { QCoreApplication::removeTranslator(this); }
    QString translate(const char* context, const char* source, const char*, int) const override {
        return QLatin1String(context) == QLatin1String(kCoreContext) ? texts_.value(QString::fromUtf8(source))
                                                                     : QString();
    }
    bool isEmpty() const override { return false; }

private:
    QHash<QString, QString> texts_;
};

class CoreText : public ::testing::Test {
protected:
    CoreText() { QLocale::setDefault(QLocale(QLocale::German)); }
    ~CoreText() override { QLocale::setDefault(locale_); }
    const QLocale locale_;
};

TEST_F(CoreText, ASentenceIsTranslatedAsAWholeWithItsPartsInAnyOrder) {
    const Dictionary german({{QStringLiteral("%1 at step %2"), QStringLiteral("bei Schritt %2: %1")}});
    EXPECT_EQ(coreText(LocalizableText{"%1 at step %2", {"loss/value", "1.5e+05"}}),
              QStringLiteral("bei Schritt 1,5e+05: loss/value"));
    EXPECT_EQ(coreText({LocalizableText{"%1 at step %2", {"x", "1"}}, LocalizableText{"as it is", {}}},
                       QStringLiteral("; ")),
              QStringLiteral("bei Schritt 1: x; as it is"));
}

TEST_F(CoreText, TextsWithoutTranslationAreUnchanged) {
    EXPECT_EQ(coreText(std::string_view("Übersetzt hat das niemand.")),
              QString::fromUtf8("Übersetzt hat das niemand."));
    EXPECT_EQ(coreText(QString()), QString());
    EXPECT_EQ(metricTitle(QStringLiteral("mine/own_metric")), QStringLiteral("Mine own metric"));
}

TEST_F(CoreText, NamesOfSettingsAreTranslatedForDisplay) {
    const Dictionary german({{QStringLiteral("Learning rate"), QStringLiteral("Lernrate")}});
    EXPECT_EQ(readableName(QStringLiteral("learning_rate")), QStringLiteral("Lernrate"));
    EXPECT_EQ(readableName(QStringLiteral("wrap.time_limit")), QStringLiteral("Wrapper: time limit"));
    EXPECT_EQ(readableName(QStringLiteral("lr_horizon")), QStringLiteral("Learning-rate horizon"));
    EXPECT_EQ(readableName(QStringLiteral("num_envs")), QStringLiteral("Number of environments"));
    EXPECT_EQ(readableName(QStringLiteral("max_grad_norm")), QStringLiteral("Maximum gradient norm"));
    EXPECT_EQ(readableName(QStringLiteral("max_steps")), QStringLiteral("Maximum steps"));
}

TEST_F(CoreText, OnlyNumbersGetTheDecimalSignOfTheLocale) {
    EXPECT_EQ(localNumber(QStringLiteral("0.98")), QStringLiteral("0,98"));
    EXPECT_EQ(localNumber(QStringLiteral("1e-08")), QStringLiteral("1e-08"));
    EXPECT_EQ(localNumber(QStringLiteral("run.threads")), QStringLiteral("run.threads"));
    EXPECT_EQ(localNumber(QStringLiteral("64,64")), QStringLiteral("64,64"));
}

TEST_F(CoreText, KnownEventsAreTranslatedAndOthersShownAsRecorded) {
    EventRecord event;
    event.kind = "resumed";
    event.text = "resumed, and more";
    event.data = {{"step", 163040}, {"exact", true}};
    EXPECT_EQ(eventText(event),
              QStringLiteral("resumed from the checkpoint at step 163.040; it continues bit for bit"));
    event.data["exact"] = false;  // "exact" is false, so the text contains the reason
    EXPECT_EQ(eventText(event), QStringLiteral("resumed, and more"));
    event.kind = "settings";
    event.text = "settings changed: ...";
    event.data = {{"algo.learning_rate", {0.001, 0.0005}}};
    EXPECT_EQ(eventText(event), QStringLiteral("settings changed: algo.learning_rate 0,001 → 0,0005"));
    event.kind = "unheard_of";
    event.data = Json::array({1});
    EXPECT_EQ(eventText(event), QStringLiteral("settings changed: ..."));
    EXPECT_EQ(statusDetail(kStoppedOnRequest), QStringLiteral("stopped on request"));
    EXPECT_EQ(statusDetail("the disk is full"), QStringLiteral("the disk is full"));
}

TEST(Sentences, MarkersWithoutAPartAndSignsOfPercentStay) {
    EXPECT_EQ((LocalizableText{"%1 % of %2 and %3", {"5", "7"}}).text(), "5 % of 7 and %3");
    EXPECT_EQ((LocalizableText{"%1", {"%2"}}).text(), "%2");  // markers in parts are not replaced
    EXPECT_EQ(joinedText({{"a", {}}, {"b %1", {"c"}}}, "; "), "a; b c");
}

}  // namespace
}  // namespace seedbed::ui
