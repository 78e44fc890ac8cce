// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/bar_stack.hpp"

#include <QLabel>
#include <QVBoxLayout>

namespace seedbed::ui {

BarStack::BarStack(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), column_(new QVBoxLayout(this)), more_(new QLabel(this)) {
    column_->setContentsMargins(12, 4, 12, 4);
    more_->setObjectName(QStringLiteral("more-messages"));
    more_->setContentsMargins(12, 0, 6, 0);
    column_->addWidget(more_);
    arrange();
}

BarStack::~BarStack() {
    for (MessageBar* bar : bars_) bar->disconnect(this);
}

MessageBar* BarStack::add(MessageBar::Kind kind, const QString& text) {
    auto* bar = new MessageBar(kind, text, theme_, this);
    connect(bar, &QObject::destroyed, this, [this, bar] {
        bars_.removeOne(bar);
        problems_.removeOne(bar);
        arrange();
    });
    column_->insertWidget(0, bar);
    bars_.prepend(bar);
    arrange();
    return bar;
}

void BarStack::addProblem(const QString& text) {
    for (MessageBar* bar : problems_) {
        if (bar->text() != text) continue;
        column_->removeWidget(bar);
        column_->insertWidget(0, bar);
        bars_.move(bars_.indexOf(bar), 0);
        return arrange();
    }
    problems_.prepend(add(MessageBar::Kind::problem, text));
}

void BarStack::arrange() {
    for (qsizetype i = 0; i < bars_.size(); ++i) bars_[i]->setVisible(i < kShown);
    const int more = static_cast<int>(bars_.size()) - kShown;
    more_->setVisible(more > 0);
    if (more > 0) more_->setText(tr("%n older message(s)", "", more));
    setVisible(!bars_.isEmpty());
}

}  // namespace seedbed::ui
