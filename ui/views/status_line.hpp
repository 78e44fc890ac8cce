// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text that changes with every frame. Unlike a QLabel it never makes the window arrange its pages
// again, which would cost more than the frame.
#pragma once

#include <QPaintEvent>
#include <QPainter>
#include <QString>
#include <QWidget>

#include "ui/views/theme.hpp"

namespace seedbed::ui {

// Thread: GUI.
class StatusLine final : public QWidget {
public:
    // `quiet`: in the quiet colour of this theme, which must outlive the line.
    explicit StatusLine(QWidget* parent, const Theme* quiet = nullptr) : QWidget(parent), quiet_(quiet) {
        setMinimumHeight(fontMetrics().height());
    }

    const QString& text() const { return text_; }
    void setText(const QString& text) {
        if (text == text_) return;
        text_ = text;
        setAccessibleName(text);
        setToolTip(text);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(quiet_ != nullptr ? quiet_->quiet() : palette().color(QPalette::WindowText));
        painter.drawText(rect(), Qt::AlignLeading | Qt::AlignVCenter,
                         fontMetrics().elidedText(text_, Qt::ElideRight, width()));
    }

private:
    const Theme* quiet_;
    QString text_;
};

}  // namespace seedbed::ui
