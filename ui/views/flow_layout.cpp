// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow_layout.hpp"

#include <algorithm>

#include <QCoreApplication>
#include <QEvent>
#include <QScrollArea>
#include <QTimer>
#include <QWidget>

namespace seedbed::ui {
namespace {

constexpr int kSpacingX = 10, kSpacingY = 4;

}  // namespace

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) { setContentsMargins(0, 0, 0, 0); }

FlowLayout::~FlowLayout() {
    for (const QLayoutItem* item : items_) delete item;
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    QLayoutItem* item = itemAt(index);
    if (item != nullptr) items_.erase(items_.begin() + index);
    return item;
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : items_)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    return size;
}

QSize FlowLayout::sizeHint() const {
    QSize size(0, 0);  // a default QSize is -1 x -1
    for (const QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        const QSize hint = item->sizeHint();
        size = QSize(size.width() + (size.width() > 0 ? kSpacingX : 0) + hint.width(),
                     std::max(size.height(), hint.height()));
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, false);
}

// Returns the required height.
int FlowLayout::place(const QRect& rect, bool only_measure) const {
    // What is too wide for one line by less than its items can shrink stays on one line.
    int wide = -kSpacingX, room = 0;
    for (const QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        wide += item->sizeHint().width() + kSpacingX;
        room += item->sizeHint().width() - item->minimumSize().width();
    }
    const int missing = wide - rect.width();
    const bool shrinks = missing > 0 && missing <= room;
    const auto shrinkOf = [&](const QLayoutItem& item) {
        const int own = item.sizeHint().width() - item.minimumSize().width();
        return shrinks ? (own * missing + room - 1) / room : 0;
    };
    std::vector<QLayoutItem*> line;
    int x = 0, y = 0, height = 0;
    const bool mirrored = parentWidget() != nullptr && parentWidget()->isRightToLeft();
    const auto finish = [&] {
        int at = 0;
        for (QLayoutItem* item : line) {
            const QSize hint = item->sizeHint();
            const int most = std::max(item->minimumSize().width(), rect.width());
            const int width = std::min(hint.width() - shrinkOf(*item), most);
            QRect to(rect.x() + at, rect.y() + y + (height - hint.height()) / 2, width, hint.height());
            if (mirrored) to.moveRight(rect.right() - at);
            if (!only_measure) item->setGeometry(to);
            at += width + kSpacingX;
        }
        line.clear();
    };
    for (QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        const QSize hint = item->sizeHint();
        if (x > 0 && !shrinks && x + hint.width() > rect.width()) {
            finish();
            y += height + kSpacingY;
            x = 0;
            height = 0;
        }
        line.push_back(item);
        x += hint.width() + kSpacingX;
        height = std::max(height, hint.height());
    }
    finish();
    return y + height;
}

void fitHeight(QScrollArea& area) {
    QTimer::singleShot(0, &area, [&area] {
        QWidget* inside = area.widget();
        if (inside == nullptr || inside->layout() == nullptr) return;
        inside->layout()->invalidate();
        inside->layout()->activate();
        QEvent request(QEvent::LayoutRequest);
        QCoreApplication::sendEvent(inside, &request);
    });
}

}  // namespace seedbed::ui
