// SPDX-License-Identifier: Apache-2.0
// Tests the run table: filter, order, and a selection that follows its runs.
#include "ui/models/run_table_model.hpp"

#include <set>

#include <QLocale>

#include "tests/ui/models/ui_fixture.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::testing {
namespace {

using ui::RunTableModel;

std::vector<RunRecord> someRuns(int count) {
    std::vector<RunRecord> runs;
    for (int i = 0; i < count; ++i) {
        RunRecord run;
        run.id = i + 1;
        run.env = i % 3 == 0 ? "cartpole" : "minatar_breakout";
        run.algo = i % 2 == 0 ? "ppo" : "vtrace";
        run.name = i % 5 == 0 ? "named-" + std::to_string(i) : "";
        run.seed = static_cast<std::uint64_t>(i % 10);
        run.status = i % 7 == 0 ? RunStatus::failed : RunStatus::finished;
        run.progress = {i * 1000, i * 1000, i, i * 0.5};
        run.created = 1.7e9 + i;
        run.started = 1.7e9 + 2 * i;
        if (i % 4 != 0) {
            run.last_return = (i * 7919) % 1000;
            run.best_return = *run.last_return + 1;
        }
        if (i % 11 == 0) run.tags = {"baseline"};
        if (i % 13 == 0) run.notes = "a note with the word Zebra in it";
        run.star = i % 17 == 0;
        runs.push_back(run);
    }
    return runs;
}

void fill(RunTableModel& model, std::vector<RunRecord> runs) {
    auto texts = std::make_shared<std::vector<QString>>();
    for (const RunRecord& run : runs) texts->push_back(ui::searchTextOf(run));
    model.setRuns(std::make_shared<const std::vector<RunRecord>>(std::move(runs)), texts);
}

std::set<RunId> shown(const RunTableModel& model) {
    std::set<RunId> ids;
    for (int row = 0; row < model.rowCount(); ++row) ids.insert(model.runAt(row).id);
    return ids;
}

TEST(RunTable, AFilterShowsExactlyTheRunsThatMatchAllItsWords) {
    RunTableModel model;
    const auto runs = someRuns(500);
    fill(model, runs);
    struct Case {
        const char* text;
        std::function<bool(const RunRecord&)> matches;
    };
    const Case cases[] = {
        {"cartpole", [](const RunRecord& r) { return r.env == "cartpole"; }},
        {"CARTPOLE ppo", [](const RunRecord& r) { return r.env == "cartpole" && r.algo == "ppo"; }},
        {"zebra", [](const RunRecord& r) { return !r.notes.empty(); }},
        {"tag:base", [](const RunRecord& r) { return !r.tags.empty(); }},
        {"status:failed -env:cartpole",
         [](const RunRecord& r) { return r.status == RunStatus::failed && r.env != "cartpole"; }},
        {"seed:3", [](const RunRecord& r) { return r.seed == 3; }},
        {"id:42", [](const RunRecord& r) { return r.id == 42; }},
        {"is:star", [](const RunRecord& r) { return r.star; }},
        {"\"the word zebra\"", [](const RunRecord& r) { return !r.notes.empty(); }},
        {"\"word the zebra\"", [](const RunRecord&) { return false; }},
        {"tag:", [](const RunRecord&) { return true; }},
        {"   ", [](const RunRecord&) { return true; }},
    };
    for (const Case& one : cases) {
        model.setFilter(QString::fromUtf8(one.text));
        std::set<RunId> expected;
        for (const RunRecord& run : runs)
            if (one.matches(run)) expected.insert(run.id);
        EXPECT_EQ(shown(model), expected) << one.text;
    }
}

TEST(RunTable, EveryColumnSortsBothWaysAndRunsWithoutANumberAreAtOneEnd) {
    RunTableModel model;
    fill(model, someRuns(200));
    for (int column = 0; column < RunTableModel::kColumns; ++column)
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(column, order);
            EXPECT_EQ(model.rowCount(), 200);
            EXPECT_EQ(shown(model).size(), 200U);
        }
    model.sort(RunTableModel::kLastReturn, Qt::DescendingOrder);
    bool missing = false;
    for (int row = 0; row < model.rowCount(); ++row) {
        const RunRecord& run = model.runAt(row);
        EXPECT_FALSE(missing && run.last_return) << "a number follows a missing one";
        missing = missing || !run.last_return;
        if (row > 0 && run.last_return) {
            EXPECT_GE(*model.runAt(row - 1).last_return, *run.last_return);
        }
    }
}

TEST(RunTable, ChangedSettingsAreBriefInTheCellAndWholeInTooltipFilesAndOrder) {
    RunTableModel model;
    fill(model, someRuns(3));
    const auto cell = [&](RunId run, int role) {
        return model.index(model.rowOf(run), RunTableModel::kChanged).data(role).toString().toStdString();
    };
    EXPECT_EQ(cell(1, Qt::DisplayRole), "") << "not known yet";
    const std::unordered_map<RunId, QStringList> changed{
        {1, {"gamma=0.9", "steps=10", "epochs=2", "wide=yes", "deep=no"}}, {3, {"a|b=1"}}};
    model.sort(RunTableModel::kChanged, Qt::DescendingOrder);
    model.setChangedSettings(std::make_shared<const std::unordered_map<RunId, QStringList>>(changed));
    EXPECT_EQ(cell(1, Qt::DisplayRole), "gamma=0.9, steps=10, epochs=2, +2");
    EXPECT_EQ(cell(1, Qt::ToolTipRole), "gamma=0.9\nsteps=10\nepochs=2\nwide=yes\ndeep=no");
    EXPECT_EQ(cell(2, Qt::DisplayRole), "");
    EXPECT_EQ(model.rowOf(1), 0) << "sorted by the new texts";
    EXPECT_EQ(model.rowOf(2), 2);
    EXPECT_TRUE(model.shown().csv().contains(
        QStringLiteral(",\"gamma=0.9, steps=10, epochs=2, wide=yes, deep=no\"\n")));
    EXPECT_TRUE(model.shown().markdown({RunTableModel::kChanged}).contains(QStringLiteral("| a\\|b=1 |")));
}

TEST(RunTable, TheSelectionFollowsItsRuns) {
    RunTableModel model;
    auto runs = someRuns(100);
    fill(model, runs);
    std::vector<std::pair<QPersistentModelIndex, RunId>> selected;
    for (const int row : {3, 50, 99}) selected.emplace_back(model.index(row, 2), model.runAt(row).id);
    model.sort(RunTableModel::kLastReturn, Qt::AscendingOrder);
    for (auto& run : runs) run.last_return = 1000 - run.last_return.value_or(0);
    fill(model, runs);
    for (const auto& [index, id] : selected) {
        ASSERT_TRUE(index.isValid());
        EXPECT_EQ(model.runAt(index.row()).id, id);
    }
    const RunId gone = selected[0].second;
    std::erase_if(runs, [&](const RunRecord& run) { return run.id == gone; });
    fill(model, runs);
    EXPECT_FALSE(selected[0].first.isValid());
    EXPECT_TRUE(selected[1].first.isValid());
}

TEST(RunTable, ArchiveAndTrashAreSeparateShelves) {
    RunTableModel model;
    auto runs = someRuns(10);
    runs[2].archived = true;
    runs[5].in_trash = true;
    runs[6].in_trash = runs[6].archived = true;
    fill(model, runs);
    EXPECT_EQ(model.rowCount(), 7);
    model.setShelf(RunTableModel::Shelf::archived);
    EXPECT_EQ(shown(model), std::set<RunId>{3});
    model.setShelf(RunTableModel::Shelf::trash);
    EXPECT_EQ(shown(model), (std::set<RunId>{6, 7}));
}

TEST(RunTable, LongNamesAreShownInOneLineAndCompleteInTheToolTip) {
    RunTableModel model;
    auto runs = someRuns(3);
    const std::string arabic = "تدريب العمود", long_text(500, 'n');
    runs[0].name = arabic;
    runs[1].name = long_text;
    runs[2].notes = "one\ntwo";
    fill(model, runs);
    const auto cell = [&](RunId run, int column, int role) {
        return model.data(model.index(model.rowOf(run), column), role).toString();
    };
    EXPECT_EQ(cell(1, RunTableModel::kName, Qt::DisplayRole).toStdString(), arabic);
    EXPECT_LT(cell(2, RunTableModel::kName, Qt::DisplayRole).size(), 200);
    EXPECT_EQ(cell(2, RunTableModel::kName, Qt::ToolTipRole).toStdString(), long_text);
    EXPECT_FALSE(cell(3, RunTableModel::kNotes, Qt::DisplayRole).contains(QLatin1Char('\n')));
    EXPECT_EQ(cell(3, RunTableModel::kNotes, Qt::EditRole), QStringLiteral("one\ntwo"));
    model.setFilter(QString::fromStdString("العمود"));
    EXPECT_EQ(shown(model), std::set<RunId>{1});
}

TEST(RunTable, ACommaLocaleChangesTheDisplayButNotFiles) {
    const QLocale before;
    auto runs = someRuns(2);
    runs[1].last_return = 187.5;
    runs[1].name = "a,\"b\"";
    RunTableModel model;
    fill(model, runs);
    const QString english = model.shown().csv();
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QString shown_text =
        model.data(model.index(model.rowOf(2), RunTableModel::kLastReturn), Qt::DisplayRole).toString();
    const QString german = model.shown().csv();
    QLocale::setDefault(before);
    EXPECT_EQ(shown_text, QStringLiteral("187,5"));
    EXPECT_EQ(english, german);
    EXPECT_TRUE(english.contains(QStringLiteral(",187.5,"))) << english.toStdString();
    EXPECT_TRUE(english.contains(QStringLiteral("\"a,\"\"b\"\"\"")));
}

TEST(RunTable, ReturnsOfTrainingAreMarkedAndEvaluationsAreNot) {
    auto runs = someRuns(2);
    runs[0].best_return = runs[1].best_return = 12.5;
    runs[0].return_source = "training";
    runs[1].return_source = "evaluation";
    RunTableModel model;
    fill(model, runs);
    const auto shown = [&](RunId id) {
        return model.data(model.index(model.rowOf(id), RunTableModel::kBestReturn), Qt::DisplayRole)
            .toString();
    };
    EXPECT_EQ(shown(1), QStringLiteral("~12.5"));
    EXPECT_EQ(shown(2), QStringLiteral("12.5"));
}

TEST(RunTable, ARunThatHasNotStartedHasNoStartTimeAndIsSortedLast) {
    auto runs = someRuns(3);
    runs[1].status = RunStatus::queued;
    runs[1].started.reset();
    RunTableModel model;
    fill(model, runs);
    const auto cell = [&](RunId run, int role) {
        return model.data(model.index(model.rowOf(run), RunTableModel::kStarted), role).toString();
    };
    EXPECT_EQ(cell(1, Qt::DisplayRole), ui::timeText(*runs[0].started));
    EXPECT_EQ(cell(2, Qt::DisplayRole), QString());
    EXPECT_TRUE(cell(2, Qt::ToolTipRole).contains(ui::timeText(runs[1].created)))
        << "shows when it was queued";
    EXPECT_EQ(model.headerData(RunTableModel::kStarted, Qt::Horizontal, Qt::DisplayRole).toString(),
              QStringLiteral("Started"));
    model.sort(RunTableModel::kStarted, Qt::DescendingOrder);
    EXPECT_EQ(model.runAt(0).id, 3);
    EXPECT_EQ(model.runAt(2).id, 2);
    EXPECT_TRUE(model.shown().csv().contains(QStringLiteral(",1700000004,")))
        << model.shown().csv().toStdString();
}

TEST(RunTable, ShortCountsHaveNoExponentAndLessThanAThousandOfAUnit) {
    const QLocale before;
    QLocale::setDefault(QLocale::c());
    for (const auto& [count, text] : {std::pair{999.0, "999"},
                                      {1000.0, "1k"},
                                      {999'400.0, "999k"},
                                      {999'500.0, "1M"},
                                      {999'999.0, "1M"},
                                      {1'234'567.0, "1.23M"},
                                      {999'999'999.0, "1G"},
                                      {1.5e12, "1500G"},
                                      {-999'999.0, "-1M"},
                                      {0.0, "0"}})
        EXPECT_EQ(ui::compactCount(count), QLatin1String(text)) << count;
    QLocale::setDefault(before);
}

TEST(RunTable, TenThousandRunsAreFilteredAndSorted) {
    RunTableModel model;
    fill(model, someRuns(10000));
    model.sort(RunTableModel::kLastReturn, Qt::DescendingOrder);
    for (const char* text : {"m", "mi", "min", "minatar", "minatar zebra", "tag:baseline", ""})
        model.setFilter(QString::fromLatin1(text));
    EXPECT_EQ(model.rowCount(), 10000);
}

}  // namespace
}  // namespace seedbed::testing
