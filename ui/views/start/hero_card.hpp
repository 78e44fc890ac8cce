// SPDX-License-Identifier: GPL-3.0-or-later
// The first step for new users, above the gallery: train CartPole, next to a moving picture of it.
#pragma once

#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

class QPushButton;

namespace seedbed::ui {

class CartPoleStage;

// Hidden as long as the user has runs outside the trash.
class HeroCard : public Card {
    Q_OBJECT

public:
    HeroCard(const Services& services, QWidget* parent);
    void setStarting(bool starting);

Q_SIGNALS:
    void trainClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showEstimate();
    void showForNewUsers();

    Services services_;
    QLabel* sentence_;
    QPushButton* train_;
    CartPoleStage* stage_;
    bool starting_ = false;  // a run is being queued
};

}  // namespace seedbed::ui
