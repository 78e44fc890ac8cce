// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/packs/own_env_page.hpp"

#include <algorithm>
#include <utility>

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/packs/env_pictures.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/packs/moving_picture.hpp"
#include "ui/views/packs/own_env_link.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

enum Source { from_file, from_id };
enum ArgumentColumn { name_column, value_column, default_column, argument_columns };
enum FindingColumn { result_column, check_column, text_column, finding_columns };

constexpr qint64 kMaxFileBytes = 4 << 20;
// Names of settings that every environment in a worker process has; constructor arguments with these names
// cannot be set.
const QStringList kReserved{QStringLiteral("id"), QStringLiteral("worker"), QStringLiteral("wrap")};
constexpr QSize kPicture{250, 170};

QString resultText(const QString& result) {
    return result == QLatin1String("ok")     ? OwnEnvPage::tr("ok")
           : result == QLatin1String("note") ? OwnEnvPage::tr("note")
                                             : OwnEnvPage::tr("problem");
}

QTableWidget* makeTable(QWidget* parent, const QStringList& heads, const QString& name, const QString& id) {
    auto* table = new QTableWidget(0, static_cast<int>(heads.size()), parent);
    table->setObjectName(id);
    table->setAccessibleName(name);
    table->setHorizontalHeaderLabels(heads);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setTabKeyNavigation(false);
    return table;
}

QString cellText(const QTableWidget* table, int row, int column) {
    const QTableWidgetItem* item = table->item(row, column);
    return item == nullptr ? QString() : item->text().trimmed();
}

}  // namespace

OwnEnvPage::OwnEnvPage(const Services& services) : services_(services) {
    auto* layout = new QVBoxLayout(this);
    auto* about = new QLabel(
        tr("A Python class with reset() and step() as in Gymnasium. Check tries it in a separate process; "
           "nothing is trained before that."),
        this);
    about->setWordWrap(true);
    setTextColour(about, *services_.theme, TextColour::quiet);
    layout->addWidget(about);
    auto* top = new QHBoxLayout;
    top->addWidget(makeForm(), 1);
    picture_ = new MovingPicture(services_.pictures, *services_.theme, this);
    picture_->setObjectName(QStringLiteral("own-picture"));
    picture_->setFixedSize(kPicture);
    picture_->setMoving(true);
    top->addWidget(picture_, 0, Qt::AlignTop);
    layout->addLayout(top);
    arguments_part_ = makeArguments();
    layout->addWidget(arguments_part_);
    layout->addWidget(makeResult(), 1);
    layout->addLayout(makeButtons());
    setMinimumWidth(680);
    connect(services_.pictures, &EnvPictures::changed, this, &OwnEnvPage::choicesChanged);
    choicesChanged();
}

// Closing the dialog cancels a check.
OwnEnvPage::~OwnEnvPage() {
    if (ticket_ != 0) services_.launcher->cancel(ticket_);
}

QWidget* OwnEnvPage::makeForm() {
    auto* part = new QWidget(this);
    form_ = new QFormLayout(part);
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    source_ = new QComboBox(part);
    source_->setObjectName(QStringLiteral("own-source"));
    source_->setAccessibleName(tr("Kind of environment"));
    source_->addItems({tr("a class in a Python file"), tr("an id registered by Gymnasium or a module")});
    form_->addRow(tr("&Kind"), source_);
    const auto addLine = [&](const char* id, const QString& name, const QString& hint) {
        auto* line = new QLineEdit(part);
        line->setObjectName(QLatin1String(id));
        line->setAccessibleName(name);
        line->setPlaceholderText(hint);
        connect(line, &QLineEdit::textChanged, this, &OwnEnvPage::choicesChanged);
        return line;
    };
    file_row_ = new QWidget(part);
    auto* file_layout = new QHBoxLayout(file_row_);
    file_layout->setContentsMargins(0, 0, 0, 0);
    file_ = addLine("own-file", tr("Python file"), QString());
    auto* choose = new QPushButton(tr("Choose…"), file_row_);
    choose->setObjectName(QStringLiteral("own-choose"));
    choose->setAccessibleName(tr("Choose the Python file"));
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, &OwnEnvPage::chooseFile);
    file_layout->addWidget(file_, 1);
    file_layout->addWidget(choose);
    form_->addRow(tr("&File"), file_row_);
    class_ = new QComboBox(part);
    class_->setObjectName(QStringLiteral("own-class"));
    class_->setAccessibleName(tr("Class"));
    class_->setEditable(true);
    class_->setInsertPolicy(QComboBox::NoInsert);
    class_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    form_->addRow(tr("C&lass"), class_);
    id_ = addLine("own-id", tr("Id of the environment"), tr("CartPole-v1 or package.module:Id-v0"));
    form_->addRow(tr("&Id"), id_);
    title_ = addLine("own-title", tr("Name in the gallery"), QString());
    title_->setMaxLength(60);
    form_->addRow(tr("&Name"), title_);
    note_ = new QLabel(part);
    note_->setObjectName(QStringLiteral("own-note"));
    makeMessage(note_, *services_.theme, TextColour::quiet);
    form_->addRow(note_);
    connect(source_, &QComboBox::currentIndexChanged, this, &OwnEnvPage::choicesChanged);
    connect(file_, &QLineEdit::textChanged, this, &OwnEnvPage::fileChanged);
    connect(class_, &QComboBox::currentTextChanged, this, &OwnEnvPage::classChanged);
    return part;
}

QWidget* OwnEnvPage::makeArguments() {
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* head = new QLabel(tr("&Arguments of the constructor; leave a value empty for the default"), part);
    layout->addWidget(head);
    arguments_ = makeTable(part, {tr("Argument"), tr("Value"), tr("Default")},
                           tr("Arguments of the constructor"), QStringLiteral("own-arguments"));
    head->setBuddy(arguments_);
    arguments_->setColumnWidth(name_column, 180);
    arguments_->setColumnWidth(value_column, 200);
    connect(arguments_, &QTableWidget::itemChanged, this, [this] {
        if (filling_) return;
        const int last = arguments_->rowCount() - 1;
        if (!cellText(arguments_, last, name_column).isEmpty()) addArgument({}, {}, {});
        choicesChanged();
    });
    layout->addWidget(arguments_);
    showArguments({});
    return part;
}

QWidget* OwnEnvPage::makeResult() {
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    progress_ = new QProgressBar(part);
    progress_->setRange(0, 0);
    progress_->setMaximumHeight(10);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Checking the environment"));
    progress_->hide();
    verdict_ = new QLabel(part);
    verdict_->setObjectName(QStringLiteral("own-verdict"));
    makeMessage(verdict_, *services_.theme, TextColour::plain);
    findings_ = makeTable(part, {tr("Result"), tr("Check"), tr("Finding")}, tr("Findings of the check"),
                          QStringLiteral("own-findings"));
    findings_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    findings_->setWordWrap(true);
    findings_->setMinimumHeight(150);
    findings_->hide();
    layout->addWidget(progress_);
    layout->addWidget(verdict_);
    layout->addWidget(findings_, 1);
    layout->addStretch(0);
    return part;
}

QPushButton* OwnEnvPage::makeButton(const char* id, const QString& text, void (OwnEnvPage::*clicked)()) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(id));
    button->setAccessibleName(text);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, clicked);
    return button;
}

QLayout* OwnEnvPage::makeButtons() {
    auto* row = new QHBoxLayout;
    copy_ = makeButton("own-copy", tr("Copy as command"), &OwnEnvPage::copyCommand);
    forget_ = makeButton("own-forget", tr("Remove from the gallery"), &OwnEnvPage::forget);
    forget_->hide();
    check_ = makeButton("own-check", tr("Check"), &OwnEnvPage::check);
    watch_ = makeButton("own-watch", tr("Watch"), &OwnEnvPage::watch);
    watch_->setToolTip(tr("Show an animation of random actions"));
    train_ = makeButton("own-train", tr("Train…"), &OwnEnvPage::train);
    train_->setIcon(services_.theme->icon(QStringLiteral("start")));
    train_->setDefault(true);
    row->addWidget(copy_);
    row->addWidget(forget_);
    row->addStretch(1);
    for (QPushButton* each : {check_, watch_, train_}) row->addWidget(each);
    return row;
}

// --- entering an environment

void OwnEnvPage::open(const std::any& link) {
    const auto* wanted = std::any_cast<OwnEnvLink>(&link);
    const OwnEnvironment* own = wanted == nullptr ? nullptr : services_.own->find(wanted->title);
    if (own == nullptr) return;
    stored_title_ = own->title;
    is_editing_ = true;
    const QString file = own->choice.file();
    source_->setCurrentIndex(file.isEmpty() ? from_id : from_file);
    if (file.isEmpty()) {
        id_->setText(own->choice.env);
    } else {
        file_->setText(file);
        class_->setCurrentText(own->choice.env.section(QLatin1Char(':'), -1));
    }
    title_->setText(own->title);
    showArguments(own->choice.values);
    forget_->show();
    choicesChanged();
}

bool OwnEnvPage::isFile() const { return source_->currentIndex() == from_file; }

void OwnEnvPage::chooseFile() {
    const auto prepare = [this](QFileDialog& dialog) {
        dialog.setFileMode(QFileDialog::ExistingFile);
        dialog.setNameFilters({tr("Python files (*.py)"), tr("All files (*)")});
        if (!file_->text().isEmpty()) dialog.setDirectory(QFileInfo(file_->text()).path());
    };
    askForFile(this, tr("Choose a Python file"), prepare,
               [this](const QString& file) { file_->setText(file); });
}

void OwnEnvPage::fileChanged() {
    QFile file(file_->text().trimmed());
    const QString before = class_->currentText();
    classes_.clear();
    if (QFileInfo(file.fileName()).isFile() && file.open(QIODevice::ReadOnly))
        classes_ = environmentClasses(QString::fromUtf8(file.read(kMaxFileBytes)));
    filling_ = true;
    class_->clear();
    for (const PythonClass& found : classes_) {
        class_->addItem(found.name);
        class_->setItemData(class_->count() - 1, found.sentence, Qt::ToolTipRole);
    }
    if (class_->findText(before) >= 0) class_->setCurrentText(before);
    filling_ = false;
    classChanged();
}

void OwnEnvPage::classChanged() {
    if (filling_) return;
    showArguments(environment().choice.values);
    choicesChanged();
}

// Adds rows for the arguments of the chosen class and for other values, and an empty row.
void OwnEnvPage::showArguments(const std::vector<std::pair<QString, QString>>& values) {
    filling_ = true;
    arguments_->setRowCount(0);
    QStringList shown;
    const auto valueOf = [&](const QString& name) {
        const auto found =
            std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == name; });
        return found == values.end() ? QString() : found->second;
    };
    for (const PythonClass& found : classes_) {
        if (!isFile() || found.name != class_->currentText()) continue;
        for (const PythonArgument& argument : found.arguments) {
            if (kReserved.contains(argument.name)) {
                addArgument(argument.name, {}, tr("cannot be set: a setting has the same name"));
                auto* value = arguments_->item(arguments_->rowCount() - 1, value_column);
                value->setFlags(value->flags() & ~Qt::ItemIsEditable);
            } else {
                addArgument(argument.name, valueOf(argument.name),
                            argument.default_value.isEmpty() ? tr("required") : argument.default_value);
            }
            shown += argument.name;
        }
    }
    for (const auto& [name, value] : values)
        if (!shown.contains(name)) addArgument(name, value, {});
    filling_ = true;
    addArgument({}, {}, {});
    filling_ = false;
    fitArguments();
}

void OwnEnvPage::addArgument(const QString& name, const QString& value, const QString& default_value) {
    const bool was_filling = std::exchange(filling_, true);
    const int row = arguments_->rowCount();
    arguments_->setRowCount(row + 1);
    arguments_->setItem(row, name_column, new QTableWidgetItem(name));
    arguments_->setItem(row, value_column, new QTableWidgetItem(value));
    auto* default_item = new QTableWidgetItem(default_value);
    default_item->setFlags(default_item->flags() & ~Qt::ItemIsEditable);
    default_item->setForeground(services_.theme->quiet());
    arguments_->setItem(row, default_column, default_item);
    filling_ = was_filling;
    if (!filling_) fitArguments();
}

void OwnEnvPage::fitArguments() {
    const int rows = std::clamp(arguments_->rowCount(), 2, 6);
    arguments_->setFixedHeight(arguments_->horizontalHeader()->sizeHint().height() +
                               rows * arguments_->verticalHeader()->defaultSectionSize() +
                               2 * arguments_->frameWidth());
}

OwnEnvironment OwnEnvPage::environment() const {
    OwnEnvironment own;
    QString name;
    if (isFile()) {
        const QString file = file_->text().trimmed();
        name = class_->currentText().trimmed();
        if (!file.isEmpty() && !name.isEmpty())
            own.choice.env =
                QStringLiteral("gym:%1:%2").arg(QFileInfo(QDir::cleanPath(file)).absoluteFilePath(), name);
    } else if (const QString id = id_->text().trimmed(); !id.isEmpty()) {
        own.choice.env = envIdFromInput(id);
        name = shortTitle(own.choice.env);
    }
    for (int row = 0; row < arguments_->rowCount(); ++row) {
        const QString argument = cellText(arguments_, row, name_column),
                      value = cellText(arguments_, row, value_column);
        if (!argument.isEmpty() && !value.isEmpty()) own.choice.values.emplace_back(argument, value);
    }
    own.title = title_->text().trimmed().isEmpty() ? name : title_->text().trimmed();
    return own;
}

void OwnEnvPage::choicesChanged() {
    if (filling_ || train_ == nullptr) return;
    form_->setRowVisible(file_row_, isFile());
    form_->setRowVisible(class_, isFile());
    form_->setRowVisible(id_, !isFile());
    const OwnEnvironment own = environment();
    if (own.choice != shown_) dropResult();
    shown_ = own.choice;
    title_->setPlaceholderText(own.title);
    const QString file = file_->text().trimmed();
    QString note;
    bool is_missing = false;
    if (isFile() && !file.isEmpty()) {
        is_missing = !QFileInfo(file).isFile();
        if (is_missing) note = tr("This file does not exist.");
        else if (classes_.isEmpty())
            note = tr("No class with reset() and step() was found in this file. You can enter a name.");
        for (const PythonClass& found : classes_)
            if (found.name == class_->currentText()) note = found.sentence;
    }
    if (own.choice.env.isEmpty() && note.isEmpty())
        note = !isFile()        ? tr("Enter an id to check, watch and train the environment.")
               : file.isEmpty() ? tr("Choose a file to check, watch and train its environment.")
                                : tr("Choose a class of this file.");
    arguments_part_->setVisible(!own.choice.env.isEmpty() || arguments_->rowCount() > 1);
    setTextColour(note_, *services_.theme, is_missing ? TextColour::bad : TextColour::quiet);
    showMessage(note_, note);
    const bool is_complete = !own.choice.env.isEmpty() && !is_missing;
    check_->setText(ticket_ != 0 ? tr("Cancel the check") : tr("Check"));
    check_->setAccessibleName(check_->text());
    check_->setEnabled(is_complete || ticket_ != 0);
    train_->setEnabled(is_complete);
    copy_->setEnabled(is_complete);
    watch_->setEnabled(is_complete && !services_.pictures->isDrawing(own.choice));
    picture_->setVisible(is_complete);
    picture_->setChoice(is_complete ? own.choice : EnvChoice());
}

// --- checking, watching and training

// A result is valid only for the environment that was checked.
void OwnEnvPage::dropResult() {
    if (ticket_ != 0) services_.launcher->cancel(std::exchange(ticket_, 0));
    progress_->hide();
    showMessage(verdict_, {});
    findings_->hide();
}

bool OwnEnvPage::remember() {
    OwnEnvironment own = environment();
    const OwnEnvironment* stored = services_.own->find(stored_title_);
    if (!is_editing_ && stored != nullptr && stored->choice.env != own.choice.env) {
        if (title_->text().trimmed() == stored_title_)
            title_->clear();  // clears the name of a different
                              // environment
        stored_title_.clear();
        own = environment();
    }
    const OwnEnvironment* named = services_.own->find(own.title);
    if (named != nullptr && named->choice == own.choice && stored_title_.isEmpty()) stored_title_ = own.title;
    if (const QString free = services_.own->freeTitle(own.title, stored_title_); free != own.title) {
        own.title = free;
        title_->setText(free);
    }
    QString problem = services_.own->put(own);
    if (problem.isEmpty() && !stored_title_.isEmpty() && stored_title_ != own.title)
        problem = services_.own->remove(stored_title_);
    if (problem.isEmpty()) {
        stored_title_ = own.title;
        forget_->show();
        return true;
    }
    setTextColour(verdict_, *services_.theme, TextColour::bad);
    showMessage(verdict_, problem);
    return false;
}

void OwnEnvPage::check() {
    const bool is_cancelled = ticket_ != 0;
    dropResult();
    if (is_cancelled) return choicesChanged();
    progress_->show();
    const EnvChoice choice = environment().choice;
    ticket_ = services_.launcher->ask(
        QStringList{QStringLiteral("env"), QStringLiteral("check"), choice.env} + choice.settings(), this,
        [this](const CommandReply& reply) { checked(reply); });
    choicesChanged();
    growWindow();
}

void OwnEnvPage::checked(const CommandReply& reply) {
    ticket_ = 0;
    progress_->hide();
    choicesChanged();
    const QJsonObject report = reply.json.object();
    if (report.contains(QStringLiteral("findings"))) {
        showFindings(report);
        remember();
        services_.pictures->request(environment().choice, true);
    } else {
        setTextColour(verdict_, *services_.theme, TextColour::bad);
        showMessage(verdict_, reply.error.trimmed());
    }
    growWindow();
}

void OwnEnvPage::showFindings(const QJsonObject& report) {
    const QJsonArray findings = report[QStringLiteral("findings")].toArray();
    findings_->setRowCount(static_cast<int>(findings.size()));
    int problems = 0;
    for (int row = 0; row < findings.size(); ++row) {
        const QJsonObject finding = findings[row].toObject();
        const QString result = finding[QStringLiteral("result")].toString();
        const bool is_problem = result == QLatin1String("problem");
        problems += is_problem;
        auto* item = new QTableWidgetItem(resultText(result));
        item->setForeground(is_problem                      ? services_.theme->bad()
                            : result == QLatin1String("ok") ? services_.theme->good()
                                                            : services_.theme->warning());
        findings_->setItem(row, result_column, item);
        findings_->setItem(row, check_column,
                           new QTableWidgetItem(finding[QStringLiteral("check")].toString()));
        findings_->setItem(row, text_column,
                           new QTableWidgetItem(finding[QStringLiteral("text")].toString()));
    }
    findings_->show();
    findings_->resizeColumnToContents(result_column);
    findings_->resizeColumnToContents(check_column);
    findings_->resizeRowsToContents();
    const QString speed =
        countText(static_cast<std::int64_t>(report[QStringLiteral("decisions_per_s")].toDouble()));
    setTextColour(verdict_, *services_.theme, problems > 0 ? TextColour::bad : TextColour::good);
    showMessage(verdict_, problems > 0
                              ? tr("The check found %n problem(s).", nullptr, problems)
                              : tr("The environment follows the rules. It runs at %1 decisions per second "
                                   "with random actions.")
                                    .arg(speed));
}

void OwnEnvPage::watch() {
    if (!remember()) return;
    picture_->draw(true);
    choicesChanged();
}

void OwnEnvPage::train() {
    if (!remember()) return;
    const EnvChoice choice = environment().choice;
    const bool has_preset = services_.catalogue->defaultPreset(choice.env) != nullptr;
    services_.navigator->open(StartLink{.new_run = newRunRequest(choice, has_preset)});
    window()->close();
}

void OwnEnvPage::copyCommand() {
    const EnvChoice choice = environment().choice;
    QGuiApplication::clipboard()->setText(services_.launcher->shellCommand(
        QStringList{QStringLiteral("train"), choice.env, QStringLiteral("--steps"),
                    QLatin1String(kStepsWithoutPreset)} +
        choice.settings()));
}

void OwnEnvPage::forget() {
    const QString problem = services_.own->remove(stored_title_);
    if (problem.isEmpty()) return static_cast<void>(window()->close());
    setTextColour(verdict_, *services_.theme, TextColour::bad);
    showMessage(verdict_, problem);
}

// Enlarges the window for the result.
void OwnEnvPage::growWindow() {
    QTimer::singleShot(0, this, [this] {
        QWidget* around = window();
        if (around->layout() == nullptr || !around->isVisible()) return;
        const QSize room = around->screen()->availableGeometry().size();
        around->resize(around->size().expandedTo(around->layout()->sizeHint()).boundedTo(room));
    });
}

namespace {

SEEDBED_REGISTER_PAGE(environment, {.order = 91,
                                    .title = QT_TRANSLATE_NOOP("Page", "Your own environment"),
                                    .icon = "add",
                                    .own_window = true,
                                    .make = [](const Services& s) -> Page* { return new OwnEnvPage(s); }});

}  // namespace
}  // namespace seedbed::ui
