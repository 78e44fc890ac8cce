// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/difference_view.hpp"

#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/views/elided_name.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {

DifferenceView::DifferenceView(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout();
    equal_ = new QCheckBox(tr("Show equal settings"), this);
    row->addWidget(equal_);
    note_ = new QLabel(this);
    row->addWidget(note_, 1);
    column->addLayout(row);
    table_ = new QTableWidget(this);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setAlternatingRowColors(true);
    table_->setTabKeyNavigation(false);
    table_->setAccessibleName(tr("Settings of the compared groups"));
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    column->addWidget(table_, 1);
    connect(equal_, &QCheckBox::toggled, this, &DifferenceView::fill);
    setData(nullptr);
}

void DifferenceView::showEqual(bool equal) { equal_->setChecked(equal); }
int DifferenceView::fields() const { return table_->rowCount(); }

void DifferenceView::setData(std::shared_ptr<const CompareData> compared) {
    data_ = std::move(compared);
    fill();
}

void DifferenceView::fill() {
    const std::vector<ComparedGroup> none;
    const auto& groups = data_ ? data_->groups : none;
    const DifferenceTable table = differenceTable(groups, equal_->isChecked());
    const DifferenceTable differing = equal_->isChecked() ? differenceTable(groups, false) : table;
    QStringList all{QString::number(equal_->isChecked())};
    for (const ComparedGroup& group : groups) all << group.label;
    for (std::size_t row = 0; row < table.values.size(); ++row)
        all << table.fields[static_cast<qsizetype>(row)] << table.values[row];
    // Settings do not change during a run: keep the table.
    if (std::exchange(shown_, all) == all) return;
    table_->clear();
    table_->setRowCount(static_cast<int>(table.fields.size()));
    table_->setColumnCount(static_cast<int>(groups.size()));
    QStringList heads;
    for (const ComparedGroup& group : groups) heads << elidedMiddle(group.label, 40);
    table_->setHorizontalHeaderLabels(heads);
    for (int c = 0; c < table_->columnCount(); ++c)
        table_->horizontalHeaderItem(c)->setToolTip(groups[static_cast<std::size_t>(c)].label);
    table_->setVerticalHeaderLabels(table.fields);
    for (int row = 0; row < table_->rowCount(); ++row)
        for (int c = 0; c < table_->columnCount(); ++c) {
            auto* item = new QTableWidgetItem(table.values[static_cast<std::size_t>(row)][c]);
            item->setToolTip(item->text());
            if (equal_->isChecked() && differing.fields.contains(table.fields[row])) {
                item->setFont(textFont(TextSize::body, QFont::DemiBold));
            }
            table_->setItem(row, c, item);
        }
    table_->resizeColumnsToContents();
    for (int c = 0; c < table_->columnCount(); ++c)
        table_->setColumnWidth(c, std::clamp(table_->columnWidth(c), 90, 300));
    note_->setText(groups.size() < 2 ? tr("Select runs of at least two groups to see differences.")
                   : differing.fields.empty()
                       ? tr("The settings are equal.")
                       : tr("%n setting(s) differ.", nullptr, static_cast<int>(differing.fields.size())));
}

}  // namespace seedbed::ui
