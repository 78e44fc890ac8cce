// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/customize_view.hpp"

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
#include <QLocale>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/views/start/setting_delegate.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {

int countSeeds(const QString& text) {
    static const QRegularExpression range(QStringLiteral("^\\s*(\\d{1,18})\\s*\\.\\.\\s*(\\d{1,18})\\s*$"));
    static const QRegularExpression list(QStringLiteral("^\\s*\\d{1,18}(\\s*,\\s*\\d{1,18})*\\s*$"));
    if (const auto match = range.match(text); match.hasMatch()) {
        const qint64 count = match.captured(2).toLongLong() - match.captured(1).toLongLong() + 1;
        return count < 1 || count > 10'000 ? 0 : static_cast<int>(count);
    }
    return list.match(text).hasMatch() ? static_cast<int>(text.count(QLatin1Char(','))) + 1 : 0;
}

int countGrid(const QString& text) {
    static const QRegularExpression item(QStringLiteral("^[a-z_.0-9]+=[^,=]+(,[^,=]+)*$"));
    qint64 count = 1;
    for (const QString& part : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!item.match(part).hasMatch()) return 0;
        count *= part.count(QLatin1Char(',')) + 1;
        if (count > 10'000) return 0;
    }
    return static_cast<int>(count);
}

CustomizeView::CustomizeView(const Services& services, QWidget* parent)
    : QWidget(parent), services_(services), form_(new ConfigForm(this)), filter_(new ConfigFormFilter(this)), tree_(new QTreeView(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeTop());
    auto* row = new QHBoxLayout;
    auto* left = new QVBoxLayout;
    filter_->setSourceModel(form_);
    tree_->setModel(filter_);
    tree_->setAccessibleName(tr("Settings"));
    tree_->setObjectName(QStringLiteral("settings"));
    tree_->setAlternatingRowColors(true);
    tree_->setUniformRowHeights(true);
    delegate_ = new SettingDelegate(tree_);
    tree_->setItemDelegateForColumn(ConfigForm::kValue, delegate_);
    // Walking through the rows changes nothing: F2, Return, a click or typing begins to edit.
    tree_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    tree_->header()->setStretchLastSection(true);
    left->addWidget(tree_, 1);
    detail_ = new QLabel(this);
    detail_->setWordWrap(true);
    detail_->setTextFormat(Qt::PlainText);
    detail_->setMinimumHeight(3 * fontMetrics().height());
    detail_->setAlignment(Qt::AlignTop);
    auto* below = new QHBoxLayout;
    below->addWidget(detail_, 1);
    reset_ = new QPushButton(services_.theme->icon(QStringLiteral("reset")), tr("Reset field"), this);
    reset_->setAccessibleName(tr("Reset the chosen setting to the preset's value"));
    reset_all_ = new QPushButton(tr("Reset all"), this);
    reset_all_->setAccessibleName(tr("Reset all settings to the preset's values"));
    below->addWidget(reset_, 0, Qt::AlignTop);
    below->addWidget(reset_all_, 0, Qt::AlignTop);
    left->addLayout(below);
    row->addLayout(left, 1);
    row->addWidget(makeSide());
    layout->addLayout(row, 1);

    connect(reset_, &QPushButton::clicked, this, &CustomizeView::resetField);
    connect(reset_all_, &QPushButton::clicked, this, &CustomizeView::resetAll);
    connect(form_, &ConfigForm::rejected, this, [this](const QString& text) {
        field_problem_ = text;
        showProblem();
    });
    connect(form_, &ConfigForm::edited, this, [this] {
        field_problem_.clear();
        showProblem();
        showCurrent();
        checkSoon();
    });
    connect(form_, &QAbstractItemModel::modelReset, tree_, &QTreeView::expandAll, Qt::QueuedConnection);
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        // Keys act on the current cell, and only values can be edited.
        if (now.isValid() && now.parent().isValid() && now.column() != ConfigForm::kValue)
            tree_->selectionModel()->setCurrentIndex(now.siblingAtColumn(ConfigForm::kValue), QItemSelectionModel::NoUpdate);
        showCurrent();
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
    check_soon_.setSingleShot(true);
    check_soon_.setInterval(300);
    connect(&check_soon_, &QTimer::timeout, this, &CustomizeView::check);
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
    QFont large = title_->font();
    large.setPointSizeF(1.4 * large.pointSizeF());
    title_->setFont(large);
    first->addWidget(title_, 1);
    rows->addLayout(first);

    auto* second = new QHBoxLayout;
    const auto addBox = [&](const QString& label, const QString& name) {
        auto* text = new QLabel(label, top);
        auto* box = new QComboBox(top);
        text->setBuddy(box);
        box->setAccessibleName(name);
        second->addWidget(text);
        second->addWidget(box);
        return box;
    };
    preset_ = addBox(tr("&Preset"), tr("Preset"));
    preset_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    algo_ = addBox(tr("&Algorithm"), tr("Algorithm"));
    level_ = addBox(tr("Sh&ow"), tr("Which settings are shown"));
    level_->addItems({tr("the goal"), tr("the recipe"), tr("everything")});
    level_->setCurrentIndex(1);
    filter_->setLevel(FormLevel::recipe);
    search_ = new QLineEdit(top);
    search_->setPlaceholderText(tr("Search all settings"));
    search_->setAccessibleName(tr("Search all settings"));
    search_->setClearButtonEnabled(true);
    second->addWidget(search_, 1);
    changed_only_ = new QCheckBox(tr("Changed on&ly"), top);
    changed_only_->setAccessibleName(tr("Show only settings that you changed"));
    second->addWidget(changed_only_);
    rows->addLayout(second);

    connect(preset_, &QComboBox::activated, this, [this] {
        algo_->setCurrentIndex(0);
        reload();
    });
    connect(algo_, &QComboBox::activated, this, &CustomizeView::reload);
    connect(level_, &QComboBox::currentIndexChanged, this, [this](int level) {
        filter_->setLevel(static_cast<FormLevel>(level));
        tree_->expandAll();
    });
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& words) {
        filter_->setWords(words);
        tree_->expandAll();
    });
    connect(changed_only_, &QCheckBox::toggled, this, [this](bool on) {
        filter_->setChangedOnly(on);
        tree_->expandAll();
    });
    return top;
}

QWidget* CustomizeView::makeSide() {
    auto* side = new QGroupBox(tr("This training"), this);
    side->setFixedWidth(300);
    auto* layout = new QVBoxLayout(side);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    const auto addLine = [&](const QString& label, const QString& name, const QString& placeholder) {
        auto* line = new QLineEdit(side);
        line->setPlaceholderText(placeholder);
        line->setAccessibleName(name);
        form->addRow(label, line);
        connect(line, &QLineEdit::textChanged, this, &CustomizeView::showNeed);
        return line;
    };
    name_ = addLine(tr("&Name"), tr("Name of the run"), tr("without"));
    name_->setMaxLength(100);
    seeds_ = addLine(tr("&Seeds"), tr("Seeds"), tr("1..5 or 1,2,7"));
    seeds_->setToolTip(tr("One run for each seed"));
    grid_ = addLine(tr("&Grid"), tr("Grid of settings"), QStringLiteral("algo.gamma=0.98,0.99"));
    grid_->setToolTip(tr("One run for each value; several grids, separated by blanks, give all combinations"));
    device_ = new QComboBox(side);
    device_->setAccessibleName(tr("Device"));
    device_->setObjectName(QStringLiteral("device"));
    form->addRow(tr("&Device"), device_);
    layout->addLayout(form);
    memory_ = new QLabel(side);
    time_ = new QLabel(side);
    problem_ = new QLabel(side);
    for (QLabel* label : {memory_, time_, problem_}) {
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
    connect(device_, &QComboBox::activated, this, [this] { form_->set(QStringLiteral("run.device"), device_->currentData().toString()); });
    return side;
}

void CustomizeView::open(const NewRunRequest& request) {
    // What was asked for the environment before says nothing about this one.
    for (const quint64 ticket : {load_ticket_, check_ticket_, speed_ticket_}) services_.launcher->cancel(ticket);
    check_soon_.stop();
    memory_bytes_ = steps_ = 0, sps_ = 0;
    load_problem_.clear(), field_problem_.clear(), check_problem_.clear();
    env_ = request.env;
    const EnvInfo* env = services_.catalogue->environment(request.env);
    title_->setText(env != nullptr ? env->title : request.env);
    preset_->clear();
    const PresetInfo* best = services_.catalogue->defaultPreset(request.env);
    for (const PresetInfo* preset : services_.catalogue->presetsOf(request.env)) {
        preset_->addItem(preset->title, preset->name);
        preset_->setItemData(preset_->count() - 1, preset->when_to_use, Qt::ToolTipRole);
    }
    preset_->addItem(tr("none: plain defaults"), QStringLiteral("none"));
    const QString wanted = !request.preset.isEmpty() ? request.preset : best != nullptr ? best->name : QStringLiteral("none");
    preset_->setCurrentIndex(std::max(0, preset_->findData(wanted)));
    algo_->clear();
    algo_->addItem(tr("that of the preset"), QString());
    for (const QString& algo : services_.catalogue->algorithms()) algo_->addItem(algo, algo);
    wanted_ = request.settings;
    for (const auto& [key, value] : wanted_)
        if (key == QLatin1String("algo.id") || key == QLatin1String("algo")) algo_->setCurrentIndex(std::max(0, algo_->findData(value)));
    std::erase_if(wanted_,
                  [](const auto& setting) { return setting.first == QLatin1String("algo.id") || setting.first == QLatin1String("algo"); });
    name_->clear(), seeds_->clear(), grid_->clear(), search_->clear();
    changed_only_->setChecked(false);
    form_->load({}, {}, {}, {});
    showNeed();
    showDevices();
    services_.catalogue->devices(true);
    reload();
}

void CustomizeView::reload() {
    const QString preset = preset_->currentData().toString(), algo = algo_->currentData().toString();
    preset_->setToolTip(preset_->currentData(Qt::ToolTipRole).toString());
    QStringList arguments{QStringLiteral("config"), env_, QStringLiteral("--preset"), preset, QStringLiteral("--fields")};
    if (!algo.isEmpty()) arguments << QStringLiteral("--algo") << algo;
    services_.launcher->cancel(load_ticket_);
    load_ticket_ = services_.launcher->run(arguments, this, [this, env = env_, preset, algo](const CommandReply& reply) {
        load_problem_ = reply.error;
        showProblem();
        if (!reply.ok()) return;
        form_->load(env, preset, algo, reply.json.object());
        tree_->expandAll();
        for (int section = 0; section < filter_->rowCount(); ++section) tree_->setFirstColumnSpanned(section, {}, true);
        for (int column = 0; column < ConfigForm::kHelp; ++column) tree_->resizeColumnToContents(column);
        tree_->setColumnWidth(ConfigForm::kValue, std::max(120, tree_->columnWidth(ConfigForm::kValue)));
        // A setting that cannot be taken over is told, and stays told although those after it can.
        QStringList refused;
        for (const auto& [key, value] : std::exchange(wanted_, {}))
            if (!form_->set(key, value)) refused += field_problem_;
        field_problem_ = refused.join(QLatin1Char('\n'));
        showProblem();
        showDevices();
    });
}

void CustomizeView::showDevices() {
    const FormField* field = form_->field(QStringLiteral("run.device"));
    const QString now = field != nullptr ? field->text : QStringLiteral("cpu");
    device_->clear();
    for (const DeviceInfo& device : services_.catalogue->devices()) {
        const QString free = device.free_bytes ? tr(" · %1 free").arg(QLocale().formattedDataSize(*device.free_bytes, 1)) : QString();
        device_->addItem(device.name + free, device.id);
    }
    if (device_->findData(now) < 0) device_->addItem(now, now);
    device_->setCurrentIndex(device_->findData(now));
}

QStringList CustomizeView::trainArguments() const {
    QStringList arguments = form_->arguments();
    if (!name_->text().trimmed().isEmpty()) arguments << QStringLiteral("--name") << name_->text().trimmed();
    if (!seeds_->text().trimmed().isEmpty()) arguments << QStringLiteral("--seeds") << seeds_->text().remove(QLatin1Char(' '));
    for (const QString& grid : grid_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts)) arguments << QStringLiteral("--grid") << grid;
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

// False when what was being typed is refused.
bool CustomizeView::commitEditor() {
    if (!delegate_->editing()) return true;
    field_problem_.clear();
    delegate_->commit();
    return field_problem_.isEmpty();
}

void CustomizeView::setStarting(bool starting) {
    starting_ = starting;
    train_->setText(starting ? tr("Starting…") : tr("&Train"));
    showProblem();
}

void CustomizeView::copyCommand() {
    if (!commitEditor()) return;
    const QStringList arguments = trainArguments();
    const bool several = arguments.contains(QStringLiteral("--seeds")) || arguments.contains(QStringLiteral("--grid"));
    const QStringList words = several ? QStringList{QStringLiteral("queue"), QStringLiteral("add")} : QStringList{QStringLiteral("train")};
    const QString command = services_.launcher->shellCommand(words + arguments);
    QGuiApplication::clipboard()->setText(command);
    if (services_.navigator != nullptr) services_.navigator->say(tr("Copied: %1").arg(command));
}

void CustomizeView::resetField() {
    if (const FormField* field = form_->fieldAt(filter_->mapToSource(tree_->currentIndex()))) form_->reset(field->key);
}

void CustomizeView::resetAll() { form_->resetAll(); }

void CustomizeView::train() {
    if (commitEditor() && train_->isEnabled()) Q_EMIT trainWanted(trainArguments());
}

void CustomizeView::checkSoon() {
    reset_all_->setEnabled(form_->changedCount() > 0);
    changed_only_->setText(tr("Changed on&ly (%n)", "", form_->changedCount()));
    if (form_->env().isEmpty()) return;
    // What the last dry run found was about other values.
    services_.launcher->cancel(check_ticket_);
    check_problem_.clear();
    showProblem();
    check_soon_.start();
}

// All that training would check, and what it needs, by the program that would do it.
void CustomizeView::check() {
    services_.launcher->cancel(check_ticket_);
    services_.launcher->cancel(speed_ticket_);
    sps_ = 0;
    check_ticket_ = services_.launcher->run(
        QStringList{QStringLiteral("train")} + form_->arguments() + QStringList{QStringLiteral("--dry-run")}, this,
        [this](const CommandReply& reply) {
            check_problem_ = reply.error;
            const QJsonObject json = reply.json.object();
            memory_bytes_ = json[QStringLiteral("memory_bytes")].toObject()[QStringLiteral("total")].toInteger();
            steps_ = json[QStringLiteral("config")].toObject()[QStringLiteral("run")].toObject()[QStringLiteral("steps")].toInteger();
            showNeed();
            if (reply.ok()) measureSpeed();
        });
}

void CustomizeView::measureSpeed() {
    speed_ticket_ = services_.launcher->run(QStringList{QStringLiteral("bench"), QStringLiteral("train")} + form_->arguments() +
                                                QStringList{QStringLiteral("--seconds"), QStringLiteral("0.3")},
                                            this, [this](const CommandReply& reply) {
                                                sps_ = reply.json.object()[QStringLiteral("sps")].toDouble();
                                                showNeed();
                                            });
}

void CustomizeView::showNeed() {
    const int seeds = seeds_->text().trimmed().isEmpty() ? 1 : countSeeds(seeds_->text());
    const int grid = countGrid(grid_->text());
    line_problem_ = seeds == 0  ? tr("Seeds are a range like 1..5 or a list like 1,2,7")
                    : grid == 0 ? tr("A grid is KEY=VALUE,VALUE, for example algo.gamma=0.98,0.99; at most 10,000 runs")
                                : QString();
    showProblem();
    if (!line_problem_.isEmpty()) return;
    const int runs = seeds * grid;
    const QLocale locale;
    memory_->setText(memory_bytes_ > 0 ? tr("Memory: about %1 for each run that goes").arg(locale.formattedDataSize(memory_bytes_, 1))
                                       : QString());
    QString time;
    if (sps_ > 0 && steps_ > 0) {
        const double seconds = static_cast<double>(steps_) / sps_;
        time = runs == 1 ? tr("Time: about %1 at %2 steps/s, measured just now").arg(secondsText(seconds), locale.toString(sps_, 'f', 0))
                         : tr("Time: about %1 for each of %n run(s), %2 one after the other, at %3 steps/s measured just now", "", runs)
                               .arg(secondsText(seconds), secondsText(runs * seconds), locale.toString(sps_, 'f', 0));
    } else if (runs > 1) {
        time = tr("%n run(s)", "", runs);
    }
    time_->setText(time);
}

void CustomizeView::showCurrent() {
    const FormField* field = form_->fieldAt(filter_->mapToSource(tree_->currentIndex()));
    reset_->setEnabled(field != nullptr && field->changed());
    if (field == nullptr) return detail_->setText(tr("Choose a setting to read what it does."));
    QStringList facts{QStringLiteral("--") + field->key};
    if (!field->allowed.isEmpty()) facts += tr("allowed: %1").arg(field->allowed);
    if (!field->unit.isEmpty()) facts += tr("unit: %1").arg(field->unit);
    facts += tr("default: %1").arg(field->default_text.isEmpty() ? tr("none") : field->shown(field->default_text));
    facts += tr("preset: %1").arg(field->preset_text.isEmpty() ? tr("none") : field->shown(field->preset_text));
    detail_->setText(field->help + QLatin1Char('\n') + facts.join(QStringLiteral(" · ")));
}

void CustomizeView::showProblem() {
    for (const QString* problem : {&load_problem_, &field_problem_, &line_problem_, &check_problem_}) {
        showMessage(problem_, *problem);
        if (!problem->isEmpty()) break;
    }
    // A value that was refused did not get into the form; everything else would make the training fail.
    train_->setEnabled(!starting_ && !form_->env().isEmpty() && load_problem_.isEmpty() && line_problem_.isEmpty() &&
                       check_problem_.isEmpty());
}

}  // namespace seedbed::ui
