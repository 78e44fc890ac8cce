// SPDX-License-Identifier: GPL-3.0-or-later
// Equal cards in as many columns as fit, below each other in a scroll area.
#pragma once

#include <QList>
#include <QScrollArea>

class QGridLayout;

namespace seedbed::ui {

class FlowGrid : public QScrollArea {
    Q_OBJECT

public:
    explicit FlowGrid(QWidget* parent = nullptr);
    // Takes the cards over; hidden ones take no place.
    void setCards(const QList<QWidget*>& cards);
    // Call after cards were shown or hidden.
    void arrange();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int columnsThatFit() const;

    QWidget* inside_;
    QGridLayout* grid_;
    QList<QWidget*> cards_;
    int columns_ = 0;
};

}  // namespace seedbed::ui
