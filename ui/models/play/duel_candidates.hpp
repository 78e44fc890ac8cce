// SPDX-License-Identifier: GPL-3.0-or-later
// The players that a duel can be between: runs, imported policies, and scripted players.
#pragma once

#include <optional>
#include <vector>

#include <QJsonArray>
#include <QString>

#include "core/store/records.hpp"

namespace seedbed::ui {

// The person at the window, as a player. No other player has this name.
inline constexpr const char* kPersonPlayer = "@you";

struct DuelCandidate {
    QString player;  // as on the command line, without a step
    QString text;    // "name · CartPole · run 3 · 487.5", with its latest return
    QString env;     // empty: any environment in which it is listed
    RunId run = 0;   // 0: another policy, or a scripted player
    bool operator==(const DuelCandidate&) const = default;
};

// Runs that have trained, newest first; policies from `seedbed policies --json`; policies of members of
// `leagues` (`seedbed league list --json`); scripted players of `env`. Before them the person, if `env` is
// known.
std::vector<DuelCandidate> duelCandidates(const std::vector<RunRecord>& runs, const QJsonArray& policies,
                                          const QJsonArray& leagues, const QString& env);

// A member of a league, as on the command line.
QString leaguePlayer(const QString& league, const QString& member);
// "MEMBER of LEAGUE"; "" for another player.
QString leaguePlayerName(const QString& player);

struct DuelGame {
    int seats = 1;
    // Numbers of actions count as different if they differ by more than this, 5 % of their range; 0: there
    // are only choices.
    double tolerance = 0;
};
// With default settings. {} for environments outside this program.
DuelGame gameOf(const QString& env);

// A player as on the command line: "3:12000" is run 3 with the weights of step 12000.
struct DuelPlayerId {
    QString base;     // "3"
    QString version;  // "12000", "best" or ""

    // The step, if it is one.
    std::optional<qint64> step() const;
};
DuelPlayerId splitPlayer(const QString& player);

}  // namespace seedbed::ui
