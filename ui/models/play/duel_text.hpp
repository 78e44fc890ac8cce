// SPDX-License-Identifier: GPL-3.0-or-later
// The replies of `seedbed duel` and `seedbed match` in sentences.
#pragma once

#include <array>
#include <optional>

#include <QJsonObject>
#include <QString>

namespace seedbed::ui {

// The players' names in sentences, for example "run 3" and "random".
using DuelNames = std::array<QString, 2>;

// The first different decision in the same episode.
struct DuelDifference {
    bool differs = false;
    qint64 step = 0;  // decisions before it, or in the whole episode
    int seat = 0;     // whose actions differ
    std::array<QString, 2> actions;
    std::array<std::optional<double>, 2> probabilities;  // of one discrete choice
};
// From `seedbed duel --json`.
DuelDifference differenceFromJson(const QJsonObject& json);

// "93 %"; "<1 %" and ">99 %" for what is not exactly 0 or 1.
QString shareText(double share);
// "The same for 37 decisions. Then run 3 chose push left (93 %), and run 2 chose push right (71 %)."
QString differenceText(const DuelDifference& found, const DuelNames& names);
// The returns of two separate games.
QString returnsText(const DuelNames& names, const std::array<double, 2>& returns);
// The winner of a game of two players.
QString winnerText(const DuelNames& names, const std::array<double, 2>& returns);

struct DuelScore {
    QString numbers;     // with intervals
    QString conclusion;  // whether they show a difference
    int better = -1;     // the player that is better; -1: no difference is visible
};
// From `seedbed match --json`.
DuelScore scoreFromJson(const QJsonObject& json, const DuelNames& names);

}  // namespace seedbed::ui
