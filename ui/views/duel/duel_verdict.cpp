// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/duel/duel_verdict.hpp"

#include <QAction>
#include <QPushButton>
#include <QResizeEvent>

#include "ui/views/flow_layout.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kLeastVerdict = 58;    // height with buttons, so that the stages keep theirs without them
constexpr int kVerdictInARow = 760;  // width from which the buttons are next to the sentence

}  // namespace

DuelVerdict::DuelVerdict(const Theme& theme, const std::vector<QAction*>& next, QWidget* parent)
    : Card(parent), theme_(theme), actions_(next) {
    setObjectName(QStringLiteral("duel-verdict"));
    setAccessibleName(tr("Verdict"));
    setMinimumHeight(kLeastVerdict);
    row_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
    row_->setContentsMargins(2 * kGrid, kGrid + 4, 2 * kGrid, kGrid + 4);
    row_->setSpacing(kGrid + 4);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    sentence_ = new QLabel(this);
    sentence_->setObjectName(QStringLiteral("duel-sentence"));
    sentence_->setFont(textFont(TextSize::body, QFont::DemiBold));
    details_ = new QLabel(this);
    details_->setObjectName(QStringLiteral("duel-details"));
    for (QLabel* label : {sentence_, details_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        texts->addWidget(label);
    }
    setTextColour(details_, theme_, TextColour::quiet);
    row_->addLayout(texts, 1);
    buttons_ = new QWidget(this);
    auto* flow = new FlowLayout(buttons_);
    for (QAction* action : actions_) {
        QPushButton* button = actionButton(action, buttons_);
        const auto follow = [action, button] { button->setVisible(action->isVisible()); };
        connect(action, &QAction::changed, button, follow);
        follow();
        flow->addWidget(button);
        each_.push_back(button);
    }
    row_->addWidget(buttons_, 0, Qt::AlignVCenter);
}

void DuelVerdict::setVerdict(const QString& sentence, const QString& details, Tone tone) {
    setTone(tone);
    setTextColour(sentence_, theme_,
                  tone == Tone::good      ? TextColour::good
                  : tone == Tone::warning ? TextColour::warning
                                          : TextColour::plain);
    if (sentence_->text() != sentence) sentence_->setText(sentence);
    if (details_->text() != details) details_->setText(details);
    details_->setVisible(!details.isEmpty());
    setAccessibleDescription(sentence + QLatin1Char(' ') + details);
}

void DuelVerdict::setPrimary(bool primary) {
    bool any = false;
    for (std::size_t i = 0; i < each_.size(); ++i) {
        const bool shown = actions_[i]->isVisible();
        setKind(each_[i], primary && shown && !any ? ButtonKind::primary : ButtonKind::plain);
        any = any || shown;
    }
    buttons_->setVisible(any);
}

void DuelVerdict::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    row_->setDirection(event->size().width() >= kVerdictInARow ? QBoxLayout::LeftToRight
                                                               : QBoxLayout::TopToBottom);
}

}  // namespace seedbed::ui
