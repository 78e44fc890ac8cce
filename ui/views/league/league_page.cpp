// SPDX-License-Identifier: GPL-3.0-or-later
// The page of leagues: the ladder with its intervals, the results as a heat map, members, and matches.
#include <algorithm>

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/league/league_list.hpp"
#include "ui/models/play/duel_candidates.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/duel/duel_link.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/league/ladder_view.hpp"
#include "ui/views/league/league_dialogs.hpp"
#include "ui/views/league/payoff_view.hpp"
#include "ui/views/league/train_league_dialog.hpp"
#include "ui/views/league/versions_view.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/page.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/page_stack.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kSideBySide = 1000;  // width from which ladder and heat map are side by side
constexpr int kDefaultRounds = 5, kDefaultGames = 20;

class LeaguePage : public Page {
    Q_OBJECT

public:
    explicit LeaguePage(const Services& services) : services_(services), list_(*services.leagues) {
        auto* layout = new QVBoxLayout(this);
        makeActions();
        layout->addWidget(makeHead());
        note_ = new QLabel(this);
        note_->setObjectName(QStringLiteral("league-note"));
        makeMessage(note_, *services_.theme, TextColour::quiet);
        layout->addWidget(note_);
        stack_ = new PageStack(this);
        stack_->addWidget(makeEmptyState());
        stack_->addWidget(makeTables());
        layout->addWidget(stack_, 1);
        connect(&list_, &LeagueList::changed, this, &LeaguePage::showAll);
        connect(leagues_, &QComboBox::activated, this,
                [this] { list_.choose(leagues_->currentData().toString()); });
        connect(ladder_, &LadderView::currentMemberChanged, this, &LeaguePage::updateActions);
        connect(ladder_, &QTableWidget::cellActivated, this, &LeaguePage::openRun);
        connect(payoff_, &QTableWidget::currentCellChanged, this, &LeaguePage::updateActions);
        connect(payoff_, &QTableWidget::cellActivated, watch_, &QAction::trigger);
        showAll();
    }

    void open(const std::any&) override { list_.refresh(); }

protected:
    void showEvent(QShowEvent* event) override {
        Page::showEvent(event);
        list_.setWatched(true);
    }
    void hideEvent(QHideEvent* event) override {
        Page::hideEvent(event);
        list_.setWatched(false);
    }
    void resizeEvent(QResizeEvent* event) override {
        Page::resizeEvent(event);
        tables_->setOrientation(event->size().width() >= kSideBySide ? Qt::Horizontal : Qt::Vertical);
    }

private:
    // --- parts

    void makeActions() {
        const auto add = [&](const char* id, const char* icon, const QString& text, const QString& shortcut,
                             std::function<void()> done) {
            QAction* action = addNamedAction(QLatin1String(id), text, shortcut, std::move(done));
            action->setIcon(services_.theme->icon(QLatin1String(icon)));
            return action;
        };
        new_ =
            add("league-new", "add", tr("New league…"), QStringLiteral("Ctrl+N"), [this] { askForLeague(); });
        add_ = add("league-add", "add", tr("Add members…"), QStringLiteral("Ctrl+M"),
                   [this] { askForMembers(); });
        toggle_ = add("league-toggle", "pause", tr("Exclude the member"), QStringLiteral("Ctrl+D"), [this] {
            if (const LeagueRow* member = ladder_->current())
                list_.setActive(list_.shown().name, *member, !member->is_active);
        });
        play_ = add("league-play", "start", tr("Play matches"), QStringLiteral("Ctrl+Return"),
                    [this] { list_.play(list_.shown().name, rounds_->value(), games_->value()); });
        stop_ = add("league-stop", "stop", tr("Stop the matches"), QStringLiteral("Ctrl+."),
                    [this] { list_.stop(); });
        follow_ = add("league-follow", "resume", tr("Follow a run…"), QStringLiteral("Ctrl+U"), [this] {
            if (list_.isFollowing()) list_.stopFollowing();
            else askForRun();
        });
        train_ = add("league-train", "start", tr("Train agents…"), QStringLiteral("Ctrl+T"), [this] {
            if (list_.isTraining()) list_.stopTraining();
            else askForTraining();
        });
        follow_->setToolTip(tr("Versions of a run join while it trains"));
        challenge_ = add("league-challenge", "duel", tr("Play against it"), QStringLiteral("Ctrl+G"), [this] {
            if (const LeagueRow* member = ladder_->current())
                openDuel(QLatin1String(kPersonPlayer), duelPlayer(*member));
        });
        challenge_->setToolTip(tr("A game between you and the member that is selected in the ladder"));
        watch_ = add("league-watch", "watch", tr("Watch this match"), QStringLiteral("Ctrl+J"), [this] {
            const auto [a, b] = payoff_->current();
            if (a != nullptr) openDuel(duelPlayer(*a), duelPlayer(*b));
        });
        add("league-refresh", "reset", tr("Reload the leagues"), QStringLiteral("F5"),
            [this] { list_.refresh(); });
    }

    QSpinBox* spinBox(QWidget* parent, const char* id, const QString& name, int value) {
        auto* box = new QSpinBox(parent);
        box->setObjectName(QLatin1String(id));
        box->setAccessibleName(name);
        box->setRange(1, 1'000'000);
        box->setValue(value);
        return box;
    }

    QWidget* makeHead() {
        auto* head = new QWidget(this);
        auto* layout = new FlowLayout(head);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(pageTitle(tr("Leagues"), head));
        leagues_ = new NameBox(18, head);
        leagues_->setObjectName(QStringLiteral("leagues"));
        leagues_->setAccessibleName(tr("League"));
        layout->addWidget(leagues_);
        head_new_ = actionButton(new_, head);
        layout->addWidget(head_new_);
        return head;
    }

    QWidget* makeEmptyState() {
        const EmptyState empty =
            emptyState(QStringLiteral("league"), new_, *services_.theme, "league", "self-play", this);
        empty_ = empty.text;
        create_ = empty.button;
        return empty.widget;
    }

    QWidget* makeTables() {
        auto* part = new QWidget(this);
        auto* layout = new QVBoxLayout(part);
        layout->setContentsMargins(0, 0, 0, 0);
        facts_ = new QLabel(part);
        facts_->setObjectName(QStringLiteral("league-facts"));
        facts_->setWordWrap(true);
        layout->addWidget(facts_);
        layout->addWidget(makeControls(part));
        progress_ = new QProgressBar(part);
        progress_->setObjectName(QStringLiteral("league-progress"));
        progress_->setAccessibleName(tr("Progress of the matches"));
        layout->addWidget(progress_);
        tables_ = new QSplitter(Qt::Vertical, part);
        tables_->setChildrenCollapsible(false);
        ladder_ = new LadderView(*services_.theme, tables_);
        tables_->addWidget(ladder_);
        below_ = new PageTabs(tables_);
        below_->setObjectName(QStringLiteral("league-results"));
        below_->setAccessibleName(tr("Results"));
        below_->setDocumentMode(true);
        auto* results = new QWidget(below_);
        auto* below = new QVBoxLayout(results);
        below->setContentsMargins(0, 0, 0, 0);
        payoff_ = new PayoffView(*services_.theme, results);
        below->addWidget(payoff_, 1);
        auto* legend = new QLabel(
            tr("Score of the member in the row against that in the column: wins and half of the draws. Blue "
               "is above 50 %, orange below."),
            results);
        legend->setWordWrap(true);
        setTextColour(legend, *services_.theme, TextColour::quiet);
        below->addWidget(legend);
        versions_ = new VersionsView(*services_.theme, below_);
        below_->addTab(results, tr("Scores"));
        below_->addTab(versions_, tr("Ratings over steps"));
        tables_->addWidget(below_);
        tables_->setStretchFactor(0, 3);
        tables_->setStretchFactor(1, 2);
        layout->addWidget(tables_, 1);
        return part;
    }

    QWidget* makeControls(QWidget* parent) {
        auto* controls = new QWidget(parent);
        auto* layout = new FlowLayout(controls);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(actionButton(add_, controls));
        layout->addWidget(actionButton(train_, controls));
        layout->addWidget(actionButton(follow_, controls));
        layout->addWidget(actionButton(toggle_, controls));
        rounds_ = spinBox(controls, "league-rounds", tr("Rounds"), kDefaultRounds);
        rounds_->setToolTip(tr("In a round, every member plays every other one."));
        rounds_->setPrefix(tr("rounds: "));
        games_ = spinBox(controls, "league-games", tr("Games per match"), kDefaultGames);
        games_->setToolTip(tr("The players swap seats after every game."));
        games_->setPrefix(tr("games per match: "));
        layout->addWidget(rounds_);
        layout->addWidget(games_);
        layout->addWidget(actionButton(play_, controls));
        layout->addWidget(actionButton(stop_, controls));
        layout->addWidget(actionButton(challenge_, controls));
        layout->addWidget(actionButton(watch_, controls));
        return controls;
    }

    // --- contents

    void showAll() {
        {
            const QSignalBlocker quiet(leagues_);
            leagues_->clear();
            for (const LeagueInfo& each : list_.leagues()) leagues_->addItem(each.name, each.name);
            leagues_->setCurrentIndex(leagues_->findData(list_.chosen()));
        }
        leagues_->setVisible(!list_.leagues().isEmpty());
        showMessage(note_, !list_.problem().isEmpty() ? list_.problem() : list_.note());
        setTextColour(
            note_, *services_.theme,
            !list_.problem().isEmpty() || list_.noteIsProblem() ? TextColour::bad : TextColour::good);
        const LeagueDetails& league = list_.shown();
        const bool is_empty = list_.isKnown() && list_.leagues().isEmpty();
        stack_->setCurrentIndex(league.name.isEmpty() ? 0 : 1);
        empty_->setText(is_empty ? tr("No leagues yet. A league finds out which of your agents and scripted "
                                      "players is the strongest in a game for two: they play matches, and "
                                      "the ladder shows how certain each rating is.")
                                 : QString());
        create_->setVisible(is_empty);
        head_new_->setVisible(!is_empty);
        if (!league.name.isEmpty()) showLeague(league);
        updateActions();
    }

    // "run 3" if the run is not in this data folder.
    QString nameOf(RunId run) const {
        const RunRecord* known = services_.runs == nullptr ? nullptr : services_.runs->find(run);
        return known == nullptr ? tr("run %1").arg(run) : runTitle(*known);
    }

    void showLeague(const LeagueDetails& league) {
        const EnvInfo* env =
            services_.catalogue == nullptr ? nullptr : services_.catalogue->environment(league.env);
        QStringList facts{env == nullptr ? league.env : env->title,
                          tr("%n member(s)", nullptr, static_cast<int>(league.ladder.size())),
                          tr("games begin with %n random decision(s)", nullptr, league.opening)};
        if (league.samples) facts += tr("policies sample their actions");
        QStringList sentences{facts.join(QStringLiteral(" · "))};
        if (league.players() < 2) sentences += tr("A match needs two members that can play: add members.");
        for (const LeagueRow& member : league.ladder)
            if (!member.problem.isEmpty() && member.is_active)
                sentences += tr("“%1” cannot play because its policy was removed; its games still count.")
                                 .arg(member.name);
        if (const RunId run = list_.followed(league.name); run != 0)
            sentences += tr("Versions of %1 join while it trains.").arg(nameOf(run));
        if (list_.trained() == league.name || league.is_training)
            sentences += tr("Agents are being trained for this league; their runs are on the page Runs.");
        if (const auto [games, distinct] = league.totals(); distinct < games)
            sentences += tr("%1 of %2 games are distinct; repeated ones do not narrow the intervals.")
                             .arg(countText(distinct), countText(games));
        facts_->setText(sentences.join(QLatin1Char('\n')));
        ladder_->setLeague(league);
        payoff_->setLeague(league);
        versions_->setLeague(league, [this](RunId run) { return nameOf(run); });
        below_->setTabVisible(below_->indexOf(versions_), !versions_->isEmpty());
        below_->tabBar()->setVisible(!versions_->isEmpty());
    }

    void updateActions() {
        const LeagueDetails& league = list_.shown();
        const bool has_league = !league.name.isEmpty();
        const LeagueRow* member = has_league ? ladder_->current() : nullptr;
        add_->setEnabled(has_league);
        toggle_->setEnabled(member != nullptr);
        const bool resumes = member != nullptr && !member->is_active;
        toggle_->setText(resumes ? tr("Include the member again") : tr("Exclude the member"));
        toggle_->setIcon(services_.theme->icon(resumes ? QStringLiteral("resume") : QStringLiteral("pause")));
        const bool is_elsewhere = league.is_training && list_.trained() != league.name;
        train_->setEnabled((has_league || list_.isTraining()) && !list_.isStopping() && !is_elsewhere);
        train_->setToolTip(is_elsewhere
                               ? tr("Another process trains this league; stop its run on the page Run")
                               : tr("Main agents and exploiters are trained and join the league"));
        train_->setText(list_.isTraining() ? tr("Stop the training") : tr("Train agents…"));
        train_->setIcon(
            services_.theme->icon(list_.isTraining() ? QStringLiteral("stop") : QStringLiteral("start")));
        follow_->setEnabled(has_league || list_.isFollowing());
        follow_->setText(list_.isFollowing() ? tr("Stop following the run") : tr("Follow a run…"));
        challenge_->setEnabled(member != nullptr && member->problem.isEmpty());
        const auto [a, b] = has_league ? payoff_->current() : PayoffView::Pair();
        watch_->setEnabled(a != nullptr && a->problem.isEmpty() && b->problem.isEmpty());
        watch_->setToolTip(a == nullptr ? tr("Select two members as a cell of the scores.")
                                        : tr("%1 against %2").arg(a->name, b->name));
        play_->setEnabled(has_league && !list_.isPlaying() && league.players() >= 2);
        stop_->setEnabled(list_.isPlaying());
        progress_->setVisible(list_.isPlaying());
        if (!list_.isPlaying()) return;
        const qint64 expected = std::max<qint64>(1, list_.job().expected_games), played = list_.playedGames();
        progress_->setRange(0, 1000);
        progress_->setValue(static_cast<int>(1000 * played / expected));
        progress_->setFormat(tr("%1 of %2 games").arg(countText(played), countText(expected)));
    }

    // --- commands

    void askForLeague() {
        QStringList taken;
        for (const LeagueInfo& each : list_.leagues()) taken += each.name;
        auto* dialog = new NewLeagueDialog(services_, taken, this);
        connect(dialog, &QDialog::accepted, this, [this, dialog] {
            list_.create(dialog->name(), dialog->env(), dialog->opening(), dialog->samples());
        });
        dialog->open();
    }

    void askForMembers() {
        if (list_.shown().name.isEmpty()) return;
        auto* dialog = new AddMembersDialog(services_, list_.shown(), this);
        connect(dialog, &QDialog::accepted, this,
                [this, dialog, league = list_.shown().name] { list_.add(league, dialog->players()); });
        dialog->open();
    }

    void askForRun() {
        if (list_.shown().name.isEmpty()) return;
        auto* dialog = new FollowRunDialog(services_, list_.shown(), this);
        connect(dialog, &QDialog::accepted, this, [this, dialog, league = list_.shown().name] {
            list_.follow(league, dialog->run(), nameOf(dialog->run()), dialog->every(), games_->value());
        });
        dialog->open();
    }

    void askForTraining() {
        if (list_.shown().name.isEmpty()) return;
        auto* dialog =
            new TrainLeagueDialog(services_, list_.shown(), list_.latestTraining(list_.shown().name), this);
        connect(dialog, &QDialog::accepted, this, [this, dialog, league = list_.shown().name] {
            LeagueTraining training = dialog->training();
            training.games = games_->value();
            list_.train(league, training);
        });
        dialog->open();
    }

    QString duelPlayer(const LeagueRow& member) const {
        return member.policy.isEmpty() ? member.player : leaguePlayer(list_.shown().name, member.name);
    }

    void openDuel(const QString& a, const QString& b) {
        const LeagueDetails& league = list_.shown();
        services_.navigator->open(DuelLink{
            .a = a, .b = b, .env = league.env, .rules = DuelLink::Rules{league.opening, league.samples}});
    }

    // Opens the run of a member that was added from one.
    void openRun() {
        const LeagueRow* member = ladder_->current();
        if (member == nullptr) return;
        static const QRegularExpression run_form(QStringLiteral("^([0-9]+)(:.*)?$"));
        const QRegularExpressionMatch match = run_form.match(member->player);
        const RunId run = match.hasMatch() ? match.captured(1).toLongLong() : 0;
        if (run != 0 && services_.runs->find(run) != nullptr)
            return services_.navigator->open(DashboardLink{run});
        services_.navigator->showStatus(tr("“%1” was not added from a run that exists.").arg(member->name));
    }

    Services services_;
    LeagueList& list_;
    QAction *new_ = nullptr, *add_ = nullptr, *toggle_ = nullptr, *play_ = nullptr, *stop_ = nullptr,
            *challenge_ = nullptr, *watch_ = nullptr, *follow_ = nullptr, *train_ = nullptr;
    NameBox* leagues_ = nullptr;
    QLabel *note_ = nullptr, *empty_ = nullptr, *facts_ = nullptr;
    QPushButton *create_ = nullptr, *head_new_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    QSplitter* tables_ = nullptr;
    QTabWidget* below_ = nullptr;
    LadderView* ladder_ = nullptr;
    PayoffView* payoff_ = nullptr;
    VersionsView* versions_ = nullptr;
    QSpinBox *rounds_ = nullptr, *games_ = nullptr;
    QProgressBar* progress_ = nullptr;
};

SEEDBED_REGISTER_PAGE(leagues, {.order = 52,
                                .title = QT_TRANSLATE_NOOP("Page", "&Leagues"),
                                .icon = "league",
                                .make = [](const Services& s) -> Page* { return new LeaguePage(s); }});

}  // namespace
}  // namespace seedbed::ui

#include "league_page.moc"
