// SPDX-License-Identifier: Apache-2.0
// Tests the German window: strings of the program are translated, and changing the language keeps the state
// of the window.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QSet>
#include <QTabWidget>
#include <QTableView>
#include <QTranslator>

#include "app/gui/translations.hpp"
#include "tests/ui_window/driver.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/config_form.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/text/core_text.hpp"
#include "ui/models/text/languages.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/compare/groups_view.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/dashboard/doctor_panel.hpp"
#include "ui/views/start/customize_view.hpp"
#include "ui/views/start/start_link.hpp"

namespace seedbed::ui {
namespace {

// The last translator to be queried: records strings that the other translators do not translate.
class Unknown : public QTranslator {
public:
    Unknown() { QCoreApplication::installTranslator(this); }
    ~Unknown() override { QCoreApplication::removeTranslator(this); }
    QString translate(const char* context, const char* source, const char*, int) const override {
        if (QLatin1String(context) == QLatin1String(kCoreContext)) texts_ += QString::fromUtf8(source);
        return {};
    }
    bool isEmpty() const override { return false; }
    // A missing translation is a warning, not a failure.
    void warn() const {
        for (const QString& text : texts_) qWarning("no German translation: %s", qUtf8Printable(text));
    }

private:
    mutable QSet<QString> texts_;
};

class German : public WindowTest {
protected:
    void SetUp() override {
        if (!installedLanguages().contains(QStringLiteral("de")))
            GTEST_SKIP() << "lrelease was not found, so there are no compiled translations";
    }
    CustomizeView* form() { return window().findChild<CustomizeView*>(); }
    // Opens the form of an environment and waits for its settings.
    void openForm(const NewRunRequest& request) {
        window().open(StartLink{.new_run = request});
        ASSERT_TRUE(QTest::qWaitFor([&] { return form() != nullptr && form()->form().env() == request.env; },
                                    kTimeoutMs));
    }
    std::vector<RunId> chosen() {
        const auto* table = find<QTableView>("run-table");
        std::vector<RunId> runs;
        for (const QModelIndex& index : table->selectionModel()->selectedRows())
            runs.push_back(static_cast<const RunTableModel*>(table->model())->runAt(index.row()).id);
        std::sort(runs.begin(), runs.end());
        return runs;
    }
    // Whether the run page shows this run.
    bool showsRun(const QString& title) {
        return QTest::qWaitFor(
            [&] {
                for (const QLabel* label : window().page(QStringLiteral("run"))->findChildren<QLabel*>())
                    if (label->isVisibleTo(&window()) && label->text().contains(title)) return true;
                return false;
            },
            kTimeoutMs);
    }
};

TEST_F(German, EveryTextOfTheProgramThatTheGalleryAndTheFormShowIsTranslated) {
    const Unknown unknown;
    const auto translators = installTranslations(QStringLiteral("de"));
    openWindow();
    QStringList environments;
    for (const EnvInfo& env : app->services().catalogue->environments()) environments += env.id;
    EXPECT_GT(environments.size(), 40);
    // Environments of each kind: with parameters, with presets, with real-valued actions.
    for (const char* env : {"cartpole", "minatar_seaquest", "minigrid_dynamic_obstacles_random_5x5", "pong",
                            "pendulum", "t_maze"})
        openForm({.env = QLatin1String(env), .preset = {}, .settings = {}});
    openForm({.env = QStringLiteral("cartpole"),
              .preset = {},
              .settings = {{QStringLiteral("algo.id"), QStringLiteral("vtrace")}}});
    unknown.warn();
    // Checks that some strings are translated.
    const FormField* gamma = form()->form().field(QStringLiteral("algo.gamma"));
    ASSERT_NE(gamma, nullptr);
    EXPECT_EQ(gamma->shown(QStringLiteral("0.98")), QStringLiteral("0,98"));
    const FormField* steps = form()->form().field(QStringLiteral("run.steps"));
    EXPECT_EQ(steps->unit, QStringLiteral("Schritte"));
    picture(QStringLiteral("german-form"));
}

TEST_F(German, FindingsOfTheDoctorEventsAndVerdictsAreTranslatedAsAWhole) {
    // A learning rate that fails, and one that works.
    for (const char* rate : {"0.3", "0.005"})
        for (const char* seed : {"1", "2"})
            seedbed({QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
                     QStringLiteral("30000"), QStringLiteral("--seed"), QLatin1String(seed),
                     QStringLiteral("--algo.learning_rate=") + QLatin1String(rate),
                     QStringLiteral("--algo.lr_schedule=constant"), QStringLiteral("--quiet")});
    const Unknown unknown;
    const auto translators = installTranslations(QStringLiteral("de"));
    openWindow();
    window().open(DashboardLink{1});
    auto* doctor = window().findChild<DoctorPanel*>();
    ASSERT_NE(doctor, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return doctor->findings() > 0; }, kTimeoutMs));
    picture(QStringLiteral("german-doctor"));
    for (auto* tabs : window().page(QStringLiteral("run"))->findChildren<QTabWidget*>())
        tabs->setCurrentIndex(2);
    QTest::qWait(200);
    picture(QStringLiteral("german-events"));
    window().open(CompareLink{{1, 2, 3, 4}});
    auto* groups = window().findChild<GroupsView*>();
    ASSERT_NE(groups, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !groups->verdicts().isEmpty(); }, kTimeoutMs))
        << groups->verdicts().toStdString();
    for (auto* tabs : window().page(QStringLiteral("compare"))->findChildren<QTabWidget*>())
        for (int tab = 1; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            QTest::qWait(300);
            picture(QStringLiteral("german-compare-%1").arg(tab));
        }
    unknown.warn();
}

TEST_F(German, AnotherLanguageKeepsFormChoiceFilterAndTheShownRun) {
    for (const char* seed : {"1", "2", "3"})
        seedbed({QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
                 QStringLiteral("3000"), QStringLiteral("--seed"), QLatin1String(seed),
                 QStringLiteral("--name"), QStringLiteral("seed-") + QLatin1String(seed),
                 QStringLiteral("--quiet")});
    openWindow();
    window().open(CompareLink{{1, 2}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return chosen() == std::vector<RunId>{1, 2}; }, kTimeoutMs));
    find<QLineEdit>("run-filter")->setText(QStringLiteral("env:cartpole"));
    window().open(DashboardLink{2});
    ASSERT_TRUE(showsRun(QStringLiteral("seed-2")));
    openForm({.env = QStringLiteral("pendulum"),
              .preset = QStringLiteral("none"),
              .settings = {{QStringLiteral("algo.gamma"), QStringLiteral("0.9")},
                           {QStringLiteral("run.steps"), QStringLiteral("5000")}}});
    find<QLineEdit>("run-seeds")->setText(QStringLiteral("1..3"));
    const QStringList arguments = form()->trainArguments();
    EXPECT_TRUE(arguments.contains(QStringLiteral("--algo.gamma=0.9")))
        << arguments.join(QLatin1Char(' ')).toStdString();

    // As main() does after a change of language.
    const QVariantMap state = window().savePages();
    closeWindow();
    const auto translators = installTranslations(QStringLiteral("de"));
    openWindow(false, state);
    EXPECT_EQ(window().menuBar()->actions().front()->text(), QStringLiteral("&Fenster"));
    EXPECT_EQ(window().currentPage(), QStringLiteral("start"));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return form() != nullptr && form()->form().env() == QStringLiteral("pendulum"); }, kTimeoutMs));
    EXPECT_TRUE(form()->isVisible());
    EXPECT_EQ(form()->trainArguments(), arguments);
    window().openPage(QStringLiteral("run"));
    EXPECT_TRUE(showsRun(QStringLiteral("seed-2")));
    window().openPage(QStringLiteral("compare"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return chosen() == std::vector<RunId>{1, 2}; }, kTimeoutMs));
    EXPECT_EQ(find<QLineEdit>("run-filter")->text(), QStringLiteral("env:cartpole"));
}

}  // namespace
}  // namespace seedbed::ui
