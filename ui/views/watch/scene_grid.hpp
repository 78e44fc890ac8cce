// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a player's environments on a dark stage: a grid of up to 64, or only the focused one, and the
// inspector of the focused agent. A Canvas draws them.
#pragma once

#include <climits>
#include <memory>
#include <vector>

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "core/control/player_frame.hpp"
#include "ui/views/watch/canvas_module.hpp"
#include "ui/views/watch/tile_layout.hpp"

class QLabel;

namespace seedbed::ui {

class InspectorModel;
class Theme;

// Home, End, Page Up and Page Down move the focus, Return toggles between the focused environment and all.
// The wheel zooms, and dragging moves the enlarged picture. The page handles other keys.
class SceneGrid : public QWidget {
    Q_OBJECT

public:
    // `make`: for tests, other than makeCanvas().
    explicit SceneGrid(const Theme& theme, QWidget* parent = nullptr,
                       decltype(&makeCanvas) make = &makeCanvas);

    void show(std::shared_ptr<const PlayerFrame> frame);
    // The games that are branches (from cell `envs` on) or are played by a person, for the captions.
    void setRoles(int envs, const std::vector<int>& persons);
    // Parts of an agent's picture, in world units, that can be clicked; none by default.
    void setAreas(int agent, std::vector<QRectF> areas);
    // Where part `number` of those is in this widget.
    QRectF areaAt(std::size_t number) const;
    // Text shown while there is no frame.
    void setNote(const QString& text);
    bool focusOnly() const { return focus_only_; }
    void setFocusOnly(bool only);
    // Shows the inspector, which must outlive this widget, or nothing.
    void setInspector(const InspectorModel* inspector);
    // On: the wheel zooms only with Ctrl, so that it scrolls the page, and the upper corners are round.
    void setOnCard(bool on_card) { on_card_ = on_card; }
    // About the centre; 0 shows everything.
    void zoomBy(double factor);
    // Rectangle of an agent, which may exceed this widget; empty if it is not drawn.
    QRect cellAt(int agent) const;
    int columns() const { return layout_.columns; }
    double zoom() const { return goal_.zoom; }
    // Null until the widget is first shown.
    Canvas* canvas() const { return canvas_.get(); }

    QSize sizeHint() const override { return {640, 420}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

Q_SIGNALS:
    void focusRequested(int agent);
    void areaClicked(std::size_t number);
    void focusOnlyChanged(bool only);

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    // The scenes of a frame, in colours for the stage.
    struct Staged {
        std::shared_ptr<const PlayerFrame> frame;
        std::vector<Scene> scenes;  // of the cells that are drawn on paper; the others are empty
    };

    void putOnStage();
    const Scene& sceneOf(int agent) const;
    void useCanvas(std::unique_ptr<Canvas> canvas);
    CanvasReports reports();
    QRectF panelArea() const;
    int agentAt(const QPointF& point) const;
    // The number of the area at this point; -1: none.
    int areaUnder(const QPointF& point) const;
    void hoverArea(int number);
    QRectF pictureAt(int agent) const;
    void layOut();
    void refresh();
    void moveView();
    void addCell(CanvasPicture& picture, int agent) const;

    decltype(&makeCanvas) make_;
    std::shared_ptr<const PlayerFrame> frame_;
    std::shared_ptr<const Staged> staged_;  // null without a frame
    const InspectorModel* inspector_ = nullptr;
    QLabel* note_ = nullptr;
    bool focus_only_ = false, on_card_ = false;
    TileLayout layout_;
    CanvasView view_, goal_;  // what is drawn, and where it moves
    QTimer motion_;
    QElapsedTimer since_;  // the last step of the motion
    int hovered_ = -1;
    std::vector<QRectF> areas_;  // of the agent `areas_of_`
    int areas_of_ = -1, hovered_area_ = -1;
    int envs_ = INT_MAX;
    std::vector<int> persons_;
    bool shows_focus_ = false;  // the keyboard is used
    QPointF pressed_;           // where the left button was pressed
    bool dragged_ = false;
    std::unique_ptr<Canvas> canvas_;
};

}  // namespace seedbed::ui
