// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/run_lists.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/base/text.hpp"
#include "ui/models/text/event_text.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

constexpr int kStepRole = Qt::UserRole + 1;
// Only the newest rows are listed.
constexpr std::size_t kMaxListed = 1000;

QTreeWidget* makeList(QWidget* parent, const QStringList& columns, const QString& name) {
    auto* list = new QTreeWidget(parent);
    list->setHeaderLabels(columns);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAlternatingRowColors(true);
    list->setAccessibleName(name);
    return list;
}

}  // namespace

CheckpointList::CheckpointList(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    list_ =
        makeList(this, {tr("Step"), tr("Score"), tr("Kept as"), tr("When"), tr("Size")}, tr("Checkpoints"));
    column->addWidget(list_, 1);
    auto* row = new QHBoxLayout();
    watch_ = new QPushButton(tr("Watch this agent"), this);
    export_ = new QPushButton(tr("Export…"), this);
    export_->setAccessibleName(tr("Export this checkpoint"));
    row->addWidget(watch_);
    row->addWidget(export_);
    row->addStretch(1);
    column->addLayout(row);
    const auto enable = [this] {
        watch_->setEnabled(chosen().has_value());
        export_->setEnabled(chosen().has_value());
    };
    connect(list_, &QTreeWidget::itemSelectionChanged, this, enable);
    connect(watch_, &QPushButton::clicked, this, [this] {
        if (const auto step = chosen()) Q_EMIT watchRequested(*step);
    });
    connect(export_, &QPushButton::clicked, this, [this] {
        if (const auto step = chosen()) Q_EMIT exportRequested(*step);
    });
    connect(list_, &QTreeWidget::itemActivated, this, [this] {
        if (const auto step = chosen()) Q_EMIT watchRequested(*step);
    });
    enable();
}

std::optional<std::int64_t> CheckpointList::chosen() const {
    const auto items = list_->selectedItems();
    if (items.isEmpty()) return std::nullopt;
    return items.first()->data(0, kStepRole).toLongLong();
}

int CheckpointList::count() const { return list_->topLevelItemCount(); }

void CheckpointList::setReport(const RunReport* report) {
    QString now;
    if (report != nullptr) {
        now = QString::number(report->details.run.id) + QLatin1Char(':');
        for (const CheckpointRecord& c : report->details.checkpoints)
            now += QStringLiteral("%1 %2 %3 %4 %5 %6 ")
                       .arg(c.step)
                       .arg(c.best)
                       .arg(c.milestone)
                       .arg(c.removed)
                       .arg(c.time, 0, 'f', 3)
                       .arg(c.bytes) +
                   exactNumber(c.score.value_or(NAN)) + QLatin1Char(';');
    }
    if (now == shown_) return;
    // Keep the selection for the same run.
    const bool same_run =
        !now.isEmpty() && shown_.section(QLatin1Char(':'), 0, 0) == now.section(QLatin1Char(':'), 0, 0);
    shown_ = now;
    const auto before = same_run ? chosen() : std::nullopt;
    list_->clear();
    if (report == nullptr) return;
    const auto& checkpoints = report->details.checkpoints;
    for (auto at = checkpoints.rbegin(); at != checkpoints.rend() && count() < static_cast<int>(kMaxListed);
         ++at) {
        if (at->removed) continue;
        QStringList kept;
        if (at->best) kept << tr("best");
        if (at->milestone) kept << tr("milestone");
        if (at == checkpoints.rbegin()) kept << tr("newest");
        auto* item = new QTreeWidgetItem(
            list_, {countText(at->step), at->score ? shortNumber(*at->score) : QStringLiteral("–"),
                    kept.join(QStringLiteral(", ")), briefTimeText(at->time),
                    QString::fromStdString(formatBytes(static_cast<std::uint64_t>(at->bytes)))});
        item->setData(0, kStepRole, QVariant::fromValue<qlonglong>(at->step));
        item->setToolTip(0, QString::fromStdString(at->folder));
        item->setToolTip(1, tr("mean of the last evaluation of these weights"));
        item->setToolTip(3, timeText(at->time));
        for (const int right : {0, 1, 4}) item->setTextAlignment(right, Qt::AlignRight | Qt::AlignVCenter);
        if (before == at->step) item->setSelected(true);
    }
    for (int c = 0; c < list_->columnCount(); ++c) list_->resizeColumnToContents(c);
}

EventList::EventList(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    list_ = makeList(this, {tr("When"), tr("Step"), tr("Event")}, tr("Events"));
    list_->setWordWrap(true);
    column->addWidget(list_, 1);
}

int EventList::count() const { return list_->topLevelItemCount(); }

void EventList::setReport(const RunReport* report) {
    QString now;
    if (report != nullptr && !report->details.events.empty())
        now = QStringLiteral("%1 %2 %3")
                  .arg(report->details.run.id)
                  .arg(report->details.events.size())
                  .arg(report->details.events.back().time);
    if (now == shown_) return;
    shown_ = now;
    list_->clear();
    if (report == nullptr) return;
    const auto& events = report->details.events;
    for (auto at = events.rbegin(); at != events.rend() && count() < static_cast<int>(kMaxListed); ++at) {
        const QString text = eventText(*at);
        auto* item = new QTreeWidgetItem(list_, {timeText(at->time), countText(at->step),
                                                 (at->level == EventLevel::error     ? tr("Error: ")
                                                  : at->level == EventLevel::warning ? tr("Warning: ")
                                                                                     : QString()) +
                                                     text.simplified()});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(2, text);
    }
    for (int c = 0; c < 2; ++c) list_->resizeColumnToContents(c);
}

}  // namespace seedbed::ui
