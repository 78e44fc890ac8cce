// SPDX-License-Identifier: Apache-2.0
// Tests the start page and the form of a new run: messages, keys, and typed values.
#include <map>
#include <set>

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "tests/ui/page_fixture.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/start/customize_view.hpp"
#include "ui/views/start/start_link.hpp"

namespace seedbed::testing {
namespace {

using ui::ConfigForm;
using ui::CustomizeView;

class StartTest : public PageTest {
protected:
    void SetUp() override {
        catalogue_ = std::make_unique<ui::Catalogue>(*services().launcher);
        ASSERT_EQ(catalogue_->load(), QString());
        services().catalogue = catalogue_.get();
    }
    ui::Catalogue& catalogue() { return *catalogue_; }

    std::unique_ptr<CustomizeView> openForm(const ui::NewRunRequest& request) {
        auto view = std::make_unique<CustomizeView>(services());
        view->resize(1200, 800);
        view->show();
        view->open(request);
        EXPECT_TRUE(loaded(*view, request.env));
        return view;
    }
    static bool loaded(const CustomizeView& view, const QString& env) {
        return waitFor([&] { return view.form().env() == env && view.form().rowCount() > 0; });
    }
    // All error messages of the form.
    static QString problem(const QWidget& view) {
        QStringList all;
        for (const char* name : {"field-problem", "line-problem", "problem"})
            if (const QString text = view.findChild<QLabel*>(QLatin1String(name))->text(); !text.isEmpty())
                all << text;
        return all.join(QLatin1Char('\n'));
    }
    static QPushButton* train(const QWidget& view) {
        return view.findChild<QPushButton*>(QStringLiteral("train"));
    }
    static QLineEdit* line(const QWidget& view, const char* name) {
        for (QLineEdit* one : view.findChildren<QLineEdit*>())
            if (one->accessibleName() == QLatin1String(name)) return one;
        return nullptr;
    }
    static bool set(const CustomizeView& view, const char* key, const char* value) {
        return const_cast<ConfigForm&>(view.form()).set(QLatin1String(key), QLatin1String(value));
    }
    // The control of a setting, when its row is shown.
    static QWidget* field(const QWidget& view, const char* key) {
        QWidget* found = nullptr;
        EXPECT_TRUE(waitFor([&] {
            found = view.findChild<QWidget*>(QLatin1String("setting-") + QLatin1String(key));
            return found != nullptr && found->isVisible();
        })) << key;
        return found;
    }
    // Its text field.
    static QLineEdit* text(const QWidget& view, const char* key) {
        QWidget* control = field(view, key);
        auto* box = qobject_cast<QComboBox*>(control);
        return box != nullptr ? box->lineEdit() : qobject_cast<QLineEdit*>(control);
    }
    // Types a value without committing it.
    static void type(const QWidget& view, const char* key, const char* value) {
        QLineEdit* editor = text(view, key);
        ASSERT_NE(editor, nullptr);
        editor->setFocus();
        settle();
        editor->selectAll();
        QTest::keyClicks(editor, QLatin1String(value));
    }
    static QPushButton* button(const QWidget& view, const QString& name) {
        return view.findChild<QPushButton*>(name);
    }
    static QPushButton* varyButton(const QWidget& view, const char* key) {
        return button(view, QLatin1String("vary-") + QLatin1String(key));
    }
    static QLineEdit* newValue(const QWidget& view, const char* key) {
        return view.findChild<QLineEdit*>(QLatin1String("add-value-") + QLatin1String(key));
    }

    // Stops the runs before their folder is removed.
    bool allFinished(std::size_t count) {
        return waitFor(
            [&] {
                const auto& runs = *store().runs();
                return runs.size() == count &&
                       std::none_of(runs.begin(), runs.end(), [](const RunRecord& run) {
                           return isLive(run.status) || run.status == RunStatus::queued;
                       });
            },
            60);
    }

private:
    std::unique_ptr<ui::Catalogue> catalogue_;
};

TEST_F(StartTest, EveryEnvironmentOpensItsOwnForm) {
    CustomizeView view(services());
    std::map<QString, int> titles;
    for (const ui::EnvInfo& env : catalogue().environments()) ++titles[env.title];
    int number = 0;
    for (const ui::EnvInfo& env : catalogue().environments()) {
        EXPECT_EQ(titles[env.title], 1) << env.title.toStdString();
        if (number++ % 4 != 0 && !test::isLong()) continue;
        view.open({.env = env.id, .preset = QStringLiteral("none"), .settings = {}});
        EXPECT_TRUE(loaded(view, env.id)) << env.id.toStdString() << ": " << problem(view).toStdString();
        EXPECT_EQ(view.trainArguments().value(0), env.id);
        const ui::FormField* id = view.form().field(QStringLiteral("env.id"));
        if (id != nullptr) {
            EXPECT_EQ(id->text, env.id);
        }
    }
}

TEST_F(StartTest, AFormCopiedFromARunMarksOnlyTheSuggestedChange) {
    const auto view =
        openForm({.env = QStringLiteral("cartpole"),
                  .preset = QStringLiteral("none"),
                  .settings = {{QStringLiteral("env.wrap.reward_scale"), QStringLiteral("0.1")}},
                  .like = 24,
                  .base = {{QStringLiteral("algo.id"), QStringLiteral("ppo")},
                           {QStringLiteral("algo.learning_rate"), QStringLiteral("0.005")},
                           {QStringLiteral("env.wrap.reward_scale"), QStringLiteral("1.0")},
                           {QStringLiteral("run.steps"), QStringLiteral("30000")}}});
    ASSERT_TRUE(waitFor([&] {
        return view->form().field(QStringLiteral("algo.learning_rate"))->text == QStringLiteral("0.005");
    }));
    settle();
    EXPECT_EQ(problem(*view), QString());
    EXPECT_EQ(view->form().changes(),
              (QMap<QString, QString>{{QStringLiteral("env.wrap.reward_scale"), QStringLiteral("0.1")}}));
    EXPECT_TRUE(waitFor([&] { return !field(*view, "env.wrap.reward_scale")->visibleRegion().isEmpty(); }))
        << "the form scrolls to the suggested change";
    EXPECT_TRUE(button(*view, QStringLiteral("reset-env.wrap.reward_scale"))->isVisible());
    EXPECT_FALSE(button(*view, QStringLiteral("reset-algo.learning_rate"))->isVisible());
    EXPECT_TRUE(view->form().arguments().contains(QStringLiteral("--algo.learning_rate=0.005")));
    EXPECT_TRUE(view->form().arguments().contains(QStringLiteral("--run.steps=30000")));
    const auto titled = [&](const char* text) {
        const auto labels = view->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](QLabel* label) { return label->text() == QLatin1String(text); });
    };
    EXPECT_TRUE(titled("CartPole, copied from run 24"));
    picture(*view, "form-like-a-run");
    // Another preset resets the form.
    for (QComboBox* box : view->findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Preset")) {
            box->setCurrentIndex(0);
            Q_EMIT box->activated(0);
        }
    ASSERT_TRUE(waitFor(
        [&] { return view->form().field(QStringLiteral("run.steps"))->text != QStringLiteral("30000"); }));
    EXPECT_TRUE(titled("CartPole"));
}

TEST_F(StartTest, TheRecommendedAlgorithmBecomesConcreteAndIsExplained) {
    auto view =
        openForm({.env = QStringLiteral("deep_sea"), .preset = QStringLiteral("none"), .settings = {}});
    ASSERT_TRUE(set(*view, "env.size", "20"));
    const auto boxOf = [&](const char* name) -> QComboBox* {
        for (QComboBox* box : view->findChildren<QComboBox*>())
            if (box->accessibleName() == QLatin1String(name)) return box;
        return nullptr;
    };
    QComboBox* algorithms = boxOf("Algorithm");
    algorithms->setCurrentIndex(algorithms->findData(QStringLiteral("auto")));
    Q_EMIT algorithms->activated(algorithms->currentIndex());
    ASSERT_TRUE(waitFor([&] { return algorithms->currentData() == QStringLiteral("dqn"); }));
    const auto* note = view->findChild<QLabel*>(QStringLiteral("preset-note"));
    ASSERT_TRUE(waitFor([&] { return note->text().contains(QStringLiteral("rarely find a reward")); }));
    QStringList arguments;  // of the recommendation's settings, which are loaded after its name is shown
    const QRegularExpression either(QStringLiteral("dqn|deep_sea_30"));
    EXPECT_TRUE(waitFor([&] { return !(arguments = view->trainArguments()).filter(either).isEmpty(); }));
    EXPECT_FALSE(arguments.join(QLatin1Char(' ')).contains(QStringLiteral("auto")));
    EXPECT_TRUE(waitFor([&] { return problem(*view).isEmpty(); })) << problem(*view).toStdString();
}

TEST_F(StartTest, ErrorsOfTheDryRunAreShownUntilFixed) {
    auto view =
        openForm({.env = QStringLiteral("cartpole"), .preset = QStringLiteral("none"), .settings = {}});
    ASSERT_TRUE(set(*view, "run.device", "vulkan:99"));
    ASSERT_TRUE(waitFor([&] { return !problem(*view).isEmpty(); })) << "there is no such device";
    EXPECT_FALSE(train(*view)->isEnabled());
    const QString found = problem(*view);
    QTest::keyClicks(line(*view, "Name of the run"), QStringLiteral("a name"));
    settle();
    EXPECT_EQ(problem(*view), found) << "a name does not fix the problem";
    QTest::keyClicks(line(*view, "Seeds"), QStringLiteral("5..1"));
    EXPECT_TRUE(problem(*view).contains(QStringLiteral("1..5")));
    line(*view, "Seeds")->clear();
    EXPECT_EQ(problem(*view), found);
    ASSERT_TRUE(set(*view, "run.device", "cpu"));
    ASSERT_TRUE(waitFor([&] { return problem(*view).isEmpty() && train(*view)->isEnabled(); }));
    settle(1500);
    EXPECT_EQ(problem(*view), QString());
}

TEST_F(StartTest, TrainingWithoutALimitIsRefusedInTheWordsOfTheForm) {
    auto view =
        openForm({.env = QStringLiteral("cartpole"), .preset = QStringLiteral("none"), .settings = {}});
    ASSERT_TRUE(set(*view, "run.steps", "0"));
    const QString refusal =
        QStringLiteral("Without a limit, training would never stop. Set Steps, Minutes or Target return.");
    EXPECT_EQ(problem(*view), refusal);
    EXPECT_FALSE(train(*view)->isEnabled());
    settle(1000);  // the dry run adds nothing
    EXPECT_EQ(problem(*view), refusal);
    ASSERT_TRUE(set(*view, "run.minutes", "1"));
    EXPECT_TRUE(waitFor([&] { return problem(*view).isEmpty() && train(*view)->isEnabled(); }));
    auto* grid = line(*view, "Grid of settings");
    grid->setText(QStringLiteral("run.minutes=0,1"));
    EXPECT_EQ(problem(*view), refusal) << "one of the runs has no limit";
    grid->setText(QStringLiteral("run.steps=500,1000"));
    EXPECT_EQ(problem(*view), QString());
}

TEST_F(StartTest, ARejectedSettingStaysReportedWhileOthersAreApplied) {
    auto view = openForm({.env = QStringLiteral("cartpole"),
                          .preset = QStringLiteral("none"),
                          .settings = {{QStringLiteral("algo.no_such"), QStringLiteral("1")},
                                       {QStringLiteral("algo.gamma"), QStringLiteral("0.5")},
                                       {QStringLiteral("run.steps"), QStringLiteral("5000")}}});
    EXPECT_TRUE(problem(*view).contains(QStringLiteral("no_such"))) << problem(*view).toStdString();
    EXPECT_EQ(view->form().field(QStringLiteral("algo.gamma"))->text, QStringLiteral("0.5"));
    EXPECT_FALSE(set(*view, "algo.gamma", "2"));
    QTest::keyClicks(line(*view, "Name of the run"), QStringLiteral("x"));
    EXPECT_TRUE(problem(*view).contains(QStringLiteral("0 to 1"))) << problem(*view).toStdString();
}

TEST_F(StartTest, WalkingThroughTheFormWithTheKeyboardChangesNothing) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    for (QComboBox* box : view->findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Settings to show")) box->setCurrentIndex(2);
    field(*view, "run.seed")->setFocus();
    field(*view, "optimiser.epsilon");  // of a lower level
    settle();
    QStringList keys;
    const auto* list = view->findChild<QScrollArea*>(QStringLiteral("settings"));
    for (QWidget* now = QApplication::focusWidget(); keys.size() < 200 && list->isAncestorOf(now);
         now = QApplication::focusWidget()) {
        EXPECT_FALSE(now->visibleRegion().isEmpty()) << now->objectName().toStdString();
        if (now->objectName().startsWith(QLatin1String("setting-"))) {
            keys += now->objectName();
            QTest::keyClick(now, Qt::Key_Down);
        }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    EXPECT_GT(keys.size(), 60) << "every setting is reachable";
    EXPECT_EQ(keys.removeDuplicates(), 0);
    EXPECT_LT(keys.indexOf(QStringLiteral("setting-algo.gamma")),
              keys.indexOf(QStringLiteral("setting-optimiser.epsilon")))
        << "in the order of the form";
    EXPECT_EQ(view->form().changedCount(), 0);

    // A closed list ignores the wheel.
    auto* box = qobject_cast<QComboBox*>(field(*view, "run.schedule"));
    ASSERT_NE(box, nullptr);
    QWheelEvent wheel(QPointF(5, 5), box->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(box, &wheel);
    EXPECT_EQ(view->form().changedCount(), 0);

    // The Return key opens the list, and the selected value applies.
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return box->view()->isVisible(); }));
    const QString before = view->form().field(QStringLiteral("run.schedule"))->text;
    QTest::keyClick(box->view(), box->currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
    QTest::keyClick(box->view(), Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return view->form().field(QStringLiteral("run.schedule"))->text != before; }));
}

TEST_F(StartTest, TrainAndCopyUseTheValueBeingTyped) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    QSignalSpy wanted(view.get(), &CustomizeView::trainRequested);
    type(*view, "run.steps", "7777");
    view->train();
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_TRUE(wanted.last()[0].toStringList().contains(QStringLiteral("--run.steps=7777")));
    type(*view, "run.steps", "8888");
    view->copyCommand();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QStringLiteral("--run.steps=8888")))
        << QGuiApplication::clipboard()->text().toStdString();
    // A rejected value is reported and nothing is trained.
    type(*view, "run.steps", "many");
    view->train();
    EXPECT_EQ(wanted.count(), 1);
    EXPECT_FALSE(problem(*view).isEmpty());
    EXPECT_EQ(view->form().field(QStringLiteral("run.steps"))->text, QStringLiteral("8888"));
}

TEST_F(StartTest, LargeNumbersAreShownWithSeparatorsAndEditedWithout) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    QLineEdit* editor = text(*view, "run.steps");
    ASSERT_NE(editor, nullptr);
    EXPECT_EQ(editor->text(), ui::countText(100'000));
    editor->setFocus();
    EXPECT_TRUE(waitFor([&] { return editor->text() == QStringLiteral("100000"); }));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    EXPECT_EQ(problem(*view), QString());
    EXPECT_EQ(view->form().changedCount(), 0);
}

TEST_F(StartTest, UndoRevertsChangesInTheForm) {
    auto view = openForm({.env = QStringLiteral("cartpole"),
                          .preset = {},
                          .settings = {{QStringLiteral("run.steps"), QStringLiteral("4321")}}});
    const auto value = [&](const char* key) { return view->form().field(QLatin1String(key))->text; };
    QUndoStack& steps = *undo_group.activeStack();
    EXPECT_EQ(steps.count(), 0) << "initial values are not edits";
    const QString gamma = value("algo.gamma"), lambda = value("algo.lambda");
    type(*view, "algo.gamma", "0.9");
    QTest::keyClick(text(*view, "algo.gamma"), Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return value("algo.gamma") == QStringLiteral("0.9"); }));
    ASSERT_EQ(steps.count(), 1);
    EXPECT_TRUE(steps.undoText().contains(QStringLiteral("Gamma"))) << steps.undoText().toStdString();
    ASSERT_TRUE(set(*view, "algo.lambda", "0.5"));
    steps.undo();
    EXPECT_EQ(value("algo.lambda"), lambda);
    EXPECT_EQ(value("algo.gamma"), QStringLiteral("0.9"));
    steps.undo();
    EXPECT_EQ(value("algo.gamma"), gamma);
    EXPECT_EQ(value("run.steps"), QStringLiteral("4321"));
    steps.redo();
    steps.redo();
    EXPECT_EQ(value("algo.lambda"), QStringLiteral("0.5"));
    // Resetting all settings is one edit.
    view->resetAll();
    EXPECT_EQ(view->form().changedCount(), 0);
    steps.undo();
    EXPECT_EQ(value("algo.gamma"), QStringLiteral("0.9"));
    EXPECT_EQ(value("run.steps"), QStringLiteral("4321"));
    view->hide();
    EXPECT_FALSE(undo_group.canUndo()) << "offered where they do not act";
    view->show();
    EXPECT_TRUE(undo_group.canUndo());
    // In the form for another environment there is nothing to steps.
    view->open({.env = QStringLiteral("acrobot"), .preset = {}, .settings = {}});
    ASSERT_TRUE(loaded(*view, QStringLiteral("acrobot")));
    const QString there = value("algo.gamma");
    steps.undo();
    EXPECT_EQ(value("algo.gamma"), there);
}

TEST_F(StartTest, VariedSettingsGiveARunForEveryCombination) {
    auto view = openForm({.env = QStringLiteral("cartpole"),
                          .preset = {},
                          .settings = {{QStringLiteral("algo.gamma"), QStringLiteral("0.97")}}});
    const auto grid = [&] {
        QStringList axes;
        const QStringList arguments = view->trainArguments();
        for (qsizetype i = 1; i < arguments.size(); ++i)
            if (arguments[i - 1] == QLatin1String("--grid")) axes += arguments[i];
        return axes;
    };
    const auto varySetting = [&](const char* key) {
        field(*view, key);
        QTest::mouseClick(varyButton(*view, key), Qt::LeftButton);
    };
    const auto runs = [&] { return view->findChild<QLabel*>(QStringLiteral("runs"))->text(); };
    EXPECT_TRUE(runs().startsWith(QStringLiteral("1 run"))) << runs().toStdString();
    field(*view, "run.engine");
    EXPECT_TRUE(varyButton(*view, "run.engine")->isEnabled());
    EXPECT_TRUE(set(*view, "run.engine", "a b"));
    EXPECT_FALSE(varyButton(*view, "run.engine")->isEnabled()) << "a grid cannot contain spaces";
    EXPECT_TRUE(set(*view, "run.engine", "auto"));
    for (const char* key : {"run.steps", "algo.gamma"}) field(*view, key);  // rows are made one after another
    const auto drawn = [&] {
        const QImage image = varyButton(*view, "algo.gamma")->grab().toImage();
        std::set<QRgb> colours;
        for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, image.height() / 2));
        return colours.size() > 1;
    };
    text(*view, "run.steps")->setFocus();
    EXPECT_FALSE(drawn()) << "every row would repeat the button";
    text(*view, "algo.gamma")->setFocus();
    EXPECT_TRUE(drawn());
    varySetting("algo.gamma");
    EXPECT_EQ(grid(), QStringList{QStringLiteral("algo.gamma=0.97")});
    EXPECT_TRUE(view->trainArguments().filter(QStringLiteral("--algo.gamma")).isEmpty())
        << "the command line rejects a setting in both places";
    EXPECT_FALSE(view->findChild<QWidget*>(QStringLiteral("setting-algo.gamma"))->isVisible());
    QLineEdit* typed = newValue(*view, "algo.gamma");
    ASSERT_EQ(QApplication::focusWidget(), typed);
    QTest::keyClicks(typed, QStringLiteral("0.9,0.97,2"));
    EXPECT_TRUE(problem(*view).contains(QStringLiteral("0 to 1"))) << problem(*view).toStdString();
    EXPECT_FALSE(train(*view)->isEnabled());
    QTest::keyClick(typed, Qt::Key_Backspace);
    EXPECT_EQ(problem(*view), QString());
    EXPECT_EQ(grid(), QStringList{QStringLiteral("algo.gamma=0.97,0.9")}) << "a value is added once";

    // The commas of a list do not separate values; Backspace in the empty field removes the last value.
    varySetting("network.hidden");
    const QString hidden = view->form().field(QStringLiteral("network.hidden"))->text;
    QTest::keyClicks(newValue(*view, "network.hidden"), QStringLiteral("32,16;8;"));
    QTest::keyClick(newValue(*view, "network.hidden"), Qt::Key_Backspace);
    EXPECT_EQ(grid().value(1), QStringLiteral("network.hidden=[%1],[32,16]").arg(hidden));

    // Suggestions and choices are switched by their chips, algorithms too.
    varySetting("algo.normalise_advantages");
    QTest::mouseClick(button(*view, QStringLiteral("value-algo.normalise_advantages-false")), Qt::LeftButton);
    EXPECT_EQ(grid().value(2), QStringLiteral("algo.normalise_advantages=true,false"));
    QTest::mouseClick(varyButton(*view, "algo.id"), Qt::LeftButton);
    QTest::mouseClick(button(*view, QStringLiteral("value-algo.id-a2c")), Qt::LeftButton);
    EXPECT_TRUE(grid().value(3).contains(QStringLiteral("ppo")) && grid().value(3).contains(u"a2c"));
    line(*view, "Seeds")->setText(QStringLiteral("1..5"));
    EXPECT_TRUE(runs().contains(QStringLiteral("80 run"))) << runs().toStdString();
    picture(*view, "form-varied");

    // The saved state contains the values.
    CustomizeView other(services());
    other.resize(1200, 800);
    other.show();
    other.restoreState(view->saveState());
    ASSERT_TRUE(loaded(other, QStringLiteral("cartpole")));
    ASSERT_TRUE(waitFor([&] { return other.trainArguments() == view->trainArguments(); }));
    ASSERT_TRUE(waitFor([&] { return newValue(other, "algo.gamma") != nullptr; }));
    EXPECT_TRUE(varyButton(other, "algo.gamma")->isChecked());

    // Without its last value, or with the button, a setting has one value again.
    for (const char* name : {"value-algo.gamma-0.97", "value-algo.gamma-0.9", "vary-network.hidden",
                             "vary-algo.normalise_advantages", "vary-algo.id"})
        QTest::mouseClick(button(*view, QLatin1String(name)), Qt::LeftButton);
    EXPECT_EQ(grid(), QStringList());
    EXPECT_TRUE(view->trainArguments().contains(QStringLiteral("--algo.gamma=0.97")));
    EXPECT_TRUE(field(*view, "algo.gamma")->isVisible());
}

TEST_F(StartTest, AGridThatCannotBeParsedIsKeptAsText) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    QVariantMap state = view->saveState();
    state[QStringLiteral("grid")] = QStringLiteral("algo.gamma 0.9");
    view->restoreState(state);
    ASSERT_TRUE(loaded(*view, QStringLiteral("cartpole")));
    QLineEdit* grid = line(*view, "Grid of settings");
    EXPECT_TRUE(grid->isVisible());
    EXPECT_FALSE(train(*view)->isEnabled());
    field(*view, "algo.gamma");
    QTest::mouseClick(varyButton(*view, "algo.gamma"), Qt::LeftButton);
    EXPECT_EQ(grid->text(), QStringLiteral("algo.gamma 0.9"));
    EXPECT_FALSE(varyButton(*view, "algo.gamma")->isChecked());
    grid->setText(QStringLiteral("algo.gamma=0.9,0.8"));
    EXPECT_TRUE(varyButton(*view, "algo.gamma")->isChecked()) << "the rows show what is typed";
}

TEST_F(StartTest, WithoutAPresetTheFormNamesItsNumberOfSteps) {
    const auto note = [](const CustomizeView& view) {
        return view.findChild<QLabel*>(QStringLiteral("preset-note"))->text();
    };
    ui::Catalogue no_presets(*services().launcher);
    services().catalogue = &no_presets;
    auto view = openForm(ui::newRunRequest({.env = QStringLiteral("cartpole")}, false));
    ASSERT_TRUE(waitFor([&] { return note(*view).contains(ui::countText(1'000'000)); }))
        << note(*view).toStdString();
    ASSERT_TRUE(set(*view, "run.steps", "5000"));
    EXPECT_FALSE(note(*view).contains(ui::countText(1'000'000)))
        << "the default must not replace the user's value";
    EXPECT_FALSE(note(*view).isEmpty());
    services().catalogue = &catalogue();
    view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    EXPECT_EQ(note(*view), QString());
    view = openForm({.env = QStringLiteral("cartpole"), .preset = QStringLiteral("none"), .settings = {}});
    EXPECT_TRUE(waitFor([&] { return note(*view).contains(ui::countText(1'000'000)); }));
    EXPECT_TRUE(note(*view).startsWith(QStringLiteral("No preset is chosen"))) << note(*view).toStdString();
}

TEST_F(StartTest, MemoryAndTimeAreEstimatedForTheStepsOfTheForm) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    const auto text = [&](const char* id) { return view->findChild<QLabel*>(QLatin1String(id))->text(); };
    ASSERT_TRUE(set(*view, "run.steps", "12345"));
    EXPECT_EQ(text("memory"), QStringLiteral("Estimating memory and time…"));
    ASSERT_TRUE(waitFor([&] { return text("time").contains(ui::countText(12345)); }))
        << text("time").toStdString();
    EXPECT_TRUE(text("memory").contains(QStringLiteral("of memory per run"))) << text("memory").toStdString();
}

TEST_F(StartTest, TheGridIsCheckedWhileItIsTypedAsSeedsAre) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    ASSERT_TRUE(waitFor([&] { return train(*view)->isEnabled(); }));
    QLineEdit* grid = line(*view, "Grid of settings");
    const auto said = [&] { return view->findChild<QLabel*>(QStringLiteral("line-problem"))->text(); };
    for (const auto& [text, what] :
         {std::pair{"algo.learning_rat=1", "learning_rat"}, std::pair{"algo.gamma=0.9,2", "0 to 1"},
          std::pair{"algo.learning_rate=0,001,0,01", "semicolons"},
          std::pair{"algo.gamma=0.9 algo.gamma=0.8", "twice"}, std::pair{"run.steps=many", "many"}}) {
        grid->setText(QLatin1String(text));
        EXPECT_TRUE(said().contains(QLatin1String(what))) << text << ": " << said().toStdString();
        EXPECT_FALSE(train(*view)->isEnabled()) << text;
    }
    grid->setText(QStringLiteral("algo.learning_rate=0,001; 0,01"));
    EXPECT_EQ(said(), QString());
    EXPECT_TRUE(view->trainArguments().contains(QStringLiteral("algo.learning_rate=0.001,0.01")))
        << view->trainArguments().join(QLatin1Char(' ')).toStdString();
    for (const char* good :
         {"algo.gamma=0.9,0.95 run.steps=1000,2e3", "network.hidden=64", "algo.id=a2c algo.anything=1", ""}) {
        grid->setText(QLatin1String(good));
        EXPECT_EQ(said(), QString()) << good;
        EXPECT_TRUE(train(*view)->isEnabled()) << good;
    }
}

TEST_F(StartTest, ARejectedValueIsReportedUntilRevertedOrEdited) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    const auto said = [&] { return view->findChild<QLabel*>(QStringLiteral("field-problem"))->text(); };
    const auto refuse = [&] {
        type(*view, "algo.rollout_length", "0");
        QTest::keyClick(text(*view, "algo.rollout_length"), Qt::Key_Return);
        ASSERT_TRUE(waitFor([&] { return said().contains(QStringLiteral("Rollout length")); }));
    };
    refuse();
    EXPECT_TRUE(said().contains(QLocale().toString(1'000'000)))
        << "the range must show all digits: " << said().toStdString();
    type(*view, "algo.rollout_length", "7");
    EXPECT_EQ(said(), QString()) << "the message disappears after the next edit";
    QTest::keyClick(text(*view, "algo.rollout_length"), Qt::Key_Escape);
    refuse();
    EXPECT_FALSE(train(*view)->isEnabled()) << "a run would not have the value that is shown";
    QTest::keyClick(text(*view, "algo.rollout_length"), Qt::Key_Escape);
    EXPECT_EQ(said(), QString());
}

TEST_F(StartTest, AnotherEnvironmentsFormShowsNoOldNumbers) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    const auto memory = [&] {
        for (const QLabel* label : view->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("of memory"))) return label->text();
        return QString();
    };
    ASSERT_TRUE(waitFor([&] { return !memory().isEmpty(); }));
    view->open({.env = QStringLiteral("acrobot"), .preset = {}, .settings = {}});
    EXPECT_EQ(memory(), QString());
    EXPECT_FALSE(train(*view)->isEnabled()) << "the settings are not loaded yet";
    ASSERT_TRUE(loaded(*view, QStringLiteral("acrobot")));
}

TEST_F(StartTest, ASecondClickOnACardUsesTheNextSeedAndReportsIt) {
    auto page = makePage(QStringLiteral("start"));
    auto* train_cartpole = page->findChild<QPushButton*>(QStringLiteral("train-cartpole"));
    ASSERT_NE(train_cartpole, nullptr);
    for (const char* seed : {"Seed 1:", "Seed 2:"}) {
        navigator.status.clear();
        ASSERT_TRUE(waitFor([&] { return train_cartpole->isEnabled(); }));
        QTest::mouseClick(train_cartpole, Qt::LeftButton);
        ASSERT_TRUE(waitFor([&] { return navigator.status.contains(QLatin1String(seed)); }))
            << navigator.status.toStdString() << navigator.problem.toStdString();
    }
    // Stops the runs before their folder is removed.
    bool ended = false;
    services().launcher->run({QStringLiteral("queue"), QStringLiteral("remove"), QStringLiteral("2")},
                             page.get(), [&](const ui::CommandReply&) {
                                 services().launcher->control(QStringLiteral("stop"), 1, page.get(),
                                                              [&](const ui::CommandReply&) { ended = true; });
                             });
    ASSERT_TRUE(waitFor([&] { return ended; }, 60));
    ASSERT_TRUE(allFinished(2));
    EXPECT_EQ(store().find(2)->seed, 2U);
}

TEST_F(StartTest, TwoClicksOnTrainCreateOneRunAndDoNotChangeAnotherPage) {
    auto page = makePage(QStringLiteral("start"));
    const ui::StartLink request{
        .new_run = ui::NewRunRequest{.env = QStringLiteral("cartpole"),
                                     .preset = {},
                                     .settings = {{QStringLiteral("run.steps"), QStringLiteral("2000")}}}};
    page->open(request);
    auto* view = page->findChild<CustomizeView*>();
    ASSERT_TRUE(loaded(*view, QStringLiteral("cartpole")));
    ASSERT_TRUE(waitFor([&] { return train(*view)->isEnabled(); }));
    QTest::mouseClick(train(*view), Qt::LeftButton);
    QTest::mouseClick(train(*view), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return navigator.opened<ui::DashboardLink>() != nullptr; }));
    ASSERT_TRUE(allFinished(1)) << store().runs()->size();

    navigator.clear();
    page->open(request);
    ASSERT_TRUE(waitFor([&] { return train(*view)->isEnabled(); }));
    QTest::mouseClick(train(*view), Qt::LeftButton);
    page->hide();
    ASSERT_TRUE(waitFor([&] { return !navigator.status.isEmpty(); }));
    EXPECT_EQ(navigator.opened<ui::DashboardLink>(), nullptr);
    ASSERT_TRUE(allFinished(2));
}

}  // namespace
}  // namespace seedbed::testing
