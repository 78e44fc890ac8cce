// SPDX-License-Identifier: GPL-3.0-or-later
// A person plays a seat of a game: takes it, acts by keys and buttons, and returns it to the policy.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <QElapsedTimer>
#include <QJsonArray>
#include <QTimer>
#include <QWidget>

#include "core/control/player_frame.hpp"
#include "ui/models/play/play_keys.hpp"

class QComboBox;
class QKeyEvent;
class QLabel;
class QPushButton;

namespace seedbed::ui {

class Chip;
class PlayerClient;
class SceneGrid;

// Visible while the person plays.
class PlayPanel : public QWidget {
    Q_OBJECT

public:
    // `client` must outlive this widget.
    explicit PlayPanel(PlayerClient& client, QWidget* parent = nullptr);

    // Takes the seat in focus, or that of `agent` in the game in focus. If an earlier row is shown, takes it
    // in a branch that continues from that row. The player refuses seats of recorded games.
    void take(std::optional<int> agent = {});
    // Whether presses play a step while the game is paused; otherwise they are ignored.
    void setSteps(bool steps) { steps_ = steps; }
    // Pauses the game until the person's first key, and continues it; by default this player alone.
    // `is_paused` is newer than the frames, of which some are from before a request.
    void setPausing(std::function<void(bool on)> pause, std::function<bool()> is_paused) {
        pause_ = std::move(pause);
        is_paused_ = std::move(is_paused);
    }
    // The button that ends it; otherwise it returns the seat to the agent.
    void setReturn(const QString& text, const QString& tip);
    // The pictures of the same games, in which the person clicks on choices that have an area.
    void setPictures(SceneGrid& pictures);
    void giveBack();
    // A game that does not wait for its person pauses until the next key; a seat must be taken.
    void rest() { getReady(tr("Press a key to play on")); }
    bool plays() const { return seat_.has_value(); }
    // Whether the game begins or continues with the person's first key.
    bool waitsForKey() const { return ready_ != Ready::no; }
    // Whether actions are typed in a list, which has the keyboard.
    bool hasList() const { return list_ != nullptr; }
    // For the event filter of all widgets of a page: takes the keys that have a choice, and Escape, from all
    // but text fields. true: the event was used.
    bool filter(QObject* watched, QEvent* event);
    // Releases all keys and buttons, for example because the window lost the keyboard.
    void letGo();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override { return filter(watched, event); }

Q_SIGNALS:
    // The person took a seat or returned it.
    void changed();
    // An action was sent: a message about the previous one is outdated.
    void acted();

private:
    struct Seat {
        int env = 0, agent = 0;
    };
    bool handle(const QKeyEvent& event);
    void pursue();
    void askForSeat();
    void begin(Seat seat);
    void getReady(const QString& hint);
    void endGame(const QString& result);
    void pause(bool on);
    std::uint32_t gamesPlayed() const;
    void end();
    void makeButtons();
    bool isAllowed(const PlayChoice& choice, const PlayerRecord& now) const;
    void showAreas(const PlayerRecord& now);
    void showColour();
    void makeList();
    void playOnce(int choice);
    bool isFree(const QKeyEvent& event) const;
    void showHeld();
    QPushButton* makeButton(std::size_t choice);
    int choiceOf(int key) const;
    void press(int choice);
    void release(int choice);
    void act(int rows);
    QJsonArray action() const;
    bool isPaused() const;
    void showFrame();
    void showStatus();
    void showHint();

    PlayerClient& client_;
    // The step of take() that is pending.
    enum class Wish : std::uint8_t { none, branch, focus, reply };
    Wish wish_ = Wish::none;
    Seat wanted_;
    std::size_t cells_ = 0;  // before the branch
    std::optional<Seat> seat_;
    bool confirmed_ = false;        // the player's status has had the seat
    std::uint32_t generation_ = 0;  // of the rows when it was taken
    bool steps_ = true;
    std::function<void(bool)> pause_;
    std::function<bool()> is_paused_;
    // The game is paused until the person's first key.
    enum class Ready : std::uint8_t { no, asked, yes };
    Ready ready_ = Ready::no;
    QString ready_hint_, over_hint_;
    std::uint32_t episodes_ = 0;  // finished ones that the person has seen
    std::vector<PlayChoice> choices_;
    std::vector<int> held_;     // choices, the latest last
    std::vector<double> rest_;  // words without a held choice
    bool takes_turns_ = false;  // a press is one decision
    bool is_running_ = false;   // the held action continues until another one
    QElapsedTimer pressed_;
    QTimer hold_;  // until a held key of a game that waits repeats
    SceneGrid* pictures_ = nullptr;
    std::vector<int> area_choices_;  // of the areas in the pictures
    Chip* who_ = nullptr;
    QLabel* colour_ = nullptr;  // of the person's pieces
    QLabel* hint_ = nullptr;
    QPushButton* back_ = nullptr;
    QComboBox* list_ = nullptr;          // of games with many choices; else null
    std::vector<QPushButton*> buttons_;  // per choice; empty with a list
};

}  // namespace seedbed::ui
