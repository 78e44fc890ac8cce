// SPDX-License-Identifier: GPL-3.0-or-later
// A scroll area with cards of equal width in as many columns as fit.
#pragma once

#include <QList>
#include <QScrollArea>

class QGridLayout;
class QVBoxLayout;

namespace seedbed::ui {

class FlowGrid : public QScrollArea {
    Q_OBJECT

public:
    explicit FlowGrid(QWidget* parent = nullptr);
    // Adds a widget above the cards, which scrolls with them.
    void addAbove(QWidget* widget);
    // Parent for cards.
    QWidget* inside() const { return inside_; }
    // Shows these cards in this order and hides the previous ones.
    void setCards(const QList<QWidget*>& cards);
    // Call before deleting a card.
    void forget(QWidget* card) { cards_.removeAll(card); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    int columnsThatFit() const;
    void arrange();

    QWidget* inside_;
    QVBoxLayout* column_;
    QGridLayout* grid_;
    QList<QWidget*> cards_;
    int columns_ = 0;
};

}  // namespace seedbed::ui
