// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/agent_stage.hpp"

#include <chrono>

#include <QHBoxLayout>
#include <QHideEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/dashboard/thought_strip.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/paint_canvas.hpp"
#include "ui/views/watch/scene_grid.hpp"

namespace seedbed::ui {
namespace {

constexpr std::chrono::milliseconds kRetry{700};
constexpr int kMaxRetries = 15;
constexpr std::chrono::milliseconds kThoughtInterval{120};
constexpr int kLeastStage = 230;  // height in pixels

// A canvas with Vulkan needs a native window, which cannot be in a scrolled page.
std::unique_ptr<Canvas> paintedStage(QWidget* parent, CanvasReports /*reports*/) {
    return std::make_unique<PaintCanvas>(parent, kCardRadius);
}

}  // namespace

AgentStage::AgentStage(const Services& services, QWidget* parent)
    : Card(parent),
      services_(services),
      client_(services.launcher->program(), services.launcher->dataFolder()) {
    setObjectName(QStringLiteral("agent-stage"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 12);
    column->setSpacing(10);
    grid_ = new SceneGrid(*services_.theme, this, &paintedStage);
    grid_->setMinimumHeight(kLeastStage);
    grid_->setOnCard(true);
    column->addWidget(grid_, 1);
    thoughts_ = new ThoughtStrip(*services_.theme, inspector_, this);
    column->addWidget(thoughts_);
    auto* row = new QHBoxLayout();
    row->setContentsMargins(16, 0, 16, 2);
    pause_ = new QToolButton(this);
    pause_->setObjectName(QStringLiteral("stage-pause"));
    connect(pause_, &QToolButton::clicked, this, &AgentStage::togglePause);
    row->addWidget(pause_);
    status_ = new QLabel(this);
    status_->setTextFormat(Qt::PlainText);
    status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextColour(status_, *services_.theme, TextColour::quiet);
    row->addWidget(status_, 1);
    auto* watch = new QPushButton(tr("Loo&k closer"), this);
    watch->setObjectName(QStringLiteral("stage-watch"));
    watch->setToolTip(tr("Watch this agent: step by step, in up to 64 games, with what it sees"));
    connect(watch, &QPushButton::clicked, this, &AgentStage::watchRequested);
    row->addWidget(watch);
    column->addLayout(row);
    retry_.setSingleShot(true);
    connect(&retry_, &QTimer::timeout, this, &AgentStage::start);
    connect(&client_, &PlayerClient::stateChanged, this, &AgentStage::showState);
    connect(&client_, &PlayerClient::frameChanged, this, &AgentStage::showFrame);
    connect(services_.theme, &Theme::changed, this, [this] { showVerb(pause_->toolTip()); });
    showState();
}

void AgentStage::follow(const RunRecord* run) {
    const RunId before = run_;
    const bool could = canPlay();
    run_ = run == nullptr ? 0 : run->id;
    live_ = run != nullptr && isLive(run->status);
    queued_ = run == nullptr || run->status == RunStatus::queued;
    client_.saveTime(services_.runs->isTraining());
    if (run_ != before) {
        retries_ = 0;
        client_.close();
    }
    if (canPlay() && (run_ != before || !could)) start();
    else if (run_ != before || could != canPlay()) showState();
}

bool AgentStage::canPlay() const { return run_ != 0 && !queued_ && isVisible(); }

void AgentStage::start() {
    if (!canPlay()) return;
    client_.open({.policy = QString::number(run_), .follow = true});
}

void AgentStage::showEvent(QShowEvent* event) {
    Card::showEvent(event);
    if (client_.state() == PlayerClient::State::closed) start();
}

void AgentStage::hideEvent(QHideEvent* event) {
    Card::hideEvent(event);
    if (event->spontaneous()) return;  // the window is minimised
    retry_.stop();
    client_.close();
}

void AgentStage::showState() {
    const PlayerClient::State state = client_.state();
    if (state == PlayerClient::State::playing) trace_.setActions(client_.about().actions);
    const bool ended = state == PlayerClient::State::ended;
    // A run that begins saves its first weights within moments.
    const bool again = ended && live_ && !client_.frame() && retries_ < kMaxRetries;
    if (again && canPlay()) {
        ++retries_;
        retry_.start(kRetry);
    }
    grid_->setNote(state == PlayerClient::State::starting || again ? tr("The agent appears in a moment…")
                   : ended                                         ? client_.problem()
                   : queued_ && run_ != 0 ? tr("The agent appears when the run starts.")
                                          : QString());
    if (!client_.frame()) {
        thought_.invalidate();
        grid_->show(nullptr);
        trace_.show(nullptr);
        inspector_.show(nullptr);
        thoughts_->update();
    }
    describe();
}

void AgentStage::showFrame() {
    const auto& frame = client_.frame();
    if (!frame) return;
    retries_ = 0;
    grid_->show(frame);
    // Numbers that change faster cannot be read.
    if (!frame->paused && thought_.isValid() && !thought_.hasExpired(kThoughtInterval.count())) return;
    thought_.start();
    trace_.show(frame);
    inspector_.show(nullptr);
    thoughts_->update();
    describe();
}

void AgentStage::describe() {
    const auto& frame = client_.frame();
    const bool ended = client_.state() == PlayerClient::State::ended, paused = frame && frame->paused;
    pause_->setEnabled(frame || ended);
    // A new icon makes the page arrange itself again, which costs more than a frame.
    const QString verb = ended ? tr("Play again") : paused ? tr("Play") : tr("Pause the game");
    if (verb != pause_->toolTip() || !frame) showVerb(verb);
    const QString weights = ended    ? client_.problem()
                            : !frame ? QString()
                            : frame->followed
                                ? tr("live · weights of step %1").arg(countText(frame->weights_steps))
                                : tr("weights of step %1").arg(countText(frame->weights_steps));
    if (status_->text() != weights) status_->setText(weights);
    status_->setToolTip(weights);
    // Screen readers get updates only while the game is paused.
    const QString sentence = paused ? trace_.sentence() : QString();
    grid_->setAccessibleDescription(sentence);
    thoughts_->setAccessibleDescription(sentence);
}

void AgentStage::showVerb(const QString& verb) {
    const auto& frame = client_.frame();
    const bool stands = (frame && frame->paused) || client_.state() == PlayerClient::State::ended;
    pause_->setIcon(services_.theme->icon(stands ? QStringLiteral("resume") : QStringLiteral("pause")));
    pause_->setAccessibleName(verb);
    pause_->setToolTip(verb);
}

void AgentStage::togglePause() {
    if (client_.state() == PlayerClient::State::ended) return start();
    const auto& frame = client_.frame();
    client_.ask(frame && frame->paused ? QStringLiteral("resume") : QStringLiteral("pause"));
}

}  // namespace seedbed::ui
