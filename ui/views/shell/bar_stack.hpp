// SPDX-License-Identifier: GPL-3.0-or-later
// The message bars above the page: the newest three, and the number of older ones.
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

    // Adds a bar on top.
    MessageBar* add(MessageBar::Kind kind, const QString& text);
    // Adds a problem; if a bar with the same text exists, it moves to the top.
    void addProblem(const QString& text);
    // Newest first.
    QList<MessageBar*> bars() const { return bars_; }

private:
    void arrange();

    const Theme& theme_;
    QList<MessageBar*> bars_, problems_;
    QVBoxLayout* column_;
    QLabel* more_;
};

}  // namespace seedbed::ui
