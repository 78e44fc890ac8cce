// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/run_header.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/event_text.hpp"
#include "ui/models/text/number_input.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/elided_name.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr double kMostSteps = 1e15;
constexpr int kLeastRunTitle = 260;  // pixels

double goalOf(const RunReport* report) {
    if (report == nullptr) return 0;
    const Json& config = report->details.config;
    const auto run = config.is_object() ? config.find("run") : config.end();
    if (run == config.end() || !run->is_object()) return 0;
    const auto steps = run->find("steps");
    return steps != run->end() && steps->is_number() ? steps->get<double>() : 0;
}

QString range(const std::pair<double, double>& seconds) {
    const QString low = durationText(seconds.first), high = durationText(seconds.second);
    return low == high ? low : QStringLiteral("%1 – %2").arg(low, high);
}

// The phase of an active run.
QString phaseText(const QString& phase) {
    static const std::map<QString, const char*> kTexts{
        {QStringLiteral("training"), QT_TRANSLATE_NOOP("seedbed::ui::RunHeader", "collecting and learning")},
        {QStringLiteral("collecting"), QT_TRANSLATE_NOOP("seedbed::ui::RunHeader", "collecting experience")},
        {QStringLiteral("learning"), QT_TRANSLATE_NOOP("seedbed::ui::RunHeader", "updating the policy")},
        {QStringLiteral("evaluating"), QT_TRANSLATE_NOOP("seedbed::ui::RunHeader", "evaluating")},
        {QStringLiteral("saving"), QT_TRANSLATE_NOOP("seedbed::ui::RunHeader", "saving a checkpoint")},
        {QStringLiteral("waiting"), QT_TRANSLATE_NOOP("seedbed::ui::RunHeader", "waiting to save")}};
    const auto at = kTexts.find(phase);
    return at == kTexts.end() ? QString() : QCoreApplication::translate("seedbed::ui::RunHeader", at->second);
}

}  // namespace

RunHeader::Fact RunHeader::addFact(QLayout* row, const QString& name) {
    Fact fact;
    fact.box = new QWidget(this);
    auto* column = new QVBoxLayout(fact.box);
    column->setContentsMargins(0, 0, 10, 0);
    column->setSpacing(0);
    fact.name = new QLabel(name, fact.box);
    setTextColour(fact.name, *services_.theme, TextColour::quiet);
    fact.value = new QLabel(QStringLiteral("–"), fact.box);
    fact.value->setTextFormat(Qt::PlainText);
    fact.value->setAccessibleName(name);
    fact.name->setFont(textFont(TextSize::caption));
    fact.value->setFont(textFont(TextSize::section, QFont::DemiBold));
    column->addWidget(fact.name);
    column->addWidget(fact.value);
    row->addWidget(fact.box);
    return fact;
}

void RunHeader::setName(const Fact& fact, const QString& name) {
    fact.name->setText(name);
    fact.value->setAccessibleName(name);
}

RunHeader::RunHeader(const Services& services, QWidget* parent) : QWidget(parent), services_(services) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kBlockGap);
    auto* top = new QHBoxLayout();
    name_ = new ElidedLabel(this);
    name_->setObjectName(QStringLiteral("run-title"));
    name_->setTextFormat(Qt::PlainText);
    name_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    name_->setFont(textFont(TextSize::title, QFont::DemiBold));
    top->addWidget(name_, 1);
    auto* buttons = new QWidget(this);
    auto* flow = new FlowLayout(buttons);  // several rows in narrow windows
    top->addWidget(buttons);
    const auto button = [&](const QString& text, const char* icon, const QString& id) {
        auto* made = new QPushButton(services_.theme->icon(QLatin1String(icon)), text, buttons);
        made->setObjectName(id);
        flow->addWidget(made);
        return made;
    };
    watch_ = button(tr("W&atch"), "watch", QStringLiteral("run-watch"));
    pause_ = button(tr("Pa&use"), "pause", QStringLiteral("run-pause"));
    stop_ = button(tr("S&top"), "stop", QStringLiteral("run-stop"));
    save_ = button(tr("Save &checkpoint"), "down", QStringLiteral("run-checkpoint"));
    longer_ = button(tr("Train &longer…"), "add", QStringLiteral("run-longer"));
    again_ = button(tr("Again with chan&ges…"), "redo", QStringLiteral("run-again"));
    export_ = button(tr("Ex&port…"), "export", QStringLiteral("run-export"));
    compare_ = button(tr("Compa&re"), "compare", QStringLiteral("run-compare"));
    connect(watch_, &QPushButton::clicked, this, &RunHeader::watchRequested);
    connect(export_, &QPushButton::clicked, this, &RunHeader::exportRequested);
    connect(compare_, &QPushButton::clicked, this, &RunHeader::compareRequested);
    connect(again_, &QPushButton::clicked, this, &RunHeader::againRequested);
    connect(longer_, &QPushButton::clicked, this, &RunHeader::askForSteps);
    connect(pause_, &QPushButton::clicked, this, [this] {
        control(allows(QStringLiteral("pause")) ? QStringLiteral("pause") : QStringLiteral("resume"));
    });
    connect(stop_, &QPushButton::clicked, this, [this] { control(QStringLiteral("stop")); });
    connect(save_, &QPushButton::clicked, this, [this] { control(QStringLiteral("checkpoint")); });
    column->addLayout(top);

    auto* second = new QHBoxLayout();
    state_ = new Chip(this);
    state_->setAccessibleName(tr("Status"));
    second->addWidget(state_);
    detail_ = new QLabel(this);
    detail_->setObjectName(QStringLiteral("run-detail"));
    detail_->setTextFormat(Qt::PlainText);
    detail_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    second->addWidget(detail_, 1);
    column->addLayout(second);
    auto* card = new Card(this);
    column->addWidget(card);
    column = new QVBoxLayout(card);
    column->setContentsMargins(18, 12, 18, 14);
    auto* facts = new FlowLayout;
    steps_ = addFact(facts, tr("Steps"));
    speed_ = addFact(facts, tr("Steps/s"));
    elapsed_ = addFact(facts, tr("Training time"));
    eta_ = addFact(facts, tr("Time left"));
    checkpoint_ = addFact(facts, tr("Next checkpoint"));
    last_ = addFact(facts, tr("Last return"));
    best_ = addFact(facts, tr("Best return"));
    column->addLayout(facts);
    progress_ = new QProgressBar(card);
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress"));
    column->addWidget(progress_);
}

bool RunHeader::allows(const QString& verb) const {
    if (run_ == 0) return false;
    if (verb == QLatin1String("pause"))
        return status_ == RunStatus::running || status_ == RunStatus::starting;
    if (verb == QLatin1String("checkpoint"))
        return status_ == RunStatus::running || status_ == RunStatus::paused;
    if (verb == QLatin1String("stop")) return isLive(status_) && status_ != RunStatus::stopping;
    if (verb == QLatin1String("resume"))
        return status_ == RunStatus::paused || status_ == RunStatus::failed ||
               status_ == RunStatus::interrupted;
    return false;
}

void RunHeader::control(const QString& verb) {
    if (!allows(verb) || services_.launcher == nullptr) return;
    // A run without a process is resumed by the queue, so that it outlives this window.
    if (verb == QLatin1String("resume") && !isLive(status_)) {
        return services_.launcher->resume(run_, this, [this](const QString& error) {
            services_.runs->refresh();
            if (services_.navigator == nullptr) return;
            if (!error.isEmpty()) services_.navigator->showProblem(error);
            else
                services_.navigator->showStatus(
                    starts_over_ ? tr("The run was queued and will start again.")
                                 : tr("The run was queued and will resume from its last checkpoint."));
        });
    }
    services_.launcher->control(verb, run_, this, [this, verb](const CommandReply& reply) {
        services_.runs->refresh();
        if (services_.navigator == nullptr) return;
        if (!reply.error.isEmpty()) services_.navigator->showProblem(reply.error);
        else
            services_.navigator->showStatus(
                verb == QLatin1String("stop")    ? tr("The run will stop after the current update. Its state "
                                                         "will be saved, and it can be resumed.")
                : verb == QLatin1String("pause") ? tr("The run will pause after the current update.")
                : verb == QLatin1String("checkpoint")
                    ? tr("A checkpoint will be saved after the current update.")
                    : tr("The run is resuming."));
    });
}

void RunHeader::show(const RunReport* report, const RunRecord* run, const std::optional<LiveStatus>& live) {
    run_ = run == nullptr ? 0 : run->id;
    setEnabled(run != nullptr);
    if (run == nullptr) return;
    status_ = run->status;
    starts_over_ =
        report != nullptr && !isLive(status_) && report->details.checkpoints.empty() && !report->resume_step;
    trained_ = run->progress.steps;
    showStatus(report, *run, live);
    showProgress(goalOf(report), *run, live);
    showReturns(*run);
    showButtons();
}

// Only what is possible in the state of the run; the next step is the primary button.
void RunHeader::showButtons() {
    const bool pausing = allows(QStringLiteral("pause")), resuming = allows(QStringLiteral("resume"));
    const bool ended = !isLive(status_) && status_ != RunStatus::queued;
    // The same settings would probably fail again.
    const bool failed_at_start = starts_over_ && status_ == RunStatus::failed;
    pause_->setText(!resuming ? tr("Pa&use") : starts_over_ ? tr("Start agai&n") : tr("Res&ume"));
    pause_->setIcon(services_.theme->icon(resuming ? QStringLiteral("resume") : QStringLiteral("pause")));
    pause_->setVisible(pausing || resuming);
    again_->setText(failed_at_start ? tr("Chan&ge settings…") : tr("Again with chan&ges…"));
    setKind(again_, failed_at_start ? ButtonKind::primary : ButtonKind::plain);
    setKind(pause_, failed_at_start ? ButtonKind::plain : ButtonKind::primary);
    setKind(watch_, pausing || resuming ? ButtonKind::plain : ButtonKind::primary);
    const bool has_weights = status_ != RunStatus::queued && !starts_over_;
    watch_->setVisible(has_weights);
    stop_->setVisible(allows(QStringLiteral("stop")));
    save_->setVisible(allows(QStringLiteral("checkpoint")));
    longer_->setVisible(status_ == RunStatus::finished);
    again_->setVisible(ended);
    export_->setVisible(has_weights);
}

void RunHeader::askForSteps() {
    if (services_.launcher == nullptr) return;
    if (run_ == 0 || status_ != RunStatus::finished)
        return services_.navigator->showStatus(run_ == 0 ? tr("No run is selected.")
                                                         : tr("Only a finished run can be trained longer."));
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Train longer"));
    dialog->setLabelText(tr("The run ended after %1 steps. Train it up to this step (such as 200k or 1.5M):")
                             .arg(countText(trained_)));
    dialog->setTextValue(compactCount(2 * static_cast<double>(trained_)));
    dialog->setOkButtonText(tr("Train"));
    connect(dialog, &QInputDialog::textValueSelected, this, &RunHeader::trainUpTo);
    dialog->open();
}

void RunHeader::trainUpTo(const QString& text) {
    const auto steps = numberFromText(text);
    if (!steps || !(*steps > static_cast<double>(trained_)) || *steps > kMostSteps)
        return services_.navigator->showProblem(
            tr("“%1” is not a number of steps above %2; the run was not changed.")
                .arg(text.left(40), countText(trained_)));
    // The process trains on when the window is closed.
    services_.launcher->run({QStringLiteral("resume"), QString::number(run_), QStringLiteral("--steps"),
                             QString::number(std::llround(*steps)), QStringLiteral("--quiet")},
                            this, [this](const CommandReply& reply) {
                                services_.runs->refresh();
                                if (!reply.error.isEmpty()) services_.navigator->showProblem(reply.error);
                            });
}

void RunHeader::showStatus(const RunReport* report, const RunRecord& run,
                           const std::optional<LiveStatus>& live) {
    const QString name = runTitle(run);
    name_->setText(name.size() > 100 ? name.left(99) + QStringLiteral("…") : name);
    name_->setToolTip(name);
    const int wide = name_->fontMetrics().horizontalAdvance(name_->text()) + 2;  // rounded
    name_->setMinimumWidth(std::min(wide, kLeastRunTitle));
    const QString phase =
        live && live->answers && status_ == RunStatus::running ? phaseText(live->phase) : QString();
    state_->setText(phase.isEmpty() ? statusText(status_) : tr("%1: %2").arg(statusText(status_), phase));
    state_->setTone(status_ == RunStatus::failed                        ? Tone::bad
                    : status_ == RunStatus::interrupted                 ? Tone::warning
                    : isLive(status_) || status_ == RunStatus::finished ? Tone::good
                                                                        : Tone::plain);
    state_->updateGeometry();
    QString detail = runFacts(run);
    if (report != nullptr && !report->details.engine.empty())
        detail += QStringLiteral(" · ") + QString::fromStdString(report->details.engine);
    // The strip below the header shows the whole reason of an end that was not requested.
    const bool has_strip = status_ == RunStatus::failed ||
                           (status_ == RunStatus::interrupted && run.status_text != kStoppedOnRequest);
    if (!run.status_text.empty() && !has_strip)
        detail += QStringLiteral(" · ") + statusDetail(run.status_text);
    if (report != nullptr && report->resume_step)
        detail +=
            QStringLiteral(" · ") + tr("a resume starts at step %1").arg(countText(*report->resume_step));
    if (live && !live->answers)
        detail =
            tr("The run is not responding. The values shown are the last ones it reported; its saved "
               "checkpoints are safe.");
    else if (live && !live->saving)
        detail = tr("Saving is currently failing. Training continues, and saving is retried.");
    detail_->setText(detail);
    const QString env = QString::fromStdString(run.env);
    detail_->setToolTip(env + QLatin1Char('\n') + detail);
}

void RunHeader::showProgress(double goal, const RunRecord& run, const std::optional<LiveStatus>& live) {
    if (live && live->goal_steps > 0) goal = static_cast<double>(live->goal_steps);
    // A run that returned to a checkpoint after a crash has fewer steps than the latest saved progress.
    const bool answers = live && live->answers && live->steps > 0;
    const auto steps = answers ? live->steps : std::max(run.progress.steps, live ? live->steps : 0);
    // Updates are not split, so a run ends slightly after its goal.
    if (status_ == RunStatus::finished) goal = 0;
    steps_.value->setText(goal > 0 ? tr("%1 of %2").arg(countText(steps), countText(std::llround(goal)))
                                   : countText(steps));
    progress_->setVisible(goal > 0);
    if (goal > 0)
        progress_->setValue(
            static_cast<int>(std::lround(1000 * std::clamp(static_cast<double>(steps) / goal, 0.0, 1.0))));
    const bool has_speed = status_ != RunStatus::paused && (!live || live->answers);
    speed_.value->setText(has_speed ? compactCount(live ? live->steps_per_s : meanSpeed(run))
                                    : QStringLiteral("–"));
    setName(speed_, live ? tr("Steps/s now") : tr("Steps/s overall"));
    speed_.box->setToolTip(tr("Steps per second of training time, including evaluations and saving"));
    elapsed_.value->setText(durationText(
        answers ? live->trained_s : std::max(run.progress.train_seconds, live ? live->trained_s : 0)));
    eta_.box->setVisible(live.has_value());
    eta_.value->setText(live && live->eta_s ? range(*live->eta_s) : QStringLiteral("–"));
    checkpoint_.box->setVisible(live.has_value());
    checkpoint_.value->setText(live && live->next_checkpoint_s ? durationText(*live->next_checkpoint_s)
                                                               : QStringLiteral("–"));
}

void RunHeader::showReturns(const RunRecord& run) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    last_.value->setText(shortNumber(run.last_return.value_or(nan)));
    best_.value->setText(shortNumber(run.best_return.value_or(nan)));
    // The labels contain the kind of score, which changes with the first evaluation.
    const bool evaluated = run.return_source == "evaluation", trained = run.return_source == "training";
    setName(last_, evaluated ? tr("Last evaluation")
                   : trained ? tr("Last training return")
                             : tr("Last return"));
    setName(best_, evaluated ? tr("Best evaluation")
                   : trained ? tr("Best training return")
                             : tr("Best return"));
    last_.value->setToolTip(evaluated ? tr("mean of the newest evaluation")
                                      : tr("mean over training episodes"));
    best_.value->setToolTip(evaluated
                                ? tr("highest mean of all evaluations; the highest of many is partly luck")
                                : tr("highest mean over training episodes; this run was never evaluated"));
}

}  // namespace seedbed::ui
