// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/library/policies_view.hpp"
#include "ui/views/elided_name.hpp"

#include <chrono>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/run_report.hpp"
#include "ui/models/run_store.hpp"
#include "ui/views/duel/duel_link.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/library/policy_row.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/search_keys.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {
namespace {

constexpr auto kReadPause = std::chrono::seconds(2);

}  // namespace

PoliciesView::PoliciesView(const Services& services, QWidget* parent)
    : QWidget(parent), services_(services), list_(new PolicyList(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(makeTop());
    problem_ = new QLabel(this);
    problem_->setObjectName(QStringLiteral("library-problem"));
    makeMessage(problem_, *services_.theme, TextColour::bad);
    layout->addWidget(problem_);
    layout->addWidget(makeQuestion());
    view_ = new QListView(this);
    view_->setObjectName(QStringLiteral("library-policies"));
    view_->setAccessibleName(tr("Policies"));
    view_->setModel(list_);
    view_->setItemDelegate(new PolicyRow(view_));
    view_->setUniformItemSizes(true);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
    stack_ = new QStackedWidget(this);
    stack_->addWidget(view_);
    layout->addWidget(stack_, 1);
    detail_ = new QLabel(this);
    detail_->setObjectName(QStringLiteral("library-detail"));
    makeMessage(detail_, *services_.theme, TextColour::quiet);
    layout->addWidget(detail_);
    verbs_ = new QWidget(this);
    layout->addWidget(verbs_);

    pause_.setSingleShot(true);
    pause_.setInterval(kReadPause);
    connect(&pause_, &QTimer::timeout, this, [this] {
        if (is_old_ && isVisible()) readRuns();
    });
    connect(services_.runs, &RunStore::runsChanged, this, [this] {
        is_old_ = true;
        if (isVisible() && !pause_.isActive()) readRuns();
    });
    connect(services_.runs, &RunStore::stateChanged, this, &PoliciesView::update);
    connect(view_, &QListView::activated, this, [this] { actions_.watch->trigger(); });
    connect(view_, &QListView::clicked, this, [this] { showMessage(problem_, {}); });
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &PoliciesView::update);
    connect(filter_, &QLineEdit::textChanged, this,
            [this](const QString& text) { setContents([&] { list_->setFilter(text); }); });
}

QWidget* PoliciesView::makeTop() {
    auto* top = new QWidget(this);
    auto* row = new QHBoxLayout(top);
    row->setContentsMargins(0, 0, 0, 0);
    filter_ = new QLineEdit(top);
    filter_->setObjectName(QStringLiteral("library-filter"));
    filter_->setPlaceholderText(tr("Filter by name, environment or algorithm"));
    filter_->setAccessibleName(tr("Filter policies"));
    filter_->setClearButtonEnabled(true);
    clearByEscape(filter_);
    row->addWidget(filter_, 1);
    order_ = new QComboBox(top);
    order_->setObjectName(QStringLiteral("library-order"));
    order_->setAccessibleName(tr("Order of the policies"));
    order_->setToolTip(tr("Order of the policies"));
    order_->addItems({tr("Newest first"), tr("By name"), tr("By environment and score")});
    connect(order_, &QComboBox::currentIndexChanged, this,
            [this](int order) { setContents([&] { list_->setOrder(static_cast<PolicyOrder>(order)); }); });
    row->addWidget(order_);
    import_ = new QPushButton(services_.theme->icon(QStringLiteral("add")), tr("&Import…"), top);
    import_->setObjectName(QStringLiteral("library-import"));
    import_->setAccessibleName(tr("Import a policy"));
    import_->setMenu(new QMenu(import_));
    row->addWidget(import_);
    return top;
}

QWidget* PoliciesView::makeQuestion() {
    question_bar_ = new Card(this);
    question_bar_->setTone(Tone::warning);
    auto* row = new QHBoxLayout(question_bar_);
    question_ = new QLabel(question_bar_);
    question_->setObjectName(QStringLiteral("library-question"));
    makeMessage(question_, *services_.theme, TextColour::plain);
    row->addWidget(question_, 1);
    const auto add = [&](const QString& text, const char* id, bool removes) {
        auto* button = new QPushButton(text, question_bar_);
        button->setObjectName(QLatin1String(id));
        button->setAccessibleName(text);
        connect(button, &QPushButton::clicked, this, [this, removes] {
            question_bar_->hide();
            view_->setFocus();
            if (removes) remove();
        });
        row->addWidget(button);
        return button;
    };
    add(tr("Remove permanently"), "library-confirm", true);
    add(tr("Keep"), "library-keep", false);
    question_bar_->hide();
    return question_bar_;
}

void PoliciesView::setActions(const Actions& actions) {
    actions_ = actions;
    auto* row = new FlowLayout(verbs_);
    row->setContentsMargins(0, 0, 0, 0);
    for (QAction* action : {actions.watch, actions.duel, actions.export_it, actions.train, actions.copy,
                            actions.rename, actions.remove}) {
        // Keys without Ctrl are shortcuts in the list only.
        if (!action->shortcut().toString().contains(QLatin1Char('+')))
            action->setShortcutContext(Qt::WidgetShortcut);
        view_->addAction(action);
        QPushButton* button = actionButton(action, verbs_);
        if (action == actions.watch) setKind(button, ButtonKind::primary);
        row->addWidget(button);
    }
    import_->menu()->addActions({actions.import_file, actions.import_folder});
    const EmptyState empty =
        emptyState(QStringLiteral("library"), actions.start, *services_.theme, "library", "library", stack_);
    empty_ = empty.text;
    stack_->addWidget(empty.widget);
    update();
}

void PoliciesView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (is_old_) readRuns();
}

void PoliciesView::refresh() {
    readRuns();
    readImported();
}

void PoliciesView::readRuns() {
    is_old_ = false;
    pause_.start();
    services_.runs->read(
        this, QStringLiteral("library"), [](StoreReader& reader) { return reader.bestCheckpoints(); },
        [this](Result<BestCheckpoints> checkpoints) {
            // A folder without a database has no runs; other problems are shown as the state of the store.
            checkpoints_ = checkpoints ? std::move(*checkpoints) : BestCheckpoints();
            setContents([this] {
                list_->setRuns(policiesOfRuns(*services_.runs->runs(), checkpoints_, services_.catalogue));
            });
        });
}

void PoliciesView::readImported() {
    services_.launcher->ask({QStringLiteral("policies")}, this, [this](const CommandReply& reply) {
        if (!reply.ok()) return showMessage(problem_, reply.error);
        setContents([&] { list_->setImported(importedPolicies(reply.json.array(), services_.catalogue)); });
    });
}

// Keeps the selection and the position of the list.
void PoliciesView::setContents(const std::function<void()>& change) {
    const LibraryPolicy before = current() != nullptr ? *current() : LibraryPolicy();
    const int scrolled = view_->verticalScrollBar()->value(), row_before = view_->currentIndex().row();
    change();
    int row = list_->rowOf(wanted_);
    const bool shows_new = row >= 0;
    if (shows_new) wanted_.clear();
    // The best weights of a run change while it trains.
    else row = before.run != 0 ? list_->rowOf(before.run) : list_->rowOf(before.player);
    // After the removal of a policy, the one that took its place.
    if (row < 0) row = std::min(std::max(0, row_before), list_->rowCount() - 1);
    if (row >= 0) view_->setCurrentIndex(list_->index(row));
    if (!shows_new) view_->verticalScrollBar()->setValue(scrolled);
    update();
}

const LibraryPolicy* PoliciesView::current() const {
    const QModelIndex index = view_->currentIndex();
    return index.isValid() ? &list_->policyAt(index.row()) : nullptr;
}

QString PoliciesView::selected() const {
    const LibraryPolicy* policy = current();
    return policy != nullptr ? policy->player : QString();
}

void PoliciesView::focusFilter() {
    filter_->setFocus();
    filter_->selectAll();
}

QString PoliciesView::filterText() const { return filter_->text(); }
void PoliciesView::setFilterText(const QString& text) { filter_->setText(text); }
int PoliciesView::order() const { return order_->currentIndex(); }
void PoliciesView::setOrder(int order) { order_->setCurrentIndex(order); }

void PoliciesView::update() {
    if (empty_ == nullptr) return;  // during construction
    const LibraryPolicy* policy = current();
    const bool usable = policy != nullptr && policy->problem.isEmpty();
    for (QAction* action : {actions_.watch, actions_.duel, actions_.export_it, actions_.train, actions_.copy})
        action->setEnabled(usable);
    for (QAction* action : {actions_.rename, actions_.remove})
        action->setEnabled(policy != nullptr && policy->isImported());
    const bool none = list_->count() == 0;
    stack_->setCurrentIndex(none ? 1 : 0);
    verbs_->setVisible(!none);
    filter_->setEnabled(!none);
    order_->setEnabled(!none);
    const QString& state = services_.runs->state().text;
    empty_->setText(!state.isEmpty()
                        ? state
                        : tr("No policies yet. Train one: its best weights appear here. Policies "
                             "of other people can be imported."));
    const QString name = policy == nullptr ? QString() : elidedMiddle(policy->name, kSentenceLetters);
    QString detail;
    if (!none && list_->rowCount() == 0) detail = tr("No policy matches the filter.");
    else if (policy != nullptr && policy->isImported())
        detail = policy->source.isEmpty() ? tr("Imported; its source was not recorded.")
                                          : tr("Imported from %1").arg(policy->source);
    else if (policy != nullptr)
        detail = policy->player.endsWith(QLatin1String(":best"))
                     ? tr("%1: the weights with the best evaluation").arg(name)
                     : tr("%1: the newest stored weights").arg(name);
    showMessage(detail_, detail);
    // A question about another policy would be misleading.
    if (question_bar_->isVisible() && selected() != to_remove_) question_bar_->hide();
}

void PoliciesView::watch() {
    const LibraryPolicy* policy = current();
    if (policy == nullptr) return;
    if (policy->isImported()) services_.navigator->open(WatchLink{.policy = policy->player});
    else services_.navigator->open(WatchLink{.run = policy->run, .checkpoint_step = policy->steps});
}

void PoliciesView::duel() { services_.navigator->open(DuelLink{.a = selected()}); }

void PoliciesView::exportIt() {
    const LibraryPolicy* policy = current();
    if (policy == nullptr) return;
    if (policy->isImported()) services_.navigator->open(ExportLink{.policy = policy->player});
    else services_.navigator->open(ExportLink{.run = policy->run, .checkpoint_step = policy->steps});
}

// The network has to be the same, so the form gets the settings that the policy was trained with.
void PoliciesView::trainFrom() {
    const LibraryPolicy* policy = current();
    if (policy == nullptr) return;
    if (policy->isImported()) return startWith(*policy, policy->settings);
    services_.runs->read(
        this, QStringLiteral("library-settings"),
        [run = policy->run](StoreReader& reader) { return reader.configOf(run); },
        [this, chosen = *policy](const Result<std::pair<Json, Json>>& config) {
            if (!config) return showMessage(problem_, QString::fromStdString(config.error().text()));
            startWith(chosen, settingsOf(config->first, Json::object()));
        });
}

void PoliciesView::startWith(const LibraryPolicy& policy, std::vector<std::pair<QString, QString>> settings) {
    NewRunRequest request{.env = policy.env, .preset = {}, .settings = {}, .like = policy.run};
    if (!settings.empty()) request.preset = QStringLiteral("none");
    request.base = std::move(settings);
    request.init_from = policy.player;
    services_.navigator->open(StartLink{.new_run = request});
}

void PoliciesView::copyCommand() {
    const QString command = services_.launcher->shellCommand({QStringLiteral("watch"), selected()});
    QGuiApplication::clipboard()->setText(command);
    services_.navigator->showStatus(tr("Copied: %1").arg(command));
}

void PoliciesView::askForName() {
    const LibraryPolicy* policy = current();
    if (policy == nullptr || !policy->isImported()) return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename policy"));
    dialog->setLabelText(tr("New name of the imported policy (letters, digits, “_”, “.” and “-”):"));
    dialog->setTextValue(policy->player);
    dialog->setOkButtonText(tr("Rename"));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, before = policy->player](const QString& name) { rename(before, name.trimmed()); });
    dialog->open();
    const auto* buttons = dialog->findChild<QDialogButtonBox*>();
    connect(
        dialog, &QInputDialog::textValueChanged, this,
        [this, dialog, buttons, label = dialog->labelText(), before = policy->player](const QString& text) {
            static const QRegularExpression allowed(QStringLiteral("^(?!\\d+$)[A-Za-z0-9_.-]{1,64}$"));
            const QString name = text.trimmed();
            const bool taken = name != before && list_->rowOf(name) >= 0;
            dialog->setLabelText(taken ? tr("There is already a policy with this name.") : label);
            buttons->button(QDialogButtonBox::Ok)->setEnabled(!taken && allowed.match(name).hasMatch());
        });
}

void PoliciesView::rename(const QString& before, const QString& name) {
    if (name.isEmpty() || name == before) return;
    services_.launcher->run({QStringLiteral("policies"), QStringLiteral("rename"), before, name}, this,
                            [this, name](const CommandReply& reply) {
                                showMessage(problem_, reply.error);
                                if (!reply.ok()) return;
                                services_.navigator->showStatus(tr("Renamed the policy to %1").arg(name));
                                wanted_ = name;
                                readImported();
                            });
}

void PoliciesView::askToRemove() {
    const LibraryPolicy* policy = current();
    if (policy == nullptr || !policy->isImported()) return;
    to_remove_ = policy->player;
    showMessage(question_,
                tr("Remove the imported policy %1? Its copy in the data folder is deleted permanently; the "
                   "files it was imported from stay.")
                    .arg(policy->name));
    question_bar_->show();
    question_bar_->findChild<QPushButton*>(QStringLiteral("library-keep"))->setFocus();
}

void PoliciesView::remove() {
    services_.launcher->run({QStringLiteral("policies"), QStringLiteral("remove"), to_remove_}, this,
                            [this, name = to_remove_](const CommandReply& reply) {
                                showMessage(problem_, reply.error);
                                if (reply.ok())
                                    services_.navigator->showStatus(tr("Removed the policy %1").arg(name));
                                readImported();
                            });
}

void PoliciesView::import(bool folder) {
    const auto prepare = [folder](QFileDialog& dialog) {
        dialog.setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
        dialog.setOption(QFileDialog::ShowDirsOnly, folder);
        if (!folder) dialog.setNameFilters({tr("Weights (*.safetensors)"), tr("All files (*)")});
    };
    askForFile(this,
               folder ? tr("Import an exported policy or a checkpoint") : tr("Import a file with weights"),
               prepare, [this](const QString& path) { importFrom(path); });
}

void PoliciesView::importFrom(const QString& path) {
    showMessage(problem_, {});
    import_->setEnabled(false);
    filter_->clear();  // so that the new policy is listed
    services_.launcher->run({QStringLiteral("import"), path}, this, [this](const CommandReply& reply) {
        import_->setEnabled(true);
        showMessage(problem_, reply.error);
        if (!reply.ok()) return;
        const QJsonObject imported = reply.json.object();
        const QString name = imported[QStringLiteral("name")].toString();
        // Folders of TensorBoard files become runs without weights.
        services_.navigator->showStatus(name.isEmpty() ? tr("Imported curves as runs, without weights")
                                                       : tr("Imported the policy %1").arg(name));
        wanted_ = name;
        readImported();
    });
}

}  // namespace seedbed::ui
