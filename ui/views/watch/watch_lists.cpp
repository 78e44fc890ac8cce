// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of runs and weights of the watch page, and its status line.
#include "ui/views/watch/watch_page.hpp"

#include <algorithm>
#include <utility>

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QStringList>
#include <QToolButton>

#include "ui/models/run_store.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/models/text/score_text.hpp"
#include "ui/views/status_line.hpp"
#include "ui/views/watch/play_panel.hpp"
#include "ui/views/watch/scene_grid.hpp"
#include "ui/views/watch/watch_verbs.hpp"

namespace seedbed::ui {
namespace {

constexpr int kMaxRuns = 300;  // limit for the run box; older runs are linked from the run table

}  // namespace

// Called several times per second during training: changes only entries that differ, and nothing while the
// list is open.
void WatchPage::listRuns() {
    if (runs_->view()->isVisible()) return;
    std::vector<std::pair<RunId, QString>> wanted;
    bool listed = false;
    const auto add = [&](RunId id, const RunRecord* run) {
        QString text = id == kImported  ? tr("%1 · imported").arg(imported_)
                       : run == nullptr ? tr("Run %1").arg(id)
                                        : runEntry(*run);
        if (run != nullptr && run->last_return && !isLive(run->status))
            text += QStringLiteral(" · ") + shortNumber(*run->last_return);
        wanted.emplace_back(id, text);
        listed = listed || id == run_;
    };
    const std::vector<RunRecord>& runs = *services_.runs->runs();
    for (auto run = runs.rbegin(); run != runs.rend() && wanted.size() < kMaxRuns; ++run)
        if (!run->in_trash || run->id == run_) add(run->id, &*run);
    // The current run is always listed, and the imported policy while the page is used.
    if (!imported_.isEmpty()) add(kImported, nullptr);
    if (run_ != 0 && !listed) add(run_, services_.runs->find(run_));
    filling_ = true;
    while (runs_->count() > static_cast<int>(wanted.size())) runs_->removeItem(runs_->count() - 1);
    for (int i = 0; i < static_cast<int>(wanted.size()); ++i) {
        const auto& [id, text] = wanted[static_cast<std::size_t>(i)];
        if (i == runs_->count()) runs_->addItem(QString());
        if (runs_->itemData(i).toLongLong() == id && runs_->itemData(i, Qt::ToolTipRole).toString() == text)
            continue;
        runs_->setItemText(i, text.simplified());
        runs_->setItemData(i, QVariant::fromValue<qint64>(id));
        runs_->setItemData(i, text, Qt::ToolTipRole);
    }
    if (run_ == 0 && runs_->count() > 0) run_ = runs_->itemData(0).toLongLong();
    runs_->setCurrentIndex(runs_->findData(QVariant::fromValue<qint64>(run_)));
    filling_ = false;
    const QString& state = services_.runs->state().text;
    train_->setVisible(runs_->count() == 0 && state.isEmpty());
    if (runs_->count() == 0)
        grid_->setNote(!state.isEmpty() ? state
                                        : tr("There is nothing to watch yet. Train an agent on the start "
                                             "page; you can watch it while it learns."));
}

void WatchPage::readCheckpoints() {
    if (run_ == 0 || run_ == kImported) return;
    const RunId run = run_;
    services_.runs->read(
        this, QStringLiteral("checkpoints"),
        [run](StoreReader& reader) -> Result<std::vector<CheckpointRecord>> {
            SEEDBED_ASSIGN(std::vector<CheckpointRecord> records, reader.checkpoints(run));
            std::erase_if(records, [](const CheckpointRecord& record) { return record.removed; });
            std::reverse(records.begin(), records.end());
            return records;
        },
        [this, run](Result<std::vector<CheckpointRecord>> kept) {
            if (run != run_) return;
            if (!kept)
                note_ =
                    tr("the checkpoints cannot be read: %1").arg(QString::fromStdString(kept.error().text()));
            else listCheckpoints(std::move(*kept));
            updateStatus();
            if (!wanted_step_) return;
            selectStep(*std::exchange(wanted_step_, std::nullopt));
            start();
        });
}

void WatchPage::listCheckpoints(std::vector<CheckpointRecord> kept) {
    const QVariant before = weights_->currentData();
    kept_ = std::move(kept);
    filling_ = true;
    weights_->clear();
    const RunRecord* run = services_.runs->find(run_);
    weights_->addItem(run_ == kImported                       ? tr("Imported weights")
                      : run != nullptr && isLive(run->status) ? tr("Newest weights (live)")
                                                              : tr("Newest weights"),
                      QVariant());
    for (const CheckpointRecord& each : kept_) {
        const QString name = tr("Step %1").arg(countText(each.step));
        weights_->addItem(checkpointText(name, each, bestEvaluation(run)),
                          QVariant::fromValue<qint64>(each.step));
    }
    // Keeps the current checkpoint in the list after it has been deleted.
    if (before.isValid() && weights_->findData(before) < 0 && !kept_.empty())
        weights_->addItem(tr("Step %1 (deleted)").arg(countText(before.toLongLong())), before);
    weights_->setCurrentIndex(before.isValid() ? std::max(0, weights_->findData(before)) : 0);
    filling_ = false;
}

// Selects the checkpoint nearest to `step`, which was chosen on a curve. If that checkpoint has a different
// step, shows a note.
void WatchPage::selectStep(std::int64_t step) {
    if (kept_.empty()) {
        // A read error is already shown.
        if (note_.isEmpty())
            note_ = tr("no checkpoint is stored; showing the newest weights instead of step %1")
                        .arg(countText(step));
        return;
    }
    const auto nearest = std::min_element(kept_.begin(), kept_.end(),
                                          [&](const CheckpointRecord& a, const CheckpointRecord& b) {
                                              return std::abs(a.step - step) < std::abs(b.step - step);
                                          });
    filling_ = true;
    weights_->setCurrentIndex(weights_->findData(QVariant::fromValue<qint64>(nearest->step)));
    filling_ = false;
    note_ = nearest->step == step ? QString()
                                  : tr("there is no checkpoint at step %1; showing the nearest one, step %2")
                                        .arg(countText(step), countText(nearest->step));
}

// Branches are shown next to the agents.
void WatchPage::nameAgents(int branches) {
    for (int i = 0; i < agents_->count(); ++i) {
        QString text = tr("%n agent(s)", nullptr, agents_->itemData(i).toInt());
        if (branches > 0 && i == agents_->currentIndex())
            text = tr("%1 + %n branch(es)", nullptr, branches).arg(text);
        if (agents_->itemText(i) != text) agents_->setItemText(i, text);
    }
}

// The run, its environment, and the step of the weights.
void WatchPage::updateTitle() {
    const RunRecord* run = services_.runs->find(run_);
    const auto& frame = client_.frame();
    QStringList parts;
    if (run != nullptr && !run->name.empty()) parts << envTitle(run->env);
    if (run == nullptr && frame) parts << client_.about().title;
    if (frame && client_.about().has_policy)
        parts << (frame->followed ? tr("weights from step %1 (live)").arg(countText(frame->weights_steps))
                                  : tr("weights from step %1").arg(countText(frame->weights_steps)));
    const QString title = !episode_->currentData().isNull() ? episode_->currentText()
                          : run_ == kImported               ? imported_
                          : run != nullptr                  ? runTitle(*run)
                                                            : tr("Watch");
    if (title_->text() != title) {
        title_->setText(title.simplified());
        title_->setToolTip(title);
    }
    subtitle_->setText(parts.join(QStringLiteral(" · ")));
}

void WatchPage::updateStatus() {
    updateTitle();
    QStringList parts;
    if (const auto& frame = client_.frame()) {
        const PlayerRecord& now =
            frame->cells[static_cast<std::size_t>(frame->focus)].nowOf(frame->focus_agent);
        // A person decides when the step is played.
        if (now.decided && !verbs_->panel().plays())
            parts << tr("next: %1").arg(actionText(trace_.names(), now.action));
        if (client_.about().is_replay) parts << tr("as recorded");
        if (client_.source().seed != 1 && !client_.about().is_replay)
            parts << tr("seed %1").arg(client_.source().seed);
        if (frame->row < frame->newest_row)
            parts << tr("%n step(s) back", nullptr, static_cast<int>(frame->newest_row - frame->row));
        if (client_.about().sticky > 0 && frame->paused)
            parts << tr("sticky actions: %1 %").arg(locale().toString(100 * client_.about().sticky, 'g', 3));
        if (frame->finished) parts << tr("episode finished");
    }
    // First, because the end is cut in narrow windows.
    if (!note_.isEmpty()) parts.prepend(note_);
    status_->setText(parts.join(QStringLiteral("  ·  ")));
    if (client_.about().sticky > 0)
        status_->setToolTip(
            status_->text() + QLatin1Char('\n') +
            tr("Sticky actions: the environment repeats the last action in %1 % of the steps.")
                .arg(locale().toString(100 * client_.about().sticky, 'g', 3)));
}

QVariantMap WatchPage::saveState() const {
    return {{QStringLiteral("run"), QVariant::fromValue<qlonglong>(run_)},
            {QStringLiteral("imported"), imported_},
            {QStringLiteral("step"), weights_->currentData()},
            {QStringLiteral("episode"), episode_->currentData().isNull() ? episode_->currentIndex() : 0},
            {QStringLiteral("agents"), agents_->currentIndex()},
            {QStringLiteral("speed"), speed_->currentIndex()},
            {QStringLiteral("inspects"), inspect_->isChecked()},
            {QStringLiteral("sample"), sample_}};
}

void WatchPage::restoreState(const QVariantMap& state) {
    const auto number = [&](const char* key) { return state[QLatin1String(key)].toInt(); };
    filling_ = true;
    run_ = state[QStringLiteral("run")].toLongLong();
    imported_ = state[QStringLiteral("imported")].toString();
    sample_ = state[QStringLiteral("sample")].toBool();
    if (const QVariant step = state[QStringLiteral("step")]; !step.isNull()) wanted_step_ = step.toLongLong();
    episode_->setCurrentIndex(number("episode"));
    agents_->setCurrentIndex(number("agents"));
    speed_->setCurrentIndex(number("speed"));
    selection_->setCurrentIndex(sample_ ? 1 : 0);
    filling_ = false;
    inspect_->defaultAction()->setChecked(state.value(QStringLiteral("inspects"), true).toBool());
    showInspector();
}

}  // namespace seedbed::ui
