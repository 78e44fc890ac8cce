// SPDX-License-Identifier: GPL-3.0-or-later
// The page of populations: members with their scores, and the lineage as a tree with the history of settings.
#include <algorithm>

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QThread>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/population/population_list.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/page.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/page_stack.hpp"
#include "ui/views/population/lineage_view.hpp"
#include "ui/views/population/new_population.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

enum MemberColumn { kNumber, kRunName, kMemberState, kMemberScore, kFirstValue };

class PopulationPage : public Page {
    Q_OBJECT

public:
    explicit PopulationPage(const Services& services) : services_(services), list_(*services.populations) {
        auto* layout = new QVBoxLayout(this);
        makeActions();
        layout->addWidget(makeHead());
        note_ = new QLabel(this);
        note_->setObjectName(QStringLiteral("population-note"));
        makeMessage(note_, *services_.theme, TextColour::quiet);
        layout->addWidget(note_);
        stack_ = new PageStack(this);
        stack_->addWidget(makeEmptyState());
        stack_->addWidget(makeTables());
        layout->addWidget(stack_, 1);
        connect(&list_, &PopulationList::changed, this, &PopulationPage::showAll);
        connect(services_.runs, &RunStore::runsChanged, this, &PopulationPage::updateActions);
        connect(populations_, &QComboBox::activated, this,
                [this] { list_.choose(populations_->currentData().toLongLong()); });
        connect(members_, &QTableWidget::cellActivated, this,
                [this](int row) { openRunOf(members_->item(row, kNumber)->data(Qt::UserRole).toInt()); });
        connect(lineage_, &QTreeWidget::itemActivated, this,
                [this] { openRunOf(lineage_->currentMember()); });
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

private:
    // --- parts

    void makeActions() {
        const auto add = [&](const char* id, const char* icon, const QString& text, const QString& shortcut,
                             std::function<void()> done) {
            QAction* action = addNamedAction(QLatin1String(id), text, shortcut, std::move(done));
            action->setIcon(services_.theme->icon(QLatin1String(icon)));
            return action;
        };
        new_ = add("population-new", "add", tr("New population…"), QStringLiteral("Ctrl+N"),
                   [this] { askForPopulation(); });
        best_ = add("population-best", "star", tr("Open the best run"), QStringLiteral("Ctrl+B"), [this] {
            if (list_.shown().best) services_.navigator->open(DashboardLink{list_.shown().best->run});
        });
        resume_ = add("population-resume", "resume", tr("Resume the population"),
                      QStringLiteral("Ctrl+Return"), [this] { list_.resume(list_.shown(), jobs_->value()); });
        stop_ = add("population-stop", "stop", tr("Stop the population"), QStringLiteral("Ctrl+."),
                    [this] { list_.stop(list_.shown()); });
        add("population-refresh", "reset", tr("Reload the populations"), QStringLiteral("F5"),
            [this] { list_.refresh(); });
    }

    QWidget* makeHead() {
        auto* head = new QWidget(this);
        auto* layout = new FlowLayout(head);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(pageTitle(tr("Populations"), head));
        populations_ = new NameBox(18, head);
        populations_->setObjectName(QStringLiteral("populations"));
        populations_->setAccessibleName(tr("Population"));
        layout->addWidget(populations_);
        head_new_ = actionButton(new_, head);
        layout->addWidget(head_new_);
        return head;
    }

    QWidget* makeEmptyState() {
        const EmptyState empty = emptyState(QStringLiteral("population"), new_, *services_.theme,
                                            "population", "population", this);
        empty_ = empty.text;
        create_ = empty.button;
        return empty.widget;
    }

    QWidget* makeTables() {
        auto* part = new QWidget(this);
        auto* layout = new QVBoxLayout(part);
        layout->setContentsMargins(0, 0, 0, 0);
        facts_ = new QLabel(part);
        facts_->setObjectName(QStringLiteral("population-facts"));
        facts_->setWordWrap(true);
        layout->addWidget(facts_);
        auto* controls = new QWidget(part);
        auto* flow = new FlowLayout(controls);
        flow->setContentsMargins(0, 0, 0, 0);
        for (QAction* action : {best_, resume_, stop_}) flow->addWidget(actionButton(action, controls));
        jobs_ = new QSpinBox(controls);
        jobs_->setObjectName(QStringLiteral("population-at-a-time"));
        jobs_->setAccessibleName(tr("Members that train at the same time after resuming"));
        jobs_->setToolTip(jobs_->accessibleName());
        jobs_->setPrefix(tr("at the same time: "));
        jobs_->setRange(1, std::max(1, QThread::idealThreadCount()));
        flow->addWidget(jobs_);
        progress_ = new QProgressBar(controls);
        progress_->setObjectName(QStringLiteral("population-progress"));
        progress_->setAccessibleName(tr("Progress of the population"));
        progress_->setFixedWidth(220);
        flow->addWidget(progress_);
        layout->addWidget(controls);
        auto* tables = new QSplitter(Qt::Vertical, part);
        tables->setChildrenCollapsible(false);
        makeMembers(tables);
        tables->addWidget(members_);
        auto* tree = new QWidget(tables);
        auto* below = new QVBoxLayout(tree);
        below->setContentsMargins(0, 0, 0, 0);
        auto* legend = new QLabel(tr("Lineage: each line is a learner with its settings, each branch a copy "
                                     "with changed settings. The bar shows the rounds in which it trained."),
                                  tree);
        legend->setWordWrap(true);
        setTextColour(legend, *services_.theme, TextColour::quiet);
        below->addWidget(legend);
        lineage_ = new LineageView(*services_.theme, tree);
        below->addWidget(lineage_, 1);
        tables->addWidget(tree);
        tables->setStretchFactor(0, 2);
        tables->setStretchFactor(1, 3);
        layout->addWidget(tables, 1);
        return part;
    }

    void makeMembers(QWidget* parent) {
        members_ = new QTableWidget(parent);
        members_->setObjectName(QStringLiteral("population-members"));
        members_->setAccessibleName(tr("Members"));
        members_->setEditTriggers(QAbstractItemView::NoEditTriggers);
        members_->setSelectionBehavior(QAbstractItemView::SelectRows);
        members_->setSelectionMode(QAbstractItemView::SingleSelection);
        members_->setAlternatingRowColors(true);
        members_->setTabKeyNavigation(false);
        members_->verticalHeader()->hide();
        members_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
        members_->horizontalHeader()->setHighlightSections(false);
        members_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    }

    // --- contents

    void showAll() {
        {
            const QSignalBlocker quiet(populations_);
            populations_->clear();
            for (const PopulationInfo& each : list_.populations()) populations_->addItem(each.name, each.id);
            populations_->setCurrentIndex(populations_->findData(list_.chosen()));
        }
        const bool is_empty = list_.isKnown() && list_.populations().isEmpty();
        populations_->setVisible(!list_.populations().isEmpty());
        head_new_->setVisible(!is_empty);
        showMessage(note_, !list_.problem().isEmpty() ? list_.problem() : list_.note());
        setTextColour(
            note_, *services_.theme,
            !list_.problem().isEmpty() || list_.noteIsProblem() ? TextColour::bad : TextColour::good);
        const PopulationDetails& shown = list_.shown();
        stack_->setCurrentIndex(shown.id == 0 ? 0 : 1);
        empty_->setText(
            is_empty ? tr("No populations yet. A population trains several agents at the same time and "
                          "finds good values of a setting, such as the learning rate, on the way.")
                     : QString());
        create_->setVisible(is_empty);
        if (shown.id != 0) showPopulation(shown);
        updateActions();
    }

    void showPopulation(const PopulationDetails& shown) {
        const EnvInfo* env =
            services_.catalogue == nullptr ? nullptr : services_.catalogue->environment(shown.env);
        const QString state = shown.is_complete  ? tr("complete")
                              : shown.is_running ? tr("running")
                                                 : tr("stopped");
        QStringList sentences{QStringList{env == nullptr ? shown.env : env->title, shown.algo,
                                          tr("%n member(s)", nullptr, static_cast<int>(shown.members.size())),
                                          tr("%1 steps each").arg(countText(shown.steps)),
                                          shown.lower_is_better ? tr("minimises %1").arg(shown.objective)
                                                                : tr("maximises %1").arg(shown.objective),
                                          state}
                                  .join(QStringLiteral(" · "))};
        if (shown.best)
            sentences += (shown.best->evaluation ? tr("Best: member %1 (run %2) with an evaluation of %3.")
                                                 : tr("Best: member %1 (run %2) with a score of %3."))
                             .arg(QString::number(shown.best->member), QString::number(shown.best->run),
                                  shortNumber(shown.best->evaluation.value_or(shown.best->score)));
        for (const PopulationMember& member : shown.members)
            if (!member.error.isEmpty())
                sentences += tr("Member %1 failed: %2").arg(QString::number(member.member), member.error);
        facts_->setText(sentences.join(QLatin1Char('\n')));
        progress_->setRange(0, static_cast<int>(std::max<qint64>(1, shown.rounds)));
        progress_->setValue(
            static_cast<int>(shown.is_complete ? shown.rounds : std::max<qint64>(0, shown.round - 1)));
        progress_->setFormat(tr("round %1 of %2").arg(countText(shown.round), countText(shown.rounds)));
        fillMembers(shown);
        lineage_->setPopulation(shown);
    }

    static QString stateText(const PopulationMember& member) {
        if (member.state == QLatin1String("copying")) return tr("copies another member");
        if (member.state == QLatin1String("training")) return tr("to be trained in this round");
        return member.state == QLatin1String("done") ? tr("round complete") : tr("failed");
    }

    void fillMembers(const PopulationDetails& shown) {
        QStringList heads{tr("Member"), tr("Run"), tr("State"), tr("Score")};
        for (const QString& key : shown.keys) heads += settingTitle(key);
        members_->setColumnCount(static_cast<int>(heads.size()));
        members_->setHorizontalHeaderLabels(heads);
        members_->setRowCount(static_cast<int>(shown.members.size()));
        for (int row = 0; row < members_->rowCount(); ++row) {
            const PopulationMember& member = shown.members[static_cast<std::size_t>(row)];
            const bool is_best = shown.best && shown.best->member == member.member;
            QStringList texts{QString::number(member.member), QString::number(member.run), stateText(member),
                              member.score ? shortNumber(*member.score) : QStringLiteral("–")};
            for (const double value : member.settings) texts += shortNumber(value);
            for (int column = 0; column < members_->columnCount(); ++column) {
                auto* cell = members_->item(row, column);
                if (cell == nullptr) members_->setItem(row, column, cell = new QTableWidgetItem);
                cell->setText(column < texts.size() ? texts[column] : QString());
                if (column != kMemberState) cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
                QFont font = members_->font();
                font.setBold(is_best);
                cell->setFont(font);
                cell->setToolTip(member.error);
            }
            members_->item(row, kNumber)->setData(Qt::UserRole, member.member);
        }
    }

    void updateActions() {
        const PopulationDetails& shown = list_.shown();
        const bool is_open = shown.id != 0 && !shown.is_complete;
        best_->setEnabled(shown.best.has_value());
        resume_->setEnabled(is_open && !shown.is_running && !list_.isStarting());
        stop_->setEnabled(is_open && shown.is_running);
    }

    // --- commands

    void askForPopulation() {
        auto* dialog = new NewPopulationDialog(services_, this);
        connect(dialog, &QDialog::accepted, this, [this, dialog] { list_.start(dialog->plan()); });
        dialog->open();
    }

    void openRunOf(int member) {
        for (const PopulationMember& each : list_.shown().members)
            if (each.member == member) return services_.navigator->open(DashboardLink{each.run});
    }

    Services services_;
    PopulationList& list_;
    QAction *new_ = nullptr, *best_ = nullptr, *resume_ = nullptr, *stop_ = nullptr;
    NameBox* populations_ = nullptr;
    QLabel *note_ = nullptr, *empty_ = nullptr, *facts_ = nullptr;
    QPushButton *create_ = nullptr, *head_new_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    QTableWidget* members_ = nullptr;
    LineageView* lineage_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QSpinBox* jobs_ = nullptr;
};

SEEDBED_REGISTER_PAGE(populations,
                      {.order = 54,
                       .title = QT_TRANSLATE_NOOP("Page", "P&opulations"),
                       .icon = "population",
                       .make = [](const Services& s) -> Page* { return new PopulationPage(s); }});

}  // namespace
}  // namespace seedbed::ui

#include "population_page.moc"
