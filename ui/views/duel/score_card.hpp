// SPDX-License-Identifier: GPL-3.0-or-later
// Plays many games of two players and shows the result with its uncertainty. Thread: GUI.
#pragma once

#include <map>

#include <QStringList>

#include "ui/models/play/duel_text.hpp"
#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

class QProgressBar;
class QPushButton;
class QSpinBox;

namespace seedbed::ui {

class ScoreCard : public Card {
    Q_OBJECT

public:
    ScoreCard(const Services& services, QWidget* parent);
    ~ScoreCard() override;

    // The match to play. Another pair cancels a running one; the result of each pair is kept.
    struct Match {
        QString pair{};           // the players and settings, as chosen
        QStringList arguments{};  // of `seedbed match` without --games; empty: there is no match
        DuelNames names{};
        QString note{};     // shown without a result
        QString weights{};  // the newest ones of both; results with others are not shown; empty: any
        bool operator==(const Match&) const = default;
    };
    void setMatch(const Match& match);
    // Plays the match.
    void start();
    void cancel();
    bool isRunning() const { return ticket_ != 0; }
    QString text() const;

Q_SIGNALS:
    // The user wants the match to be played.
    void wanted();

private:
    struct Result {
        DuelScore score;
        int games = 0;
        QString weights{};
    };
    void showState();
    void showText(const QString& sentence, const QString& numbers, Tone tone);
    QStringList command() const;

    Services services_;
    Match match_;
    std::map<QString, Result> results_;  // by pair
    QString problem_;                    // why the games could not be played
    quint64 ticket_ = 0;
    QLabel *sentence_, *numbers_;
    QSpinBox* games_;
    QProgressBar* progress_;
    QPushButton *start_, *more_, *cancel_, *copy_;
};

}  // namespace seedbed::ui
