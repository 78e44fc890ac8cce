// SPDX-License-Identifier: GPL-3.0-or-later
// The agents of a player as pictures: a grid of up to 16, or the one in focus alone.
#pragma once

#include <memory>

#include <QWidget>

#include "core/control/player_frame.hpp"

namespace seedbed::ui {

class Theme;

// Arrow keys are the page's; Home, End, Page Up and Page Down move the focus among agents, Return shows the
// focus alone or all.
class SceneGrid : public QWidget {
    Q_OBJECT

public:
    explicit SceneGrid(const Theme& theme, QWidget* parent = nullptr);

    void show(std::shared_ptr<const PlayerFrame> frame);
    // Instead of pictures: why there are none.
    void setNote(const QString& text);
    bool focusOnly() const { return focus_only_; }
    void setFocusOnly(bool only);
    // Where an agent is drawn; empty when it is not.
    QRect cellAt(int agent) const;
    int columns() const;

Q_SIGNALS:
    void focusWanted(int agent);
    void focusOnlyChanged(bool only);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;
    QSize sizeHint() const override { return {640, 420}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

private:
    int shownCells() const;
    void paintCell(QPainter& painter, int agent, const QRect& area) const;

    const Theme& theme_;
    std::shared_ptr<const PlayerFrame> frame_;
    QString note_;
    bool focus_only_ = false;
};

}  // namespace seedbed::ui
