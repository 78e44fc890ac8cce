// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/flow_grid.hpp"

#include <algorithm>

#include <QGridLayout>
#include <QVBoxLayout>

#include "ui/views/flow_layout.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {

FlowGrid::FlowGrid(QWidget* parent)
    : QScrollArea(parent), inside_(new QWidget), column_(new QVBoxLayout(inside_)), grid_(new QGridLayout) {
    setWidget(inside_);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Always takes its space, so that choosing other cards does not move them; it is invisible if unused.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    // Tab moves between the cards; the area scrolls to the focused one.
    setFocusPolicy(Qt::NoFocus);
    column_->setContentsMargins(0, 0, 0, 2 * kGrid);
    column_->setSpacing(2 * kGrid);
    column_->addLayout(grid_);
    column_->addStretch(1);
    grid_->setSpacing(2 * kGrid);
}

void FlowGrid::addAbove(QWidget* widget) { column_->insertWidget(column_->count() - 2, widget); }

void FlowGrid::setCards(const QList<QWidget*>& cards) {
    inside_->setUpdatesEnabled(false);
    for (QWidget* card : cards_)
        if (!cards.contains(card)) card->hide();
    cards_ = cards;
    arrange();
    for (QWidget* card : cards_) card->show();
    inside_->setUpdatesEnabled(true);
    fitHeight(*this);
}

int FlowGrid::columnsThatFit() const {
    int width = 1;
    for (const QWidget* card : cards_) width = std::max(width, card->minimumWidth());
    return std::max(1, (viewport()->width() + grid_->spacing()) / (width + grid_->spacing()));
}

void FlowGrid::arrange() {
    columns_ = columnsThatFit();
    while (grid_->count() > 0) delete grid_->takeAt(0);
    for (int column = 0; column < std::max(columns_, grid_->columnCount()); ++column)
        grid_->setColumnStretch(column, column < columns_ ? 1 : 0);
    for (int place = 0; place < cards_.size(); ++place)
        grid_->addWidget(cards_[place], place / columns_, place % columns_);
}

void FlowGrid::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (columnsThatFit() == columns_) return;
    arrange();
    fitHeight(*this);
}

// Widgets above the cards may have been hidden in the meantime.
void FlowGrid::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    fitHeight(*this);
}

}  // namespace seedbed::ui
