// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export/export_page.hpp"

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
#include <QScrollBar>
#include <QTableWidget>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/models/number_text.hpp"
#include "ui/models/run_store.hpp"
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

QCheckBox* check(QWidget* parent, const QString& text, const QString& help, const char* id) {
    auto* made = new QCheckBox(text, parent);
    made->setToolTip(help);
    made->setAccessibleName(text);
    made->setAccessibleDescription(help);
    made->setObjectName(QLatin1String(id));
    return made;
}

}  // namespace

ExportPage::ExportPage(const Services& services) : services_(services) {
    auto* layout = new QVBoxLayout(this);
    subject_ = new QLabel(this);
    subject_->setWordWrap(true);
    layout->addWidget(subject_);
    layout->addWidget(makeForms());
    layout->addWidget(makeInside());
    layout->addWidget(makeFolder());
    layout->addWidget(makeResult(), 1);

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

// Enlarges the window for progress, verdict and proof.
void ExportPage::growWindow() {
    QTimer::singleShot(0, this, [this] {
        QWidget* around = window();
        const QLayout* layout = around->layout();
        if (layout == nullptr || !around->isVisible()) return;
        const QSize room = around->screen()->availableGeometry().size();
        const QSize wanted = around->size().expandedTo(layout->sizeHint());
        const int height =
            layout->hasHeightForWidth() ? layout->totalHeightForWidth(wanted.width()) : wanted.height();
        around->resize(QSize(wanted.width(), std::max(wanted.height(), height)).boundedTo(room));
    });
}

// Closing the dialog cancels a running export; it then writes nothing.
ExportPage::~ExportPage() {
    if (ticket_ != 0) services_.launcher->cancel(ticket_);
}

QWidget* ExportPage::makeForms() {
    auto* group = new QGroupBox(tr("Formats"), this);
    auto* form = new QVBoxLayout(group);
    onnx_ = check(group, tr("ONNX: game engines, Python, browsers"),
                  tr("One file that onnxruntime, Unity and Godot run."), "export-onnx");
    safetensors_ = check(group, tr("safetensors: other training programs, and back into Seedbed"),
                         tr("Plain weights with a description of the network."), "export-safetensors");
    c_ = check(group, tr("C header: microcontrollers and programs without libraries"),
               tr("One C99 file that allocates nothing and needs only math.h."), "export-c");
    onnx_->setChecked(true);
    for (QCheckBox* each : {onnx_, safetensors_, c_}) {
        form->addWidget(each);
        connect(each, &QCheckBox::toggled, this, &ExportPage::choicesChanged);
    }
    return group;
}

QWidget* ExportPage::makeInside() {
    auto* group = new QGroupBox(tr("Contents"), this);
    auto* form = new QFormLayout(group);
    weights_ = new QComboBox(group);
    weights_->setAccessibleName(tr("Weights"));
    weights_->setObjectName(QStringLiteral("export-weights"));
    form->addRow(tr("&Weights"), weights_);
    profile_ = new QComboBox(group);
    profile_->setAccessibleName(tr("Names of the ONNX inputs and outputs"));
    profile_->addItem(tr("plain"), QStringLiteral("plain"));
    profile_->addItem(tr("Unity ML-Agents"), QStringLiteral("unity"));
    profile_->addItem(tr("Godot RL Agents"), QStringLiteral("godot"));
    form->addRow(tr("&Names for"), profile_);
    licence_ = new QLineEdit(group);
    licence_->setAccessibleName(tr("Licence of the weights"));
    licence_->setPlaceholderText(tr("default licence"));
    form->addRow(tr("&Licence"), licence_);
    value_ = check(group, tr("Value estimate as an additional output"), tr("Not needed for acting."),
                   "export-value");
    value_->setChecked(true);
    replay_ = check(group, tr("Animated replay and thumbnail"), tr("One greedy episode."), "export-replay");
    replay_->setChecked(true);
    form->addRow(value_);
    form->addRow(replay_);
    auto* always =
        new QLabel(tr("Always included: normalisation and clipping of observations, and scaling of actions. "
                      "The calling program stacks frames; the description states how many. Weights, "
                      "settings, interface, golden vectors and the proof are added to every format."),
                   group);
    always->setWordWrap(true);
    form->addRow(always);
    connect(profile_, &QComboBox::currentIndexChanged, this, &ExportPage::choicesChanged);
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
    proof_->setAccessibleName(tr("Proof that the exported policy is the trained one"));
    proof_->setHorizontalHeaderLabels({tr("Format"), tr("Largest difference"), tr("Equal decisions"),
                                       tr("Return: trained, exported"), tr("Checked with")});
    proof_->verticalHeader()->hide();
    proof_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    proof_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    proof_->horizontalHeader()->setStretchLastSection(true);
    proof_->setTabKeyNavigation(false);
    proof_->setMinimumHeight(90);
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
    const RunRecord* run = services_.runs->find(run_);
    QString text = tr("Run %1").arg(run_);
    if (run != nullptr) {
        text = tr("Run %1, %2 with %3")
                   .arg(QString::number(run_), QString::fromStdString(run->env),
                        QString::fromStdString(run->algo));
        if (run->best_return) text = tr("%1; best return %2").arg(text, shortNumber(*run->best_return));
    }
    subject_->setText(text);
    weights_->clear();
    weights_->addItem(tr("newest"), QString::number(run_));
    weights_->addItem(tr("best"), QStringLiteral("%1:best").arg(run_));
    weights_->setCurrentIndex(run != nullptr && run->best_return ? 1 : 0);
    listCheckpoints();
    if (export_link != nullptr && export_link->checkpoint_step) {
        const QString wanted = QStringLiteral("%1:%2").arg(run_).arg(*export_link->checkpoint_step);
        weights_->addItem(tr("step %1").arg(countText(*export_link->checkpoint_step)), wanted);
        weights_->setCurrentIndex(weights_->count() - 1);
    }
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
                showVerdict(tr("This run has no checkpoint yet. The first one is saved within seconds; try "
                               "again then."),
                            true);
            }
        });
}

void ExportPage::suggestFolder() {
    const RunRecord* run = services_.runs->find(run_);
    const QString env = run != nullptr ? QString::fromStdString(run->env) : tr("policy");
    const QString base = QDir::home().filePath(QStringLiteral("%1-run-%2").arg(env).arg(run_));
    QString folder = base;
    for (int number = 2; QFileInfo::exists(folder) && !QDir(folder).isEmpty(); ++number)
        folder = QStringLiteral("%1-%2").arg(base).arg(number);
    folder_->setText(folder);
}

void ExportPage::choicesChanged() {
    if (export_ == nullptr) return;  // called during construction
    profile_->setEnabled(onnx_->isChecked());
    const bool any = onnx_->isChecked() || safetensors_->isChecked() || c_->isChecked();
    export_->setEnabled(any && !folder_->text().trimmed().isEmpty() && ticket_ == 0 && run_ != 0);
    note_->setText(any ? tr("Before writing, every format is compared with the trained network on golden "
                            "vectors and in whole episodes. A format that differs is not written.")
                       : tr("Choose at least one format."));
}

QStringList ExportPage::arguments() const {
    QStringList words{QStringLiteral("export"), weights_->currentData().toString()};
    const auto target = [&](const QCheckBox* box, const char* name) {
        if (box->isChecked()) words << QStringLiteral("--to") << QLatin1String(name);
    };
    target(onnx_, "onnx"), target(safetensors_, "safetensors"), target(c_, "c");
    words << QStringLiteral("--out") << folder_->text().trimmed();
    if (onnx_->isChecked() && profile_->currentIndex() > 0)
        words << QStringLiteral("--profile") << profile_->currentData().toString();
    if (!licence_->text().trimmed().isEmpty())
        words << QStringLiteral("--licence") << licence_->text().trimmed();
    if (!value_->isChecked()) words << QStringLiteral("--without-value");
    if (!replay_->isChecked()) words << QStringLiteral("--no-replay");
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
        showVerdict(reply.exit_code == 7 ? tr("The proof failed: %1").arg(reply.error) : reply.error, true);
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
    const int rows = std::min(proof_->rowCount(), 8) * proof_->verticalHeader()->defaultSectionSize();
    proof_->setMinimumHeight(proof_->horizontalHeader()->sizeHint().height() + rows +
                             2 * proof_->frameWidth() + proof_->horizontalScrollBar()->sizeHint().height());
    proof_->show();
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
