// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/league/train_league_dialog.hpp"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/text_colour.hpp"

namespace seedbed::ui {
namespace {

constexpr int kDefaultSteps = 2'000'000, kDefaultGenerations = 5;

}  // namespace

TrainLeagueDialog::TrainLeagueDialog(const Services& services, const LeagueDetails& league,
                                     const LeagueTraining& latest, QWidget* parent)
    : QDialog(parent),
      services_(services),
      preset_(new QComboBox(this)),
      steps_(new QSpinBox(this)),
      generations_(new QSpinBox(this)),
      exploiters_(new QCheckBox(tr("&Exploiters look for the weaknesses of each main agent"), this)),
      time_(new QLabel(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("train-league"));
    setWindowTitle(tr("Train agents for “%1”").arg(league.name));
    auto* layout = new QVBoxLayout(this);
    auto* text = new QLabel(
        tr("In each generation, a main agent continues from the one before it and plays against the members "
           "that this one beat least. All agents join the league. Training continues when the window is "
           "closed."),
        this);
    text->setWordWrap(true);
    setTextColour(text, *services.theme, TextColour::quiet);
    layout->addWidget(text);
    auto* form = new QFormLayout;
    preset_->setObjectName(QStringLiteral("train-preset"));
    preset_->setAccessibleName(tr("Preset"));
    // Presets with self-play first, since a league needs agents that know both seats.
    QList<const PresetInfo*> presets;
    if (services.catalogue != nullptr) presets = services.catalogue->presetsOf(league.env);
    std::stable_partition(presets.begin(), presets.end(), [](const PresetInfo* preset) {
        return preset->name.contains(QLatin1String("self_play"));
    });
    for (const PresetInfo* preset : presets) preset_->addItem(preset->title, preset->name);
    form->addRow(tr("&Preset"), preset_);
    steps_->setObjectName(QStringLiteral("train-steps"));
    steps_->setAccessibleName(tr("Steps of each agent"));
    steps_->setRange(1, 2'000'000'000);
    steps_->setSingleStep(500'000);
    steps_->setGroupSeparatorShown(true);
    steps_->setValue(kDefaultSteps);
    form->addRow(tr("&Steps of each agent"), steps_);
    generations_->setObjectName(QStringLiteral("train-generations"));
    generations_->setAccessibleName(tr("Generations"));
    generations_->setRange(1, 10'000);
    int known = 0;
    for (const LeagueRow& row : league.ladder)
        if (row.name.startsWith(QLatin1String("main-"))) known = std::max(known, row.name.mid(5).toInt());
    generations_->setValue(known + kDefaultGenerations);
    generations_->setToolTip(tr("Including those that have joined before."));
    form->addRow(tr("&Generations"), generations_);
    exploiters_->setObjectName(QStringLiteral("train-exploiters"));
    exploiters_->setChecked(true);
    exploiters_->setToolTip(
        tr("An exploiter plays only against the newest main agent. Its score shows how far this agent can be "
           "exploited, and the next main agent learns from it."));
    form->addRow(exploiters_);
    layout->addLayout(form);
    time_->setObjectName(QStringLiteral("train-time"));
    time_->setWordWrap(true);
    layout->addWidget(time_);
    auto* box = new QDialogButtonBox(this);
    accept_ = box->addButton(tr("Train the league"), QDialogButtonBox::AcceptRole);
    accept_->setObjectName(QStringLiteral("accept"));
    accept_->setDefault(true);
    accept_->setEnabled(preset_->count() > 0);
    if (preset_->count() == 0) accept_->setToolTip(tr("There is no preset for this game."));
    box->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(box);
    connect(preset_, &QComboBox::currentIndexChanged, this, &TrainLeagueDialog::updateTimes);
    for (QSpinBox* spin : {steps_, generations_})
        connect(spin, &QSpinBox::valueChanged, this, &TrainLeagueDialog::updateTimes);
    connect(exploiters_, &QCheckBox::toggled, this, &TrainLeagueDialog::updateTimes);
    if (!latest.preset.isEmpty()) {
        preset_->setCurrentIndex(std::max(0, preset_->findData(latest.preset)));
        steps_->setValue(static_cast<int>(latest.steps));
        if (latest.generations > known) generations_->setValue(latest.generations);
        exploiters_->setChecked(latest.exploiters);
    }
    if (services.catalogue != nullptr)
        connect(services.catalogue, &Catalogue::estimatesChanged, this, &TrainLeagueDialog::updateTimes);
    updateTimes();
}

// The time of an agent at the speeds that were measured for the preset.
void TrainLeagueDialog::updateTimes() {
    const auto estimate = services_.catalogue == nullptr
                              ? std::nullopt
                              : services_.catalogue->estimate(preset_->currentData().toString());
    const int agents = generations_->value() * (exploiters_->isChecked() ? 2 : 1);
    QString text = tr("%n agent(s) in all.", nullptr, agents);
    if (estimate && estimate->low_sps > 0) {
        const auto seconds = [&](double speed) { return steps_->value() / speed; };
        text = tr("%n agent(s) in all, each about %1 on this computer.", nullptr, agents)
                   .arg(durationText(seconds((estimate->low_sps + estimate->high_sps) / 2)));
    }
    time_->setText(text);
}

LeagueTraining TrainLeagueDialog::training() const {
    return {.preset = preset_->currentData().toString(),
            .steps = steps_->value(),
            .generations = generations_->value(),
            .exploiters = exploiters_->isChecked()};
}

}  // namespace seedbed::ui
