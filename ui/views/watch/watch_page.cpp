// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/watch_page.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/settings.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/duel/duel_link.hpp"
#include "ui/views/elided_name.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/status_line.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/play_panel.hpp"
#include "ui/views/watch/scene_grid.hpp"
#include "ui/views/watch/time_line.hpp"
#include "ui/views/watch/watch_controls.hpp"
#include "ui/views/watch/watch_link.hpp"
#include "ui/views/watch/watch_verbs.hpp"

namespace seedbed::ui {
namespace {

constexpr auto kNoteTime = std::chrono::seconds(10);
constexpr std::size_t kMostWithBranches = 3;  // games, of which a person plays one
constexpr int kRunLetters = 26;               // width of the run box in characters
constexpr int kWeightsLetters = 14;           // "Newest weights"
constexpr int kMaxFileNameWidth = 260;        // pixels
constexpr int kLeastTitle = 32;               // pixels

bool isPaused(const PlayerFrame& frame) {
    return frame.paused || (frame.finished && frame.row == frame.newest_row);
}

}  // namespace

WatchPage::WatchPage(const Services& services)
    : services_(services), client_(services.launcher->program(), services.launcher->dataFolder()) {
    auto* layout = new QVBoxLayout(this);
    auto* title_row = new QHBoxLayout;
    layout->addLayout(title_row);
    QWidget* source = makeSourceBar();
    layout->addWidget(source);
    layout->addWidget(makeProblemBar());

    auto* splitter = new QSplitter(Qt::Vertical, this);
    auto* stage = new QWidget(splitter);
    grid_ = new SceneGrid(*services_.theme, stage);
    auto* card = new Card(splitter);
    auto* below = new QSplitter(card);
    views_ = new QStackedWidget(below);
    line_ = new TimeLine(*services_.theme, trace_, views_);
    views_->addWidget(line_);
    decisions_ = makeTable(views_, trace_, tr("Decisions of the focused agent, newest first"),
                           QStringLiteral("watch-decisions"));
    views_->addWidget(decisions_);
    inspected_ = makeTable(below, inspector_, tr("What the focused agent sees, would do and remembers"),
                           QStringLiteral("watch-inspected"));
    inspected_->horizontalHeader()->setStretchLastSection(true);
    inspected_->hide();
    below->setStretchFactor(0, 3);
    below->setStretchFactor(1, 2);
    splitter->addWidget(stage);
    splitter->addWidget(card);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({1000, 1});  // the time line gets its smallest height
    layout->addWidget(splitter, 1);
    addActions();
    addVerbs();
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(grid_, 1);
    train_ = new QPushButton(tr("Train an agent"), stage);
    train_->setObjectName(QStringLiteral("watch-train"));
    train_->setAccessibleName(train_->text());
    setKind(train_, ButtonKind::primary);
    train_->hide();
    connect(train_, &QPushButton::clicked, this,
            [this] { services_.navigator->openPage(QStringLiteral("start")); });
    column->addWidget(train_, 0, Qt::AlignHCenter);
    column->addWidget(verbs_);
    auto* rows = new QVBoxLayout(card);
    rows->addWidget(makeControls());
    rows->addWidget(below, 1);
    source->layout()->addWidget(open_);
    makeTitle(*title_row);
    setTabOrder(episode_, open_);
    for (QWidget* child : findChildren<QWidget*>()) child->installEventFilter(this);

    connect(grid_, &SceneGrid::focusRequested, this, [this](int agent) {
        client_.ask(QStringLiteral("focus"), {{QStringLiteral("env"), agent}});
    });
    connect(line_, &TimeLine::seekRequested, this, &WatchPage::seek);
    connect(decisions_, &QTableView::activated, this, [this](const QModelIndex& at) {
        const std::vector<PlayerRecord>& all = trace_.records();
        if (const auto row = static_cast<std::size_t>(at.row()); row < all.size())
            seek(all[all.size() - 1 - row].row);
    });
    connect(&client_, &PlayerClient::stateChanged, this, &WatchPage::showState);
    connect(&client_, &PlayerClient::frameChanged, this, &WatchPage::showFrame);
    connect(&client_, &PlayerClient::statusChanged, this, [this] {
        std::vector<int> persons;
        for (const PlayerStatus::Seat& seat : client_.status().seats) persons.push_back(seat.env);
        grid_->setRoles(client_.status().envs, persons);
        nameAgents(client_.status().branches);
    });
    connect(&client_, &PlayerClient::message, this, &WatchPage::tell);
    showInspector();
    connect(services_.runs, &RunStore::runsChanged, this, [this] {
        if (!isVisible()) return;
        saveTime();
        const bool had_run = run_ != 0;
        listRuns();
        if (had_run || run_ == 0) return;
        readCheckpoints();
        start();
    });
    showState();
}

// The members end before the widgets, which may still draw once.
WatchPage::~WatchPage() { grid_->setInspector(nullptr); }

QWidget* WatchPage::makeSourceBar() {
    auto* bar = new QWidget(this);
    auto* layout = new FlowLayout(bar);  // several rows in narrow windows
    runs_ = setName(new NameBox(kRunLetters, bar), tr("Run"), QStringLiteral("watch-run"));
    weights_ = makeBox(bar, tr("Weights"), QStringLiteral("watch-weights"));
    weights_->setMinimumContentsLength(kWeightsLetters);
    episode_ = makeBox(bar, tr("New games or a stored evaluation episode"), QStringLiteral("watch-episode"));
    episode_->addItems({tr("New games"), tr("Replay: best"), tr("Replay: median"), tr("Replay: worst")});
    agents_ = makeBox(bar, tr("Number of agents"), QStringLiteral("watch-agents"));
    for (const int count : kAgents) agents_->addItem(tr("%n agent(s)", nullptr, count), count);
    selection_ = makeBox(bar, tr("Action selection"), QStringLiteral("watch-selection"));
    selection_->addItems({tr("Greedy"), tr("Sampled")});
    for (QComboBox* each : {runs_, weights_, episode_}) layout->addWidget(each);
    seat_ = makeBox(bar, tr("Agent whose decisions are shown"), QStringLiteral("watch-seat"));
    seat_->hide();

    connect(runs_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (filling_ || index < 0) return;
        run_ = runs_->itemData(index).toLongLong();
        if (run_ != kImported) services_.runs->setChosen(run_);
        wanted_step_.reset();
        kept_.clear();
        note_.clear();
        filling_ = true;
        weights_->clear();
        forgetFile();
        filling_ = false;
        listCheckpoints({});
        readCheckpoints();
        start();
    });
    connect(weights_, &QComboBox::currentIndexChanged, this, [this] {
        if (filling_) return;
        filling_ = true;
        if (!episode_->currentData().isNull()) forgetFile();
        filling_ = false;
        note_.clear();
        start();
    });
    connect(episode_, &QComboBox::currentIndexChanged, this, [this] {
        if (filling_) return;
        note_.clear();
        start();
    });
    connect(agents_, &QComboBox::currentIndexChanged, this, [this] {
        verbs_->panel().giveBack();
        client_.ask(QStringLiteral("envs"), {{QStringLiteral("count"), agents_->currentData().toInt()}});
    });
    connect(seat_, &QComboBox::currentIndexChanged, this, [this](int agent) {
        if (filling_ || agent < 0 || !client_.frame() || verbs_->panel().plays()) return;
        client_.ask(QStringLiteral("focus"),
                    {{QStringLiteral("env"), client_.frame()->focus}, {QStringLiteral("agent"), agent}});
    });
    connect(selection_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (!filling_) sample_ = index == 1;
        if (!filling_) client_.ask(QStringLiteral("select"), {{QStringLiteral("greedy"), index == 0}});
    });
    return bar;
}

// The title line, with the buttons for the view.
void WatchPage::makeTitle(QHBoxLayout& row) {
    title_ = new ElidedLabel(this);
    title_->setObjectName(QStringLiteral("watch-title"));
    title_->setTextFormat(Qt::PlainText);
    title_->setFont(textFont(TextSize::title, QFont::DemiBold));
    title_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    title_->setMinimumWidth(kLeastTitle);
    subtitle_ = new StatusLine(this, services_.theme);
    subtitle_->setObjectName(QStringLiteral("watch-subtitle"));
    row.setSpacing(kBlockGap);
    row.addWidget(title_, 2);
    row.addWidget(subtitle_, 1);
    for (QToolButton* each : {alone_, as_table_, inspect_}) row.addWidget(each);
}

QWidget* WatchPage::makeProblemBar() {
    problem_bar_ = new Card(this);
    problem_bar_->setTone(Tone::warning);
    auto* layout = new QHBoxLayout(problem_bar_);
    problem_ = new QLabel(problem_bar_);
    makeMessage(problem_, *services_.theme, TextColour::plain);
    auto* again = new QPushButton(tr("Restart"), problem_bar_);
    again->setObjectName(QStringLiteral("watch-start-again"));
    again->setAccessibleName(again->text());
    connect(again, &QPushButton::clicked, this, &WatchPage::start);
    layout->addWidget(problem_, 1);
    layout->addWidget(again);
    problem_bar_->hide();
    return problem_bar_;
}

void WatchPage::addActions() {
    const auto add = [&](const char* id, const QString& text, const char* key, auto function) {
        return addNamedAction(QLatin1String(id), text, QLatin1String(key), function);
    };
    auto* pause = add("watch-pause", tr("Pause or resume"), "Space", [this] { togglePause(); });
    auto* back = add("watch-back", tr("One step back"), "Left", [this] { step(-1); });
    auto* forward = add("watch-forward", tr("One step forward"), "Right", [this] { step(1); });
    pause->setIcon(services_.theme->icon(QStringLiteral("pause")));
    pause_ = makeButton(this, pause);
    setKind(pause_, ButtonKind::primary);
    back_ = makeButton(this, back);
    forward_ = makeButton(this, forward);
    back->setIcon(services_.theme->icon(QStringLiteral("back")));
    forward->setIcon(services_.theme->icon(QStringLiteral("forward")));
    add("watch-slower", tr("Play slower"), "[", [this] { changeSpeed(-1); });
    add("watch-faster", tr("Play faster"), "]", [this] { changeSpeed(1); });
    add("watch-selection", tr("Switch between greedy and sampled actions"), "G", [this] {
        if (selection_->isEnabled()) selection_->setCurrentIndex(1 - selection_->currentIndex());
    });
    add("watch-next", tr("Next agent"), "N", [this] { focusNext(); });
    auto* open_file = add("watch-open", tr("Open a recorded game…"), "Ctrl+O", [this] { askForFile(); });
    open_file->setIconText(tr("Open…"));
    open_ = makeButton(this, open_file);
    open_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    auto* alone = add("watch-alone", tr("Show only the focused agent"), "F",
                      [this] { grid_->setFocusOnly(alone_->isChecked()); });
    alone->setCheckable(true);
    alone->setIconText(tr("Focus"));
    alone_ = makeButton(this, alone);
    connect(grid_, &SceneGrid::focusOnlyChanged, alone, &QAction::setChecked);
    auto* as_table =
        add("watch-table", tr("Timeline and inspector as tables"), "T", [this] { showTables(); });
    as_table->setCheckable(true);
    as_table->setIconText(tr("Table"));
    as_table_ = makeButton(this, as_table);
    auto* inspect = add("watch-inspect", tr("Inspect the focused agent"), "I", [this] { showInspector(); });
    inspect->setCheckable(true);
    inspect->setChecked(true);
    inspect->setIconText(tr("Inspect"));
    inspect_ = makeButton(this, inspect);
    add("watch-zoom-in", tr("Enlarge the pictures"), "+", [this] { grid_->zoomBy(1.5); });
    add("watch-zoom-out", tr("Reduce the pictures"), "-", [this] { grid_->zoomBy(1 / 1.5); });
    add("watch-zoom-all", tr("Show all pictures"), "0", [this] { grid_->zoomBy(0); });
    // Restarts a recording, or starts new games with the next seed.
    add("watch-newest", tr("Start new games"), "Ctrl+N", [this] {
        if (client_.about().is_replay) return client_.ask(QStringLiteral("restart"));
        ++seed_;
        start();
    });
}

void WatchPage::addVerbs() {
    const auto add = [&](const char* id, const QString& text, const QString& name, const char* key,
                         auto function) {
        QAction* action = addNamedAction(QLatin1String(id), text, QLatin1String(key), function);
        action->setIconText(name);
        return action;
    };
    QAction* take = add("watch-take", tr("Take over the focused agent"), tr("Take over"), "P",
                        [this] { verbs_->toggleTaken(); });
    QAction* stop = add("watch-stop-when", tr("Stop the game at a condition"), tr("Stop when"), "W",
                        [this] { verbs_->openConditions(); });
    QAction* branch = add("watch-branch", tr("Branch the game at this step"), tr("Branch here"), "B",
                          [this] { verbs_->branch(); });
    QAction* close = add("watch-close-branch", tr("Close the branch in focus"), tr("Close branch"), "X",
                         [this] { verbs_->closeBranch(); });
    QAction* save = add("watch-save", tr("Save the last 30 seconds"), tr("Save last 30 s…"), "Ctrl+S",
                        [this] { verbs_->save(inspect_->isChecked()); });
    QAction* duel = add("watch-duel", tr("Set this agent against another player"), tr("Duel…"), "D",
                        [this] { services_.navigator->open(DuelLink{.a = chosenSource().policy}); });
    for (QAction* each : {take, branch, close}) each->setAutoRepeat(false);
    verbs_ = new WatchVerbs(client_, trace_, {take, stop, branch, close, save, duel}, this);
    verbs_->panel().setPictures(*grid_);
    connect(verbs_, &WatchVerbs::told, this, &WatchPage::tell);
    connect(&verbs_->panel(), &PlayPanel::changed, this, &WatchPage::showSeat);
    connect(&verbs_->panel(), &PlayPanel::acted, this, [this] {
        note_.clear();
        updateStatus();
    });
}

QWidget* WatchPage::makeControls() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    speed_ = makeBox(bar, tr("Speed"), QStringLiteral("watch-speed"));
    for (const char* text : kSpeedTexts) speed_->addItem(QString::fromUtf8(text));
    speed_->addItem(tr("no limit"));
    speed_->setCurrentIndex(kOwnSpeed);
    connect(speed_, &QComboBox::currentIndexChanged, this, [this](int index) {
        client_.ask(QStringLiteral("speed"),
                    {{QStringLiteral("times"), kSpeeds[static_cast<std::size_t>(index)]}});
    });
    status_ = new StatusLine(bar);
    status_->setObjectName(QStringLiteral("watch-status"));
    for (QWidget* each : {static_cast<QWidget*>(back_), static_cast<QWidget*>(pause_),
                          static_cast<QWidget*>(forward_), static_cast<QWidget*>(speed_)})
        layout->addWidget(each);
    layout->addWidget(status_, 1);
    for (QComboBox* each : {seat_, agents_, selection_}) layout->addWidget(each);
    return bar;
}

// Space and arrow keys control the player, unless the focused control uses them or a person plays.
bool WatchPage::eventFilter(QObject* watched, QEvent* event) {
    if (verbs_->panel().filter(watched, event)) return true;
    if (event->type() == QEvent::ShortcutOverride &&
        usesKey(watched, static_cast<QKeyEvent*>(event)->key())) {
        event->accept();
        return true;
    }
    return Page::eventFilter(watched, event);
}

// The keys that are held are not released while the window has no keyboard.
bool WatchPage::event(QEvent* event) {
    if (event->type() == QEvent::WindowDeactivate) verbs_->panel().letGo();
    return Page::event(event);
}

void WatchPage::open(const std::any& link) {
    const auto* wanted = std::any_cast<WatchLink>(&link);
    const RunId before = run_, chosen = services_.runs->chosen();
    const QString imported_before = imported_;
    const WatchLink elsewhere{.run = chosen};
    const bool keeps = run_ == kImported && chosen == chosen_before_;
    if (wanted == nullptr && chosen != 0 && chosen != run_ && !keeps) wanted = &elsewhere;
    if (wanted != nullptr) {
        if (wanted->run != 0) services_.runs->setChosen(wanted->run);
        chosen_before_ = services_.runs->chosen();
        imported_ = wanted->policy;
        run_ = imported_.isEmpty() ? wanted->run : kImported;
        wanted_step_ = wanted->checkpoint_step;
        note_.clear();
        filling_ = true;
        weights_->setCurrentIndex(0);
        forgetFile();
        filling_ = false;
    }
    listRuns();
    if (run_ != before || imported_ != imported_before) listCheckpoints({});
    readCheckpoints();
    if (run_ == 0 || wanted_step_) return;
    // Without a link, the current player continues.
    const bool plays =
        client_.state() == PlayerClient::State::playing || client_.state() == PlayerClient::State::starting;
    if (wanted != nullptr || !plays) start();
}

void WatchPage::saveTime() {
    const bool saves = services_.runs->isTraining();
    client_.saveTime(saves);
    line_->saveTime(saves);
}

void WatchPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    grid_->setFocus();
    saveTime();
    listRuns();
    if (run_ != 0 && client_.state() == PlayerClient::State::closed && !wanted_step_) {
        readCheckpoints();
        start();
    }
}

void WatchPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    if (event->spontaneous()) return;
    // Branches, and the step that a person has found, cannot be repeated. A player that has exited is closed,
    // so that the page starts another one when it is shown again.
    const bool plays = client_.state() == PlayerClient::State::playing,
               paused = client_.frame() && client_.frame()->paused;
    if (plays && verbs_->panel().plays()) return verbs_->panel().rest();
    if (plays && (client_.status().branches > 0 || paused)) client_.ask(QStringLiteral("pause"));
    else client_.close();
}

PlayerSource WatchPage::chosenSource() const {
    PlayerSource source;
    source.policy = run_ == kImported ? imported_ : QString::number(run_);
    const QVariant step = weights_->currentData();
    source.file = episode_->currentData().toString();
    if (source.file.isEmpty())
        source.replay =
            QLatin1String(kKinds[static_cast<std::size_t>(std::max(0, episode_->currentIndex()))]);
    if (step.isValid()) source.policy += QStringLiteral(":%1").arg(step.toLongLong());
    source.follow = run_ != kImported && !step.isValid() && source.replay.isEmpty() && source.file.isEmpty();
    source.sample = sample_;
    source.envs = agents_->currentData().toInt();
    source.seed = seed_;
    source.speed = kSpeeds[static_cast<std::size_t>(std::max(0, speed_->currentIndex()))];
    return source;
}

void WatchPage::start() {
    const PlayerSource source = chosenSource();
    if (run_ != 0 || !source.file.isEmpty()) client_.open(source);
}

void WatchPage::askForFile() {
    const auto prepare = [](QFileDialog& dialog) {
        dialog.setFileMode(QFileDialog::ExistingFile);
        dialog.setNameFilters({tr("Recorded games (*.replay *.bin)"), tr("All files (*)")});
    };
    ui::askForFile(this, tr("Open a recorded game"), prepare,
                   [this](const QString& file) { openFile(file); });
}

void WatchPage::openFile(const QString& file) {
    filling_ = true;
    forgetFile();
    episode_->addItem(
        tr("File: %1")
            .arg(fontMetrics().elidedText(QFileInfo(file).fileName(), Qt::ElideMiddle, kMaxFileNameWidth)),
        file);
    episode_->setCurrentIndex(episode_->count() - 1);
    filling_ = false;
    note_.clear();
    start();
}

void WatchPage::forgetFile() {
    episode_->setCurrentIndex(0);
    while (episode_->count() > static_cast<int>(kKinds.size())) episode_->removeItem(episode_->count() - 1);
}

// Cycles through the agents of a game, then to the next game.
void WatchPage::focusNext() {
    const auto& frame = client_.frame();
    if (!frame || verbs_->panel().plays()) return;
    const int agents = frame->cells[static_cast<std::size_t>(frame->focus)].agents();
    const bool last = frame->focus_agent + 1 >= agents;
    const int game = last ? (frame->focus + 1) % static_cast<int>(frame->cells.size()) : frame->focus;
    client_.ask(QStringLiteral("focus"), {{QStringLiteral("env"), game},
                                          {QStringLiteral("agent"), last ? 0 : frame->focus_agent + 1}});
}

void WatchPage::showState() {
    const PlayerClient::State state = client_.state();
    problem_bar_->setVisible(state == PlayerClient::State::ended);
    showMessage(problem_, client_.problem());
    if (state == PlayerClient::State::starting) {
        grid_->setNote(tr("Starting the player…"));
        grid_->show(nullptr);
        trace_.show(nullptr);
    }
    if (state == PlayerClient::State::ended && !client_.frame()) grid_->setNote(tr("No game is playing."));
    const bool playing = state == PlayerClient::State::playing;
    if (playing && !was_playing_) applyChoices();
    was_playing_ = playing;
    if (playing) trace_.setActions(client_.about().actions);
    if (playing) inspector_.setObservations(client_.about().observations);
    filling_ = true;
    seat_->clear();
    for (int agent = 1; playing && agent <= client_.about().agents; ++agent)
        seat_->addItem(tr("Seat %1").arg(agent));
    seat_->setVisible(seat_->count() > 1);
    filling_ = false;
    const bool replay = episode_->currentIndex() > 0;
    for (QToolButton* each : {back_, pause_, forward_}) each->setEnabled(playing);
    for (QComboBox* each : {agents_, selection_}) each->setEnabled(!replay);
    updateStatus();
}

// Applies choices that the user made while the player was starting.
void WatchPage::applyChoices() {
    const PlayerSource wanted = chosenSource();
    const PlayerSource& began = client_.source();
    if (wanted.envs != began.envs)
        client_.ask(QStringLiteral("envs"), {{QStringLiteral("count"), wanted.envs}});
    if (wanted.speed != began.speed)
        client_.ask(QStringLiteral("speed"), {{QStringLiteral("times"), wanted.speed}});
    if (wanted.sample != began.sample)
        client_.ask(QStringLiteral("select"), {{QStringLiteral("greedy"), !wanted.sample}});
}

void WatchPage::showFrame() {
    const auto& frame = client_.frame();
    if (!frame) return;
    trace_.show(frame);
    if (inspect_->isChecked()) inspector_.show(client_.inspection());
    grid_->show(frame);
    const QString sentence = trace_.sentence();
    // Update screen readers only while paused.
    if (frame->paused) {
        grid_->setAccessibleDescription(sentence);
        line_->setAccessibleDescription(sentence);
    }
    filling_ = true;
    if (!client_.about().is_replay) selection_->setCurrentIndex(frame->greedy ? 0 : 1);
    seat_->setCurrentIndex(frame->focus_agent);
    filling_ = false;
    if (const bool paused = isPaused(*frame); paused != shows_resume_.value_or(!paused)) {
        shows_resume_ = paused;
        pause_->defaultAction()->setIcon(
            services_.theme->icon(paused ? QStringLiteral("resume") : QStringLiteral("pause")));
    }
    alone_->defaultAction()->setEnabled(frame->cells.size() > 1 || grid_->focusOnly());
    showRow();
    updateStatus();
}

// Inspections cost the player time, so it computes them only while they are shown.
void WatchPage::showInspector() {
    const bool on = inspect_->isChecked();
    client_.inspect(on);
    inspector_.show(client_.inspection());
    grid_->setInspector(on ? &inspector_ : nullptr);
    showTables();
}

void WatchPage::showTables() {
    views_->setCurrentIndex(as_table_->isChecked() ? 1 : 0);
    table_row_.reset();
    showRow();
    inspected_->setVisible(as_table_->isChecked() && inspect_->isChecked());
}

// The game that a person plays gets the keyboard. It is shown alone, or next to its branches.
void WatchPage::showSeat() {
    const bool plays = verbs_->panel().plays();
    if (std::exchange(was_seated_, plays) == plays) return;
    if (plays) focus_before_ = grid_->focusOnly();
    // Faster than its own speed, a game would be lost before a person sees it.
    if (plays && speed_->currentIndex() > kOwnSpeed) {
        speed_before_ = speed_->currentIndex();
        speed_->setCurrentIndex(kOwnSpeed);
    } else if (const auto before = std::exchange(speed_before_, {}); !plays && before) {
        speed_->setCurrentIndex(*before);
    }
    const auto& frame = client_.frame();
    const bool many = frame && frame->cells.size() > kMostWithBranches;
    grid_->setFocusOnly((plays && many) || focus_before_);
    if (plays && !verbs_->panel().hasList()) grid_->setFocus();
}

// Shown for a few seconds.
void WatchPage::tell(const QString& text) {
    note_ = text;
    updateStatus();
    QTimer::singleShot(kNoteTime, this, [this, text] {
        if (note_ != text) return;
        note_.clear();
        updateStatus();
    });
}

// Also in the table, which has many more steps than fit.
void WatchPage::showRow() {
    const auto& frame = trace_.frame();
    if (!frame || !as_table_->isChecked() || !frame->paused ||
        std::exchange(table_row_, frame->row) == frame->row)
        return;
    const std::vector<PlayerRecord>& all = trace_.records();
    const auto at = std::find_if(all.rbegin(), all.rend(),
                                 [&](const PlayerRecord& record) { return record.row == frame->row; });
    if (at != all.rend())
        decisions_->setCurrentIndex(
            trace_.index(static_cast<int>(at - all.rbegin()), TraceModel::row_column));
}

void WatchPage::seek(quint64 row) {
    client_.ask(QStringLiteral("pause"));
    client_.ask(QStringLiteral("seek"), {{QStringLiteral("row"), static_cast<qint64>(row)}});
}

void WatchPage::step(int count) { client_.ask(QStringLiteral("step"), {{QStringLiteral("count"), count}}); }

void WatchPage::changeSpeed(int by) {
    speed_->setCurrentIndex(std::clamp(speed_->currentIndex() + by, 0, speed_->count() - 1));
}

void WatchPage::togglePause() {
    const auto& frame = client_.frame();
    client_.ask(frame && isPaused(*frame) ? QStringLiteral("resume") : QStringLiteral("pause"));
}

namespace {

SEEDBED_REGISTER_PAGE(watch, {.order = 25,
                              .title = QT_TRANSLATE_NOOP("Page", "&Watch"),
                              .icon = "watch",
                              .make = [](const Services& s) -> Page* { return new WatchPage(s); }});

}  // namespace
}  // namespace seedbed::ui
