// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/top_bar.hpp"

#include <QLocale>
#include <QMenu>
#include <QPainter>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kShownNotices = 12;

}  // namespace

SearchButton::SearchButton(const Theme& theme, const QString& shortcut, QWidget* parent)
    : QPushButton(tr("Search actions, runs, settings"), parent),
      icon_(theme.icon(QStringLiteral("search"))),
      shortcut_(shortcut) {
    setObjectName(QStringLiteral("open-palette"));
    setAccessibleName(text());
    setAttribute(Qt::WA_Hover);
}

QSize SearchButton::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text() + shortcut_) + 80, kControlHeight};
}

QSize SearchButton::minimumSizeHint() const { return {120, kControlHeight}; }

void SearchButton::paintEvent(QPaintEvent*) {
    const Tokens& t = tokens();
    QPainter painter(this);
    const bool focus = hasFocus();
    drawRounded(painter, rect(), kControlRadius, t.background,
                focus          ? t.accent
                : underMouse() ? mixed(t.line, t.text, 0.3)
                               : t.line,
                focus ? 2 : 1);
    painter.drawPixmap(QPoint(11, (height() - 16) / 2),
                       coloured(icon_.pixmap({16, 16}, devicePixelRatioF()), t.muted));
    painter.setFont(textFont(TextSize::caption));
    const int key = painter.fontMetrics().horizontalAdvance(shortcut_) + 12;
    const QRectF cap(width() - key - 8, (height() - 20) / 2.0, key, 20);
    drawRounded(painter, cap, 5, t.surface, t.line);
    painter.setPen(t.muted);
    painter.drawText(cap, Qt::AlignCenter, shortcut_);
    painter.setFont(font());
    const QRect inside = rect().adjusted(35, 0, -key - 16, 0);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, inside.width()));
}

Bell::Bell(const Theme& theme, QWidget* parent) : QToolButton(parent), menu_(new QMenu(this)) {
    setObjectName(QStringLiteral("notifications"));
    setIcon(theme.icon(QStringLiteral("bell")));
    setIconSize({18, 18});
    setAutoRaise(true);
    setFixedSize(kControlHeight, kControlHeight);
    setFocusPolicy(Qt::TabFocus);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(menu_);
    connect(menu_, &QMenu::aboutToShow, this, &Bell::fillMenu);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    describe();
}

void Bell::add(const QString& text, qlonglong run) {
    notices_.prepend({text, run, QDateTime::currentDateTime()});
    if (notices_.size() > kShownNotices) notices_.removeLast();
    ++unread_;
    describe();
}

void Bell::describe() {
    setAccessibleName(unread_ > 0 ? tr("%n new notification(s)", "", unread_) : tr("Notifications"));
    setToolTip(accessibleName());
    update();
}

void Bell::fillMenu() {
    menu_->clear();
    for (const Notice& notice : notices_) {
        QAction* action = menu_->addAction(QStringLiteral("%1   %2").arg(
            QLocale().toString(notice.time.time(), QLocale::ShortFormat),
            QString(notice.text).replace(QLatin1Char('&'), QLatin1String("&&"))));
        connect(action, &QAction::triggered, this, [this, run = notice.run] { Q_EMIT runSelected(run); });
    }
    if (notices_.isEmpty()) menu_->addAction(tr("Nothing has happened yet"))->setEnabled(false);
    unread_ = 0;
    describe();
}

void Bell::paintEvent(QPaintEvent* event) {
    QToolButton::paintEvent(event);
    if (unread_ == 0) return;
    QPainter painter(this);
    drawRounded(painter, QRectF(width() - 14, 5, 9, 9), 4.5, tokens().accent, tokens().surface, 1.5);
}

}  // namespace seedbed::ui
