// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/customize_view.hpp"

#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/views/elided_name.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/search_keys.hpp"
#include "ui/views/start/form/setting_list.hpp"
#include "ui/views/start/form/value_list.hpp"
#include "ui/views/start/form_parts.hpp"
#include "ui/views/start/recommended.hpp"
#include "ui/views/start/run_count.hpp"
#include "ui/views/start/run_estimate.hpp"
#include "ui/views/start/settings_command.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kLeastFormTitle = 80, kSearchPadding = 40;  // pixels

}  // namespace

CustomizeView::CustomizeView(const Services& services, QWidget* parent)
    : QWidget(parent),
      services_(services),
      undo_(new OwnUndo(services, this)),
      form_(new ConfigForm(this)),
      filter_(new ConfigFormFilter(this)),
      settings_(new SettingList(*form_, *filter_, *services.theme, this)),
      estimate_(new RunEstimate(*services.launcher, this)) {
    filter_->setSourceModel(form_);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeTop());
    auto* row = new QHBoxLayout;
    row->addLayout(makeForm(), 1);
    row->addWidget(makeSide());
    layout->addLayout(row, 1);
    connectForm();
}

QLayout* CustomizeView::makeForm() {
    auto* left = new QVBoxLayout;
    left->addWidget(settings_, 1);
    field_note_ = new QLabel(this);
    field_note_->setObjectName(QStringLiteral("field-problem"));
    makeMessage(field_note_, *services_.theme, TextColour::bad);
    left->addWidget(field_note_);
    return left;
}

void CustomizeView::connectForm() {
    connect(reset_all_, &QPushButton::clicked, this, &CustomizeView::resetAll);
    connect(form_, &ConfigForm::rejected, this, [this](const QString& text) {
        field_problem_ = text;
        updateProblems();
    });
    connect(form_, &ConfigForm::edited, this, [this] {
        field_problem_.clear();
        updateEstimates();
        scheduleCheck();
        recordChanges();
    });
    connect(settings_, &SettingList::problemChanged, this, [this] {
        field_problem_.clear();
        updateProblems();
    });
    connect(settings_, &SettingList::varied, this, &CustomizeView::vary);
    connect(settings_, &SettingList::moreRequested, this,
            [this] { level_->setCurrentIndex(static_cast<int>(FormLevel::everything)); });
    connect(services_.catalogue, &Catalogue::devicesChanged, this, &CustomizeView::showDevices);
    connect(estimate_, &RunEstimate::changed, this, &CustomizeView::updateEstimates);
}

// Ignores signals that rows emit while they are destroyed.
CustomizeView::~CustomizeView() {
    settings_->disconnect(this);
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
    title_ = new ElidedLabel(top);
    title_->setFont(textFont(TextSize::title, QFont::DemiBold));
    title_->setMinimumWidth(kLeastFormTitle);
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    first->addWidget(title_, 2);
    rows->addLayout(first);

    auto* second = new FlowLayout;
    const auto addBox = [&](const QString& label, const QString& name, int letters) {
        auto* box = new NameBox(letters, top);
        box->setAccessibleName(name);
        second->addWidget(labelled(label, box, top));
        return box;
    };
    preset_ = addBox(tr("&Preset"), tr("Preset"), 20);
    vary_algo_ = new QPushButton(tr("Vary"), top);
    vary_algo_->setObjectName(QStringLiteral("vary-algo.id"));
    vary_algo_->setAccessibleName(tr("Vary the algorithm"));
    vary_algo_->setToolTip(tr("Train with several algorithms: one run per algorithm"));
    vary_algo_->setCheckable(true);
    connect(vary_algo_, &QPushButton::clicked, this,
            [this](bool on) { vary(kAlgorithmKey, on ? QStringList{algo_id_} : QStringList()); });
    algo_ = addBox(tr("&Algorithm"), tr("Algorithm"), 10);
    second->addWidget(vary_algo_);
    level_ = new NameBox(14, top);
    level_->setAccessibleName(tr("Settings to show"));
    level_->setToolTip(level_->accessibleName());
    second->addWidget(level_);
    level_->addItems({tr("length and goal"), tr("common settings"), tr("all settings")});
    level_->setCurrentIndex(1);
    filter_->setLevel(FormLevel::recipe);
    search_ = new QLineEdit(top);
    search_->setPlaceholderText(tr("Search all settings"));
    search_->setAccessibleName(tr("Search all settings"));
    search_->setClearButtonEnabled(true);
    clearByEscape(search_);
    search_->setMinimumWidth(fontMetrics().horizontalAdvance(search_->placeholderText()) + kSearchPadding);
    first->addWidget(search_, 1);
    changed_only_ = new QCheckBox(tr("Changed on&ly"), top);
    changed_only_->setAccessibleName(tr("Show only settings that you changed"));
    reset_all_ = new QPushButton(tr("Reset all"), top);
    reset_all_->setAccessibleName(tr("Reset all settings to the preset's values"));
    for (QWidget* each : {static_cast<QWidget*>(changed_only_), static_cast<QWidget*>(reset_all_)})
        second->addWidget(each);
    rows->addLayout(second);
    algos_ = new ValueList(*form_, kAlgorithmKey, tr("Algorithm"), services_.catalogue->algorithms(),
                           *services_.theme, top);
    connect(algos_, &ValueList::changed, this,
            [this](const QStringList& values) { vary(kAlgorithmKey, values); });
    algos_->hide();
    rows->addWidget(algos_);
    setTabOrder(algo_, vary_algo_);
    settings_->setBefore(reset_all_);

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
        showMore();
    });
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& words) {
        filter_->setWords(words);
        showMore();
    });
    connect(changed_only_, &QCheckBox::toggled, this, [this](bool on) {
        filter_->setChangedOnly(on);
        showMore();
    });
    return top;
}

QWidget* CustomizeView::makeSide() {
    auto* side = new Card(this);
    side->setFixedWidth(270);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    auto* title = new QLabel(tr("This run"), side);
    title->setFont(textFont(TextSize::section, QFont::DemiBold));
    layout->addWidget(title);
    // In a low window the fields scroll; what is trained and the buttons stay visible.
    auto* scroll = new QScrollArea(side);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setAccessibleName(tr("This run"));
    scroll->setWidget(makeRunFields());
    for (QWidget* each : {scroll->viewport(), scroll->widget()}) each->setAutoFillBackground(false);
    layout->addWidget(scroll, 1);
    line_note_ = new QLabel(side);
    line_note_->setObjectName(QStringLiteral("line-problem"));
    problem_ = new QLabel(side);
    problem_->setObjectName(QStringLiteral("problem"));
    for (QLabel* label : {line_note_, problem_}) {
        makeMessage(label, *services_.theme, TextColour::bad);
        layout->addWidget(label);
    }
    runs_ = new QLabel(side);
    runs_->setObjectName(QStringLiteral("runs"));
    runs_->setFont(textFont(TextSize::body, QFont::DemiBold));
    runs_->setWordWrap(true);
    runs_->setTextFormat(Qt::PlainText);
    layout->addWidget(runs_);
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
    return side;
}

QWidget* CustomizeView::makeRunFields() {
    auto* fields = new QWidget;
    auto* layout = new QVBoxLayout(fields);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    const auto addLine = [&](const QString& label, const QString& name, const QString& hint) {
        auto* line = new QLineEdit(fields);
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
    device_ = new QComboBox(fields);
    device_->setAccessibleName(tr("Device"));
    device_->setObjectName(QStringLiteral("device"));
    form->addRow(tr("&Device"), device_);
    layout->addLayout(form);
    grid_as_text_ = new QPushButton(tr("&Grid as text"), fields);
    grid_as_text_->setObjectName(QStringLiteral("grid-as-text"));
    grid_as_text_->setAccessibleName(tr("Grid as text"));
    grid_as_text_->setToolTip(tr("Edit the values of varied settings as the command line accepts them"));
    grid_as_text_->setCheckable(true);
    setKind(grid_as_text_, ButtonKind::quiet);
    layout->addWidget(grid_as_text_, 0, Qt::AlignLeft);
    grid_ = new QLineEdit(fields);
    grid_->setPlaceholderText(QStringLiteral("algo.gamma=0.98,0.99"));
    grid_->setAccessibleName(tr("Grid of settings"));
    grid_->setToolTip(tr("One run per value; several grids, separated by spaces, give all combinations"));
    grid_->hide();
    layout->addWidget(grid_);
    preset_note_ = new QLabel(fields);
    preset_note_->setObjectName(QStringLiteral("preset-note"));
    memory_ = new QLabel(fields);
    memory_->setObjectName(QStringLiteral("memory"));
    time_ = new QLabel(fields);
    time_->setObjectName(QStringLiteral("time"));
    for (QLabel* label : {preset_note_, memory_, time_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        layout->addWidget(label);
    }
    layout->addStretch(1);
    connect(grid_as_text_, &QPushButton::toggled, grid_, &QWidget::setVisible);
    connect(grid_, &QLineEdit::textChanged, this, &CustomizeView::showGrid);
    connect(device_, &QComboBox::activated, this,
            [this] { form_->set(QStringLiteral("run.device"), device_->currentData().toString()); });
    return fields;
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
    init_from_ = request.init_from;
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
    grid_as_text_->setChecked(false);
    settings_->setLike(like_);
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
            {QStringLiteral("init_from"), init_from_},
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
    request.init_from = text("init_from");
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
    title_->setText(!init_from_.isEmpty() ? tr("%1, from the weights of %2").arg(title, init_from_)
                    : like_ == 0          ? title
                                          : tr("%1, copied from run %2").arg(title).arg(like_));
    title_->setToolTip(title_->text());
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
            const QJsonObject now = reply.json.object()[QStringLiteral("config")].toObject();
            algo_id_ = now[QStringLiteral("algo")].toObject()[QStringLiteral("id")].toString();
            settings_->setLike(like_);
            loading_ = true;
            form_->load(env, preset, algo, reply.json.object());
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
            if (!wanted.empty()) settings_->showSetting(wanted.front().first);
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

// Adds the user's changes since the last call to the undo stack.
void CustomizeView::recordChanges() {
    const QMap<QString, QString> before = std::exchange(changes_, form_->changes());
    if (loading_) return;
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
    undo_->push(new SettingsCommand(*this, text, back, forth));
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
    const QStringList grid = gridArguments(*form_, grid_->text());
    QStringList arguments = withoutVaried(form_->arguments(), grid);
    // With "=", texts that begin with "-" are not options.
    if (!name_->text().trimmed().isEmpty()) arguments << QStringLiteral("--name=") + name_->text().trimmed();
    if (!seeds_->text().trimmed().isEmpty())
        arguments << QStringLiteral("--seeds=") + seeds_->text().remove(QLatin1Char(' '));
    if (!init_from_.isEmpty()) arguments << QStringLiteral("--init-from=") + init_from_;
    for (const QString& axis : grid) arguments << QStringLiteral("--grid") << axis;
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

// Commits typed text; false if it is rejected.
bool CustomizeView::commitEditor() {
    field_problem_.clear();
    return settings_->commit();
}

void CustomizeView::setStarting(bool starting) {
    starting_ = starting;
    train_->setText(starting ? tr("Starting…") : tr("&Train"));
    updateProblems();
}

void CustomizeView::copyCommand() {
    if (!commitEditor()) return;
    const QStringList arguments = trainArguments();
    const bool several = std::any_of(arguments.begin(), arguments.end(), [](const QString& word) {
        return word.startsWith(QLatin1String("--seeds=")) || word == QLatin1String("--grid");
    });
    const QStringList words = several ? QStringList{QStringLiteral("queue"), QStringLiteral("add")}
                                      : QStringList{QStringLiteral("train")};
    const QString command = services_.launcher->shellCommand(words + arguments);
    QGuiApplication::clipboard()->setText(command);
    if (services_.navigator != nullptr) services_.navigator->showStatus(tr("Copied: %1").arg(command));
}

void CustomizeView::resetField() { form_->reset(settings_->focusedKey()); }

// Changes the values of a setting in the grid.
void CustomizeView::vary(const QString& key, const QStringList& values) {
    grid_->setText(gridWith(*form_, grid_->text(), key, values));
    showGrid();  // the text is unchanged if it cannot be parsed
}

// Shows the grid's values next to their settings.
void CustomizeView::showGrid() {
    const QList<GridAxis> axes = parseGrid(grid_->text()).value_or(QList<GridAxis>());
    settings_->setGrid(axes);
    const QStringList algorithms = valuesOf(axes, kAlgorithmKey);
    vary_algo_->setChecked(!algorithms.isEmpty());
    algos_->setVisible(!algorithms.isEmpty());
    if (!algorithms.isEmpty()) algos_->setValues(algorithms);
    algos_->followTab(vary_algo_);
    updateEstimates();
}

// The level and the search decide which settings are shown.
void CustomizeView::showMore() {
    const bool all = !search_->text().isEmpty() || changed_only_->isChecked();
    settings_->setStrict(!search_->text().isEmpty());
    settings_->setHasMore(!all && level_->currentIndex() != static_cast<int>(FormLevel::everything));
}

void CustomizeView::resetAll() { form_->resetAll(); }

void CustomizeView::train() {
    if (commitEditor() && train_->isEnabled()) Q_EMIT trainRequested(trainArguments());
}

void CustomizeView::scheduleCheck() {
    reset_all_->setEnabled(form_->changedCount() > 0);
    changed_only_->setText(tr("Changed on&ly (%n)", "", form_->changedCount()));
    if (form_->env().isEmpty()) return;
    // The dry run would refuse it in the words of the command line.
    if (endlessProblem(*form_, {}).isEmpty()) estimate_->start(form_->arguments());
    else estimate_->reset();
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
    if (line_problem_.isEmpty()) line_problem_ = endlessProblem(*form_, grid_->text());
    if (grid == 0 || !gridProblem(*form_, grid_->text()).isEmpty()) grid_as_text_->setChecked(true);
    updateProblems();
    if (!line_problem_.isEmpty()) return;
    const bool tuned = like_ != 0 || preset_->currentData().toString() != QLatin1String("none");
    preset_note_->setText(!why_.isEmpty() ? why_
                          : tuned         ? QString()
                                          : noPresetNote(*form_, preset_->count() > 1));
    preset_note_->setVisible(!preset_note_->text().isEmpty());
    memory_->setText(estimate_->memoryText());
    time_->setText(estimate_->timeText());
    const QString runs = runsText(*form_, grid_->text(), seeds), total = estimate_->totalText(seeds * grid);
    runs_->setText(total.isEmpty() ? runs : tr("%1 · %2").arg(runs, total));
}

void CustomizeView::updateProblems() {
    const QString typed = settings_->problem();
    showMessage(field_note_, typed.isEmpty() ? field_problem_ : typed);
    showMessage(line_note_, line_problem_);
    showMessage(problem_, load_problem_.isEmpty() ? estimate_->problem() : load_problem_);
    // A setting that a link or a copied run has and the form does not have does not prevent training; any
    // other problem does.
    train_->setEnabled(!starting_ && typed.isEmpty() && !form_->env().isEmpty() && load_problem_.isEmpty() &&
                       line_problem_.isEmpty() && estimate_->problem().isEmpty());
}

}  // namespace seedbed::ui
