// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charts/curve_layer.hpp"

#include <array>
#include <cmath>

#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr std::size_t kDense = 800;  // a line with more points in the view is dense; see isDense()
constexpr int kFaint = 80, kBand = 45;
constexpr double kDot = 6;

std::vector<double> dashesOf(Qt::PenStyle style, double width) {
    std::vector<double> dashes;
    if (style == Qt::DashLine) dashes = {5, 3};
    if (style == Qt::DotLine) dashes = {2, 3};
    if (style == Qt::DashDotLine) dashes = {6, 3, 2, 3};
    for (double& dash : dashes) dash *= width;
    return dashes;
}

constexpr double kBetweenMarkers = 90;  // distance in pixels

bool isOn(const Curve& curve, std::size_t i) { return i < curve.size() && std::isfinite(curve.y[i]); }

}  // namespace

bool isDense(const DrawnSeries& drawn) { return drawn.line.size() > kDense; }

QPolygonF markerOf(const Theme& theme, int style) {
    switch (theme.seriesStyle(style)) {
        case Qt::DashLine: return QRectF(-3.5, -3.5, 7, 7);
        case Qt::DotLine: return QList<QPointF>{{0, -4.5}, {4.5, 3.5}, {-4.5, 3.5}};
        case Qt::DashDotLine: return QList<QPointF>{{0, -5}, {5, 0}, {0, 5}, {-5, 0}};
        default: return {};
    }
}

CurveLayer::CurveLayer(QCPAxisRect* rect, const Theme& theme, const DrawnChart& chart)
    : QCPLayerable(rect->parentPlot(), QStringLiteral("main")), rect_(rect), theme_(theme), chart_(chart) {}

void CurveLayer::applyDefaultAntialiasingHint(QCPPainter* painter) const { painter->setAntialiasing(true); }

QPointF CurveLayer::place(double x, double y) const {
    return {rect_->axis(QCPAxis::atBottom)->coordToPixel(x), rect_->axis(QCPAxis::atLeft)->coordToPixel(y)};
}

CurveLayer::Style CurveLayer::styleOf(const DrawnSeries& drawn) const {
    const int number = (*chart_.series)[drawn.index].spec.style;
    Style style;
    style.line = style.raw = style.band = theme_.seriesColour(number);
    style.raw.setAlpha(kFaint);
    style.band.setAlpha(kBand);
    const bool dense = isDense(drawn);
    style.width = dense || chart_.drawn.size() > 8 ? 1 : 1.6;
    style.style = dense ? Qt::SolidLine : theme_.seriesStyle(number);
    style.smooth = !dense && chart_.drawn.size() <= 6;
    return style;
}

PixelCurve CurveLayer::pixels(const Curve& curve, double ratio) const {
    const QPoint corner = rect_->rect().topLeft();
    const double left = std::floor(corner.x() * ratio), top = std::floor(corner.y() * ratio);
    const QCPAxis *x_axis = rect_->axis(QCPAxis::atBottom), *y_axis = rect_->axis(QCPAxis::atLeft);
    PixelCurve out;
    out.x.reserve(curve.size());
    out.y.reserve(curve.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        out.x.push_back(x_axis->coordToPixel(curve.x[i]) * ratio - left);
        out.y.push_back(std::isfinite(curve.y[i]) ? y_axis->coordToPixel(curve.y[i]) * ratio - top
                                                  : curve.y[i]);
    }
    return out;
}

void CurveLayer::makePicture(const Frame& frame) {
    const double ratio = frame.ratio;
    const QRect rect = rect_->rect();
    const int left = static_cast<int>(std::floor(rect.left() * ratio)),
              top = static_cast<int>(std::floor(rect.top() * ratio));
    CurveRaster raster(static_cast<int>(std::ceil((rect.right() + 1) * ratio)) - left,
                       static_cast<int>(std::ceil((rect.bottom() + 1) * ratio)) - top);
    for (const DrawnSeries& drawn : chart_.drawn)
        if (drawn.low.size() > 0)
            raster.band(pixels(drawn.low, ratio), pixels(drawn.high, ratio), styleOf(drawn).band.rgba());
    for (const DrawnSeries& drawn : chart_.drawn)
        if (drawn.raw.size() > 0)
            raster.line(pixels(drawn.raw, ratio), std::max(1.0, ratio), styleOf(drawn).raw.rgba());
    for (const DrawnSeries& drawn : chart_.drawn) {
        const Style style = styleOf(drawn);
        const double width = std::max(1.0, style.width * ratio);
        if (!style.smooth)
            raster.line(pixels(drawn.line, ratio), width, style.line.rgba(), dashesOf(style.style, width));
    }
    picture_ = raster.image();
    picture_.setDevicePixelRatio(ratio);
    QPainter painter(&picture_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(-left / ratio, -top / ratio);
    drawStrokes(painter, false);
    frame_ = frame;
    stale_ = false;
}

// Draws with QPainter: the parts that CurveRaster does not support, or everything (for vector graphics).
void CurveLayer::drawStrokes(QPainter& painter, bool all) const {
    const auto polyline = [&](const Curve& curve, const QPen& pen) {
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        QPolygonF line;
        for (std::size_t i = 0; i <= curve.size(); ++i) {
            if (isOn(curve, i)) {
                line << place(curve.x[i], curve.y[i]);
                continue;
            }
            if (line.size() > 1) painter.drawPolyline(line);
            line.clear();
        }
    };
    if (all) {
        for (const DrawnSeries& drawn : chart_.drawn) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(styleOf(drawn).band);
            // For each part without gaps: follows the upper edge, then returns along the lower one.
            for (std::size_t i = 0, j = 0; isOn(drawn.high, i) || i < drawn.high.size();) {
                QPolygonF band, back;
                for (; isOn(drawn.high, i); ++i) band << place(drawn.high.x[i], drawn.high.y[i]);
                while (j < drawn.low.size() && !isOn(drawn.low, j)) ++j;
                for (; isOn(drawn.low, j); ++j) back << place(drawn.low.x[j], drawn.low.y[j]);
                for (qsizetype k = back.size(); k-- > 0;) band << back[k];
                if (band.size() > 2) painter.drawPolygon(band);
                while (i < drawn.high.size() && !isOn(drawn.high, i)) ++i;
            }
        }
        for (const DrawnSeries& drawn : chart_.drawn) polyline(drawn.raw, QPen(styleOf(drawn).raw, 1));
    }
    for (const DrawnSeries& drawn : chart_.drawn) {
        const Style style = styleOf(drawn);
        if (all || style.smooth) polyline(drawn.line, QPen(style.line, style.width, style.style));
    }
    for (const DrawnSeries& drawn : chart_.drawn) drawMarkers(painter, drawn);
    for (const DrawnSeries& drawn : chart_.drawn) {
        painter.setPen(QPen(styleOf(drawn).line, 1));
        painter.setBrush(theme_.isDark() ? Qt::black : Qt::white);
        for (std::size_t i = 0; i < drawn.dots.size(); ++i)
            painter.drawEllipse(place(drawn.dots.x[i], drawn.dots.y[i]), kDot / 2, kDot / 2);
    }
}

// Draws markers on the line at fixed intervals, with an offset per series to distinguish identical lines.
void CurveLayer::drawMarkers(QPainter& painter, const DrawnSeries& drawn) const {
    const int style = (*chart_.series)[drawn.index].spec.style;
    const QPolygonF marker = markerOf(theme_, style);
    if (marker.isEmpty()) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(styleOf(drawn).line);
    double next = rect_->rect().left() + std::fmod(20.0 + 37 * style, kBetweenMarkers);
    for (std::size_t i = 0; i < drawn.line.size(); ++i) {
        if (!isOn(drawn.line, i)) continue;
        const QPointF at = place(drawn.line.x[i], drawn.line.y[i]);
        if (at.x() < next) continue;
        painter.drawPolygon(marker.translated(at));
        next = at.x() + kBetweenMarkers;
    }
}

void CurveLayer::draw(QCPPainter* painter) {
    if (!chart_.series) return;
    if (painter->modes().testFlag(QCPPainter::pmVectorized)) {
        drawStrokes(*painter, true);
        return;
    }
    const QCPAxis *x = rect_->axis(QCPAxis::atBottom), *y = rect_->axis(QCPAxis::atLeft);
    const double ratio = parentPlot()->bufferDevicePixelRatio();
    const Frame frame{x->range(), y->range(), rect_->size(), ratio};
    if (awaiting_ && !picture_.isNull() && !(frame == frame_)) {
        const QPointF from(x->coordToPixel(frame_.x.lower), y->coordToPixel(frame_.y.upper));
        const QPointF to(x->coordToPixel(frame_.x.upper), y->coordToPixel(frame_.y.lower));
        const QPointF scale((to.x() - from.x()) / frame_.size.width(),
                            (to.y() - from.y()) / frame_.size.height());
        const QSizeF whole = picture_.deviceIndependentSize();
        painter->drawImage(QRectF(from, QSizeF(whole.width() * scale.x(), whole.height() * scale.y())),
                           picture_);
        return;
    }
    if (stale_ || !(frame == frame_)) makePicture(frame);
    const QPoint corner = rect_->rect().topLeft();
    painter->drawImage(
        QPointF(std::floor(corner.x() * ratio) / ratio, std::floor(corner.y() * ratio) / ratio), picture_);
}

}  // namespace seedbed::ui
