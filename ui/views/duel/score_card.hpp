// SPDX-License-Identifier: GPL-3.0-or-later
// Plays many games of two players and shows the result with its uncertainty. Thread: GUI.
#pragma once

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

    // The match to play: arguments of `seedbed match` without --games, and the players' names. Another match
    // cancels a running one and removes the result. Empty arguments: `reason` states why there is no match.
    void setMatch(const QStringList& arguments, const DuelNames& names, const QString& reason);
    void cancel();
    bool isRunning() const { return ticket_ != 0; }
    QString text() const;

private:
    void start();
    void showIdle();
    QStringList command() const;

    Services services_;
    QStringList arguments_;
    DuelNames names_;
    QString reason_;
    quint64 ticket_ = 0;
    QLabel *sentence_, *numbers_;
    QSpinBox* games_;
    QProgressBar* progress_;
    QPushButton *start_, *cancel_, *copy_;
};

}  // namespace seedbed::ui
