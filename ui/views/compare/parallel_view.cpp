// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/parallel_view.hpp"

#include <algorithm>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/models/sweep/parallel_data.hpp"
#include "ui/views/compare/importance_table.hpp"
#include "ui/views/compare/parallel_plot.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"

namespace seedbed::ui {
namespace {

constexpr int kImportanceWidth = 320, kBesideWidth = 860;

}  // namespace

ParallelView::ParallelView(const Theme& theme, QWidget* parent) : QWidget(parent) {
    parts_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
    parts_->setContentsMargins(0, 0, 0, 0);
    parts_->setSpacing(2 * kGrid);
    plot_ = new ParallelPlot(theme);
    parts_->addWidget(makePlot(), 3);
    importance_ = new ImportanceTable(theme, this);
    parts_->addWidget(importance_, 2);
    setTextColour(shown_, theme, TextColour::quiet);
    connect(as_table_, &QCheckBox::toggled, this, [this](bool table) {
        stack_->setCurrentWidget(table ? static_cast<QWidget*>(table_) : scroll_);
    });
    connect(only_importance_, &QCheckBox::toggled, this, &ParallelView::arrange);
    connect(clear_, &QPushButton::clicked, plot_, &ParallelPlot::clearRanges);
    connect(plot_, &ParallelPlot::changed, this, &ParallelView::describe);
    connect(plot_, &ParallelPlot::axisFocused, this,
            [this](int x) { scroll_->ensureVisible(x, plot_->height() / 2, 2 * kGrid, 0); });
    // The last axis, the score, is visible at first.
    QScrollBar* bar = scroll_->horizontalScrollBar();
    connect(bar, &QScrollBar::rangeChanged, bar, [bar](int, int last) { bar->setValue(last); });
    connect(plot_, &ParallelPlot::runRequested, this, &ParallelView::runRequested);
    connect(table_, &QTableWidget::activated, this, [this](const QModelIndex& at) {
        Q_EMIT runRequested(table_->item(at.row(), 0)->data(Qt::UserRole).toLongLong());
    });
    setData(nullptr);
}

QWidget* ParallelView::makePlot() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout();
    as_table_ = new QCheckBox(tr("Show as table"), box);
    row->addWidget(as_table_);
    only_importance_ = new QCheckBox(tr("Importance of the settings"), box);
    row->addWidget(only_importance_);
    clear_ = new QPushButton(tr("Clear ranges"), box);
    clear_->setObjectName(QStringLiteral("parallel-clear"));
    row->addWidget(clear_);
    row->addStretch(1);
    column->addLayout(row);
    stack_ = new QStackedWidget(box);
    scroll_ = new QScrollArea(stack_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setWidget(plot_);
    stack_->addWidget(scroll_);
    table_ = new QTableWidget(stack_);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setTabKeyNavigation(false);
    table_->setAccessibleName(tr("Settings and scores of the compared runs"));
    table_->verticalHeader()->hide();
    stack_->addWidget(table_);
    column->addWidget(stack_, 1);
    shown_ = new QLabel(box);
    shown_->setObjectName(QStringLiteral("parallel-note"));
    shown_->setTextFormat(Qt::PlainText);
    shown_->setWordWrap(true);
    // The plot must not move while the pointer moves over its lines; tooltips contain longer texts.
    shown_->setFixedHeight(2 * fontMetrics().lineSpacing());
    shown_->setAlignment(Qt::AlignTop);
    shown_->setToolTip(
        tr("Arrow keys select axes and runs. Page Up and Page Down make the value of the run "
           "the end of the range, Delete clears the range of the axis, Escape all."));
    column->addWidget(shown_);
    return box;
}

void ParallelView::setData(const std::shared_ptr<const CompareData>& data) {
    plot_->setData(data ? parallelData(*data) : ParallelData());
    importance_->setImportance(data ? data->importance : Importance());
    fillTable();
    describe();
}

void ParallelView::fillTable() {
    const ParallelData& data = plot_->data();
    QStringList heads{tr("Run")};
    for (const ParallelAxis& axis : data.axes) heads << axis.title;
    table_->setColumnCount(static_cast<int>(heads.size()));
    table_->setHorizontalHeaderLabels(heads);
    table_->setRowCount(data.axes.empty() ? 0 : static_cast<int>(data.lines.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const ParallelLine& line = data.lines[static_cast<std::size_t>(row)];
        for (int c = 0; c < table_->columnCount(); ++c) {
            if (table_->item(row, c) == nullptr) table_->setItem(row, c, new QTableWidgetItem());
            table_->item(row, c)->setText(c == 0 ? line.name : line.texts[c - 1]);
        }
        table_->item(row, 0)->setData(Qt::UserRole, QVariant::fromValue<qlonglong>(line.run));
    }
}

// The sentence below the plot: the run that is shown, or what the plot shows.
void ParallelView::describe() {
    const ParallelData& data = plot_->data();
    clear_->setEnabled(plot_->hasRanges());
    QString text = plot_->textOf(plot_->shown());
    if (data.axes.empty()) {
        text = tr("No setting differs between the runs, except the seed.");
    } else if (text.isEmpty()) {
        const int all = static_cast<int>(data.lines.size());
        text = plot_->hasRanges()
                   ? tr("%1 of %n run(s) inside the ranges.", nullptr, all).arg(plot_->insideCount())
                   : tr("%n run(s); blue has the lowest score, orange the highest. Drag on an axis to select "
                        "a range.",
                        nullptr, all);
        if (data.more_settings > 0)
            text += QLatin1Char(' ') + tr("%n more setting(s) differ; the tab Settings lists them.", nullptr,
                                          data.more_settings);
    }
    shown_->setText(text);
}

void ParallelView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

// The importance is to the right of the plot if there is room, and otherwise replaces it on request.
void ParallelView::arrange() {
    const bool both = width() >= kBesideWidth;
    const bool only_importance = !both && only_importance_->isChecked();
    parts_->setDirection(both ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    parts_->setStretch(0, only_importance ? 0 : 3);
    only_importance_->setVisible(!both);
    as_table_->setEnabled(!only_importance);
    stack_->setVisible(!only_importance);
    shown_->setVisible(!only_importance);
    importance_->setVisible(both || only_importance);
    importance_->setMaximumWidth(both ? kImportanceWidth : QWIDGETSIZE_MAX);
}

}  // namespace seedbed::ui
