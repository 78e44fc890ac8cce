// SPDX-License-Identifier: GPL-3.0-or-later
// A scroll area with cards of equal width in as many columns as fit.
#pragma once

#include <QList>
#include <QScrollArea>

class QGridLayout;

namespace seedbed::ui {

class FlowGrid : public QScrollArea {
    Q_OBJECT

public:
    explicit FlowGrid(QWidget* parent = nullptr);
    // Takes ownership of the cards. Hidden cards take no space.
    void setCards(const QList<QWidget*>& cards);
    // Call after showing or hiding cards.
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
