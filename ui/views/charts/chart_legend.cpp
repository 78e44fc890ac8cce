// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charts/chart_legend.hpp"

#include <algorithm>

#include <QPainter>
#include <QScrollBar>

#include "ui/models/charts/chart_table_model.hpp"
#include "ui/views/charts/curve_layer.hpp"
#include "ui/views/elided_name.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kKeyRole = Qt::UserRole + 1;
constexpr int kMaxRows = 3;
constexpr int kMaxLabelLength = 60;

}  // namespace

void paintLineSample(QPainter& painter, const Theme& theme, int style, bool dots, bool dense) {
    const QColor colour = theme.seriesColour(style);
    painter.setPen(QPen(colour, 2, dense ? Qt::SolidLine : theme.seriesStyle(style)));
    painter.drawLine(QPointF(1, 8), QPointF(27, 8));
    painter.setBrush(colour);
    painter.setPen(Qt::NoPen);
    if (dots) painter.drawEllipse(QPointF(14, 8), 3, 3);
    else painter.drawPolygon(markerOf(theme, style).translated(14, 8));
}

QIcon lineSample(const Theme& theme, int style, bool dots, bool dense) {
    QPixmap pixmap(56, 32);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    paintLineSample(painter, theme, style, dots, dense);
    return QIcon(pixmap);
}

ChartLegend::ChartLegend(ChartModel& model, const Theme& theme, QWidget* parent)
    : QListWidget(parent), model_(model), theme_(theme) {
    setAccessibleName(tr("Legend"));
    setFlow(QListView::LeftToRight);
    setWrapping(true);
    setResizeMode(QListView::Adjust);
    setUniformItemSizes(false);
    setSpacing(1);
    setIconSize({28, 16});
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::NoSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    QPalette see_through = palette();
    see_through.setColor(QPalette::Base, Qt::transparent);
    setPalette(see_through);
    connect(&model_, &ChartModel::prepared, this, &ChartLegend::refresh);
    connect(&theme_, &Theme::changed, this, &ChartLegend::refresh);
    connect(&model_, &ChartModel::drawn, this, [this](const DrawnChart& chart) {
        std::set<QString> dense;
        for (const DrawnSeries& drawn : chart.drawn)
            if (isDense(drawn)) dense.insert((*chart.series)[drawn.index].spec.key);
        if (dense == dense_) return;
        dense_ = std::move(dense);
        refresh();
    });
    connect(this, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        if (!filling_) model_.setVisible(item->data(kKeyRole).toString(), item->checkState() == Qt::Checked);
    });
    refresh();
}

void ChartLegend::setShown(bool shown) {
    if (std::exchange(shown_, shown) != shown) refresh();
}

void ChartLegend::refresh() {
    filling_ = true;
    const auto& series = *model_.series();
    while (count() > static_cast<int>(series.size())) delete takeItem(count() - 1);
    while (count() < static_cast<int>(series.size())) addItem(new QListWidgetItem());
    for (std::size_t i = 0; i < series.size(); ++i) {
        QListWidgetItem* row = item(static_cast<int>(i));
        QString text = legendText(series[i]);
        const QString band = bandDescription(series[i]);
        row->setToolTip(band.isEmpty() ? text : text + QLatin1Char('\n') + band);
        row->setData(Qt::AccessibleTextRole, band.isEmpty() ? text : text + QStringLiteral(". ") + band);
        text = elidedMiddle(text, kMaxLabelLength);
        if (series[i].raw->statistics().points == 0) text += tr(" (no values)");
        row->setText(text);
        row->setData(kKeyRole, series[i].spec.key);
        row->setIcon(lineSample(theme_, series[i].spec.style, series[i].spec.points,
                                dense_.contains(series[i].spec.key)));
        row->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        row->setCheckState(series[i].spec.visible ? Qt::Checked : Qt::Unchecked);
    }
    filling_ = false;
    // Hidden series remain in the legend, so that users can show them again.
    const bool needed =
        series.size() > 1 || shown_for_one_ || (series.size() == 1 && !series[0].spec.visible);
    setVisible(shown_ && !series.empty() && needed);
    updateGeometry();
}

int ChartLegend::rowHeight() const { return std::max(20, fontMetrics().height() + 6); }

QSize ChartLegend::sizeHint() const {
    // Number of rows needed at this width.
    int rows = 1, used = 0;
    for (int i = 0; i < count(); ++i) {
        const int wide = sizeHintForIndex(model()->index(i, 0)).width() + 4;
        if (used > 0 && used + wide > width()) {
            ++rows;
            used = 0;
        }
        used += wide;
    }
    return {200, std::min(rows, kMaxRows) * (rowHeight() + 2) + 4};
}

}  // namespace seedbed::ui
