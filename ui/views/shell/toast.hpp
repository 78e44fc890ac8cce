// SPDX-License-Identifier: GPL-3.0-or-later
// A short message over the lower edge of the page, so that nothing moves when it appears.
#pragma once

#include <QLabel>

namespace seedbed::ui {

// Follows the size of its parent. Does not take the mouse. Thread: GUI.
class Toast : public QLabel {
    Q_OBJECT

public:
    explicit Toast(QWidget* parent);
    // "" hides it.
    void showText(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
};

}  // namespace seedbed::ui
