// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/flow_grid.hpp"

#include <algorithm>

#include <QGridLayout>
#include <QLabel>

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

void FlowGrid::setSections(const QList<Section>& sections) {
    sections_ = sections;
    qDeleteAll(headings_);
    headings_.clear();
    for (const Section& section : sections_) {
        auto* heading = new QLabel(section.title, inside_);
        heading->setTextFormat(Qt::PlainText);
        QFont font = heading->font();
        font.setBold(true);
        font.setPointSizeF(1.15 * font.pointSizeF());
        heading->setFont(font);
        headings_ += heading;
    }
    arrange();
}

int FlowGrid::columnsThatFit() const {
    int width = 1;
    for (const Section& section : sections_)
        for (const QWidget* card : section.cards) width = std::max(width, card->minimumWidth());
    const QMargins margins = grid_->contentsMargins();
    return std::max(1, (viewport()->width() - margins.left() - margins.right() + grid_->spacing()) /
                           (width + grid_->spacing()));
}

void FlowGrid::arrange() {
    inside_->setUpdatesEnabled(false);
    columns_ = columnsThatFit();
    while (grid_->count() > 0) delete grid_->takeAt(0);
    for (int column = 0; column < grid_->columnCount(); ++column)
        grid_->setColumnStretch(column, column < columns_ ? 1 : 0);
    int row = 0;
    for (qsizetype i = 0; i < sections_.size(); ++i) {
        QList<QWidget*> shown;
        for (QWidget* card : sections_[i].cards)
            if (!card->isHidden() || card->parentWidget() != inside_) shown += card;
        headings_[i]->setVisible(!shown.isEmpty() && !sections_[i].title.isEmpty());
        if (shown.isEmpty()) continue;
        if (!sections_[i].title.isEmpty()) grid_->addWidget(headings_[i], row++, 0, 1, columns_);
        for (int place = 0; place < shown.size(); ++place)
            grid_->addWidget(shown[place], row + place / columns_, place % columns_);
        row += (static_cast<int>(shown.size()) + columns_ - 1) / columns_;
    }
    for (int column = 0; column < columns_; ++column) grid_->setColumnStretch(column, 1);
    // Leaves the space below the cards empty.
    for (int each = 0; each < grid_->rowCount(); ++each) grid_->setRowStretch(each, 0);
    grid_->setRowStretch(row, 1);
    inside_->setUpdatesEnabled(true);
    fitHeight(*this);
}

void FlowGrid::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (columnsThatFit() != columns_) arrange();
}

}  // namespace seedbed::ui
