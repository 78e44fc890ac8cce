// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/name_box.hpp"

#include <algorithm>

#include <QAbstractItemView>
#include <QScreen>
#include <QScrollBar>
#include <QStylePainter>

namespace seedbed::ui {

NameBox::NameBox(int letters, QWidget* parent) : QComboBox(parent) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(letters);
}

void NameBox::showPopup() {
    const int names = view()->sizeHintForColumn(0) + view()->verticalScrollBar()->sizeHint().width() + 8;
    view()->setMinimumWidth(
        std::clamp(names, width(), std::max(width(), screen()->availableGeometry().width() * 2 / 3)));
    view()->setTextElideMode(Qt::ElideMiddle);
    QComboBox::showPopup();
}

void NameBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect field =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideMiddle, field.width() - 4);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace seedbed::ui
