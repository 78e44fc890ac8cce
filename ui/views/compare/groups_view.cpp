// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/groups_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/models/charts/chart_table_model.hpp"
#include "ui/models/compare/explanation.hpp"
#include "ui/models/compare_text.hpp"
#include "ui/models/text/core_text.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/compare/explain_popup.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

enum Column : int {
    kGroup,
    kRuns,
    kScore,
    kInterval,
    kRange,
    kDifference,
    kProbability,
    kPValue,
    kVerdict,
    kColumns
};

// The statistic in each column after the names.
constexpr std::array kStatistics{Statistic::runs,    Statistic::score,      Statistic::interval,
                                 Statistic::range,   Statistic::difference, Statistic::improvement,
                                 Statistic::p_value, Statistic::verdict};
static_assert(kStatistics.size() == kColumns - 1);

// Text in cells wraps, but not within an interval.
constexpr QChar kNoBreak = QChar::Nbsp;

QString interval(double low, double high) {
    return intervalText(low, high).replace(QLatin1Char(' '), kNoBreak);
}

// Minimum width of the group column in characters.
constexpr int kMinNameLength = 22;

// The contents of a column and how they are computed.
QString columnHelp(int column) {
    switch (column) {
        case kGroup: return GroupsView::tr("Runs with the same settings and different seeds");
        case kRuns: return GroupsView::tr("Number of runs; “!”: the verdict contains notes");
        case kScore:
            return GroupsView::tr(
                "Interquartile mean over the runs of the group; the mean for fewer than 4 runs");
        case kInterval:
            return GroupsView::tr(
                "95 % interval of the score: percentile bootstrap over the runs, widened for few runs");
        case kRange: return GroupsView::tr("Lowest and highest score of a run");
        case kDifference:
            return GroupsView::tr("Score minus the baseline's score, with the 95 % interval of the test");
        case kProbability:
            return GroupsView::tr(
                "Probability that a random run of this group scores higher than one of the baseline");
        case kPValue:
            return GroupsView::tr(
                "p value of the difference: two-sided permutation test against the baseline, not corrected "
                "for "
                "the number of groups; up to 0.05 counts as a difference");
        case kVerdict: return GroupsView::tr("Result of testing the difference from the baseline");
        default: return {};
    }
}

QString verdictText(const QString& notes, const QString& verdict) {
    return notes.isEmpty() ? verdict : verdict.isEmpty() ? notes : verdict + QStringLiteral(" · ") + notes;
}

}  // namespace

GroupsView::GroupsView(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    makeTable();
    column->addWidget(table_, 1);
    auto* row = new QHBoxLayout();
    pin_ = new QPushButton(tr("Pin as &baseline"), this);
    pin_->setObjectName(QStringLiteral("pin-baseline"));
    seeds_ = new QPushButton(this);
    seeds_->setObjectName(QStringLiteral("queue-seeds"));
    row->addWidget(pin_);
    row->addWidget(seeds_);
    row->addStretch(1);
    score_at_ = new QComboBox(this);
    score_at_->setObjectName(QStringLiteral("scores-at"));
    score_at_->addItem(tr("at the common step"), static_cast<int>(ScoreAt::common_step));
    score_at_->addItem(tr("at each run's last step"), static_cast<int>(ScoreAt::last_step));
    score_at_->setAccessibleName(tr("Scores"));
    score_at_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* at_label = new QLabel(tr("Sco&res"), this);
    at_label->setBuddy(score_at_);
    row->addWidget(at_label);
    row->addWidget(score_at_);
    column->addLayout(row);
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    column->addWidget(note_);
    connect(table_, &QTableWidget::itemSelectionChanged, this, &GroupsView::chosenChanged);
    connect(table_, &QTableWidget::cellClicked, this, &GroupsView::explainAt);
    connect(table_, &QTableWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        const QModelIndex cell = table_->indexAt(at);
        if (!explainable(cell.row(), cell.column())) return;
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(tr("Explain this number"), this,
                        [this, row = cell.row(), c = cell.column()] { explainAt(row, c); });
        menu->popup(table_->viewport()->mapToGlobal(at));
    });
    connect(table_, &QTableWidget::cellEntered, this, [this](int at_row, int at_column) {
        table_->viewport()->setCursor(explainable(at_row, at_column) ? Qt::PointingHandCursor
                                                                     : Qt::ArrowCursor);
    });
    connect(table_->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column_number) {
        if (!fitting_ && column_number != kVerdict) widths_are_users_ = true;
    });
    connect(pin_, &QPushButton::clicked, this, [this] {
        if (const ComparedGroup* group = chosen()) Q_EMIT baselineRequested(group->key);
    });
    connect(seeds_, &QPushButton::clicked, this, [this] {
        if (const ComparedGroup* group = chosen())
            Q_EMIT seedsRequested(group->key, seeds_->property("count").toInt());
    });
    connect(score_at_, &QComboBox::activated, this, [this](int index) {
        Q_EMIT scoresRequested(static_cast<ScoreAt>(score_at_->itemData(index).toInt()));
    });
    connect(&theme_, &Theme::changed, this, [this] { setData(data_); });
    setData(nullptr);
}

void GroupsView::makeTable() {
    table_ = new QTableWidget(0, kColumns, this);
    table_->setHorizontalHeaderLabels({tr("Group"), tr("n"), tr("Score"), tr("95 % interval"),
                                       tr("Min – max"), tr("Difference"), tr("P(better)"), tr("p value"),
                                       tr("Verdict")});
    for (int c = 0; c < kColumns; ++c) table_->horizontalHeaderItem(c)->setToolTip(columnHelp(c));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setAlternatingRowColors(true);
    table_->setTabKeyNavigation(false);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->setMouseTracking(true);
    table_->setAccessibleName(tr("Groups and their statistics"));
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    // Adapts row heights to wrapped names and verdicts.
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setHighlightSections(false);
}

// Sizes number columns to their contents, unless the user has resized columns; names and verdicts share the
// rest.
void GroupsView::fitColumns() {
    if (widths_are_users_) return;
    fitting_ = true;
    int numbers = 0;
    for (int c = kRuns; c < kVerdict; ++c) {
        table_->resizeColumnToContents(c);
        numbers += table_->columnWidth(c);
    }
    table_->resizeColumnToContents(kGroup);
    const int least = kMinNameLength * fontMetrics().averageCharWidth();
    const int share = std::max(least, (table_->viewport()->width() - numbers) / 2);
    table_->setColumnWidth(kGroup, std::min(table_->columnWidth(kGroup), share));
    fitting_ = false;
}

void GroupsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // Called later, because it must also run after the table has been resized.
    QMetaObject::invokeMethod(this, &GroupsView::fitColumns, Qt::QueuedConnection);
}

const ComparedGroup* GroupsView::chosen() const {
    const int row = table_->currentRow();
    return data_ && row >= 0 && row < static_cast<int>(data_->groups.size()) &&
                   !table_->selectedItems().isEmpty()
               ? &data_->groups[static_cast<std::size_t>(row)]
               : nullptr;
}

bool GroupsView::explainable(int row, int column) const {
    const QTableWidgetItem* item = column > kGroup ? table_->item(row, column) : nullptr;
    return item != nullptr && !item->text().isEmpty();
}

void GroupsView::explainAt(int row, int column) {
    if (!explainable(row, column) || !data_) return;
    const auto& group = data_->groups[static_cast<std::size_t>(row)];
    const QTableWidgetItem* item = table_->item(row, column);
    ExplainPopup::showFor(
        explain(kStatistics[static_cast<std::size_t>(column - 1)], *data_, group, item->text()),
        *table_->viewport(), table_->visualItemRect(item), theme_);
}

bool GroupsView::explainCurrent() {
    const int row = table_->currentRow(), column = table_->currentColumn();
    if (!explainable(row, column)) return false;
    explainAt(row, column);
    return true;
}

void GroupsView::chosenChanged() {
    const ComparedGroup* group = chosen();
    pin_->setEnabled(group != nullptr && !group->baseline && group->statistics);
    int count = 0;
    if (group != nullptr)
        for (const ComparedGroup& other : data_->groups)
            if (other.baseline) count = seedsToAdd(*group, other);
    if (group != nullptr && count == 0) count = 1;
    seeds_->setEnabled(group != nullptr);
    seeds_->setProperty("count", count);
    seeds_->setText(count > 0 ? tr("Queue %n more seed(s)", nullptr, count) : tr("Queue more seeds"));
}

// Enables the choice if runs have different lengths.
void GroupsView::describeScores() {
    const bool different = data_ && !data_->common_steps.empty();
    score_at_->setItemText(0, different ? tr("at the common step %1").arg(stepsText(data_->common_steps))
                                        : tr("at the common step"));
    score_at_->setEnabled(different);
    score_at_->setToolTip(
        !different ? tr("The selected runs have trained for the same number of steps")
                   : tr("The selected runs have trained for different numbers of steps. The common step "
                        "is the last one that all runs of an environment have reached; scores at that "
                        "step are comparable. At each run's last step, longer runs have an advantage."));
    score_at_->setAccessibleDescription(score_at_->toolTip());
}

// Writes the cell, reusing its item, so that selection and focus are kept.
QTableWidgetItem* GroupsView::put(int row, int column, const QString& text) {
    QTableWidgetItem* item = table_->item(row, column);
    if (item == nullptr) table_->setItem(row, column, item = new QTableWidgetItem());
    item->setText(text);
    item->setToolTip(text);
    item->setData(Qt::ForegroundRole, QVariant());
    item->setFont(font());
    if (column != kGroup && column != kVerdict) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

void GroupsView::fillRow(int row, const ComparedGroup& group) {
    for (int c = 0; c < kColumns; ++c)
        if (table_->item(row, c) != nullptr) put(row, c, {});
    QStringList ids;
    for (const RunId id : group.runs) ids << QString::number(id);
    put(row, kGroup, group.label)
        ->setToolTip(group.label + QLatin1Char('\n') + tr("Runs %1").arg(ids.join(QStringLiteral(", "))));
    if (!group.statistics) {
        put(row, kRuns, QStringLiteral("0"));
        put(row, kVerdict, tr("no finished episode yet"));
        return;
    }
    const RunGroup& s = *group.statistics;
    // Notes (repeated seeds, shorter runs) are marked with "!" after the number of runs.
    const QString notes = coreText(s.notes, QStringLiteral(" "));
    put(row, kRuns,
        QString::number(s.scores.size()) +
            (notes.isEmpty() ? QString() : QString(kNoBreak) + QLatin1Char('!')))
        ->setToolTip(notes);
    put(row, kScore, scoreText(group))->setToolTip(scoreHelp(group));
    put(row, kInterval, !std::isnan(s.ci_low) ? interval(s.ci_low, s.ci_high) : QStringLiteral("–"));
    put(row, kRange, shortNumber(s.min) + kNoBreak + QChar(0x2013) + kNoBreak + shortNumber(s.max));
    if (group.baseline) fillBaseline(row, s, notes);
    else if (group.difference) fillDifference(row, *group.difference, notes);
}

void GroupsView::fillBaseline(int row, const RunGroup& group, const QString& notes) {
    put(row, kDifference, tr("baseline"));
    const QString few = group.scores.size() < kMinSeeds
                            ? tr("few seeds: intervals are unreliable below %1").arg(kMinSeeds)
                            : QString();
    put(row, kVerdict, verdictText(notes, few));
    table_->item(row, kGroup)->setFont(textFont(TextSize::body, QFont::DemiBold));
}

void GroupsView::fillDifference(int row, const GroupDifference& d, const QString& notes) {
    using Verdict = GroupDifference::Verdict;
    const bool other_task = d.verdict == Verdict::other_task;
    const QString value = other_task ? shortNumber(d.difference)
                          : std::isnan(d.ci_low)
                              ? signedNumber(d.difference)
                              : signedNumber(d.difference) + kNoBreak + interval(d.ci_low, d.ci_high);
    QTableWidgetItem* difference = put(row, kDifference, value);
    QTableWidgetItem* probability = put(row, kProbability, shortNumber(d.improvement));
    put(row, kPValue, pValueText(d.p_value))->setToolTip(columnHelp(kPValue));
    QTableWidgetItem* verdict =
        put(row, kVerdict, verdictText(notes, coreText(d.parts, QStringLiteral("; "))));
    if (other_task) return;
    probability->setToolTip(
        tr("Probability that a run of this group scores higher than one of the baseline: 95 "
           "% interval %1")
            .arg(interval(d.improvement_low, d.improvement_high)));
    if (d.verdict != Verdict::better && d.verdict != Verdict::worse) return;
    for (QTableWidgetItem* item : {difference, verdict})
        item->setForeground(d.verdict == Verdict::better ? theme_.good() : theme_.bad());
}

// Explains the scores, intervals and verdicts that apply to the shown groups.
QString GroupsView::noteText() const {
    if (!data_ || data_->groups.empty())
        return tr(
            "Select runs in the table and compare them. Runs with the same settings and different seeds "
            "form a group.");
    QStringList notes;
    if (data_->aligned)
        notes << tr("Scores at step %1, the last step that all runs have reached.")
                     .arg(stepsText(data_->common_steps));
    else if (!data_->common_steps.empty())
        notes << tr(
            "The runs have trained for different numbers of steps: each score is from the run's own "
            "last step.");
    notes << tr(
        "Score of a run: its newest evaluation. Score of a group: interquartile mean (mean for fewer "
        "than 4 runs). Intervals: 95 % bootstrap over the runs of each group, widened for few runs. "
        "If several runs have the same seed, only the newest counts. p value: two-sided permutation test of "
        "the difference from the baseline; a difference is reported if p ≤ 0.05.");
    std::size_t fewest = kMinSeeds;
    for (const ComparedGroup& group : data_->groups)
        if (group.statistics && group.statistics->scores.size() > 1)
            fewest = std::min(fewest, group.statistics->scores.size());
    if (fewest < kMinSeeds) notes << tr("Bands of curves are not widened. %1").arg(narrowBandNote(fewest));
    if (data_->groups.size() > 2)
        notes << tr(
            "Groups are tested separately: about one in twenty groups without a real difference is "
            "reported as different.");
    if (data_->some_training)
        notes << tr(
            "Some runs were never evaluated: their scores are means over the last 100 training "
            "episodes.");
    if (data_->unscored > 0)
        notes << tr("%n run(s) without finished episodes are not included.", nullptr, data_->unscored);
    return notes.join(QLatin1Char(' '));
}

void GroupsView::setData(std::shared_ptr<const CompareData> compared) {
    const ComparedGroup* before = chosen();
    const QString selected = before == nullptr ? QString() : before->key;
    data_ = std::move(compared);
    QStringList keys;
    if (data_)
        for (const ComparedGroup& group : data_->groups) keys << group.key;
    // If the groups are unchanged, only the numbers are updated.
    const bool same_groups = std::exchange(keys_, keys) == keys;
    if (!same_groups) table_->clearContents();
    table_->setRowCount(static_cast<int>(keys.size()));
    for (int row = 0; row < table_->rowCount(); ++row)
        fillRow(row, data_->groups[static_cast<std::size_t>(row)]);
    if (!same_groups) widths_are_users_ = false;
    fitColumns();
    note_->setText(noteText());
    if (const auto row = static_cast<int>(keys.indexOf(selected)); !same_groups && row >= 0)
        table_->selectRow(row);
    chosenChanged();
    describeScores();
    table_->setAccessibleDescription(verdicts());
}

QString GroupsView::verdicts() const {
    QStringList lines;
    if (data_)
        for (const ComparedGroup& group : data_->groups)
            if (group.difference)
                lines << group.label + QStringLiteral(": ") +
                             coreText(group.difference->parts, QStringLiteral("; "));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace seedbed::ui
