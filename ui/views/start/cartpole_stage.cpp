// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/cartpole_stage.hpp"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>
#include <QTimerEvent>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr int kFrameMs = 33, kStepsPerFrame = 3;
constexpr double kStepSeconds = 0.033 / kStepsPerFrame;
constexpr int kStepsPerPush = 360;  // steps between pushes, which show the balancing

}  // namespace

CartPoleStage::CartPoleStage(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void CartPoleStage::showEvent(QShowEvent*) { timer_.start(kFrameMs, this); }
void CartPoleStage::hideEvent(QHideEvent*) { timer_.stop(); }

void CartPoleStage::timerEvent(QTimerEvent* event) {
    if (event->timerId() != timer_.timerId()) return QWidget::timerEvent(event);
    if (!window()->isActiveWindow() || visibleRegion().isEmpty()) return;
    for (int i = 0; i < kStepsPerFrame; ++i) step();
    update();
}

// The equations of Gymnasium's CartPole-v1 (classic_control/cartpole.py, after Barto, Sutton and Anderson,
// 1983), with a force from a linear feedback of the state.
void CartPoleStage::step() {
    constexpr double kGravity = 9.8, kPole = 0.1, kTotal = 1.1, kHalf = 0.5;
    steps_ = (steps_ + 1) % (2 * kStepsPerPush);
    if (steps_ % kStepsPerPush == 0) turn_ += steps_ == 0 ? 0.9 : -0.9;
    const double force = std::clamp(24 * angle_ + 5.5 * turn_ + 1.2 * x_ + 2.4 * speed_, -10.0, 10.0);
    const double sine = std::sin(angle_), cosine = std::cos(angle_);
    const double part = (force + kPole * kHalf * turn_ * turn_ * sine) / kTotal;
    const double turning =
        (kGravity * sine - cosine * part) / (kHalf * (4.0 / 3 - kPole * cosine * cosine / kTotal));
    const double pull = part - kPole * kHalf * turning * cosine / kTotal;
    x_ += kStepSeconds * speed_;
    speed_ += kStepSeconds * pull;
    angle_ += kStepSeconds * turn_;
    turn_ += kStepSeconds * turning;
}

void CartPoleStage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // The stage is dark in all themes, so its colours are those of a dark theme.
    const Tokens& t = tokensOf(scheme() == Scheme::light ? Scheme::dark : scheme());
    const qreal radius = kCardRadius - 1;
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    QPainterPath stage;  // rounded where the card is
    stage.addRoundedRect(QRectF(rect()).adjusted(mirrored ? 0 : -radius, 0, mirrored ? radius : 0, 0), radius,
                         radius);
    QLinearGradient depth(0, 0, 0, height());
    depth.setColorAt(0, mixed(tokens().stage, t.link, 0.1));
    depth.setColorAt(1, tokens().stage);
    painter.fillPath(stage, depth);

    constexpr double kTrack = 2.4, kView = 2.75;  // metres to each side
    // A narrow stage shows only the middle of the track.
    const double metre =
        std::min(std::max(width() / (2 * kView), std::min(80.0, width() / 3.2)), height() / 1.75);
    const QPointF ground(width() / 2.0, 0.8 * height());
    painter.setPen(QPen(t.line, 0.025 * metre + 1, Qt::SolidLine, Qt::RoundCap));
    const QPointF half(std::min(kView * 0.95 * metre, width() / 2.0 - 8), 0);
    painter.drawLine(ground - half, ground + half);
    for (const int side : {-1, 1})
        drawRounded(
            painter,
            QRectF(ground.x() + side * kTrack * metre - 2, ground.y() - 0.14 * metre, 4, 0.28 * metre), 1,
            t.bad);
    const QPointF cart = ground + QPointF(x_ * metre, -0.18 * metre);
    drawRounded(painter, QRectF(cart.x() - 0.4 * metre, cart.y() - 0.15 * metre, 0.8 * metre, 0.3 * metre),
                0.07 * metre, mixed(t.muted, t.link, 0.2));
    const QPointF axle = cart - QPointF(0, 0.12 * metre);
    painter.setPen(QPen(t.warning, 0.12 * metre, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(axle, axle + metre * QPointF(std::sin(angle_), -std::cos(angle_)));
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens().stage);
    painter.drawEllipse(axle, 0.05 * metre, 0.05 * metre);
}

}  // namespace seedbed::ui
