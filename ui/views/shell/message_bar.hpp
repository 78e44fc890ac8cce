// SPDX-License-Identifier: GPL-3.0-or-later
// A bar above the page: one sentence, perhaps a button, and a button that closes it. Nobody has to answer it.
#pragma once

#include <functional>

#include <QFrame>
#include <QString>

class QHBoxLayout;
class QLabel;

namespace seedbed::ui {

class Theme;

class MessageBar : public QFrame {
    Q_OBJECT

public:
    enum class Kind { note, problem };

    MessageBar(Kind kind, const QString& text, const Theme& theme, QWidget* parent = nullptr);
    // A button before the closing one; it closes the bar too.
    void addButton(const QString& text, std::function<void()> clicked);
    QString text() const;

private:
    QLabel* label_;
    QString text_;
    QHBoxLayout* row_;
};

}  // namespace seedbed::ui
