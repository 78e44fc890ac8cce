// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/play/duel_text.hpp"

#include <cmath>
#include <limits>

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>

#include "ui/models/text/core_text.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

struct DuelText {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::DuelText)
};

struct Estimate95 {
    double value = 0, low = 0, high = 0;
};

Estimate95 estimateFrom(const QJsonValue& json, const char* value) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const QJsonArray interval = json[QLatin1String("ci95")].toArray();
    return {json[QLatin1String(value)].toDouble(kNone), interval.at(0).toDouble(kNone),
            interval.at(1).toDouble(kNone)};
}

QString moveText(const DuelDifference& found, const DuelNames& names, std::size_t side) {
    const QString choice = DuelText::tr("%1 chose %2").arg(names[side], found.actions[side]);
    const std::optional<double>& probability = found.probabilities[side];
    return probability ? QStringLiteral("%1 (%2)").arg(choice, shareText(*probability)) : choice;
}

QString asSentence(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

// 1: above the value, -1: below it, 0: the interval contains it.
int sideOf(const Estimate95& estimate, double value) {
    return estimate.low > value ? 1 : estimate.high < value ? -1 : 0;
}

DuelScore scoreOfGames(const QJsonObject& json, const DuelNames& names) {
    const auto count = [&](const char* key) {
        return countText(json[QLatin1String(key)][QLatin1String("n")].toInteger());
    };
    const Estimate95 score = estimateFrom(json[QLatin1String("score")], "share");
    DuelScore text;
    const QString games = countText(json[QLatin1String("games")].toInteger());
    text.numbers = DuelText::tr(
                       "Of %1 games, %2 won %3, drew %4 and lost %5 against %6: score %7 (95 % "
                       "interval %8 to %9).")
                       .arg(games, names[0], count("wins"), count("draws"), count("losses"), names[1],
                            shareText(score.value), shareText(score.low), shareText(score.high));
    const int side = sideOf(score, 0.5);
    text.better = side > 0 ? 0 : side < 0 ? 1 : -1;
    text.conclusion =
        side == 0 ? DuelText::tr("These games do not show who is stronger: the interval contains 50 %.")
                  : asSentence(DuelText::tr("%1 is stronger than %2: the interval excludes 50 %.")
                                   .arg(names[static_cast<std::size_t>(text.better)],
                                        names[static_cast<std::size_t>(1 - text.better)]));
    return text;
}

DuelScore scoreOfReturns(const QJsonObject& json, const DuelNames& names) {
    const auto interval = [](const Estimate95& estimate, auto text) {
        return DuelText::tr("%1 to %2").arg(text(estimate.low), text(estimate.high));
    };
    const Estimate95 a = estimateFrom(json[QLatin1String("a_return")], "mean"),
                     b = estimateFrom(json[QLatin1String("b_return")], "mean"),
                     difference = estimateFrom(json[QLatin1String("difference")], "mean");
    DuelScore text;
    text.numbers =
        DuelText::tr(
            "Mean return of %1 episodes: %2 for %3 (95 % interval %4), and %5 for %6 (%7). "
            "Difference: %8 (%9).")
            .arg(countText(json[QLatin1String("games")].toInteger()), shortNumber(a.value), names[0],
                 interval(a, shortNumber), shortNumber(b.value), names[1], interval(b, shortNumber),
                 signedNumber(difference.value), interval(difference, signedNumber));
    const int side = sideOf(difference, 0);
    text.better = side > 0 ? 0 : side < 0 ? 1 : -1;
    text.conclusion =
        side == 0
            ? DuelText::tr(
                  "These episodes do not show who is better: the interval of the difference contains 0.")
            : asSentence(DuelText::tr("%1 is better than %2: the interval of the difference excludes 0.")
                             .arg(names[static_cast<std::size_t>(text.better)],
                                  names[static_cast<std::size_t>(1 - text.better)]));
    return text;
}

}  // namespace

DuelDifference differenceFromJson(const QJsonObject& json) {
    DuelDifference found{.differs = json[QLatin1String("differs")].toBool(),
                         .step = json[QLatin1String("step")].toInteger(),
                         .seat = json[QLatin1String("seat")].toInt(),
                         .actions = {},
                         .probabilities = {}};
    for (std::size_t side = 0; side < 2; ++side) {
        const QJsonValue json_side = json[QLatin1String(side == 0 ? "a" : "b")];
        found.actions[side] = localNumber(coreText(json_side[QLatin1String("action_text")].toString()));
        // `policy` contains probabilities if the action is one choice, and the text is then its label.
        const QJsonArray action = json_side[QLatin1String("action")].toArray(),
                         policy = json_side[QLatin1String("policy")].toArray();
        double sum = 0;
        for (const QJsonValue& each : policy) sum += each.toDouble();
        const double choice = action.at(0).toDouble(-1);
        const bool is_choice = action.size() == 1 && choice == std::floor(choice) && choice >= 0 &&
                               choice < static_cast<double>(policy.size()) && std::abs(sum - 1) < 1e-3;
        if (is_choice) found.probabilities[side] = policy.at(static_cast<qsizetype>(choice)).toDouble();
    }
    return found;
}

QString shareText(double share) {
    if (std::isnan(share)) return shortNumber(share);
    if (share > 0 && share < 0.01) return QStringLiteral("<%1 %").arg(QLocale().toString(1));
    if (share > 0.99 && share < 1) return QStringLiteral(">%1 %").arg(QLocale().toString(99));
    return QStringLiteral("%1 %").arg(QLocale().toString(100 * share, 'f', 0));
}

QString differenceText(const DuelDifference& found, const DuelNames& names) {
    if (!found.differs)
        return DuelText::tr("They never differ: the same actions in all %1 decisions of the episode.")
            .arg(countText(found.step));
    const QString moves =
        DuelText::tr("%1, and %2", "two sentences").arg(moveText(found, names, 0), moveText(found, names, 1));
    const QString then = found.seat > 0 ? DuelText::tr("Then, in seat %1, %2.").arg(found.seat + 1).arg(moves)
                                        : DuelText::tr("Then %1.").arg(moves);
    if (found.step == 0) return DuelText::tr("They differ in their first decision: %1.").arg(moves);
    return found.step == 1 ? DuelText::tr("The same for one decision. %1").arg(then)
                           : DuelText::tr("The same for %1 decisions. %2").arg(countText(found.step), then);
}

QString returnsText(const DuelNames& names, const std::array<double, 2>& returns) {
    if (returns[0] == returns[1]) return DuelText::tr("Both reached %1.").arg(shortNumber(returns[0]));
    return DuelText::tr("In the end, %1 reached %2, and %3 reached %4.")
        .arg(names[0], shortNumber(returns[0]), names[1], shortNumber(returns[1]));
}

QString winnerText(const DuelNames& names, const std::array<double, 2>& returns) {
    if (returns[0] == returns[1])
        return DuelText::tr("The game is a draw: both have a return of %1.").arg(shortNumber(returns[0]));
    const std::size_t winner = returns[0] > returns[1] ? 0 : 1;
    // In a zero-sum game the return is the lead.
    const double lead = returns[winner];
    if (returns[0] == -returns[1] && lead == std::floor(lead))
        return asSentence(lead == 1
                              ? DuelText::tr("%1 won.").arg(names[winner])
                              : DuelText::tr("%1 won by %2 points.").arg(names[winner], shortNumber(lead)));
    return asSentence(
        DuelText::tr("%1 won, with a return of %2 against %3.")
            .arg(names[winner], shortNumber(returns[winner]), shortNumber(returns[1 - winner])));
}

DuelScore scoreFromJson(const QJsonObject& json, const DuelNames& names) {
    return json.contains(QLatin1String("score")) ? scoreOfGames(json, names) : scoreOfReturns(json, names);
}

}  // namespace seedbed::ui
