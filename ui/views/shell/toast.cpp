// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/toast.hpp"

#include <algorithm>
#include <vector>

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QPainter>
#include <QTabBar>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr int kToastWidth = 560, kToastGap = 16, kToastMargin = 16;

// The visible parts of buttons and fields in `page`, without those of `toast`.
std::vector<QRect> visibleControls(const QWidget& page, const QWidget& toast) {
    std::vector<QRect> found;
    for (const QWidget* each : page.findChildren<QWidget*>()) {
        const bool is_control = qobject_cast<const QAbstractButton*>(each) != nullptr ||
                                qobject_cast<const QComboBox*>(each) != nullptr ||
                                qobject_cast<const QLineEdit*>(each) != nullptr ||
                                qobject_cast<const QAbstractSpinBox*>(each) != nullptr ||
                                qobject_cast<const QTabBar*>(each) != nullptr;
        const QRect shown = is_control && each->isVisible() && each->parentWidget() != &toast
                                ? each->visibleRegion().boundingRect()
                                : QRect();
        if (!shown.isEmpty()) found.emplace_back(each->mapTo(&page, shown.topLeft()), shown.size());
    }
    return found;
}

}  // namespace

Toast::Toast(QWidget* parent) : QLabel(parent), undo_(new QPushButton(tr("Undo"), this)) {
    setObjectName(QStringLiteral("toast"));
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setAlignment(Qt::AlignCenter);
    undo_->setObjectName(QStringLiteral("toast-undo"));
    undo_->setAccessibleName(undo_->text());
    undo_->setFocusPolicy(Qt::TabFocus);
    connect(undo_, &QPushButton::clicked, this, &Toast::undoRequested);
    setUndo(false);
    parent->installEventFilter(this);
    hide();
}

void Toast::showText(const QString& text) {
    setUndo(false);
    setText(text);
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    if (!text.isEmpty()) followPage();
}

void Toast::offerUndo() {
    if (text().isEmpty()) return;
    setUndo(true);
    followPage();
}

void Toast::setUndo(bool offered) {
    undo_->setVisible(offered);
    setAttribute(Qt::WA_TransparentForMouseEvents, !offered);
    const int beside = offered ? undo_->sizeHint().width() + kToastMargin : 0;
    setContentsMargins(kToastMargin, 9, kToastMargin + beside, 9);
}

// Also later, when the new page has its layout.
void Toast::followPage() {
    raise();
    place();
    QMetaObject::invokeMethod(this, &Toast::place, Qt::QueuedConnection);
}

void Toast::place() {
    if (!isVisible()) return;
    const int widest = std::min(kToastWidth, parentWidget()->width() - 2 * kToastGap);
    const QMargins margins = contentsMargins();
    const int line = fontMetrics().horizontalAdvance(text()) + margins.left() + margins.right() + 2;
    const int wide = std::min(widest, line);
    const QSize button = undo_->isHidden() ? QSize() : undo_->sizeHint();
    const int high = std::max(heightForWidth(wide), button.height() + kToastGap / 2);
    const QRect lowest((parentWidget()->width() - wide) / 2, parentWidget()->height() - high - kToastGap,
                       wide, high);
    const std::vector<QRect> controls = visibleControls(*parentWidget(), *this);
    QRect place = lowest;
    const auto covered = [&] {
        return std::find_if(controls.begin(), controls.end(),
                            [&](const QRect& control) { return control.intersects(place); });
    };
    for (auto at = covered(); at != controls.end() && place.top() >= 0; at = covered())
        place.moveBottom(at->top() - kToastGap / 2);
    setGeometry(place.top() >= 0 ? place : lowest);
    undo_->setGeometry(
        QRect({wide - kToastMargin / 2 - button.width(), (high - button.height()) / 2}, button));
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return QLabel::eventFilter(watched, event);
}

void Toast::paintEvent(QPaintEvent*) {
    const Tokens& t = tokens();
    QPainter painter(this);
    drawRounded(painter, rect(), kControlRadius, t.text);
    painter.setPen(t.background);
    painter.drawText(contentsRect(), Qt::AlignCenter | Qt::TextWordWrap, text());
}

}  // namespace seedbed::ui
