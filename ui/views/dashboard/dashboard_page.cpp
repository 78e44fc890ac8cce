// SPDX-License-Identifier: GPL-3.0-or-later
// The page of one run: header and verdict; the agent next to its curves; checkpoints, events, settings and
// training doctor.
#include <algorithm>
#include <chrono>
#include <utility>

#include <QCheckBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/charts/metric_title.hpp"
#include "ui/models/compare_data.hpp"
#include "ui/models/fleet/fleet_status.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/settings.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/charts/chart_controls.hpp"
#include "ui/views/charts/view_button.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/dashboard/agent_stage.hpp"
#include "ui/views/dashboard/chart_board.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/dashboard/doctor_panel.hpp"
#include "ui/views/dashboard/machines_panel.hpp"
#include "ui/views/dashboard/next_card.hpp"
#include "ui/views/dashboard/run_header.hpp"
#include "ui/views/dashboard/run_lists.hpp"
#include "ui/views/dashboard/run_notes.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/page.hpp"
#include "ui/views/page_stack.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {
namespace {

constexpr std::chrono::seconds kNewRunTimeout{5};
constexpr std::chrono::milliseconds kHeaderInterval{250}, kMaxHeaderInterval{2000};
constexpr double kNoTarget = -1e29;  // smaller values of run.target_return mean that the run has no target
constexpr const char* kStageKey = "dashboard/agent";

class DashboardPage : public Page {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::DashboardPage)

public:
    explicit DashboardPage(const Services& services)
        : services_(services),
          workers_(QStringLiteral("ui-chart"), 2),
          reporter_(*services.runs, services.launcher),
          link_(services.runs->folder()),
          fleet_(services.launcher, this) {
        auto* outer = new QVBoxLayout(this);
        stack_ = new PageStack(this);
        outer->addWidget(stack_);
        makeEmpty();
        makeContent();
        makeActions();
        connect(&reporter_, &RunReporter::changed, this, [this] { refresh(); });
        connect(services_.runs, &RunStore::runsChanged, this, [this] { runsChanged(); });
        connect(services_.runs, &RunStore::stateChanged, this, [this] { runsChanged(); });
        connect(&link_, &RunLink::changed, this, [this] { refreshHeader(); });
        connect(&link_, &RunLink::message, this, [this](const QString& text) {
            if (services_.navigator != nullptr) services_.navigator->showStatus(text);
        });
        connect(&fleet_, &FleetWatch::changed, this, [this] { showMachines(); });
        header_pause_.setSingleShot(true);
        connect(&header_pause_, &QTimer::timeout, this, [this] {
            if (header_is_old_) refreshHeader();
        });
        new_run_timer_.setSingleShot(true);
        connect(&new_run_timer_, &QTimer::timeout, this, [this] { runsChanged(); });
        runsChanged();
    }

    void open(const std::any& link) override {
        const auto* wanted = std::any_cast<DashboardLink>(&link);
        if (wanted != nullptr) services_.runs->setChosen(wanted->run);
        if (wanted != nullptr) follow(wanted->run);
        else if (const RunId chosen = services_.runs->chosen(); chosen != 0 && chosen != run_) follow(chosen);
        else if (run_ == 0) followNewest();
    }
    QVariantMap saveState() const override {
        return {{QStringLiteral("run"), QVariant::fromValue<qlonglong>(run_)},
                {QStringLiteral("tab"), tabs_->currentIndex()}};
    }
    void restoreState(const QVariantMap& state) override {
        if (const int tab = state[QStringLiteral("tab")].toInt(); tabs_->isTabVisible(tab))
            tabs_->setCurrentIndex(tab);
        follow(state[QStringLiteral("run")].toLongLong());
    }

protected:
    void showEvent(QShowEvent* event) override {
        Page::showEvent(event);
        reporter_.setLive(true);
        link_.follow(run_);
        watchMachines();
    }
    void hideEvent(QHideEvent* event) override {
        Page::hideEvent(event);
        reporter_.setLive(false);
        link_.follow(0);
        fleet_.follow(0);
    }

private:
    void makeEmpty() {
        empty_ = new QWidget(stack_);
        auto* column = new QVBoxLayout(empty_);
        empty_text_ = new QLabel(empty_);
        empty_text_->setAlignment(Qt::AlignCenter);
        empty_text_->setWordWrap(true);
        train_ = new QPushButton(tr("Start training"), empty_);
        setKind(train_, ButtonKind::primary);
        connect(train_, &QPushButton::clicked, this, [this] { services_.navigator->open(StartLink{}); });
        column->addStretch(1);
        column->addWidget(empty_text_);
        column->addWidget(train_, 0, Qt::AlignCenter);
        column->addStretch(1);
        stack_->addWidget(empty_);
    }

    void makeContent() {
        content_ = new QWidget(stack_);
        auto* column = new QVBoxLayout(content_);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(kBlockGap);
        header_ = new RunHeader(services_, content_);
        column->addWidget(header_);
        verdict_ = new RunVerdictStrip(*services_.theme, content_);
        column->addWidget(verdict_);
        makeTabs();
        column->addWidget(tabs_, 1);
        stack_->addWidget(content_);
        connectContent();
    }

    void makeBoard() {
        board_ = new ChartBoard(services_, workers_, tabs_);
        stage_ = new AgentStage(services_);
        auto* notes = new QWidget();
        auto* column = new QVBoxLayout(notes);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(kBlockGap);
        auto* row = new QHBoxLayout;
        row->setSpacing(kBlockGap);
        time_ = new TimeCard(*services_.theme, notes);
        next_ = new NextCard(services_, notes);
        findings_ = new DoctorCard(*services_.theme, notes);
        machines_card_ = new MachinesCard(services_, notes);
        row->addWidget(time_, 3);
        row->addWidget(next_, 2);
        column->addLayout(row);
        column->addWidget(machines_card_);
        column->addWidget(findings_);
        board_->setLead(stage_, notes);
    }

    QWidget* makeChartButtons() {
        auto* bar = new QWidget(tabs_);
        auto* row = new QHBoxLayout(bar);
        row->setContentsMargins(0, 0, 0, 4);
        controls_ = new ChartControls(services_.settings, QStringLiteral("dashboard"), false, bar);
        board_->setOptions(controls_->options());
        auto* agent = new QCheckBox(tr("Show the a&gent next to the first chart"), controls_);
        agent->setObjectName(QStringLiteral("show-agent"));
        agent->setChecked(services_.settings == nullptr ||
                          services_.settings->value(QLatin1String(kStageKey), true).toBool());
        board_->showStage(agent->isChecked());
        connect(agent, &QCheckBox::toggled, this, [this](bool shown) {
            if (services_.settings != nullptr) services_.settings->setValue(QLatin1String(kStageKey), shown);
            board_->showStage(shown);
        });
        controls_->addNote(agent);
        auto* marks = new QLabel(tr("Marks: ▲ checkpoint, ╷ evaluation; dashed line: resumed"), controls_);
        setTextColour(marks, *services_.theme, TextColour::quiet);
        controls_->addNote(marks);
        auto* view = new ViewButton(tr("View"), controls_, bar);
        view->setObjectName(QStringLiteral("run-view"));
        row->addWidget(view);
        auto* add = new QToolButton(bar);
        add->setText(tr("Add chart"));
        add->setAccessibleName(tr("Add chart"));
        add->setPopupMode(QToolButton::InstantPopup);
        add_menu_ = new QMenu(add);
        add->setMenu(add_menu_);
        connect(add_menu_, &QMenu::aboutToShow, this, [this] { fillAddMenu(); });
        row->addWidget(add);
        return bar;
    }

    void makeTabs() {
        tabs_ = new PageTabs(content_);
        tabs_->setDocumentMode(true);
        tabs_->setAccessibleName(tr("Run details"));
        makeBoard();
        doctor_ = new DoctorPanel(*services_.theme, tabs_);
        checkpoints_ = new CheckpointList(tabs_);
        events_ = new EventList(tabs_);
        settings_text_ = new QPlainTextEdit(tabs_);
        settings_text_->setReadOnly(true);
        settings_text_->setAccessibleName(tr("Settings of the run"));
        machines_ = new MachinesPanel(services_, tabs_);
        tabs_->addTab(board_, tr("Overview"));
        tabs_->addTab(doctor_, tr("Doctor"));
        tabs_->addTab(checkpoints_, tr("Checkpoints"));
        tabs_->addTab(events_, tr("Events"));
        tabs_->addTab(settings_text_, tr("Settings"));
        // The last one, so that saved states refer to the same tabs in runs with and without a fleet.
        tabs_->setTabVisible(tabs_->addTab(machines_, tr("Machines")), false);
        showMachines();
        QWidget* buttons = makeChartButtons();
        tabs_->setCornerWidget(buttons);
        connect(tabs_, &QTabWidget::currentChanged, buttons,
                [this, buttons] { buttons->setVisible(tabs_->currentWidget() == board_); });
    }

    void connectContent() {
        connect(controls_, &ChartControls::changed, this,
                [this](const ChartOptions& options) { board_->setOptions(options); });
        connect(board_, &ChartBoard::lengthKnown, controls_, &ChartControls::setLength);
        connect(header_, &RunHeader::watchRequested, this,
                [this] { services_.navigator->open(WatchLink{run_}); });
        connect(header_, &RunHeader::exportRequested, this,
                [this] { services_.navigator->open(ExportLink{run_}); });
        connect(header_, &RunHeader::compareRequested, this,
                [this] { services_.navigator->open(CompareLink{{run_}}); });
        connect(header_, &RunHeader::againRequested, this, [this] { startLike(Json::object()); });
        connect(stage_, &AgentStage::watchRequested, this,
                [this] { services_.navigator->open(WatchLink{run_}); });
        connect(verdict_, &RunVerdictStrip::momentRequested, this, [this](qint64 step) {
            services_.navigator->open(WatchLink{run_, step});
        });
        connect(verdict_, &RunVerdictStrip::longerRequested, header_, &RunHeader::askForSteps);
        connect(findings_, &DoctorCard::detailsRequested, this, [this] { tabs_->setCurrentWidget(doctor_); });
        connect(verdict_, &RunVerdictStrip::diagnosisRequested, this,
                [this] { tabs_->setCurrentWidget(doctor_); });
        connect(machines_card_, &MachinesCard::detailsRequested, this,
                [this] { tabs_->setCurrentWidget(machines_); });
        connect(checkpoints_, &CheckpointList::watchRequested, this, [this](std::int64_t step) {
            services_.navigator->open(WatchLink{run_, step});
        });
        connect(checkpoints_, &CheckpointList::exportRequested, this, [this](std::int64_t step) {
            services_.navigator->open(ExportLink{run_, step});
        });
        connect(doctor_, &DoctorPanel::tryRequested, this,
                [this](const Finding& finding) { tryAsNewRun(finding); });
    }

    void makeActions() {
        const auto control = [this](const char* verb) {
            return [this, verb] {
                // Shortcuts and the command palette do not show whether the action is available, so this
                // reports it.
                const RunRecord* run = services_.runs->find(run_);
                if (header_->allows(QLatin1String(verb))) header_->control(QLatin1String(verb));
                else if (services_.navigator != nullptr)
                    services_.navigator->showStatus(
                        run == nullptr ? tr("No run is selected.")
                                       : tr("This is not possible while the run is in this state: %1.")
                                             .arg(statusText(run->status)));
            };
        };
        addNamedAction(QStringLiteral("run-pause"), tr("Pause run"), QStringLiteral("Ctrl+Shift+P"),
                       control("pause"));
        addNamedAction(QStringLiteral("run-resume"), tr("Resume run"), QStringLiteral("Ctrl+Shift+R"),
                       control("resume"));
        addNamedAction(QStringLiteral("run-stop"), tr("Stop run"), QStringLiteral("Ctrl+Shift+S"),
                       control("stop"));
        addNamedAction(QStringLiteral("run-checkpoint"), tr("Save checkpoint now"),
                       QStringLiteral("Ctrl+Shift+C"), control("checkpoint"));
        addNamedAction(QStringLiteral("run-watch"), tr("Watch this run"), QStringLiteral("Ctrl+W"), [this] {
            if (run_ != 0) services_.navigator->open(WatchLink{run_});
        });
        addNamedAction(QStringLiteral("run-export"), tr("Export this run's policy"), QStringLiteral("Ctrl+E"),
                       [this] {
                           if (run_ != 0) services_.navigator->open(ExportLink{run_});
                       });
        addNamedAction(QStringLiteral("run-longer"), tr("Train longer"), QString(),
                       [this] { header_->askForSteps(); });
        addNamedAction(QStringLiteral("run-again"), tr("New run with the settings of this one"), QString(),
                       [this] { startLike(Json::object()); });
        addNamedAction(QStringLiteral("run-older"), tr("Show the previous run"), QStringLiteral("Alt+Up"),
                       [this] { showNeighbour(-1); });
        addNamedAction(QStringLiteral("run-newer"), tr("Show the next run"), QStringLiteral("Alt+Down"),
                       [this] { showNeighbour(1); });
        addNamedAction(
            QStringLiteral("run-tables"), tr("Show charts as tables"), QStringLiteral("Ctrl+T"), [this] {
                const auto charts = board_->shownCharts();
                const bool all = std::all_of(charts.begin(), charts.end(),
                                             [](const ChartWidget* chart) { return chart->showsTable(); });
                for (ChartWidget* chart : charts) chart->showTable(!all);
            });
        addNamedAction(QStringLiteral("run-charts-reset"), tr("Restore the default charts"), QString(),
                       [this] { board_->resetCharts(); });
    }

    void fillAddMenu() {
        add_menu_->clear();
        for (const QString& metric : board_->metricsToAdd())
            add_menu_->addAction(metricTitle(metric), this, [this, metric] { board_->addChart(metric); });
        add_menu_->addSeparator();
        add_menu_->addAction(tr("Restore the default charts"), this, [this] { board_->resetCharts(); });
    }

    void follow(RunId run) {
        if (run == run_) return;
        run_ = run;
        header_pause_.stop();
        stage_->follow(nullptr);
        // A run that was just queued appears with the next poll.
        new_run_timer_.start(kNewRunTimeout);
        settings_shown_ = 0;
        board_->setReport(nullptr);
        doctor_->setReport(nullptr);
        time_->setShares(std::nullopt);
        next_->follow(nullptr, nullptr);
        findings_->setReport(nullptr);
        others_.reset();
        compared_.reset();
        checkpoints_->setReport(nullptr);
        events_->setReport(nullptr);
        settings_text_->clear();
        tabs_->setTabText(tabs_->indexOf(doctor_), tr("Doctor"));
        reporter_.follow(run);
        link_.follow(isVisible() ? run : 0);
        has_fleet_ = false;
        runsChanged();
        watchMachines();
    }

    void followNewest() {
        const auto& runs = *services_.runs->runs();
        for (auto run = runs.rbegin(); run != runs.rend(); ++run)
            if (!run->in_trash && run->status != RunStatus::queued) return follow(run->id);
    }

    // Shows the next or previous run by id.
    void showNeighbour(int by) {
        const auto& runs = *services_.runs->runs();
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (runs[i].id != run_) continue;
            for (auto k = static_cast<std::ptrdiff_t>(i) + by;
                 k >= 0 && k < static_cast<std::ptrdiff_t>(runs.size()); k += by)
                if (!runs[static_cast<std::size_t>(k)].in_trash)
                    return follow(runs[static_cast<std::size_t>(k)].id);
            return;
        }
    }

    void runsChanged() {
        if (run_ == 0 && isVisible()) followNewest();
        const StoreState& state = services_.runs->state();
        const RunRecord* run = services_.runs->find(run_);
        if (run == nullptr) {
            const bool expected = run_ != 0 && new_run_timer_.isActive() && state.text.isEmpty();
            train_->setVisible(!expected);
            empty_text_->setText(expected                                  ? QString()
                                 : !state.text.isEmpty()                   ? state.text
                                 : state.kind == StoreState::Kind::opening ? tr("Loading runs…")
                                 : run_ != 0 ? tr("Run %1 does not exist.").arg(run_)
                                             : tr("There are no runs yet."));
            stack_->setCurrentWidget(empty_);
            return;
        }
        refreshHeader();
        stack_->setCurrentWidget(content_);
    }

    // Numbers that change quickly are shown together, because each moves the layout of the page. Another
    // state of the run is shown at once.
    void refreshHeader() {
        const RunRecord* run = services_.runs->find(run_);
        const auto state = run == nullptr ? std::nullopt : std::optional(run->status);
        if (header_pause_.isActive() && state == shown_state_) {
            header_is_old_ = true;
            return;
        }
        header_is_old_ = false;
        shown_state_ = state;
        header_pause_.start(run == nullptr
                                ? kHeaderInterval
                                : std::clamp(readPause(*run), kHeaderInterval, kMaxHeaderInterval));
        const bool live = run != nullptr && isLive(run->status);
        header_->show(reporter_.report().get(), run, live ? link_.status() : std::nullopt);
        stage_->follow(run);
        showVerdict(run);
        header_->setToolTip(services_.runs->state().text);
        watchMachines();
    }

    // Actors are read only for runs with a fleet that train, and only while the page is visible.
    void watchMachines() {
        const RunRecord* run = services_.runs->find(run_);
        const bool is_live = run != nullptr && isLive(run->status);
        fleet_.follow(has_fleet_ && is_live && isVisible() ? run_ : 0);
        if (std::exchange(fleet_is_live_, has_fleet_ && is_live) != fleet_is_live_) showMachines();
    }

    void showMachines() {
        machines_->show(fleet_, fleet_is_live_);
        machines_card_->show(fleet_, fleet_is_live_);
    }

    void setFleet(const Json& config) {
        const Json actor = config.is_object() ? config.value("actor", Json::object()) : Json::object();
        const auto address = actor.find("fleet");
        has_fleet_ = address != actor.end() && address->is_string() && !address->get<std::string>().empty();
        tabs_->setTabVisible(tabs_->indexOf(machines_), has_fleet_);
        watchMachines();
    }

    void showVerdict(const RunRecord* run) {
        const auto& report = reporter_.report();
        const bool known = report && run != nullptr && report->details.run.id == run->id;
        const Catalogue* catalogue = run == nullptr ? nullptr : services_.catalogue;
        const QString id = run == nullptr ? QString() : QString::fromStdString(run->env);
        auto goal = catalogue == nullptr ? std::nullopt : catalogue->goalOf(id);
        if (known)
            if (const auto own = configNumber(report->details.config, QStringLiteral("run.target_return"));
                own && *own > kNoTarget)
                goal = own;
        const std::vector<EvaluationRecord> none;
        const auto& evaluations = known ? report->details.evaluations : none;
        RunVerdict verdict;
        if (run != nullptr) {
            // The last evaluation may not have been read yet.
            RunRecord shown = *run;
            if (known && shown.status == RunStatus::finished) shown.status = report->details.run.status;
            const EnvInfo* env = catalogue == nullptr ? nullptr : catalogue->environment(id);
            verdict = runVerdict(shown, evaluations, goal, others_,
                                 env == nullptr ? std::nullopt : env->random_return);
        }
        verdict_->setVerdict(verdict);
        board_->setGoal(catalogue == nullptr ? std::vector<ChartLevel>() : levelsOf(*catalogue, id, goal),
                        verdict.step);
        if (verdict.step && compared_ != verdict.step) compareWithOthers(*run, *verdict.step, *goal);
    }

    void compareWithOthers(const RunRecord& run, std::int64_t step, double goal) {
        compared_ = step;
        services_.runs->read(
            this, QStringLiteral("verdict"),
            [run, step, goal](StoreReader& reader) { return compareSolved(reader, run, step, goal); },
            [this, id = run.id](const Result<OtherRuns>& others) {
                if (id != run_) return;
                if (!others) return compared_.reset();  // read again with the next change
                others_ = *others;
                showVerdict(services_.runs->find(run_));
            });
    }

    void refresh() {
        const auto& report = reporter_.report();
        refreshHeader();
        if (!report && !reporter_.error().isEmpty()) board_->showNote(reporter_.error());
        if (!report || report->details.run.id != run_) return;
        board_->setReport(report.get());
        time_->setShares(report->shares);
        // More seeds of a run that learned nothing would show the same.
        next_->follow(verdict_->verdict().like_random ? nullptr : services_.runs->find(run_),
                      &report->details.config);
        findings_->setReport(report.get());
        doctor_->setReport(report.get());
        checkpoints_->setReport(report.get());
        events_->setReport(report.get());
        tabs_->setTabText(tabs_->indexOf(doctor_), doctor_->findings() > 0
                                                       ? tr("Doctor (%1)").arg(doctor_->findings())
                                                       : tr("Doctor"));
        const Json& config = report->details.config;
        setFleet(config);
        if (config.is_object() && config.contains("run")) {
            const auto steps = config["run"].find("steps");
            if (steps != config["run"].end() && steps->is_number())
                controls_->proposeFor(steps->get<double>());
        }
        if (settings_shown_ != run_) {
            settings_shown_ = run_;
            QStringList lines;
            ComparedRun shown;
            shown.config = config;
            for (const QString& field : configFields({shown}))
                lines << QStringLiteral("%1 = %2").arg(field, configText(config, field));
            settings_text_->setPlainText(lines.join(QLatin1Char('\n')));
        }
    }

    void tryAsNewRun(const Finding& finding) {
        const auto& report = reporter_.report();
        if (!report || !finding.settings.contains("preset")) return startLike(finding.settings);
        NewRunRequest request;
        request.env = QString::fromStdString(report->details.run.env);
        request.preset = QString::fromStdString(finding.settings["preset"].get<std::string>());
        services_.navigator->open(StartLink{.new_run = request});
    }

    // Opens the form with the settings of this run and a change to them.
    void startLike(const Json& change) {
        const auto& report = reporter_.report();
        if (!report) return;
        NewRunRequest request;
        request.env = QString::fromStdString(report->details.run.env);
        request.preset = QStringLiteral("none");
        request.like = report->details.run.id;
        request.init_from = QString::fromStdString(report->details.init_from);
        request.base = ui::settingsOf(report->details.config, Json::object());
        for (const auto& [key, text] : ui::settingsOf(report->details.config, change))
            if (change.contains(key.toStdString())) request.settings.emplace_back(key, text);
        services_.navigator->open(StartLink{.new_run = request});
    }

    Services services_;
    Background workers_;
    RunReporter reporter_;
    RunLink link_;
    FleetWatch fleet_;
    bool has_fleet_ = false, fleet_is_live_ = false;
    RunId run_ = 0, settings_shown_ = 0;
    QStackedWidget* stack_;
    QWidget *empty_ = nullptr, *content_ = nullptr;
    QLabel* empty_text_ = nullptr;
    QPushButton* train_ = nullptr;
    QTimer new_run_timer_;  // active while the requested run may still appear
    QTimer header_pause_;
    bool header_is_old_ = false;
    std::optional<RunStatus> shown_state_;
    RunHeader* header_ = nullptr;
    RunVerdictStrip* verdict_ = nullptr;
    std::optional<OtherRuns> others_;
    std::optional<std::int64_t> compared_;  // the step that the other runs were compared with
    AgentStage* stage_ = nullptr;
    TimeCard* time_ = nullptr;
    NextCard* next_ = nullptr;
    DoctorCard* findings_ = nullptr;
    MachinesCard* machines_card_ = nullptr;
    MachinesPanel* machines_ = nullptr;
    ChartControls* controls_ = nullptr;
    QMenu* add_menu_ = nullptr;
    ChartBoard* board_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    DoctorPanel* doctor_ = nullptr;
    CheckpointList* checkpoints_ = nullptr;
    EventList* events_ = nullptr;
    QPlainTextEdit* settings_text_ = nullptr;
};

SEEDBED_REGISTER_PAGE(run, {.order = 20,
                            .title = QT_TRANSLATE_NOOP("Page", "&Run"),
                            .icon = "run",
                            .follows_runs = true,
                            .make = [](const Services& s) -> Page* { return new DashboardPage(s); }});

}  // namespace
}  // namespace seedbed::ui
