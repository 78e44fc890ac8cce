// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/watch_verbs.hpp"

#include <utility>

#include <QAction>
#include <QJsonObject>
#include <QVBoxLayout>

#include "ui/models/charts/trace_model.hpp"
#include "ui/models/play/player_client.hpp"
#include "ui/views/charts/view_button.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/watch/play_panel.hpp"
#include "ui/views/watch/stop_when.hpp"
#include "ui/views/watch/watch_controls.hpp"

namespace seedbed::ui {
namespace {

constexpr int kFilmSize = 480;  // pixels

}  // namespace

WatchVerbs::WatchVerbs(PlayerClient& client, const TraceModel& trace, const Actions& actions, QWidget* parent)
    : QWidget(parent), client_(client), actions_(actions) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    row_ = new QWidget(this);
    auto* row = new FlowLayout(row_);
    row->setContentsMargins(0, 0, 0, 0);
    QToolButton* take = makeButton(row_, actions.take);
    row->addWidget(take);
    conditions_ = new StopWhen(client, trace);
    stop_ = new ViewButton(actions.stop->iconText(), conditions_, row_);
    stop_->setObjectName(QStringLiteral("watch-stop-when-button"));
    stop_->setToolTip(actions.stop->text());
    stop_->setFocusPolicy(Qt::TabFocus);
    row->addWidget(stop_);
    for (QAction* each : {actions.branch, actions.close, actions.save, actions.duel}) {
        QToolButton* button = makeButton(row_, each);
        row->addWidget(button);
        if (each == actions.close) close_ = button;
    }
    stopped_ = new Chip(row_);
    stopped_->setTone(Tone::warning);
    stopped_->setObjectName(QStringLiteral("watch-stopped-by"));
    stopped_->hide();
    row->addWidget(stopped_);
    panel_ = new PlayPanel(client, this);
    layout->addWidget(row_);
    layout->addWidget(panel_);
    // The panel is filled before it opens.
    connect(stop_, &QToolButton::pressed, conditions_, &StopWhen::fill);
    connect(panel_, &PlayPanel::changed, this, [this] { row_->setVisible(!panel_->plays()); });
    connect(&client_, &PlayerClient::stateChanged, this, &WatchVerbs::showState);
    connect(&client_, &PlayerClient::statusChanged, this, &WatchVerbs::showStatus);
    connect(&client_, &PlayerClient::frameChanged, this, &WatchVerbs::showFocus);
    connect(conditions_, &StopWhen::added, this, [this](const QString& when) {
        if (conditions_->isVisible()) stop_->toggle();
        Q_EMIT told(tr("the game stops when: %1").arg(when));
    });
    connect(&client_, &PlayerClient::recorded, this,
            [this](const QString& file) { Q_EMIT told(tr("saved %1").arg(file)); });
    showState();
}

void WatchVerbs::toggleTaken() {
    if (panel_->plays()) panel_->giveBack();
    else panel_->take();
}

void WatchVerbs::openConditions() {
    if (!stop_->isVisible() || !stop_->isEnabled()) return;
    conditions_->fill();
    stop_->toggle();
}

void WatchVerbs::branch() {
    focuses_branch_ = true;
    client_.ask(QStringLiteral("branch"));
}

void WatchVerbs::closeBranch() {
    if (const auto& frame = client_.frame(); frame && close_->isEnabled())
        client_.ask(QStringLiteral("close"), {{QStringLiteral("cell"), frame->focus}});
}

void WatchVerbs::showFocus() {
    const auto& frame = client_.frame();
    const bool is_branch = frame && frame->focus >= client_.status().envs;
    if (is_branch == actions_.close->isEnabled() && is_branch != close_->isHidden()) return;
    actions_.close->setEnabled(is_branch);
    close_->setVisible(is_branch);
}

void WatchVerbs::save(bool thoughts) {
    const QString name = fileNameOf(client_.about().title) + QStringLiteral(".gif");
    askForFile(
        this, tr("Save the last 30 seconds"),
        [&](QFileDialog& dialog) {
            dialog.setAcceptMode(QFileDialog::AcceptSave);
            dialog.setFileMode(QFileDialog::AnyFile);
            dialog.setNameFilters({tr("Animated picture (*.gif)"), tr("Film (*.mp4)"),
                                   tr("Finished episodes, exactly repeatable (*.replay)")});
            dialog.setDefaultSuffix(QStringLiteral("gif"));
            connect(&dialog, &QFileDialog::filterSelected, &dialog, [&dialog](const QString& filter) {
                dialog.setDefaultSuffix(filter.section(QLatin1String("*."), 1).chopped(1));
            });
            dialog.selectFile(name);
        },
        [this, thoughts](const QString& file) {
            client_.ask(QStringLiteral("record"),
                        {{QStringLiteral("file"), file},
                         {QStringLiteral("size"), kFilmSize},
                         {QStringLiteral("thoughts"), thoughts}},
                        [this](const QJsonObject&) { Q_EMIT told(tr("saving…")); });
        });
}

void WatchVerbs::showState() {
    const bool playing = client_.state() == PlayerClient::State::playing;
    const bool replay = client_.about().is_replay;
    actions_.take->setEnabled(playing && !replay);
    actions_.branch->setEnabled(playing && !replay);
    showFocus();
    actions_.save->setEnabled(playing);
    stop_->setEnabled(playing);
    actions_.stop->setEnabled(playing);
    if (std::exchange(was_playing_, playing) == playing || !playing) return;
    branches_ = 0;
    focuses_branch_ = false;
    if (std::exchange(env_, client_.about().env) != client_.about().env) kept_.clear();
    for (const QString& when : std::as_const(kept_))
        client_.ask(QStringLiteral("break"), {{QStringLiteral("when"), when}});
}

void WatchVerbs::showStatus() {
    const PlayerStatus& status = client_.status();
    stopped_->setVisible(!status.stopped_by.isEmpty());
    stopped_->setText(status.stopped_by == QLatin1String("end") ? tr("Stopped: the game is over")
                                                                : tr("Stopped: %1").arg(status.stopped_by));
    showFocus();
    // The list of conditions is behind the button.
    const auto count = static_cast<int>(status.breaks.size());
    const QString name = actions_.stop->iconText();
    stop_->setText(count == 0 ? name : QStringLiteral("%1 (%2)").arg(name, locale().toString(count)));
    if (!was_playing_) return;
    kept_.clear();
    for (const PlayerStatus::Break& each : status.breaks) kept_ << each.when;
    if (status.branches <= std::exchange(branches_, status.branches)) return;
    if (!std::exchange(focuses_branch_, false)) return;  // made by a person who takes over
    client_.ask(QStringLiteral("focus"), {{QStringLiteral("env"), status.envs + status.branches - 1}});
    Q_EMIT told(tr("a branch continues from here; take over to change its future"));
}

}  // namespace seedbed::ui
