// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/over_tasks_view.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/models/compare/explanation.hpp"
#include "ui/models/launcher.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/compare/explain_popup.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

// The statistic in each column after the methods.
constexpr std::array kTaskStatistics{Statistic::task_runs,      Statistic::task_iqm,
                                     Statistic::task_median,    Statistic::task_mean,
                                     Statistic::optimality_gap, Statistic::task_improvement};
constexpr int kMethodLetters = 28, kProfileHeight = 260, kMostMethods = 6;

}  // namespace

OverTasksView::OverTasksView(const Services& services, Background& workers, QAction* choose, QWidget* parent)
    : QWidget(parent), services_(services) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    stack_ = new QStackedWidget(this);
    const EmptyState empty =
        emptyState(QStringLiteral("over-tasks"), choose, *services_.theme, "compare", "curves", stack_);
    text_ = empty.text;
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    stack_->addWidget(empty.widget);
    auto* scroll = new QScrollArea(stack_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(makeContents(workers));
    stack_->addWidget(scroll);
    outer->addWidget(stack_);
    setData(nullptr, at_);
}

QWidget* OverTasksView::makeContents(Background& workers) {
    auto* box = new QWidget(stack_);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    chart_ = new ChartWidget(services_, workers, tr("Performance profiles"), box);
    chart_->setMinimumHeight(kProfileHeight);
    chart_->plot().setYTitle(tr("Share of runs above"));
    ChartOptions options;
    options.x = XAxis::score;
    chart_->model().setCurves({});
    chart_->model().setOptions(options);
    auto* head = new QWidget(chart_);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    by_ = new NameBox(kMethodLetters, head);
    by_->setObjectName(QStringLiteral("methods-by"));
    by_->setAccessibleName(tr("Methods differ in"));
    by_->setToolTip(tr("The settings that make a method; every method needs runs of every task"));
    auto* label = new QLabel(tr("Met&hods differ in"), head);
    label->setBuddy(by_);
    row->addWidget(label);
    row->addWidget(by_);
    row->addStretch(1);
    chart_->setHead(head);
    auto* first = chart_->menu()->actions().front();
    auto* explain_profiles = new QAction(tr("&Explain the profiles"), chart_);
    connect(explain_profiles, &QAction::triggered, this, [this] {
        if (shown_)
            ExplainPopup::showFor(explainOverTasks(Statistic::profile, *shown_, 0, QString()), *chart_,
                                  chart_->rect(), *services_.theme);
    });
    chart_->menu()->insertAction(first, explain_profiles);
    column->addWidget(chart_, 1);
    table_ = new QTableWidget(0, static_cast<int>(kTaskStatistics.size()) + 1, box);
    table_->setObjectName(QStringLiteral("over-tasks-table"));
    table_->setHorizontalHeaderLabels({tr("Method"), tr("Runs"), tr("IQM"), tr("Median"), tr("Mean"),
                                       tr("Optimality gap"), tr("P(better)")});
    for (std::size_t s = 0; s < kTaskStatistics.size(); ++s) {
        QTableWidgetItem* title = table_->horizontalHeaderItem(static_cast<int>(s) + 1);
        title->setToolTip(definitionOf(kTaskStatistics[s]).front().text);
        title->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setAlternatingRowColors(true);
    table_->setTabKeyNavigation(false);
    table_->setAccessibleName(tr("Methods and their normalised scores"));
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    table_->horizontalHeader()->setHighlightSections(false);
    connect(table_, &QTableWidget::cellClicked, this, &OverTasksView::explainAt);
    column->addWidget(table_);
    verdict_ = new QLabel(box);
    verdict_->setObjectName(QStringLiteral("over-tasks-verdict"));
    verdict_->setTextFormat(Qt::PlainText);
    verdict_->setWordWrap(true);
    column->insertWidget(0, verdict_);
    note_ = new QLabel(box);
    note_->setObjectName(QStringLiteral("over-tasks-note"));
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    setTextColour(note_, *services_.theme, TextColour::quiet);
    column->addWidget(note_);
    connect(by_, &QComboBox::activated, this, &OverTasksView::ask);
    return box;
}

void OverTasksView::setData(std::shared_ptr<const CompareData> data, ScoreAt at) {
    data_ = std::move(data);
    at_ = at;
    const QStringList choices = data_ ? methodChoices(*data_) : QStringList();
    QStringList known;
    for (int i = 0; i < by_->count(); ++i) known << by_->itemText(i);
    if (known != choices) {
        by_->clear();
        by_->addItems(choices);
    }
    if (isVisible() || !data_) ask();
}

void OverTasksView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!shown_) asked_.clear();  // after an error
    ask();
}

// The command, without what would be added by the launcher.
QStringList OverTasksView::question() const {
    QStringList arguments{QStringLiteral("aggregate")};
    for (const ComparedRun& run : data_->runs) arguments << QString::number(run.record.id);
    return arguments << QStringLiteral("--by") << by_->currentText() << QStringLiteral("--at")
                     << (at_ == ScoreAt::common_step ? QStringLiteral("common") : QStringLiteral("last"));
}

void OverTasksView::ask() {
    const std::size_t tasks = data_ ? countTasks(*data_) : 0;
    if (tasks < 2 || services_.launcher == nullptr) {
        asked_.clear();
        shown_.reset();
        return showText(
            tr("Performance profiles compare methods over several tasks. Compare runs of at least "
               "two environments, and of every method in each of them."));
    }
    QStringList state = question();
    for (const ComparedRun& run : data_->runs)
        state << (run.score ? QString::number(run.score->score, 'g', 17) : QString());
    if (asking_ || state == asked_) return;
    asked_ = state;
    asking_ = true;
    if (!shown_) showText(tr("Computing…"));
    const QStringList command = question();
    services_.launcher->ask(command, this, [this, command](const CommandReply& reply) {
        asking_ = false;
        // The runs, their scores or the methods may have changed.
        if (!data_ || question() != command) return ask();
        shown_.reset();
        if (!reply.ok())
            showText(tr("These runs cannot be compared over tasks: %1").arg(reply.error) +
                     QStringLiteral("\n\n") + services_.launcher->shellCommand(command));
        else show(reply.json.object());
        ask();
    });
}

void OverTasksView::showText(const QString& text) {
    text_->setText(text);
    stack_->setCurrentIndex(0);
}

void OverTasksView::show(const QJsonObject& document) {
    shown_ = overTasksOf(document);
    if (!shown_) return showText(tr("The program printed no numbers."));
    chart_->model().setCurves(profileCurves(shown_->over));
    QStringList tasks;
    for (const std::string& task : shown_->over.tasks) tasks << QString::fromStdString(task);
    chart_->setSubject(tasks.join(QStringLiteral(", ")));
    fillTable();
    const QStringList verdicts = overTasksVerdicts(shown_->over);
    verdict_->setText(verdicts.join(QLatin1Char('\n')));
    verdict_->setVisible(!verdicts.isEmpty());
    std::size_t fewest = SIZE_MAX;
    for (const MethodScores& method : shown_->over.methods) fewest = std::min(fewest, method.fewest);
    QString note = tr("Scores are normalised: 0 is random play, 1 the goal: %1. Bands and intervals: 95 % "
                      "bootstrap over the runs within each task.")
                       .arg(shown_->rangesText());
    if (fewest < kMinIntervalSeeds)
        note += QLatin1Char(' ') + tr("A task has fewer than three runs of a method: its intervals are too "
                                      "narrow.");
    note_->setText(note + QLatin1Char('\n') + services_.launcher->shellCommand(question()));
    stack_->setCurrentIndex(1);
}

void OverTasksView::fillTable() {
    const std::vector<QStringList> rows = overTasksRows(shown_->over);
    table_->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < table_->rowCount(); ++row)
        for (int c = 0; c < table_->columnCount(); ++c) {
            if (table_->item(row, c) == nullptr) table_->setItem(row, c, new QTableWidgetItem());
            QTableWidgetItem* item = table_->item(row, c);
            item->setText(rows[static_cast<std::size_t>(row)][c]);
            item->setToolTip(item->text());
            if (c > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
    table_->resizeColumnsToContents();
    const int shown = std::min(table_->rowCount(), kMostMethods);
    table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                           shown * table_->verticalHeader()->defaultSectionSize() + 2 * kGrid);
}

void OverTasksView::explainAt(int row, int column) {
    if (!shown_ || row < 0 || column < 1) return;
    const QTableWidgetItem* item = table_->item(row, column);
    ExplainPopup::showFor(explainOverTasks(kTaskStatistics[static_cast<std::size_t>(column - 1)], *shown_,
                                           static_cast<std::size_t>(row), item->text()),
                          *table_->viewport(), table_->visualItemRect(item), *services_.theme);
}

bool OverTasksView::explainCurrent() {
    if (!shown_ || table_->currentRow() < 0 || table_->currentColumn() < 1) return false;
    explainAt(table_->currentRow(), table_->currentColumn());
    return true;
}

}  // namespace seedbed::ui
