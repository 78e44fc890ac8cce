// SPDX-License-Identifier: GPL-3.0-or-later
// A button that opens rarely used controls in a panel below it, for example those of charts.
#pragma once

#include <QToolButton>

class QFrame;

namespace seedbed::ui {

class ViewButton : public QToolButton {
    Q_OBJECT

public:
    // Becomes the owner of `controls`, which keep their state while the panel is closed.
    ViewButton(const QString& text, QWidget* controls, QWidget* parent = nullptr);
    // Opens the panel, or closes it if it is open.
    void toggle();

protected:
    void initStyleOption(QStyleOptionToolButton* option) const override;

private:
    QFrame* panel_;
};

}  // namespace seedbed::ui
