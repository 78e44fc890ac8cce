// SPDX-License-Identifier: Apache-2.0
#include "ui/models/config_form.hpp"

#include <QAbstractItemModelTester>
#include <QCoreApplication>
#include <QEventLoop>
#include <QSignalSpy>
#include <QTimer>

#include <gtest/gtest.h>

#include "ui/models/launcher.hpp"
#include "ui/models/suggested_values.hpp"
#include "ui/views/start/run_count.hpp"

namespace seedbed::ui {
namespace {

// Uses the output of the program instead of a copy of it.
QJsonObject description(const QStringList& arguments) {
    Launcher launcher(QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed"),
                      QStringLiteral("/nonexistent"));
    QEventLoop loop;
    QJsonObject json;
    launcher.run(QStringList{QStringLiteral("config")} + arguments + QStringList{QStringLiteral("--fields")},
                 &loop, [&](const CommandReply& reply) {
                     EXPECT_TRUE(reply.ok()) << reply.error.toStdString();
                     json = reply.json.object();
                     loop.quit();
                 });
    QTimer::singleShot(30'000, &loop, &QEventLoop::quit);
    loop.exec();
    return json;
}

class ConfigFormTest : public ::testing::Test {
protected:
    void SetUp() override {
        form.load(QStringLiteral("cartpole"), QStringLiteral("cartpole"), {},
                  description({QStringLiteral("cartpole")}));
    }
    int visible() const {
        int rows = 0;
        for (int section = 0; section < filter.rowCount(); ++section)
            rows += filter.rowCount(filter.index(section, 0));
        return rows;
    }

    ConfigForm form;
    ConfigFormFilter filter;
    const QAbstractItemModelTester tester{&form, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(ConfigFormTest, EveryFieldHasAUsefulDescriptionAndTheValueOfThePreset) {
    int fields = 0;
    for (int section = 0; section < form.rowCount(); ++section) {
        const QModelIndex parent = form.index(section, 0);
        for (int row = 0; row < form.rowCount(parent); ++row, ++fields) {
            const FormField* field = form.fieldAt(form.index(row, ConfigForm::kValue, parent));
            ASSERT_NE(field, nullptr);
            EXPECT_FALSE(field->help.isEmpty()) << field->key.toStdString();
            EXPECT_FALSE(field->type.isEmpty()) << field->key.toStdString();
        }
    }
    EXPECT_GT(fields, 70);
    EXPECT_EQ(form.field(QStringLiteral("algo.gamma"))->text, QStringLiteral("0.98"));
    EXPECT_EQ(form.field(QStringLiteral("algo.gamma"))->default_text, QStringLiteral("0.99"));
    EXPECT_EQ(form.field(QStringLiteral("network.hidden"))->text, QStringLiteral("64,64"));
    EXPECT_EQ(form.changedCount(), 0);
    EXPECT_EQ(form.arguments(), (QStringList{QStringLiteral("cartpole"), QStringLiteral("--preset"),
                                             QStringLiteral("cartpole")}));
}

TEST_F(ConfigFormTest, OnlyChangesBecomeArgumentsAndResetRevertsThem) {
    EXPECT_TRUE(form.set(QStringLiteral("algo.gamma"), QStringLiteral("0.95")));
    EXPECT_TRUE(form.set(QStringLiteral("network.hidden"), QStringLiteral("128, 128")));
    EXPECT_EQ(form.changedCount(), 2);
    EXPECT_EQ(form.arguments().mid(3),
              (QStringList{QStringLiteral("--algo.gamma=0.95"), QStringLiteral("--network.hidden=128,128")}));
    form.reset(QStringLiteral("algo.gamma"));
    EXPECT_EQ(form.arguments().mid(3), QStringList{QStringLiteral("--network.hidden=128,128")});
    form.resetAll();
    EXPECT_EQ(form.changedCount(), 0);
}

TEST_F(ConfigFormTest, ValuesOfACopiedRunAreArgumentsButNotChanges) {
    EXPECT_TRUE(form.setBase(QStringLiteral("algo.gamma"), QStringLiteral("0.9")));
    EXPECT_FALSE(form.setBase(QStringLiteral("algo.gamma"), QStringLiteral("7")));
    EXPECT_FALSE(form.setBase(QStringLiteral("algo.nothing"), QStringLiteral("7")));
    EXPECT_EQ(form.changedCount(), 0);
    EXPECT_EQ(form.field(QStringLiteral("algo.gamma"))->text, QStringLiteral("0.9"));
    EXPECT_EQ(form.arguments().mid(3), QStringList{QStringLiteral("--algo.gamma=0.9")});
    EXPECT_TRUE(form.set(QStringLiteral("algo.gamma"), QStringLiteral("0.95")));
    EXPECT_EQ(form.changes(),
              (QMap<QString, QString>{{QStringLiteral("algo.gamma"), QStringLiteral("0.95")}}));
    form.reset(QStringLiteral("algo.gamma"));
    EXPECT_EQ(form.field(QStringLiteral("algo.gamma"))->text, QStringLiteral("0.9"))
        << "the base value, not that of the preset";
    // The preset's value then counts as a change.
    EXPECT_TRUE(form.set(QStringLiteral("algo.gamma"), QStringLiteral("0.98")));
    EXPECT_EQ(form.changedCount(), 1);
    EXPECT_EQ(form.arguments().size(), 3);
    form.resetAll();
    EXPECT_EQ(form.field(QStringLiteral("algo.gamma"))->text, QStringLiteral("0.9"));
    // Earlier changes of the user are kept.
    EXPECT_TRUE(form.set(QStringLiteral("run.steps"), QStringLiteral("5000")));
    EXPECT_TRUE(form.setBase(QStringLiteral("run.steps"), QStringLiteral("7000")));
    EXPECT_EQ(form.field(QStringLiteral("run.steps"))->text, QStringLiteral("5000"));
}

TEST_F(ConfigFormTest, WrongValuesAreRejectedWithTheReasonAndTheAllowedRange) {
    QSignalSpy refused(&form, &ConfigForm::rejected);
    EXPECT_FALSE(form.set(QStringLiteral("algo.gamma"), QStringLiteral("1.5")));
    EXPECT_TRUE(refused.last()[0].toString().contains(QStringLiteral("0 to 1")))
        << refused.last()[0].toString().toStdString();
    EXPECT_FALSE(form.set(QStringLiteral("algo.epochs"), QStringLiteral("2.5")));
    EXPECT_FALSE(form.set(QStringLiteral("algo.epochs"), QStringLiteral("many")));
    EXPECT_FALSE(form.set(QStringLiteral("algo.gamma"), QStringLiteral("nan")));
    EXPECT_FALSE(form.set(QStringLiteral("network.activation"), QStringLiteral("tanhh")));
    EXPECT_FALSE(form.set(QStringLiteral("no.such"), QStringLiteral("1")));
    EXPECT_EQ(refused.count(), 6);
    EXPECT_EQ(form.changedCount(), 0);
}

TEST_F(ConfigFormTest, DecimalCommasAreAcceptedIfTheyCannotMeanAList) {
    EXPECT_TRUE(form.set(QStringLiteral("algo.gamma"), QStringLiteral("0,9")));
    EXPECT_EQ(form.field(QStringLiteral("algo.gamma"))->text, QStringLiteral("0.9"));
    for (const auto& [typed, value] :
         std::initializer_list<std::pair<const char*, const char*>>{{"0,5", "0.5"},
                                                                    {"0,05", "0.05"},
                                                                    {"0,005", "0.005"},
                                                                    {"0,0005", "0.0005"},
                                                                    {"0,125", "0.125"},
                                                                    {"0.005", "0.005"}}) {
        EXPECT_TRUE(form.set(QStringLiteral("algo.learning_rate"), QLatin1String(typed))) << typed;
        EXPECT_EQ(form.field(QStringLiteral("algo.learning_rate"))->text, QLatin1String(value)) << typed;
    }
    for (const char* ambiguous : {"1,000,000", "1.000,5", "1,5", "1.000", "100,000"})
        EXPECT_FALSE(form.set(QStringLiteral("run.steps"), QLatin1String(ambiguous))) << ambiguous;
    EXPECT_TRUE(form.set(QStringLiteral("run.steps"), QStringLiteral("1e6")));
    EXPECT_EQ(form.field(QStringLiteral("run.steps"))->text, QStringLiteral("1000000"));
}

TEST_F(ConfigFormTest, NumbersUseTheLocaleInTheFormAndAPointInArguments) {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    form.load(QStringLiteral("cartpole"), QStringLiteral("cartpole"), {},
              description({QStringLiteral("cartpole")}));
    QModelIndex gamma, hidden, steps;
    for (int section = 0; section < form.rowCount(); ++section)
        for (int row = 0; row < form.rowCount(form.index(section, 0)); ++row) {
            const QModelIndex at = form.index(row, ConfigForm::kValue, form.index(section, 0));
            for (const auto& [key, index] :
                 {std::pair{"algo.gamma", &gamma}, {"network.hidden", &hidden}, {"run.steps", &steps}})
                if (at.data(ConfigForm::kKeyRole).toString() == QLatin1String(key)) *index = at;
        }
    ASSERT_TRUE(gamma.isValid() && hidden.isValid() && steps.isValid());
    EXPECT_EQ(gamma.data().toString(), QStringLiteral("0,98"));
    EXPECT_EQ(gamma.data(Qt::EditRole).toString(), QStringLiteral("0,98"));
    EXPECT_TRUE(gamma.data(Qt::ToolTipRole).toString().contains(QStringLiteral("default: 0,99")));
    EXPECT_EQ(hidden.data().toString(), QStringLiteral("64,64"));
    EXPECT_EQ(form.field(QStringLiteral("run.steps"))->allowed, QStringLiteral("0 or more"));
    EXPECT_EQ(form.field(QStringLiteral("algo.rollout_length"))->allowed, QStringLiteral("1 to 1.000.000"));
    // The text of an editor is accepted unchanged; both decimal separators are valid.
    EXPECT_TRUE(form.setData(gamma, gamma.data(Qt::EditRole), Qt::EditRole));
    EXPECT_EQ(form.changedCount(), 0);
    for (const char* typed : {"0,9", "0.9"}) {
        EXPECT_TRUE(form.setData(gamma, QLatin1String(typed), Qt::EditRole)) << typed;
        EXPECT_TRUE(form.arguments().contains(QStringLiteral("--algo.gamma=0.9"))) << typed;
    }
    QLocale::setDefault(before);
}

TEST_F(ConfigFormTest, SpecialValuesAreShownChosenAndTypedByMeaning) {
    // Units and ranges come from the descriptions; the form hard-codes no fields.
    const FormField* goal = form.field(QStringLiteral("run.target_return"));
    ASSERT_EQ(goal->special.size(), 1u);
    EXPECT_EQ(goal->shown(goal->text), QStringLiteral("never"));
    EXPECT_EQ(goal->shown(QStringLiteral("475")), QStringLiteral("475"));
    const FormField* minutes = form.field(QStringLiteral("run.minutes"));
    EXPECT_EQ(minutes->shown(QStringLiteral("0")), QStringLiteral("0: no limit"));
    const FormField* interval = form.field(QStringLiteral("eval.every_steps"));
    EXPECT_EQ(interval->specialTexts(), QStringList{QStringLiteral("0: a tenth of run.horizon")});
    const FormField* deadline = form.field(QStringLiteral("infer.deadline_ms"));
    ASSERT_NE(deadline, nullptr);
    EXPECT_EQ(deadline->specialTexts(),
              (QStringList{QStringLiteral("0: immediately"),
                           QStringLiteral("-1: only when it is full or all groups have arrived")}));
    for (const char* text : {"475", "never", "", "NEVER", "-1e30"}) {
        EXPECT_TRUE(form.set(goal->key, QString::fromLatin1(text))) << text;
        EXPECT_EQ(form.changedCount(), text == std::string_view("475") ? 1 : 0) << text;
    }
    EXPECT_FALSE(form.set(QStringLiteral("algo.gamma"), QString())) << "this setting cannot be empty";
    EXPECT_TRUE(form.set(minutes->key, QStringLiteral("5")));
    EXPECT_TRUE(form.set(minutes->key, QStringLiteral("0: no limit")));
    EXPECT_EQ(form.changedCount(), 0);
    // The internal value is never shown.
    for (int section = 0; section < form.rowCount(); ++section) {
        const QModelIndex parent = form.index(section, 0);
        for (int row = 0; row < form.rowCount(parent); ++row)
            for (int column = 0; column < ConfigForm::kColumns; ++column)
                EXPECT_FALSE(
                    form.index(row, column, parent).data().toString().contains(QStringLiteral("1e+30")));
    }
}

TEST_F(ConfigFormTest, ChangesAreKeptIfAnotherAlgorithmHasTheSetting) {
    form.set(QStringLiteral("algo.gamma"), QStringLiteral("0.9"));
    form.set(QStringLiteral("algo.epochs"), QStringLiteral("3"));
    form.load(QStringLiteral("cartpole"), QStringLiteral("none"), QStringLiteral("vtrace"),
              description({QStringLiteral("cartpole"), QStringLiteral("--algo"), QStringLiteral("vtrace"),
                           QStringLiteral("--preset"), QStringLiteral("none")}));
    EXPECT_EQ(form.field(QStringLiteral("algo.gamma"))->text, QStringLiteral("0.9"));
    EXPECT_TRUE(form.arguments().contains(QStringLiteral("--algo")));
}

TEST_F(ConfigFormTest, LevelsSearchAndChangedOnlyFilterTheForm) {
    filter.setSourceModel(&form);
    filter.setLevel(FormLevel::goal);
    const int goal = visible();
    filter.setLevel(FormLevel::recipe);
    const int recipe = visible();
    filter.setLevel(FormLevel::everything);
    const int everything = visible();
    EXPECT_GE(goal, 4);
    EXPECT_GT(recipe, goal);
    EXPECT_GT(everything, recipe);
    filter.setLevel(FormLevel::goal);
    filter.setWords(QStringLiteral("GAMMA"));
    EXPECT_GE(visible(), 1);
    filter.setWords(QStringLiteral("no such words"));
    EXPECT_EQ(visible(), 0);
    filter.setWords({});
    filter.setChangedOnly(true);
    EXPECT_EQ(visible(), 0);
    form.set(QStringLiteral("optimiser.epsilon"), QStringLiteral("1e-7"));
    EXPECT_EQ(visible(), 1);
    filter.setChangedOnly(false);
    EXPECT_EQ(visible(), goal + 1);  // changed fields are shown at every level
}

TEST(SeedsAndGrids, AreCountedOrRejected) {
    EXPECT_EQ(countSeeds(QStringLiteral("1..5")), 5);
    EXPECT_EQ(countSeeds(QStringLiteral("1, 2,7")), 3);
    for (const char* wrong : {"", "5..1", "a", "1..", "1,,2", "1..99999", "99999999999999999999"})
        EXPECT_EQ(countSeeds(QString::fromLatin1(wrong)), 0) << wrong;
    EXPECT_EQ(countGrid(QString()), 1);
    EXPECT_EQ(countGrid(QStringLiteral("algo.gamma=0.9,0.99 run.threads=1,2,3")), 6);
    for (const char* wrong : {"gamma", "a=", "=1", "a=1,,2"})
        EXPECT_EQ(countGrid(QString::fromLatin1(wrong)), 0) << wrong;
}

TEST(SeedsAndGrids, ASettingMayFollowALoneValueWithCommas) {
    const auto axes = parseGrid(QStringLiteral("network.hidden=64,64; algo.gamma=0.98, 0.99"));
    ASSERT_TRUE(axes.has_value());
    ASSERT_EQ(axes->size(), 2);
    EXPECT_EQ(axes->at(0).values, QStringList{QStringLiteral("64,64")});
    EXPECT_EQ(axes->at(1).values, (QStringList{QStringLiteral("0.98"), QStringLiteral("0.99")}));
}

TEST(SeedsAndGrids, DecimalCommasNeedSemicolonsAndAreNotSeparators) {
    const auto axis = [](const char* text) { return parseGrid(QLatin1String(text)).value().value(0); };
    EXPECT_EQ(axis("algo.learning_rate=0,001;0,01").values,
              (QStringList{QStringLiteral("0,001"), QStringLiteral("0,01")}));
    EXPECT_EQ(countGrid(QStringLiteral("algo.learning_rate=0,001; 0,01")), 2);
    EXPECT_FALSE(hasAmbiguousCommas(axis("algo.learning_rate=0,001;0,01"), true));
    EXPECT_TRUE(hasAmbiguousCommas(axis("algo.learning_rate=0,001,0,01"), true))
        << "it would give four values: 0, 1, 0 and 1";
    EXPECT_FALSE(hasAmbiguousCommas(axis("algo.learning_rate=1,2"), true))
        << "this language has no decimal commas";
    EXPECT_FALSE(hasAmbiguousCommas(axis("algo.gamma=0.9,0.99"), true));
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_TRUE(hasAmbiguousCommas(axis("algo.learning_rate=1,2"), true));
    EXPECT_FALSE(hasAmbiguousCommas(axis("algo.epochs=4,8"), false)) << "integers have no decimals";
    EXPECT_FALSE(hasAmbiguousCommas(axis("algo.gamma=0.9,0.99"), true));
    QLocale::setDefault(before);
}

TEST_F(ConfigFormTest, SuggestedValuesAreNearTheValueAndValid) {
    const auto suggested = [&](const char* key, const char* value) {
        EXPECT_TRUE(form.set(QLatin1String(key), QLatin1String(value))) << key;
        const QStringList all = suggestedValues(form, QLatin1String(key));
        for (const QString& each : all)
            EXPECT_EQ(form.problemWith(QLatin1String(key), each), QString()) << key;
        return all.join(QLatin1Char(' ')).toStdString();
    };
    EXPECT_EQ(suggested("algo.gamma", "0.98"), "0.94 0.9933 0.99") << "the last is the default";
    EXPECT_EQ(suggested("algo.learning_rate", "0.0003"), "0.0001 0.0009 0.005") << "of the preset";
    EXPECT_EQ(suggested("algo.clip", "0.5"), "0.4 0.6 0.2");
    EXPECT_EQ(suggested("actor.num_envs", "128"), "32 512 8") << "powers of two";
    EXPECT_EQ(suggested("network.hidden", "64,64"), "32,32 128,128");
    EXPECT_EQ(suggested("eval.episodes", "1").substr(0, 1), "3") << "a third is not valid";
    EXPECT_EQ(suggested("run.steps", "no limit"), "100000") << "special values are not numbers";
    for (const char* other : {"algo.popart", "algo.novelty", "run.device", "no.such"})
        EXPECT_EQ(suggestedValues(form, QLatin1String(other)), QStringList()) << other;
}

TEST(ShellWords, AreQuotedSoThatAShellReadsThemBack) {
    EXPECT_EQ(shellWord(QStringLiteral("--algo.gamma=0.9")), QStringLiteral("--algo.gamma=0.9"));
    EXPECT_EQ(shellWord(QStringLiteral("two words")), QStringLiteral("'two words'"));
    EXPECT_EQ(shellWord(QStringLiteral("it's")), QStringLiteral("'it'\\''s'"));
    EXPECT_EQ(shellWord(QString()), QStringLiteral("''"));
    EXPECT_EQ(shellWord(QStringLiteral("$(rm x)")), QStringLiteral("'$(rm x)'"));
}

TEST(Launcher, AProgramThatCannotBeStartedIsReported) {
    Launcher launcher(QStringLiteral("/nonexistent/seedbed"), QStringLiteral("/nonexistent"));
    QEventLoop loop;
    CommandReply got;
    launcher.run({QStringLiteral("list")}, &loop, [&](const CommandReply& reply) {
        got = reply;
        loop.quit();
    });
    QTimer::singleShot(30'000, &loop, &QEventLoop::quit);
    loop.exec();
    EXPECT_EQ(got.exit_code, -1);
    EXPECT_TRUE(got.error.contains(QStringLiteral("/nonexistent/seedbed")));
}

TEST(Launcher, ErrorsContainTheProgramsMessageAndExitCode) {
    Launcher launcher(QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed"),
                      QStringLiteral("/nonexistent"));
    QEventLoop loop;
    CommandReply got;
    launcher.run({QStringLiteral("config"), QStringLiteral("cartpoll")}, &loop,
                 [&](const CommandReply& reply) {
                     got = reply;
                     loop.quit();
                 });
    QTimer::singleShot(30'000, &loop, &QEventLoop::quit);
    loop.exec();
    EXPECT_EQ(got.exit_code, 3);
    EXPECT_TRUE(got.error.contains(QStringLiteral("cartpole"))) << got.error.toStdString();
}

}  // namespace
}  // namespace seedbed::ui
