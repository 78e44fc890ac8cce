// SPDX-License-Identifier: GPL-3.0-or-later
// The watch page: shows agents playing, and the decisions of the focused one.
#pragma once

#include <optional>
#include <vector>

#include "core/store/records.hpp"
#include "ui/models/charts/inspector_model.hpp"
#include "ui/models/play/player_client.hpp"
#include "ui/views/page.hpp"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace seedbed::ui {

class Card;

class SceneGrid;
class StatusLine;
class TimeLine;
class WatchVerbs;

// Runs a player while the page is visible.
class WatchPage : public Page {
    Q_OBJECT

public:
    explicit WatchPage(const Services& services);
    ~WatchPage() override;
    void open(const std::any& link) override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

    // Plays a recorded game from a file.
    void openFile(const QString& file);

    // For tests.
    PlayerClient& client() { return client_; }
    const InspectorModel& inspector() const { return inspector_; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    QWidget* makeSourceBar();
    void makeTitle(QHBoxLayout& row);
    QWidget* makeProblemBar();
    QWidget* makeControls();
    void addActions();
    void addVerbs();
    void listRuns();
    void readCheckpoints();
    void listCheckpoints(std::vector<CheckpointRecord> kept);
    void selectStep(std::int64_t step);
    void start();
    void showState();
    void applyChoices();
    void showFrame();
    void saveTime();
    void showInspector();
    void showTables();
    void showSeat();
    void step(int count);
    void seek(quint64 row);
    void showRow();
    void tell(const QString& text);
    void changeSpeed(int by);
    void focusNext();
    void askForFile();
    void forgetFile();
    void togglePause();
    PlayerSource chosenSource() const;
    void nameAgents(int branches);
    void updateStatus();
    void updateTitle();

    Services services_;
    PlayerClient client_;
    TraceModel trace_;
    InspectorModel inspector_{trace_};
    RunId chosen_before_ = 0;               // the window's run when the link was opened
    static constexpr RunId kImported = -1;  // run_ while an imported policy is shown
    RunId run_ = 0;
    QString imported_;                         // the name of that policy
    std::optional<std::int64_t> wanted_step_;  // step of the linked checkpoint, until the list is loaded
    std::vector<CheckpointRecord> kept_;       // newest first
    bool filling_ = false;                     // the program, not the user, is changing the boxes
    quint64 seed_ = 1;                         // seed of new games
    bool sample_ = false;                      // the user's choice; the box shows the player's state
    bool was_playing_ = false;
    std::optional<bool> shows_resume_;  // the icon of the button
    bool was_seated_ = false;
    bool focus_before_ = false;        // only the focus was shown before a seat was taken
    std::optional<int> speed_before_;  // the speed that taking a seat reduced
    QString note_;                     // message in the status line

    QComboBox *runs_ = nullptr, *weights_ = nullptr, *episode_ = nullptr, *agents_ = nullptr,
              *selection_ = nullptr, *speed_ = nullptr, *seat_ = nullptr;
    Card* problem_bar_ = nullptr;
    QLabel *problem_ = nullptr, *title_ = nullptr;
    StatusLine *status_ = nullptr, *subtitle_ = nullptr;
    QPushButton* train_ = nullptr;  // where there is no run
    QToolButton *back_ = nullptr, *pause_ = nullptr, *forward_ = nullptr, *alone_ = nullptr,
                *as_table_ = nullptr, *inspect_ = nullptr, *open_ = nullptr;
    SceneGrid* grid_ = nullptr;
    TimeLine* line_ = nullptr;
    WatchVerbs* verbs_ = nullptr;
    QTableView *inspected_ = nullptr, *decisions_ = nullptr;
    std::optional<quint64> table_row_;  // the step that the table shows while paused
    QStackedWidget* views_ = nullptr;
};

}  // namespace seedbed::ui
