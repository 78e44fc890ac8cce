// SPDX-License-Identifier: GPL-3.0-or-later
// The results of a league as a heat map: the score of each member against each other one.
#pragma once

#include <QTableWidget>

#include "ui/models/league/league_list.hpp"

namespace seedbed::ui {

class Theme;

class PayoffView : public QTableWidget {
    Q_OBJECT
public:
    explicit PayoffView(const Theme& theme, QWidget* parent = nullptr);
    void setLeague(const LeagueDetails& league);

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
