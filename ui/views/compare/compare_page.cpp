// SPDX-License-Identifier: GPL-3.0-or-later
// The page with all runs. It has two views: a table to find, tag and organize runs, and the comparison of
// those that the user wants to compare.
#include <algorithm>

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/models/background.hpp"
#include "ui/models/run_store.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/compare/comparison_view.hpp"
#include "ui/views/compare/run_table_view.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/duel/duel_link.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/page.hpp"
#include "ui/views/page_stack.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {
namespace {

bool haveOneEnvironment(const RunStore& store, const std::vector<RunId>& runs) {
    const RunRecord *a = store.find(runs[0]), *b = store.find(runs[1]);
    return a != nullptr && b != nullptr && a->env == b->env;
}

class ComparePage : public Page {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::ComparePage)

public:
    explicit ComparePage(const Services& services)
        : services_(services), workers_(QStringLiteral("ui-cmp"), 2) {
        auto* outer = new QVBoxLayout(this);
        views_ = new QTabBar(this);
        views_->setObjectName(QStringLiteral("runs-or-compare"));
        views_->setDrawBase(false);
        views_->setExpanding(false);
        views_->setAccessibleName(tr("Views of runs"));
        views_->addTab(tr("Runs"));
        views_->addTab(tr("Compare"));
        outer->addWidget(views_);
        auto* stack = new PageStack(this);
        table_ = new RunTableView(services_, workers_, stack);
        stack->addWidget(table_);
        QAction* choose =
            addNamedAction(QStringLiteral("compare-choose"), tr("Choose runs to compare"), QString(), [this] {
                views_->setCurrentIndex(kRuns);
                table_->table().setFocus();
            });
        comparison_ = new ComparisonView(services_, workers_, choose, stack);
        stack->addWidget(comparison_);
        outer->addWidget(stack, 1);
        addSaveEntries();
        makeActions();
        connect(views_, &QTabBar::currentChanged, stack, &QStackedWidget::setCurrentIndex);
        connect(comparison_, &ComparisonView::changed, this, [this] {
            nameViews();
            selectionChanged();
        });
        connect(table_, &RunTableView::selectionChanged, this, [this] { selectionChanged(); });
        selectionChanged();
    }

    void open(const std::any& link) override {
        const auto* wanted = std::any_cast<CompareLink>(&link);
        if (wanted != nullptr && !wanted->runs.empty()) {
            table_->select(wanted->runs);
            compare(wanted->runs);
        }
        if (views_->currentIndex() == kRuns) table_->focusFilter(false);
        else views_->setFocus();
    }

    QVariantMap saveState() const override {
        QVariantMap state = comparison_->saveState();
        QVariantList selected;
        for (const RunId run : table_->toCompare()) selected << QVariant::fromValue<qlonglong>(run);
        state[QStringLiteral("selected")] = selected;
        state[QStringLiteral("filter")] = table_->filterText();
        state[QStringLiteral("shelf")] = table_->shelfIndex();
        state[QStringLiteral("view")] = views_->currentIndex();
        return state;
    }

    void restoreState(const QVariantMap& state) override {
        std::vector<RunId> selected;
        for (const QVariant& run : state[QStringLiteral("selected")].toList())
            selected.push_back(run.toLongLong());
        table_->restore(selected, {.filter = state[QStringLiteral("filter")].toString(),
                                   .shelf = state[QStringLiteral("shelf")].toInt()});
        comparison_->restoreState(state);
        views_->setCurrentIndex(state[QStringLiteral("view")].toInt());
    }

private:
    enum View : int { kRuns, kCompare };

    void makeActions() {
        const auto addAction = [this](const QString& id, const QString& text, const QString& shortcut,
                                      std::function<void()> what, bool in_menu = true) {
            QAction* action = addNamedAction(id, text, shortcut, std::move(what));
            if (in_menu) table_->editMenu().addAction(action);
            // Single letters are shortcuts in the table only, since lists and combo boxes search by letter.
            if (shortcut.size() == 1 || shortcut == QLatin1String("Del")) {
                action->setShortcutContext(Qt::WidgetShortcut);
                table_->table().addAction(action);
            }
            return action;
        };
        const auto withFirst = [this](auto open) {
            return [this, open] {
                if (const std::vector<RunId> runs = table_->selected(); !runs.empty()) open(runs.front());
            };
        };
        compare_ = addAction(QStringLiteral("runs-compare"), tr("Compare selected runs"), QStringLiteral("C"),
                             [this] { compare(table_->toCompare()); });
        auto* button = new QPushButton(tr("Compare"), table_);
        button->setObjectName(QStringLiteral("runs-compare-button"));
        button->setToolTip(tr("Compare the selected runs (C)"));
        setKind(button, ButtonKind::primary);
        connect(button, &QPushButton::clicked, compare_, &QAction::trigger);
        connect(compare_, &QAction::enabledChanged, button, &QPushButton::setEnabled);
        table_->addButton(button);
        addAction(QStringLiteral("runs-show"), tr("Show run"), QString(),
                  withFirst([this](RunId run) { services_.navigator->open(DashboardLink{run}); }));
        watch_ =
            addAction(QStringLiteral("runs-watch"), tr("Watch run"), QStringLiteral("Ctrl+W"),
                      withFirst([this](RunId run) { services_.navigator->open(WatchLink{.run = run}); }));
        auto* watch = new QPushButton(tr("Watch"), table_);
        watch->setObjectName(QStringLiteral("runs-watch-button"));
        watch->setToolTip(tr("Watch the selected run (Ctrl+W)"));
        connect(watch, &QPushButton::clicked, watch_, &QAction::trigger);
        connect(watch_, &QAction::enabledChanged, watch, &QPushButton::setEnabled);
        table_->addButton(watch);
        duel_ = addAction(QStringLiteral("runs-duel"), tr("Duel these two"), QStringLiteral("D"), [this] {
            const std::vector<RunId> two = toDuel();
            if (two.size() == 2)
                services_.navigator->open(
                    DuelLink{.a = QString::number(two[0]), .b = QString::number(two[1])});
        });
        connect(comparison_, &ComparisonView::duelRequested, duel_, &QAction::trigger);
        connect(views_, &QTabBar::currentChanged, this, [this] { selectionChanged(); });
        addAction(QStringLiteral("runs-export"), tr("Export policy"), QStringLiteral("Ctrl+E"),
                  withFirst([this](RunId run) { services_.navigator->open(ExportLink{.run = run}); }));
        table_->editMenu().addSeparator();
        addAction(QStringLiteral("runs-star"), tr("Add or remove star"), QStringLiteral("S"),
                  [this] { table_->toggleStar(); });
        addAction(QStringLiteral("runs-tag"), tr("Add tag…"), QStringLiteral("T"),
                  [this] { table_->askForTag(); });
        addAction(QStringLiteral("runs-rename"), tr("Rename"), QStringLiteral("F2"),
                  [this] { table_->rename(); });
        addAction(QStringLiteral("runs-archive"), tr("Archive or restore from the archive"),
                  QStringLiteral("A"), [this] { table_->archive(); });
        addAction(QStringLiteral("runs-bin"), tr("Move to trash or restore"), QStringLiteral("Del"),
                  [this] { table_->moveToTrash(); });
        addAction(
            QStringLiteral("runs-filter"), tr("Filter runs"), QStringLiteral("Ctrl+F"),
            [this] {
                views_->setCurrentIndex(kRuns);
                table_->focusFilter(true);
            },
            false);
        addAction(
            QStringLiteral("compare-table"), tr("Show the chart as a table"), QStringLiteral("Ctrl+T"),
            [this] { comparison_->switchTable(); }, false);
        addAction(
            QStringLiteral("compare-explain"), tr("Explain this number"), QStringLiteral("Ctrl+Shift+E"),
            [this] { comparison_->explain(); }, false);
        addAction(
            QStringLiteral("compare-next"), tr("Next view of the comparison"), QStringLiteral("Ctrl+Tab"),
            [this] {
                if (views_->currentIndex() == kCompare) comparison_->showNextTab();
                views_->setCurrentIndex(kCompare);
            },
            false);
    }

    void addSaveEntries() {
        const auto add = [this](const QString& text, const QString& name,
                                QString (*make)(const CompareData&)) {
            table_->saveMenu().addAction(text, this, [this, name, make] {
                table_->saveTable(name, [this, make]() -> std::function<QString()> {
                    if (!comparison_->data()) return {};
                    return [data = comparison_->data(), make] { return make(*data); };
                });
            });
        };
        add(tr("Comparison as CSV…"), QStringLiteral("comparison.csv"), compareCsv);
        add(tr("Comparison as Markdown…"), QStringLiteral("comparison.md"), compareMarkdown);
        add(tr("Comparison as LaTeX…"), QStringLiteral("comparison.tex"), compareLatex);
    }

    void compare(const std::vector<RunId>& runs) {
        if (runs.empty()) return;
        comparison_->compare(runs);
        views_->setCurrentIndex(kCompare);
    }

    void selectionChanged() {
        compare_->setEnabled(!table_->toCompare().empty());
        const std::vector<RunId> selected = table_->selected();
        watch_->setEnabled(selected.size() == 1);
        if (selected.size() == 1) services_.runs->setChosen(selected.front());
        duel_->setEnabled(toDuel().size() == 2);
    }

    // The newer of two selected runs first, or the best runs of two compared groups; empty for others.
    std::vector<RunId> toDuel() const {
        if (views_->currentIndex() == kCompare) return comparison_->toDuel();
        std::vector<RunId> runs = table_->selected();
        std::reverse(runs.begin(), runs.end());
        return runs.size() == 2 && haveOneEnvironment(*services_.runs, runs) ? runs : std::vector<RunId>();
    }

    void nameViews() {
        const auto& read = comparison_->data();
        const std::size_t count = comparison_->compared().empty() || !read ? 0 : read->groups.size();
        views_->setTabText(kCompare, count == 0 ? tr("Compare") : tr("Compare (%1)").arg(count));
    }

    Services services_;
    Background workers_;
    QTabBar* views_ = nullptr;
    RunTableView* table_ = nullptr;
    ComparisonView* comparison_ = nullptr;
    QAction *compare_ = nullptr, *duel_ = nullptr, *watch_ = nullptr;
};

SEEDBED_REGISTER_PAGE(compare, {.order = 30,
                                .title = QT_TRANSLATE_NOOP("Page", "Ru&ns"),
                                .icon = "compare",
                                .follows_runs = true,
                                .make = [](const Services& s) -> Page* { return new ComparePage(s); }});

}  // namespace
}  // namespace seedbed::ui
