// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/flow_grid.hpp"

#include <algorithm>

#include <QGridLayout>

#include "ui/views/flow_layout.hpp"

namespace seedbed::ui {

FlowGrid::FlowGrid(QWidget* parent)
    : QScrollArea(parent), inside_(new QWidget), grid_(new QGridLayout(inside_)) {
    setWidget(inside_);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Tab moves between the cards; the area scrolls to the focused one.
    setFocusPolicy(Qt::NoFocus);
    grid_->setAlignment(Qt::AlignTop);
    grid_->setSpacing(12);
}

void FlowGrid::setCards(const QList<QWidget*>& cards) {
    cards_ = cards;
    arrange();
}

int FlowGrid::columnsThatFit() const {
    int width = 1;
    for (const QWidget* card : cards_) width = std::max(width, card->minimumWidth());
    const QMargins margins = grid_->contentsMargins();
    return std::max(1, (viewport()->width() - margins.left() - margins.right() + grid_->spacing()) /
                           (width + grid_->spacing()));
}

void FlowGrid::arrange() {
    inside_->setUpdatesEnabled(false);
    columns_ = columnsThatFit();
    for (QWidget* card : cards_) grid_->removeWidget(card);
    for (int column = 0; column < grid_->columnCount(); ++column)
        grid_->setColumnStretch(column, column < columns_ ? 1 : 0);
    int place = 0;
    for (QWidget* card : cards_) {
        if (card->isHidden() && card->parentWidget() == inside_) continue;
        grid_->addWidget(card, place / columns_, place % columns_);
        ++place;
    }
    for (int column = 0; column < columns_; ++column) grid_->setColumnStretch(column, 1);
    // Leaves the space below the cards empty.
    for (int row = 0; row < grid_->rowCount(); ++row) grid_->setRowStretch(row, 0);
    grid_->setRowStretch((place + columns_ - 1) / columns_, 1);
    inside_->setUpdatesEnabled(true);
    fitHeight(*this);
}

void FlowGrid::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (columnsThatFit() != columns_) arrange();
}

}  // namespace seedbed::ui
