// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/packs/pack_card.hpp"

#include <algorithm>

#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/models/packs/env_choice.hpp"
#include "ui/models/packs/pack_list.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

QString bytesText(qint64 bytes) { return QLocale().formattedDataSize(bytes, 0); }

QString licenceText(const PackInfo& pack) {
    QStringList parts;
    for (const auto& [part, licence] : pack.licences) parts += QStringLiteral("%1: %2").arg(part, licence);
    return PackCard::tr("Licences: %1").arg(parts.join(QStringLiteral(" · ")));
}

QString sizeText(const PackInfo& pack) {
    if (!pack.instructions.isEmpty()) return pack.instructions;
    QStringList sentences;
    if (pack.isUsable()) sentences += PackCard::tr("Uses %1.").arg(bytesText(pack.installed_bytes));
    else
        sentences += PackCard::tr("Downloads %n package(s), %1, from the Python package index; %2 installed.",
                                  nullptr, pack.packages)
                         .arg(bytesText(pack.download_bytes), bytesText(pack.installed_bytes));
    if (!pack.isUsable() && !pack.pythons.isEmpty())
        sentences += PackCard::tr("Needs Python %1.").arg(pack.pythons.join(QStringLiteral(", ")));
    if (!pack.system_packages.isEmpty())
        sentences += PackCard::tr("Needs these system packages: %1.")
                         .arg(pack.system_packages.join(QStringLiteral(", ")));
    return sentences.join(QLatin1Char(' '));
}

QLabel* makeText(QWidget* parent, const QString& text, const Theme& theme, TextColour colour) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    setTextColour(label, theme, colour);
    return label;
}

}  // namespace

PackCard::PackCard(const Services& services, const PackInfo& pack, QWidget* parent)
    : Card(parent), services_(services), name_(pack.name), title_(pack.title) {
    setObjectName(QStringLiteral("pack-") + name_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 12);
    layout->addWidget(makeHead(pack));
    layout->addWidget(makeText(this, pack.sentence, *services_.theme, TextColour::plain));
    size_ = makeText(this, {}, *services_.theme, TextColour::quiet);
    layout->addWidget(size_);
    auto* licences = makeText(this, licenceText(pack), *services_.theme, TextColour::quiet);
    licences->setObjectName(QStringLiteral("licences-") + name_);
    layout->addWidget(licences);
    connect(details_, &QPushButton::toggled, licences, &QWidget::setVisible);
    // Before something is installed, its licences are shown.
    details_->setChecked(!pack.isUsable());
    licences->setVisible(details_->isChecked());
    layout->addWidget(makeQuestion());
    layout->addWidget(makeProgress());
    note_ = new QLabel(this);
    note_->setObjectName(QStringLiteral("note-") + name_);
    makeMessage(note_, *services_.theme, TextColour::plain);
    layout->addWidget(note_);
    layout->addWidget(makeEnvs(pack));
    refresh();
}

QPushButton* PackCard::makeButton(const char* id, const QString& text, void (PackCard::*clicked)()) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(id) + QLatin1Char('-') + name_);
    button->setAccessibleName(QStringLiteral("%1: %2").arg(text, title_));
    connect(button, &QPushButton::clicked, this, clicked);
    return button;
}

QWidget* PackCard::makeHead(const PackInfo& pack) {
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    auto* title = new QLabel(pack.title, head);
    title->setTextFormat(Qt::PlainText);
    title->setFont(textFont(TextSize::section, QFont::DemiBold));
    row->addWidget(title);
    state_ = new QLabel(head);
    state_->setObjectName(QStringLiteral("state-") + name_);
    row->addWidget(state_);
    row->addStretch(1);
    details_ = new QPushButton(tr("Details"), head);
    details_->setObjectName(QStringLiteral("details-") + name_);
    details_->setAccessibleName(QStringLiteral("%1: %2").arg(details_->text(), title_));
    details_->setToolTip(tr("Licences of the packages"));
    details_->setCheckable(true);
    setKind(details_, ButtonKind::quiet);
    row->addWidget(details_);
    install_ = makeButton("install", tr("Install"), &PackCard::install);
    check_ = makeButton("check", tr("Check"), &PackCard::check);
    remove_ = makeButton("remove", tr("Remove…"), &PackCard::askToRemove);
    cancel_ = makeButton("cancel", tr("Cancel"), &PackCard::cancel);
    install_->setIcon(services_.theme->icon(QStringLiteral("down")));
    for (QPushButton* each : {check_, remove_, install_, cancel_}) row->addWidget(each);
    return head;
}

QWidget* PackCard::makeProgress() {
    progress_row_ = new QWidget(this);
    auto* layout = new QVBoxLayout(progress_row_);
    layout->setContentsMargins(0, 0, 0, 0);
    progress_ = new QProgressBar(progress_row_);
    progress_->setObjectName(QStringLiteral("progress-") + name_);
    progress_->setAccessibleName(tr("Progress: %1").arg(title_));
    progress_->setTextVisible(false);
    progress_->setMaximumHeight(10);
    layout->addWidget(progress_);
    step_ = makeText(progress_row_, {}, *services_.theme, TextColour::quiet);
    layout->addWidget(step_);
    return progress_row_;
}

QWidget* PackCard::makeQuestion() {
    question_row_ = new QWidget(this);
    auto* row = new QHBoxLayout(question_row_);
    row->setContentsMargins(0, 0, 0, 0);
    question_ = makeText(question_row_, {}, *services_.theme, TextColour::warning);
    question_->setObjectName(QStringLiteral("question-") + name_);
    row->addWidget(question_, 1);
    const auto add = [&](const char* id, const QString& text, bool is_removed) {
        auto* button = new QPushButton(text, question_row_);
        button->setObjectName(QLatin1String(id) + QLatin1Char('-') + name_);
        button->setAccessibleName(QStringLiteral("%1: %2").arg(text, title_));
        connect(button, &QPushButton::clicked, this, [this, is_removed] { answer(is_removed); });
        row->addWidget(button);
        return button;
    };
    confirm_ = add("confirm", tr("Remove"), true);
    keep_ = add("keep", tr("Keep"), false);
    question_row_->hide();
    return question_row_;
}

QWidget* PackCard::makeEnvs(const PackInfo& pack) {
    env_row_ = new QWidget(this);
    auto* layout = new FlowLayout(env_row_);
    layout->setContentsMargins(0, 4, 0, 0);
    auto* label = new QLabel(tr("Train and watch:"), env_row_);
    label->setMinimumHeight(install_->sizeHint().height());
    layout->addWidget(label);
    for (const QString& env : pack.envs) {
        auto* button =
            new QPushButton(services_.theme->icon(QStringLiteral("start")), shortTitle(env), env_row_);
        button->setObjectName(QStringLiteral("watch-") + env);
        button->setAccessibleName(tr("Train and watch %1").arg(env));
        button->setToolTip(env);
        connect(button, &QPushButton::clicked, this, [this, env] { Q_EMIT watchRequested(env); });
        layout->addWidget(button);
        envs_ += button;
    }
    return env_row_;
}

void PackCard::setCanStart(bool can_start) {
    for (QPushButton* button : envs_) button->setEnabled(can_start);
}

void PackCard::refresh() {
    const PackInfo* pack = services_.packs->find(name_);
    if (pack == nullptr) return;
    showState(*pack);
    showButtons(*pack);
    const PackJob* job = services_.packs->job(name_);
    if (job != nullptr || pack->state == PackInfo::State::not_installed) question_row_->hide();
    if (!question_row_->isHidden()) showQuestion(*pack);
    progress_row_->setVisible(job != nullptr);
    if (job != nullptr) {
        const bool is_known = job->total_bytes > 0;
        progress_->setRange(0, is_known ? 1000 : 0);
        if (is_known)
            progress_->setValue(static_cast<int>(1000.0 * static_cast<double>(job->bytes) /
                                                 static_cast<double>(job->total_bytes)));
        step_->setText(is_known ? tr("%1, %2 of %3", "a step and its progress in bytes")
                                      .arg(job->step, bytesText(job->bytes), bytesText(job->total_bytes))
                                : job->step);
    }
    PackNote note = services_.packs->note(name_);
    if (note.text.isEmpty() && pack->state == PackInfo::State::damaged) note = {pack->problem, true};
    setTextColour(note_, *services_.theme, note.is_problem ? TextColour::bad : TextColour::quiet);
    showMessage(note_, note.text);
    env_row_->setVisible(pack->isUsable() && job == nullptr);
}

void PackCard::showState(const PackInfo& pack) {
    using State = PackInfo::State;
    const std::pair<QString, TextColour> texts[] = {{tr("not installed"), TextColour::quiet},
                                                    {tr("installed"), TextColour::good},
                                                    {tr("outdated"), TextColour::warning},
                                                    {tr("damaged"), TextColour::bad}};
    static_assert(static_cast<int>(State::damaged) == 3);
    const auto& [text, colour] = texts[static_cast<int>(pack.state)];
    state_->setText(text);
    setTextColour(state_, *services_.theme, colour);
    size_->setText(sizeText(pack));
}

void PackCard::showButtons(const PackInfo& pack) {
    using State = PackInfo::State;
    const PackJob* job = services_.packs->job(name_);
    const bool has_problem = services_.packs->note(name_).is_problem;
    QString text = pack.state == State::outdated  ? tr("Update")
                   : pack.state == State::damaged ? tr("Install again")
                   : pack.isUsable()              ? tr("Install again")
                   : pack.instructions.isEmpty()  ? tr("Install (%1)").arg(bytesText(pack.download_bytes))
                                                  : tr("Choose Python…");
    install_->setText(text);
    install_->setAccessibleName(QStringLiteral("%1: %2").arg(text, title_));
    const bool had_focus = install_->hasFocus();
    install_->setVisible(job == nullptr && (pack.state != State::installed || has_problem));
    check_->setVisible(job == nullptr && pack.isUsable());
    remove_->setVisible(job == nullptr && pack.state != State::not_installed);
    cancel_->setVisible(job != nullptr && job->kind != PackJob::Kind::remove);
    cancel_->setEnabled(job != nullptr && !job->is_cancelled);
    if (had_focus && cancel_->isVisible()) cancel_->setFocus();
}

void PackCard::install() {
    const PackInfo* pack = services_.packs->find(name_);
    if (pack == nullptr) return;
    if (pack->instructions.isEmpty()) return services_.packs->install(name_, pack->isUsable());
    const auto prepare = [](QFileDialog& dialog) {
        dialog.setFileMode(QFileDialog::ExistingFile);
        dialog.setDirectory(QDir::home());
    };
    askForFile(this, tr("Choose the Python installation that has the packages"), prepare,
               [this](const QString& python) { services_.packs->install(name_, true, python); });
}

void PackCard::check() { services_.packs->check(name_); }

// Reads the list again, because runs may have started in the meantime; the reply enables the button.
void PackCard::askToRemove() {
    const PackInfo* pack = services_.packs->find(name_);
    if (pack == nullptr) return;
    question_->setText(tr("Reading the runs…"));
    confirm_->setEnabled(false);
    question_row_->show();
    keep_->setFocus();
    services_.packs->refresh();
}

void PackCard::showQuestion(const PackInfo& pack) {
    QStringList sentences{
        pack.instructions.isEmpty()
            ? tr("Remove this pack? Installing it again downloads %1.").arg(bytesText(pack.download_bytes))
            : tr("Remove this pack? The packages of its Python are kept.")};
    QStringList runs;
    for (const RunId run : pack.runs) runs += QString::number(run);
    if (!runs.isEmpty())
        sentences +=
            tr("Runs in progress or queued need it and will fail: %1.").arg(runs.join(QStringLiteral(", ")));
    question_->setText(sentences.join(QLatin1Char(' ')));
    confirm_->setEnabled(true);
}

void PackCard::answer(bool is_removed) {
    question_row_->hide();
    if (is_removed) services_.packs->remove(name_);
    else remove_->setFocus();
}

void PackCard::cancel() { services_.packs->cancel(name_); }

}  // namespace seedbed::ui
