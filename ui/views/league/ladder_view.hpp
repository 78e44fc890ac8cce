// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder of a league: ratings with their intervals as bars.
#pragma once

#include <QTableWidget>

#include "ui/models/league/league_list.hpp"

namespace seedbed::ui {

class Theme;

class LadderView : public QTableWidget {
    Q_OBJECT
public:
    enum Column { kRank, kMember, kRating, kInterval, kGames, kResults, kColumns };

    explicit LadderView(const Theme& theme, QWidget* parent = nullptr);
    // Keeps the current member.
    void setLeague(const LeagueDetails& league);
    // nullptr if no row is current.
    const LeagueRow* current() const;

Q_SIGNALS:
    void currentMemberChanged();

private:
    void fillRow(int row, const LeagueRow& member);

    const Theme& theme_;
    LeagueDetails league_;
};

// "+204", "−12": whole points with a sign.
QString pointsText(double points);

}  // namespace seedbed::ui
