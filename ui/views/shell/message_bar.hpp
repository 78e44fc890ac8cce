// SPDX-License-Identifier: GPL-3.0-or-later
// A message above the page: a label, optional buttons, and a close button. Does not block.
#pragma once
#include "ui/views/style/card.hpp"

#include <functional>

#include <QFrame>
#include <QString>

class QHBoxLayout;
class QLabel;

namespace seedbed::ui {

class Theme;

class MessageBar : public Card {
    Q_OBJECT

public:
    enum class Kind { note, problem };

    MessageBar(Kind kind, const QString& text, const Theme& theme, QWidget* parent = nullptr);
    // Adds a button before the close button; clicking it also closes the bar.
    void addButton(const QString& text, std::function<void()> clicked);
    QString text() const;

private:
    QLabel* label_;
    QString text_;
    QHBoxLayout* row_;
};

}  // namespace seedbed::ui
