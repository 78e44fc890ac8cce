// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/page_parts.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {

QLabel* pageTitle(const QString& text, QWidget* parent) {
    auto* title = new QLabel(text, parent);
    title->setFont(textFont(TextSize::title, QFont::DemiBold));
    return title;
}

QPushButton* actionButton(QAction* action, QWidget* parent) {
    auto* button = new QPushButton(parent);
    button->setObjectName(action->objectName() + QStringLiteral("-button"));
    const auto follow = [action, button] {
        button->setIcon(action->icon());
        button->setText(action->text());
        button->setAccessibleName(action->text());
        button->setEnabled(action->isEnabled());
        button->setToolTip(action->toolTip() + QStringLiteral(" (%1)").arg(
                                                   action->shortcut().toString(QKeySequence::NativeText)));
    };
    follow();
    QObject::connect(action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

QWidget* labelled(const QString& text, QWidget* control, QWidget* parent) {
    auto* pair = new QWidget(parent);
    auto* row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(text, pair);
    label->setBuddy(control);
    row->addWidget(label);
    row->addWidget(control);
    return pair;
}

EmptyState emptyState(const QString& name, QAction* action, QWidget* parent) {
    auto* widget = new QWidget(parent);
    auto* layout = new QVBoxLayout(widget);
    layout->addStretch(1);
    auto* text = new QLabel(widget);
    text->setObjectName(name + QStringLiteral("-empty"));
    text->setAlignment(Qt::AlignCenter);
    text->setWordWrap(true);
    layout->addWidget(text);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    auto* button = actionButton(action, widget);
    button->setObjectName(name + QStringLiteral("-first"));
    setKind(button, ButtonKind::primary);
    row->addWidget(button);
    row->addStretch(1);
    layout->addLayout(row);
    layout->addStretch(2);
    return {widget, text, button};
}

}  // namespace seedbed::ui
