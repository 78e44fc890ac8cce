// SPDX-License-Identifier: GPL-3.0-or-later
// The bars above the page: the newest few, and how many more wait behind them, so that no number of
// complaints fills the window.
#pragma once

#include <QWidget>

#include "ui/views/shell/message_bar.hpp"

class QLabel;
class QVBoxLayout;

namespace seedbed::ui {

class BarStack : public QWidget {
    Q_OBJECT

public:
    static constexpr int kShown = 3;

    explicit BarStack(const Theme& theme, QWidget* parent = nullptr);
    ~BarStack() override;

    // On top of the others.
    MessageBar* add(MessageBar::Kind kind, const QString& text);
    // The same complaint twice is one bar, which is on top again.
    void complain(const QString& text);
    // Newest first.
    QList<MessageBar*> bars() const { return bars_; }

private:
    void arrange();

    const Theme& theme_;
    QList<MessageBar*> bars_, complaints_;
    QVBoxLayout* column_;
    QLabel* more_;
};

}  // namespace seedbed::ui
