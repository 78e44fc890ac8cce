// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a chart: lines, bands and marks from the model's reduced series; crosshair, zoom and pan with mouse
// and keyboard. The wheel scrolls the page unless the chart has the focus or Ctrl is held. Zooming out stops
// at the extent of the data.
#pragma once

#include <optional>
#include <vector>

#include "ui/views/charts/qcustomplot.hpp"

#include "ui/models/charts/chart_model.hpp"
#include "ui/views/charts/axis_marks.hpp"

class QLabel;

namespace seedbed::ui {

class CurveLayer;
class Theme;

// A point of a series near a position in the plot.
struct NearPoint {
    Prepared chart;          // the drawn series
    std::size_t series = 0;  // index into `chart`
    std::size_t run = 0;     // index into the series' runs; for a group the run with the nearest curve
    double x = 0, y = 0;     // position on the drawn line
    double step = 0;
};

class ChartPlot : public QCustomPlot {
    Q_OBJECT
public:
    ChartPlot(ChartModel& model, const Theme& theme, QWidget* parent = nullptr);

    void setMarks(std::vector<ChartMark> marks);
    // Horizontal lines; the whole range of y contains them.
    void setLevels(std::vector<ChartLevel> levels);
    // Shows all data on both axes; the range then follows new points.
    void showAll();
    bool zoomed() const { return zoomed_x_ || zoomed_y_; }
    void setYTitle(const QString& title);
    // Draws the current view as vector graphics. Does not change the model.
    void drawInto(QCPPainter& painter, const QSize& size);

    // The text shown at the crosshair for this x: one line per visible series, with values of the full
    // curves.
    QString valuesAt(double x) const;
    const DrawnChart& drawnChart() const { return drawn_; }
    std::optional<NearPoint> pointAt(const QPointF& pixel) const;
    void moveCrosshair(double x);

    QSize sizeHint() const override { return {420, 240}; }
    QSize minimumSizeHint() const override { return {220, 140}; }

Q_SIGNALS:
    void pointClicked(const seedbed::ui::NearPoint& point, const QPoint& global);
    // The crosshair was moved with the keyboard; for screen readers.
    void crosshairMoved(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void restyle();
    void prepared();
    void draw(const DrawnChart& chart);
    void setScale();
    QCPRange wholeX() const;
    QCPRange wholeY() const;
    void showX(const QCPRange& range);
    void scaleY(double factor, double centre);
    void requestView();
    double leastPositive() const;
    void zoomX(double factor, double centre);
    void panX(double share);
    void hideCrosshair();
    void scheduleRedraw();
    void redraw(bool queued);
    void redrawOverlay();

    ChartModel& model_;
    const Theme& theme_;
    CurveLayer* curves_;
    AxisMarks* marks_;
    QCPItemStraightLine* crosshair_;
    QLabel* readout_;
    DrawnChart drawn_;
    bool zoomed_x_ = false, zoomed_y_ = false;
    bool log_x_ = false, log_y_ = false;
    bool scale_set_ = false;
    XAxis axis_ = XAxis::steps;
    QPoint pressed_;
    bool moved_ = false;
    bool view_requested_ = false;  // the next drawn view was requested by the user
    bool redraw_scheduled_ = false;
    bool resized_ = false;  // not redrawn since
    int shown_width_ = 0;   // of the axis rectangle, for which the curves were requested
};

}  // namespace seedbed::ui
