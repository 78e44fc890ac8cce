// SPDX-License-Identifier: Apache-2.0
// The start page and the form of a new run: what it says, what keys do to it, and what becomes of what is typed.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <QWheelEvent>

#include "tests/ui/page_fixture.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/views/start/customize_view.hpp"

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
    static QString problem(const QWidget& view) { return view.findChild<QLabel*>(QStringLiteral("problem"))->text(); }
    static QPushButton* train(const QWidget& view) { return view.findChild<QPushButton*>(QStringLiteral("train")); }
    static QTreeView* tree(const QWidget& view) { return view.findChild<QTreeView*>(QStringLiteral("settings")); }
    static QLineEdit* line(const QWidget& view, const char* name) {
        for (QLineEdit* one : view.findChildren<QLineEdit*>())
            if (one->accessibleName() == QLatin1String(name)) return one;
        return nullptr;
    }
    static bool set(const CustomizeView& view, const char* key, const char* value) {
        return const_cast<ConfigForm&>(view.form()).set(QLatin1String(key), QLatin1String(value));
    }
    // The value cell of a setting.
    static QModelIndex cell(const QWidget& view, const char* key) {
        const QAbstractItemModel* model = tree(view)->model();
        for (int s = 0; s < model->rowCount(); ++s)
            for (int row = 0; row < model->rowCount(model->index(s, 0)); ++row) {
                const QModelIndex at = model->index(row, ConfigForm::kValue, model->index(s, 0));
                if (at.data(ConfigForm::kKeyRole).toString() == QLatin1String(key)) return at;
            }
        return {};
    }
    // Types into the line that edits the setting, without ending it.
    void type(const QWidget& view, const char* key, const char* text) {
        settle();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // the editor before is gone, though no event loop runs here
        tree(view)->setFocus();
        const QModelIndex at = cell(view, key);
        ASSERT_TRUE(at.isValid()) << key;
        tree(view)->setCurrentIndex(at);
        QTest::keyClick(tree(view), Qt::Key_F2);
        auto* editor = tree(view)->viewport()->findChild<QLineEdit*>();
        ASSERT_NE(editor, nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, QLatin1String(text));
    }
    // The runs that were made end, so that nothing goes on in a folder that is removed.
    bool allFinished(std::size_t count) {
        return waitFor(
            [&] {
                const auto& runs = *store().runs();
                return runs.size() == count && std::none_of(runs.begin(), runs.end(), [](const RunRecord& run) {
                           return isLive(run.status) || run.status == RunStatus::queued;
                       });
            },
            60);
    }

private:
    std::unique_ptr<ui::Catalogue> catalogue_;
};

TEST_F(StartTest, EveryEnvironmentOpensTheFormOfItsOwn) {
    CustomizeView view(services());
    QSet<QString> titles;
    bool same_title = false;
    for (const ui::EnvInfo& env : catalogue().environments()) {
        same_title = same_title || titles.contains(env.title);
        titles += env.title;
        view.open({.env = env.id, .preset = QStringLiteral("none"), .settings = {}});
        EXPECT_TRUE(loaded(view, env.id)) << env.id.toStdString() << ": " << problem(view).toStdString();
        EXPECT_EQ(view.trainArguments().value(0), env.id);
        const ui::FormField* id = view.form().field(QStringLiteral("env.id"));
        if (id != nullptr) {
            EXPECT_EQ(id->text, env.id);
        }
    }
    EXPECT_TRUE(same_title) << "titles alone do not tell environments apart";
}

TEST_F(StartTest, WhatTheDryRunFindsIsShownUntilItIsMended) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = QStringLiteral("none"), .settings = {}});
    ASSERT_TRUE(set(*view, "run.steps", "0"));
    ASSERT_TRUE(waitFor([&] { return !problem(*view).isEmpty(); })) << "without steps it would never stop";
    EXPECT_FALSE(train(*view)->isEnabled());
    const QString found = problem(*view);
    QTest::keyClicks(line(*view, "Name of the run"), QStringLiteral("a name"));
    settle();
    EXPECT_EQ(problem(*view), found) << "a name mends nothing";
    QTest::keyClicks(line(*view, "Seeds"), QStringLiteral("5..1"));
    EXPECT_TRUE(problem(*view).contains(QStringLiteral("1..5")));
    line(*view, "Seeds")->clear();
    EXPECT_EQ(problem(*view), found);
    ASSERT_TRUE(set(*view, "run.steps", "3000"));
    ASSERT_TRUE(waitFor([&] { return problem(*view).isEmpty() && train(*view)->isEnabled(); }));
    settle(1500);
    EXPECT_EQ(problem(*view), QString());
}

TEST_F(StartTest, ARefusedSettingStaysToldWhileOthersAreTakenOver) {
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
    QTreeView* list = tree(*view);
    for (QComboBox* box : view->findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Which settings are shown")) box->setCurrentIndex(2);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Home);
    int rows = 0;
    for (QModelIndex before; list->currentIndex() != before && rows < 300; ++rows) {
        before = list->currentIndex();
        QWidget* target = QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : list;
        QTest::keyClick(target, Qt::Key_Down);
    }
    EXPECT_GT(rows, 60) << "to the last setting";
    EXPECT_EQ(view->form().changedCount(), 0);

    // A list that is being edited is left by the arrows, and the wheel passes over it.
    list->setCurrentIndex(cell(*view, "run.schedule"));
    QTest::keyClick(list, Qt::Key_F2);
    auto* box = list->viewport()->findChild<QComboBox*>();
    ASSERT_NE(box, nullptr);
    QWheelEvent wheel(QPointF(5, 5), box->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(box, &wheel);
    QTest::keyClick(box, Qt::Key_Down);
    settle();
    EXPECT_EQ(list->currentIndex().data(ConfigForm::kKeyRole).toString() == QLatin1String("run.schedule"), false);
    EXPECT_EQ(view->form().changedCount(), 0);

    // Return opens the list, and what is chosen there counts.
    list->setCurrentIndex(cell(*view, "run.schedule"));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] {
        box = list->viewport()->findChild<QComboBox*>();
        return box != nullptr && box->view()->isVisible();
    }));
    const QString before = view->form().field(QStringLiteral("run.schedule"))->text;
    QTest::keyClick(box->view(), box->currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
    QTest::keyClick(box->view(), Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return view->form().field(QStringLiteral("run.schedule"))->text != before; }));
}

TEST_F(StartTest, TrainAndCopyTakeTheValueThatIsBeingTyped) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    QSignalSpy wanted(view.get(), &CustomizeView::trainWanted);
    type(*view, "run.steps", "7777");
    view->train();
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_TRUE(wanted.last()[0].toStringList().contains(QStringLiteral("--run.steps=7777")));
    type(*view, "run.steps", "8888");
    view->copyCommand();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QStringLiteral("--run.steps=8888")))
        << QGuiApplication::clipboard()->text().toStdString();
    // What is refused is said, and nothing is trained instead.
    type(*view, "run.steps", "many");
    view->train();
    EXPECT_EQ(wanted.count(), 1);
    EXPECT_FALSE(problem(*view).isEmpty());
    EXPECT_EQ(view->form().field(QStringLiteral("run.steps"))->text, QStringLiteral("8888"));
}

TEST_F(StartTest, AnotherEnvironmentsFormShowsNoNumbersOfTheOneBefore) {
    auto view = openForm({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
    const auto memory = [&] {
        for (const QLabel* label : view->findChildren<QLabel*>())
            if (label->text().startsWith(QStringLiteral("Memory:"))) return label->text();
        return QString();
    };
    ASSERT_TRUE(waitFor([&] { return !memory().isEmpty(); }));
    view->open({.env = QStringLiteral("acrobot"), .preset = {}, .settings = {}});
    EXPECT_EQ(memory(), QString());
    EXPECT_FALSE(train(*view)->isEnabled()) << "its settings are not there yet";
    ASSERT_TRUE(loaded(*view, QStringLiteral("acrobot")));
}

TEST_F(StartTest, ASecondClickOnACardTakesTheNextSeedAndSaysSo) {
    auto page = makePage(QStringLiteral("start"));
    auto* train_cartpole = page->findChild<QPushButton*>(QStringLiteral("train-cartpole"));
    ASSERT_NE(train_cartpole, nullptr);
    for (const char* seed : {"Seed 1:", "Seed 2:"}) {
        navigator.said.clear();
        ASSERT_TRUE(waitFor([&] { return train_cartpole->isEnabled(); }));
        QTest::mouseClick(train_cartpole, Qt::LeftButton);
        ASSERT_TRUE(waitFor([&] { return navigator.said.contains(QLatin1String(seed)); }))
            << navigator.said.toStdString() << navigator.complaint.toStdString();
    }
    // Nothing goes on in a folder that is removed.
    bool ended = false;
    services().launcher->run(
        {QStringLiteral("queue"), QStringLiteral("remove"), QStringLiteral("2")}, page.get(), [&](const ui::CommandReply&) {
            services().launcher->control(QStringLiteral("stop"), 1, page.get(), [&](const ui::CommandReply&) { ended = true; });
        });
    ASSERT_TRUE(waitFor([&] { return ended; }, 60));
    ASSERT_TRUE(allFinished(2));
    EXPECT_EQ(store().find(2)->seed, 2U);
}

TEST_F(StartTest, TwoClicksOnTrainMakeOneRunAndNobodyIsCalledBackWhoWentElsewhere) {
    auto page = makePage(QStringLiteral("start"));
    ui::PageRequest request;
    request.new_run = ui::NewRunRequest{
        .env = QStringLiteral("cartpole"), .preset = {}, .settings = {{QStringLiteral("run.steps"), QStringLiteral("2000")}}};
    page->open(request);
    auto* view = page->findChild<CustomizeView*>();
    ASSERT_TRUE(loaded(*view, QStringLiteral("cartpole")));
    ASSERT_TRUE(waitFor([&] { return train(*view)->isEnabled(); }));
    QTest::mouseClick(train(*view), Qt::LeftButton);
    QTest::mouseClick(train(*view), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return navigator.shown != 0; }));
    ASSERT_TRUE(allFinished(1)) << store().runs()->size();

    navigator.shown = 0, navigator.said.clear();
    page->open(request);
    ASSERT_TRUE(waitFor([&] { return train(*view)->isEnabled(); }));
    QTest::mouseClick(train(*view), Qt::LeftButton);
    page->hide();
    ASSERT_TRUE(waitFor([&] { return !navigator.said.isEmpty(); })) << "it is still said";
    EXPECT_EQ(navigator.shown, 0);
    ASSERT_TRUE(allFinished(2));
}

}  // namespace
}  // namespace seedbed::testing
