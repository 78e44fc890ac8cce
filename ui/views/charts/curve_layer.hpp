// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of a chart as a part of its picture: bands below faint lines below lines below dots, made once
// and kept until something of them changes.
#pragma once

#include <QImage>

#include "ui/models/chart_model.hpp"
#include "ui/views/charts/curve_raster.hpp"
#include "ui/views/charts/qcustomplot.hpp"

namespace seedbed::ui {

class Theme;

// A line of so many points in a view is a hatching, in which dashes cannot be told apart: it is unbroken, for
// the legend too.
bool isDense(const DrawnSeries& drawn);
// What tells series of one colour apart where dashes do not: around the origin, empty for the first of a
// colour.
QPolygonF markerOf(const Theme& theme, int style);

class CurveLayer : public QCPLayerable {
    Q_OBJECT
public:
    // The chart is the plot's and lives as long.
    CurveLayer(QCPAxisRect* rect, const Theme& theme, const DrawnChart& chart);

    // The chart or the colours are others now.
    void changed() { stale_ = true, awaiting_ = false; }
    // Another view was asked for; until it comes, the last picture is stretched to where it belongs.
    void awaitView() { awaiting_ = true; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override { return rect_->rect(); }
    void draw(QCPPainter* painter) override;

private:
    // What a picture depends on besides the chart.
    struct Frame {
        QCPRange x, y;
        QSize size;
        double ratio = 1;
        bool operator==(const Frame& other) const = default;
    };
    struct Look {
        QColor line, raw, band;
        Qt::PenStyle style = Qt::SolidLine;
        double width = 1;
        bool smooth = false;  // few points deserve strokes by Qt, many need none
    };
    Look lookOf(const DrawnSeries& drawn) const;
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
