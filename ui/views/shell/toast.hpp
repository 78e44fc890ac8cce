// SPDX-License-Identifier: GPL-3.0-or-later
// A short message over the lower part of the page, so that nothing moves when it appears.
#pragma once

#include <QLabel>
#include <QPushButton>

namespace seedbed::ui {

// In the lowest place in the middle of its parent where it covers no button or field. Follows the size of the
// parent. Does not take the mouse, except with a button. Thread: GUI.
class Toast : public QLabel {
    Q_OBJECT

public:
    explicit Toast(QWidget* parent);
    // "" hides it.
    void showText(const QString& text);
    // Adds a button to the present text.
    void offerUndo();
    // The parent shows another page.
    void followPage();

Q_SIGNALS:
    void undoRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
    void setUndo(bool offered);

    QPushButton* undo_;
};

}  // namespace seedbed::ui
