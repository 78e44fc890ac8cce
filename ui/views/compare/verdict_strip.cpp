// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/verdict_strip.hpp"

#include <QHBoxLayout>
#include <QPushButton>

#include "ui/views/elided_name.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kVerdictLetters = 36;  // of a group in the sentence
constexpr int kGapInLine = 12;

Tone toneOf(ComparisonVerdict::Kind kind) {
    switch (kind) {
        case ComparisonVerdict::Kind::different: return Tone::good;
        case ComparisonVerdict::Kind::too_few: return Tone::warning;
        default: return Tone::plain;
    }
}

}  // namespace

VerdictStrip::VerdictStrip(const Theme& theme, QWidget* parent) : Card(parent), theme_(theme) {
    setAccessibleName(tr("Verdict"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 10, 12, 10);
    row->setSpacing(12);
    texts_ = new QBoxLayout(QBoxLayout::TopToBottom);
    texts_->setSpacing(2);
    sentence_ = new QLabel(this);
    sentence_->setObjectName(QStringLiteral("verdict"));
    sentence_->setFont(textFont(TextSize::body, QFont::DemiBold));
    details_ = new QLabel(this);
    details_->setObjectName(QStringLiteral("verdict-details"));
    for (QLabel* label : {sentence_, details_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setMinimumWidth(80);  // otherwise that of the longest word
        texts_->addWidget(label);
    }
    texts_->setStretchFactor(details_, 1);
    row->addLayout(texts_, 1);
    queue_ = new QPushButton(this);
    queue_->setObjectName(QStringLiteral("verdict-queue"));
    row->addWidget(queue_);
    duel_ = new QPushButton(tr("Duel"), this);
    duel_->setObjectName(QStringLiteral("verdict-duel"));
    duel_->setAccessibleName(tr("Duel these two"));
    duel_->setToolTip(
        tr("Watch the best run of each play the same episode, up to the first different decision"));
    duel_->hide();
    row->addWidget(duel_);
    explain_ = new QPushButton(tr("Explain"), this);
    explain_->setObjectName(QStringLiteral("verdict-explain"));
    explain_->setToolTip(tr("Explain what the verdict is computed from, how, and its limits"));
    row->addWidget(explain_);
    connect(queue_, &QPushButton::clicked, this, [this] {
        queue_->setEnabled(false);  // until the comparison has been read with the new runs
        Q_EMIT seedsRequested(std::vector<SeedRequest>(seeds_));
    });
    connect(duel_, &QPushButton::clicked, this, &VerdictStrip::duelRequested);
    connect(explain_, &QPushButton::clicked, this, &VerdictStrip::explainRequested);
    setVerdict({});
}

void VerdictStrip::setTexts(const QString& sentence, const QString& whole, const QString& details) {
    sentence_->setText(sentence);
    sentence_->setToolTip(whole == sentence ? QString() : whole);
    details_->setText(details);
    details_->setVisible(!details.isEmpty());
    setAccessibleDescription(whole + QStringLiteral(". ") + details);
    arrange();
}

// The numbers are next to the sentence if both fit on one line, and otherwise below it.
void VerdictStrip::arrange() {
    const int needed = sentence_->fontMetrics().horizontalAdvance(sentence_->text()) + kGapInLine +
                       details_->fontMetrics().horizontalAdvance(details_->text());
    int room = width() - 60;
    for (const QPushButton* button : buttons())
        if (!button->isHidden()) room -= button->sizeHint().width() + kGapInLine;
    const bool wide = needed <= room;
    // A label that wraps requests less width than its text needs.
    sentence_->setWordWrap(!wide);
    texts_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    texts_->setSpacing(wide ? kGapInLine : 2);
}

void VerdictStrip::setVerdict(const ComparisonVerdict& verdict) {
    const auto filled = [&](QStringList names, qsizetype letters) {
        for (QString& name : names) name = elidedMiddle(name, letters);
        return names.size() == 2 ? verdict.sentence.arg(names[0], names[1]) : verdict.sentence;
    };
    const Tone tone = toneOf(verdict.kind);
    setTone(tone);
    setTextColour(sentence_, theme_,
                  tone == Tone::good      ? TextColour::good
                  : tone == Tone::warning ? TextColour::warning
                                          : TextColour::plain);
    setTextColour(details_, theme_, TextColour::quiet);
    seeds_ = verdict.seeds;
    int count = 0;
    for (const SeedRequest& seeds : seeds_) count += seeds.count;
    queue_->setVisible(count > 0);
    queue_->setEnabled(true);
    queue_->setText(tr("Queue %n run(s)", nullptr, count));
    QStringList each;
    for (const SeedRequest& seeds : seeds_) each << QString::number(seeds.count);
    queue_->setToolTip(seeds_.size() == 2
                           ? tr("More seeds: %1 of the first setting, %2 of the second").arg(each[0], each[1])
                           : tr("More seeds of the setting that has too few"));
    explain_->show();
    setTexts(filled(verdict.names, kVerdictLetters), filled(verdict.names, 1000), verdict.details);
}

void VerdictStrip::setDuel(bool offered) {
    duel_->setVisible(offered);
    arrange();
}

void VerdictStrip::showError(const QString& text) {
    setTone(Tone::bad);
    setTextColour(sentence_, theme_, TextColour::bad);
    seeds_.clear();
    queue_->hide();
    duel_->hide();
    explain_->hide();
    setTexts(text, text, {});
}

void VerdictStrip::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    arrange();
}

}  // namespace seedbed::ui
