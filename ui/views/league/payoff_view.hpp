// SPDX-License-Identifier: GPL-3.0-or-later
// The results of a league as a heat map: the score of each member against each other one.
#pragma once

#include <utility>

#include <QTableWidget>

#include "ui/models/league/league_list.hpp"

namespace seedbed::ui {

class Theme;

class PayoffView : public QTableWidget {
    Q_OBJECT
public:
    explicit PayoffView(const Theme& theme, QWidget* parent = nullptr);
    // The current cell stays as long as the members have the same places.
    void setLeague(const LeagueDetails& league);
    // The members of the row and the column of the current cell; null without a cell or if they are the same.
    using Pair = std::pair<const LeagueRow*, const LeagueRow*>;
    Pair current() const;

private:
    void fill();
    void fillCell(int row, int column);

    const Theme& theme_;
    LeagueDetails league_;
};

// The colour of a score from 0 to 1: orange below 0.5, blue above, the background at 0.5.
QColor scoreColour(const Theme& theme, double share);
// Black or white, whichever has the higher contrast (at least 4.5) to the background.
QColor readableOn(const QColor& background);

}  // namespace seedbed::ui
