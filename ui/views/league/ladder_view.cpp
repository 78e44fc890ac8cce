// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/league/ladder_view.hpp"

#include <algorithm>
#include <cmath>

#include <QHeaderView>
#include <QLocale>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include "ui/models/text/number_text.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

// Values of the interval column.
constexpr int kLowRole = Qt::UserRole, kHighRole = Qt::UserRole + 1, kPointsRole = Qt::UserRole + 2;
constexpr int kLadderGap = 8;

// Draws an interval as a bar with a mark at the rating, on one scale for all rows, and its numbers.
class IntervalDelegate : public QStyledItemDelegate {
public:
    IntervalDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

    // text_width: space for the widest numbers, so that all bars have the same scale.
    void setScale(double low, double high, int text_width) {
        low_ = low;
        high_ = high;
        text_width_ = text_width;
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);  // background and text
        if (!index.data(kLowRole).isValid()) return;
        const bool is_selected = option.state & QStyle::State_Selected;
        const QRectF area = QRectF(option.rect).adjusted(kLadderGap, 0, -text_width_ - 2 * kLadderGap, 0);
        if (area.width() < 30) return;
        const auto x = [&](const QVariant& value) {
            return area.left() + area.width() * (value.toDouble() - low_) / (high_ - low_);
        };
        const double middle = area.center().y(), half = std::min(5.0, area.height() / 5);
        const QColor colour =
            is_selected ? option.palette.color(QPalette::HighlightedText) : theme_.seriesColour(0);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(is_selected ? colour : theme_.line(), 1));
        painter->drawLine(QPointF(x(0.0), option.rect.top()), QPointF(x(0.0), option.rect.bottom()));
        QColor pale = colour;
        pale.setAlphaF(0.45F);
        painter->setPen(Qt::NoPen);
        painter->setBrush(pale);
        const double left = x(index.data(kLowRole)), right = x(index.data(kHighRole));
        painter->drawRoundedRect(QRectF(left, middle - half, std::max(2.0, right - left), 2 * half), 2, 2);
        painter->setBrush(colour);
        painter->drawRect(QRectF(x(index.data(kPointsRole)) - 1.5, middle - half - 3, 3, 2 * half + 6));
        painter->restore();
    }

private:
    const Theme& theme_;
    double low_ = -1, high_ = 1;
    int text_width_ = 0;
};

QString rangeText(const LeagueRow& member) {
    return QStringLiteral("[%1, %2]").arg(pointsText(member.low), pointsText(member.high));
}

}  // namespace

QString pointsText(double points) {
    const qint64 whole = std::llround(points);
    const QString number = QLocale().toString(std::abs(whole));
    return whole < 0 ? QStringLiteral("−") + number : QStringLiteral("+") + number;
}

LadderView::LadderView(const Theme& theme, QWidget* parent)
    : QTableWidget(0, kColumns, parent), theme_(theme) {
    setObjectName(QStringLiteral("ladder"));
    setAccessibleName(tr("Ladder"));
    setHorizontalHeaderLabels({tr("Place"), tr("Member"), tr("Rating"), tr("95 % interval"), tr("Games"),
                               tr("Wins / draws / losses")});
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(kInterval, QHeaderView::Stretch);
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setAlternatingRowColors(true);
    setTabKeyNavigation(false);
    setItemDelegateForColumn(kInterval, new IntervalDelegate(theme, this));
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    connect(this, &QTableWidget::itemSelectionChanged, this, &LadderView::currentMemberChanged);
}

const LeagueRow* LadderView::current() const {
    const int row = currentRow();
    return row < 0 || row >= static_cast<int>(league_.ladder.size())
               ? nullptr
               : &league_.ladder[static_cast<std::size_t>(row)];
}

void LadderView::setLeague(const LeagueDetails& league) {
    const QString kept = current() != nullptr && league_.name == league.name ? current()->name : QString();
    league_ = league;
    double low = -50, high = 50;
    int text_width = 0;
    for (const LeagueRow& member : league_.ladder) {
        if (member.games.games() == 0) continue;
        low = std::min(low, member.low);
        high = std::max(high, member.high);
        text_width = std::max(text_width, fontMetrics().horizontalAdvance(rangeText(member)));
    }
    static_cast<IntervalDelegate*>(itemDelegateForColumn(kInterval))->setScale(low, high, text_width);
    {
        const QSignalBlocker quiet(this);
        setRowCount(static_cast<int>(league_.ladder.size()));
        int now = -1;
        for (int row = 0; row < rowCount(); ++row) {
            const LeagueRow& member = league_.ladder[static_cast<std::size_t>(row)];
            fillRow(row, member);
            if (member.name == kept) now = row;
        }
        if (now >= 0) setCurrentCell(now, std::max(0, currentColumn()));
        else clearSelection();
        if (now < 0) setCurrentCell(-1, -1);
    }
    viewport()->update();
    Q_EMIT currentMemberChanged();
}

void LadderView::fillRow(int row, const LeagueRow& member) {
    const GameTally& games = member.games;
    const bool has_games = games.games() > 0;
    const QString name = !member.problem.isEmpty() ? tr("%1 (policy removed)").arg(member.name)
                         : member.is_active        ? member.name
                                                   : tr("%1 (no longer plays)").arg(member.name);
    const QString dash = QStringLiteral("–");
    const QStringList texts{countText(row + 1),
                            name,
                            has_games ? pointsText(member.rating) : dash,
                            has_games ? rangeText(member) : dash,
                            countText(games.games()),
                            QStringLiteral("%1 / %2 / %3")
                                .arg(countText(games.wins), countText(games.draws), countText(games.losses))};
    const QString repeats =
        member.distinct < games.games()
            ? tr("%1 of %2 games are distinct. Repeated games (the same actions of both players) do not "
                 "narrow the interval.")
                  .arg(countText(member.distinct), countText(games.games()))
            : QString();
    for (int column = 0; column < kColumns; ++column) {
        auto* cell = item(row, column);
        if (cell == nullptr) setItem(row, column, cell = new QTableWidgetItem);
        cell->setText(texts[column]);
        cell->setToolTip(column == kMember ? (member.problem.isEmpty() ? tr("Added as %1").arg(member.player)
                                                                       : member.problem)
                                           : repeats);
        if (column != kMember) cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const bool is_out = !member.canPlay();
        cell->setForeground(is_out ? QBrush(member.problem.isEmpty() ? theme_.quiet() : theme_.bad())
                                   : QBrush());
    }
    auto* bar = item(row, kInterval);
    bar->setData(kLowRole, has_games ? QVariant(member.low) : QVariant());
    bar->setData(kHighRole, member.high);
    bar->setData(kPointsRole, member.rating);
}

}  // namespace seedbed::ui
