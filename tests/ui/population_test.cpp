// SPDX-License-Identifier: Apache-2.0
// Tests the page of populations with the real program: a stored population, its lineage, an interruption, and
// a new one.
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>

#include <QJsonDocument>
#include <QJsonObject>

#include "tests/ui/program_fixture.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/population/population_list.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/population/lineage_view.hpp"
#include "ui/views/population/new_population.hpp"

namespace seedbed::ui {
namespace {

class PopulationPageTest : public ProgramTest {
protected:
    // Stops populations of a failed test.
    void TearDown() override {
        if (populations_ != nullptr && populations_->shown().is_running) {
            populations_->stop(populations_->shown());
            EXPECT_TRUE(QTest::qWaitFor([&] { return !populations_->isStarting(); }, kTimeoutMs));
        }
        page_.reset();
        populations_.reset();
    }
    void openPage() {
        openStore();
        catalogue_ = std::make_unique<Catalogue>(*launcher_);
        catalogue_->load();
        populations_ = std::make_unique<PopulationList>(*launcher_, *runs_);
        services_.catalogue = catalogue_.get();
        services_.populations = populations_.get();
        for (const PageEntry& entry : pageRegistry())
            if (entry.id == QStringLiteral("populations")) page_.reset(entry.make(services_));
        ASSERT_NE(page_, nullptr);
        page_->resize(1000, 700);
        page_->show();
        page_->open({});
        ASSERT_TRUE(QTest::qWaitFor([&] { return populations_->isKnown(); }, kTimeoutMs));
    }
    // Four rounds of three members; many copies, because the range is wide.
    void makePopulation() {
        seedbed({QStringLiteral("population"), QStringLiteral("start"), QStringLiteral("cartpole"),
                 QStringLiteral("--members"), QStringLiteral("3"), QStringLiteral("--steps"),
                 QStringLiteral("4000"), QStringLiteral("--every"), QStringLiteral("1000"),
                 QStringLiteral("--fraction"), QStringLiteral("0.34"), QStringLiteral("--mutate"),
                 QStringLiteral("algo.learning_rate=1e-5..1e-1:log"), QStringLiteral("--name"),
                 QStringLiteral("search"), QStringLiteral("--quiet"),
                 QStringLiteral("--eval.final_episodes=2")});
    }
    template <class Widget = QPushButton>
    Widget* find(const char* id) {
        return page_->findChild<Widget*>(QLatin1String(id));
    }
    QString facts() { return find<QLabel>("population-facts")->text(); }
    QString note() { return find<QLabel>("population-note")->text(); }
    // Number of lines and branches of the tree.
    std::pair<int, int> treeSize() {
        int lines = 0, branches = 0;
        for (QTreeWidgetItemIterator each(find<LineageView>("lineage")); *each != nullptr; ++each) {
            ++lines;
            branches += (*each)->parent() != nullptr;
        }
        return {lines, branches};
    }

    std::unique_ptr<Catalogue> catalogue_;
    std::unique_ptr<PopulationList> populations_;
    std::unique_ptr<Page> page_;
};

TEST_F(PopulationPageTest, WithoutPopulationsThePageOffersOneAndCreatesNoDatabase) {
    openPage();
    EXPECT_TRUE(find<QLabel>("population-empty")->text().contains(QStringLiteral("No populations yet")));
    EXPECT_TRUE(find("population-first")->isVisible());
    EXPECT_FALSE(QDir(dataFolder()).exists(QStringLiteral("seedbed.db")));
    savePicture(*page_, QStringLiteral("population-empty"));
}

TEST_F(PopulationPageTest, ShowsMembersTheBestRunAndTheLineage) {
    makePopulation();
    openPage();
    ASSERT_TRUE(QTest::qWaitFor([&] { return populations_->shown().id == 1; }, kTimeoutMs));
    const PopulationDetails& shown = populations_->shown();
    EXPECT_TRUE(shown.is_complete);
    EXPECT_EQ(shown.keys, QStringList{QStringLiteral("algo.learning_rate")});
    ASSERT_EQ(shown.members.size(), 3u);
    EXPECT_TRUE(facts().contains(QStringLiteral("complete"))) << facts().toStdString();
    EXPECT_FALSE(find("population-resume-button")->isEnabled());
    EXPECT_FALSE(find("population-stop-button")->isEnabled());

    auto* members = find<QTableWidget>("population-members");
    ASSERT_EQ(members->rowCount(), 3);
    EXPECT_EQ(members->horizontalHeaderItem(4)->text(), QStringLiteral("Learning rate"));
    ASSERT_TRUE(shown.best.has_value());
    ASSERT_TRUE(shown.best->evaluation.has_value());
    for (const RunRecord& run : *services_.runs->runs())
        EXPECT_LE(run.last_return.value_or(1e9), *shown.best->evaluation) << "of run " << run.id;
    EXPECT_TRUE(facts().contains(QStringLiteral("evaluation of"))) << facts().toStdString();

    // Every copy is a branch below the learner that it is a copy of.
    int copies = 0;
    for (const PopulationLearner& learner : shown.lineage) copies += learner.parent >= 0;
    EXPECT_GT(copies, 0) << "the test needs copies";
    EXPECT_EQ(treeSize(), std::pair(static_cast<int>(shown.lineage.size()), copies));
    savePicture(*page_, QStringLiteral("population-light"));
    theme_.setMode(Theme::Mode::dark);
    savePicture(*page_, QStringLiteral("population-dark"));
    theme_.setMode(Theme::Mode::light);

    QTest::mouseClick(find("population-best-button"), Qt::LeftButton);
    const auto* best = navigator_.opened<DashboardLink>();
    ASSERT_NE(best, nullptr);
    EXPECT_EQ(best->run, shown.best->run);
    members->setCurrentCell(2, 0);
    QTest::keyClick(members, Qt::Key_Return);
    ASSERT_NE(navigator_.opened<DashboardLink>(), nullptr);
    EXPECT_EQ(navigator_.opened<DashboardLink>()->run, shown.members[2].run);
}

TEST_F(PopulationPageTest, ANewPopulationCanBeStoppedAndResumed) {
    openPage();
    QTest::mouseClick(find("population-first"), Qt::LeftButton);
    NewPopulationDialog* dialog = nullptr;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return (dialog = page_->findChild<NewPopulationDialog*>()) != nullptr && dialog->isVisible(); },
        kTimeoutMs));
    auto* preset = dialog->findChild<QComboBox*>(QStringLiteral("population-preset"));
    preset->setCurrentIndex(preset->findData(QStringLiteral("cartpole")));
    ASSERT_EQ(preset->currentData().toString(), QStringLiteral("cartpole"));
    dialog->findChild<QSpinBox*>(QStringLiteral("population-members"))->setValue(2);
    dialog->findChild<QLineEdit*>(QStringLiteral("population-name"))->setText(QStringLiteral("long"));
    auto* accept = dialog->findChild<QPushButton*>(QStringLiteral("accept"));
    auto* low = dialog->findChild<QLineEdit*>(QStringLiteral("population-low"));
    low->setText(QStringLiteral("1"));
    EXPECT_FALSE(accept->isEnabled()) << "the range is empty";
    low->setText(QStringLiteral("1e-4"));
    // More than a busy machine trains during this test.
    dialog->findChild<QLineEdit*>(QStringLiteral("population-steps"))->setText(QStringLiteral("1e9"));
    savePicture(*dialog, QStringLiteral("population-new"));
    QTest::mouseClick(accept, Qt::LeftButton);

    ASSERT_TRUE(
        QTest::qWaitFor([&] { return populations_->shown().name == QStringLiteral("long"); }, kTimeoutMs))
        << note().toStdString();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return populations_->shown().is_running && runs_->find(1) != nullptr &&
                   runs_->find(1)->status == RunStatus::running && runs_->find(1)->progress.steps > 0;
        },
        kTimeoutMs))
        << note().toStdString();
    EXPECT_FALSE(find("population-resume-button")->isEnabled());
    savePicture(*page_, QStringLiteral("population-running"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return find("population-stop-button")->isEnabled(); }, kTimeoutMs));
    QTest::mouseClick(find("population-stop-button"), Qt::LeftButton);
    EXPECT_TRUE(note().contains(QStringLiteral("save a checkpoint"))) << note().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return find("population-resume-button")->isEnabled(); }, kTimeoutMs))
        << note().toStdString();
    EXPECT_TRUE(facts().contains(QStringLiteral("stopped"))) << facts().toStdString();

    const auto steps = runs_->find(1)->progress.steps;
    QTest::mouseClick(find("population-resume-button"), Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return populations_->shown().is_running && runs_->find(1)->progress.steps > steps; },
        kTimeoutMs))
        << note().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return find("population-stop-button")->isEnabled(); }, kTimeoutMs));
    QTest::mouseClick(find("population-stop-button"), Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !populations_->shown().is_running; }, kTimeoutMs));
}

TEST_F(PopulationPageTest, ARefusedStartIsExplained) {
    openPage();
    populations_->start({.preset = QStringLiteral("cartpole"),
                         .name = {},
                         .members = 2,
                         .jobs = 1,
                         .mutate = QStringLiteral("algo.learning_rate=1e-4..1e9:log")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !populations_->isStarting(); }, kTimeoutMs));
    EXPECT_TRUE(populations_->noteIsProblem());
    EXPECT_TRUE(note().contains(QStringLiteral("algo.learning_rate"))) << note().toStdString();
}

TEST(PopulationDocument, FailedMembersKeepTheirReasonAndAnEarlierScore) {
    const QByteArray text = R"({"id": 4, "name": "p", "round": 2, "rounds_total": 3, "complete": false,
        "running": false, "best": null,
        "settings": {"env": "cartpole", "mutations": [{"key": "algo.learning_rate"}]},
        "members": [{"member": 1, "run": 9, "parent": 1, "state": "failed", "score": null,
                     "settings": {"algo.learning_rate": 0.5}, "error": "no checkpoint"}],
        "rounds": [{"member": 1, "round": 1, "score": 3.5}, {"member": 1, "round": 2, "score": null}],
        "lineage": [{"member": 1, "parent": null, "first_round": 1, "last_round": 2,
                     "settings": {"algo.learning_rate": 0.5}, "score": 3.5, "error": "no checkpoint"}]})";
    const PopulationDetails details = populationFromJson(QJsonDocument::fromJson(text).object());
    EXPECT_FALSE(details.best.has_value());
    ASSERT_EQ(details.members.size(), 1u);
    EXPECT_EQ(details.members[0].error, QStringLiteral("no checkpoint"));
    EXPECT_EQ(details.members[0].score, 3.5);
    EXPECT_EQ(details.members[0].settings, MutatedValues{0.5});
    ASSERT_EQ(details.lineage.size(), 1u);
    EXPECT_EQ(details.lineage[0].parent, -1);
}

}  // namespace
}  // namespace seedbed::ui
