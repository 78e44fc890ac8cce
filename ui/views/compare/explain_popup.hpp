// SPDX-License-Identifier: GPL-3.0-or-later
// A popup that explains a number: its source, formula and limits. Thread: GUI.
#pragma once

#include <functional>

#include <QFrame>
#include <QRect>

#include "ui/models/compare/explanation.hpp"

namespace seedbed::ui {

class Theme;

class ExplainPopup : public QFrame {
    Q_OBJECT
public:
    struct Link {
        QString text;
        std::function<void()> open;
    };
    // Shows the explanation below `place` in `widget`, or above it if the screen ends there; deletes itself
    // when closed. `link`: another button, if it has a text.
    static void showFor(const Explanation& explanation, QWidget& widget, const QRect& place,
                        const Theme& theme, const Link& link = {});

private:
    ExplainPopup(const Explanation& explanation, QWidget* parent, const Theme& theme, const Link& link);
};

}  // namespace seedbed::ui
