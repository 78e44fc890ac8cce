// SPDX-License-Identifier: GPL-3.0-or-later
// The queue page: running and queued runs, their order, how many run at a time, and when they pause for other
// programs.
#include <algorithm>
#include <deque>

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>

#include "core/store/run_lock.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/queue/queue_model.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/page.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/queue/neighbour_row.hpp"
#include "ui/views/queue/queue_row.hpp"
#include "ui/views/queue/remove_command.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

class QueuePage : public Page {
    Q_OBJECT

public:
    explicit QueuePage(const Services& services)
        : services_(services),
          model_(new QueueModel(*services.runs, services.launcher, services.catalogue, this)),
          list_(new QListView(this)),
          state_(new QLabel(this)) {
        auto* layout = new QVBoxLayout(this);
        auto* top = new QHBoxLayout;
        state_->setWordWrap(true);
        setTextColour(state_, *services_.theme, TextColour::quiet);
        top->addWidget(pageTitle(tr("Queue"), this));
        top->addStretch(1);
        auto* label = new QLabel(tr("Runs at a &time"), this);
        at_a_time_ = new QSpinBox(this);
        at_a_time_->setRange(1, 1000);
        at_a_time_->setAccessibleName(tr("Runs at a time"));
        at_a_time_->setKeyboardTracking(false);
        label->setBuddy(at_a_time_);
        top->addWidget(label);
        top->addWidget(at_a_time_);
        layout->addLayout(top);
        layout->addWidget(state_);
        score_ = new QLabel(this);
        score_->setObjectName(QStringLiteral("queue-score"));
        makeMessage(score_, *services_.theme, TextColour::quiet);
        score_->setToolTip(tr(
            "For each finished run: the estimate that earlier runs gave when it started, compared with its "
            "training time"));
        layout->addWidget(score_);

        held_ = new NeighbourBar(services_, this);
        layout->addWidget(held_);

        arrangeList();
        layout->addWidget(list_, 1);
        makeActions(layout, top);
        auto* rules = new NeighbourRow(services_, this);
        layout->addWidget(rules);
        addNamedAction(QStringLiteral("queue-rules"), tr("Rules for pauses: battery, games, other programs"),
                       QString(), [rules] { rules->setFocus(); });

        apply_number_.setSingleShot(true);
        apply_number_.setInterval(400);
        connect(at_a_time_, &QSpinBox::valueChanged, &apply_number_, qOverload<>(&QTimer::start));
        connect(&apply_number_, &QTimer::timeout, this, [this] {
            runCommand(
                {QStringLiteral("queue"), QStringLiteral("jobs"), QString::number(at_a_time_->value())});
        });
        connect(list_, &QListView::activated, this, [this](const QModelIndex& index) {
            services_.navigator->open(DashboardLink{model_->runAt(index.row())});
        });
        connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueuePage::update);
        connect(services_.runs, &RunStore::queueChanged, this, &QueuePage::update);
        connect(services_.runs, &RunStore::runsChanged, this, &QueuePage::update);
        connect(services_.runs, &RunStore::stateChanged, this, &QueuePage::update);
        connect(model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] { chosen_ = chosen(); });
        connect(model_, &QAbstractItemModel::modelReset, this, &QueuePage::restoreSelection);
        showScore();
        update();
    }

    void open(const std::any&) override { list_->setFocus(); }

protected:
    void showEvent(QShowEvent* event) override {
        Page::showEvent(event);
        model_->setShown(true);
        update();
    }
    void hideEvent(QHideEvent* event) override {
        Page::hideEvent(event);
        model_->setShown(false);
    }

private:
    void arrangeList() {
        list_->setModel(model_);
        list_->setItemDelegate(new QueueRow(list_));
        list_->setObjectName(QStringLiteral("queue-list"));
        list_->setAccessibleName(tr("Queue"));
        list_->setFrameShape(QFrame::NoFrame);
        list_->viewport()->setBackgroundRole(QPalette::Window);
        list_->setUniformItemSizes(true);
        list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
        list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
        list_->setDragDropMode(QAbstractItemView::InternalMove);
        list_->setDragDropOverwriteMode(false);
        list_->setContextMenuPolicy(Qt::ActionsContextMenu);
        connect(model_, &QueueModel::dropped, this, &QueuePage::moveBefore);
        connect(model_, &QueueModel::scoreChanged, this, &QueuePage::showScore);
    }

    void makeActions(QVBoxLayout* layout, QHBoxLayout* top) {
        auto* row = new FlowLayout;  // several rows in narrow windows
        const auto add = [&](const char* icon, const QString& id, const QString& text,
                             const QString& shortcut, std::function<void()> done) {
            QAction* action = addNamedAction(id, text, shortcut, std::move(done));
            action->setIcon(services_.theme->icon(QLatin1String(icon)));
            list_->addAction(action);
            // Single letters are shortcuts in the list only.
            if (shortcut.size() == 1 || shortcut == QLatin1String("Del"))
                action->setShortcutContext(Qt::WidgetShortcut);
            auto* button = new QToolButton(this);
            button->setDefaultAction(action);
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
            button->setFocusPolicy(Qt::StrongFocus);
            button->setAccessibleName(text);
            connect(action, &QAction::changed, button,
                    [button, action] { button->setAccessibleName(action->text()); });
            row->addWidget(button);
            return action;
        };
        up_ = add("up", QStringLiteral("queue-up"), tr("Move up"), QStringLiteral("Alt+Up"),
                  [this] { move(-1); });
        down_ = add("down", QStringLiteral("queue-down"), tr("Move down"), QStringLiteral("Alt+Down"),
                    [this] { move(1); });
        pause_ = add("pause", QStringLiteral("queue-pause-run"), tr("Pause run"), QStringLiteral("P"),
                     [this] { pauseRun(); });
        stop_ =
            add("stop", QStringLiteral("queue-stop-run"), tr("Stop run"), QStringLiteral("Ctrl+."), [this] {
                for (const RunId run : chosen())
                    services_.launcher->control(QStringLiteral("stop"), run, this,
                                                [this](const CommandReply& reply) { handleReply(reply); });
            });
        remove_ = add("remove", QStringLiteral("queue-remove"), tr("Remove from the queue"),
                      QStringLiteral("Del"), [this] {
                          const std::vector<RunId> runs = chosen();
                          if (runs.empty()) return;
                          services_.undo->push(new RemoveFromQueueCommand(
                              services_, runs,
                              tr("Remove %n run(s) from the queue", "", static_cast<int>(runs.size()))));
                          services_.navigator->showUndo(
                              tr("%n run(s) removed from the queue.", "", static_cast<int>(runs.size())));
                      });
        pause_all_ = add("pause", QStringLiteral("queue-pause"), tr("Pause the queue"),
                         QStringLiteral("Shift+P"), [this] {
                             if (services_.runs->queue().paused || idle())
                                 runCommand({QStringLiteral("queue"), QStringLiteral("start")});
                             else runCommand({QStringLiteral("queue"), QStringLiteral("pause")});
                         });
        auto* next = static_cast<QToolButton*>(row->itemAt(row->count() - 1)->widget());
        setKind(next, ButtonKind::primary);
        row->removeWidget(next);
        top->addWidget(next);
        // Starting and stopping the queue process does not change the database, so poll its lock.
        poll_timer_.setInterval(500);
        connect(&poll_timer_, &QTimer::timeout, this, [this] {
            if (isVisible() && idle() != idle_) update();
        });
        poll_timer_.start();
        layout->addLayout(row);
    }

    // Whether runs are queued but no queue process is running.
    bool idle() const {
        return model_->rowCount() > 0 && !RunLock::isHeld(services_.runs->folder(), kQueueLock);
    }

    std::vector<RunId> chosen() const {
        std::vector<RunId> runs;
        for (const QModelIndex& index : list_->selectionModel()->selectedRows())
            runs.push_back(model_->runAt(index.row()));
        return runs;
    }

    // Restores the selection after a reset of the model.
    void restoreSelection() {
        QItemSelection selection;
        for (const RunId run : chosen_)
            if (const int row = model_->rowOf(run); row >= 0)
                selection.select(model_->index(row), model_->index(row));
        list_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
        if (!selection.isEmpty())
            list_->selectionModel()->setCurrentIndex(selection.indexes().first(),
                                                     QItemSelectionModel::NoUpdate);
        update();
    }

    void runCommand(const QStringList& words) {
        services_.launcher->run(words, this, [this](const CommandReply& reply) { handleReply(reply); });
    }
    void handleReply(const CommandReply& reply) {
        if (!reply.ok()) services_.navigator->showProblem(reply.error);
        services_.runs->refresh();
    }
    // Moves all selected runs by one position; runs at the edge stay in place. Sends one command per run;
    // `order_` is the order after all pending commands.
    void move(int by) {
        loadOrder();
        const std::vector<RunId> runs = chosen();
        const auto is_chosen = [&](RunId run) {
            return std::find(runs.begin(), runs.end(), run) != runs.end();
        };
        const auto count = static_cast<std::ptrdiff_t>(order_.size());
        const bool idle = moves_.empty();
        for (std::ptrdiff_t i = by < 0 ? 1 : count - 2; i >= 0 && i < count; i -= by) {
            RunId& here = order_[static_cast<std::size_t>(i)];
            RunId& there = order_[static_cast<std::size_t>(i + by)];
            if (!is_chosen(here) || is_chosen(there)) continue;
            moves_.push_back({QStringLiteral("queue"), QStringLiteral("move"), QString::number(here),
                              QString::number(i + by + 1)});
            std::swap(here, there);
        }
        if (idle) nextMove();
    }
    // Moves dragged runs before the row in their order, with as few commands as possible.
    void moveBefore(const std::vector<RunId>& runs, int row) {
        loadOrder();
        const RunId before = model_->runAt(row);
        const auto dragged = [&](RunId run) {
            return std::find(runs.begin(), runs.end(), run) != runs.end();
        };
        std::vector<RunId> wanted, moving;
        for (const RunId run : order_)
            if (dragged(run)) moving.push_back(run);
        // Runs that are not moved and are before that row stay ahead of the moved runs.
        const auto end = before == 0 ? order_.end() : std::find(order_.begin(), order_.end(), before);
        for (auto at = order_.begin(); at != end; ++at)
            if (!dragged(*at)) wanted.push_back(*at);
        wanted.insert(wanted.end(), moving.begin(), moving.end());
        for (auto at = end; at != order_.end(); ++at)
            if (!dragged(*at)) wanted.push_back(*at);
        const auto commands = [&](bool from_the_top) {
            std::deque<QStringList> moves;
            std::vector<RunId> now = order_;
            for (std::size_t step = 0; step < now.size(); ++step) {
                const std::size_t place = from_the_top ? step : now.size() - 1 - step;
                if (now[place] == wanted[place]) continue;
                now.erase(std::find(now.begin(), now.end(), wanted[place]));
                now.insert(now.begin() + static_cast<std::ptrdiff_t>(place), wanted[place]);
                moves.push_back({QStringLiteral("queue"), QStringLiteral("move"),
                                 QString::number(wanted[place]), QString::number(place + 1)});
            }
            return moves;
        };
        std::deque<QStringList> down = commands(true), up = commands(false);
        const bool idle = moves_.empty();
        for (const QStringList& move : down.size() <= up.size() ? down : up) moves_.push_back(move);
        order_ = wanted;
        if (idle) nextMove();
    }
    // Loads the order of the list unless moves are pending.
    void loadOrder() {
        if (!order_.empty()) return;
        for (int row = 0; row < model_->rowCount(); ++row) order_.push_back(model_->runAt(row));
    }
    void nextMove() {
        if (moves_.empty()) return services_.runs->refresh();
        services_.launcher->run(moves_.front(), this, [this](const CommandReply& reply) {
            moves_.pop_front();
            if (!reply.ok()) {
                // Drops the remaining moves, whose targets are no longer correct.
                moves_.clear();
                order_.clear();
                services_.navigator->showProblem(reply.error);
            }
            nextMove();
        });
    }
    // Whether the run has a process and is paused.
    bool isPaused(const QModelIndex& index) const {
        const RunRecord* run = services_.runs->find(model_->runAt(index.row()));
        return run != nullptr && run->status == RunStatus::paused;
    }
    void pauseRun() {
        for (const QModelIndex& index : list_->selectionModel()->selectedRows()) {
            const QString run = QString::number(model_->runAt(index.row()));
            if (index.data(QueueModel::kLiveRole).toBool()) {
                runCommand({isPaused(index) ? QStringLiteral("resume") : QStringLiteral("pause"), run});
            } else if (index.data(QueueModel::kPausedRole).toBool()) {
                runCommand({QStringLiteral("queue"), QStringLiteral("pause"), run, QStringLiteral("--undo")});
            } else {
                runCommand({QStringLiteral("queue"), QStringLiteral("pause"), run});
            }
        }
    }

    void update() {
        if (!isVisible()) return;  // the model has no rows of now
        const QueueState& queue = services_.runs->queue();
        if (moves_.empty()) order_.clear();
        if (!apply_number_.isActive() && !at_a_time_->hasFocus()) {
            const QSignalBlocker quiet(at_a_time_);
            at_a_time_->setValue(queue.at_a_time);
        }
        int live = 0, paused = 0;
        for (int row = 0; row < model_->rowCount(); ++row) {
            live += model_->index(row, 0).data(QueueModel::kLiveRole).toBool();
            paused += isPaused(model_->index(row, 0));
        }
        const int waiting = model_->rowCount() - live;
        idle_ = waiting > 0 && idle();
        model_->setStopped(queue.paused || idle_);
        const QString& problem = services_.runs->state().text;
        if (model_->rowCount() == 0 && !problem.isEmpty()) state_->setText(problem);
        else if (model_->rowCount() == 0)
            state_->setText(tr("The queue is empty. Click “Train” on the start page to add runs."));
        else
            state_->setText(tr("%n running", "", live - paused) + QStringLiteral(", ") +
                            (paused > 0 ? tr("%n paused", "", paused) + QStringLiteral(", ") : QString()) +
                            tr("%n queued", "", waiting) +
                            (queue.paused ? tr(" · queue paused: no further runs are started")
                             : idle_      ? tr(" · queue stopped: click “Start the queue”")
                                          : QString()));
        pause_all_->setText(queue.paused ? tr("Resume the queue")
                            : idle_      ? tr("Start the queue")
                                         : tr("Pause the queue"));
        pause_all_->setIcon(
            services_.theme->icon(queue.paused || idle_ ? QStringLiteral("start") : QStringLiteral("pause")));
        held_->update();
        updateActions();
    }

    void showScore() {
        constexpr int kFewest = 3;  // a score of fewer runs would be chance
        const EstimateScore& score = model_->score();
        showMessage(
            score_,
            score.runs < kFewest
                ? QString()
                : tr("Past estimates: within 20 % in %1 of %2 runs").arg(score.close).arg(score.runs));
    }

    // Enables the actions that apply to the selected runs.
    void updateActions() {
        const auto rows = list_->selectionModel()->selectedRows();
        bool any_live = false, all_live = !rows.isEmpty();
        for (const QModelIndex& index : rows) {
            const bool is_live = index.data(QueueModel::kLiveRole).toBool();
            any_live |= is_live;
            all_live &= is_live;
        }
        for (QAction* action : {up_, down_, pause_}) action->setEnabled(!rows.isEmpty());
        // The action depends on the first selected run.
        const bool resumes = !rows.isEmpty() && (isPaused(rows.first()) ||
                                                 (!rows.first().data(QueueModel::kLiveRole).toBool() &&
                                                  rows.first().data(QueueModel::kPausedRole).toBool()));
        pause_->setText(resumes ? tr("Resume run") : tr("Pause run"));
        pause_->setIcon(services_.theme->icon(resumes ? QStringLiteral("resume") : QStringLiteral("pause")));
        remove_->setEnabled(!rows.isEmpty() && !any_live);
        stop_->setEnabled(all_live);
    }

    Services services_;
    QueueModel* model_;
    QListView* list_;
    QLabel* state_;
    QLabel* score_ = nullptr;
    NeighbourBar* held_ = nullptr;
    QSpinBox* at_a_time_ = nullptr;
    QTimer apply_number_, poll_timer_;
    bool idle_ = false;  // the last shown value of idle()
    QAction *up_ = nullptr, *down_ = nullptr, *pause_ = nullptr, *stop_ = nullptr, *remove_ = nullptr,
            *pause_all_ = nullptr;
    std::vector<RunId> chosen_;
    std::deque<QStringList> moves_;  // pending commands; the first is running
    std::vector<RunId> order_;       // order of all rows after `moves_`
};

SEEDBED_REGISTER_PAGE(queue, {.order = 50,
                              .title = QT_TRANSLATE_NOOP("Page", "&Queue"),
                              .icon = "queue",
                              .make = [](const Services& s) -> Page* { return new QueuePage(s); }});

}  // namespace
}  // namespace seedbed::ui

#include "queue_page.moc"
