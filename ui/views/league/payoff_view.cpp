// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/league/payoff_view.hpp"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QHeaderView>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/models/text/number_text.hpp"
#include "ui/views/elided_name.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kNameLetters = 20;
constexpr double kStrongest = 0.85;  // part of the pure colour at a score of 0 or 1

// Relative luminance, WCAG 2.1.
double luminance(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

// Frames the current cell, also while another control has the focus.
class PayoffDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const auto* view = qobject_cast<const QTableWidget*>(option.widget);
        if (view == nullptr || view->currentIndex() != index || index.row() == index.column()) return;
        painter->save();
        painter->setPen(QPen(index.data(Qt::ForegroundRole).value<QBrush>(), 2));
        painter->drawRect(option.rect.adjusted(2, 2, -2, -2));
        painter->restore();
    }
};

QString percentText(double share) {
    return QLocale().toString(static_cast<int>(std::lround(100 * share))) + QStringLiteral(" %");
}

}  // namespace

QColor scoreColour(const Theme& theme, double share) {
    const QColor base = QApplication::palette().color(QPalette::Base);
    const QColor full = theme.seriesColour(share >= 0.5 ? 0 : 1);
    const double part = kStrongest * std::min(1.0, std::abs(share - 0.5) * 2);
    const auto mix = [part](int from, int to) {
        return static_cast<int>(std::lround(from + part * (to - from)));
    };
    return QColor(mix(base.red(), full.red()), mix(base.green(), full.green()),
                  mix(base.blue(), full.blue()));
}

// The luminances at which black and white have the same contrast.
QColor readableOn(const QColor& background) {
    return luminance(background) > 0.1791 ? QColor(Qt::black) : QColor(Qt::white);
}

PayoffView::PayoffView(const Theme& theme, QWidget* parent) : QTableWidget(parent), theme_(theme) {
    setObjectName(QStringLiteral("payoff"));
    setAccessibleName(tr("Scores of the members against each other"));
    setEditTriggers(NoEditTriggers);
    setSelectionMode(NoSelection);  // a selection would hide the colours
    setTabKeyNavigation(false);
    setItemDelegate(new PayoffDelegate(this));
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultSectionSize(fontMetrics().averageCharWidth() * 9);
    verticalHeader()->setHighlightSections(false);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
    connect(&theme, &Theme::changed, this, &PayoffView::fill);
}

void PayoffView::setLeague(const LeagueDetails& league) {
    const auto same = [](const LeagueRow& a, const LeagueRow& b) { return a.name == b.name; };
    if (league.name != league_.name || !std::equal(league.ladder.begin(), league.ladder.end(),
                                                   league_.ladder.begin(), league_.ladder.end(), same))
        setCurrentCell(-1, -1);
    league_ = league;
    fill();
}

PayoffView::Pair PayoffView::current() const {
    const int row = currentRow(), column = currentColumn(), count = static_cast<int>(league_.ladder.size());
    if (row < 0 || column < 0 || row >= count || column >= count || row == column) return {};
    return {&league_.ladder[static_cast<std::size_t>(row)],
            &league_.ladder[static_cast<std::size_t>(column)]};
}

void PayoffView::fill() {
    const int count = static_cast<int>(league_.ladder.size());
    setRowCount(count);
    setColumnCount(count);
    for (int i = 0; i < count; ++i) {
        const QString name = league_.ladder[static_cast<std::size_t>(i)].name;
        auto* across = new QTableWidgetItem(countText(i + 1));
        across->setToolTip(name);
        setHorizontalHeaderItem(i, across);
        auto* down = new QTableWidgetItem(
            QStringLiteral("%1  %2").arg(countText(i + 1), elidedMiddle(name, kNameLetters)));
        down->setToolTip(name);
        setVerticalHeaderItem(i, down);
        for (int j = 0; j < count; ++j) fillCell(i, j);
    }
}

void PayoffView::fillCell(int row, int column) {
    auto* cell = item(row, column);
    if (cell == nullptr) setItem(row, column, cell = new QTableWidgetItem);
    cell->setTextAlignment(Qt::AlignCenter);
    const GameTally& games = league_.matrix[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    const bool has_games = games.games() > 0;
    const QColor back = scoreColour(theme_, games.share());
    cell->setBackground(row == column ? QBrush(QApplication::palette().color(QPalette::Window))
                                      : QBrush(back));
    cell->setForeground(has_games ? QBrush(readableOn(back)) : QBrush(theme_.quiet()));
    cell->setText(row == column ? QString() : has_games ? percentText(games.share()) : QStringLiteral("–"));
    const auto name = [&](int i) { return league_.ladder[static_cast<std::size_t>(i)].name; };
    const QString sentence = row == column ? QString()
                             : has_games   ? tr("%1 against %2: %3 wins, %4 draws, %5 losses")
                                               .arg(name(row), name(column), countText(games.wins),
                                                    countText(games.draws), countText(games.losses))
                                         : tr("%1 against %2: no games yet").arg(name(row), name(column));
    cell->setToolTip(sentence);
    cell->setData(Qt::AccessibleTextRole, sentence);
}

}  // namespace seedbed::ui
