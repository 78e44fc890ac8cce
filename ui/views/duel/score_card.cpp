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

constexpr int kLeastGames = 10, kMostGames = 100'000, kDefaultDuelGames = 100, kMoreGames = 10;

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
    games_->setValue(kDefaultDuelGames);
    games_->setSingleStep(100);
    games_->setGroupSeparatorShown(true);
    games_->setSuffix(tr(" games"));
    start_ = new QPushButton(tr("Measure the score"), controls);
    start_->setObjectName(QStringLiteral("duel-measure"));
    more_ = new QPushButton(tr("Play %1 times as many").arg(kMoreGames), controls);
    more_->setObjectName(QStringLiteral("duel-more"));
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
         {static_cast<QWidget*>(games_), static_cast<QWidget*>(start_), static_cast<QWidget*>(more_),
          static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancel_), static_cast<QWidget*>(copy_)})
        row->addWidget(each);
    for (QPushButton* each : {start_, more_, cancel_, copy_}) each->setAccessibleName(each->text());
    column->addSpacing(kGrid / 2);
    column->addWidget(controls);
    connect(start_, &QPushButton::clicked, this, &ScoreCard::wanted);
    connect(more_, &QPushButton::clicked, this, [this] {
        games_->setValue(kMoreGames * results_[match_.pair].games);  // at most the maximum
        Q_EMIT wanted();
    });
    connect(cancel_, &QPushButton::clicked, this, &ScoreCard::cancel);
    connect(copy_, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(services_.launcher->shellCommand(command()));
        services_.navigator->showStatus(tr("The command was copied."));
    });
    showState();
}

ScoreCard::~ScoreCard() { services_.launcher->cancel(ticket_); }

QString ScoreCard::text() const { return sentence_->text() + QLatin1Char('\n') + numbers_->text(); }

QStringList ScoreCard::command() const {
    return match_.arguments + QStringList{QStringLiteral("--games"), QString::number(games_->value())};
}

// The weights of a run in progress have another name when it ends; the pair is the same.
void ScoreCard::setMatch(const Match& match) {
    if (match == match_) return;
    const bool differs = match.pair != match_.pair || match.arguments.isEmpty();
    match_ = match;
    if (differs) {
        problem_.clear();
        cancel();
    }
    showState();
}

void ScoreCard::showText(const QString& sentence, const QString& numbers, Tone tone) {
    setTone(tone);
    setTextColour(sentence_, *services_.theme, tone == Tone::good ? TextColour::good : TextColour::plain);
    sentence_->setText(sentence);
    numbers_->setText(numbers);
}

void ScoreCard::showState() {
    const bool runs = isRunning(), can = !match_.arguments.isEmpty();
    const auto found = can ? results_.find(match_.pair) : results_.end();
    const Result* result = found == results_.end() ? nullptr : &found->second;
    if (result != nullptr && !result->weights.isEmpty() && result->weights != match_.weights)
        result = nullptr;
    const QString note = match_.note;
    if (runs) showText(tr("Playing %1…").arg(games_->text()), note, Tone::plain);
    else if (!problem_.isEmpty()) showText(tr("The games could not be played."), problem_, Tone::warning);
    else if (result != nullptr)
        showText(result->score.conclusion, result->score.numbers,
                 result->score.better >= 0 ? Tone::good : Tone::plain);
    else showText(tr("Who is better over many games?"), note, Tone::plain);
    const bool is_open = result != nullptr && result->score.better < 0 && result->games < kMostGames;
    more_->setVisible(!runs && is_open);
    games_->setVisible(!runs);
    start_->setVisible(!runs);
    progress_->setVisible(runs);
    cancel_->setVisible(runs);
    for (QWidget* each :
         {static_cast<QWidget*>(games_), static_cast<QWidget*>(start_), static_cast<QWidget*>(copy_)})
        each->setEnabled(can);
}

void ScoreCard::cancel() {
    if (ticket_ == 0) return;
    services_.launcher->cancel(std::exchange(ticket_, 0));
    showState();
}

void ScoreCard::start() {
    if (ticket_ != 0 || match_.arguments.isEmpty()) return;
    problem_.clear();
    ticket_ = services_.launcher->ask(
        command(), this,
        [this, names = match_.names, weights = match_.weights,
         games = games_->value()](const CommandReply& reply) {
            ticket_ = 0;
            if (reply.ok())
                results_[match_.pair] = {scoreFromJson(reply.json.object(), names), games, weights};
            else problem_ = reply.error;
            showState();
        });
    showState();
}

}  // namespace seedbed::ui
