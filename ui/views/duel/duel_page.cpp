// SPDX-License-Identifier: GPL-3.0-or-later
// The page that sets two players against each other: the same episode side by side up to the first different
// decision, or one game of two players, and the score over many games.
#include <algorithm>
#include <optional>

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/play/duel_players.hpp"
#include "ui/models/play/duel_text.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/duel/duel_choices.hpp"
#include "ui/views/duel/duel_link.hpp"
#include "ui/views/duel/duel_stage.hpp"
#include "ui/views/duel/duel_verdict.hpp"
#include "ui/views/duel/score_card.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/page.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/page_stack.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/play_panel.hpp"
#include "ui/views/watch/scene_grid.hpp"
#include "ui/views/watch/watch_controls.hpp"

namespace seedbed::ui {
namespace {

constexpr std::size_t kFirstDuelSpeed = 1, kLastDuelSpeed = 6;  // of kSpeeds; every row of these is stored
constexpr std::size_t kRealTime = 3;
constexpr int kMostSeed = 1'000'000'000;

class DuelPage : public Page {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::DuelPage)

public:
    explicit DuelPage(const Services& services)
        : services_(services),
          players_(new DuelPlayers(services.launcher->program(), services.launcher->dataFolder(), this)) {
        makeActions();
        auto* outer = new QVBoxLayout(this);
        stack_ = new PageStack(this);
        outer->addWidget(stack_);
        const EmptyState empty =
            emptyState(QStringLiteral("duel"), train_, *services_.theme, "duel", "watch", stack_);
        empty.text->setText(
            tr("There is no agent to play yet. Train one: then you can set it against earlier "
               "weights of itself, against another run or against a scripted player, and see "
               "where they part ways."));
        stack_->addWidget(empty.widget);
        stack_->addWidget(makeContent());
        for (QWidget* child : findChildren<QWidget*>()) child->installEventFilter(this);
        connect(players_, &DuelPlayers::stateChanged, this, [this] { playersChanged(); });
        connect(players_, &DuelPlayers::moved, this, [this] { showFrames(); });
        connect(choices_, &DuelChoices::updated, this, [this] {
            // The link to a run that does not exist.
            if (phase_ == Phase::preparing && !choices_->obstacle().isEmpty()) stop();
            else showAll();
        });
        connect(choices_, &DuelChoices::chosen, this, [this] { stop(); });
        connect(services_.runs, &RunStore::runsChanged, this, [this] {
            if (!isVisible()) return;
            choices_->list();
            saveTime();
        });
        showAll();
    }

    void open(const std::any& link) override {
        services_.launcher->ask({QStringLiteral("policies")}, this, [this](const CommandReply& reply) {
            choices_->setPolicies(reply.json.array());
        });
        services_.launcher->ask(
            {QStringLiteral("league"), QStringLiteral("list")}, this,
            [this](const CommandReply& reply) { choices_->setLeagues(reply.json.array()); });
        if (const auto* wanted = std::any_cast<DuelLink>(&link)) {
            stop();
            choices_->choose(wanted->a, wanted->b, wanted->env);
            opening_ = 0;
            if (wanted->rules) {
                selects_->setCurrentIndex(wanted->rules->samples ? 1 : 0);
                opening_ = wanted->rules->opening;
                opening_pair_ = choices_->pair();
            }
            starts_ = !wanted->a.isEmpty() && !wanted->b.isEmpty();
        } else {
            choices_->list();
        }
        if (isVisible() && std::exchange(starts_, false)) start();
    }

    QVariantMap saveState() const override {
        return {{QStringLiteral("a"), choices_->player(0)},
                {QStringLiteral("b"), choices_->player(1)},
                {QStringLiteral("env"), choices_->env()},
                {QStringLiteral("seed"), seed_->value()},
                {QStringLiteral("sample"), selects_->currentIndex()},
                {QStringLiteral("speed"), speed_->currentIndex()}};
    }
    void restoreState(const QVariantMap& state) override {
        const auto text = [&](const char* key) { return state[QLatin1String(key)].toString(); };
        choices_->choose(text("a"), text("b"), text("env"));
        seed_->setValue(state[QStringLiteral("seed")].toInt());
        selects_->setCurrentIndex(state[QStringLiteral("sample")].toInt());
        speed_->setCurrentIndex(state[QStringLiteral("speed")].toInt());
        showAll();
    }

protected:
    void showEvent(QShowEvent* event) override {
        Page::showEvent(event);
        choices_->list();
        if (std::exchange(starts_, false)) start();
        else if (phase_ == Phase::idle && start_->isEnabled()) start_button_->setFocus();
        else stages_[0]->grid().setFocus();
    }
    void hideEvent(QHideEvent* event) override {
        Page::hideEvent(event);
        if (event->spontaneous()) return;
        if (phase_ == Phase::preparing) stop();
        players_->pause();
    }
    // Space, arrow keys and letters control the players, unless the focused control uses them.
    bool eventFilter(QObject* watched, QEvent* event) override {
        for (PlayPanel* panel : panels_)
            if (panel != nullptr && panel->filter(watched, event)) return true;
        if (event->type() == QEvent::ShortcutOverride &&
            usesKey(watched, static_cast<QKeyEvent*>(event)->key())) {
            event->accept();
            return true;
        }
        return Page::eventFilter(watched, event);
    }

    bool event(QEvent* event) override {
        if (event->type() == QEvent::WindowDeactivate)
            for (PlayPanel* panel : panels_) panel->letGo();
        return Page::event(event);
    }

private:
    enum class Phase { idle, preparing, begun };

    // --- parts

    void makeActions() {
        const auto add = [this](const char* id, const QString& text, const char* key, const char* icon,
                                std::function<void()> done) {
            QAction* action = addNamedAction(QLatin1String(id), text, QLatin1String(key), std::move(done));
            if (*icon != 0) action->setIcon(services_.theme->icon(QLatin1String(icon)));
            return action;
        };
        start_ = add("duel-start", tr("Start the duel"), "Ctrl+Return", "start", [this] { start(); });
        pause_ = add("duel-pause", tr("Pause or resume"), "Space", "pause", [this] {
            if (players_->isPaused()) players_->play();
            else players_->pause();
        });
        back_ = add("duel-back", tr("One step back"), "Left", "back", [this] { players_->step(-1); });
        forward_ =
            add("duel-forward", tr("One step forward"), "Right", "forward", [this] { players_->step(1); });
        play_on_ = add("duel-play-on", tr("Play on"), "P", "", [this] {
            stages_[0]->grid().setFocus();  // the button disappears
            players_->play();
        });
        again_ = add("duel-again", tr("From the beginning"), "R", "", [this] {
            stages_[0]->grid().setFocus();
            if (person_ >= 0 && returns_) return start();  // the person has to take the seat again
            returns_.reset();
            players_->restart();
        });
        next_ = add("duel-next", tr("Next seed"), "N", "", [this] {
            seed_->setValue(seed_->value() + 1);
            start();
        });
        swap_ = add("duel-swap", tr("Swap the players"), "X", "swap", [this] {
            const bool shown = phase_ != Phase::idle;
            choices_->swap();
            if (shown) start();
        });
        train_ = add("duel-train", tr("Train an agent"), "", "start",
                     [this] { services_.navigator->open(StartLink{}); });
    }

    QWidget* makeContent() {
        auto* area = new QScrollArea(stack_);
        area->setFrameShape(QFrame::NoFrame);
        area->setWidgetResizable(true);
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area->setFocusPolicy(Qt::NoFocus);
        auto* content = new QWidget(area);
        auto* column = new QVBoxLayout(content);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(kGrid + 4);
        column->addWidget(makeHead(content));
        choices_ = new DuelChoices(services_, swap_, content);
        column->addWidget(choices_);
        column->addWidget(makeProblemCard(content));
        auto* stages = new QHBoxLayout;
        stages->setSpacing(kGrid + 4);
        for (int side = 0; side < 2; ++side) {
            stages_[static_cast<std::size_t>(side)] = new DuelStage(services_, side, content);
            stages->addWidget(stages_[static_cast<std::size_t>(side)], 1);
        }
        column->addLayout(stages, 1);
        for (int side = 0; side < 2; ++side) {
            panels_[static_cast<std::size_t>(side)] = new PlayPanel(players_->client(side), content);
            PlayPanel* panel = panels_[static_cast<std::size_t>(side)];
            panel->setPictures(stages_[static_cast<std::size_t>(side)]->grid());
            panel->setSteps(false);  // both players are at the same row
            panel->setPausing(
                [this](bool on) {
                    if (on) players_->pause();
                    else players_->play();
                },
                [this] { return players_->isPaused(); });
            panel->setReturn(tr("Stop"), tr("Ends the duel (Esc)"));
            column->addWidget(panel);
            // Without its person the duel is over.
            connect(panel, &PlayPanel::changed, this, [this, panel] {
                if (phase_ == Phase::begun && panel->plays() && !players_->hasBegun())
                    players_->begin(std::nullopt, !panel->waitsForKey());
                if (phase_ == Phase::begun && person_ >= 0 && !panel->plays() && problem_card_->isHidden() &&
                    !returns_)
                    stop();
            });
            connect(panel, &PlayPanel::acted, this, [this] { services_.navigator->showStatus({}); });
            connect(&players_->client(side), &PlayerClient::message, this,
                    [this](const QString& text) { services_.navigator->showStatus(text); });
        }
        column->addWidget(makeTransport(content));
        verdict_ = new DuelVerdict(*services_.theme, {play_on_, next_, again_}, content);
        column->addWidget(verdict_);
        score_ = new ScoreCard(services_, content);
        connect(score_, &ScoreCard::wanted, this, [this] { choices_->renew([this] { score_->start(); }); });
        column->addWidget(score_);
        area->setWidget(content);
        return area;
    }

    QWidget* makeHead(QWidget* parent) {
        auto* head = new QWidget(parent);
        auto* row = new QHBoxLayout(head);
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(pageTitle(tr("Duel"), head));
        row->addStretch(1);
        seed_ = new QSpinBox(head);
        seed_->setObjectName(QStringLiteral("duel-seed"));
        seed_->setAccessibleName(tr("Seed of the episode"));
        seed_->setToolTip(tr("Both players get the same episode: the one with this seed"));
        seed_->setRange(0, kMostSeed);
        seed_->setValue(1);
        seed_->setPrefix(tr("seed "));
        selects_ = makeBox(head, tr("Action selection"), QStringLiteral("duel-selection"));
        selects_->addItems({tr("Greedy"), tr("Sampled")});
        start_button_ = actionButton(start_, head);
        for (QWidget* each : {static_cast<QWidget*>(seed_), static_cast<QWidget*>(selects_),
                              static_cast<QWidget*>(start_button_)})
            row->addWidget(each);
        connect(seed_, &QSpinBox::valueChanged, this, [this] { stop(); });
        connect(selects_, &QComboBox::currentIndexChanged, this, [this] { stop(); });
        return head;
    }

    QWidget* makeProblemCard(QWidget* parent) {
        problem_card_ = new Card(parent);
        problem_card_->setTone(Tone::warning);
        auto* row = new QHBoxLayout(problem_card_);
        problem_ = new QLabel(problem_card_);
        problem_->setObjectName(QStringLiteral("duel-problem"));
        makeMessage(problem_, *services_.theme, TextColour::plain);
        auto* again = new QPushButton(tr("Restart"), problem_card_);
        again->setObjectName(QStringLiteral("duel-restart"));
        again->setAccessibleName(again->text());
        setKind(again, ButtonKind::primary);
        connect(again, &QPushButton::clicked, this, [this] { start(); });
        row->addWidget(problem_, 1);
        row->addWidget(again);
        problem_card_->hide();
        return problem_card_;
    }

    QWidget* makeTransport(QWidget* parent) {
        auto* bar = new QWidget(parent);
        auto* row = new FlowLayout(bar);
        for (QAction* action : {back_, pause_, forward_}) {
            auto* button = makeButton(bar, action);
            button->setObjectName(action->objectName() + QStringLiteral("-button"));
            row->addWidget(button);
        }
        speed_ = makeBox(bar, tr("Speed"), QStringLiteral("duel-speed"));
        for (std::size_t i = kFirstDuelSpeed; i <= kLastDuelSpeed; ++i)
            speed_->addItem(QString::fromUtf8(kSpeedTexts[i]), kSpeeds[i]);
        speed_->setCurrentIndex(static_cast<int>(kRealTime - kFirstDuelSpeed));
        connect(speed_, &QComboBox::currentIndexChanged, this,
                [this] { players_->setSpeed(speed_->currentData().toDouble()); });
        row->addWidget(speed_);
        return bar;
    }

    // --- the duel

    QStringList arguments(const char* command) const {
        QStringList words{QLatin1String(command), choices_->player(0), choices_->player(1)};
        if (choices_->needsEnv(0) || choices_->needsEnv(1))
            words << QStringLiteral("--env") << choices_->env();
        if (selects_->currentIndex() == 1) words << QStringLiteral("--sample");
        return words;
    }

    // Random decisions at the beginning of the games of the score: those of the league whose match is shown.
    int opening() const { return choices_->pair() == opening_pair_ ? opening_ : 0; }
    QStringList matchArguments() const {
        QStringList words = arguments("match");
        if (opening() > 0) words << QStringLiteral("--opening") << QString::number(opening());
        return words;
    }
    QString scoreNote() const {
        if (opening() > 0)
            return tr(
                "The games of the score begin with %n random decision(s), as in the league; the game "
                "above does not.",
                nullptr, opening());
        if (choices_->game().seats > 1)
            return tr("One game shows how they play; the score over many games shows who is better.");
        return tr(
            "One game shows where they differ, not who is better. Many games on other "
            "seeds give a score with its uncertainty.");
    }

    PlayerSource source(std::size_t side) const {
        // The other player's policy plays until the person has the seat.
        if (choices_->person() == static_cast<int>(side)) side = 1 - side;
        PlayerSource source{.policy = choices_->player(side)};
        // Both play in the environment of the first player that has one, as `seedbed duel` does.
        const std::size_t owner = choices_->needsEnv(0) ? 1 : 0;
        if (choices_->needsEnv(owner)) source.env = choices_->env();
        else if (side != owner) source.env_of = choices_->player(owner);
        source.sample = selects_->currentIndex() == 1;
        source.seed = static_cast<quint64>(seed_->value());
        source.speed = speed_->currentData().toDouble();
        return source;
    }

    void start() {
        stop();
        if (!choices_->obstacle().isEmpty()) return;
        phase_ = Phase::preparing;
        choices_->renew([this] {
            if (phase_ == Phase::preparing) open();
        });
    }

    void open() {
        names_ = choices_->names();
        game_ = choices_->game();
        person_ = choices_->person();
        // A key that the person still holds when the game ends would step back from the result.
        back_->setShortcut(person_ < 0 ? QKeySequence(Qt::Key_Left) : QKeySequence());
        forward_->setShortcut(person_ < 0 ? QKeySequence(Qt::Key_Right) : QKeySequence());
        for (DuelStage* stage : stages_) stage->setPerson(-1);
        if (game_.seats > 1) {
            PlayerSource game = source(0);
            if (person_ < 0) game.against = choices_->player(1);
            players_->open({game});
        } else {
            players_->open({source(0), source(1)});
            if (person_ < 0) findDifference();
        }
        saveTime();
        showAll();
        stages_[0]->grid().setFocus();
    }

    void findDifference() {
        QStringList words = arguments("duel");
        words << QStringLiteral("--seed") << QString::number(seed_->value()) << QStringLiteral("--stop");
        if (game_.tolerance > 0) words << QStringLiteral("--tolerance") << QString::number(game_.tolerance);
        ticket_ = services_.launcher->ask(words, this, [this](const CommandReply& reply) {
            ticket_ = 0;
            if (reply.ok()) found_ = differenceFromJson(reply.json.object());
            else unknown_ = reply.error;
            playersChanged();
        });
    }

    void stop() {
        services_.launcher->cancel(std::exchange(ticket_, 0));
        phase_ = Phase::idle;
        players_->close();
        found_.reset();
        returns_.reset();
        unknown_.clear();
        showAll();
    }

    // Drawing leaves the cores to runs in progress.
    void saveTime() {
        for (int side = 0; side < players_->count(); ++side)
            players_->client(side).saveTime(services_.runs->isTraining());
    }

    void playersChanged() {
        const bool searched = game_.seats > 1 || person_ >= 0 || found_ || !unknown_.isEmpty();
        if (phase_ == Phase::preparing && players_->isReady() && searched) {
            phase_ = Phase::begun;
            for (int side = 0; side < players_->count(); ++side)
                stages_[static_cast<std::size_t>(side)]->setActions(players_->client(side).about().actions);
            const bool stops = found_ && found_->differs;
            // A person's game begins when the seat is taken; the agent would play it until then.
            if (person_ >= 0) takeSeat();
            else players_->begin(stops ? std::optional<qint64>(found_->step) : std::nullopt);
        }
        showAll();
    }

    void takeSeat() {
        const bool alone = game_.seats == 1;
        const int seat = alone ? 0 : person_;
        const auto side = static_cast<std::size_t>(alone ? person_ : 0);
        stages_[side]->setPerson(seat);
        panels_[side]->take(seat);
    }

    // --- contents

    void showAll() {
        if (score_ == nullptr) return;  // while the page is made
        stack_->setCurrentIndex(choices_->isEmpty() ? 0 : 1);
        const QString why = choices_->obstacle();
        const DuelGame& game = phase_ == Phase::idle ? choices_->game() : game_;
        const DuelNames shown = phase_ == Phase::idle ? choices_->names() : names_;
        const bool two_seats = game.seats > 1;
        stages_[1]->setVisible(!two_seats);
        if (two_seats) stages_[0]->setNames({shown[0], shown[1]});
        for (std::size_t side = 0; side < 2 && !two_seats; ++side) stages_[side]->setNames({shown[side]});
        QStringList problems;
        for (int side = 0; side < players_->count(); ++side)
            if (players_->client(side).state() == PlayerClient::State::ended)
                problems << tr("%1: %2").arg(shown[static_cast<std::size_t>(side)],
                                             players_->client(side).problem());
        showMessage(problem_, problems.join(QLatin1Char('\n')));
        problem_card_->setVisible(!problems.isEmpty());
        for (DuelStage* stage : stages_)
            stage->setNote(!problems.isEmpty()     ? tr("No game is playing.")
                           : phase_ == Phase::idle ? tr("Start the duel to see them play.")
                                                   : tr("Starting the players…"));
        const bool scores = choices_->game().seats <= 2;
        const bool person = choices_->person() >= 0;
        score_->setVisible(!person);
        score_->setMatch({.pair = QStringLiteral("%1 %2 %3")
                                      .arg(choices_->pair())
                                      .arg(selects_->currentIndex())
                                      .arg(opening()),
                          .arguments = why.isEmpty() && scores && !person ? matchArguments() : QStringList(),
                          .names = choices_->names(),
                          .note = !scores          ? tr("Scores need an environment with one or two seats.")
                                  : !why.isEmpty() ? why
                                                   : scoreNote(),
                          .weights = choices_->weights()});
        start_->setEnabled(why.isEmpty());
        start_button_->setText(phase_ == Phase::idle ? start_->text() : tr("Restart the duel"));
        showFrames();
    }

    void showFrames() {
        const int count = players_->count();
        for (int side = 0; side < 2; ++side)
            stages_[static_cast<std::size_t>(side)]->show(side < count ? players_->frame(side) : nullptr);
        if (players_->hasEnded() && !returns_) {
            const auto &a = players_->frame(0), &b = count == 2 ? players_->frame(1) : a;
            returns_ = {a->cells.front().last_return,
                        count == 2 ? b->cells.front().last_return : b->cells.front().lastReturnOf(1)};
            for (PlayPanel* panel : panels_) panel->giveBack();
        }
        showVerdict();
    }

    void showVerdict() {
        const bool begun = phase_ == Phase::begun && problem_card_->isHidden(),
                   ended = begun && players_->hasEnded(), paused = begun && players_->isPaused();
        play_on_->setVisible(paused && !ended);
        again_->setVisible(paused && players_->reached() > 0);
        next_->setVisible(paused);
        for (QAction* action : {pause_, back_, forward_}) action->setEnabled(begun);
        pause_->setIcon(
            services_.theme->icon(paused || !begun ? QStringLiteral("resume") : QStringLiteral("pause")));
        verdict_->setPrimary(true);
        const bool is_next = problem_card_->isHidden() && phase_ != Phase::begun;
        setKind(start_button_, is_next ? ButtonKind::primary : ButtonKind::plain);
        const auto [sentence, details, tone] = verdictNow();
        verdict_->setVerdict(sentence, details, tone);
    }

    struct Verdict {
        QString sentence, details;
        Tone tone = Tone::plain;
    };
    Verdict verdictNow() const {
        const DuelGame& game = phase_ == Phase::idle ? choices_->game() : game_;
        const bool two_seats = game.seats > 1;
        if (const QString why = choices_->obstacle(); phase_ == Phase::idle && !why.isEmpty())
            return {why, tr("Choose other players or weights above."), Tone::warning};
        if (phase_ == Phase::idle && choices_->person() >= 0)
            return {two_seats ? tr("One game against you.") : tr("The same episode for you and the agent."),
                    tr("Your keys are shown when it begins.")};
        if (phase_ == Phase::idle)
            return {two_seats ? tr("One game against each other.") : tr("The same episode for both."),
                    two_seats
                        ? tr("Both see different sides of it, so there is no common decision to compare.")
                        : tr("The duel pauses where their decisions first differ.")};
        if (!problem_card_->isHidden())
            return {tr("A player stopped."), tr("Restart the duel, or choose other players.")};
        if (phase_ == Phase::preparing)
            return {two_seats || person_ >= 0 ? tr("Starting the game…")
                                              : tr("Looking for the first different decision…"),
                    {}};
        const QString end = !returns_   ? QString()
                            : two_seats ? winnerText(names_, *returns_)
                                        : returnsText(names_, *returns_);
        if (two_seats)
            return returns_ ? Verdict{end, tr("Swap the players for a fair second game.")}
                            : Verdict{tr("The game is in progress."), {}};
        if (person_ >= 0)
            return returns_ ? Verdict{end, {}}
                            : Verdict{tr("You play the same episode as the agent."),
                                      tr("The agent waits for you.")};
        if (!found_)
            return {tr("The first different decision is not known."),
                    end.isEmpty() ? unknown_ : QStringLiteral("%1 %2").arg(unknown_, end), Tone::warning};
        if (players_->reached() < found_->step)
            return {tr("The same so far."), tr("The duel pauses where their decisions first differ.")};
        QString details = end;
        if (details.isEmpty() && found_->differs && players_->isPaused() &&
            players_->reached() == found_->step)
            details = tr("Paused at the first different decision.");
        if (end.isEmpty() && found_->differs && game_.tolerance > 0)
            details = tr("Numbers count as different if they differ by more than %1, 5 % of their range.")
                          .arg(shortNumber(game_.tolerance));
        return {differenceText(*found_, names_), details};
    }

    Services services_;
    DuelPlayers* players_;
    Phase phase_ = Phase::idle;
    bool starts_ = false;  // when the page is shown
    int opening_ = 0;      // of the match of a league, between the players `opening_pair_`
    QString opening_pair_;
    int person_ = -1;  // the player that is the person at the window
    DuelNames names_;  // of the duel that is shown
    DuelGame game_;
    quint64 ticket_ = 0;  // of the command that looks for the difference; 0: none
    std::optional<DuelDifference> found_;
    QString unknown_;  // why the difference was not found
    std::optional<std::array<double, 2>> returns_;

    QAction *start_ = nullptr, *pause_ = nullptr, *back_ = nullptr, *forward_ = nullptr, *play_on_ = nullptr,
            *again_ = nullptr, *next_ = nullptr, *swap_ = nullptr, *train_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    DuelChoices* choices_ = nullptr;
    std::array<DuelStage*, 2> stages_{};
    std::array<PlayPanel*, 2> panels_{};  // of the clients
    QSpinBox* seed_ = nullptr;
    QComboBox *selects_ = nullptr, *speed_ = nullptr;
    QPushButton* start_button_ = nullptr;
    Card* problem_card_ = nullptr;
    QLabel* problem_ = nullptr;
    DuelVerdict* verdict_ = nullptr;
    ScoreCard* score_ = nullptr;
};

SEEDBED_REGISTER_PAGE(duel, {.order = 27,
                             .title = QT_TRANSLATE_NOOP("Page", "&Duel"),
                             .icon = "duel",
                             .make = [](const Services& s) -> Page* { return new DuelPage(s); }});

}  // namespace
}  // namespace seedbed::ui
