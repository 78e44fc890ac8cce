// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export/export_page.hpp"
#include "ui/views/elided_name.hpp"

#include <algorithm>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFormLayout>
#include <QGroupBox>
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
#include <QScrollArea>
#include <QTableWidget>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/models/run_store.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

enum ProofColumn {
    form_column,
    difference_column,
    decisions_column,
    returns_column,
    executor_column,
    column_count
};

constexpr const char* kDefaultTarget = "onnx";

QCheckBox* check(QWidget* parent, const QString& text, const QString& help, const QString& id) {
    auto* made = new QCheckBox(text, parent);
    made->setToolTip(help);
    made->setAccessibleName(text);
    made->setAccessibleDescription(help);
    made->setObjectName(id);
    return made;
}

}  // namespace

ExportPage::ExportPage(const Services& services) : services_(services) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    // On a small screen the choices and the result scroll; the buttons stay visible.
    scroll_ = new QScrollArea(this);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setAccessibleName(tr("Choices and result"));
    scroll_->setFocusPolicy(Qt::NoFocus);
    auto* inside = new QWidget(scroll_);
    auto* parts = new QVBoxLayout(inside);
    subject_ = new QLabel(inside);
    subject_->setWordWrap(true);
    parts->addWidget(subject_);
    parts->addWidget(makeForms());
    parts->addWidget(makeInside());
    parts->addWidget(makeFolder());
    parts->addWidget(makeResult(), 1);
    scroll_->setWidget(inside);
    layout->addWidget(scroll_, 1);

    auto* row = new QHBoxLayout;
    auto* copy = new QPushButton(tr("Copy as command"), this);
    copy->setAccessibleName(copy->text());
    copy->setObjectName(QStringLiteral("export-copy"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(services_.launcher->shellCommand(arguments())); });
    show_ = new QPushButton(tr("Open folder"), this);
    show_->setAccessibleName(show_->text());
    show_->setEnabled(false);
    connect(show_, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(written_)); });
    export_ = new QPushButton(tr("Export"), this);
    export_->setAccessibleName(tr("Export"));
    export_->setObjectName(QStringLiteral("export-start"));
    export_->setDefault(true);
    connect(export_, &QPushButton::clicked, this, &ExportPage::start);
    row->addWidget(copy);
    row->addStretch(1);
    auto* close = new QPushButton(tr("Close"), this);
    close->setAccessibleName(close->text());
    close->setObjectName(QStringLiteral("export-close"));
    connect(close, &QPushButton::clicked, this, [this] { window()->close(); });
    row->addWidget(show_);
    row->addWidget(close);
    row->addWidget(export_);
    layout->addLayout(row);
    setMinimumWidth(620);
    // Return starts the export from any field.
    for (QPushButton* other : findChildren<QPushButton*>())
        if (other != export_) other->setAutoDefault(false);
    choicesChanged();
}

// Enlarges the window for progress, verdict and verification, as far as the screen permits.
void ExportPage::growWindow() {
    QTimer::singleShot(0, this, [this] {
        QWidget* around = window();
        if (!around->isVisible()) return;
        if (proof_->isVisibleTo(this)) {
            proof_->resizeRowsToContents();
            proof_->setFixedHeight(proof_->horizontalHeader()->height() + proof_->verticalHeader()->length() +
                                   2 * proof_->frameWidth());
        }
        QLayout* inside = scroll_->widget()->layout();
        inside->activate();
        const int width = scroll_->viewport()->width();
        const int needed = inside->hasHeightForWidth() ? inside->totalHeightForWidth(width)
                                                       : inside->totalSizeHint().height();
        const QRect screen = around->screen()->availableGeometry();
        const int frame = around->frameGeometry().height() - around->height();
        const int missing = std::max(0, needed - scroll_->viewport()->height());
        around->resize(around->width(), std::min(around->height() + missing, screen.height() - frame));
        if (around->frameGeometry().bottom() > screen.bottom())
            around->move(around->x(), std::max(screen.top(), screen.bottom() + 1 - around->height() - frame));
        for (QWidget* shown : {static_cast<QWidget*>(verdict_), static_cast<QWidget*>(proof_)})
            if (shown->isVisibleTo(this))
                QTimer::singleShot(0, shown, [this, shown] { scroll_->ensureWidgetVisible(shown); });
    });
}

// Closing the dialog cancels a running export, which then writes nothing.
ExportPage::~ExportPage() {
    if (ticket_ != 0) services_.launcher->cancel(ticket_);
}

QWidget* ExportPage::makeForms() {
    auto* group = new QGroupBox(tr("Formats"), this);
    formats_ = new QVBoxLayout(group);
    services_.launcher->ask({QStringLiteral("export"), QStringLiteral("--list")}, this,
                            [this](const CommandReply& reply) {
                                if (reply.ok()) showTargets(exportTargetsFromJson(reply.json.array()));
                                else showVerdict(reply.error, true);
                            });
    return group;
}

void ExportPage::showTargets(const QList<ExportTargetInfo>& targets) {
    for (const ExportTargetInfo& target : targets) {
        QCheckBox* box = check(this, target.title, target.sentence, QStringLiteral("export-") + target.id);
        box->setChecked(target.id == QLatin1String(kDefaultTarget));
        formats_->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &ExportPage::choicesChanged);
        Format format{.target = target.id, .box = box, .options = {}};
        for (const ExportOptionInfo& option : target.options) {
            format.options += option.id;
            if (std::none_of(options_.begin(), options_.end(),
                             [&](const Option& known) { return known.info.id == option.id; }))
                addOption(option);
        }
        targets_.push_back(std::move(format));
    }
    choicesChanged();
    growWindow();
}

void ExportPage::addOption(const ExportOptionInfo& info) {
    Option option{.info = info, .widget = nullptr};
    const QString id = QStringLiteral("export-") + info.id;
    const int row = 1 + static_cast<int>(options_.size());  // the options follow the row of the weights
    if (info.kind == ExportOptionInfo::Kind::on_off) {
        QCheckBox* box = check(this, info.title, QStringLiteral("%1: %2").arg(info.argument, info.help), id);
        box->setChecked(true);
        contents_->insertRow(row, box);
        option.widget = box;
    } else if (info.kind == ExportOptionInfo::Kind::choice) {
        auto* box = new QComboBox(this);
        for (const ExportOptionInfo::Choice& choice : info.choices) box->addItem(choice.title, choice.value);
        box->setCurrentIndex(std::max(0, box->findData(info.default_value)));
        contents_->insertRow(row, info.title, box);
        option.widget = box;
    } else {
        auto* line = new QLineEdit(this);
        line->setPlaceholderText(tr("default: %1").arg(info.default_value));
        contents_->insertRow(row, info.title, line);
        option.widget = line;
    }
    option.widget->setObjectName(id);
    option.widget->setAccessibleName(info.title);
    if (option.widget->toolTip().isEmpty()) option.widget->setToolTip(info.help);
    options_.push_back(std::move(option));
}

// The arguments for an option; empty for its default.
QStringList ExportPage::argumentsOf(const Option& option) {
    if (const auto* box = qobject_cast<const QCheckBox*>(option.widget))
        return box->isChecked() ? QStringList() : QStringList{option.info.argument};
    QString value;
    if (const auto* box = qobject_cast<const QComboBox*>(option.widget))
        value = box->currentData().toString();
    if (const auto* line = qobject_cast<const QLineEdit*>(option.widget)) value = line->text().trimmed();
    if (value.isEmpty() || value == option.info.default_value) return {};
    return {option.info.argument, value};
}

// Whether the option applies to a selected format.
bool ExportPage::applies(const Option& option) const {
    return std::any_of(targets_.begin(), targets_.end(), [&](const Format& format) {
        return format.box->isChecked() && format.options.contains(option.info.id);
    });
}

QWidget* ExportPage::makeInside() {
    auto* group = new QGroupBox(tr("Contents"), this);
    contents_ = new QFormLayout(group);
    weights_ = new QComboBox(group);
    weights_->setAccessibleName(tr("Weights"));
    weights_->setObjectName(QStringLiteral("export-weights"));
    contents_->addRow(tr("&Weights"), weights_);
    auto* always = new QLabel(
        tr("Always included: normalisation and clipping of observations, and scaling of actions. "
           "The calling program stacks frames; the description states how many. Weights, settings, "
           "interface, stored test inputs and the verification results are added to every format."),
        group);
    always->setWordWrap(true);
    contents_->addRow(always);
    connect(weights_, &QComboBox::currentIndexChanged, this, &ExportPage::choicesChanged);
    return group;
}

QWidget* ExportPage::makeFolder() {
    auto* group = new QGroupBox(tr("Folder"), this);
    auto* row = new QHBoxLayout(group);
    folder_ = new QLineEdit(group);
    folder_->setAccessibleName(tr("New folder"));
    folder_->setObjectName(QStringLiteral("export-folder"));
    auto* choose = new QPushButton(tr("Choose…"), group);
    choose->setAccessibleName(tr("Choose the folder"));
    connect(folder_, &QLineEdit::textChanged, this, &ExportPage::choicesChanged);
    connect(choose, &QPushButton::clicked, this, [this] {
        const auto prepare = [this](QFileDialog& dialog) {
            dialog.setFileMode(QFileDialog::Directory);
            dialog.setOption(QFileDialog::ShowDirsOnly);
            dialog.setDirectory(QFileInfo(folder_->text()).path());
        };
        askForFile(this, tr("Choose an empty folder, or the parent of a new one"), prepare,
                   [this](const QString& chosen) {
                       const bool empty = QDir(chosen).isEmpty();
                       folder_->setText(empty ? chosen
                                              : QDir(chosen).filePath(QFileInfo(folder_->text()).fileName()));
                   });
    });
    row->addWidget(folder_, 1);
    row->addWidget(choose);
    return group;
}

QWidget* ExportPage::makeResult() {
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    note_ = new QLabel(part);
    note_->setWordWrap(true);
    progress_ = new QProgressBar(part);
    progress_->setRange(0, 0);
    progress_->setAccessibleName(tr("Exporting and checking"));
    progress_->hide();
    verdict_ = new QLabel(part);
    verdict_->setWordWrap(true);
    verdict_->setObjectName(QStringLiteral("export-verdict"));
    makeMessage(verdict_, *services_.theme, TextColour::plain);
    proof_ = new QTableWidget(0, column_count, part);
    proof_->setObjectName(QStringLiteral("export-proof"));
    proof_->setAccessibleName(tr("Verification that the exported policy equals the trained one"));
    proof_->setHorizontalHeaderLabels({tr("Format"), tr("Largest difference"), tr("Equal decisions"),
                                       tr("Return: trained, exported"), tr("Checked with")});
    proof_->verticalHeader()->hide();
    proof_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    // Cells and titles wrap, so that the table is not wider than the dialog.
    proof_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    proof_->horizontalHeader()->setSectionResizeMode(form_column, QHeaderView::ResizeToContents);
    proof_->horizontalHeader()->setDefaultAlignment(
        static_cast<Qt::Alignment>(Qt::AlignCenter | Qt::TextWordWrap));
    proof_->horizontalHeader()->setFixedHeight(2 * fontMetrics().height() + 8);
    proof_->setTabKeyNavigation(false);
    proof_->hide();
    for (QWidget* each : {static_cast<QWidget*>(note_), static_cast<QWidget*>(progress_),
                          static_cast<QWidget*>(verdict_), static_cast<QWidget*>(proof_)})
        layout->addWidget(each);
    layout->addStretch(1);
    return part;
}

void ExportPage::open(const std::any& link) {
    const auto* export_link = std::any_cast<ExportLink>(&link);
    if (export_link != nullptr) run_ = export_link->run;
    if (export_link != nullptr) imported_ = export_link->policy;
    if (!imported_.isEmpty()) return openImported();
    const RunRecord* run = services_.runs->find(run_);
    QString text = tr("Run %1").arg(run_);
    if (run != nullptr) {
        text = tr("%1, trained with %2")
                   .arg(elidedMiddle(runEntry(*run), kSentenceLetters), algoTitle(run->algo));
        if (run->best_return)
            text = (run->return_source == "evaluation" ? tr("%1; best evaluation %2")
                                                       : tr("%1; best training return %2"))
                       .arg(text, shortNumber(*run->best_return));
    }
    subject_->setText(text);
    weights_->clear();
    weights_->addItem(tr("newest"), QString::number(run_));
    weights_->addItem(tr("best"), QStringLiteral("%1:best").arg(run_));
    // Only evaluated checkpoints can be the best.
    const bool is_evaluated = run != nullptr && run->best_return && run->return_source == "evaluation";
    weights_->setCurrentIndex(is_evaluated ? 1 : 0);
    listCheckpoints();
    if (export_link != nullptr && export_link->checkpoint_step) {
        const QString wanted = QStringLiteral("%1:%2").arg(run_).arg(*export_link->checkpoint_step);
        weights_->addItem(tr("step %1").arg(countText(*export_link->checkpoint_step)), wanted);
        weights_->setCurrentIndex(weights_->count() - 1);
    }
    suggestFolder();
    choicesChanged();
}

void ExportPage::openImported() {
    subject_->setText(tr("Imported policy %1").arg(imported_));
    weights_->clear();
    weights_->addItem(tr("imported"), imported_);
    suggestFolder();
    choicesChanged();
}

void ExportPage::listCheckpoints() {
    const RunId run = run_;
    services_.runs->read(
        this, QStringLiteral("export"), [run](StoreReader& reader) { return reader.checkpoints(run); },
        [this, run](Result<std::vector<CheckpointRecord>> records) {
            if (!records || run != run_) return;
            for (auto record = records->rbegin(); record != records->rend(); ++record) {
                const QString name = QStringLiteral("%1:%2").arg(run).arg(record->step);
                if (!record->removed && weights_->findData(name) < 0)
                    weights_->addItem(tr("step %1").arg(countText(record->step)), name);
            }
            if (records->empty()) {
                export_->setEnabled(false);
                showVerdict(tr("This run has no checkpoint yet. Try again in a few seconds, after the first "
                               "one is saved."),
                            true);
            }
        });
}

void ExportPage::suggestFolder() {
    const RunRecord* run = services_.runs->find(run_);
    QString env = run != nullptr ? QString::fromStdString(run->env) : tr("policy");
    // Ids of external environments contain paths: "gym:/home/me/my_env.py:MyEnv", "gym:ALE/Pong-v5".
    env = env.section(QLatin1Char(':'), -1).replace(QLatin1Char('/'), QLatin1Char('-'));
    const QString name = imported_.isEmpty() ? QStringLiteral("%1-run-%2").arg(env).arg(run_)
                                             : imported_ + QStringLiteral("-export");
    const QString base = QDir::home().filePath(name);
    QString folder = base;
    for (int number = 2; QFileInfo::exists(folder) && !QDir(folder).isEmpty(); ++number)
        folder = QStringLiteral("%1-%2").arg(base).arg(number);
    folder_->setText(folder);
}

void ExportPage::choicesChanged() {
    if (export_ == nullptr) return;  // may be called during construction
    for (const Option& option : options_) option.widget->setEnabled(applies(option));
    const bool any = std::any_of(targets_.begin(), targets_.end(),
                                 [](const Format& format) { return format.box->isChecked(); });
    export_->setEnabled(any && !folder_->text().trimmed().isEmpty() && ticket_ == 0 &&
                        (run_ != 0 || !imported_.isEmpty()));
    note_->setText(
        any ? tr("Before it is written, every format is compared with the trained network on stored test "
                 "inputs and in whole episodes. A format that differs is not written.")
            : tr("Choose at least one format."));
}

QStringList ExportPage::arguments() const {
    QStringList words{QStringLiteral("export"), weights_->currentData().toString()};
    for (const Format& format : targets_)
        if (format.box->isChecked()) words << QStringLiteral("--to") << format.target;
    words << QStringLiteral("--out") << folder_->text().trimmed();
    for (const Option& option : options_)
        if (applies(option)) words << argumentsOf(option);
    return words;
}

void ExportPage::start() {
    showMessage(verdict_, {});
    proof_->hide();
    progress_->show();
    growWindow();
    ticket_ =
        services_.launcher->run(arguments(), this, [this](const CommandReply& reply) { finished(reply); });
    choicesChanged();
}

void ExportPage::finished(const CommandReply& reply) {
    ticket_ = 0;
    progress_->hide();
    growWindow();
    choicesChanged();
    if (!reply.ok()) {
        // 7: an exported file differs from the trained policy.
        showVerdict(reply.exit_code == 7 ? tr("The verification failed: %1").arg(reply.error) : reply.error,
                    true);
        return;
    }
    const QJsonObject outcome = reply.json.object();
    written_ = outcome[QStringLiteral("folder")].toString();
    show_->setEnabled(true);
    const auto files = static_cast<int>(outcome[QStringLiteral("files")].toArray().size());
    showVerdict(tr("Verified and written: %n file(s) in %1, in %2.", nullptr, files)
                    .arg(written_, durationText(outcome[QStringLiteral("seconds")].toDouble())),
                false);
    showProof(outcome[QStringLiteral("parity")].toObject());
}

void ExportPage::showProof(const QJsonObject& parity) {
    const QJsonArray targets = parity[QStringLiteral("targets")].toArray();
    const double tolerance = parity[QStringLiteral("tolerance")].toDouble();
    proof_->setRowCount(static_cast<int>(targets.size()));
    for (int row = 0; row < targets.size(); ++row) {
        const QJsonObject target = targets[row].toObject();
        const QJsonObject executor = target[QStringLiteral("executor")].toObject(),
                          loop = target[QStringLiteral("closed_loop")].toObject(),
                          free = target[QStringLiteral("free_running")].toObject();
        const auto put = [&](int column, const QString& text) {
            proof_->setItem(row, column, new QTableWidgetItem(text));
        };
        put(form_column, target[QStringLiteral("target")].toString());
        put(executor_column, QStringLiteral("%1 %2").arg(executor[QStringLiteral("id")].toString(),
                                                         executor[QStringLiteral("version")].toString()));
        put(difference_column,
            tr("%1 (%2 allowed)")
                .arg(shortNumber(target[QStringLiteral("max_relative_difference")].toDouble()),
                     shortNumber(tolerance)));
        put(decisions_column,
            loop.isEmpty() ? tr("not compared: %1").arg(target[QStringLiteral("no_closed_loop")].toString())
                           : tr("%1 of %2 in %3 episodes")
                                 .arg(countText(loop[QStringLiteral("equal")].toInteger()),
                                      countText(loop[QStringLiteral("compared")].toInteger()),
                                      countText(loop[QStringLiteral("episodes")].toInteger())));
        const auto mean = [&](const char* key) {
            const QJsonValue value = free[QLatin1String(key)].toObject()[QStringLiteral("mean")];
            return value.isDouble() ? shortNumber(value.toDouble()) : QStringLiteral("–");
        };
        put(returns_column, QStringLiteral("%1, %2").arg(mean("trainer"), mean("exported")));
    }
    proof_->show();
    growWindow();
}

void ExportPage::showVerdict(const QString& text, bool bad) {
    setTextColour(verdict_, *services_.theme, bad ? TextColour::bad : TextColour::good);
    showMessage(verdict_, text);
}

namespace {

SEEDBED_REGISTER_PAGE(export, {.order = 90,
                               .title = QT_TRANSLATE_NOOP("Page", "&Export a policy"),
                               .icon = "export",
                               .own_window = true,
                               .make = [](const Services& s) -> Page* { return new ExportPage(s); }});

}  // namespace
}  // namespace seedbed::ui
