// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/run_monitor.hpp"

#include <cmath>
#include <ctime>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <QLocale>

#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/settings.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/shell/main_window.hpp"
#include "ui/views/shell/side_bar.hpp"
#include "ui/views/shell/top_bar.hpp"

namespace seedbed::ui {
namespace {

constexpr double kRecentSeconds = 7 * 86400;
constexpr auto kOffered = "window/offered_runs";

}  // namespace

RunMonitor::RunMonitor(MainWindow& window, const Services& services, Desktop& desktop)
    : QObject(&window), window_(window), services_(services), desktop_(desktop) {
    for (const QVariant& run : services_.settings->state(QLatin1String(kOffered)).toList())
        offered_.insert(run.toLongLong());
    connect(services_.runs, &RunStore::runsChanged, this, &RunMonitor::update);
    connect(services_.runs, &RunStore::queueChanged, this, &RunMonitor::update);
    connect(services_.runs, &RunStore::stateChanged, this, &RunMonitor::showStoreState);
    showStoreState();
    update();
}

void RunMonitor::update() {
    const auto& runs = *services_.runs->runs();
    if (const auto done = watch_.update(services_.runs->queue(), runs); done && !window_.isActiveWindow()) {
        QStringList parts;
        if (done->finished > 0) parts += tr("%n run(s) finished", "", done->finished);
        if (done->failed > 0) parts += tr("%n run(s) failed", "", done->failed);
        if (done->stopped > 0) parts += tr("%n run(s) stopped", "", done->stopped);
        if (done->interrupted > 0) parts += tr("%n run(s) interrupted", "", done->interrupted);
        desktop_.notify(tr("Queue finished"), parts.join(QStringLiteral(", ")));
    }
    notice(runs);
    updateTitle();
    offerResume();
}

// Adds what happened to runs since the last call to the bell. A run that is new is only remembered: it may
// come from an import.
void RunMonitor::notice(const std::vector<RunRecord>& runs) {
    const StoreState::Kind state = services_.runs->state().kind;
    if (state != StoreState::Kind::ready) return;
    std::unordered_map<std::string_view, std::optional<double>> goals;  // by environment
    for (const RunRecord& run : runs) {
        const auto [known, is_first] = goals.try_emplace(run.env);
        if (is_first && services_.catalogue != nullptr)
            known->second = services_.catalogue->goalOf(QString::fromStdString(run.env));
        const std::optional<double>& goal = known->second;
        const bool solved =
            goal && run.return_source == "evaluation" && run.best_return.value_or(-INFINITY) >= *goal;
        const Seen now{.status = run.status, .solved = solved};
        const auto [at, is_new] = seen_.try_emplace(run.id, now);
        const Seen before = std::exchange(at->second, now);
        if (is_new) continue;
        const auto add = [&](const QString& text) { window_.bell().add(text.arg(runEntry(run)), run.id); };
        if (now.solved && !before.solved) add(tr("%1 reached its goal"));
        if (now.status == before.status) continue;
        if (now.status == RunStatus::finished) add(tr("%1 finished"));
        else if (now.status == RunStatus::failed) add(tr("%1 failed"));
        else if (now.status == RunStatus::interrupted)
            add(run.status_text == kStoppedOnRequest ? tr("%1 was stopped") : tr("%1 was interrupted"));
    }
}

void RunMonitor::readGoal(RunId run) {
    goals_[run] = 0;
    services_.runs->read(
        this, QStringLiteral("goal-%1").arg(run), [run](StoreReader& reader) { return reader.details(run); },
        [this, run](const Result<RunDetails>& details) {
            if (!details) return;
            if (const auto section = details->config.find("run");
                section != details->config.end() && section->contains("steps"))
                goals_[run] = (*section)["steps"].get<std::int64_t>();
            updateTitle();
        });
}

// "42 % · CartPole – Seedbed"; for several runs their number and mean progress.
void RunMonitor::updateTitle() {
    int live = 0, known = 0, shown = 0;
    double share = 0, speed = 0;
    QString name;
    RunId last = 0;
    for (const RunRecord& run : *services_.runs->runs()) {
        shown += !run.in_trash && !run.archived;
        if (!isLive(run.status)) continue;
        ++live;
        last = run.id;
        if (run.status != RunStatus::paused) speed += meanSpeed(run);
        name = runTitle(run);
        if (!goals_.contains(run.id)) readGoal(run.id);
        if (const std::int64_t goal = goals_[run.id]; goal > 0) {
            ++known;
            share += std::min(1.0, static_cast<double>(run.progress.steps) / static_cast<double>(goal));
        }
    }
    std::optional<TrainingState> training;
    if (live > 0)
        training = {.run = live == 1 ? last : 0,
                    .name = live == 1 ? name : tr("%n run(s) training", "", live),
                    .part = known > 0 ? std::optional(share / known) : std::nullopt,
                    .speed = speed > 0 ? tr("%1 steps/s").arg(compactCount(speed)) : QString()};
    window_.sideBar().showTraining(training);
    window_.sideBar().setCount(QStringLiteral("compare"), shown);
    window_.sideBar().setCount(QStringLiteral("queue"),
                               static_cast<int>(services_.runs->queue().entries.size()));
    QString title;
    if (live > 0) {
        title = live == 1 ? name : tr("%n run(s) training", "", live);
        if (known > 0) title = tr("%1 % · %2").arg(QLocale().toString(100 * share / known, 'f', 0), title);
        title += QStringLiteral(" – ");
    }
    title += QStringLiteral("Seedbed");
    if (window_.windowTitle() != title) window_.setWindowTitle(title);
    if (known > 0 || progress_shown_) desktop_.showProgress(known > 0 ? share / known : -1);
    progress_shown_ = known > 0;
}

// Offers to resume interrupted runs, once each, including those interrupted while the window was closed.
void RunMonitor::offerResume() {
    if (services_.runs->state().kind != StoreState::Kind::ready) return;
    std::vector<RunId> fresh;
    const double now = static_cast<double>(std::time(nullptr));
    for (const RunRecord& run : *services_.runs->runs()) {
        const bool unasked = run.status == RunStatus::interrupted && run.status_text != kStoppedOnRequest &&
                             !run.in_trash && !run.archived;
        if (!unasked) {
            offered_.erase(run.id);  // it was resumed, so it is offered again after the next interruption
        } else if (now - run.updated < kRecentSeconds && !offered_.contains(run.id)) {
            fresh.push_back(run.id);
        }
    }
    // Closes the bar when none of its runs is still interrupted.
    if (crash_bar_ && std::none_of(crash_runs_.begin(), crash_runs_.end(), [this](RunId id) {
            const RunRecord* run = services_.runs->find(id);
            return run != nullptr && run->status == RunStatus::interrupted && !run->in_trash;
        }))
        delete crash_bar_;
    // Does not offer runs that the queue will resume.
    std::erase_if(fresh, [&](RunId id) {
        for (const QueueEntry& entry : services_.runs->queue().entries)
            if (entry.run == id) return true;
        return false;
    });
    if (fresh.empty()) return;
    QVariantList kept;
    for (const RunId id : fresh) offered_.insert(id);
    for (const RunId id : offered_) kept += QVariant::fromValue<qlonglong>(id);
    services_.settings->setState(QLatin1String(kOffered), kept);
    QString text;
    if (fresh.size() == 1) {
        const RunRecord* run = services_.runs->find(fresh.front());
        text = tr("%1 was interrupted at step %2. Its last checkpoint is saved, and it can be resumed from "
                  "there.")
                   .arg(runEntry(*run), QLocale().toString(static_cast<qlonglong>(run->progress.steps)));
    } else {
        text =
            tr("%n run(s) were interrupted. Their last checkpoints are saved, and they can be resumed from "
               "there.",
               "", static_cast<int>(fresh.size()));
    }
    crash_bar_ = window_.addBar(MessageBar::Kind::problem, text);
    crash_runs_ = fresh;
    crash_bar_->addButton(tr("Resume"), [this, fresh] {
        for (const RunId id : fresh)
            services_.launcher->train({QStringLiteral("--run"), QString::number(id)}, &window_,
                                      [this](const Queued& queued) {
                                          if (!queued.error.isEmpty()) window_.showProblem(queued.error);
                                      });
    });
}

void RunMonitor::showStoreState() {
    const StoreState& state = services_.runs->state();
    delete state_bar_;
    if (!state.text.isEmpty()) state_bar_ = window_.addBar(MessageBar::Kind::problem, state.text);
}

}  // namespace seedbed::ui
