// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the curves of a chart (bands below faint lines below lines below dots) into a cached image.
#pragma once

#include <QImage>

#include "ui/models/charts/chart_model.hpp"
#include "ui/views/charts/curve_raster.hpp"
#include "ui/views/charts/qcustomplot.hpp"

namespace seedbed::ui {

class Theme;

// Whether a line has too many points in the view to show dashes; it is then solid, here and in the legend.
bool isDense(const DrawnSeries& drawn);
// The marker that distinguishes series of the same colour, around the origin; empty for the first series of a
// colour.
QPolygonF markerOf(const Theme& theme, int style);

class CurveLayer : public QCPLayerable {
    Q_OBJECT
public:
    // `chart` is owned by the plot and must outlive the layer.
    CurveLayer(QCPAxisRect* rect, const Theme& theme, const DrawnChart& chart);

    // Call after the chart or the colours changed.
    void changed() {
        stale_ = true;
        awaiting_ = false;
    }
    // Call after requesting a different view; the cached image is stretched until that view is ready.
    void awaitView() { awaiting_ = true; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override { return rect_->rect(); }
    void draw(QCPPainter* painter) override;

private:
    // Parameters of the cached image; it also depends on the chart.
    struct Frame {
        QCPRange x, y;
        QSize size;
        double ratio = 1;
        bool operator==(const Frame& other) const = default;
    };
    struct Style {
        QColor line, raw, band;
        Qt::PenStyle style = Qt::SolidLine;
        double width = 1;
        bool smooth = false;  // drawn by QPainter with antialiasing; only for few points
    };
    Style styleOf(const DrawnSeries& drawn) const;
    void makePicture(const Frame& frame);
    void drawStrokes(QPainter& painter, bool all) const;
    void drawMarkers(QPainter& painter, const DrawnSeries& drawn) const;
    PixelCurve pixels(const Curve& curve, double ratio) const;
    QPointF place(double x, double y) const;

    QCPAxisRect* rect_;
    const Theme& theme_;
    const DrawnChart& chart_;
    QImage picture_;
    Frame frame_;
    bool stale_ = true, awaiting_ = false;
};

}  // namespace seedbed::ui
