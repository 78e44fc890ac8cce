// SPDX-License-Identifier: GPL-3.0-or-later
// Controls of a player beyond watching: take over, stop at a condition, branch and save.
#pragma once

#include <QStringList>
#include <QWidget>

class QAction;

namespace seedbed::ui {

class Chip;
class PlayPanel;
class PlayerClient;
class StopWhen;
class TraceModel;
class ViewButton;

class WatchVerbs : public QWidget {
    Q_OBJECT

public:
    // In this order; the page owns them and calls the functions below when they are triggered.
    struct Actions {
        QAction *take, *stop, *branch, *close, *save, *duel;
    };
    // `client` and `trace` must outlive this widget.
    WatchVerbs(PlayerClient& client, const TraceModel& trace, const Actions& actions,
               QWidget* parent = nullptr);

    // Takes the seat in focus, or returns the seat that is taken.
    void toggleTaken();
    void openConditions();
    // Two games continue from the row shown.
    void branch();
    // Ends the branch in focus.
    void closeBranch();
    // Writes the last 30 seconds to a file that the user chooses. `thoughts`: with the agent's estimates.
    void save(bool thoughts);
    PlayPanel& panel() { return *panel_; }

Q_SIGNALS:
    // A message for the status line.
    void told(const QString& text);

private:
    void showState();
    void showStatus();
    // For the game in focus.
    void showFocus();

    PlayerClient& client_;
    Actions actions_;
    QWidget* row_ = nullptr;
    PlayPanel* panel_ = nullptr;
    StopWhen* conditions_ = nullptr;
    ViewButton* stop_ = nullptr;
    QWidget* close_ = nullptr;
    Chip* stopped_ = nullptr;
    QStringList kept_;  // conditions, for the next player of the same environment
    QString env_;
    int branches_ = 0;
    bool focuses_branch_ = false;  // the next branch was requested here
    bool was_playing_ = false;
};

}  // namespace seedbed::ui
