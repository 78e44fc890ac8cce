// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/text_colour.hpp"

#include <QCoreApplication>
#include <QLabel>
#include <QVariant>

#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr const char* kProperty = "seedbed_text_colour";

void paint(QLabel* label, const Theme& theme) {
    QColor colour;
    switch (static_cast<TextColour>(label->property(kProperty).toInt())) {
        case TextColour::plain: label->setPalette({}); return;  // inherits the window's colour
        case TextColour::quiet: colour = theme.quiet(); break;
        case TextColour::good: colour = theme.good(); break;
        case TextColour::warning: colour = theme.warning(); break;
        case TextColour::bad: colour = theme.bad(); break;
    }
    QPalette palette;
    palette.setColor(QPalette::WindowText, colour);
    palette.setColor(QPalette::Text, colour);  // on a card, whose background has the role Base
    label->setPalette(palette);
}

}  // namespace

void setTextColour(QLabel* label, const Theme& theme, TextColour colour) {
    const bool follows = label->property(kProperty).isValid();
    label->setProperty(kProperty, static_cast<int>(colour));
    paint(label, theme);
    if (!follows) QObject::connect(&theme, &Theme::changed, label, [label, &theme] { paint(label, theme); });
}

void makeMessage(QLabel* label, const Theme& theme, TextColour colour) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::StrongFocus);  // makes it reachable by keyboard
    setTextColour(label, theme, colour);
    showMessage(label, label->text());
}

void showMessage(QLabel* label, const QString& text) {
    if (label->text() != text) label->setText(text);  // keeps the selection if nothing changed
    label->setAccessibleName(text.isEmpty() ? QCoreApplication::translate("Message", "No problem") : text);
    label->setVisible(!text.isEmpty());
}

}  // namespace seedbed::ui
