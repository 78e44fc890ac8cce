// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/hero_card.hpp"

#include <algorithm>

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/run_store.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/packs/own_env_link.hpp"
#include "ui/views/start/cartpole_stage.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kHeroPadding = 28, kHeroHeight = 212;
constexpr int kWidthWithStage = 480;  // a narrower card has no space for the picture

}  // namespace

HeroCard::HeroCard(const Services& services, QWidget* parent) : Card(parent), services_(services) {
    setObjectName(QStringLiteral("hero"));
    setMinimumHeight(kHeroHeight);
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(1, 1, 1, 3);  // the outline and the shadow
    columns->setSpacing(0);
    auto* column = new QVBoxLayout;
    column->setSpacing(kGrid);
    column->setContentsMargins(kHeroPadding, kHeroPadding - 4, kHeroPadding, kHeroPadding - 4);
    auto* chip = new Chip(this);
    chip->setText(tr("New here?"));
    chip->setTone(Tone::good);
    column->addStretch(1);
    column->addWidget(chip, 0, Qt::AlignLeft);
    auto* title = new QLabel(tr("Train your first agent"), this);
    title->setFont(textFont(TextSize::hero, QFont::DemiBold));
    title->setWordWrap(true);
    column->addWidget(title);
    sentence_ = new QLabel(this);
    sentence_->setObjectName(QStringLiteral("hero-sentence"));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    setTextColour(sentence_, *services_.theme, TextColour::quiet);
    column->addWidget(sentence_);
    column->addSpacing(kGrid);
    auto* buttons = new QWidget(this);
    auto* row = new FlowLayout(buttons);
    train_ = new QPushButton(services_.theme->icon(QStringLiteral("start")), tr("Train CartPole"), buttons);
    train_->setObjectName(QStringLiteral("hero-train"));
    train_->setAccessibleName(train_->text());
    setKind(train_, ButtonKind::primary);
    connect(train_, &QPushButton::clicked, this, &HeroCard::trainClicked);
    row->addWidget(train_);
    if (services_.own != nullptr) {
        auto* own = new QPushButton(tr("Bring your own environment"), buttons);
        own->setObjectName(QStringLiteral("hero-own"));
        own->setAccessibleName(own->text());
        connect(own, &QPushButton::clicked, this, [this] { services_.navigator->open(OwnEnvLink{}); });
        row->addWidget(own);
    }
    column->addWidget(buttons);
    column->addStretch(1);
    columns->addLayout(column, 11);
    stage_ = new CartPoleStage(this);
    columns->addWidget(stage_, 10);

    connect(services_.catalogue, &Catalogue::estimatesChanged, this, &HeroCard::showEstimate);
    showEstimate();
    if (services_.runs != nullptr) {
        connect(services_.runs, &RunStore::runsChanged, this, &HeroCard::showForNewUsers);
        connect(services_.runs, &RunStore::stateChanged, this, &HeroCard::showForNewUsers);
    }
    showForNewUsers();
}

void HeroCard::setStarting(bool starting) {
    starting_ = starting;
    showEstimate();
}

void HeroCard::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    stage_->setVisible(width() >= kWidthWithStage);
}

void HeroCard::showEstimate() {
    const PresetInfo* preset = services_.catalogue->defaultPreset(QStringLiteral("cartpole"));
    const auto estimate = preset == nullptr ? std::nullopt : services_.catalogue->estimate(preset->name);
    sentence_->setText(estimate && estimate->middle_minutes > 0
                           ? tr("CartPole learns to balance in %1 on this computer. Press Train and watch it "
                                "happen.")
                                 .arg(minutesText(*estimate))
                           : tr("CartPole learns to balance a pole. Press Train and watch it happen."));
    train_->setEnabled(preset != nullptr && !starting_);
}

void HeroCard::showForNewUsers() {
    if (services_.runs == nullptr) return;
    const StoreState::Kind state = services_.runs->state().kind;
    const bool is_known = state == StoreState::Kind::ready || state == StoreState::Kind::empty;
    setVisible(is_known && std::ranges::all_of(*services_.runs->runs(),
                                               [](const RunRecord& run) { return run.in_trash; }));
}

}  // namespace seedbed::ui
