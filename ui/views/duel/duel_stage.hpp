// SPDX-License-Identifier: GPL-3.0-or-later
// A game of a duel on a dark stage, and below it what its players do. Thread: GUI.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "ui/models/charts/trace_model.hpp"
#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

namespace seedbed::ui {

class StatusLine;

class ChoiceBars;
class PlayerMark;
class SceneGrid;

class DuelStage : public Card {
    Q_OBJECT

public:
    // number: 0 or 1, for the names of its parts.
    DuelStage(const Services& services, int number, QWidget* parent);

    // The players' names by seat: one of a game that it plays alone, or two.
    void setNames(const QStringList& names);
    // The seat that a person plays, whose action is not known before it is executed; -1: none.
    void setPerson(int seat) { person_ = seat; }
    void setActions(const std::vector<ActionLeaf>& leaves);
    // Null: shows the note.
    void show(const std::shared_ptr<const PlayerFrame>& frame);
    void setNote(const QString& text);
    SceneGrid& grid() { return *grid_; }
    // The facts of a seat: "Step 37 · return 37 · push left 93 %".
    QString facts(int seat) const;

private:
    struct Caption {
        QWidget* box = nullptr;
        PlayerMark* mark = nullptr;
        QLabel* name = nullptr;
        StatusLine* facts = nullptr;
        ChoiceBars* bars = nullptr;
    };
    QString factsOf(const PlayerCell& cell, int seat) const;
    void showChoices(const Caption& caption, const PlayerRecord* now);

    SceneGrid* grid_;
    std::array<Caption, 2> captions_;
    std::vector<ActionNames> actions_;
    int person_ = -1;
    QString note_, shown_note_;
    std::shared_ptr<const PlayerFrame> shown_;
};

}  // namespace seedbed::ui
