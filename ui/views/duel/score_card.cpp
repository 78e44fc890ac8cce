// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/duel/score_card.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kLeastGames = 10, kMostGames = 100'000, kDefaultGames = 100;

}  // namespace

ScoreCard::ScoreCard(const Services& services, QWidget* parent) : Card(parent), services_(services) {
    setObjectName(QStringLiteral("duel-score"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * kGrid, kGrid + 4, 2 * kGrid, kGrid + 4);
    column->setSpacing(kGrid / 2);
    sentence_ = new QLabel(this);
    sentence_->setObjectName(QStringLiteral("duel-score-sentence"));
    sentence_->setFont(textFont(TextSize::body, QFont::DemiBold));
    numbers_ = new QLabel(this);
    numbers_->setObjectName(QStringLiteral("duel-score-numbers"));
    for (QLabel* label : {sentence_, numbers_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    setTextColour(numbers_, *services_.theme, TextColour::quiet);
    auto* controls = new QWidget(this);
    auto* row = new FlowLayout(controls);
    games_ = new QSpinBox(controls);
    games_->setObjectName(QStringLiteral("duel-games"));
    games_->setAccessibleName(tr("Number of games"));
    games_->setRange(kLeastGames, kMostGames);
    games_->setValue(kDefaultGames);
    games_->setSingleStep(100);
    games_->setSuffix(tr(" games"));
    start_ = new QPushButton(tr("Measure the score"), controls);
    start_->setObjectName(QStringLiteral("duel-measure"));
    progress_ = new QProgressBar(controls);
    progress_->setObjectName(QStringLiteral("duel-progress"));
    progress_->setAccessibleName(tr("The games are being played"));
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    cancel_ = new QPushButton(tr("Cancel"), controls);
    cancel_->setObjectName(QStringLiteral("duel-cancel"));
    copy_ = new QPushButton(services_.theme->icon(QStringLiteral("copy")), tr("Copy as command"), controls);
    copy_->setObjectName(QStringLiteral("duel-copy"));
    setKind(copy_, ButtonKind::quiet);
    for (QWidget* each :
         {static_cast<QWidget*>(games_), static_cast<QWidget*>(start_), static_cast<QWidget*>(progress_),
          static_cast<QWidget*>(cancel_), static_cast<QWidget*>(copy_)})
        row->addWidget(each);
    for (QPushButton* each : {start_, cancel_, copy_}) each->setAccessibleName(each->text());
    column->addSpacing(kGrid / 2);
    column->addWidget(controls);
    connect(start_, &QPushButton::clicked, this, &ScoreCard::start);
    connect(cancel_, &QPushButton::clicked, this, &ScoreCard::cancel);
    connect(copy_, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(services_.launcher->shellCommand(command()));
        services_.navigator->showStatus(tr("The command was copied."));
    });
    showIdle();
}

ScoreCard::~ScoreCard() { services_.launcher->cancel(ticket_); }

QString ScoreCard::text() const { return sentence_->text() + QLatin1Char('\n') + numbers_->text(); }

QStringList ScoreCard::command() const {
    return arguments_ + QStringList{QStringLiteral("--games"), QString::number(games_->value())};
}

void ScoreCard::setMatch(const QStringList& arguments, const DuelNames& names, const QString& reason) {
    if (arguments == arguments_ && names == names_ && reason == reason_) return;
    arguments_ = arguments;
    names_ = names;
    reason_ = reason;
    cancel();
    showIdle();
}

void ScoreCard::showIdle() {
    setTone(Tone::plain);
    setTextColour(sentence_, *services_.theme, TextColour::plain);
    sentence_->setText(tr("Who is better over many games?"));
    numbers_->setText(!reason_.isEmpty()
                          ? reason_
                          : tr("One game shows where they differ, not who is better. Many games on other "
                               "seeds give a score with its uncertainty."));
    const bool runs = isRunning();
    games_->setVisible(!runs);
    start_->setVisible(!runs);
    progress_->setVisible(runs);
    cancel_->setVisible(runs);
    for (QWidget* each :
         {static_cast<QWidget*>(games_), static_cast<QWidget*>(start_), static_cast<QWidget*>(copy_)})
        each->setEnabled(!arguments_.isEmpty());
}

void ScoreCard::cancel() {
    if (ticket_ == 0) return;
    services_.launcher->cancel(std::exchange(ticket_, 0));
    showIdle();
}

void ScoreCard::start() {
    if (ticket_ != 0 || arguments_.isEmpty()) return;
    ticket_ = services_.launcher->ask(command(), this, [this](const CommandReply& reply) {
        ticket_ = 0;
        showIdle();
        if (!reply.ok()) {
            setTone(Tone::warning);
            sentence_->setText(tr("The games could not be played."));
            numbers_->setText(reply.error);
            return;
        }
        const DuelScore score = scoreFromJson(reply.json.object(), names_);
        sentence_->setText(score.conclusion);
        numbers_->setText(score.numbers);
        setTone(score.better >= 0 ? Tone::good : Tone::plain);
        setTextColour(sentence_, *services_.theme, score.better >= 0 ? TextColour::good : TextColour::plain);
    });
    showIdle();
    sentence_->setText(tr("Playing %1…").arg(games_->text()));
}

}  // namespace seedbed::ui
