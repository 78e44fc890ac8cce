// SPDX-License-Identifier: GPL-3.0-or-later
// The probabilities of an agent's actions, and its estimates of the return over the last decisions.
#pragma once

#include <QWidget>

namespace seedbed::ui {

class InspectorModel;
class Theme;

class ThoughtStrip : public QWidget {
    Q_OBJECT

public:
    // Both must outlive this widget, which draws what `model` contains at the next update().
    ThoughtStrip(const Theme& theme, const InspectorModel& model, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintChoices(QPainter& painter, const QRectF& area) const;
    void paintBars(QPainter& painter, const QRectF& area) const;
    void paintEstimate(QPainter& painter, const QRectF& area) const;

    const InspectorModel& model_;
};

}  // namespace seedbed::ui
