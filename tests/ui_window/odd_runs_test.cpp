// SPDX-License-Identifier: Apache-2.0
// Tests the window with unusual runs: no points, one point, only NaN, or a million points; a single seed;
// names of 500 letters and in right-to-left scripts; and locales with a decimal comma.
#include <clocale>

#include <QClipboard>
#include <QComboBox>
#include <QDialog>

#include <sqlite3.h>

#include "core/store/database.hpp"
#include "tests/ui/models/ui_fixture.hpp"
#include "tests/ui/page_link.hpp"
#include "tests/ui_window/driver.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "ui/models/config_form.hpp"
#include "ui/models/editor.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/start/customize_view.hpp"
#include "ui/views/start/start_link.hpp"

namespace seedbed::ui {
namespace {

class OddRuns : public WindowTest {
protected:
    std::filesystem::path folder() const { return data.path().toStdString(); }
    RunId makeRun(const testing::RunPlan& plan) { return testing::makeRun(folder(), plan); }
    // Writes directly to the database, bypassing all checks of the program.
    void write(const char* statement, const QString& text) {
        sqlite3* handle = nullptr;
        sqlite3_stmt* prepared = nullptr;
        ASSERT_EQ(sqlite3_open((folder() / kDatabaseName).c_str(), &handle), SQLITE_OK);
        ASSERT_EQ(sqlite3_prepare_v2(handle, statement, -1, &prepared, nullptr), SQLITE_OK)
            << sqlite3_errmsg(handle);
        const QByteArray bytes = text.toUtf8();
        sqlite3_bind_text(prepared, 1, bytes.constData(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
        EXPECT_EQ(sqlite3_step(prepared), SQLITE_DONE) << sqlite3_errmsg(handle);
        sqlite3_finalize(prepared);
        sqlite3_close(handle);
    }
    void visitAll(const std::vector<RunId>& shown, const QString& name) {
        for (const PageEntry& entry : pageRegistry()) {
            window().openPage(entry.id, linkTo(entry.id, shown));
            settle(700);
            if (!entry.own_window) {
                EXPECT_EQ(window().currentPage(), entry.id);
                picture(name + QLatin1Char('-') + entry.id);
            }
            for (QDialog* dialog : window().findChildren<QDialog*>()) {
                if (dialog->isVisible()) picture(name + QLatin1Char('-') + entry.id, dialog);
                dialog->close();
            }
        }
    }
    // Waits until the first series of the first chart has this many points.
    bool points(const char* page, std::size_t count) {
        return QTest::qWaitFor(
            [&] {
                ChartWidget* chart = chartOf(page);
                if (chart == nullptr || !chart->model().idle() || chart->model().series()->empty())
                    return false;
                return chart->model().series()->front().raw->statistics().points == count;
            },
            kTimeoutMs);
    }
};

TEST_F(OddRuns, NoPointOnePointAndOnlyNanAreDrawnAndDescribed) {
    const RunId none = makeRun({.name = "none"});
    const RunId one = makeRun({.name = "one", .learning_rate = 0.01, .points = 1});
    const RunId nan = makeRun(
        {.name = "nan", .learning_rate = 0.1, .points = 50, .returns = [](int) { return std::nan(""); }});
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 3; }, kTimeoutMs));
    visitAll({none}, QStringLiteral("none"));
    visitAll({one}, QStringLiteral("one"));
    window().open(DashboardLink{one});
    EXPECT_TRUE(points("run", 1));
    visitAll({nan}, QStringLiteral("nan"));
    window().open(DashboardLink{nan});
    EXPECT_TRUE(points("run", 0));
    EXPECT_TRUE(chartOf("run")->summary().contains(QStringLiteral("no values")))
        << chartOf("run")->summary().toStdString();
    // All runs are compared, including runs without statistics.
    visitAll({none, one, nan}, QStringLiteral("odd"));
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return chartOf("compare")->model().series()->size() == 3; }, kTimeoutMs));
    EXPECT_EQ(window().findChild<MessageBar*>(), nullptr);
}

TEST_F(OddRuns, OneSeedIsALineWithoutABandAndWithoutAVerdict) {
    const RunId only = makeRun({.name = "only", .points = 200});
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 1; }, kTimeoutMs));
    visitAll({only}, QStringLiteral("single"));
    window().open(CompareLink{{only}});
    ASSERT_TRUE(points("compare", 200));
    EXPECT_EQ(chartOf("compare")->model().series()->front().low, nullptr) << "one seed has no spread";
}

TEST_F(OddRuns, AMillionPointsAreShownWithoutBlockingTheThread) {
    RunId id = 0;
    {
        NewRun run;
        run.env = "cartpole";
        run.algo = "ppo";
        run.engine = "native";
        run.config = {{"env", {{"id", "cartpole"}}},
                      {"algo", {{"id", "ppo"}}},
                      {"run", {{"steps", 64'000'000}, {"seed", 1}}}};
        auto [store, owned, writer] = testing::beginRun(folder(), run);
        for (int i = 0; i < 1'000'000; ++i) {
            const RunWriter::Value values[] = {{"episode/return", 100.0 + (i * 37) % 101}};
            writer->metrics(64 * (i + 1), 1.7e9 + i, values);
        }
        writer->progress(
            {.steps = 64'000'000, .frames = 64'000'000, .updates = 1'000'000, .train_seconds = 1000});
        writer->status(RunStatus::finished, "");
        testing::must(writer->flush());
        id = owned.id;
    }
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 1; }, kTimeoutMs));
    while (window().createNextPage()) QTest::qWait(100);
    HeldThread held;
    held.start();
    window().open(DashboardLink{id});
    EXPECT_TRUE(points("run", 1'000'000));
    window().open(CompareLink{{id}});
    EXPECT_TRUE(points("compare", 1'000'000));
    QTest::qWait(500);
    const double worst_ms = held.stop();
    // The benchmark checks the 50 ms goal.
    EXPECT_LT(worst_ms, 1000 * test::measuredLimit(1));
    RecordProperty("worst_ms", static_cast<int>(worst_ms));
    picture(QStringLiteral("million-compare"));
    window().open(DashboardLink{id});
    QTest::qWait(500);
    picture(QStringLiteral("million-run"));
}

TEST_F(OddRuns, NamesOfFiveHundredLettersDoNotWidenPagesAndAreRejectedAsInput) {
    const RunId first = makeRun({.name = "short", .points = 30, .tags = {"tag"}, .checkpoint = true});
    const RunId second = makeRun({.name = "other", .learning_rate = 0.5, .points = 30, .checkpoint = true});
    write("UPDATE runs SET name = ?1 WHERE id = 1", QString(500, QLatin1Char('W')));
    write("UPDATE runs SET env = ?1 WHERE id = 2", QString(500, QLatin1Char('e')));
    write("UPDATE runs SET notes = ?1", QString(5000, QLatin1Char('n')));
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 2; }, kTimeoutMs));
    const QSize size = window().size();
    visitAll({first, second}, QStringLiteral("long"));
    visitAll({second}, QStringLiteral("long-env"));
    EXPECT_EQ(window().size(), size);
    // Input in the window is rejected with a reason, and the old value is kept.
    app->services().editor->rename(second, QString(500, QLatin1Char('x')));
    EXPECT_TRUE(QTest::qWaitFor([&] { return window().findChild<MessageBar*>() != nullptr; }, kTimeoutMs));
    EXPECT_TRUE(window().findChild<MessageBar*>()->text().contains(QStringLiteral("1 to 100")))
        << "the message contains the allowed length";
    QTest::qWait(100);  // lets the bar be laid out
    EXPECT_EQ(window().size(), size);
    EXPECT_EQ(runs().find(second)->name, "other");
    picture(QStringLiteral("long-refused"));
}

TEST_F(OddRuns, RightToLeftPagesAndDialogsAreMirroredAndNotCutOff) {
    makeRun({.name = "ריצה ראשונה", .points = 60, .tags = {"תג"}, .checkpoint = true});
    makeRun({.name = "训练 <b>&amp;", .learning_rate = 0.01, .points = 60, .checkpoint = true});
    makeRun({.name = "تشغيل ثالث", .seed = 2, .points = 60});
    QGuiApplication::setLayoutDirection(Qt::RightToLeft);
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 3; }, kTimeoutMs));
    const QSize size = window().size();
    visitAll({1, 2, 3}, QStringLiteral("rtl"));
    auto* pages = window().findChild<QWidget*>(QStringLiteral("pages"));
    EXPECT_GT(pages->mapTo(&window(), QPoint(0, 0)).x(), window().width() / 2)
        << "the list of pages is on the right";
    window().open(
        StartLink{.new_run = NewRunRequest{.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}}});
    settle(1500);
    picture(QStringLiteral("rtl-form"));
    window().showShortcuts();
    window().showAbout();
    window().showPalette();
    QTest::qWait(300);
    for (QDialog* dialog : window().findChildren<QDialog*>()) {
        picture(QStringLiteral("rtl-") + dialog->objectName(), dialog);
        dialog->close();
    }
    EXPECT_EQ(window().size(), size);
    closeWindow();
    QGuiApplication::setLayoutDirection(Qt::LeftToRight);
}

TEST_F(OddRuns, WithDecimalCommasExportedNumbersStayMachineReadable) {
    const RunId run = makeRun({.name = "comma", .points = 20, .returns = [](int i) { return i + 0.5; }});
    // Also sets the locale of the C library, if it is installed: QApplication reads it from the environment.
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    RecordProperty("c_library",
                   std::setlocale(LC_NUMERIC, "de_DE.UTF-8") != nullptr ? "de_DE" : "not installed");
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 1; }, kTimeoutMs));
    visitAll({run}, QStringLiteral("comma"));
    // The form accepts both decimal separators; it stores and copies numbers with a point.
    window().open(
        StartLink{.new_run = NewRunRequest{.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}}});
    auto* view = window().findChild<CustomizeView*>();
    auto* form = window().findChild<ConfigForm*>();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return form->field(QStringLiteral("algo.gamma")) != nullptr; }, kTimeoutMs));
    EXPECT_TRUE(form->set(QStringLiteral("algo.gamma"), QStringLiteral("0,95")));
    EXPECT_TRUE(form->set(QStringLiteral("algo.learning_rate"), QStringLiteral("0.0005")));
    EXPECT_FALSE(form->set(QStringLiteral("algo.gamma"), QStringLiteral("0,9,5")));
    view->copyCommand();
    EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(),
              std::string(
                  "seedbed train cartpole --preset cartpole --algo.gamma=0.95 --algo.learning_rate=0.0005"));
    // Displayed numbers have a comma, exported ones have a point.
    window().open(DashboardLink{run});
    ASSERT_TRUE(points("run", 20));
    const QString file = data.filePath(QStringLiteral("chart.csv"));
    ASSERT_TRUE(chartOf("run")->exportTo(file, ChartWidget::Format::csv).has_value());
    QFile csv(file);
    ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
    const QByteArray text = csv.readAll();
    EXPECT_TRUE(text.contains("19.5")) << text.toStdString();
    EXPECT_FALSE(text.contains("19,5"));
    std::setlocale(LC_NUMERIC, before.c_str());
    QLocale::setDefault(QLocale::c());
}

}  // namespace
}  // namespace seedbed::ui
