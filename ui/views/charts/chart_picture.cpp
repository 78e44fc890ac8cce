// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charts/chart_picture.hpp"

#include <algorithm>
#include <cmath>

#include <QApplication>

#include "ui/models/charts/chart_table_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/charts/chart_legend.hpp"
#include "ui/views/charts/chart_plot.hpp"
#include "ui/views/charts/curve_layer.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kMargin = 14, kSample = 28, kSampleGap = 8;

QString smoothingText(const ChartOptions& options) {
    const double amount = options.smoothing.amount;
    const QString unit = titleOf(options.x).toLower();
    switch (options.smoothing.kind) {
        case Smoothing::none: return {};
        case Smoothing::tensorboard_ema:
            return ChartPlot::tr("TensorBoard EMA, weight %1").arg(shortNumber(amount));
        case Smoothing::time_weighted_ema:
            return ChartPlot::tr("time-weighted EMA, %1 %2").arg(compactCount(amount), unit);
        case Smoothing::gaussian: return ChartPlot::tr("Gaussian, %1 %2").arg(compactCount(amount), unit);
        case Smoothing::mean: return ChartPlot::tr("running mean, %1 %2").arg(compactCount(amount), unit);
        case Smoothing::median: return ChartPlot::tr("running median, %1 %2").arg(compactCount(amount), unit);
    }
    return {};
}

// Draws the legend (`painter` may be null) and returns its height.
int legend(QPainter* painter, const QRect& area, const DrawnChart& chart, const Theme& theme) {
    const QFontMetrics metrics(QApplication::font());
    const int row = metrics.height() + 4;
    int x = 0, y = 0;
    for (const DrawnSeries& drawn : chart.drawn) {
        const PreparedSeries& series = (*chart.series)[drawn.index];
        const QString text =
            metrics.elidedText(legendText(series), Qt::ElideRight, area.width() - kSample - kSampleGap);
        const int width = kSample + kSampleGap + metrics.horizontalAdvance(text) + 2 * kSampleGap;
        if (x > 0 && x + width > area.width()) {
            x = 0;
            y += row;
        }
        if (painter != nullptr) {
            painter->save();
            const int above = (row - 16) / 2;
            painter->translate(area.left() + x, area.top() + y + above);
            paintLineSample(*painter, theme, series.spec.style, series.spec.points, isDense(drawn));
            painter->restore();
            painter->drawText(QRect(area.left() + x + kSample + kSampleGap, area.top() + y, width, row),
                              Qt::AlignLeft | Qt::AlignVCenter, text);
        }
        x += width;
    }
    return y + row;
}

}  // namespace

QString chartDescription(const ChartModel& model) {
    bool groups = false, bands = false, smoothed = false;
    std::size_t fewest = SIZE_MAX;
    for (const PreparedSeries& series : *model.series()) {
        if (!series.spec.visible) continue;
        if (series.low != nullptr) fewest = std::min(fewest, series.run_count);
        groups = groups || series.runs.size() > 1;
        bands = bands || series.low != nullptr;
        smoothed = smoothed || series.line != series.raw;
    }
    QStringList parts;
    if (groups)
        parts << ChartPlot::tr("Lines: interquartile mean over the runs (mean for fewer than 4 runs).");
    if (bands) parts << ChartPlot::tr("Bands: 95 % bootstrap interval over the runs.");
    if (bands && !narrowBandNote(fewest).isEmpty()) parts << narrowBandNote(fewest);
    if (smoothed)
        parts << ChartPlot::tr("Smoothed (%1); faint lines are not smoothed.")
                     .arg(smoothingText(model.options()));
    if (const auto& filter = model.options().filter) {
        const auto end = [](double value) {
            return std::isfinite(value) ? shortNumber(value) : QStringLiteral("…");
        };
        parts << ChartPlot::tr("Only points from %1 to %2.").arg(end(filter->first), end(filter->second));
    }
    return parts.join(QLatin1Char(' '));
}

void paintChart(QPaintDevice& device, QSize size, const QString& title, ChartPlot& plot,
                const ChartModel& model, const Theme& theme) {
    const QPalette palette = QApplication::palette();
    const QFontMetrics metrics(QApplication::font());
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRect(QPoint(), size), palette.color(QPalette::Base));
    QFont bold = QApplication::font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(palette.color(QPalette::Text));
    const int wide = size.width() - 2 * kMargin, head = metrics.height() + 2 * kSampleGap;
    painter.drawText(QRect(kMargin, 0, wide, head), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(title, Qt::ElideRight, wide));
    const QString meaning = chartDescription(model);
    const int text_height =
        meaning.isEmpty()
            ? 0
            : metrics.boundingRect(QRect(0, 0, wide, size.height()), Qt::TextWordWrap, meaning).height();
    const int legend_height = legend(nullptr, QRect(0, 0, wide, 0), plot.drawnChart(), theme);
    // A long legend is truncated, so that the curves get at least half of the picture.
    const int foot = std::min(legend_height + text_height + 3 * kSampleGap, size.height() / 2);
    painter.save();
    painter.translate(0, head);
    plot.drawInto(painter, QSize(size.width(), size.height() - head - foot));
    painter.restore();
    painter.setClipping(false);
    painter.setFont(QApplication::font());
    painter.setPen(palette.color(QPalette::Text));
    const int top = size.height() - foot + kSampleGap;
    legend(&painter, QRect(kMargin, top, wide, legend_height), plot.drawnChart(), theme);
    painter.setPen(theme.quiet());
    painter.drawText(QRect(kMargin, size.height() - text_height - kSampleGap, wide, text_height),
                     Qt::TextWordWrap, meaning);
}

}  // namespace seedbed::ui
