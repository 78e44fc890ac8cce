// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/customize_view.hpp"

#include <utility>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QTimer>
#include <QTreeView>
#include <QUndoStack>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/search_keys.hpp"
#include "ui/views/start/form_parts.hpp"
#include "ui/views/start/recommended.hpp"
#include "ui/views/start/run_count.hpp"
#include "ui/views/start/run_estimate.hpp"
#include "ui/views/start/setting_delegate.hpp"
#include "ui/views/start/settings_command.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {

CustomizeView::CustomizeView(const Services& services, QWidget* parent)
    : QWidget(parent),
      services_(services),
      form_(new ConfigForm(this)),
      filter_(new ConfigFormFilter(this)),
      tree_(new QTreeView(this)),
      estimate_(new RunEstimate(*services.launcher, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeTop());
    auto* row = new QHBoxLayout;
    row->addLayout(makeForm(), 1);
    row->addWidget(makeSide());
    layout->addLayout(row, 1);
    connectForm();
    connectTree();
}

QLayout* CustomizeView::makeForm() {
    auto* left = new QVBoxLayout;
    filter_->setSourceModel(form_);
    tree_->setModel(filter_);
    tree_->setAccessibleName(tr("Settings"));
    tree_->setObjectName(QStringLiteral("settings"));
    tree_->setAlternatingRowColors(true);
    tree_->setUniformRowHeights(true);
    delegate_ = new SettingDelegate(tree_);
    tree_->setItemDelegateForColumn(ConfigForm::kValue, delegate_);
    // Moving through rows must not change values, so editing starts only with F2, Return, a click or typing.
    tree_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    tree_->header()->setStretchLastSection(true);
    left->addWidget(tree_, 1);
    field_note_ = new QLabel(this);
    field_note_->setObjectName(QStringLiteral("field-problem"));
    makeMessage(field_note_, *services_.theme, TextColour::bad);
    left->addWidget(field_note_);
    detail_ = new QLabel(this);
    detail_->setWordWrap(true);
    detail_->setTextFormat(Qt::PlainText);
    detail_->setMinimumHeight(3 * fontMetrics().height());
    detail_->setAlignment(Qt::AlignTop);
    auto* below = new QHBoxLayout;
    below->addWidget(detail_, 1);
    reset_ = new QPushButton(services_.theme->icon(QStringLiteral("reset")), tr("Reset field"), this);
    reset_->setAccessibleName(tr("Reset the selected setting to the preset's value"));
    reset_all_ = new QPushButton(tr("Reset all"), this);
    reset_all_->setAccessibleName(tr("Reset all settings to the preset's values"));
    vary_ = new QPushButton(services_.theme->icon(QStringLiteral("add")), tr("Add to grid"), this);
    vary_->setObjectName(QStringLiteral("add-to-grid"));
    vary_->setAccessibleName(tr("Add the selected setting to the grid"));
    vary_->setToolTip(tr("Train with several values of the selected setting: one run per value"));
    connect(vary_, &QPushButton::clicked, this, &CustomizeView::addToGrid);
    auto* buttons = new QWidget(this);
    auto* flow = new FlowLayout(buttons);
    for (QPushButton* each : {vary_, reset_, reset_all_}) flow->addWidget(each);
    below->addWidget(buttons);
    left->addLayout(below);
    return left;
}

void CustomizeView::connectForm() {
    connect(reset_, &QPushButton::clicked, this, &CustomizeView::resetField);
    connect(reset_all_, &QPushButton::clicked, this, &CustomizeView::resetAll);
    connect(form_, &ConfigForm::rejected, this, [this](const QString& text) {
        field_problem_ = text;
        field_problem_key_ = edited_key_;
        updateProblems();
    });
    connect(form_, &ConfigForm::edited, this, [this] {
        field_problem_.clear();
        updateEstimates();
        updateDetail();
        scheduleCheck();
        recordChanges();
    });
    // The error of a rejected value is shown until it is edited again or Escape is pressed.
    connect(delegate_, &SettingDelegate::opened, this, [this](const QString& key) {
        edited_key_ = key;
        if (key == field_problem_key_ && !field_problem_.isEmpty()) clearRejected();
    });
    connect(delegate_, &QAbstractItemDelegate::closeEditor, this,
            [this](QWidget*, QAbstractItemDelegate::EndEditHint hint) {
                if (hint == QAbstractItemDelegate::RevertModelCache) clearRejected();
            });
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), tree_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(escape, &QShortcut::activated, this, &CustomizeView::clearRejected);
    connect(form_, &QAbstractItemModel::modelReset, this, &CustomizeView::expandSections,
            Qt::QueuedConnection);
    connect(estimate_, &RunEstimate::changed, this, &CustomizeView::updateEstimates);
}

void CustomizeView::clearRejected() {
    field_problem_.clear();
    updateProblems();
}

void CustomizeView::connectTree() {
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                // Keys act on the current cell, and only values are editable.
                if (now.isValid() && now.parent().isValid() && now.column() != ConfigForm::kValue)
                    tree_->selectionModel()->setCurrentIndex(now.siblingAtColumn(ConfigForm::kValue),
                                                             QItemSelectionModel::NoUpdate);
                updateDetail();
            });
    const auto editValue = [this](const QModelIndex& at) {
        const QModelIndex value = at.siblingAtColumn(ConfigForm::kValue);
        if (!(value.flags() & Qt::ItemIsEditable)) return;
        tree_->edit(value);
        delegate_->showChoices();
    };
    connect(tree_, &QTreeView::activated, this, editValue);
    connect(tree_, &QTreeView::clicked, this, [editValue](const QModelIndex& at) {
        if (at.column() == ConfigForm::kValue) editValue(at);
    });
    connect(services_.catalogue, &Catalogue::devicesChanged, this, &CustomizeView::showDevices);
}

// Ignores signals that an open editor emits while the tree is destroyed.
CustomizeView::~CustomizeView() {
    delegate_->disconnect(this);
    form_->disconnect(this);
}

QWidget* CustomizeView::makeTop() {
    auto* top = new QWidget(this);
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(0, 0, 0, 0);
    auto* first = new QHBoxLayout;
    auto* back = new QPushButton(tr("Back to the gallery"), top);
    back->setObjectName(QStringLiteral("back"));
    back->setAccessibleName(back->text());
    connect(back, &QPushButton::clicked, this, &CustomizeView::closed);
    first->addWidget(back);
    title_ = new QLabel(top);
    title_->setFont(textFont(TextSize::title, QFont::DemiBold));
    first->addWidget(title_, 1);
    rows->addLayout(first);

    auto* second = new FlowLayout;
    const auto addBox = [&](const QString& label, const QString& name, int letters) {
        auto* box = new NameBox(letters, top);
        box->setAccessibleName(name);
        second->addWidget(labelled(label, box, top));
        return box;
    };
    preset_ = addBox(tr("&Preset"), tr("Preset"), 22);
    algo_ = addBox(tr("&Algorithm"), tr("Algorithm"), 14);
    level_ = addBox(tr("Sh&ow"), tr("Settings to show"), 16);
    level_->addItems({tr("length and goal"), tr("common settings"), tr("all settings")});
    level_->setCurrentIndex(1);
    filter_->setLevel(FormLevel::recipe);
    search_ = new QLineEdit(top);
    search_->setPlaceholderText(tr("Search all settings"));
    search_->setAccessibleName(tr("Search all settings"));
    search_->setClearButtonEnabled(true);
    clearByEscape(search_);
    search_->setMinimumWidth(120);
    first->addWidget(search_, 1);
    changed_only_ = new QCheckBox(tr("Changed on&ly"), top);
    changed_only_->setAccessibleName(tr("Show only settings that you changed"));
    first->addWidget(changed_only_);
    rows->addLayout(second);

    connect(preset_, &QComboBox::activated, this, [this] {
        algo_->setCurrentIndex(0);
        // The form now starts from the preset's values.
        base_.clear();
        like_ = 0;
        showTitle();
        reload();
    });
    connect(algo_, &QComboBox::activated, this, &CustomizeView::reload);
    connect(level_, &QComboBox::currentIndexChanged, this, [this](int level) {
        filter_->setLevel(static_cast<FormLevel>(level));
        expandSections();
    });
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& words) {
        filter_->setWords(words);
        expandSections();
    });
    connect(changed_only_, &QCheckBox::toggled, this, [this](bool on) {
        filter_->setChangedOnly(on);
        expandSections();
    });
    return top;
}

QWidget* CustomizeView::makeSide() {
    auto* side = new QGroupBox(tr("This run"), this);
    side->setFixedWidth(270);
    auto* layout = new QVBoxLayout(side);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    const auto addLine = [&](const QString& label, const QString& name, const QString& hint) {
        auto* line = new QLineEdit(side);
        line->setPlaceholderText(hint);
        line->setAccessibleName(name);
        form->addRow(label, line);
        connect(line, &QLineEdit::textChanged, this, &CustomizeView::updateEstimates);
        return line;
    };
    name_ = addLine(tr("&Name (optional)"), tr("Name of the run (optional)"), QString());
    name_->setMaxLength(100);
    seeds_ = addLine(tr("&Seeds"), tr("Seeds"), tr("1..5 or 1,2,7"));
    seeds_->setObjectName(QStringLiteral("run-seeds"));
    seeds_->setToolTip(tr("One run per seed"));
    grid_ = addLine(tr("&Grid"), tr("Grid of settings"), QStringLiteral("algo.gamma=0.98,0.99"));
    grid_->setToolTip(tr("One run per value; several grids, separated by spaces, give all combinations"));
    line_note_ = new QLabel(side);
    line_note_->setObjectName(QStringLiteral("line-problem"));
    makeMessage(line_note_, *services_.theme, TextColour::bad);
    form->addRow(line_note_);
    device_ = new QComboBox(side);
    device_->setAccessibleName(tr("Device"));
    device_->setObjectName(QStringLiteral("device"));
    form->addRow(tr("&Device"), device_);
    layout->addLayout(form);
    preset_note_ = new QLabel(side);
    preset_note_->setObjectName(QStringLiteral("preset-note"));
    memory_ = new QLabel(side);
    memory_->setObjectName(QStringLiteral("memory"));
    time_ = new QLabel(side);
    time_->setObjectName(QStringLiteral("time"));
    problem_ = new QLabel(side);
    for (QLabel* label : {preset_note_, memory_, time_, problem_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        layout->addWidget(label);
    }
    problem_->setObjectName(QStringLiteral("problem"));
    makeMessage(problem_, *services_.theme, TextColour::bad);
    layout->addStretch(1);
    train_ = new QPushButton(services_.theme->icon(QStringLiteral("start")), tr("&Train"), side);
    train_->setObjectName(QStringLiteral("train"));
    train_->setAccessibleName(tr("Train with these settings"));
    train_->setDefault(true);
    layout->addWidget(train_);
    auto* copy = new QPushButton(services_.theme->icon(QStringLiteral("copy")), tr("Copy as &command"), side);
    copy->setObjectName(QStringLiteral("copy-command"));
    copy->setAccessibleName(tr("Copy as command"));
    layout->addWidget(copy);
    connect(train_, &QPushButton::clicked, this, &CustomizeView::train);
    connect(copy, &QPushButton::clicked, this, &CustomizeView::copyCommand);
    connect(device_, &QComboBox::activated, this,
            [this] { form_->set(QStringLiteral("run.device"), device_->currentData().toString()); });
    return side;
}

void CustomizeView::open(const NewRunRequest& request) {
    // Cancels requests for the previous environment.
    services_.launcher->cancel(load_ticket_);
    estimate_->reset();
    load_problem_.clear();
    field_problem_.clear();
    env_ = request.env;
    preset_->clear();
    const PresetInfo* best = services_.catalogue->defaultPreset(request.env);
    for (const PresetInfo* preset : services_.catalogue->presetsOf(request.env)) {
        preset_->addItem(preset->title, preset->name);
        preset_->setItemData(preset_->count() - 1, preset->when_to_use, Qt::ToolTipRole);
    }
    preset_->addItem(tr("none (plain defaults)"), QStringLiteral("none"));
    const QString wanted = !request.preset.isEmpty() ? request.preset
                           : best != nullptr         ? best->name
                                                     : QStringLiteral("none");
    preset_->setCurrentIndex(std::max(0, preset_->findData(wanted)));
    algo_->clear();
    algo_->addItem(tr("from the preset"), QString());
    algo_->addItem(tr("recommended"), kRecommended);
    for (const QString& algo : services_.catalogue->algorithms()) algo_->addItem(algo, algo);
    wanted_ = request.settings;
    base_ = request.base;
    like_ = request.like;
    base_is_new_ = true;
    showTitle();
    for (auto* settings : {&base_, &wanted_}) {
        const auto chooses = [](const auto& setting) {
            return setting.first == QLatin1String("algo.id") || setting.first == QLatin1String("algo");
        };
        for (const auto& setting : *settings)
            if (chooses(setting)) algo_->setCurrentIndex(std::max(0, algo_->findData(setting.second)));
        std::erase_if(*settings, chooses);
    }
    for (QLineEdit* line : {name_, seeds_, grid_, search_}) line->clear();
    changed_only_->setChecked(false);
    loading_ = true;
    form_->load({}, {}, {}, {});
    loading_ = false;
    updateEstimates();
    showDevices();
    services_.catalogue->devices(true);
    reload();
}

QVariantMap CustomizeView::saveState() const {
    QVariantMap settings, base;
    for (const auto& [key, text] : base_) base[key] = text;
    // Includes settings that are not applied yet; until they are, the user can change nothing.
    for (const auto& [key, text] : wanted_) settings[key] = text;
    for (const auto& [key, text] : form_->changes().asKeyValueRange()) settings[key] = text;
    return {{QStringLiteral("env"), env_},
            {QStringLiteral("preset"), preset_->currentData()},
            {QStringLiteral("algo"), algo_->currentData()},
            {QStringLiteral("settings"), settings},
            {QStringLiteral("like"), QVariant::fromValue<qint64>(like_)},
            {QStringLiteral("base"), base},
            {QStringLiteral("name"), name_->text()},
            {QStringLiteral("seeds"), seeds_->text()},
            {QStringLiteral("grid"), grid_->text()},
            {QStringLiteral("search"), search_->text()},
            {QStringLiteral("level"), level_->currentIndex()},
            {QStringLiteral("changed_only"), changed_only_->isChecked()}};
}

void CustomizeView::restoreState(const QVariantMap& state) {
    const auto text = [&](const char* key) { return state[QLatin1String(key)].toString(); };
    NewRunRequest request{.env = text("env"), .preset = text("preset"), .settings = {}};
    if (!text("algo").isEmpty()) request.settings.emplace_back(QStringLiteral("algo.id"), text("algo"));
    for (const auto& [key, value] : state[QStringLiteral("settings")].toMap().asKeyValueRange())
        request.settings.emplace_back(key, value.toString());
    request.like = state[QStringLiteral("like")].value<qint64>();
    for (const auto& [key, value] : state[QStringLiteral("base")].toMap().asKeyValueRange())
        request.base.emplace_back(key, value.toString());
    open(request);
    name_->setText(text("name"));
    seeds_->setText(text("seeds"));
    grid_->setText(text("grid"));
    search_->setText(text("search"));
    level_->setCurrentIndex(state[QStringLiteral("level")].toInt());
    changed_only_->setChecked(state[QStringLiteral("changed_only")].toBool());
}

void CustomizeView::showTitle() {
    const EnvInfo* env = services_.catalogue->environment(env_);
    const QString title = env != nullptr ? env->title : env_;
    title_->setText(like_ == 0 ? title : tr("%1, copied from run %2").arg(title).arg(like_));
}

void CustomizeView::reload() {
    const QString preset = preset_->currentData().toString(), algo = algo_->currentData().toString();
    preset_->setToolTip(preset_->currentData(Qt::ToolTipRole).toString());
    services_.launcher->cancel(load_ticket_);
    why_.clear();
    if (algo == kRecommended) return recommend();
    QStringList arguments{QStringLiteral("config"), env_, QStringLiteral("--preset"), preset,
                          QStringLiteral("--fields")};
    if (!algo.isEmpty()) arguments << QStringLiteral("--algo") << algo;
    load_ticket_ =
        services_.launcher->ask(arguments, this, [this, env = env_, preset, algo](const CommandReply& reply) {
            load_problem_ = reply.error;
            updateProblems();
            if (!reply.ok()) return;
            loading_ = true;
            form_->load(env, preset, algo, reply.json.object());
            expandSections();
            fitColumns(*tree_);
            // Rejected settings are reported together, even if later ones are accepted.
            QStringList refused;
            const bool first = std::exchange(
                base_is_new_, false);  // later reloads with a different algorithm may lack some of them
            for (const auto& [key, value] : base_)
                if (!form_->setBase(key, value) && first) refused += field_problem_;
            const auto wanted = std::exchange(wanted_, {});
            for (const auto& [key, value] : wanted)
                if (!form_->set(key, value)) refused += field_problem_;
            loading_ = false;
            if (!wanted.empty()) showField(wanted.front().first);
            field_problem_ = refused.join(QLatin1Char('\n'));
            updateProblems();
            showDevices();
        });
}

// Replaces the entry "recommended" with the recommended algorithm.
void CustomizeView::recommend() {
    load_ticket_ =
        askForRecommendation(*services_.launcher, this, env_, *form_, [this](const Recommended& chosen) {
            load_problem_ = chosen.problem;
            if (!load_problem_.isEmpty()) return updateProblems();
            selectData(*preset_, chosen.preset);
            selectData(*algo_, chosen.algo);
            wanted_ = chosen.settings;
            reload();
            why_ = chosen.why;
        });
}

// Selects a setting and scrolls to it.
void CustomizeView::showField(const QString& key) {
    const QModelIndexList found = filter_->match(filter_->index(0, 0), ConfigForm::kKeyRole, key, 1,
                                                 Qt::MatchExactly | Qt::MatchRecursive);
    if (found.isEmpty()) return;
    const QModelIndex value = found.front().siblingAtColumn(ConfigForm::kValue);
    tree_->setCurrentIndex(value);
    // Delayed until the view has laid out its rows.
    QTimer::singleShot(0, this, [this, at = QPersistentModelIndex(value)] {
        if (at.isValid()) tree_->scrollTo(at, QAbstractItemView::PositionAtCenter);
    });
}

// Expands all sections and spans their titles: the view loses both for rows that were filtered out earlier.
void CustomizeView::expandSections() {
    tree_->expandAll();
    for (int section = 0; section < filter_->rowCount(); ++section)
        tree_->setFirstColumnSpanned(section, {}, true);
}

// Adds the user's changes since the last call to the undo stack.
void CustomizeView::recordChanges() {
    const QMap<QString, QString> before = std::exchange(changes_, form_->changes());
    if (loading_ || services_.undo == nullptr) return;
    SettingsCommand::Texts back, forth;
    const auto at = [](const QMap<QString, QString>& texts, const QString& key) {
        return texts.contains(key) ? std::optional(texts[key]) : std::nullopt;
    };
    for (const QString& key : before.keys() + changes_.keys())
        if (at(before, key) != at(changes_, key)) {
            back[key] = at(before, key);
            forth[key] = at(changes_, key);
        }
    if (back.isEmpty()) return;
    const QString text = back.size() == 1 ? tr("Change %1").arg(form_->nameOf(back.firstKey()))
                                          : tr("Change %n setting(s)", "", static_cast<int>(back.size()));
    services_.undo->push(new SettingsCommand(*this, text, back, forth));
}

void CustomizeView::apply(const QString& env, const QMap<QString, std::optional<QString>>& texts) {
    if (env != form_->env()) return;
    const QMap<QString, QString> before = form_->changes();
    loading_ = true;
    form_->apply(texts);
    loading_ = false;
    if (form_->changes() != before) showDevices();
}

void CustomizeView::showDevices() {
    const FormField* field = form_->field(QStringLiteral("run.device"));
    listDevices(*device_, *services_.catalogue, field != nullptr ? field->text : QStringLiteral("cpu"));
}

QStringList CustomizeView::trainArguments() const {
    QStringList arguments = form_->arguments();
    // With "=", texts that begin with "-" are not options.
    if (!name_->text().trimmed().isEmpty()) arguments << QStringLiteral("--name=") + name_->text().trimmed();
    if (!seeds_->text().trimmed().isEmpty())
        arguments << QStringLiteral("--seeds=") + seeds_->text().remove(QLatin1Char(' '));
    for (const QString& axis : gridArguments(*form_, grid_->text()))
        arguments << QStringLiteral("--grid") << axis;
    return arguments;
}

void CustomizeView::focusSearch() {
    search_->setFocus();
    search_->selectAll();
}

void CustomizeView::search(const QString& words) {
    search_->setText(words);
    focusSearch();
}

// Commits an open editor; false if its value is rejected.
bool CustomizeView::commitEditor() {
    if (!delegate_->editing()) return true;
    field_problem_.clear();
    delegate_->commit();
    return field_problem_.isEmpty();
}

void CustomizeView::setStarting(bool starting) {
    starting_ = starting;
    train_->setText(starting ? tr("Starting…") : tr("&Train"));
    updateProblems();
}

void CustomizeView::copyCommand() {
    if (!commitEditor()) return;
    const QStringList arguments = trainArguments();
    const bool several =
        arguments.contains(QStringLiteral("--seeds")) || arguments.contains(QStringLiteral("--grid"));
    const QStringList words = several ? QStringList{QStringLiteral("queue"), QStringLiteral("add")}
                                      : QStringList{QStringLiteral("train")};
    const QString command = services_.launcher->shellCommand(words + arguments);
    QGuiApplication::clipboard()->setText(command);
    if (services_.navigator != nullptr) services_.navigator->showStatus(tr("Copied: %1").arg(command));
}

void CustomizeView::resetField() {
    if (const FormField* field = form_->fieldAt(filter_->mapToSource(tree_->currentIndex())))
        form_->reset(field->key);
}

void CustomizeView::addToGrid() {
    const FormField* field = form_->fieldAt(filter_->mapToSource(tree_->currentIndex()));
    if (field == nullptr) return;
    grid_->setText(withSetting(grid_->text().trimmed(), *field));
    grid_->setFocus();
    grid_->end(false);
}

void CustomizeView::resetAll() { form_->resetAll(); }

void CustomizeView::train() {
    if (commitEditor() && train_->isEnabled()) Q_EMIT trainRequested(trainArguments());
}

void CustomizeView::scheduleCheck() {
    reset_all_->setEnabled(form_->changedCount() > 0);
    changed_only_->setText(tr("Changed on&ly (%n)", "", form_->changedCount()));
    if (form_->env().isEmpty()) return;
    estimate_->start(form_->arguments());
    updateProblems();
}

void CustomizeView::updateEstimates() {
    const int seeds = seeds_->text().trimmed().isEmpty() ? 1 : countSeeds(seeds_->text());
    const int grid = countGrid(grid_->text());
    line_problem_ = seeds == 0  ? tr("Enter seeds as a range (1..5) or a list (1,2,7)")
                    : grid == 0 ? tr("Enter a grid as KEY=VALUE,VALUE or KEY=VALUE;VALUE, for example "
                                     "algo.gamma=0.98,0.99 (at most "
                                     "10,000 runs)")
                                : gridProblem(*form_, grid_->text());
    updateProblems();
    if (!line_problem_.isEmpty()) return;
    const bool tuned = like_ != 0 || services_.catalogue->defaultPreset(env_) != nullptr;
    preset_note_->setText(!why_.isEmpty() ? why_ : tuned ? QString() : noPresetNote(*form_));
    preset_note_->setVisible(!preset_note_->text().isEmpty());
    memory_->setText(estimate_->memoryText());
    time_->setText(estimate_->timeText(seeds * grid));
}

void CustomizeView::updateDetail() {
    const FormField* field = form_->fieldAt(filter_->mapToSource(tree_->currentIndex()));
    reset_->setEnabled(field != nullptr && field->changed());
    vary_->setEnabled(field != nullptr);
    if (field == nullptr) return detail_->setText(tr("Select a setting to see what it does."));
    QStringList facts{QStringLiteral("--") + field->key};
    if (!field->allowed.isEmpty()) facts += tr("allowed: %1").arg(field->allowed);
    if (!field->unit.isEmpty()) facts += tr("unit: %1").arg(field->unit);
    facts +=
        tr("default: %1").arg(field->default_text.isEmpty() ? tr("none") : field->shown(field->default_text));
    facts +=
        tr("preset: %1").arg(field->preset_text.isEmpty() ? tr("none") : field->shown(field->preset_text));
    if (field->base_text != field->preset_text && like_ != 0)
        facts += tr("run %1: %2").arg(like_).arg(field->shown(field->base_text));
    detail_->setText(field->help + QLatin1Char('\n') + facts.join(QStringLiteral(" · ")));
}

void CustomizeView::updateProblems() {
    showMessage(field_note_, field_problem_);
    showMessage(line_note_, line_problem_);
    showMessage(problem_, load_problem_.isEmpty() ? estimate_->problem() : load_problem_);
    // A rejected value is not part of the form, so it does not prevent training; any other problem does.
    train_->setEnabled(!starting_ && !form_->env().isEmpty() && load_problem_.isEmpty() &&
                       line_problem_.isEmpty() && estimate_->problem().isEmpty());
}

}  // namespace seedbed::ui
