// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/explain_popup.hpp"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"

namespace seedbed::ui {
namespace {

constexpr int kExplainWidth = 440, kWideExplainWidth = 640, kExplainMargin = 16, kGapToNumber = 4;

QLabel* explainLabel(const QString& text, const QFont& font, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(font);
    return label;
}

}  // namespace

ExplainPopup::ExplainPopup(const Explanation& explanation, QWidget* parent, const Theme& theme,
                           const Link& link)
    : QFrame(parent, Qt::Popup) {
    setObjectName(QStringLiteral("explanation"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setAccessibleName(explanation.title);
    setAccessibleDescription(explanation.text());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kExplainMargin, 14, kExplainMargin, 14);
    column->setSpacing(kGrid);
    QLabel* title = explainLabel(explanation.title, textFont(TextSize::body), this);
    setTextColour(title, theme, TextColour::quiet);
    column->addWidget(title);
    if (!explanation.value.isEmpty())
        column->addWidget(
            explainLabel(explanation.value, textFont(TextSize::section, QFont::DemiBold), this));
    for (const Explanation::Part& part : explanation.parts) {
        column->addSpacing(2);
        QLabel* head = explainLabel(part.title, textFont(TextSize::caption, QFont::DemiBold), this);
        setTextColour(head, theme, TextColour::quiet);
        column->addWidget(head);
        column->addWidget(explainLabel(part.text, textFont(TextSize::body), this));
    }
    column->addSpacing(2);
    auto* buttons = new QHBoxLayout;
    auto* copy = new QPushButton(tr("Copy as text"), this);
    copy->setObjectName(QStringLiteral("copy-explanation"));
    connect(copy, &QPushButton::clicked, this, [this, text = explanation.text()] {
        QApplication::clipboard()->setText(text);
        close();
    });
    buttons->addWidget(copy);
    if (!link.text.isEmpty()) {
        auto* open = new QPushButton(link.text, this);
        open->setObjectName(QStringLiteral("explanation-link"));
        connect(open, &QPushButton::clicked, this, [this, go = link.open] {
            close();
            go();
        });
        buttons->addWidget(open);
    }
    buttons->addStretch(1);
    column->addLayout(buttons);
    setFocusProxy(copy);
}

void ExplainPopup::showFor(const Explanation& explanation, QWidget& widget, const QRect& place,
                           const Theme& theme, const Link& link) {
    auto* popup = new ExplainPopup(explanation, &widget, theme, link);
    const QRect room = widget.screen()->availableGeometry();
    // On small screens long texts need wider lines.
    const bool fits = popup->layout()->totalHeightForWidth(kExplainWidth) <= room.height();
    const int wide = std::min(fits ? kExplainWidth : kWideExplainWidth, room.width());
    popup->setFixedWidth(wide);
    const int tall = std::min(popup->layout()->totalHeightForWidth(wide), room.height());
    popup->resize(wide, tall);
    const QPoint corner = widget.mapToGlobal(place.bottomLeft());
    int top = corner.y() + kGapToNumber;
    if (top + tall > room.bottom()) top = corner.y() - place.height() - kGapToNumber - tall;
    popup->move(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - wide)),
                std::clamp(top, room.top(), std::max(room.top(), room.bottom() - tall)));
    popup->show();
    popup->setFocus(Qt::PopupFocusReason);
}

}  // namespace seedbed::ui
