// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/time_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "ui/models/charts/trace_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr double kColumn = 5, kWideColumn = 12;  // pixels per step
constexpr double kFewRows = 60;                  // fewer do not widen the columns further
constexpr int kLaneGap = 6;
constexpr double kShareOpacity = 0.55;

// A colour that is used again has a different pattern.
constexpr int kColours = 6;
constexpr std::array kPatterns{Qt::SolidPattern, Qt::Dense4Pattern, Qt::HorPattern, Qt::Dense6Pattern};

// A line about 1.5 wide as several of one pixel, which Qt draws 18 times faster.
void drawLine(QPainter& painter, const QPainterPath& line, QPen pen) {
    const double scale = painter.device()->devicePixelRatio(), step = std::min(0.5, 1 / scale);
    const auto lines = static_cast<int>(std::lround(1.5 * scale));
    pen.setWidth(0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    for (int i = 0; i < lines; ++i) painter.drawPath(line.translated(0, (i - (lines - 1) / 2.0) * step));
}

// Range of values, mapped to the height of a lane.
constexpr double kLeastSpread = 0.1;

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void add(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return low > high; }
    // At least this share of the largest magnitude, so that a constant with noise looks constant.
    void widen(double share) {
        if (empty()) return;
        const double missing = share * std::max(std::abs(low), std::abs(high)) - (high - low);
        if (missing <= 0) return;
        low -= missing / 2;
        high += missing / 2;
    }
    double at(double value, const QRectF& lane) const {
        const double span = high - low;
        return span > 0 ? lane.bottom() - (value - low) / span * lane.height() : lane.center().y();
    }
};

}  // namespace

struct TimeLine::Layout {
    std::span<const PlayerRecord> records;  // the visible records
    std::uint64_t cursor = 0;
    double left = 0, column = kColumn;
    QRectF legend, actions, numbers;

    double x(std::size_t i) const { return left + (static_cast<double>(i) + 0.5) * column; }
};

TimeLine::TimeLine(const Theme& theme, const TraceModel& model, QWidget* parent)
    : QWidget(parent), theme_(theme), model_(model) {
    setAccessibleName(tr("Timeline of the focused agent"));
    setFocusPolicy(Qt::NoFocus);  // the table takes the focus instead
    pause_.setSingleShot(true);
    pause_.setInterval(kSavingMs);
    const auto show = [this] {
        is_late_ = pause_.isActive();
        if (is_late_) return;
        update();
        if (saves_time_) pause_.start();
    };
    connect(&model, &TraceModel::shown, this, show);
    connect(&pause_, &QTimer::timeout, this, [this, show] {
        if (is_late_) show();
    });
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

TimeLine::Layout TimeLine::layOut() const {
    Layout layout;
    const std::vector<PlayerRecord>& all = model_.records();
    const double labels = fontMetrics().horizontalAdvance(QStringLiteral("−0.0000000")) + 4;
    const QRectF area = QRectF(rect()).adjusted(labels, 2, -4, -2);
    const auto room = static_cast<std::size_t>(std::max(1.0, area.width() / kColumn));
    std::size_t end = all.size();
    if (model_.frame()) {
        layout.cursor = model_.frame()->row;
        // Keeps the displayed row visible if newer rows do not fit.
        const auto at = std::find_if(all.begin(), all.end(),
                                     [&](const PlayerRecord& r) { return r.row >= layout.cursor; });
        const auto shown = static_cast<std::size_t>(at - all.begin());
        if (end > shown + room) end = shown + room;
    }
    const std::size_t count = std::min(room, end);
    layout.records = std::span(all).subspan(end - count, count);
    // Whole pixels, see paintShares().
    layout.column = std::clamp(std::floor(area.width() / std::max(kFewRows, static_cast<double>(count))),
                               kColumn, kWideColumn);
    layout.left = area.left();
    const double legend = fontMetrics().height() + 2;
    layout.legend = QRectF(area.left(), area.top(), area.width(), legend);
    const double rest = area.height() - legend - kLaneGap;
    layout.actions = QRectF(area.left(), layout.legend.bottom(), area.width(), rest * 0.55);
    layout.numbers = QRectF(area.left(), layout.actions.bottom() + kLaneGap, area.width(), rest * 0.45);
    return layout;
}

QBrush TimeLine::actionBrush(const Theme& theme, int number) {
    return QBrush(theme.seriesColour(number),
                  kPatterns[static_cast<std::size_t>(number / kColours) % kPatterns.size()]);
}

// The brushes and names that fit into this width, followed by the number of remaining ones.
std::vector<std::pair<QBrush, QString>> TimeLine::legend(double width) const {
    std::vector<std::pair<QBrush, QString>> all{{palette().color(QPalette::WindowText), tr("value")},
                                                {theme_.good(), tr("reward")}};
    const std::vector<PlayerRecord>& records = model_.records();
    if (std::any_of(records.begin(), records.end(),
                    [](const PlayerRecord& record) { return record.source == DecisionSource::person; }))
        all.emplace_back(theme_.quiet(), tr("your actions"));
    if (std::any_of(records.begin(), records.end(),
                    [](const PlayerRecord& record) { return record.end != EpisodeMark::none; }))
        all.emplace_back(theme_.warning(), tr("game over, return"));
    int number = 0;
    for (const ActionNames& leaf : model_.names())
        for (const QString& name : leaf.names) all.emplace_back(actionBrush(theme_, number++), name);
    std::vector<std::pair<QBrush, QString>> shown;
    double left = width;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QString rest = QStringLiteral("+%1").arg(all.size() - i);
        const bool last = i + 1 == all.size();
        left -= legendWidth(all[i].second);
        if (left < (last ? 0 : legendWidth(rest))) {
            shown.emplace_back(Qt::NoBrush, rest);
            break;
        }
        shown.push_back(std::move(all[i]));
    }
    return shown;
}

double TimeLine::legendWidth(const QString& text) const {
    return 14 + fontMetrics().horizontalAdvance(text) + 12;
}

void TimeLine::paintLegend(QPainter& painter, const Layout& layout) const {
    double x = layout.legend.left();
    const double height = layout.legend.height();
    painter.setPen(palette().color(QPalette::WindowText));
    for (const auto& [brush, text] : legend(layout.legend.width())) {
        painter.fillRect(QRectF(x, layout.legend.top() + height / 2 - 5, 10, 10), brush);
        painter.drawText(QRectF(x + 14, layout.legend.top(), legendWidth(text), height),
                         Qt::AlignVCenter | Qt::AlignLeft, text);
        x += legendWidth(text);
    }
}

// Paler than the strip of the chosen actions below.
void TimeLine::paintShares(QPainter& painter, const Layout& layout, const QRectF& lane, std::size_t shown,
                           int count, int colour, std::size_t word) const {
    const double strip =
        std::min(6.0, lane.height() / 4);  // height of the strip of chosen actions below the shares
    const QColor base = palette().color(QPalette::Base);
    std::vector<QBrush> chosen, pale;
    for (int k = 0; k < count; ++k) {
        chosen.push_back(actionBrush(theme_, colour + k));
        pale.emplace_back(mixed(base, chosen.back().color(), kShareOpacity), chosen.back().style());
    }
    // Opaque rectangles on whole pixels: Qt fills them at once, others line by line in several threads.
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t i = 0; i < layout.records.size(); ++i) {
        const PlayerRecord& record = layout.records[i];
        const double x = layout.x(i) - layout.column / 2;
        if (record.shown.size() >= shown + static_cast<std::size_t>(count)) {
            double y = lane.bottom() - strip - 1;
            for (int k = 0; k < count; ++k) {
                const double height = static_cast<double>(record.shown[shown + static_cast<std::size_t>(k)]) *
                                      (lane.height() - strip - 1);
                if (!(height > 0)) continue;
                y -= height;
                painter.fillRect(QRectF(x, y, layout.column - 1, height), pale[static_cast<std::size_t>(k)]);
            }
        }
        if (word >= record.action.size()) continue;
        const auto choice = static_cast<std::size_t>(record.action[word]);
        if (choice < chosen.size())
            painter.fillRect(QRectF(x, lane.bottom() - strip, layout.column - 1, strip), chosen[choice]);
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void TimeLine::paintBands(QPainter& painter, const Layout& layout, const QRectF& lane, std::size_t shown,
                          int dims, int colour, std::size_t word) const {
    Range range;
    const auto has = [&](const PlayerRecord& r) {
        return r.shown.size() >= shown + 2 * static_cast<std::size_t>(dims);
    };
    for (const PlayerRecord& record : layout.records) {
        for (int d = 0; d < dims; ++d) {
            const std::size_t at = shown + static_cast<std::size_t>(d);
            if (has(record)) {
                const auto mean = static_cast<double>(record.shown[at]),
                           deviation = static_cast<double>(record.shown[at + static_cast<std::size_t>(dims)]);
                range.add(mean - deviation);
                range.add(mean + deviation);
            }
            if (word + static_cast<std::size_t>(d) < record.action.size())
                range.add(static_cast<double>(record.action[word + static_cast<std::size_t>(d)]));
        }
    }
    if (range.empty()) return;
    for (int d = 0; d < dims; ++d) {
        const QColor strong = theme_.seriesColour(colour + d);
        QColor faint = strong;
        faint.setAlphaF(0.2F);
        QPainterPath line;
        bool begun = false;
        for (std::size_t i = 0; i < layout.records.size(); ++i) {
            const PlayerRecord& record = layout.records[i];
            if (has(record)) {
                const std::size_t at = shown + static_cast<std::size_t>(d);
                const auto mean = static_cast<double>(record.shown[at]),
                           deviation = static_cast<double>(record.shown[at + static_cast<std::size_t>(dims)]);
                painter.fillRect(
                    QRectF(QPointF(layout.x(i) - layout.column / 2, range.at(mean + deviation, lane)),
                           QPointF(layout.x(i) + layout.column / 2, range.at(mean - deviation, lane))),
                    faint);
                const QPointF point(layout.x(i), range.at(mean, lane));
                if (begun) line.lineTo(point);
                else line.moveTo(point);
                begun = true;
            }
            if (word + static_cast<std::size_t>(d) < record.action.size()) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(strong);
                painter.drawEllipse(
                    QPointF(layout.x(i),
                            range.at(static_cast<double>(record.action[word + static_cast<std::size_t>(d)]),
                                     lane)),
                    1.6, 1.6);
            }
        }
        drawLine(painter, line, QPen(strong, 0, theme_.seriesStyle(colour + d)));
    }
    painter.setPen(theme_.quiet());
    paintScale(painter, layout, lane, range.low, range.high);
}

// Draws the ends of a scale to the left of the lane.
void TimeLine::paintScale(QPainter& painter, const Layout& layout, const QRectF& lane, double low,
                          double high) {
    const auto [low_text, high_text] = rangeTexts(low, high);
    painter.drawText(QRectF(0, lane.top() - 2, layout.left - 4, 20), Qt::AlignRight | Qt::AlignTop,
                     high_text);
    if (low != high)
        painter.drawText(QRectF(0, lane.bottom() - 18, layout.left - 4, 20), Qt::AlignRight | Qt::AlignBottom,
                         low_text);
}

void TimeLine::paintActions(QPainter& painter, const Layout& layout) const {
    const std::vector<ActionNames>& names = model_.names();
    if (names.empty()) return;
    const double height = layout.actions.height() / static_cast<double>(names.size());
    std::size_t shown = 0, word = 0;
    int colour = 0;
    for (std::size_t leaf = 0; leaf < names.size(); ++leaf) {
        const int size = static_cast<int>(names[leaf].names.size());
        const QRectF lane(layout.actions.left(), layout.actions.top() + static_cast<double>(leaf) * height,
                          layout.actions.width(), height - 3);
        painter.fillRect(lane, palette().color(QPalette::Base));
        if (names[leaf].discrete) paintShares(painter, layout, lane, shown, size, colour, word);
        else paintBands(painter, layout, lane, shown, size, colour, word);
        shown += static_cast<std::size_t>(names[leaf].discrete ? size : 2 * size);
        word += static_cast<std::size_t>(names[leaf].discrete ? 1 : size);
        colour += size;
        if (!names[leaf].discrete) continue;
        painter.setPen(theme_.quiet());
        painter.drawText(QRectF(0, lane.top() - 2, layout.left - 4, 20), Qt::AlignRight | Qt::AlignTop,
                         QStringLiteral("1"));
        painter.drawText(QRectF(0, lane.bottom() - 18, layout.left - 4, 20), Qt::AlignRight | Qt::AlignBottom,
                         QStringLiteral("0"));
    }
}

// Draws values as a line with a scale on the left, and rewards as bars with their own scale.
void TimeLine::paintNumbers(QPainter& painter, const Layout& layout) const {
    painter.fillRect(layout.numbers, palette().color(QPalette::Base));
    Range values;
    double largest = 0;
    bool negative = false;
    for (const PlayerRecord& record : layout.records) {
        values.add(static_cast<double>(record.value));
        if (std::isfinite(record.reward)) {
            largest = std::max(largest, std::abs(static_cast<double>(record.reward)));
            negative = negative || record.reward < 0;
        }
    }
    // Bars start in the middle if there are negative rewards.
    const double middle = negative ? layout.numbers.center().y() : layout.numbers.bottom();
    // Lower than the curve of values, whose scale they do not share.
    const double share = negative ? 0.3 : 0.4;
    values.widen(kLeastSpread);
    QColor bar = theme_.good();
    bar.setAlphaF(0.55F);
    QColor loss = theme_.bad();
    loss.setAlphaF(0.55F);
    for (std::size_t i = 0; i < layout.records.size(); ++i) {
        const auto reward = static_cast<double>(layout.records[i].reward);
        if (!std::isfinite(reward) || reward == 0) continue;
        const double height = reward / largest * layout.numbers.height() * share;
        painter.fillRect(
            QRectF(QPointF(layout.x(i) - layout.column / 2 + 0.5, middle - std::max(height, 0.0)),
                   QPointF(layout.x(i) + layout.column / 2 - 0.5, middle - std::min(height, 0.0))),
            reward > 0 ? bar : loss);
    }
    QPainterPath line;
    bool gap = true;
    for (std::size_t i = 0; i < layout.records.size(); ++i) {
        const auto value = static_cast<double>(layout.records[i].value);
        if (!std::isfinite(value)) {
            gap = true;
            continue;
        }
        const QPointF point(layout.x(i), values.at(value, layout.numbers.adjusted(0, 3, 0, -3)));
        if (gap) line.moveTo(point);
        else line.lineTo(point);
        gap = false;
    }
    drawLine(painter, line, palette().color(QPalette::WindowText));
    if (values.empty()) return;
    painter.setPen(theme_.quiet());
    paintScale(painter, layout, layout.numbers, values.low, values.high);
}

// A bar between the lanes where a person chose the action.
void TimeLine::paintPersons(QPainter& painter, const Layout& layout) const {
    for (std::size_t i = 0; i < layout.records.size(); ++i)
        if (layout.records[i].source == DecisionSource::person)
            painter.fillRect(QRectF(layout.x(i) - layout.column / 2, layout.actions.bottom() + 1,
                                    layout.column, kLaneGap - 2),
                             theme_.quiet());
}

void TimeLine::paintEnds(QPainter& painter, const Layout& layout) const {
    for (std::size_t i = 0; i < layout.records.size(); ++i) {
        const PlayerRecord& record = layout.records[i];
        if (record.end != EpisodeMark::none) {
            painter.setPen(QPen(theme_.warning(), 1.5,
                                record.end == EpisodeMark::truncated ? Qt::DashLine : Qt::SolidLine));
            const double x = layout.x(i) + layout.column / 2;
            painter.drawLine(QPointF(x, layout.actions.top()), QPointF(x, layout.numbers.bottom()));
            const auto reward = std::isfinite(record.reward) ? static_cast<double>(record.reward) : 0;
            const QString text = shortNumber(record.return_so_far + reward);
            const QRectF box(x - 3 - fontMetrics().horizontalAdvance(text), layout.numbers.top(),
                             fontMetrics().horizontalAdvance(text) + 2, 18);
            painter.fillRect(box, palette().color(QPalette::Base));
            painter.drawText(box, Qt::AlignRight | Qt::AlignTop, text);
        }
        if (record.row != layout.cursor) continue;
        painter.setPen(QPen(tokens().accent, 2));
        painter.drawLine(QPointF(layout.x(i), layout.actions.top() - 2),
                         QPointF(layout.x(i), layout.numbers.bottom()));
    }
}

void TimeLine::paintEvent(QPaintEvent*) {
    if (!model_.frame()) return;
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight);  // time runs to the right in every language
    const Layout layout = layOut();
    painter.setRenderHint(QPainter::Antialiasing);
    paintLegend(painter, layout);
    paintActions(painter, layout);
    paintNumbers(painter, layout);
    paintPersons(painter, layout);
    paintEnds(painter, layout);
}

void TimeLine::mousePressEvent(QMouseEvent* event) {
    const Layout layout = layOut();
    const double at = std::floor((event->position().x() - layout.left) / layout.column);
    if (at >= 0 && at < static_cast<double>(layout.records.size()))
        Q_EMIT seekRequested(layout.records[static_cast<std::size_t>(at)].row);
}

// Shows the numbers of the row under the pointer.
bool TimeLine::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Layout layout = layOut();
    // All names of the legend, including those that do not fit.
    if (layout.legend.contains(help->pos())) {
        QStringList names;
        for (const ActionNames& leaf : model_.names())
            names += QStringList(leaf.names.begin(), leaf.names.end());
        QToolTip::showText(help->globalPos(), names.join(QLatin1Char('\n')), this);
        return true;
    }
    const double at = std::floor((help->pos().x() - layout.left) / layout.column);
    if (at < 0 || at >= static_cast<double>(layout.records.size())) return QWidget::event(event);
    const PlayerRecord& record = layout.records[static_cast<std::size_t>(at)];
    QStringList lines{tr("Step %1").arg(countText(record.step))};
    if (record.decided) lines << tr("Action: %1").arg(actionText(model_.names(), record.action));
    lines << tr("Value: %1").arg(shortNumber(static_cast<double>(record.value)))
          << tr("Reward: %1").arg(shortNumber(static_cast<double>(record.reward)))
          << tr("Return so far: %1").arg(shortNumber(record.return_so_far));
    if (record.end != EpisodeMark::none) lines << tr("Episode: %1").arg(endText(record.end));
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
}

}  // namespace seedbed::ui
