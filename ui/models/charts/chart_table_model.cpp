// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/charts/chart_table_model.hpp"
#include "ui/models/text/csv_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

double at(const std::shared_ptr<const CurveIndex>& curve, std::size_t row) {
    return curve ? curve->curve().y[row] : std::numeric_limits<double>::quiet_NaN();
}

// The step of a point; NaN for groups, whose points are between the steps of their runs.
double stepAt(const PreparedSeries& series, std::size_t row) {
    if (series.runs.size() != 1 || !series.runs[0].steps || !series.runs[0].curve)
        return std::numeric_limits<double>::quiet_NaN();
    if (series.raw == series.runs[0].curve) return (*series.runs[0].steps)[row];
    // A filtered series is a part of the run's curve.
    const std::vector<double>& all = series.runs[0].curve->curve().x;
    const auto first = std::lower_bound(all.begin(), all.end(), series.raw->curve().x.front()) - all.begin();
    return (*series.runs[0].steps)[static_cast<std::size_t>(first) + row];
}

QString xText(double x, XAxis axis) {
    const bool whole = axis == XAxis::steps || axis == XAxis::updates || axis == XAxis::episodes;
    if (std::isnan(x)) return {};
    return whole && x == std::round(x) ? countText(static_cast<std::int64_t>(x)) : shortNumber(x);
}

}  // namespace

// Whether the new series only append points to the old ones.
bool ChartTableModel::onlyAppends(const Prepared& series, XAxis axis) const {
    if (!series_ || axis != axis_ || series->size() != series_->size()) return false;
    return std::equal(series->begin(), series->end(), series_->begin(),
                      [](const PreparedSeries& now, const PreparedSeries& before) {
                          const std::vector<double>&x = now.raw->curve().x,
                                &before_count = before.raw->curve().x;
                          return now.spec.key == before.spec.key && x.size() >= before_count.size() &&
                                 std::equal(before_count.begin(), before_count.end(), x.begin());
                      });
}

void ChartTableModel::setSeries(Prepared series, XAxis axis) {
    if (onlyAppends(series, axis)) {
        series_ = std::move(series);
        for (std::size_t s = 0; s < series_->size(); ++s) {
            const std::size_t before_count = first_rows_[s + 1] - first_rows_[s],
                              more = (*series_)[s].raw->curve().size() - before_count;
            if (more == 0) continue;
            beginInsertRows({}, static_cast<int>(first_rows_[s + 1]),
                            static_cast<int>(first_rows_[s + 1] + more - 1));
            for (std::size_t next = s + 1; next < first_rows_.size(); ++next) first_rows_[next] += more;
            endInsertRows();
        }
        // New points also change the smoothed values and bands of earlier ones.
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
        return;
    }
    beginResetModel();
    series_ = std::move(series);
    axis_ = axis;
    first_rows_.assign(1, 0);
    for (const PreparedSeries& one : *series_)
        first_rows_.push_back(first_rows_.back() + one.raw->curve().size());
    endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || first_rows_.empty()
               ? 0
               : static_cast<int>(std::min<std::size_t>(first_rows_.back(), std::numeric_limits<int>::max()));
}
int ChartTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(
            Qt::Alignment((index.column() == kSeries ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const auto after = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
    const PreparedSeries& series = (*series_)[static_cast<std::size_t>(after - first_rows_.begin() - 1)];
    const std::size_t point = row - *(after - 1);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    switch (index.column()) {
        case kSeries: return legendText(series);
        case kX: return xText(series.raw->curve().x[point], axis_);
        case kStep: return xText(stepAt(series, point), XAxis::steps);
        case kValue: return shortNumber(at(series.raw, point));
        case kSmoothed: return shortNumber(series.line == series.raw ? nan : at(series.line, point));
        case kLow: return shortNumber(at(series.low, point));
        case kHigh: return shortNumber(at(series.high, point));
        case kN: return series.n.empty() ? QString::number(1) : QString::number(series.n[point]);
        default: return {};
    }
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) return {};
    if (orientation == Qt::Vertical) return section + 1;
    switch (section) {
        case kSeries: return tr("Series");
        case kX: return titleOf(axis_);
        case kStep: return tr("Step");
        case kValue: return tr("Value");
        case kSmoothed: return tr("Smoothed");
        case kLow: return tr("95 % low");
        case kHigh: return tr("95 % high");
        case kN: return tr("Runs");
        default: return {};
    }
}

QString legendText(const PreparedSeries& series) {
    return series.spec.runs.size() < 2
               ? series.spec.label
               : QStringLiteral("%1 (n=%2)").arg(series.spec.label).arg(series.run_count);
}

QString bandDescription(const PreparedSeries& series) {
    if (series.low == nullptr) return {};
    const QString band = ChartTableModel::tr("Band: 95 % bootstrap interval over %n run(s).", nullptr,
                                             static_cast<int>(series.run_count));
    const QString narrow = narrowBandNote(series.run_count);
    return narrow.isEmpty() ? band : band + QLatin1Char(' ') + narrow;
}

QString narrowBandNote(std::size_t runs) {
    const double coverage = bandCoverage(runs);
    if (coverage == 0 || coverage >= 0.95) return {};
    return ChartTableModel::tr(
               "A band over %n run(s) is too narrow: it contains the true centre in about %1 of 100 cases "
               "instead of 95.",
               nullptr, static_cast<int>(runs))
        .arg(std::lround(100 * coverage));
}

QString chartCsv(const std::vector<PreparedSeries>& series, XAxis axis) {
    QString out = QStringLiteral("series,metric,%1,step,value,smoothed,ci95_low,ci95_high,n\n")
                      .arg(QLatin1String(keyOf(axis)));
    for (const PreparedSeries& one : series) {
        const QString name = csvField(one.spec.label) + QLatin1Char(',') +
                             csvField(QString::fromStdString(one.spec.metric)) + QLatin1Char(',');
        for (std::size_t i = 0; i < one.raw->curve().size(); ++i) {
            out += name + exactNumber(one.raw->curve().x[i]) + QLatin1Char(',') +
                   exactNumber(stepAt(one, i)) + QLatin1Char(',') + exactNumber(at(one.raw, i)) +
                   QLatin1Char(',') + (one.line == one.raw ? QString() : exactNumber(at(one.line, i))) +
                   QLatin1Char(',') + exactNumber(at(one.low, i)) + QLatin1Char(',') +
                   exactNumber(at(one.high, i)) + QLatin1Char(',') +
                   QString::number(one.n.empty() ? 1 : one.n[i]) + QLatin1Char('\n');
        }
    }
    return out;
}

QString chartMarkdown(const std::vector<PreparedSeries>& series, XAxis axis) {
    QString out =
        QStringLiteral(
            "| Series | Metric | Runs | Points | Last %1 | First | Last | Lowest | Highest | Mean |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
            .arg(QLatin1String(keyOf(axis)));
    for (const PreparedSeries& one : series) {
        const CurveStatistics& s = one.raw->statistics();
        QString label = one.spec.label;
        label.replace(QLatin1Char('|'), QLatin1String("\\|")).replace(QLatin1Char('\n'), QLatin1Char(' '));
        out += QStringLiteral("| %1 | %2 | %3 | %4 |")
                   .arg(label, QString::fromStdString(one.spec.metric))
                   .arg(one.run_count)
                   .arg(s.points);
        for (const double value : {s.last_x, s.first, s.last, s.min, s.max, s.mean})
            out += QLatin1Char(' ') + readableNumber(value) + QStringLiteral(" |");
        out += QLatin1Char('\n');
    }
    return out;
}

QString accessibleSummary(const std::vector<PreparedSeries>& series, XAxis axis) {
    constexpr std::size_t kMax = 8;
    QString out;
    std::size_t count = 0;
    for (const PreparedSeries& one : series) {
        if (!one.spec.visible) continue;
        if (++count > kMax) continue;
        const CurveStatistics& s = one.line->statistics();
        if (s.points == 0) {
            out += ChartTableModel::tr("%1 has no values yet. ").arg(legendText(one));
            continue;
        }
        const double change = s.last - s.first, span = s.max - s.min;
        const QString what = s.points == 1 || span == 0       ? ChartTableModel::tr("is")
                             : std::abs(change) < 0.05 * span ? ChartTableModel::tr("varied and returned to")
                             : change > 0 ? ChartTableModel::tr("rose from %1 to").arg(shortNumber(s.first))
                                          : ChartTableModel::tr("fell from %1 to").arg(shortNumber(s.first));
        out += ChartTableModel::tr("%1 %2 %3 at %4 %5; lowest %6, highest %7. ")
                   .arg(legendText(one), what, shortNumber(s.last), xText(s.last_x, axis), titleOf(axis),
                        shortNumber(s.min), shortNumber(s.max));
    }
    if (count > kMax)
        out += ChartTableModel::tr("And %n more series.", nullptr, static_cast<int>(count - kMax));
    return out.isEmpty() ? ChartTableModel::tr("No series.") : out.trimmed();
}

}  // namespace seedbed::ui
