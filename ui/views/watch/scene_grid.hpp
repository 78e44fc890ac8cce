// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a player's environments: a grid of up to 16, or only the focused one.
#pragma once

#include <memory>

#include <QWidget>

#include "core/control/player_frame.hpp"

namespace seedbed::ui {

class Theme;

// Home, End, Page Up and Page Down move the focus, Return toggles between the focused environment and all.
// The page handles the arrow keys.
class SceneGrid : public QWidget {
    Q_OBJECT

public:
    explicit SceneGrid(const Theme& theme, QWidget* parent = nullptr);

    void show(std::shared_ptr<const PlayerFrame> frame);
    // Text shown while there is no frame.
    void setNote(const QString& text);
    bool focusOnly() const { return focus_only_; }
    void setFocusOnly(bool only);
    // Rectangle of an agent; empty if it is not drawn.
    QRect cellAt(int agent) const;
    int columns() const;

Q_SIGNALS:
    void focusRequested(int agent);
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
