// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of the two players of a duel, who play the same environment. Thread: GUI.
#pragma once

#include <array>
#include <functional>

#include <QJsonArray>
#include <QStringList>

#include "ui/models/play/duel_text.hpp"
#include "ui/views/duel/player_choice.hpp"

class QAction;

namespace seedbed::ui {

class DuelChoices : public QWidget {
    Q_OBJECT

public:
    DuelChoices(const Services& services, QAction* swap, QWidget* parent);

    // Lists the players again, and chooses two if none are chosen.
    void list();
    void setPolicies(const QJsonArray& policies);
    void setLeagues(const QJsonArray& leagues);
    // Players as on the command line. Empty `b`: the obvious opponent. Empty `env`: that of the players.
    void choose(const QString& a, const QString& b, const QString& env);
    void swap();
    // Calls `then`, at once or when the newest weights of runs in progress have been read again. Another call
    // or another choice of players replaces it.
    void renew(std::function<void()> then);

    bool isEmpty() const { return choices_[0]->player().isEmpty(); }
    const QString& env() const { return env_; }
    const DuelGame& game() const { return game_; }
    QString player(std::size_t side) const { return choices_[side]->player(); }
    // The choice of players, which stays the same while the weights of a run in progress change.
    QString pair() const;
    // The newest weights of both, which a longer training changes; empty if one is in progress.
    QString weights() const;
    // Whether the player does not determine the environment.
    bool needsEnv(std::size_t side) const { return choices_[side]->env().isEmpty(); }
    // The player that is the person at the window; -1: none.
    int person() const;
    DuelNames names() const;
    // Why these players cannot play; "" if they can.
    QString obstacle() const;

Q_SIGNALS:
    // The user chose another player or other weights.
    void chosen();
    // The lists or the stored weights changed.
    void updated();

private:
    void follow();
    void callRenewed();
    void setEnv(const QString& env);
    void chooseOpponent();

    Services services_;
    QJsonArray policies_, leagues_;
    QString env_;
    DuelGame game_;
    std::function<void()> renewed_;  // called when no side is in `renewing_`
    std::array<bool, 2> renewing_{};
    bool waits_for_weights_ = false;  // of the first player, to choose the second one
    std::array<PlayerChoice*, 2> choices_{};
};

}  // namespace seedbed::ui
