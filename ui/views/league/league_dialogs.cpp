// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/league/league_dialogs.hpp"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include "core/env/scripted_player.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/text_colour.hpp"

namespace seedbed::ui {
namespace {

enum PlayerColumn { kPlayerColumn, kVersionColumn, kTextColumn, kPlayerColumns };

// Adds the buttons and returns the one that accepts.
QPushButton* addAnswers(QDialog& dialog, QVBoxLayout& layout, const QString& accept) {
    auto* box = new QDialogButtonBox(&dialog);
    QPushButton* button = box->addButton(accept, QDialogButtonBox::AcceptRole);
    button->setObjectName(QStringLiteral("accept"));
    button->setDefault(true);
    box->addButton(NewLeagueDialog::tr("Cancel"), QDialogButtonBox::RejectRole);
    QObject::connect(box, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(box, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    layout.addWidget(box);
    return button;
}

QLabel* quietText(QWidget* parent, const Services& services, const QString& text) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    setTextColour(label, *services.theme, TextColour::quiet);
    return label;
}

}  // namespace

QStringList leagueEnvironments() {
    QStringList envs;
    for (const std::string& id : envRegistry().ids()) {
        const EnvEntry* entry = envRegistry().find(id);
        const auto params = entry->params->complete(Json::object(), "env");
        if (!params) continue;
        const auto spec = entry->spec(*params);
        if (spec && spec->agents == 2) envs += QString::fromStdString(id);
    }
    return envs;
}

// --- a new league

NewLeagueDialog::NewLeagueDialog(const Services& services, const QStringList& taken, QWidget* parent)
    : QDialog(parent),
      taken_(taken),
      name_(new QLineEdit(this)),
      env_(new QComboBox(this)),
      opening_(new QSpinBox(this)),
      samples_(new QCheckBox(tr("Policies &sample their actions"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("new-league"));
    setWindowTitle(tr("New league"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(quietText(
        this, services, tr("A league rates players of one game for two from matches against each other.")));
    auto* form = new QFormLayout;
    name_->setObjectName(QStringLiteral("league-name"));
    name_->setAccessibleName(tr("Name"));
    form->addRow(tr("&Name"), name_);
    env_->setObjectName(QStringLiteral("league-env"));
    env_->setAccessibleName(tr("Game"));
    for (const QString& id : leagueEnvironments()) {
        const EnvInfo* info = services.catalogue == nullptr ? nullptr : services.catalogue->environment(id);
        env_->addItem(info == nullptr ? id : info->title, id);
    }
    form->addRow(tr("&Game"), env_);
    opening_->setRange(0, 10'000);
    opening_->setValue(2);
    opening_->setAccessibleName(tr("Random decisions at the beginning"));
    opening_->setToolTip(
        tr("Random decisions at the beginning of a game make games of the same two players "
           "differ."));
    form->addRow(tr("&Random decisions at the beginning"), opening_);
    samples_->setToolTip(tr("Otherwise they choose the most probable action."));
    form->addRow(samples_);
    layout->addLayout(form);
    create_ = addAnswers(*this, *layout, tr("Create the league"));
    connect(name_, &QLineEdit::textChanged, this, &NewLeagueDialog::updateButton);
    updateButton();
    name_->setFocus();
}

QString NewLeagueDialog::name() const { return name_->text().trimmed(); }
QString NewLeagueDialog::env() const { return env_->currentData().toString(); }
int NewLeagueDialog::opening() const { return opening_->value(); }
bool NewLeagueDialog::samples() const { return samples_->isChecked(); }

void NewLeagueDialog::updateButton() {
    const bool is_taken = taken_.contains(name());
    create_->setEnabled(!name().isEmpty() && !is_taken);
    create_->setToolTip(is_taken ? tr("There is a league with this name.") : QString());
}

// --- new members

AddMembersDialog::AddMembersDialog(const Services& services, const LeagueDetails& league, QWidget* parent)
    : QDialog(parent), table_(new QTableWidget(0, kPlayerColumns, this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("add-members"));
    setWindowTitle(tr("Add members to “%1”").arg(league.name));
    resize(620, 420);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(quietText(this, services,
                                tr("Check the players to add. The policy of a run is copied, so the member "
                                   "stays as it is when the run continues or is removed. Version of a run: "
                                   "“best”, a step, or empty for the newest checkpoint.")));
    table_->setObjectName(QStringLiteral("players"));
    table_->setAccessibleName(tr("Players"));
    table_->setHorizontalHeaderLabels({tr("Player"), tr("Version or strength"), tr("Description")});
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setTabKeyNavigation(false);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    layout->addWidget(table_, 1);
    const std::string env = league.env.toStdString();
    for (const std::string& id : scriptedPlayerRegistry().ids()) {
        const ScriptedPlayerEntry& entry = *scriptedPlayerRegistry().find(id);
        const bool fits =
            entry.envs.empty() || std::find(entry.envs.begin(), entry.envs.end(), env) != entry.envs.end();
        if (!fits) continue;
        const bool has_version = !entry.parameter.empty();
        QString text = QString::fromStdString(entry.summary);
        if (has_version)
            text += QLatin1Char(' ') + tr("%1: %2 to %3.", "name of a parameter and its range")
                                           .arg(QString::fromStdString(entry.parameter))
                                           .arg(entry.low)
                                           .arg(entry.high);
        const int version = entry.has_default ? entry.default_value : std::min(entry.low + 3, entry.high);
        addRow(QString::fromStdString(id), has_version ? QString::number(version) : QString(), text,
               has_version);
    }
    const auto& runs = *services.runs->runs();
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        if (run->in_trash || run->env != env || run->progress.steps == 0) continue;
        addRow(
            QString::number(run->id), run->best_return ? QStringLiteral("best") : QString(),
            tr("%1: %2, %3 steps").arg(runEntry(*run), algoTitle(run->algo), countText(run->progress.steps)),
            true);
    }
    table_->resizeColumnsToContents();
    connect(table_, &QTableWidget::itemChanged, this, &AddMembersDialog::updateButton);
    add_ = addAnswers(*this, *layout, tr("Add the checked players"));
    updateButton();
    table_->setCurrentCell(0, 0);
    table_->setFocus();
}

void AddMembersDialog::addRow(const QString& player, const QString& version, const QString& text,
                              bool has_version) {
    const int row = table_->rowCount();
    table_->insertRow(row);
    auto* name = new QTableWidgetItem(player);
    name->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    name->setCheckState(Qt::Unchecked);
    table_->setItem(row, kPlayerColumn, name);
    auto* second = new QTableWidgetItem(version);
    if (!has_version) second->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    table_->setItem(row, kVersionColumn, second);
    auto* description = new QTableWidgetItem(text);
    description->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    description->setToolTip(text);
    table_->setItem(row, kTextColumn, description);
}

QStringList AddMembersDialog::players() const {
    QStringList players;
    for (int row = 0; row < table_->rowCount(); ++row) {
        const QTableWidgetItem* player = table_->item(row, kPlayerColumn);
        const QString version = table_->item(row, kVersionColumn)->text().trimmed();
        if (player->checkState() != Qt::Checked) continue;
        players += version.isEmpty() ? player->text() : player->text() + QLatin1Char(':') + version;
    }
    return players;
}

void AddMembersDialog::updateButton() { add_->setEnabled(!players().isEmpty()); }

// --- versions of a run

FollowRunDialog::FollowRunDialog(const Services& services, const LeagueDetails& league, QWidget* parent)
    : QDialog(parent), run_(new QComboBox(this)), every_(new QSpinBox(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("follow-run"));
    setWindowTitle(tr("Add versions of a run to “%1”").arg(league.name));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(quietText(
        this, services,
        tr("Each checkpoint of the run joins, also new ones while it trains, and plays a match against every "
           "other member. Checkpoints that the run has removed cannot join.")));
    auto* form = new QFormLayout;
    run_->setObjectName(QStringLiteral("follow-of"));
    run_->setAccessibleName(tr("Run"));
    const std::string env = league.env.toStdString();
    const auto& runs = *services.runs->runs();
    int live = -1;  // the newest run in progress, which is chosen
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        if (run->in_trash || run->env != env) continue;
        const QString text =
            isLive(run->status) ? tr("%1: %2, %3 steps, in progress") : tr("%1: %2, %3 steps");
        run_->addItem(text.arg(runEntry(*run), algoTitle(run->algo), countText(run->progress.steps)),
                      QVariant::fromValue<qint64>(run->id));
        if (isLive(run->status) && live < 0) live = run_->count() - 1;
    }
    run_->setCurrentIndex(std::max(0, live));
    form->addRow(tr("&Run"), run_);
    every_->setObjectName(QStringLiteral("follow-every"));
    every_->setAccessibleName(tr("Add every n-th checkpoint"));
    every_->setRange(1, 1'000'000);
    form->addRow(tr("Add &every n-th checkpoint"), every_);
    layout->addLayout(form);
    addAnswers(*this, *layout, tr("Follow the run"))->setEnabled(run_->count() > 0);
}

RunId FollowRunDialog::run() const { return run_->currentData().toLongLong(); }
int FollowRunDialog::every() const { return every_->value(); }

}  // namespace seedbed::ui
