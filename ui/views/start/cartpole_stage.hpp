// SPDX-License-Identifier: GPL-3.0-or-later
// An illustration: a pole that is balanced on a cart, on a dark stage. Moves while its window is active.
#pragma once

#include <QBasicTimer>
#include <QWidget>

namespace seedbed::ui {

class CartPoleStage : public QWidget {
    Q_OBJECT

public:
    explicit CartPoleStage(QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void step();

    QBasicTimer timer_;
    // SI units and radians, as in Gymnasium's CartPole-v1.
    double x_ = 0.5, speed_ = 0, angle_ = 0.1, turn_ = 0;
    int steps_ = 0;
};

}  // namespace seedbed::ui
