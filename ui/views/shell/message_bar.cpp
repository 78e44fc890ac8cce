// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/message_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kMaxWordLength = 40;

// Allows line breaks in very long words, which would otherwise widen the window.
QString withBreaks(const QString& text) {
    QString wrapped;
    int letters = 0;
    for (const QChar c : text) {
        letters = c.isSpace() ? 0 : letters + 1;
        wrapped += c;
        if (letters < kMaxWordLength || c.isHighSurrogate()) continue;
        wrapped += QChar(0x200B);
        letters = 0;
    }
    return wrapped;
}

}  // namespace

MessageBar::MessageBar(Kind kind, const QString& text, const Theme& theme, QWidget* parent)
    : Card(parent), label_(new QLabel(withBreaks(text), this)), text_(text), row_(new QHBoxLayout(this)) {
    setTone(kind == Kind::problem ? Tone::warning : Tone::good);
    setObjectName(QStringLiteral("message-bar"));
    setAccessibleName(kind == Kind::problem ? tr("Problem") : tr("Message"));
    setAccessibleDescription(text);
    row_->setContentsMargins(12, 6, 6, 6);
    auto* icon = new QLabel(this);
    const auto draw = [icon, &theme,
                       name = kind == Kind::problem ? QStringLiteral("warning") : QStringLiteral("info")] {
        icon->setPixmap(theme.icon(name).pixmap(18, 18));
    };
    draw();
    connect(&theme, &Theme::changed, icon, draw);
    row_->addWidget(icon);
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    // The text can be copied with mouse and keyboard.
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label_->setAccessibleName(text);
    row_->addWidget(label_, 1);
    auto* close = new QToolButton(this);
    close->setIcon(theme.icon(QStringLiteral("remove")));
    close->setAutoRaise(true);
    close->setFocusPolicy(Qt::StrongFocus);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close this message"));
    connect(close, &QToolButton::clicked, this, &QObject::deleteLater);
    row_->addWidget(close);
}

void MessageBar::addButton(const QString& text, std::function<void()> clicked) {
    auto* button = new QPushButton(text, this);
    button->setAccessibleName(text);
    connect(button, &QPushButton::clicked, this, [this, clicked = std::move(clicked)] {
        deleteLater();
        clicked();
    });
    row_->insertWidget(row_->count() - 1, button);
}

QString MessageBar::text() const { return text_; }

}  // namespace seedbed::ui
